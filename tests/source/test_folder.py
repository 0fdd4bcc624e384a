"""Looking for many files at once: the same files as one by one, and texts that are read when they have changed."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from engine.mods.roots import Links
from engine.source.folder import Folder, Texts
from engine.source.paths import find_file, is_safe

NAMES = ("a", "A", "b", "B.gsc", "a.gsc", "A.gsc", "b.GSC", "c", "C")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Files and folders whose names differ by case, and links inside and to the outside."""
    random = Random(5)
    outside = tmp_path / "outside"
    (outside / "a").mkdir(parents=True)
    (outside / "a.gsc").write_text("outside")
    (outside / "a" / "b.gsc").write_text("outside")
    root = tmp_path / "root"
    folders = [root]
    root.mkdir()
    for _ in range(60):
        place = random.choice(folders) / random.choice(NAMES)
        if place.exists() or place.is_symlink():
            continue
        kind = random.random()
        if kind < 0.35 and len(folders) < 12:
            place.mkdir()
            folders.append(place)
        elif kind < 0.75:
            place.write_text(str(place))
        else:
            target = random.choice(
                [root / "a", root / "a.gsc", outside / "a.gsc", outside / "a", outside / "none"]
            )
            place.symlink_to(target)
    return root


def test_the_files_are_those_that_are_found_one_by_one(tree: Path) -> None:
    folder = Folder(tree)
    random = Random(6)
    found = 0
    for _ in range(3000):
        name = "\\".join(random.choice("abc") for _ in range(random.choice((1, 1, 2, 3))))
        one = find_file(tree, name, ".gsc")
        many = folder.find(name, ".gsc")
        assert (None if many is None else tree / many) == one, name
        found += one is not None
    assert found > 200


@pytest.mark.parametrize("name", ["", "..\\x", "a\\..\\b", "c:x", "a\\", "a\0", "a.", "x" * 300])
def test_names_that_leave_the_folder_mean_nothing(tree: Path, name: str) -> None:
    assert not is_safe(name)
    assert Folder(tree).find(name, ".gsc") is None


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert Folder(tmp_path / "none").find("a", ".gsc") is None


def test_texts_are_read_again_when_their_files_are_others(tmp_path: Path) -> None:
    path = tmp_path / "a.gsc"
    path.write_text("one")
    texts = Texts()
    first = texts.read(str(path), "a.gsc")
    assert first is not None
    assert texts.read(str(path), "a.gsc") is first
    path.write_text("three")
    second = texts.read(str(path), "a.gsc")
    assert second is not None
    assert second.text == "three"
    path.unlink()
    assert texts.read(str(path), "a.gsc") is None


def test_a_file_that_looks_the_same_is_read_again_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.gsc"
    path.write_text("one")
    texts = Texts()
    stat = os.stat(path)
    first = texts.read(str(path), "a.gsc")
    key = texts._known[str(path)][0]
    path.write_text("two")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    after = os.stat(path)
    # As two saves within a tick of the disk's clock: nothing but the content differs.
    texts._known[str(path)] = ((key[0], after.st_ctime_ns, *key[2:]), texts._known[str(path)][1])
    assert texts.read(str(path), "a.gsc") is first
    texts.forget([Path("elsewhere") / "A.GSC"])
    second = texts.read(str(path), "a.gsc")
    assert second is not None
    assert second.text == "two"


def test_a_link_to_itself_hides_nothing_else(tmp_path: Path) -> None:
    """Asking a directory entry what it is raises for such a link, which must not take its neighbours along."""
    (tmp_path / "good.gsc").write_text("main() { }")
    (tmp_path / "circle.gsc").symlink_to("circle.gsc")
    folder = Folder(tmp_path)
    assert folder.find("good", ".gsc") is not None
    assert folder.find("circle", ".gsc") is None
    assert list(Links().walk(tmp_path)) == [tmp_path / "good.gsc"]
