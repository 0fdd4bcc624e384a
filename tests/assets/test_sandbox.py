"""The shipped game, played without a window: soldiers come, walk, fight; a round is won; a save takes hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine import paths
from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from engine.world.actor import Actor
from engine.world.hits import Hit


class Game:
    """One session with what the tests ask of it."""

    def __init__(self, folder: Path, mods: tuple[Path, ...] = ()) -> None:
        self.problems: list[str] = []
        journal = Journal(None, folder / "log", self._line)
        self.session = GameSession(GameOptions(None, mods, watch=False, seed=5), journal)
        self.world = self.session.world
        self.notes: set[tuple[int, str]] = set()

    def _line(self, line) -> None:
        if line.diagnostic is not None:
            self.problems.append(line.diagnostic.message)

    def play(self, seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            view = self.session.frame()
            self.notes |= {(note.entity, note.animation) for note in view.notes}
            self.hud = [element.text for element in view.hud if element.alpha > 0.05]

    def soldiers(self, side: str) -> list[Actor]:
        return [e for e in self.world.entities.all() if isinstance(e, Actor) and e.alive() and e.side == side]

    def shoot(self, target: Actor) -> None:
        player = self.world.players()[0]
        target.damage(Hit(500, player, player, "MOD_RIFLE_BULLET", "rifle", location="torso_upper"))

    def level_field(self, name: str):
        return self.session.vm.level.get_field(name)


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    made = Game(tmp_path_factory.mktemp("game"))
    yield made
    made.session.close()


def test_soldiers_of_both_sides_come_and_move(game) -> None:
    game.play(1)
    assert len(game.soldiers("allies")) == 5
    assert len(game.soldiers("axis")) == 7
    game.play(2)
    assert len({entity for entity, animation in game.notes if animation == "soldier_walk"}) >= 8
    assert game.problems == []


def test_a_shot_soldier_falls_and_gives_points(game) -> None:
    victim = game.soldiers("axis")[0]
    before = game.level_field("score")
    game.shoot(victim)
    game.play(2)
    assert game.level_field("score") == before + 100
    assert any(e == victim.number and a.startswith("soldier_death") for e, a in game.notes)


def test_a_friend_costs_points(game) -> None:
    before = game.level_field("score")
    game.shoot(game.soldiers("allies")[0])
    game.play(0.1)
    assert game.level_field("score") == max(0, before - 100)


def test_the_fallen_come_back(game) -> None:
    for soldier in game.soldiers("axis"):
        if game.level_field("score") < 500:
            game.shoot(soldier)
    left = len(game.soldiers("axis"))
    game.play(game.level_field("return_seconds") + 1)
    assert len(game.soldiers("axis")) > left


def test_a_round_is_won_and_the_next_begins(game) -> None:
    for _ in range(60):
        if game.level_field("playing") == 0:
            break
        for soldier in game.soldiers("axis"):
            game.shoot(soldier)
        game.play(0.5)
    game.play(0.5)
    assert "YARD CLEARED" in game.hud
    game.play(game.level_field("pause_seconds") + 1)
    assert game.level_field("playing") == 1
    assert any(text.startswith("SCORE 0 /") for text in game.hud)
    assert game.problems == []


@pytest.fixture
def copied(tmp_path):
    copy = tmp_path / "sandbox"
    shutil.copytree(paths.mods() / "sandbox", copy)
    made = Game(tmp_path, (copy,))
    yield made, copy
    made.session.close()


def test_a_saved_setting_holds_at_once_and_soldiers_go_on(copied) -> None:
    game, copy = copied
    game.play(2)
    men = {s.number for s in game.soldiers("axis")}
    settings = copy / "maps/mp/_settings.gsc"
    text = settings.read_text()
    settings.write_text(text.replace("level.winning_score = 1000;", "level.winning_score = 300;"))
    assert game.session.reloader.everything().ok
    game.play(0.1)
    assert game.level_field("winning_score") == 300
    soldier = copy / "maps/mp/soldiers/_soldier.gsc"
    soldier.write_text(soldier.read_text().replace("wait 1;", "wait 2;"))
    assert game.session.reloader.everything().ok
    game.play(1)
    left = {s.number for s in game.soldiers("axis")}
    assert left <= men  # nobody came a second time
    assert len(left) > 3
    assert game.problems == []
