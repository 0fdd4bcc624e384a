"""Where a picture without a player at the keys should look: to where most is going on."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.world.view import FrameView, Vector

NEAR, FAR = 90.0, 1500.0
HALF_WIDTH = 34.0
"""Degrees to either side that count as in the picture."""


def best_heading(
    frame: FrameView, eye: Vector, hidden: int | None, trace: Callable[[Vector, Vector], float]
) -> float | None:
    """The yaw with the most to see among entities that are animated and not behind a wall; None where there
    are none."""
    seen: list[tuple[float, float]] = []
    for number, state in frame.entities.items():
        if state.pose is None or not state.visible or number == hidden:
            continue
        chest = state.origin[0], state.origin[1], state.origin[2] + 45.0
        distance = math.dist(eye, chest)
        if NEAR < distance < FAR and trace(eye, chest) > 0.97:
            yaw = math.degrees(math.atan2(chest[1] - eye[1], chest[0] - eye[0]))
            # Nearer ones weigh more: they are larger in the picture.
            seen.append((yaw, 1.0 / (0.35 + distance / 900.0)))
    if not seen:
        return None

    def score(heading: float) -> float:
        total = 0.0
        for yaw, weight in seen:
            off = abs((yaw - heading + 180.0) % 360.0 - 180.0)
            total += weight * max(0.0, 1.0 - (off / HALF_WIDTH) ** 2)
        return total

    return max((float(heading) for heading in range(0, 360, 3)), key=score)
