"""What editors, file systems and threads do to a game that watches its files: each trap against real files, with the
real watcher, in a running game."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers.polling import PollingObserver

from engine.client.audio import Audio
from engine.client.input import Controls
from engine.client.overlay import Timings
from engine.client.preferences import Preferences
from engine.client.stage import Stage
from engine.mods.program import Build, Builder
from engine.mods.watch import FileWatcher
from tests.client.fake_session import FakeSession
from tests.mods.test_reload_history import FASTER, MAIN, Table

OTHER = MAIN.replace("level.rounds = count;", "level.rounds = count + 5000;")


class Live(Table):
    """Frames are played by the clock, so that the watcher has its time."""

    def saved(self, count: int, limit: float = 8.0) -> list[dict[str, Any]]:
        """Play until so many reloads have happened, and some time more; all of them."""
        end = time.monotonic() + limit
        while len(self.reloads()) < count and time.monotonic() < end:
            self.play(0.05)
        self.play(0.3)
        return self.reloads()

    def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.session.frame()
            time.sleep(0.02)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    live = Live(tmp_path, watch=True)
    yield live
    live.session.close()


def rename_save(path: Path, text: str) -> None:
    other = path.with_name("new~")
    other.write_text(text)
    os.replace(other, path)


def test_h1_one_reload_for_either_style_of_saving(live: Live) -> None:
    rename_save(live.script, FASTER)
    assert len(live.saved(1)) == 1
    live.script.write_text(OTHER)
    events = live.saved(2)
    assert [event["ok"] for event in events] == [True, True]
    assert live.rounds() > 5000


def test_h2_a_second_save_by_renaming_is_seen_too(live: Live) -> None:
    for number, text in enumerate((FASTER, OTHER, MAIN), 1):
        rename_save(live.script, text)
        assert len(live.saved(number)) == number
    assert live.rounds() < 1000


def test_h3_a_file_that_is_away_for_a_moment_was_not_removed(live: Live) -> None:
    live.script.rename(live.script.with_name("mine.gsc~"))
    live.play(0.05)
    live.script.write_text(FASTER)
    events = live.saved(1)
    assert len(events) == 1
    assert not any("is gone" in text for text in live.says())


def test_h4_without_watches_it_polls_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Exhausted(PollingObserver):
        def start(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("engine.mods.session.FileWatcher", partial(FileWatcher, make_observer=Exhausted))
    live = Live(tmp_path, watch=True)
    said = live.says()
    live.script.write_text(FASTER)
    assert [event["ok"] for event in live.saved(1)] == [True]
    live.script.write_text(OTHER)
    assert len(live.saved(2)) == 2
    assert len([text for text in [*said, *live.says()] if "every 0.2 s" in text]) == 1
    live.session.close()


def test_h5_a_reload_that_fails_inside_the_engine_is_not_the_last(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Builder, entries: object) -> Build:
        raise RuntimeError("somewhere inside")

    with monkeypatch.context() as patch:
        patch.setattr(Builder, "build", fail)
        live.script.write_text(OTHER)
        assert [event["ok"] for event in live.saved(1)] == [False]
    live.script.write_text(FASTER)
    assert [event["ok"] for event in live.saved(2)] == [False, True]
    assert live.rounds() >= 1000


def test_h6_a_dead_watcher_is_noticed(live: Live) -> None:
    watcher = live.session.watcher
    assert watcher is not None
    observer = watcher._observer._observer
    assert observer is not None
    for emitter in observer.emitters:
        emitter.stop()
        emitter.join()
    live.script.write_text(FASTER)
    assert [event["ok"] for event in live.saved(1)] == [True]
    assert any("the file watcher had stopped" in text for text in live.says())


def test_h7_a_script_that_is_moved_away_stays_in_the_game_and_it_is_said(
    live: Live, tmp_path_factory: pytest.TempPathFactory
) -> None:
    live.script.rename(tmp_path_factory.mktemp("bin") / "mine.gsc")
    assert [event["ok"] for event in live.saved(1)] == [False]
    assert any("mine.gsc is gone" in text for text in live.says())
    before = live.rounds()
    live.run(3)
    assert live.rounds() == before + 3


def test_h8_touching_and_reading_is_no_reload(live: Live) -> None:
    live.script.touch()
    live.script.read_text()
    live.script.write_text(MAIN)
    live.play(0.4)
    assert live.reloads() == []


def test_h9_a_broken_save_keeps_the_old_code_and_the_fix_is_taken(live: Live) -> None:
    live.script.write_text(FASTER.replace("count + 1000;", "count +;"))
    (event,) = live.saved(1)
    diagnostic = event["diagnostics"][0]
    assert (event["ok"], Path(diagnostic["path"]).name, diagnostic["line"]) == (False, "mine.gsc", 12)
    errors = [text for text in live.says() if "mine.gsc" in text]
    assert len(errors) == 1
    before = live.rounds()
    live.run(2)
    assert live.rounds() == before + 2
    live.script.write_text(FASTER)
    assert [event["ok"] for event in live.saved(2)] == [False, True]
    assert live.rounds() >= 1000


def test_h10_level_and_game_stay(live: Live) -> None:
    level, game = live.session.vm.level, live.session.vm.root.game
    level.set_field("score", 5)
    game["wins"] = 3
    live.script.write_text(FASTER)
    assert len(live.saved(1)) == 1
    assert (level.get_field("score"), live.session.vm.level is level) == (5, True)
    assert live.session.vm.root.game["wins"] == 3


def test_h11_a_clock_that_goes_back_stands_still() -> None:
    session = FakeSession()
    audio = Audio(session.library, Preferences(), silent=True)
    stage = Stage(session, Controls(), audio, Timings())
    stage.advance(0.02)
    before = stage.time, stage.alpha, session.time
    assert stage.advance(-0.004) == 0
    assert (stage.time, stage.alpha, session.time) == before
