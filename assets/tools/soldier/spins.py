"""Deaths by a shot in the side: it turns him round his feet, and he goes down the way he has been turned."""

from __future__ import annotations

from numpy.typing import ArrayLike

from assets.tools.soldier.motion import Motion
from assets.tools.soldier.rig import DEFAULTS
from assets.tools.soldier.stances import READY, held

Keys = dict[float, ArrayLike]


def death_side(side: str) -> Motion:
    """Hit on one side: that shoulder is flung back, he spins after it on the other foot, and pitches on his face."""
    sign = 1.0 if side == "left" else -1.0
    far = "right" if side == "left" else "left"

    def place(x: float, y: float, z: float) -> tuple[float, float, float]:
        return x, y * sign, z

    def turned(yaw: float, pitch: float, roll: float) -> tuple[float, float, float]:
        return yaw * sign, pitch, roll * sign

    keys = held(
        READY,
        pelvis={
            0: READY["pelvis"],
            3: place(-2.6, 0.6, -1.8),
            7: place(-5.0, 2.0, -3.6),
            11: place(-8.4, 4.4, -8.0),
            15: place(-12.0, 8.0, -16.4),
            19: place(-15.6, 12.4, -26.6),
            22.5: place(-17.6, 15.0, -32.4),
            24.5: place(-17.8, 15.2, -31.6),
            28: place(-18.0, 15.4, -32.7),
        },
        pelvis_turn={
            0: READY["pelvis_turn"],
            3: turned(10, -2, -3),
            7: turned(46, 0, -4),
            11: turned(88, 6, 0),
            15: turned(116, 22, 6),
            19: turned(128, 54, 6),
            22.5: turned(132, 84, 0),
            24.5: turned(132, 79, 0),
            28: turned(133, 86, 0),
        },
        chest_turn={
            0: READY["chest_turn"],
            2.5: turned(26, -8, -10),
            6: turned(66, 2, -8),
            11: turned(104, 10, 2),
            15: turned(122, 28, 10),
            19: turned(130, 60, 8),
            23: turned(136, 92, 0),
            25: turned(136, 86, 0),
            29: turned(137, 90, 0),
        },
        head_turn={
            0: (0, 3, 0),
            3: turned(4, -12, 10),
            7: turned(40, 14, 8),
            11: turned(88, 22, 2),
            16: turned(118, 30, 10),
            20: turned(128, 50, 6),
            23.5: turned(134, 90, 0),
            25.5: turned(134, 76, 0),
            30: turned(135, 82, 0),
        },
        head_twist={0: 0, 18: 0, 25: 40 * sign, 30: 62 * sign, 36: 66 * sign},
        limp_ankle={0: 60, 18: 70, 28: 68, 34: 66},
    )
    keys.update(_rifle(side))
    # The arm that was hit flies out and trails; the other follows the rifle and lets go of it.
    hit_hand: Keys = {
        0: place(11, 3, -10),
        2: place(12, 8, -7),
        5: place(-2, 18, -5),
        9: place(-6, 17, -10),
        15: place(4, 16, -8),
        19: place(10, 13, -2),
        23: place(4.6, 17.0, 11.6),
        25: place(5.4, 17.6, 12.4),
        30: place(3.8, 18.6, 13.6),
    }
    far_hand: Keys = {
        0: place(8, -9, -14),
        9: place(12, -12, -8),
        14: place(9, -15, -6),
        19: place(12, -13, -4),
        23: place(5.4, -17.0, -8.0),
        25: place(6.2, -17.4, -9.0),
        30: place(4.2, -18.0, -11.0),
    }
    keys[f"{side}_hand"], keys[f"{far}_hand"] = hit_hand, far_hand
    keys[f"{side}_along"] = {
        0: place(0.7, 0, -0.5),
        5: place(-0.3, 0.8, -0.2),
        10: place(-0.2, 0.8, -0.6),
        19: place(0.6, 0.3, 0.6),
        23: place(0.05, 0.5, 0.9),
    }
    keys[f"{side}_palm"] = {
        0: place(0, -0.5, 0.8),
        5: place(0.7, 0.1, -0.6),
        10: place(0.8, 0, -0.5),
        19: place(0.8, 0, -0.5),
        23: (1, 0, 0),
    }
    keys[f"{far}_along"] = {
        0: place(0.7, 0, -0.6),
        9: place(0.8, -0.2, -0.2),
        16: place(0.6, -0.4, 0.2),
        23: place(0.05, -0.6, -0.75),
    }
    keys[f"{far}_palm"] = {
        0: place(0.2, 0.9, 0.2),
        9: place(0.3, 0.8, 0.2),
        16: place(0.7, 0.4, -0.4),
        23: (1, 0, 0),
    }
    keys[f"{side}_elbow"] = {
        0: READY[f"{side}_elbow"],
        6: place(-0.7, 0.6, -0.2),
        18: place(-0.2, 0.9, -0.4),
        24: place(-0.25, 1.0, -0.3),
    }
    keys[f"{far}_elbow"] = {
        0: READY[f"{far}_elbow"],
        12: place(-0.5, -0.9, -0.4),
        24: place(-0.25, -1.0, -0.5),
    }
    keys[f"{side}_curl"] = {0: DEFAULTS[f"{side}_curl"], 2: 0.5, 5: 0.15, 16: 0.2, 26: 0.35}
    keys[f"{far}_curl"] = {0: DEFAULTS[f"{far}_curl"], 10: 0.8, 14: 0.3, 28: 0.35}
    keys[f"{side}_hold"] = {0: 1, 1: 1, 4: 0} if side == "left" else {0: 1, 2: 1, 5: 0}
    keys[f"{far}_hold"] = {0: 1, 8: 1, 12: 0} if side == "left" else {0: 1, 3: 1, 7: 0}
    _feet(keys, side, far, sign)
    return Motion(f"soldier_death_{side}", 48, False, keys, lag=1.0, notes=[("bodyfall", 22.5)])


def _rifle(side: str) -> dict[str, Keys]:
    """Hit on the left, the right hand swings it round and loses it; hit on the right, it is torn away to that side."""
    if side == "left":
        return {
            "rifle": {
                0: READY["rifle"],
                5: (11.0, -5.0, -8.0),
                9: (13.0, -7.0, -8.0),
                14: (12.0, 26.0, 24.0),
                18: (14.0, 36.0, 2.0),
                20: (14.4, 37.0, 3.6),
                23: (14.8, 38.0, 1.5),
            },
            "rifle_turn": {
                0: READY["rifle_turn"],
                5: (10, 16, 0),
                9: (0, 10, -10),
                14: (96, 24, -60),
                18: (112, -2, -88),
                20: (115, 3, -84),
                24: (118, 0, -90),
            },
            "rifle_free": {0: 0, 9: 0, 14: 1},
        }
    return {
        "rifle": {
            0: READY["rifle"],
            3: (5.0, -8.0, -8.0),
            8: (3.0, -24.0, 48.0),
            13: (-4.0, -38.0, 26.0),
            17: (-8.0, -46.0, 2.0),
            19: (-8.6, -47.0, 3.6),
            22: (-9.0, -48.0, 1.5),
        },
        "rifle_turn": {
            0: READY["rifle_turn"],
            3: (20, -10, -10),
            8: (-40, -20, -30),
            13: (-84, 6, -70),
            17: (-104, -2, -88),
            19: (-107, 3, -84),
            23: (-110, 0, -90),
        },
        "rifle_free": {0: 0, 3: 0, 7: 1},
    }


def _feet(keys: dict[str, Keys], side: str, far: str, sign: float) -> None:
    """The foot of the side that was hit steps back to catch him and does not; the other turns on its ball."""
    hit, other = READY[f"{side}_foot"], READY[f"{far}_foot"]
    start = READY[f"{side}_foot_turn"][0]
    back = 9.0 if side == "left" else 3.0
    keys[f"{side}_foot"] = {
        0: hit,
        3: hit,
        6: (hit[0] - 6.0, 7.0 * sign, 3.6),
        10: (hit[0] - back - 5.0, 9.6 * sign, 0.0),
        12: (hit[0] - back - 5.0, 9.6 * sign, 0.4),
        14.5: (hit[0] - back - 1.5, 8.0 * sign, 4.6),
        16: (-7.0, 4.4 * sign, 6.2),
        18: (-4.6, 1.0 * sign, 5.8),
        22: (-0.6, -9.4 * sign, 5.2),
        30: (-0.2, -10.4 * sign, 4.6),
    }
    keys[f"{side}_foot_turn"] = {
        0: (start, 0, 0),
        3: (start + 14 * sign, 20, 0),
        7: (62 * sign, 4, 0),
        10: (98 * sign, 0, 0),
        13: (104 * sign, 10, 0),
        18: (126 * sign, 66, 0),
    }
    keys[f"{side}_limp"] = {0: 0, 12: 0, 18: 1}
    keys[f"{far}_foot"] = {
        0: other,
        8: other,
        11: (other[0] + 1.0, other[1] + 1.0 * sign, 2.6),
        14: (1.0, -3.0 * sign, 5.4),
        16: (3.0, -2.0 * sign, 5.2),
        22: (6.6, -4.4 * sign, 5.2),
        30: (7.4, -4.6 * sign, 4.6),
    }
    turned = READY[f"{far}_foot_turn"][0]
    keys[f"{far}_foot_turn"] = {
        0: (turned, 0, 0),
        3: (turned + 6 * sign, 18, 0),
        8: (40 * sign, 34, 0),
        12: (84 * sign, 56, 0),
        17: (120 * sign, 72, 0),
    }
    keys[f"{far}_limp"] = {0: 0, 10: 0, 16: 1}
    keys[f"{side}_knee"] = {0: 0, 12: 4, 24: 16, 30: 20}
    keys[f"{far}_knee"] = {0: 0, 12: 2, 24: 12, 30: 16}


def clips() -> list[Motion]:
    """To the left and to the right."""
    return [death_side("left"), death_side("right")]
