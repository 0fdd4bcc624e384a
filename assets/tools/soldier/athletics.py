"""Throwing and jumping, with the whole body. The right hand keeps the rifle, so he throws with the left."""

from __future__ import annotations

from typing import Any

from assets.tools.soldier.footwork import Pivot, Step, in_the_world, stepped
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.stances import READY, around, held

LEAP = 64.0  # inches that a jump carries him


def throw() -> Motion:
    """Takes something from the belt, steps back and winds up; hips, chest and arm whip round one after another."""
    left = stepped(
        READY["left_foot"],
        READY["left_foot_turn"],
        Step(3, 11, (-11.0, 6.6), 52.0, lift=2.4),
        Pivot(26, 34, 22.0, 46.0),  # as the hips come round
        Step(35, 44, (4.6, 5.4), 6.0, lift=3.4, heel=52.0),
    )
    right = stepped(
        READY["right_foot"],
        READY["right_foot_turn"],
        Step(17, 26, (12.0, -5.4), -4.0, lift=4.2),
        Step(47, 55, (-5.4, -5.2), -24.0),
    )
    keys = held(
        READY,
        left_foot=left[0],
        left_foot_turn=left[1],
        right_foot=right[0],
        right_foot_turn=right[1],
        pelvis={
            0: READY["pelvis"],
            5: (-1.0, -1.6, -2.2),
            13: (-5.4, 0.6, -2.6),
            20: (-6.6, 1.2, -3.4),
            26: (0.6, -0.4, -3.6),
            31: (6.2, -1.6, -4.2),
            37: (8.4, -2.2, -5.0),
            45: (5.0, -0.8, -2.6),
            53: (1.0, 0.2, -1.9),
            58: READY["pelvis"],
        },
        pelvis_turn={
            0: READY["pelvis_turn"],
            7: (4, 4, -2),
            15: (34, 0, 3),
            20: (44, -3, 5),
            24: (26, -2, 3),
            28.5: (-18, 3, -3),
            33: (-30, 9, -4),
            40: (-22, 9, -2),
            50: (-8, 4, 0),
            58: READY["pelvis_turn"],
        },
        chest_turn={
            0: READY["chest_turn"],
            8: (4, 9, 2),
            16: (42, -4, -4),
            22: (60, -13, -10),
            25.5: (50, -12, -9),
            30: (-12, 8, -2),
            33: (-40, 24, 8),
            38: (-44, 30, 10),
            47: (-22, 14, 4),
            58: READY["chest_turn"],
        },
        head_turn={
            0: (0, 3, 0),
            8: (16, 24, 2),
            14: (12, -2, 0),
            22: (6, -8, -5),
            29: (0, 4, -2),
            35: (-8, 16, 5),
            42: (-4, 2, 2),
            58: (0, 3, 0),
        },
        rifle={
            0: READY["rifle"],
            9: (9.2, -5.6, -11.0),
            20: (10.0, -8.2, -9.0),
            26: (11.0, -8.0, -8.4),
            32: (7.0, -10.5, -10.4),
            40: (7.4, -8.5, -11.0),
            52: (8.8, -4.4, -11.1),
            58: READY["rifle"],
        },
        rifle_turn={
            0: READY["rifle_turn"],
            9: (18, 24, 0),
            20: (-26, 18, 4),
            26: (-22, 10, 6),
            32: (26, 30, -6),
            40: (36, 26, -4),
            50: (34, 21, 0),
            58: READY["rifle_turn"],
        },
        right_elbow={
            0: READY["right_elbow"],
            20: (-0.3, -1.0, -0.5),
            34: (-0.8, -0.7, -0.3),
            56: READY["right_elbow"],
        },
        left_hold={0: 1.0, 2: 1.0, 6: 0.0, 50: 0.0, 57: 1.0},
        left_hand={
            0: (10, 4, -11),
            5: (8, 8.5, -14),
            9: (3.6, 8.4, -17.4),
            12: (2.6, 9.6, -17.6),
            16: (-4.5, 17.0, -11.5),
            20: (-9.0, 17.5, 0.0),
            24: (-9.0, 12.5, 8.5),
            27: (-3.5, 13.0, 14.5),
            29: (8.5, 10.5, 17.0),
            30.5: (17.0, 6.5, 10.0),
            32.5: (18.5, -0.5, -2.0),
            36: (11.5, -4.5, -12.0),
            41: (11.0, -2.0, -14.0),
            50: (11.0, 4.0, -13.0),
            58: (10, 4, -11),
        },
        left_along={
            0: (0.7, -0.3, -0.5),
            9: (-0.1, -0.3, -1.0),
            16: (-0.5, 0.8, -0.4),
            20: (-0.8, 0.5, 0.4),
            24: (-0.8, 0.0, 0.7),
            27: (-0.6, 0.1, 0.9),
            29: (0.5, 0.0, 0.9),
            31: (1.0, -0.2, 0.0),
            34: (0.5, -0.4, -0.9),
            42: (0.5, -0.4, -0.8),
            54: (0.7, -0.3, -0.5),
        },
        left_palm={
            0: (-0.1, -0.5, 0.8),
            9: (-0.4, -1.0, 0.2),
            16: (0.2, -0.2, 1.0),
            20: (0.5, 0.0, 1.0),
            24: (0.6, -0.2, 0.8),
            27: (0.9, -0.3, 0.3),
            29: (0.8, -0.4, -0.5),
            31: (0.0, -0.4, -1.0),
            34: (-0.8, -0.4, -0.4),
            42: (-0.4, -0.8, 0.2),
            54: (-0.1, -0.5, 0.8),
        },
        left_elbow={
            0: READY["left_elbow"],
            9: (-0.6, 0.7, -0.2),
            16: (-0.6, 0.5, -0.6),
            22: (-0.2, 1.0, -0.3),
            27: (0.3, 1.0, 0.0),
            31: (0.0, 0.9, -0.4),
            38: (0.1, 0.7, -0.7),
            54: READY["left_elbow"],
        },
        left_curl={0: 0.82, 4: 0.4, 8: 0.35, 11: 0.78, 28: 0.78, 30.5: 0.1, 36: 0.2, 50: 0.4, 57: 0.82},
    )
    return Motion("soldier_throw", 58, False, keys, lag=1.5, notes=[("take", 11.0), ("throw", 29.5)])


def jump() -> Motion:
    """Sinks, pushes off both feet, flies with the knees drawn up, and gives way as he lands."""
    left = {
        0: READY["left_foot"],
        12: (4.6, 5.4, 0.0),
        15: (13.0, 5.6, 14.5),
        18.5: (36.0, 6.0, 24.0),
        23.5: (57.0, 5.8, 14.0),
        27.5: (LEAP + 4.6, 5.4, 0.0),
    }
    right = {
        0: READY["right_foot"],
        11.5: (-5.4, -5.2, 0.0),
        15: (4.0, -5.4, 13.0),
        20: (28.0, -5.8, 24.0),
        24.5: (52.0, -5.6, 13.0),
        28.5: (LEAP - 5.4, -5.2, 0.0),
    }
    left_turn = {
        0: (6, 0, 0),
        8: (6, 0, 0),
        12: (6, 52, 0),
        15: (6, 56, 0),
        20: (6, 22, 0),
        25: (6, 4, 0),
        27.5: (6, 12, 0),
        29.5: (6, 0, 0),
    }
    right_turn = {
        0: (-24, 0, 0),
        7: (-22, 2, 0),
        11.5: (-12, 58, 0),
        15: (-10, 60, 0),
        21: (-12, 26, 0),
        25.5: (-18, 8, 0),
        28.5: (-22, 14, 0),
        30.5: (-24, 0, 0),
    }
    root: dict[float, Any] = {0: (0, 0, 0), 7: (0, 0, 0), 34: (LEAP, 0, 0)}
    flight: dict[float, Any] = {}
    for frame in (12.5, *range(13, 28)):
        part = (frame - 12.5) / 15.0  # a throw of half a second, a foot high
        root[frame] = (4.0 + (LEAP - 8.0) * part, 0.0, 0.0)
        flight[frame] = (3.0 - 3.2 * part, 0.0, 2.2 - 6.8 * part + 4.0 * 16.0 * part * (1.0 - part))
    keys = held(
        READY,
        pelvis={
            0: READY["pelvis"],
            3: (-0.4, 0, -2.4),
            8: (-2.6, 0, -11.0),
            9.5: (-2.0, 0, -10.6),
            **flight,
            28: (-0.2, 0, -5.2),
            30.5: (-1.0, 0, -10.0),
            33: (-1.6, 0, -12.8),
            36: (-1.5, 0, -11.8),
            44: (-0.2, 0, -2.2),
            50: READY["pelvis"],
        },
        pelvis_turn={
            0: READY["pelvis_turn"],
            8: (-10, 22, 0),
            12.5: (-8, 8, 0),
            16: (-8, -2, 0),
            22: (-8, 6, 0),
            28: (-9, 6, 0),
            33: (-10, 20, 0),
            44: (-10, 5, 0),
            50: READY["pelvis_turn"],
        },
        chest_turn={
            0: READY["chest_turn"],
            8.5: (-14, 36, 0),
            13.5: (-13, 4, 0),
            18: (-12, 12, 0),
            23: (-12, 22, 0),
            28: (-13, 16, 0),
            34: (-15, 36, 0),
            38: (-15, 32, 0),
            46: (-14, 7, 0),
            50: READY["chest_turn"],
        },
        head_turn={
            0: (0, 3, 0),
            8: (0, 14, 0),
            13: (0, -8, 0),
            19: (0, 10, 0),
            26: (0, 20, 0),
            31: (0, 4, 0),
            35: (0, 20, 0),
            44: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {
                0: (0, 0, 0),
                8.5: (-0.6, 0, -0.6),
                14.5: (0.8, -0.6, 5.0),
                20: (0.8, -0.4, 4.4),
                28: (0.4, -0.4, 3.6),
                32: (0.4, 0, -0.8),
                40: (0, 0, 0.4),
                50: (0, 0, 0),
            },
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {
                0: (0, 0, 0),
                8.5: (0, -18, 0),
                15: (8, -44, -6),
                22: (6, -40, -4),
                28: (4, -34, -2),
                33: (0, -14, 2),
                42: (0, -6, 0),
                50: (0, 0, 0),
            },
        ),
        left_knee={0: 0.0, 8: 8.0, 14: 2.0, 20: 6.0, 33: 9.0, 48: 0.0},
        right_knee={0: 0.0, 8: 8.0, 14: 2.0, 20: 6.0, 33: 9.0, 48: 0.0},
        left_toe={0: 1.0, 12: 1.0, 15: 0.15, 25: 0.2, 27.5: 1.0},
        right_toe={0: 1.0, 12.5: 1.0, 16: 0.15, 26: 0.2, 28.5: 1.0},
    )
    for name in ("left_foot", "right_foot", "left_foot_turn", "right_foot_turn"):
        del keys[name]
    path = in_the_world(root, {"left": (left, left_turn), "right": (right, right_turn)})
    notes = [("jump", 12.5), ("land", 28.0)]
    return Motion("soldier_jump", 50, False, keys, path, lag=1.5, notes=notes, moves=True)


def clips() -> list[Motion]:
    """Both."""
    return [throw(), jump()]
