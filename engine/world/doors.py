"""Doors that the engine moves by itself: used, triggered, closing again after a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.world.angles import Vector, add, axes, length, scale, sub
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.movers import start_move, start_turn

if TYPE_CHECKING:
    from engine.world.world import World


class Door(Entity):
    """func_door and func_door_rotating: closed, opening, open, closing; turns back when blocked."""

    def __init__(self, world: World, number: int, serial: int, classname: str) -> None:
        super().__init__(world, number, serial, classname)
        self.state = "closed"
        self.locked = False
        self.shut: Vector = (0.0, 0.0, 0.0)
        self.ajar: Vector = (0.0, 0.0, 0.0)
        self.close_time = 0

    @property
    def swings(self) -> bool:
        return self.class_name == "func_door_rotating"

    def prepare(self) -> None:
        """Work out where open is, once the brushes are there."""
        if self.swings:
            self.shut = self.rotation
            self.ajar = add(self.rotation, (0.0, self.number_of("degrees", 90.0), 0.0))
            return
        # The angles of a sliding door are where it goes, not how it stands.
        way = axes(self.rotation)[0]
        self.rotation = (0.0, 0.0, 0.0)
        self.relink()
        mins, maxs = self.world_bounds()
        size = sub(maxs, mins)
        across = abs(way[0]) * size[0] + abs(way[1]) * size[1] + abs(way[2]) * size[2]
        travel = across - self.number_of("lip", 8.0)
        self.shut = self.position
        self.ajar = add(self.position, scale(way, max(1.0, travel)))

    def used_by(self, user: Entity) -> None:
        if self.locked:
            return
        if self.state in ("closed", "closing"):
            self._go("opening")
        elif self.number_of("wait", 3.0) < 0:
            self._go("closing")

    def _go(self, state: str) -> None:
        self.state = state
        goal = self.ajar if state == "opening" else self.shut
        now = self.rotation if self.swings else self.position
        way = sub(goal, now)
        speed = self.number_of("speed", 120.0 if self.swings else 100.0)
        seconds = max(0.05, length(way) / max(1.0, speed))
        if self.swings:
            start_turn(self, self.world.time, way, seconds)
        else:
            start_move(self, self.world.time, goal, seconds)

    def arrived(self) -> None:
        if self.state == "opening":
            self.state = "open"
            self.close_time = self.world.time + round(max(0.0, self.number_of("wait", 3.0)) * 1000)
        else:
            self.state = "closed"

    turned = arrived

    def blocked(self) -> None:
        for body in self.world.walkers():
            if body.touches(self):
                amount = round(self.number_of("dmg", 2))
                body.damage(Hit(amount, self, self, "MOD_CRUSH"))
        self._go("closing" if self.state == "opening" else "opening")

    def think(self) -> None:
        if self.state == "open" and self.number_of("wait", 3.0) >= 0 and self.world.time >= self.close_time:
            self._go("closing")
