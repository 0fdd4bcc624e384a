"""Clips that travel: contact, down, passing, up, on both sides; hips drop and sway, the chest turns against them."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from assets.tools.soldier.gait import Gait
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.stances import CROUCH, MARCH, READY, Keys, around, held

STEP_NOTES = [("step_left", 0.0), ("step_right", 0.5)]

WALK = Gait(
    frames=32,
    seconds=1.05,
    velocity=(90.0, 0.0),
    ground=0.48,
    reach=18.6,
    width=3.9,
    pitch={
        0.0: -18.0,
        0.07: 0.0,
        0.22: 0.0,
        0.3: 12.0,
        0.4: 40.0,
        0.48: 65.0,
        0.56: 58.0,
        0.72: 12.0,
        0.86: -13.0,
    },
    lift={0.0: 0.0, 0.07: 2.0, 0.22: 3.4, 0.5: 2.6, 0.8: 2.0, 0.93: 0.9, 1.0: 0.0},
    toe={0.0: 0.0, 0.1: 1.0, 0.48: 1.0, 0.58: 0.25, 0.75: 0.0},
)

RUN = Gait(
    frames=22,
    seconds=0.72,
    velocity=(190.0, 0.0),
    ground=0.27,
    reach=14.6,
    width=3.1,
    pitch={
        0.0: -8.0,
        0.05: 0.0,
        0.11: 6.0,
        0.19: 36.0,
        0.27: 70.0,
        0.38: 86.0,
        0.55: 52.0,
        0.75: 4.0,
        0.9: -12.0,
    },
    lift={0.0: 0.0, 0.06: 3.2, 0.2: 8.4, 0.42: 12.5, 0.65: 9.0, 0.85: 3.6, 0.95: 1.2, 1.0: 0.0},
    toe={0.0: 0.0, 0.05: 1.0, 0.27: 1.0, 0.36: 0.2, 0.6: 0.0},
    splay=4.0,
)

CREEP = Gait(
    frames=32,
    seconds=1.05,
    velocity=(56.0, 0.0),
    ground=0.6,
    reach=16.0,
    width=4.6,
    pitch={0.0: -12.0, 0.08: 0.0, 0.34: 2.0, 0.6: 50.0, 0.68: 46.0, 0.84: 4.0, 0.93: -10.0},
    lift={0.0: 0.0, 0.1: 1.1, 0.3: 2.6, 0.7: 2.4, 0.93: 0.9, 1.0: 0.0},
    toe={0.0: 0.0, 0.1: 1.0, 0.6: 1.0, 0.7: 0.3, 0.85: 0.0},
    splay=9.0,
)

RETREAT = Gait(
    frames=32,
    seconds=1.05,
    velocity=(-56.0, 0.0),
    ground=0.58,
    reach=17.0,
    width=4.0,
    pitch={0.0: 34.0, 0.1: 8.0, 0.2: 0.0, 0.46: 0.0, 0.58: -14.0, 0.66: -6.0, 0.8: 10.0, 0.92: 30.0},
    lift={0.0: 0.0, 0.08: 0.9, 0.35: 2.6, 0.7: 2.6, 0.93: 0.9, 1.0: 0.0},
    toe={0.0: 1.0, 0.5: 1.0, 0.62: 0.0, 0.9: 0.6},
)

SIDLE_SECONDS, SIDLE_SPEED = 0.8, 44.0


def _sidle(sign: float) -> Gait:
    """Sideways without crossing the feet: they come together and part again."""
    return Gait(
        frames=24,
        seconds=SIDLE_SECONDS,
        velocity=(0.0, sign * SIDLE_SPEED),
        ground=0.6,
        reach=10.6,
        width=8.4,
        pitch={0.0: -4.0, 0.1: 0.0, 0.42: 0.0, 0.6: 26.0, 0.72: 16.0, 0.88: -4.0},
        lift={0.0: 0.0, 0.1: 1.0, 0.35: 2.6, 0.7: 2.2, 0.93: 0.9, 1.0: 0.0},
        toe={0.0: 0.0, 0.1: 1.0, 0.6: 1.0, 0.75: 0.2},
        splay=8.0,
    )


def _mirrored(half: dict[float, ArrayLike], frames: int, signs: tuple[float, ...]) -> dict[float, ArrayLike]:
    """Keys of the first half cycle, and of the second with the sides exchanged."""
    keys = dict(half)
    for frame, value in half.items():
        keys[frame + frames / 2] = tuple(sign * part for sign, part in zip(signs, value, strict=True))  # type: ignore[arg-type]  # three each
    return keys


def _moving(name: str, gait: Gait, keys: Keys, lag: float) -> Motion:
    return Motion(
        name,
        gait.frames,
        True,
        keys,
        gait.path,
        lag=lag,
        notes=[(note, share * gait.frames) for note, share in STEP_NOTES],
        seconds=gait.seconds,
        moves=True,
    )


SIDES_PLACE, SIDES_TURN = (1.0, -1.0, 1.0), (-1.0, 1.0, -1.0)


def walk() -> Motion:
    """A long, purposeful stride with the rifle across the body."""
    stance: dict[str, Any] = MARCH
    keys = held(
        stance,
        pelvis=_mirrored(
            {0: (1.0, 0.2, -4.7), 3: (1.0, 0.8, -4.9), 8: (0.9, 1.2, -2.3), 12.5: (1.0, 0.7, -2.3)},
            32,
            SIDES_PLACE,
        ),
        pelvis_turn=_mirrored(
            {0: (-11.0, 4.0, -1.0), 4: (-8.0, 5.0, 4.0), 8.5: (0.0, 4.0, 2.5), 13: (8.0, 3.0, 0.0)},
            32,
            SIDES_TURN,
        ),
        chest_turn=_mirrored(
            {1: (7.0, 8.0, 1.0), 5: (5.0, 9.5, -2.0), 9.5: (0.0, 8.0, -1.2), 14: (-5.0, 6.5, 0.0)},
            32,
            SIDES_TURN,
        ),
        head_turn={
            0: (0.0, 3.0, 0.0),
            4: (0.5, 5.0, 0.3),
            12: (0.4, 3.0, 0),
            20: (-0.5, 5.0, -0.3),
            28: (-0.4, 3, 0),
        },
        rifle=around(
            stance,
            "rifle",
            {
                0: (0, 0, 0),
                5: (0.2, 0.2, -0.8),
                12: (-0.1, 0.3, 0.4),
                21: (0.2, -0.3, -0.8),
                28: (0, -0.2, 0.4),
            },
        ),
        rifle_turn=around(
            stance,
            "rifle_turn",
            {
                0: (0, 0, 0),
                5: (2.0, 3.0, 2.0),
                12: (1.0, -1.5, 0),
                21: (-2.5, 3.0, -2.0),
                28: (-1.0, -1.5, 0),
            },
        ),
    )
    return _moving("soldier_walk", WALK, keys, 3.0)


def run() -> Motion:
    """Leaning into it, the rifle at the port, two moments in the air."""
    stance = {
        **MARCH,
        "rifle": (8.8, -4.4, -8.2),
        "rifle_turn": (52.0, -26.0, -12.0),
        "right_elbow": (-0.85, -0.5, -0.1),
        "left_elbow": (-0.1, 0.75, -0.65),
    }
    keys = held(
        stance,
        pelvis=_mirrored(
            {0: (1.4, 0.3, -3.2), 2.2: (1.2, 0.6, -4.4), 5.4: (1.2, 0.5, -3.5), 8.4: (1.6, 0.1, -1.0)},
            22,
            SIDES_PLACE,
        ),
        pelvis_turn=_mirrored(
            {0: (-9.0, 10.0, -3.0), 2.5: (-5.0, 12.0, 4.5), 6: (9.0, 10.0, 1.5), 9: (13.0, 8.0, -2.0)},
            22,
            SIDES_TURN,
        ),
        chest_turn=_mirrored(
            {1: (8.0, 17.0, 2.0), 3.5: (5.0, 19.0, -3.0), 7: (-5.0, 16.0, -1.0), 10: (-8.0, 15.0, 1.0)},
            22,
            SIDES_TURN,
        ),
        head_turn={0: (0, 6, 0), 3: (1.0, 9.0, 0.5), 8: (0, 6, 0), 14: (-1.0, 9.0, -0.5), 19: (0, 6, 0)},
        rifle=around(
            stance,
            "rifle",
            {
                0: (0, 0, -0.3),
                3: (0, 0.9, -1.6),
                8: (0.4, 0.3, 1.2),
                14: (0, -0.9, -1.6),
                19: (0.4, -0.3, 1.2),
            },
        ),
        rifle_turn=around(
            stance,
            "rifle_turn",
            {0: (1, 0, 0), 3: (4.0, 4.0, 3.0), 8: (1, -4, 0), 14: (-4.0, 4.0, -3.0), 19: (-1, -4, 0)},
        ),
    )
    return _moving("soldier_run", RUN, keys, 2.2)


def crouch_walk() -> Motion:
    """Low and quiet: the hips stay level, the rifle points ahead."""
    stance = {
        **CROUCH,
        "rifle_turn": (30.0, 4.0, -4.0),
        "chest_turn": (-8.0, 20.0, 0.0),
        "head_turn": (0.0, 4.0, 0.0),
    }
    keys = held(
        stance,
        pelvis=_mirrored(
            {0: (0.0, 0.3, -13.6), 4: (0.0, 1.0, -13.9), 9: (0.2, 1.3, -12.6), 13: (0.2, 0.8, -12.7)},
            32,
            SIDES_PLACE,
        ),
        pelvis_turn=_mirrored(
            {0: (-12.0, 10.0, 0.0), 5: (-7.0, 11.0, 3.0), 9: (0.0, 10.0, 2.0), 13: (9.0, 10.0, 0.0)},
            32,
            SIDES_TURN,
        ),
        chest_turn={1: (-4, 21, 1), 6: (-6, 22, -1), 17: (-12, 21, -1), 22: (-10, 22, 1)},
        rifle=around(
            stance,
            "rifle",
            {0: (0, 0, 0), 5: (0, 0.1, -0.4), 12: (0, 0, 0.2), 21: (0, -0.1, -0.4), 28: (0, 0, 0.2)},
        ),
    )
    return _moving("soldier_crouch_walk", CREEP, keys, 3.0)


def walk_back() -> Motion:
    """Backwards on the toes, the rifle kept up."""
    stance = {
        **READY,
        "rifle_turn": (40.0, 5.0, -1.0),
        "rifle": (8.8, -6.2, -11.4),
        "right_elbow": (-0.12, -1.0, -0.95),
    }
    keys = held(
        stance,
        pelvis=_mirrored(
            {0: (-0.6, 0.2, -3.5), 4: (-0.8, 0.8, -3.9), 9: (-0.8, 1.1, -2.0), 13: (-0.6, 0.6, -2.2)},
            32,
            SIDES_PLACE,
        ),
        pelvis_turn=_mirrored(
            {0: (8.0, 4.0, 0.0), 5: (5.0, 5.0, 3.0), 9: (0.0, 4.0, 2.0), 13: (-6.0, 4.0, 0.0)}, 32, SIDES_TURN
        ),
        chest_turn={1: (-9, 9, 0), 6: (-7, 10, -1), 17: (-3, 9, 0), 22: (-5, 10, 1)},
        head_turn={0: (0, 5, 0), 5: (0, 6.5, 0), 13: (0, 5, 0), 21: (0, 6.5, 0), 29: (0, 5, 0)},
    )
    return _moving("soldier_walk_back", RETREAT, keys, 3.0)


def strafe(side: str) -> Motion:
    """Sideways, hips and rifle to the front."""
    sign = 1.0 if side == "left" else -1.0
    stance = {
        **READY,
        "rifle_turn": (40.0, 5.0, -1.0),
        "rifle": (8.8, -6.2, -11.4),
        "right_elbow": (-0.12, -1.0, -0.95),
    }
    keys = held(
        stance,
        pelvis={
            0: (0, 0.6 * sign, -4.4),
            3: (0, 1.2 * sign, -4.8),
            8: (0, 0.4 * sign, -3.6),
            12: (0, -0.6 * sign, -4.2),
            15: (0, -0.8 * sign, -4.6),
            20: (0, 0, -3.6),
        },
        pelvis_turn={
            0: (-3, 4, 2 * sign),
            4: (-3, 5, -2 * sign),
            12: (-3, 4, -3 * sign),
            16: (-3, 5, 2 * sign),
        },
        chest_turn={
            1: (-6, 8, -2 * sign),
            5: (-6, 9, -3 * sign),
            13: (-6, 8, -1 * sign),
            17: (-6, 9, -2 * sign),
        },
        head_turn={0: (0, 4, 0), 4: (0, 5.5, 0), 9: (0, 4, 0), 16: (0, 5.5, 0), 21: (0, 4, 0)},
    )
    return _moving(f"soldier_strafe_{side}", _sidle(sign), keys, 3.0)


def clips() -> list[Motion]:
    """All clips that travel."""
    return [walk(), run(), crouch_walk(), walk_back(), strafe("left"), strafe("right")]
