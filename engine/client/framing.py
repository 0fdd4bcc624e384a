"""Where a picture without a player at the keys should look: to where most is going on."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.world.view import FrameView, Vector

NEAR, FAR = 90.0, 1500.0
HALF_WIDTH = 34.0
"""Degrees to either side that count as in the picture."""

STILL = 2e-3
"""Change of a pose in a server frame below which it counts as lying still."""


def best_heading(
    before: FrameView,
    frame: FrameView,
    eye: Vector,
    hidden: int | None,
    trace: Callable[[Vector, Vector], float],
) -> float | None:
    """The yaw with the most to see among entities that are animated and not behind a wall; None where there
    are none."""
    seen: list[tuple[float, float]] = []
    moving = _moving(before, frame)
    for number, state in frame.entities.items():
        if state.pose is None or not state.visible or number == hidden:
            continue
        chest = state.origin[0], state.origin[1], state.origin[2] + 45.0
        distance = math.dist(eye, chest)
        if NEAR < distance < FAR and trace(eye, chest) > 0.97:
            yaw = math.degrees(math.atan2(chest[1] - eye[1], chest[0] - eye[0]))
            # Nearer ones weigh more, they are larger in the picture; those that lie still hardly count.
            weight = 1.0 if number in moving else 0.12
            seen.append((yaw, weight / (0.35 + distance / 900.0)))
    if not seen:
        return None

    def score(heading: float) -> float:
        total = 0.0
        for yaw, weight in seen:
            off = abs((yaw - heading + 180.0) % 360.0 - 180.0)
            total += weight * max(0.0, 1.0 - (off / HALF_WIDTH) ** 2)
        return total

    return max((float(heading) for heading in range(0, 360, 3)), key=score)


def _moving(before: FrameView, frame: FrameView) -> set[int]:
    """Entities whose place or pose has changed since the frame before."""
    found: set[int] = set()
    for number, state in frame.entities.items():
        old = before.entities.get(number)
        if old is None or old.pose is None or state.pose is None:
            continue
        now, then = frame.poses[state.pose[0]].local, before.poses[old.pose[0]].local
        same_bones = now.shape[2] == then.shape[2]
        change = np.abs(now[state.pose[1]] - then[old.pose[1]]).max() if same_bones else 1.0
        if state.origin != old.origin or change > STILL:
            found.add(number)
    return found
