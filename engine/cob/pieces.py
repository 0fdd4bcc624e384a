"""Piece motion in whole numbers: six animation words an axis, advanced once a tick.

Speeds are given a second and divided by 30 towards zero; the remainder is thrown away and never carried, so
a quarter turn at 16384 a second stands at 16380 after 30 passes and arrives with the next.
"""

from __future__ import annotations

TICKS_PER_SECOND = 30

SPIN = 0xFFFFFFFF
"""The marker in the turn-target word of an axis that spins."""

DRAWN, CACHED, SHADED = 1, 2, 4


def per_tick(value: int) -> int:
    """A speed a second as a step a tick, truncated towards zero."""
    return value // TICKS_PER_SECOND if value >= 0 else -(-value // TICKS_PER_SECOND)


def _int32(value: int) -> int:
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


class Axis:
    """One axis of a piece. position is in model units, angle in 65536ths of a turn."""

    __slots__ = (
        "accel",
        "angle",
        "move_speed",
        "move_target",
        "position",
        "speed",
        "spin_target",
        "turn_target",
    )

    def __init__(self) -> None:
        self.position = 0
        self.angle = 0
        self.move_target = 0
        self.move_speed = 0
        self.turn_target = 0
        self.speed = 0
        self.spin_target = 0
        self.accel = 0

    # ---- commands -----------------------------------------------------------------------------------

    def move(self, target: int, speed: int) -> None:
        self.move_target = target
        step = per_tick(speed)
        self.move_speed = -step if self.position > target else step

    def turn(self, target: int, speed: int) -> None:
        target &= 0xFFFF
        self.turn_target = target
        self.accel = 0
        distance = target - self.angle
        step = per_tick(speed)
        if distance < 0:
            step = -step
        # Strictly more than half a turn: an exact half turn keeps the sign it was given.
        if abs(distance) > 0x8000:
            step = -step
        self.speed = step if distance else 0

    def spin(self, speed: int, accel: int) -> None:
        self.turn_target = SPIN
        self.spin_target = per_tick(speed)
        self.accel = per_tick(accel)
        if self.accel == 0:
            self.speed = self.spin_target

    def stop_spin(self, decel: int) -> None:
        self.spin_target = 0
        self.accel = -per_tick(decel)
        if self.accel == 0:
            self.speed = 0

    def move_now(self, target: int) -> None:
        self.position = self.move_target = target
        self.move_speed = 0

    def turn_now(self, target: int) -> None:
        self.angle = self.turn_target = target & 0xFFFF
        self.speed = 0
        self.accel = 0

    # ---- time ---------------------------------------------------------------------------------------

    def advance(self, delta: int) -> bool:
        """One interpolation pass; whether anything still moves."""
        if self.move_speed:
            position = _int32(self.position + self.move_speed * delta)
            passed = position >= self.move_target if self.move_speed > 0 else position <= self.move_target
            if passed:
                self.position = self.move_target
                self.move_speed = 0
            else:
                self.position = position
        if self.accel:
            self.speed += self.accel * delta
            reached = self.speed >= self.spin_target if self.accel > 0 else self.speed <= self.spin_target
            if reached:
                self.speed = self.spin_target
                self.accel = 0
        if self.speed:
            if self.turn_target == SPIN:
                self.angle = (self.angle + self.speed * delta) & 0xFFFF
            else:
                left = self.turn_target - self.angle if self.speed > 0 else self.angle - self.turn_target
                if (left & 0xFFFF) <= abs(self.speed) * delta:
                    self.angle = self.turn_target
                    self.speed = 0
                else:
                    self.angle = (self.angle + self.speed * delta) & 0xFFFF
        return bool(self.move_speed or self.speed or self.accel)


class Piece:
    """A named piece of a unit: three axes and what is drawn. busy says that a pass has something to do."""

    __slots__ = ("axes", "busy", "flags", "name")

    def __init__(self, name: str, flags: int = DRAWN | CACHED | SHADED) -> None:
        self.name = name
        self.axes = (Axis(), Axis(), Axis())
        self.flags = flags
        self.busy = False

    def advance(self, delta: int) -> bool:
        x, y, z = self.axes
        # Every axis takes its pass, whatever the others say.
        moving = [x.advance(delta), y.advance(delta), z.advance(delta)]
        self.busy = any(moving)
        return self.busy

    def placement(self) -> tuple[int, int, int, int, int, int, int]:
        """Position x y z, angle x y z and flags: what is compared and drawn."""
        x, y, z = self.axes
        return x.position, y.position, z.position, x.angle, y.angle, z.angle, self.flags
