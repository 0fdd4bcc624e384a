"""The shipped game, played without a window: soldiers come, walk, fight; a round is won; a save takes hold."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from engine import paths
from engine.mods.journal import Journal
from engine.mods.playing import active
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
    assert len(game.soldiers("allies")) == 5 + 1  # and the sentry
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


PLACES = {
    "head": {"soldier_death_head"},
    "torso_lower": {"soldier_death_gut", "soldier_death_a"},
    "left_leg_upper": {"soldier_death_legs"},
    "right_hand": {"soldier_death_left", "soldier_death_right"},
}


def test_where_a_shot_meets_him_decides_how_he_gives_way_and_falls(game) -> None:
    player = game.world.players()[0]
    level = game.session.vm.level
    level.set_field("flinch_chance", 100)
    men = game.soldiers("axis")
    hurt, fallen = men[0], dict(zip(PLACES, men[1:], strict=False))
    hurt.damage(Hit(1, player, player, "MOD_RIFLE_BULLET", "rifle", location="left_foot"))
    for place, man in fallen.items():
        man.damage(Hit(500, player, player, "MOD_RIFLE_BULLET", "rifle", location=place))
    game.play(2.5)
    level.set_field("flinch_chance", 60)
    assert (hurt.number, "soldier_pain_left_leg") in game.notes
    for place, man in fallen.items():
        assert {clip for number, clip in game.notes if number == man.number and "death" in clip} <= PLACES[
            place
        ]
        assert any((man.number, clip) in game.notes for clip in PLACES[place]), place
    assert game.problems == []


def test_a_smoke_pot_leaves_the_hand_flies_and_hides(game) -> None:
    vm = game.session.vm
    man = next(s for s in game.soldiers("allies") if s.get_field("pots"))
    man.hit_points = 5000  # whatever else goes on
    pots = man.get_field("pots")
    target = tuple(p + d for p, d in zip(man.position, (300.0, 0.0, 0.0), strict=True))
    vm.start(vm.function("maps/mp/soldiers/_throw::smoke"), man, (target,))
    for _ in range(80):
        game.play(0.05)
        thrown = [e for e in game.world.entities.all() if e.model_name == "smoke_pot"]
        if any(pot in vm.level.get_field("smokes").values() for pot in thrown):
            break
    else:
        pytest.fail("nothing smokes")
    assert man.get_field("pots") == pots - 1
    between = vm.function("maps/mp/soldiers/_throw::between")
    x, y, z = thrown[0].position
    through = vm.start(between, None, ((x - 200.0, y, z), (x + 200.0, y + 20.0, z)))
    beside = vm.start(between, None, ((x - 200.0, y + 2000.0, z), (x + 200.0, y + 2000.0, z)))
    assert (through.result, beside.result) == (1, 0)
    assert game.problems == []


def test_the_sentry_blends_his_pace_and_waves_as_he_goes(game) -> None:
    sentry = next(s for s in game.soldiers("allies") if s.get_field("breath") is not None)
    assert sentry.pose.batch.tree.name == "sentry"
    both = waving = False
    for _ in range(400):
        before = sentry.position
        game.world.players()[0].place((before[0], before[1] + 150.0, 0.0), teleport=True)
        if not both:
            game.session.vm.notify(game.session.vm.level, "shot", before)
        game.play(0.05)
        weights = {view.name: view.weight for view in active(sentry)}
        both |= min(weights.get("soldier_walk", 0.0), weights.get("soldier_run", 0.0)) > 0.05
        waving |= weights.get("greeting", 0.0) > 20.0 and math.dist(sentry.position, before) > 3.0
        assert 0.2 < weights["soldier_breathe"] <= 1.0
        if both and waving:
            break
    assert both, "never between a walk and a run"
    assert waving, "never waved as he went"


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
