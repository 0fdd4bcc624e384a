"""The hot-reload traps that concern files, each against a real folder: one settled change for each save."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from engine.mods.watch import Changes, FileWatcher


def wait_for_changes(watcher: FileWatcher, quiet: float = 0.35, limit: float = 5.0) -> list[Changes]:
    """Poll until nothing has come for `quiet` seconds after the first set (or `limit` is over)."""
    found: list[Changes] = []
    end = time.monotonic() + limit
    calm = time.monotonic() + quiet + 0.4
    while time.monotonic() < min(end, calm):
        changes = watcher.poll()
        if changes is not None:
            found.append(changes)
            calm = time.monotonic() + quiet
        time.sleep(0.005)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.gsc").write_text("main(){}")
    return tmp_path


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def watcher(folder: Path, said: list[str]) -> Iterator[FileWatcher]:
    watcher = FileWatcher([folder], said.append)
    yield watcher
    watcher.close()


def save_in_place(path: Path, text: str) -> None:
    path.write_text(text)


def save_by_rename(path: Path, text: str) -> None:
    other = path.with_name(path.name + ".tmp")
    other.write_text(text)
    os.replace(other, path)


def save_with_backup(path: Path, text: str) -> None:
    """The file moves out of the way, and a new one is made a little later."""
    path.rename(path.with_name(path.name + "~"))
    time.sleep(0.05)
    path.write_text(text)


def save_by_delete(path: Path, text: str) -> None:
    path.unlink()
    time.sleep(0.02)
    path.write_text(text)


def save_slowly(path: Path, text: str) -> None:
    with path.open("w") as file:
        for part in (text[: len(text) // 2], text[len(text) // 2 :]):
            file.write(part)
            file.flush()
            time.sleep(0.12)


@pytest.mark.parametrize(
    "save", [save_in_place, save_by_rename, save_with_backup, save_by_delete, save_slowly]
)
def test_every_style_of_saving_is_one_change(
    folder: Path, watcher: FileWatcher, save: Callable[[Path, str], None]
) -> None:
    path = folder / "maps" / "a.gsc"
    for text in ("main(){ x = 1; }", "main(){ x = 2; }"):
        save(path, text)
        sets = wait_for_changes(watcher)
        assert [(c.changed, c.removed) for c in sets] == [(frozenset({path}), frozenset())]


def test_a_save_of_several_files_is_one_change(folder: Path, watcher: FileWatcher) -> None:
    paths = {folder / "maps" / f"{n}.gsc" for n in "abcd"}
    for path in paths:
        path.write_text("main(){ y = 1; }")
    assert [c.changed for c in wait_for_changes(watcher)] == [frozenset(paths)]


def test_touching_and_reading_is_no_change(folder: Path, watcher: FileWatcher) -> None:
    path = folder / "maps" / "a.gsc"
    path.touch()
    path.read_text()
    path.write_text("main(){}")
    assert wait_for_changes(watcher) == []


def test_a_file_moved_away_is_removed_and_one_moved_in_is_new(
    folder: Path, watcher: FileWatcher, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bin_folder = tmp_path_factory.mktemp("bin")
    path = folder / "maps" / "a.gsc"
    path.rename(bin_folder / "a.gsc")
    assert [c.removed for c in wait_for_changes(watcher, quiet=1.6)] == [frozenset({path})]
    (bin_folder / "a.gsc").rename(path)
    assert [c.changed for c in wait_for_changes(watcher)] == [frozenset({path})]


def test_a_folder_that_comes_later_is_watched_too(folder: Path, watcher: FileWatcher) -> None:
    (folder / "maps" / "mp").mkdir()
    new = folder / "maps" / "mp" / "b.gsc"
    new.write_text("main(){}")
    assert frozenset({new}) in [c.changed for c in wait_for_changes(watcher)]
    new.write_text("main(){ z = 1; }")
    assert [c.changed for c in wait_for_changes(watcher)] == [frozenset({new})]


def test_files_that_are_not_ours_are_no_news(folder: Path, watcher: FileWatcher) -> None:
    (folder / "maps" / "a.gsc.swp").write_text("x")
    (folder / "maps" / ".#a.gsc").write_text("x")
    assert wait_for_changes(watcher) == []


def test_without_native_watching_it_polls_and_says_so(folder: Path, said: list[str]) -> None:
    class Exhausted(PollingObserver):
        def start(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    watcher = FileWatcher([folder], said.append, make_observer=Exhausted)
    try:
        assert len(said) == 1
        assert "0.2 s" in said[0]
        path = folder / "maps" / "a.gsc"
        path.write_text("main(){ x = 3; }")
        assert [c.changed for c in wait_for_changes(watcher, quiet=0.8)] == [frozenset({path})]
    finally:
        watcher.close()


def test_a_dead_watcher_is_noticed_and_nothing_is_lost(folder: Path, said: list[str]) -> None:
    observer = Observer()
    watcher = FileWatcher([folder], said.append, make_observer=lambda: observer)
    try:
        observer.stop()
        observer.join()
        path = folder / "maps" / "a.gsc"
        path.write_text("main(){ x = 4; }")
        assert [c.changed for c in wait_for_changes(watcher, quiet=1.6)] == [frozenset({path})]
        assert len(said) == 1
    finally:
        watcher.close()
