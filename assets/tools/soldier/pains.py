"""Being hit: the body gives way where the shot met it, and comes back to its stance."""

from __future__ import annotations

from assets.tools.soldier.motion import Motion
from assets.tools.soldier.stances import READY, around, held


def pain_a() -> Motion:
    """Hit on the left side: that shoulder is thrown back."""
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 3: (-1.6, -0.8, -1.8), 8: (-0.8, -0.5, -2.2), 18: (0, 0, 0)}
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 3: (10, -3, -3), 9: (5, 2, -2), 18: (0, 0, 0)}
        ),
        chest_turn=around(
            READY, "chest_turn", {0: (0, 0, 0), 2.5: (30, -12, -9), 8: (16, 6, -6), 18: (0, 0, 0)}
        ),
        head_turn={0: (0, 3, 0), 3: (24, -8, 12), 6: (8, 14, 6), 11: (4, 9, 2), 18: (0, 3, 0)},
        rifle=around(READY, "rifle", {0: (0, 0, 0), 3: (-0.6, 0.6, 1.6), 9: (0, 0.4, -1.6), 18: (0, 0, 0)}),
        rifle_turn=around(
            READY, "rifle_turn", {0: (0, 0, 0), 3: (-6, -14, 10), 9: (0, 10, 0), 18: (0, 0, 0)}
        ),
        left_knee={0: 0.0, 4: 8.0, 18: 0.0},
    )
    return Motion("soldier_pain_a", 18, False, keys, lag=1.5)


def pain_b() -> Motion:
    """Hit on the right side and low: he folds over it and the right knee gives."""
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 3.5: (-2.0, 1.0, -3.4), 8: (-1.2, 0.6, -4.2), 18: (0, 0, 0)}
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 3: (-12, 6, 5), 9: (-6, 8, 4), 18: (0, 0, 0)}
        ),
        chest_turn=around(
            READY, "chest_turn", {0: (0, 0, 0), 3: (-26, 18, 10), 8: (-14, 20, 6), 18: (0, 0, 0)}
        ),
        head_turn={0: (0, 3, 0), 3: (-18, 20, -8), 8: (-4, 22, -4), 18: (0, 3, 0)},
        rifle=around(
            READY, "rifle", {0: (0, 0, 0), 3: (-1.4, 0.8, -0.6), 9: (-1.0, 0.6, -1.4), 18: (0, 0, 0)}
        ),
        rifle_turn=around(READY, "rifle_turn", {0: (0, 0, 0), 3: (8, 12, -10), 9: (2, 8, -4), 18: (0, 0, 0)}),
        right_knee={0: 0.0, 4: 14.0, 9: 10.0, 18: 0.0},
    )
    return Motion("soldier_pain_b", 18, False, keys, lag=1.5)


def pain_head() -> Motion:
    """A blow against the helmet: the head snaps back, the body follows it, a hand goes up; he shakes it off."""
    keys = held(
        READY,
        pelvis=around(
            READY,
            "pelvis",
            {
                0: (0, 0, 0),
                4: (-2.2, -0.6, -1.4),
                9: (-1.4, -0.4, -3.0),
                16: (-0.8, -0.2, -2.0),
                28: (0, 0, 0),
            },
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 4: (5, -7, -2), 10: (2, 3, -1), 28: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {0: (0, 0, 0), 3: (10, -17, -6), 8: (4, 4, -2), 12: (3, 12, 1), 19: (2, 6, 0), 28: (0, 0, 0)},
        ),
        head_turn={
            0: (0, 3, 0),
            2: (20, -34, 14),
            5: (14, -20, 8),
            9: (2, 24, -4),
            12: (-14, 28, 2),
            15: (12, 24, -3),
            18: (-6, 18, 1),
            28: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 4: (0.4, -1.8, 2.6), 10: (0.4, -2.0, -1.0), 20: (0.4, -1.0, -0.6), 28: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 4: (-18, -16, 8), 10: (-18, 10, 0), 20: (-12, 6, 0), 28: (0, 0, 0)},
        ),
        left_hold={0: 1.0, 1.5: 1.0, 6: 0.0, 17: 0.0, 24: 1.0},
        left_hand={
            0: (9, 6, -12),
            5: (10, 10, 2),
            9: (5.4, 7.0, 9.0),
            15: (5.6, 6.6, 8.6),
            21: (10, 7, -6),
            26: (10, 5, -12),
        },
        left_along={
            0: (0.8, -0.2, -0.5),
            5: (0.3, 0.2, 0.9),
            9: (-0.3, -0.5, 0.8),
            15: (-0.3, -0.5, 0.8),
            22: (0.8, -0.2, -0.1),
        },
        left_palm={
            0: (0, -0.5, 0.8),
            5: (-0.2, -1.0, 0.1),
            9: (-0.5, -0.9, -0.1),
            15: (-0.5, -0.9, -0.1),
            22: (0, -0.5, 0.8),
        },
        left_elbow={
            0: READY["left_elbow"],
            8: (0.5, 0.8, -0.4),
            16: (0.5, 0.8, -0.4),
            25: READY["left_elbow"],
        },
        left_curl={0: 0.82, 4: 0.3, 9: 0.4, 16: 0.4, 20: 0.3, 25: 0.82},
        right_knee={0: 0.0, 8: 7.0, 28: 0.0},
        left_knee={0: 0.0, 8: 6.0, 28: 0.0},
    )
    return Motion("soldier_pain_head", 28, False, keys, lag=1.5)


def pain_gut() -> Motion:
    """Hit in the belly: the hips are driven back, he doubles up over his left hand and straightens slowly."""
    keys = held(
        READY,
        pelvis=around(
            READY,
            "pelvis",
            {0: (0, 0, 0), 3: (-3.6, 0, -2.2), 8: (-3.8, 0.2, -5.0), 15: (-2.8, 0.2, -4.4), 28: (0, 0, 0)},
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 3: (0, 10, 0), 9: (3, 16, 2), 16: (2, 12, 1), 28: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {0: (0, 0, 0), 3: (2, 20, 2), 8: (6, 36, 3), 12: (5, 32, 2), 16: (5, 34, 2), 28: (0, 0, 0)},
        ),
        head_turn={
            0: (0, 3, 0),
            3: (-2, -8, 4),
            8: (0, 38, -2),
            12: (2, 30, 0),
            16: (0, 34, 0),
            28: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 4: (1.2, -3.4, -0.6), 9: (1.6, -5.0, 0.6), 17: (1.6, -5.0, 0.4), 28: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 4: (-16, -4, -4), 9: (-24, -18, -4), 17: (-24, -16, -4), 28: (0, 0, 0)},
        ),
        left_hold={0: 1.0, 2: 1.0, 6: 0.0, 18: 0.0, 25: 1.0},
        left_hand={
            0: (10, 3, -11),
            4: (10, 4, -12),
            8: (7.2, 1.0, -13.6),
            17: (7.2, 1.0, -13.4),
            24: (10, 3, -12),
        },
        left_along={0: (0.6, -0.5, -0.2), 8: (0.1, -1.0, -0.1), 17: (0.1, -1.0, -0.1), 24: (0.6, -0.5, -0.2)},
        left_palm={0: (-0.3, -0.4, 0.8), 8: (-1.0, -0.1, 0.1), 17: (-1.0, -0.1, 0.1), 24: (-0.3, -0.4, 0.8)},
        left_elbow={
            0: READY["left_elbow"],
            8: (0.1, 0.9, -0.35),
            17: (0.1, 0.9, -0.35),
            26: READY["left_elbow"],
        },
        left_curl={0: 0.82, 4: 0.4, 8: 0.3, 18: 0.3, 26: 0.82},
        right_elbow={
            0: READY["right_elbow"],
            8: (-0.6, -0.9, -0.3),
            17: (-0.6, -0.9, -0.3),
            28: READY["right_elbow"],
        },
        left_knee={0: 0.0, 8: 7.0, 28: 0.0},
        right_knee={0: 0.0, 8: 7.0, 28: 0.0},
    )
    return Motion("soldier_pain_gut", 28, False, keys, lag=1.5)


def pain_left_arm() -> Motion:
    """The left arm is torn off the rifle and flung back; it hangs a moment before it takes hold again."""
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 3: (-1.2, 0.6, -1.0), 9: (-0.6, 0.8, -2.0), 26: (0, 0, 0)}
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 3: (9, -1, -2), 10: (4, 2, -2), 26: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {0: (0, 0, 0), 3: (30, -4, -7), 8: (20, 8, -8), 14: (9, 9, -5), 26: (0, 0, 0)},
        ),
        head_turn={
            0: (0, 3, 0),
            3: (10, -6, 8),
            7: (22, 18, 6),
            14: (20, 22, 4),
            20: (6, 8, 1),
            26: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 4: (1.2, -2.6, 0.8), 11: (0.8, -2.8, -1.6), 19: (0.4, -1.4, -0.8), 26: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 4: (-30, 4, 8), 11: (-26, 26, 4), 19: (-12, 12, 0), 26: (0, 0, 0)},
        ),
        left_hold={0: 1.0, 1: 1.0, 4: 0.0, 16: 0.0, 23: 1.0},
        left_hand={
            0: (11, 3, -10),
            2: (12, 8, -8),
            5: (-3, 18, -11),
            9: (-5.5, 15, -16.5),
            13: (1.0, 13.0, -17.5),
            18: (7, 9, -16),
            24: (10, 4, -12),
        },
        left_along={
            0: (0.7, 0, -0.5),
            5: (-0.4, 0.6, -0.6),
            9: (-0.3, 0.2, -1.0),
            14: (0.1, 0, -1.0),
            20: (0.7, -0.2, -0.6),
        },
        left_palm={
            0: (0, -0.5, 0.8),
            5: (0.5, -0.6, -0.6),
            9: (0.4, -0.9, 0),
            14: (0, -1.0, 0),
            21: (0, -0.5, 0.8),
        },
        left_elbow={
            0: READY["left_elbow"],
            5: (-0.7, 0.6, 0.1),
            10: (-0.8, 0.5, -0.3),
            18: (-0.3, 0.7, -0.6),
            25: READY["left_elbow"],
        },
        left_curl={0: 0.82, 2: 0.4, 6: 0.2, 12: 0.45, 20: 0.5, 25: 0.82},
    )
    return Motion("soldier_pain_left_arm", 26, False, keys, lag=1.5)


def pain_right_arm() -> Motion:
    """The right shoulder is driven back and the rifle swings up; the left hand pulls it down again."""
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 3: (-1.2, -0.4, -1.0), 9: (-0.8, -0.8, -2.2), 24: (0, 0, 0)}
        ),
        pelvis_turn=around(
            READY, "pelvis_turn", {0: (0, 0, 0), 3: (-10, -1, 2), 10: (-5, 3, 2), 24: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {0: (0, 0, 0), 3: (-24, -4, 8), 8: (-18, 10, 10), 14: (-9, 9, 6), 24: (0, 0, 0)},
        ),
        head_turn={
            0: (0, 3, 0),
            3: (-8, -6, -8),
            7: (-24, 18, -6),
            13: (-22, 22, -4),
            19: (-6, 8, -1),
            24: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 3: (-0.8, -1.0, 2.2), 9: (-1.0, 0.2, -1.8), 16: (-0.4, 0, -1.0), 24: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 3: (10, -20, -12), 9: (8, 16, 4), 16: (3, 8, 2), 24: (0, 0, 0)},
        ),
        right_elbow={
            0: READY["right_elbow"],
            4: (-0.5, -1.0, -0.1),
            12: (-0.3, -1.0, -0.5),
            24: READY["right_elbow"],
        },
        right_knee={0: 0.0, 6: 6.0, 24: 0.0},
    )
    return Motion("soldier_pain_right_arm", 24, False, keys, lag=1.5)


def pain_leg(side: str) -> Motion:
    """The leg gives way under him: he drops to that side, hangs over the knee, and pushes himself up again."""
    sign = 1.0 if side == "left" else -1.0
    lean, reach = (2.0, 3.0) if side == "left" else (-1.0, -2.0)
    keys = held(
        READY,
        pelvis=around(
            READY,
            "pelvis",
            {
                0: (0, 0, 0),
                4: (lean, 1.4 * sign, -4.4),
                8: (lean + 0.6, 1.8 * sign, -7.0),
                11: (lean + 0.4, 1.6 * sign, -6.2),
                17: (lean * 0.5, 0.6 * sign, -2.6),
                27: (0, 0, 0),
            },
        ),
        pelvis_turn=around(
            READY,
            "pelvis_turn",
            {
                0: (0, 0, 0),
                4: (4 * sign, 6, -7 * sign),
                9: (3 * sign, 10, -8 * sign),
                17: (0, 4, -3 * sign),
                27: (0, 0, 0),
            },
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {
                0: (0, 0, 0),
                3: (2 * sign, -3, 4 * sign),
                9: (7 * sign, 24, 3 * sign),
                13: (6 * sign, 22, 0),
                27: (0, 0, 0),
            },
        ),
        head_turn={
            0: (0, 3, 0),
            3: (0, -10, 5 * sign),
            9: (10 * sign, 34, 0),
            14: (10 * sign, 32, 0),
            20: (0, 8, 0),
            27: (0, 3, 0),
        },
        rifle=around(
            READY,
            "rifle",
            {0: (0, 0, 0), 4: (0.2, 0.2, 2.0), 10: (0.6, -0.4, -1.0), 18: (0.2, 0, -0.6), 27: (0, 0, 0)},
        ),
        rifle_turn=around(
            READY,
            "rifle_turn",
            {0: (0, 0, 0), 4: (reach, -14, 4), 10: (reach, -16, 0), 18: (0, -4, 0), 27: (0, 0, 0)},
        ),
    )
    keys[f"{side}_foot_turn"] = around(
        READY,
        f"{side}_foot_turn",
        {
            0: (0, 0, 0),
            3: (4 * sign, 14, 0),
            8: (8 * sign, 34, 0),
            12: (8 * sign, 30, 0),
            20: (0, 6, 0),
            25: (0, 0, 0),
        },
    )
    keys[f"{side}_knee"] = {0: 0.0, 4: -8.0, 9: -10.0, 18: -2.0, 27: 0.0}
    other = "right" if side == "left" else "left"
    keys[f"{other}_knee"] = {0: 0.0, 9: 8.0, 27: 0.0}
    return Motion(f"soldier_pain_{side}_leg", 27, False, keys, lag=1.5)


def clips() -> list[Motion]:
    """Every way of being hit."""
    return [
        pain_a(),
        pain_b(),
        pain_head(),
        pain_gut(),
        pain_left_arm(),
        pain_right_arm(),
        pain_leg("left"),
        pain_leg("right"),
    ]
