"""The ways in which a soldier stands and carries the rifle: what the clips start from and come back to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Keys = dict[str, dict[float, ArrayLike]]

READY: dict[str, Any] = {
    "pelvis": (-0.3, 0.0, -1.5),
    "pelvis_turn": (-10.0, 3.0, 0.0),
    "chest_turn": (-14.0, 6.0, 0.0),
    "head_turn": (0.0, 3.0, 0.0),
    "rifle": (9.0, -3.4, -11.1),
    "rifle_turn": (36.0, 19.0, 0.0),
    "left_foot": (4.6, 5.4, 0.0),
    "right_foot": (-5.4, -5.2, 0.0),
    "left_foot_turn": (6.0, 0.0, 0.0),
    "right_foot_turn": (-24.0, 0.0, 0.0),
    "right_elbow": (-0.1, -1.0, -0.65),
    "left_elbow": (0.1, 0.35, -0.8),
}

AIM: dict[str, Any] = {
    **READY,
    "pelvis": (1.2, 0.0, -2.2),
    "pelvis_turn": (-20.0, 4.0, 0.0),
    "chest_turn": (-30.0, 9.0, 3.0),
    "head_turn": (-3.0, 11.0, 13.0),
    "rifle": (14.6, -4.6, 58.0),
    "rifle_turn": (0.5, 0.5, 0.0),
    "rifle_free": 1.0,
    "right_elbow": (-0.35, -0.85, -0.55),
    "left_elbow": (0.1, 0.35, -0.95),
    "left_foot": (7.0, 5.2, 0.0),
    "right_foot": (-7.0, -5.4, 0.0),
    "left_foot_turn": (0.0, 0.0, 0.0),
    "right_foot_turn": (-34.0, 0.0, 0.0),
}

CROUCH: dict[str, Any] = {
    **READY,
    "pelvis": (-2.5, -0.4, -17.5),
    "pelvis_turn": (-14.0, 8.0, 0.0),
    "chest_turn": (-20.0, 15.0, 0.0),
    "head_turn": (0.0, 5.0, 2.0),
    "rifle": (9.4, -4.8, -11.0),
    "rifle_turn": (41.0, 2.0, -1.0),
    "right_elbow": (-0.14, -1.0, -1.05),
    "left_foot": (9.5, 5.6, 0.0),
    "right_foot": (-13.0, -5.0, 0.0),
    "left_foot_turn": (6.0, 0.0, 0.0),
    "right_foot_turn": (-10.0, 48.0, 0.0),
    "left_knee": 10.0,
    "right_knee": 12.0,
}

MARCH: dict[str, Any] = {
    **READY,
    "pelvis_turn": (0.0, 3.0, 0.0),
    "chest_turn": (0.0, 6.0, 0.0),
    "rifle": (9.0, -3.4, -10.9),
    "rifle_turn": (36.0, 18.0, -1.0),
    "left_slide": -0.7,
}


def held(stance: dict[str, Any], **keys: dict[float, ArrayLike]) -> Keys:
    """Channels that hold a stance, but for those that have keys of their own."""
    return {**{name: {0: value} for name, value in stance.items()}, **keys}


def around(stance: dict[str, Any], control: str, offsets: dict[float, ArrayLike]) -> dict[float, ArrayLike]:
    """Keys as offsets from what the stance has."""
    base = np.asarray(stance[control], float)
    return {frame: base + np.asarray(offset, float) for frame, offset in offsets.items()}
