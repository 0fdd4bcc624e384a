"""The host of `think.gsc`: the same functions as in `think.py`, as built-ins over the host's own objects.

Places are rounded where they are made, so that what hands them out need not do it again."""

from __future__ import annotations

import math

from engine.vm.arrays import Array
from engine.vm.core import core_registry
from engine.vm.objects import ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Vector, f32


class Unit(ScriptObject):
    type_name = "unit"

    def __init__(self, number: int) -> None:
        self.place: Vector = (float(number), 0.0, 0.0)
        self.goal: Vector = (100.0, 50.0, 0.0)
        for name, value in (("health", 100), ("state", "idle"), ("since", 0), ("turns", 0)):
            self.set_field(name, value)


registry = Registry()


@registry.function(pure=True)
def getunits() -> Array:
    return Array.of(Unit(number) for number in range(50))


@registry.method(pure=True, exact=True)
def getplace(unit: Unit) -> Vector:
    return unit.place


@registry.method(pure=True, exact=True)
def getgoal(unit: Unit) -> Vector:
    return unit.goal


@registry.method(pure=True)
def setgoal(unit: Unit, goal: Vector) -> None:
    unit.goal = goal


@registry.method(pure=True, exact=True)
def cansee(unit: Unit, point: Vector) -> int:
    return 1 if point[0] > unit.place[0] else 0


@registry.method(pure=True)
def movealong(unit: Unit, goal: Vector, by: float) -> None:
    x, y, z = unit.place
    unit.place = (f32(x + by if goal[0] > x else x - by), y, z)


@registry.function(pure=True)
def gapto(a: Vector, b: Vector) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


@registry.function(pure=True, exact=True)
def nextgoal(here: Vector) -> Vector:
    return (-here[0], here[1], here[2])


@registry.function(pure=True, exact=True)
def now() -> int:
    return 7


@registry.function(pure=True, exact=True)
def isset(value: int) -> int:
    return 1


def make_registry() -> Registry:
    made = core_registry()
    made.include(registry)
    return made
