"""The host of `think.lua`: that of `think.py`, which keeps every place it has handed out.

lupa with LuaJIT lets go of tuples that Lua still has; who frees them then finds others in their place.
"""

from __future__ import annotations

from think import Point, gapto, isset, now
from think import Unit as PlainUnit
from think import nextgoal as next_goal

__all__ = ["Unit", "gapto", "isset", "nextgoal", "now"]

kept: list[Point] = []


class Unit(PlainUnit):
    def setgoal(self, goal: Point) -> None:
        kept.append(self.goal)
        self.goal = goal

    def movealong(self, goal: Point, by: float) -> None:
        kept.append(self.place)
        super().movealong(goal, by)


def nextgoal(here: Point) -> Point:
    made = next_goal(here)
    kept.append(made)
    return made
