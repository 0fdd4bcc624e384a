"""Pieces that an explosion tore off a unit: thrown, turning, and lying where they fell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.cob.pieces import TICKS_PER_SECOND
from engine.world.angles import Vector, add, madd, matrix, sub, unrotate

if TYPE_CHECKING:
    from engine.world.entity import Entity

LIFETIME = 300
"""Ticks until a piece is cleared away."""

_BOUNCE = 0.3


class Debris:
    """One piece in the air. Its throw comes from the six draws of the explosion: three rates of turn, then how far to
    the side, up and ahead."""

    def __init__(self, bone: str, entity: Entity, place: Vector, draws: Sequence[int]) -> None:
        self.bone = bone
        self._entity = entity
        self._place = place
        self._rates = tuple(rate - 1500 for rate in draws[:3])
        side, up, ahead = draws[3:]
        self._velocity: Vector = ((20 - ahead) / 4.0, (20 - side) / 4.0, up + 2.0)
        self._ticks = 0
        self._turned = 0
        self._lies = False

    @property
    def alive(self) -> bool:
        return self._ticks < LIFETIME

    def tick(self) -> None:
        """Let a tick pass."""
        self._ticks += 1
        if self._lies:
            return
        self._turned += 1
        world = self._entity.world
        x, y, z = self._velocity
        self._velocity = x, y, z - world.gravity / TICKS_PER_SECOND**2
        goal = add(self._place, self._velocity)
        hit = world.space.trace(self._place, goal, bodies=False)
        if hit.fraction >= 1.0:
            self._place = goal
            return
        self._place = madd(self._place, max(0.0, hit.fraction - 0.01), sub(goal, self._place))
        self._velocity = x * _BOUNCE, y * _BOUNCE, -z * _BOUNCE
        self._lies = abs(self._velocity[2]) < 1.0

    def in_model(self) -> tuple[Vector, tuple[float, float, float, float]]:
        """Place and turn (x, y, z, w) in the frame of the entity's model."""
        way = sub(self._place, self._entity.position)
        place = unrotate(matrix(self._entity.rotation), way)
        angle = self._turned * math.pi / 65536.0
        x, y, z = (rate * angle for rate in self._rates)
        size = math.sqrt(x * x + y * y + z * z) or 1.0
        s = math.sin(size) / size
        return place, (x * s, y * s, z * s, math.cos(size))
