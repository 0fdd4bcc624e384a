"""When a state to go back to is taken: often in a game of an ordinary size, never where it would make a frame late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.mods import rewind
from engine.mods.rewind import EVERY, HEAVY, OF_VARIABLE, PATIENCE, REST, ROOM, SHARE, TRUSTED, Pace
from engine.mods.session import GameOptions, GameSession
from engine.mods.trail import SAID, bounded
from engine.vm.census import census

HOARD = Path(__file__).parents[1] / "hostile" / "hoard"


class Game:
    """What a `Pace` looks at of a VM. `there` are the variables that a census finds."""

    def __init__(self, threads: int = 100, made: int = 500, used: int = 200_000) -> None:
        self.suspended = [None] * threads
        self.made = made
        self.there = made
        self.used = used
        self.censuses = 0
        self.runner = self.variables = self
        self.accounts = [self]

    def frames(self, pace: Pace, first: int, last: int, size: int = 100_000) -> list[int]:
        """The frames of some in which a state is taken."""
        taken = []
        for number in range(first, last + 1):
            if pace.allows(number, self, 100):  # type: ignore[arg-type]  # it needs no more of a VM
                pace.taken(number, size)
                taken.append(number)
        return taken


@pytest.fixture(autouse=True)
def _counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(vm: Any) -> int:
        if not isinstance(vm, Game):
            return census(vm)
        vm.censuses += 1
        return vm.there

    monkeypatch.setattr(rewind, "census", counted)


def test_an_ordinary_game_is_kept_every_half_second() -> None:
    assert Game().frames(Pace(), 1, 100) == list(range(EVERY, 101, EVERY))


def test_a_larger_state_waits_longer() -> None:
    assert Game().frames(Pace(), 1, 100, 2 * SHARE + 1) == [10, 40, 70, 100]
    assert Game().frames(Pace(), 1, 1000, HEAVY + 1) == [10, 10 + REST]


def test_it_waits_for_a_frame_in_which_scripts_do_little() -> None:
    pace, game = Pace(), Game(used=ROOM)
    assert game.frames(pace, 1, 13) == []
    assert pace.put_off
    game.used = 0
    assert game.frames(pace, 14, 30) == [14, 20, 30]
    assert not pace.put_off


def test_where_scripts_never_do_little_it_is_taken_in_the_end() -> None:
    game = Game(used=2 * ROOM)
    assert game.frames(Pace(), 1, 2 * (EVERY + PATIENCE)) == [EVERY + PATIENCE, 2 * (EVERY + PATIENCE)]
    assert Game(threads=8000, used=2 * ROOM).frames(Pace(), 1, 300) == []


def test_a_game_that_is_too_large_is_not_kept_until_it_is_smaller() -> None:
    pace, game = Pace(), Game(threads=15_000)
    assert game.frames(pace, 1, 100) == []
    game.suspended = []
    assert game.frames(pace, 101, 110) == [101, 110]


def test_what_was_made_and_is_gone_is_counted_once_and_not_beside_a_state() -> None:
    pace, game = Pace(), Game()
    assert game.frames(pace, 1, 10) == [10]
    game.made += 40_000
    assert game.frames(pace, 11, 40) == [21, 30, 40]
    assert game.censuses == 1


def test_what_is_still_there_is_counted_seldom() -> None:
    pace, game = Pace(), Game(made=45_000)
    assert game.frames(pace, 1, 300) == []
    assert game.censuses == 1
    game.there = 400
    assert game.frames(pace, 301, EVERY + REST + EVERY) == [EVERY + REST + 1, EVERY + REST + EVERY]


def test_the_vm_counts_too() -> None:
    pace, game = Pace(), Game(made=65_000)
    assert game.frames(pace, 1, 50) == []
    game.made = 900
    assert game.frames(pace, 51, 60) == [51, 60]


def test_a_state_in_the_place_of_the_game_is_believed_no_count_of_before() -> None:
    pace, game = Pace(), Game(made=60_000)
    game.there = 400
    assert game.frames(pace, 1, 20) == [11, 20]
    game.made = game.there = 61_000
    pace.forget()
    assert game.frames(pace, 21, 100) == []


def test_a_hoarding_game_is_kept_while_it_stands() -> None:
    session = GameSession(GameOptions(mods=(HOARD,), watch=False))
    try:
        kept = session.states.rewind_buffer
        for _ in range(60):
            session.frame()
        last = kept.find(1 << 40)
        assert last is not None
        assert last.time <= 1500
        session.states.rewind_buffer.clear()
        assert "only while it is paused" in session.execute("rewind 1")
        session.stand()
        session.stand()
        assert len(kept) == 1
        now = session.time
        for _ in range(5):
            session.frame()
        assert session.execute("rewind 0.2") == f"0.25 seconds back, at 0:0{now // 1000}"
        assert session.time == now
    finally:
        session.close()


def test_what_only_a_census_finds_is_found_in_time() -> None:
    game, pace = Game(), Pace()
    assert game.frames(pace, 1, 100) == list(range(EVERY, 101, EVERY))
    game.there = ROOM // OF_VARIABLE  # fields of old objects: `made` knows nothing of them
    assert not [at for at in game.frames(pace, 101, 1000) if at > TRUSTED]


def test_a_census_of_the_vm_that_leaves_more_than_the_last_one_is_noticed() -> None:
    game, pace = Game(made=30_000), Pace()
    game.there = 6_000
    game.frames(pace, 1, 20)
    assert pace.allows(30, game, 100)  # type: ignore[arg-type]
    game.made = 65_000
    pace.allows(31, game, 100)  # type: ignore[arg-type]
    game.made = game.there = 40_000
    assert game.frames(pace, 32, 150) == []


def test_a_count_delays_no_state() -> None:
    assert Game().frames(Pace(), 1, 1000) == list(range(EVERY, 1001, EVERY))


def play(session: GameSession, frames: int) -> None:
    for _ in range(frames):
        session.frame()


def test_the_game_before_a_restart_or_a_load_is_no_way_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTETRACK_STATE", str(tmp_path))
    session = GameSession(GameOptions(watch=False))
    play(session, 60)
    session.execute("save here")
    saved = session.time
    session.execute("map_restart")
    play(session, 5)
    assert "nothing to go back to" in session.execute("rewind 1")
    play(session, 60)
    session.execute("load here")
    play(session, 5)
    session.execute("rewind 1")
    assert session.time >= saved
    session.close()


def test_very_much_of_what_is_said_in_a_frame_is_kept_as_a_digest() -> None:
    """800 lines of 6,000 characters in each of the last 600 frames were gigabytes."""
    few = ("one", "two")
    assert bounded(few) == few
    much = tuple(f"{i}" + "x" * 1000 for i in range(800))
    kept = bounded(much)
    assert sum(map(len, kept)) < SAID + 100
    assert kept[:10] == much[:10]
    assert bounded((*much[:-1], "other")) != kept
