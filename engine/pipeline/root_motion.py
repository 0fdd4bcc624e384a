"""Root motion: the travel of the root bone, taken out of the poses so that it can move the entity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.pipeline.scene import Float64
from engine.pipeline.settings import RootMotion


@dataclass(frozen=True, eq=False)
class Taken:
    """worlds (B, F, 4, 4) without the travel; delta (F, 4): x y z inches and yaw degrees since frame 0."""

    worlds: Float64
    delta: Float64 | None


def take_root_motion(worlds: Float64, root: int, mode: RootMotion, parts: Float64) -> Taken:
    """Split the poses of (B, F, 4, 4) world transforms by the settings' `root_motion`.

    `parts` (F,) tells how far through the clip each pose is; the first is at 0 and the last at 1.

    `full`: the root keeps its place over the ground and its heading of frame 0, and its height. `linear`: an
    even part of the whole travel and turn is taken out of each frame, and what sways about it stays.
    """
    if mode == "keep":
        return Taken(worlds, None)
    places = worlds[root, :, :2, 3]
    relative = worlds[root, :, :3, :3] @ worlds[root, 0, :3, :3].T
    yaw = np.unwrap(np.arctan2(relative[:, 1, 0] - relative[:, 0, 1], relative[:, 0, 0] + relative[:, 1, 1]))
    if mode == "linear":
        yaw = yaw[-1] * parts
    turned = np.stack(
        [
            np.cos(yaw) * places[0, 0] - np.sin(yaw) * places[0, 1],
            np.sin(yaw) * places[0, 0] + np.cos(yaw) * places[0, 1],
        ],
        axis=-1,
    )
    travel = places - turned
    if mode == "linear":
        travel = travel[-1] * parts[:, None]
    move = np.tile(np.eye(4), (len(yaw), 1, 1))
    move[:, 0, 0] = move[:, 1, 1] = np.cos(yaw)
    move[:, 1, 0], move[:, 0, 1] = np.sin(yaw), -np.sin(yaw)
    move[:, :2, 3] = travel
    delta = np.zeros((len(yaw), 4))
    delta[:, :2], delta[:, 3] = travel, np.degrees(yaw)
    return Taken(np.linalg.inv(move) @ worlds, delta)


def extend(delta: Float64, before: Float64 | None, over: Float64) -> Float64:
    """Let the travel go on past the last key at the speed of the last source frame.

    before  (3, 4): the travel at the start, one source frame before the last key, and at the last key
    over    (F,) source frames past the last key
    """
    if before is None:
        return delta
    out: Float64 = delta + over[:, None] * (before[2] - before[1])
    return out
