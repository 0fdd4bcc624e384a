"""Saves are compiled between two frames: the same transaction as without it, and never an older text."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mods.program import Build
from engine.mods.reload_report import ReloadReport
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes
from engine.vm.fates import LinkReport

TEXT = "main() { level.one = 1; for (;;) { wait 0.05; level.two = 1; } }"


class Saves:
    """Stands for the watcher: gives what was saved, once."""

    def __init__(self) -> None:
        self.waiting: list[Changes] = []

    def poll(self) -> Changes | None:
        return self.waiting.pop(0) if self.waiting else None

    def close(self) -> None:
        pass


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
        self.script = folder / "mine.gsc"
        self.script.write_text(TEXT)
        self.session = GameSession(GameOptions(mods=(folder,), watch=False))
        self.saves = Saves()
        self.session.watcher = self.saves  # type: ignore[assignment]
        self.builds = 0
        rebuild = self.session.builder.build

        def counted(entries):  # type: ignore[no-untyped-def]
            self.builds += 1
            return rebuild(entries)

        self.session.builder.build = counted  # type: ignore[method-assign]
        for _ in range(3):
            self.session.frame()

    def save(self, value: str, path: Path | None = None) -> None:
        path = path or self.script
        path.write_text(TEXT.replace("level.two = 1", f"level.two = {value}"))
        self.saves.waiting.append(Changes(frozenset({path}), frozenset(), time.monotonic()))

    def frames(self, count: int = 2) -> None:
        for _ in range(count):
            self.session.frame()

    @property
    def two(self) -> object:
        return self.session.vm.level.get_field("two")

    @property
    def last(self) -> ReloadReport:
        last = self.session.reloader.last
        assert last is not None
        return last


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    bench = Bench(tmp_path_factory.mktemp("mods") / "mine")
    yield bench
    bench.session.close()


@pytest.fixture
def bench(game: Bench) -> Bench:
    """The one game of all tests, with the text that it began with."""
    game.save("1")
    game.frames()
    game.session.reloader.last = None
    game.builds = 0
    return game


def test_a_save_is_compiled_ahead_and_swapped_in_by_the_frame(bench: Bench) -> None:
    bench.save("2")
    bench.session.idle()
    assert (bench.builds, bench.two, bench.session.reloader.last) == (1, 1, None)
    bench.session.idle()
    bench.frames()
    assert (bench.builds, bench.two) == (1, 2)
    assert bench.last.ok
    assert bench.last.build_ms > 0


def test_without_idle_time_the_frame_does_it_all(bench: Bench) -> None:
    bench.save("2")
    bench.frames()
    assert (bench.builds, bench.two) == (1, 2)


def test_a_later_save_before_the_frame_is_the_one_that_counts(bench: Bench) -> None:
    bench.save("2")
    bench.session.idle()
    bench.save("3")
    bench.session.idle()
    bench.frames()
    assert (bench.builds, bench.two) == (2, 3)
    bench.save("4")
    bench.session.idle()
    bench.save("5")
    bench.frames()
    assert bench.two == 5


def test_what_is_wrong_is_told_by_the_frame(bench: Bench) -> None:
    bench.save("2 +")
    bench.session.idle()
    assert bench.session.reloader.last is None
    bench.frames()
    assert not bench.last.ok
    assert (bench.builds, bench.two) == (1, 1)
    assert [d.code for d in bench.last.diagnostics] == ["syntax"]
    bench.save("3")
    bench.session.idle()
    bench.frames()
    assert (bench.last.ok, bench.two) == (True, 3)


def test_a_set_with_other_files_is_left_to_the_frame(bench: Bench) -> None:
    manifest = bench.folder / "mod.toml"
    manifest.write_text(manifest.read_text() + 'reload = "keep"\n')
    bench.save("2")
    changes = bench.saves.waiting.pop()
    bench.saves.waiting.append(Changes(changes.changed | {manifest}, frozenset(), changes.since))
    bench.session.idle()
    assert bench.builds == 0
    bench.frames()
    assert (bench.last.ok, bench.two) == (True, 2)


def test_nothing_is_compiled_ahead_while_reloading_is_paused(bench: Bench) -> None:
    bench.session.execute("reload pause")
    bench.save("2")
    bench.session.idle()
    bench.frames()
    bench.save("3")
    bench.session.idle()
    bench.frames()
    assert (bench.builds, bench.two) == (0, 1)
    bench.session.execute("reload resume")
    bench.frames()
    assert (bench.builds, bench.two) == (1, 3)


def test_a_command_between_idle_time_and_frame_sees_the_files_as_they_are(bench: Bench) -> None:
    bench.save("2")
    bench.session.idle()
    bench.script.write_text(TEXT.replace("level.two = 1", "level.two = 7"))
    bench.session.execute("reload")
    bench.frames(1)
    bench.save("8")
    bench.frames()
    assert bench.two == 8


def test_the_collector_works_between_frames(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[bool] = []
    collected: list[int] = []
    link = bench.session.link

    def linked(build: Build) -> LinkReport:
        at_work.append(gc.isenabled())
        return link(build)

    monkeypatch.setattr(bench.session, "link", linked)
    monkeypatch.setattr(gc, "collect", collected.append)
    bench.session.idle()
    collected.clear()
    bench.save("2")
    bench.frames(1)
    assert (at_work, collected, gc.isenabled()) == ([False], [], True)
    bench.session.idle()
    bench.session.idle()
    assert collected == [1]


def test_a_pause_takes_saves_in_and_lets_no_time_pass(bench: Bench) -> None:
    time_before = bench.session.vm.time
    bench.save("3")
    bench.session.stand()
    assert bench.last.ok
    assert bench.session.vm.time == time_before
    bench.frames()
    assert bench.two == 3
