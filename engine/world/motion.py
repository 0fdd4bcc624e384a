"""Courses over time: a move or turn with acceleration and braking, and free fall. Pure functions of time."""

from __future__ import annotations

from dataclasses import dataclass

from engine.world.angles import Vector, madd

GRAVITY = 800.0


def travelled(t: float, total: float, accel: float, decel: float) -> float:
    """The fraction of the way (0..1) after t of total seconds, with times to speed up and to brake."""
    if t <= 0.0:
        return 0.0
    if t >= total:
        return 1.0
    top = 1.0 / (total - 0.5 * accel - 0.5 * decel)
    if t < accel:
        return 0.5 * top * t * t / accel
    if t <= total - decel:
        return top * (t - 0.5 * accel)
    left = total - t
    return 1.0 - 0.5 * top * left * left / decel


@dataclass(slots=True)
class Course:
    """From start by delta within seconds; begin is the time in ms at which it began.

    For free fall delta is the velocity at the start, in inches a second.
    """

    start: Vector
    delta: Vector
    begin: int
    seconds: float
    accel: float = 0.0
    decel: float = 0.0
    falling: bool = False

    def at(self, now: int) -> Vector:
        t = (now - self.begin) / 1000.0
        if self.falling:
            t = max(0.0, min(t, self.seconds))
            x, y, z = madd(self.start, t, self.delta)
            return x, y, z - 0.5 * GRAVITY * t * t
        if t >= self.seconds:
            return madd(self.start, 1.0, self.delta)
        return madd(self.start, travelled(t, self.seconds, self.accel, self.decel), self.delta)

    def done(self, now: int) -> bool:
        return now - self.begin >= self.seconds * 1000.0 - 0.5
