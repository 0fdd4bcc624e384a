"""The same in plain Python over the same host: plain functions, methods and attributes."""

from __future__ import annotations

import math

Point = tuple[float, float, float]


class Unit:
    def __init__(self, number: int) -> None:
        self.place: Point = (float(number), 0.0, 0.0)
        self.goal: Point = (100.0, 50.0, 0.0)
        self.health = 100
        self.state = "idle"
        self.since = 0
        self.turns = 0

    def getplace(self) -> Point:
        return self.place

    def getgoal(self) -> Point:
        return self.goal

    def setgoal(self, goal: Point) -> None:
        self.goal = goal

    def cansee(self, point: Point) -> int:
        return 1 if point[0] > self.place[0] else 0

    def movealong(self, goal: Point, by: float) -> None:
        x, y, z = self.place
        self.place = (x + by if goal[0] > x else x - by, y, z)


def gapto(a: Point, b: Point) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


def nextgoal(here: Point) -> Point:
    return (-here[0], here[1], here[2])


def now() -> int:
    return 7


def isset(value: int) -> int:
    return 1


def think(self: Unit) -> None:
    here = self.getplace()
    goal = self.getgoal()
    gap = gapto(here, goal)
    if gap < 64.0:
        self.setgoal(nextgoal(here))
    seen = self.cansee(goal)
    if seen and self.state != "alert":
        self.state = "alert"
        self.since = now()
    elif now() - self.since > 5:
        self.state = "idle"
    self.movealong(goal, 2.0)
    self.health = self.health - 1
    if self.health <= 0:
        self.health = 100
    if isset(self.health):
        self.turns += 1


def run() -> str:
    units = [Unit(i) for i in range(50)]
    for _ in range(100):
        for unit in units:
            think(unit)
    return f"{units[7].health} {units[7].state}"
