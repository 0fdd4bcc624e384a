"""The line scripts of the sandbox: each runs a minute without a fault, and does what it is there for."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path

import pytest

from engine.linescript.context import Clock, Context
from engine.linescript.library import global_scope
from engine.linescript.parser import parse
from engine.linescript.runner import tick
from engine.linescript.scope import Scope
from engine.linescript.values import Colour, Value, Vector
from engine.source import SourceText

FOLDER = Path(__file__).resolve().parents[2] / "mods" / "sandbox" / "scripts"
NAMES = sorted(path.stem for path in FOLDER.glob("*.script"))


class Yard:
    """A game in which one life runs: what it shows and says is counted, and somebody stands `away` from it."""

    def __init__(self, name: str, seed: int = 1) -> None:
        self.away = 1000.0
        self.heard: set[str] = set()
        self.done: dict[str, int] = {}
        scope = global_scope(lambda text: None, random.Random(seed).random)
        scope.register(self.count_effect, "effect")
        scope.register(self.count_sound, "sound")
        scope.register(self.count_sound, "loopsound")
        scope.register(self.count_light, "light")
        scope.register(self.notify, "notify")
        scope.register(self.was_heard, "heard")
        scope.register(self.nearest, "nearest")
        self.entity = Scope(scope)
        self.entity.values |= {"origin": (10.0, 20.0, 92.0), "angles": (0.0, 40.0, 0.0)}
        self.clock = Clock()
        source = SourceText.read(FOLDER / f"{name}.script")
        self.life = Context(parse(name, source, scope.functions or {}), Scope(self.entity), self.clock)

    def count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    def count_effect(self, name: str, place: Vector, direction: Vector = (0.0, 0.0, 1.0)) -> None:
        assert all(map(math.isfinite, (*place, *direction)))
        self.count(name)

    def count_sound(self, alias: str) -> None:
        self.count(alias)

    def count_light(self, place: Vector, colour: Colour, radius: float) -> None:
        assert 0 < radius < 4096
        self.count("light")

    def notify(self, event: str, *args: Value) -> None:
        self.count(event)

    def was_heard(self, event: str) -> bool:
        if event in self.heard:
            self.heard.remove(event)
            return True
        return False

    def nearest(self, place: Vector) -> float:
        return self.away

    def frames(self, count: int) -> list[Vector]:
        """So many frames; the entity's angles after each."""
        angles = []
        for _ in range(count):
            ran = tick(self.life)
            assert self.life.fault is None, self.life.fault
            assert not self.life.done
            assert ran < 60
            value = self.entity.values["angles"]
            assert isinstance(value, tuple)
            angles.append(value)
            self.clock.advance(50)
        return angles


def test_there_are_five_kinds_of_lives() -> None:
    assert len(NAMES) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_life_goes_on_for_a_minute(name: str) -> None:
    yard = Yard(name)
    yard.frames(600)
    yard.away = 20.0
    yard.frames(600)
    assert yard.done or name == "sign"


def test_the_sign_swings_like_a_pendulum() -> None:
    yard = Yard("sign")
    swings = [angles[0] for angles in yard.frames(1200)]
    assert max(swings) > 2
    assert min(swings) < -2
    assert max(map(abs, swings)) < 45
    turns = sum(a < 0 <= b for a, b in pairwise(swings))
    # A board whose middle hangs 17 inches deep takes 1.3 seconds for there and back.
    assert 60 / turns == pytest.approx(2 * math.pi * math.sqrt(17 / 386), rel=0.15)
    assert {angles[1:] for angles in yard.frames(10)} == {(40.0, 0.0)}


def test_who_brushes_past_the_sign_sets_it_swinging_once() -> None:
    calm, pushed = Yard("sign"), Yard("sign")
    for yard in (calm, pushed):
        yard.frames(100)
    pushed.away = 30.0
    wide = max(abs(angles[0]) for angles in pushed.frames(60))
    assert wide > 10 + max(abs(angles[0]) for angles in calm.frames(60))
    assert pushed.done == {"hit_wood": 1}


def test_the_fountain_rests_while_it_is_dry() -> None:
    yard = Yard("fountain")
    yard.frames(10)
    yard.heard.add("dry")
    yard.frames(2)
    before = yard.done["spray"]
    yard.frames(50)
    assert (yard.done["spray"], yard.done["rests"]) == (before, 1)
    yard.heard.add("wet")
    yard.frames(5)
    assert yard.done["spray"] > before
