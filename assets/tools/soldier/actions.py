"""What he does with the rifle: fire and reload."""

from __future__ import annotations

from assets.tools.soldier.motion import Motion
from assets.tools.soldier.stances import AIM, READY, around, held


def fire() -> Motion:
    """A sharp kick into the shoulder, and a slow return."""
    keys = held(
        AIM,
        pelvis=around(AIM, "pelvis", {0: (0, 0, 0), 1.5: (-0.35, 0, -0.1), 11: (0, 0, 0)}),
        chest_turn=around(
            AIM, "chest_turn", {0: (0, 0, 0), 1.2: (-2.6, -3.4, 0.8), 5: (-0.8, -0.8, 0.2), 11: (0, 0, 0)}
        ),
        head_turn=around(
            AIM, "head_turn", {0: (0, 0, 0), 1.8: (-0.8, -3.0, 1.5), 6: (0, -0.5, 0.2), 11: (0, 0, 0)}
        ),
        rifle=around(AIM, "rifle", {0: (0, 0, 0), 1: (-1.7, -0.1, 0.5), 4: (-0.6, 0, 0.2), 11: (0, 0, 0)}),
        rifle_turn=around(
            AIM, "rifle_turn", {0: (0, 0, 0), 1.3: (-1.0, -4.6, 2.0), 5: (-0.3, -1.4, 0.5), 11: (0, 0, 0)}
        ),
    )
    return Motion("soldier_fire", 11, False, keys, notes=[("fire", 1.0)])


def reload() -> Motion:
    """The magazine comes out, the hand fetches another from the belt, and the bolt is let go."""
    work_rifle = {
        0: (0, 0, 0),
        10: (1.2, -0.2, 3.2),
        50: (1.0, -0.4, 3.4),
        56: (0.6, 0.4, 3.6),
        66: (0.6, 0, 2.6),
        74: (0, 0, 0),
    }
    work_turn = {
        0: (0, 0, 0),
        10: (-10, -40, 22),
        19: (-9, -38, 24),
        22: (-8, -42, 22),
        34: (-10, -36, 26),
        47: (-9, -38, 24),
        49.5: (-9, -44, 22),
        56: (-6, -34, -16),
        61: (-6, -35, -18),
        64: (-6, -33, -16),
        74: (0, 0, 0),
    }
    keys = held(
        READY,
        pelvis=around(
            READY, "pelvis", {0: (0, 0, 0), 14: (-0.2, -0.7, -0.5), 50: (-0.2, -0.5, -0.6), 74: (0, 0, 0)}
        ),
        chest_turn=around(
            READY,
            "chest_turn",
            {
                0: (0, 0, 0),
                10: (4, 3, 1),
                22: (6, 4, 2),
                33: (12, 7, 4),
                47: (6, 4, 2),
                60: (2, 4, -1),
                74: (0, 0, 0),
            },
        ),
        head_turn={
            0: (0, 3, 0),
            10: (4, 17, 3),
            30: (14, 22, 3),
            36: (14, 22, 3),
            47: (4, 19, 3),
            58: (-4, 14, 2),
            66: (0, 6, 0),
            74: (0, 3, 0),
        },
        rifle=around(READY, "rifle", work_rifle),
        rifle_turn=around(READY, "rifle_turn", work_turn),
        left_hold={0: 1.0, 4: 1.0, 10: 0.0, 51: 0.0, 57: 1.0},
        left_magazine={0: 1.0, 21: 1.0, 29: 0.0, 38: 0.0, 45: 1.0},
        left_hand={
            0: (6.0, 6.0, -15.0),
            24: (6.0, 6.5, -15.5),
            31: (3.8, 7.0, -17.2),
            36: (3.8, 7.0, -17.4),
            42: (7.0, 4.5, -14.5),
        },
        left_along={0: (0.5, -0.5, 0.5), 28: (0.1, -0.6, -0.8), 37: (0.1, -0.6, -0.8), 44: (0.5, -0.5, 0.5)},
        left_palm={0: (-0.3, -0.9, 0), 28: (-0.9, -0.5, 0.1), 37: (-0.9, -0.5, 0.1), 44: (-0.3, -0.9, 0)},
        left_curl={0: 0.82, 6: 0.5, 15: 0.75, 28: 0.7, 32: 0.35, 36: 0.8, 50: 0.75, 53: 0.4, 58: 0.82},
        left_elbow={
            0: (0.1, 0.35, -0.8),
            12: (-0.2, 0.75, -0.6),
            50: (-0.2, 0.75, -0.6),
            58: (0.1, 0.35, -0.8),
        },
        right_hold={0: 1.0, 54: 1.0, 58: 0.0, 64: 0.0, 69: 1.0},
        right_bolt={0: 1.0},
        bolt={0: 0.0, 58.5: 0.0, 61.5: 2.4, 63: 2.4, 64: 0.0},
        right_curl={0: 1.0, 54: 1.0, 57: 0.55, 59: 0.9, 64: 0.7, 66: 0.5, 70: 1.0},
    )
    notes = [("mag_out", 21.0), ("mag_in", 48.5), ("bolt", 61.5)]
    return Motion("soldier_reload", 74, False, keys, notes=notes)


def clips() -> list[Motion]:
    """Fire and reload."""
    return [fire(), reload()]
