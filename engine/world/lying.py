"""How a dead body lies: along the ground under it, so that on a slope neither head nor feet hang in the air."""

from __future__ import annotations

from math import atan2, degrees

from engine.world.angles import Vector, circle
from engine.world.collision import Collision
from engine.world.surfaces import SHOT_MASK

_LENGTH = 30.0
_WIDTH = 12.0
_REACH = 40.0
_STEEPEST = 45.0


def lie_of(space: Collision, position: Vector, yaw: float) -> tuple[float, float]:
    """(pitch, roll) in degrees of the ground around a place, as one faces along yaw; 0 where it is flat.

    Only the level counts. Where there is no ground, as beyond an edge, it counts as flat.
    """
    c, s = circle(yaw)

    def height(ahead: float, left: float) -> float:
        x, y = position[0] + ahead * c - left * s, position[1] + ahead * s + left * c
        z = position[2]
        hit = space.trace((x, y, z + _REACH), (x, y, z - _REACH), mask=SHOT_MASK, bodies=False)
        grounded = 0.0 < hit.fraction < 1.0
        return hit.position[2] - z if grounded else 0.0

    pitch = -degrees(atan2(height(_LENGTH, 0.0) - height(-_LENGTH, 0.0), 2.0 * _LENGTH))
    roll = degrees(atan2(height(0.0, _WIDTH) - height(0.0, -_WIDTH), 2.0 * _WIDTH))
    return max(-_STEEPEST, min(_STEEPEST, pitch)), max(-_STEEPEST, min(_STEEPEST, roll))
