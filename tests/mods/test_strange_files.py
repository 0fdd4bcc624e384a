"""What lies in a mod's folder and is no file, or may not be read: a game neither ends nor stands still for it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.mods.watch import FileWatcher
from engine.pipeline import files

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes have no names there")

Put = Callable[[Path], None]


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """A read that does not return is a failure, and not a run of tests that does not end."""

    def late(*_: object) -> None:
        raise AssertionError("a read that does not return")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _nowhere(path: Path) -> None:
    path.symlink_to("ann@desk.4242:1")


@pytest.fixture(
    params=[os.mkfifo, Path.mkdir, _device, _nowhere], ids=["pipe", "folder", "device", "nowhere"]
)
def put(request: pytest.FixtureRequest) -> Put:
    made: Put = request.param
    return made


def _removed(watcher: FileWatcher) -> set[str]:
    end = time.monotonic() + 8
    while time.monotonic() < end:
        changes = watcher.poll()
        if changes is not None:
            return {path.name for path in changes.removed}
        time.sleep(0.005)
    return set()


def test_what_takes_the_place_of_a_watched_file_is_no_file(tmp_path: Path, put: Put) -> None:
    path = tmp_path / "a.gsc"
    path.write_text("main(){}")
    watcher = FileWatcher([tmp_path], lambda _: None)
    try:
        path.unlink()
        put(path)
        assert _removed(watcher) == {"a.gsc"}
    finally:
        watcher.close()


def test_a_pipe_that_comes_between_look_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "a")
    monkeypatch.setattr(files, "check_file", lambda _: None)
    with pytest.raises(OSError, match="no file"):
        files.read_file(tmp_path / "a")


def test_a_file_without_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read whole, and a change of it is noticed all the same."""
    monkeypatch.setattr(files, "MAX_DIGESTED", 1000)
    path = tmp_path / "a"
    path.write_bytes(b"x" * 2000)
    before = files.digest_file(path)
    path.write_bytes(b"x" * 2001)
    assert files.digest_file(path) != before
    with pytest.raises(OSError, match="larger"):
        files.read_file(path, 1000)
