"""The preview's window over time: files that are dropped on it, and files that are saved while it shows them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from engine.client.preview.app import PreviewApp
from engine.client.preview.finding import Finder
from engine.client.preview.gallery import Gallery, SingleFiles
from engine.client.preview.subject import open_subject
from engine.client.preview.unit_app import UnitApp
from engine.client.window import Window, WindowSettings
from tests.preview.conftest import Room


@pytest.fixture
def gallery(room: Room) -> Iterator[Gallery]:
    window = Window(WindowSettings(size=(640, 360), headless=True, gl="off"))
    finder = Finder(room.library, (room.trees,))
    order = finder.find("man")
    first = PreviewApp(window, order, open_subject(order, room.library), room.library, room.told.append)
    made = Gallery(window, finder, (), room.told.append, first)
    yield made
    made.close()
    window.close()


def drop(gallery: Gallery, path: Path) -> None:
    gallery.showing.handle(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    gallery.look(time.monotonic())
    gallery.showing.draw()
    gallery.finish()
    gallery.showing.step(0.05)
    gallery.showing.draw()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def test_a_dropped_model_is_cooked_and_shown(gallery: Gallery, room: Room, elsewhere: Path) -> None:
    first = gallery.showing
    first.look.wire = 1
    path = Path(shutil.copy(room.source, elsewhere / "guest.glb"))
    drop(gallery, path)
    shown = gallery.showing
    assert isinstance(shown, PreviewApp)
    assert shown is not first
    assert (shown.model.name, shown.stage.subject.file, shown.busy) == ("guest", None, "")
    assert shown.look.wire == 1
    assert shown.toasts.shown[-1].text.startswith("guest.glb read in ")
    # A file that lies in no asset folder is followed too.
    assert path in shown.watched()


def test_a_dropped_tree_is_shown_on_its_model(gallery: Gallery, elsewhere: Path) -> None:
    path = elsewhere / "other.atr"
    path.write_text("man_fall\n")
    drop(gallery, path)
    assert [view.name for view in gallery.showing.stage.views()] == ["man_fall"]
    assert gallery.showing.model.name == "man"


def test_a_tree_that_is_dropped_with_its_model_is_shown_on_it(
    gallery: Gallery, room: Room, elsewhere: Path
) -> None:
    model = Path(shutil.copy(room.assets / "models" / "crate" / "crate.glb", elsewhere / "box.glb"))
    tree = elsewhere / "box.atr"
    tree.write_text("man_walk\n")
    gallery.showing.handle(pygame.event.Event(pygame.DROPFILE, file=str(model)))
    drop(gallery, tree)
    assert (gallery.showing.model.name, gallery.showing.stage.subject.file) == ("box", tree)


def test_a_dropped_unit_is_shown_with_its_buttons(gallery: Gallery, elsewhere: Path) -> None:
    path = elsewhere / "crate.bos"
    path.write_text("piece lower;\nCreate() { turn lower to y-axis <90> speed <30>; }\n")
    drop(gallery, path)
    assert isinstance(gallery.showing, UnitApp)
    assert gallery.showing.stage.scripts == ["Create"]
    path = elsewhere / "nobody.bos"
    path.write_text("Create() { }\n")
    drop(gallery, path)
    assert "there is no model `nobody` for the unit nobody.bos" in gallery.showing.problems.listed[0].message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("cut.glb", b"glTF\2\0\0\0\x99\0\0\0", "cut"),
        ("wrong.atr", b"man_walk {\n", "bad token"),
        ("text.doc", b"words", "text.doc is nothing that can be shown; these can: .atr, .glb"),
        ("gone.glb", None, "gone.glb is nothing that can be shown"),
    ],
)
def test_what_cannot_be_read_is_listed_and_what_was_shown_stays(
    gallery: Gallery, elsewhere: Path, name: str, content: bytes | None, said: str
) -> None:
    first = gallery.showing
    path = elsewhere / name
    if content is not None:
        path.write_bytes(content)
    drop(gallery, path)
    assert gallery.showing is first
    assert first.problems.open
    problem = first.problems.listed[0]
    assert problem.severity == "error"
    where = problem.span.path if problem.span is not None else ""
    assert said in problem.message or said in where
    assert first.toasts.shown[-1].kind == "bad"


def test_a_file_that_was_saved_settles_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "box.glb"
    path.write_bytes(b"one")
    files = SingleFiles([path])
    assert files.poll(0.0) == set()
    path.write_bytes(b"more")
    assert files.poll(0.1) == set()
    assert files.poll(0.3) == set()
    path.write_bytes(b"still more")
    assert files.poll(0.6) == set()
    assert files.poll(0.9) == {path}
    assert files.poll(1.2) == set()
    path.with_suffix(".toml").write_text("scale = 2\n")
    assert files.poll(1.5) == set()
    assert files.poll(1.8) == {path.with_suffix(".toml")}


def test_a_file_that_is_written_without_a_change_did_not_change(tmp_path: Path) -> None:
    path = tmp_path / "box.glb"
    path.write_bytes(b"one")
    files = SingleFiles([path])
    os.utime(path, (1, 1))
    assert [files.poll(moment) for moment in (0.0, 1.0, 2.0)] == [set(), set(), set()]
    path.write_bytes(b"two")
    assert [files.poll(moment) for moment in (3.0, 4.0, 5.0)] == [set(), {path}, set()]
    path.unlink()
    assert [files.poll(moment) for moment in (6.0, 7.0, 8.0)] == [set(), {path}, set()]


@pytest.mark.parametrize("folder", ["animtrees", "elsewhere"])
def test_a_save_of_a_tree_is_taken_in_once(gallery: Gallery, room: Room, tmp_path: Path, folder: str) -> None:
    """Whether the folder of the tree is followed, or only its file."""
    path = tmp_path / folder / "small.atr"
    path.parent.mkdir(exist_ok=True)
    path.write_text("man_walk\n")
    drop(gallery, path)
    shown = gallery.showing

    def look(text: str) -> list[tuple[str, int]]:
        shown.toasts.shown.clear()
        room.told.clear()
        path.write_text(text)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            gallery.look(time.monotonic())
            time.sleep(0.02)
        return [(toast.kind, toast.count) for toast in shown.toasts.shown]

    assert look("man_run\n") == [("good", 1)]
    assert [view.name for view in shown.stage.views()] == ["man_run"]
    assert look("man_run\n") == []
    assert look("man_run man_walk\n") == [("bad", 1)]
    assert len(room.told) == 1


def test_a_dropped_file_that_is_saved_is_shown_anew(gallery: Gallery, room: Room, elsewhere: Path) -> None:
    path = Path(shutil.copy(room.source, elsewhere / "guest.glb"))
    drop(gallery, path)
    model = gallery.showing.model
    now = time.monotonic()
    path.with_suffix(".toml").write_text("scale = 2.0\n")
    for moment in range(1, 200):
        gallery.look(now + moment)
        if gallery.showing.model is not model:
            break
        time.sleep(0.02)
    assert gallery.showing.model.bounds[1][2] == pytest.approx(2 * model.bounds[1][2])
    assert "guest.toml read again" in gallery.showing.toasts.shown[-1].text
