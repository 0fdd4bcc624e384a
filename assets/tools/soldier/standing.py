"""Clips that stay on the spot: standing, kneeling, aiming, turning, and a wave."""

from __future__ import annotations

from typing import Any

import numpy as np

from assets.tools.keys import Channel
from assets.tools.rotations import Array, about, vec
from assets.tools.soldier.gait import in_root_space
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.stances import AIM, CROUCH, READY, around, held


def idle() -> Motion:
    """Breathes twice, shifts the weight from the right leg to the left and looks about."""
    keys = held(
        READY,
        pelvis=around(
            READY,
            "pelvis",
            {0: (0, -1.5, -0.4), 28: (0.1, -1.1, 0.0), 46: (0.3, 1.5, -0.5), 84: (0.0, 1.2, -0.1)},
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (-1, 0, -3.0), 28: (0, 0, -2.0), 48: (4.0, 0.5, 3.2), 84: (2, 0, 2.4)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {
                0: (0, 0, 1.2),
                20: (3, -1.8, 1.4),
                42: (1, 0.6, -0.6),
                62: (-5, -1.6, -1.2),
                84: (-2, 0.4, -0.4),
            },
        ),
        breath={0: 0.0, 20: 2.4, 40: 0.0, 62: 2.6, 84: 0.2},
        head_turn={
            0: (6, 3, 0),
            16: (19, 2, 0),
            32: (19, 2.5, 0),
            48: (-6, 4, 0),
            62: (-24, 3, -1),
            82: (-24, 3, -1),
            96: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 23: (0.2, 0, 0.45), 44: (0, 0.2, -0.1), 65: (0.2, 0.1, 0.45), 87: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 23: (-1, -1.5, 0), 48: (-3, 1, 1), 66: (-2, -1, 0), 88: (0, 1, 0)},
        ),
    )
    return Motion("soldier_idle", 105, True, keys, lag=3.0)


def crouch() -> Motion:
    """On one knee, the rifle ready; breathes and scans."""
    keys = held(
        CROUCH,
        pelvis=around(
            CROUCH, "pelvis", {0: (0, 0, 0), 24: (0.2, 0.3, 0.3), 48: (0.1, 0.0, -0.1), 72: (0.0, -0.3, 0.3)}
        ),
        chest_turn=around(
            CROUCH, "chest_turn", {0: (0, 0, 0), 24: (2.5, -1.6, 0.5), 48: (3, 0.4, 0), 72: (-2, -1.4, -0.5)}
        ),
        breath={0: 0.0, 24: 2.5, 48: 0.0, 72: 2.5},
        head_turn={0: (0, 5, 2), 20: (12, 4, 2), 36: (12, 4, 2), 54: (-10, 5, 1), 78: (-10, 5, 1)},
        rifle=around(CROUCH, "rifle", {0: (0, 0, 0), 27: (0.1, 0, 0.4), 51: (0, 0, -0.1), 75: (0.1, 0, 0.4)}),
    )
    return Motion("soldier_crouch", 96, True, keys, lag=3.0)


def aim() -> Motion:
    """Shouldered: a slow small sway of the whole upper body, never quite still."""
    keys = held(
        AIM,
        pelvis=around(
            AIM,
            "pelvis",
            {0: (0, 0, 0), 22: (0.12, 0.2, 0.08), 45: (0.0, 0.05, -0.05), 68: (-0.1, -0.2, 0.08)},
        ),
        chest_turn=around(
            AIM, "chest_turn", {0: (0, 0, 0), 24: (0.6, -0.5, 0.3), 47: (0.2, 0.3, 0), 70: (-0.5, -0.4, -0.2)}
        ),
        breath={0: 0.0, 24: 1.2, 47: 0.0, 70: 1.2},
        rifle=around(
            AIM,
            "rifle",
            {0: (0, 0, 0), 23: (0.05, 0.15, 0.16), 46: (0, 0.05, -0.06), 69: (-0.05, -0.15, 0.16)},
        ),
        rifle_turn=around(
            AIM, "rifle_turn", {0: (0, 0, 0), 26: (0.7, -0.35, 0), 50: (0.1, 0.35, 0), 72: (-0.7, -0.3, 0)}
        ),
    )
    return Motion("soldier_aim", 90, True, keys)


def wave() -> Motion:
    """The left hand leaves the rifle, beckons twice high up, and comes back."""
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 16: (0.2, -0.9, 0.1), 48: (0.2, -0.9, 0.1), 62: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {0: (0, 0, 0), 8: (-2, 2, 0), 16: (16, -3, -4), 46: (14, -3, -4), 62: (0, 0, 0)},
        ),
        head_turn={0: (0, 3, 0), 14: (12, -2, 0), 48: (12, -2, 0), 62: (0, 3, 0)},
        rifle=around(
            READY, "rifle", {0: (0, 0, 0), 16: (1.0, -3.4, -2.0), 48: (1.0, -3.4, -2.0), 62: (0, 0, 0)}
        ),
        rifle_turn=around(
            READY, "rifle_turn", {0: (0, 0, 0), 16: (-22, 22, 4), 48: (-22, 22, 4), 62: (0, 0, 0)}
        ),
        left_hold={0: 1.0, 5: 0.9, 12: 0.0, 50: 0.0, 58: 1.0},
        left_hand={
            0: (12, 4, -12),
            10: (13, 9, -2),
            16: (4.5, 13.0, 15.0),
            22: (8.5, 9.5, 13.5),
            28: (4.0, 13.5, 15.0),
            34: (8.5, 9.5, 13.5),
            41: (4.5, 13.0, 15.0),
            49: (12, 9, 0),
            57: (12, 4, -12),
        },
        left_along={
            0: (0.8, -0.3, -0.5),
            10: (0.6, 0.2, 0.6),
            16: (-0.25, 0.25, 1.0),
            22: (0.45, -0.2, 0.9),
            28: (-0.3, 0.25, 1.0),
            34: (0.45, -0.2, 0.9),
            41: (-0.25, 0.25, 1.0),
            50: (0.8, 0, 0.4),
            58: (0.8, -0.3, -0.5),
        },
        left_palm={0: (0, -0.4, 0.9), 12: (0.7, -0.6, 0.2), 46: (0.7, -0.6, 0.2), 58: (0, -0.4, 0.9)},
        left_curl={0: 0.82, 5: 0.5, 12: 0.12, 48: 0.15, 55: 0.5, 60: 0.82},
        left_elbow={
            0: (0.1, 0.35, -0.8),
            14: (0.1, 0.9, -0.5),
            46: (0.1, 0.9, -0.5),
            60: (0.1, 0.35, -0.8),
        },
    )
    return Motion("soldier_wave", 66, False, keys)


def breathe() -> Motion:
    """Out of breath: to be laid over whatever else plays, so only what it differs by from its first moment counts."""
    keys = held(
        READY,
        chest_turn=around(
            READY, "chest_turn", {0: (0, 0, 0), 14: (0, -4.6, 0), 19: (0, -4.2, 0), 34: (0, 0.6, 0)}
        ),
        head_turn={0: (0, 3, 0), 16: (0, 0.5, 0), 36: (0, 4.5, 0)},
        breath={0: 0.0, 15: 5.5, 20: 5.0, 35: 0.0},
        rifle=around(READY, "rifle", {0: (0, 0, 0), 17: (0.1, 0, 0.5), 37: (0, 0, -0.1)}),
    )
    return Motion("soldier_breathe", 44, True, keys)


def turn(side: str) -> Motion:
    """A quarter turn: the outer foot steps round first, then the inner one joins it."""
    sign = 1.0 if side == "left" else -1.0
    yaw = Channel({0: 0.0, 4: 12.0 * sign, 9: 48.0 * sign, 14: 84.0 * sign, 18: 90.0 * sign})
    outer, inner = ("right", "left") if side == "left" else ("left", "right")
    steps = {outer: (1.0, 8.5), inner: (9.0, 16.5)}
    feet: dict[str, tuple[Channel, Channel]] = {}
    for name, (start, end) in steps.items():
        place = np.asarray(READY[f"{name}_foot"], float)
        heading = float(READY[f"{name}_foot_turn"][0])
        goal: Array = about((0, 0, 1), 90.0 * sign) @ place
        middle = (place + goal) / 2.0 * (1.12, 1.12, 0.0) + vec(0.0, 0.0, 2.6)
        places = Channel({start: place, (start + end) / 2: middle, end: goal})
        feet[name] = (places, Channel({start: heading, end: heading + 90.0 * sign}))

    def path(frame: float) -> dict[str, Any]:
        facing = float(yaw.at(frame))
        controls: dict[str, Any] = {"root_yaw": facing}
        for name, (places, headings) in feet.items():
            start, end = steps[name]
            place, heading = in_root_space(
                np.asarray(places.at(frame)), float(headings.at(frame)), np.zeros(3), facing
            )
            lifted = Channel({start: 0.0, start + 2.0: 16.0, end - 1.5: -4.0, end: 0.0}).at(frame)
            controls[f"{name}_foot"] = place
            controls[f"{name}_foot_turn"] = (heading, lifted, 0.0)
        return controls

    keys = held(
        READY,
        pelvis=around(
            READY,
            "pelvis",
            {
                0: (0, 0, 0),
                4: (0.4, 1.2 * sign, -1.2),
                8.5: (0.2, 0, -0.6),
                12: (0, -1.0 * sign, -1.2),
                18: (0, 0, 0),
            },
        ),
        pelvis_turn=around(
            READY,
            "pelvis_turn",
            {0: (0, 0, 0), 5: (6 * sign, 1, 2 * sign), 12: (-8 * sign, 1, -2 * sign), 18: (0, 0, 0)},
        ),
        chest_turn=around(
            READY, "chest_turn", {0: (0, 0, 0), 5: (10 * sign, 2, 0), 12: (-4 * sign, 2, 0), 18: (0, 0, 0)}
        ),
        head_turn={0: (0, 3, 0), 4: (30 * sign, 4, 0), 10: (18 * sign, 4, 0), 18: (0, 3, 0)},
    )
    notes = [(f"step_{outer}", 8.5), (f"step_{inner}", 16.5)]
    return Motion(f"soldier_turn_{side}", 18, False, keys, path, lag=2.0, notes=notes, moves=True)


def void(looping: bool) -> Motion:
    """The pose that stands in where a tree has nothing to play: the idle's first moment, held."""
    first = {name: {0: value} for name, value in idle().controls(0.0).items()}
    return Motion("void_loop" if looping else "void", 3, looping, first)


def clips() -> list[Motion]:
    """All clips on the spot."""
    return [idle(), crouch(), aim(), wave(), breathe(), turn("left"), turn("right"), void(False), void(True)]
