"""What a client sends: one short stretch of a player's input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag


class Button(IntFlag):
    """Keys that are down, or were pressed, during a command."""

    ATTACK = 1
    USE = 2
    JUMP = 4
    CROUCH = 8
    SPRINT = 16
    RELOAD = 32
    WALK = 64
    AIM = 128
    MELEE = 256


NO_BUTTONS = Button(0)


@dataclass(frozen=True, slots=True)
class UserCommand:
    """`msec` milliseconds (1..200) of input.

    forward, right  -1..1 in the direction of the view's yaw; up is -1..1 (swimming and flying spectators)
    buttons         a set of `Button`
    angles          (pitch, yaw, roll) in degrees that the player looks along; pitch is positive downwards and
                    is clamped to -85..85
    """

    msec: int
    forward: float = 0.0
    right: float = 0.0
    up: float = 0.0
    buttons: Button = NO_BUTTONS
    angles: tuple[float, float, float] = (0.0, 0.0, 0.0)
