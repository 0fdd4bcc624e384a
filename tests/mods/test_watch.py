"""The hot-reload traps that concern files, each against a real folder: one settled change for each save."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from engine.mods.watch import Changes, FileWatcher


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at once a second is looked at more often, so that nobody waits for the tests."""
    monkeypatch.setattr("engine.mods.watch.HEALTH_INTERVAL", 0.1)


def wait_for_changes(
    watcher: FileWatcher, *, quiet: float = 0.35, limit: float = 8.0, any_: bool = True
) -> list[Changes]:
    """Poll until something has come (not `any_`: nothing is to come) and nothing more for `quiet` seconds."""
    found: list[Changes] = []
    end = time.monotonic() + (limit if any_ else quiet)
    while time.monotonic() < end:
        changes = watcher.poll()
        if changes is not None:
            found.append(changes)
            end = time.monotonic() + quiet
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
    assert wait_for_changes(watcher, any_=False) == []


def test_a_file_moved_away_is_removed_and_one_moved_in_is_new(
    folder: Path, watcher: FileWatcher, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bin_folder = tmp_path_factory.mktemp("bin")
    path = folder / "maps" / "a.gsc"
    path.rename(bin_folder / "a.gsc")
    assert [c.removed for c in wait_for_changes(watcher)] == [frozenset({path})]
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
    assert wait_for_changes(watcher, any_=False) == []


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
        assert [c.changed for c in wait_for_changes(watcher)] == [frozenset({path})]
        assert len(said) == 1
    finally:
        watcher.close()


def changed_sets(watcher: FileWatcher) -> list[frozenset[Path]]:
    return [c.changed for c in wait_for_changes(watcher)]


def test_a_folder_that_vanishes_and_comes_back_is_watched_again(
    folder: Path, watcher: FileWatcher, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away") / "mod"
    path = folder / "maps" / "a.gsc"
    shutil.move(folder, away)
    assert [c.removed for c in wait_for_changes(watcher)] == [frozenset({path})]
    shutil.copytree(away, folder)
    assert changed_sets(watcher) == [frozenset({path})]
    path.write_text("main(){ x = 5; }")
    assert changed_sets(watcher) == [frozenset({path})]


def test_a_folder_that_is_not_there_yet_is_watched_when_it_is(tmp_path: Path, said: list[str]) -> None:
    watcher = FileWatcher([tmp_path / "later"], said.append)
    try:
        assert watcher.poll() is None
        (tmp_path / "later").mkdir()
        path = tmp_path / "later" / "b.gsc"
        path.write_text("main(){}")
        assert changed_sets(watcher) == [frozenset({path})]
    finally:
        watcher.close()


def test_what_links_lead_to_is_watched(tmp_path_factory: pytest.TempPathFactory, said: list[str]) -> None:
    mod, shared = tmp_path_factory.mktemp("mod"), tmp_path_factory.mktemp("shared")
    (shared / "lib").mkdir()
    (shared / "lib" / "b.gsc").write_text("main(){}")
    (shared / "one.gsc").write_text("main(){}")
    (mod / "lib").symlink_to(shared / "lib")
    (mod / "one.gsc").symlink_to(shared / "one.gsc")
    (mod / "circle").symlink_to(mod)
    watcher = FileWatcher([mod], said.append)
    try:
        (shared / "lib" / "b.gsc").write_text("main(){ x = 1; }")
        assert changed_sets(watcher) == [frozenset({mod / "lib" / "b.gsc"})]
        (shared / "one.gsc").write_text("main(){ x = 1; }")
        (shared / "lib" / "new.gsc").write_text("main(){}")
        found = frozenset[Path]().union(*changed_sets(watcher))
        assert found == {mod / "one.gsc", mod / "lib" / "new.gsc"}
    finally:
        watcher.close()


def test_a_link_to_another_version_of_the_mod_is_a_change(tmp_path: Path, said: list[str]) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.gsc").write_text(f"main(){{ {name} = 1; }}")
    link = tmp_path / "current"
    link.symlink_to(tmp_path / "old")
    watcher = FileWatcher([link], said.append)
    try:
        link.unlink()
        link.symlink_to(tmp_path / "new")
        assert changed_sets(watcher) == [frozenset({tmp_path / "new" / "a.gsc"})]
        (tmp_path / "new" / "a.gsc").write_text("main(){ x = 2; }")
        assert changed_sets(watcher) == [frozenset({tmp_path / "new" / "a.gsc"})]
    finally:
        watcher.close()


def test_a_clock_that_jumps_stands_still_or_runs_ahead(folder: Path, watcher: FileWatcher) -> None:
    path = folder / "maps" / "a.gsc"
    now = time.monotonic()
    assert watcher.poll(now + 7200) is None
    path.write_text("main(){ x = 6; }")
    # The clock is two hours back: nothing that has happened counts as later than the present.
    found: list[Changes] = []
    for step in range(400):
        changes = watcher.poll(now + step * 0.05)
        if changes is not None:
            found.append(changes)
            break
        time.sleep(0.005)
        if step > 40:
            changes = watcher.poll(now + 7200 + step * 0.05)
            if changes is not None:
                found.append(changes)
                break
    assert [c.changed for c in found] == [frozenset({path})]


def test_times_of_files_do_not_matter(folder: Path, watcher: FileWatcher) -> None:
    path = folder / "maps" / "a.gsc"
    path.write_text("main(){ x = 7; }")
    os.utime(path, (10**9, 10**9))
    assert changed_sets(watcher) == [frozenset({path})]
    os.utime(path, (4 * 10**9, 4 * 10**9))
    assert wait_for_changes(watcher, any_=False) == []


def test_a_flood_of_saves_is_one_change_and_no_poll_waits_for_the_disk(
    folder: Path, watcher: FileWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.mods.watch.FLOOD", 500)
    paths = [folder / "maps" / f"file{n}.gsc" for n in range(1500)]
    for path in paths:
        path.write_text("main(){}")
    found = wait_for_changes(watcher, quiet=0.8, limit=20)
    assert frozenset[Path]().union(*(c.changed for c in found)) == frozenset(paths)
    for path in paths:
        path.touch()
    assert wait_for_changes(watcher, quiet=0.8, any_=False) == []


def test_an_emitter_that_dies_alone_is_noticed(folder: Path, said: list[str]) -> None:
    observer = Observer()
    watcher = FileWatcher([folder], said.append, make_observer=lambda: observer)
    try:
        for emitter in observer.emitters:
            emitter.stop()
            emitter.join()
        assert observer.is_alive()
        path = folder / "maps" / "a.gsc"
        path.write_text("main(){ x = 8; }")
        assert changed_sets(watcher) == [frozenset({path})]
        assert len(said) == 1
    finally:
        watcher.close()
