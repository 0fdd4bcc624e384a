"""Rotations that the world adds to single bones after blending, such as a soldier's aim over its spine."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.anim.errors import AnimationError
from engine.anim.skeleton import Float32, Skeleton

Floats = NDArray[np.floating[Any]]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""


class Overrides:
    """One rotation for each bone of each row. The animation comes first, then the override in the bone's own
    axes: the result is `animated * override`, so that no rotation leaves a pose exactly as it was."""

    def __init__(self) -> None:
        self.turns: dict[tuple[int, int], Quaternion] = {}
        """Unit quaternions by (row, bone)."""

    def set(self, row: int, bone: int, rotation: Quaternion | None) -> None:
        if rotation is None:
            self.turns.pop((row, bone), None)
            return
        x, y, z, w = rotation
        length = math.sqrt(x * x + y * y + z * z + w * w)
        if not (math.isfinite(length) and length > 0.0):
            raise AnimationError("a rotation needs four finite numbers that are not all 0")
        self.turns[row, bone] = (x / length, y / length, z / length, w / length)

    def of(self, row: int) -> list[tuple[int, Quaternion]]:
        """The bones of a row that are turned, with how."""
        return [(bone, turn) for (owner, bone), turn in self.turns.items() if owner == row]

    def drop(self, row: int) -> None:
        for key in [key for key in self.turns if key[0] == row]:
            del self.turns[key]

    def apply(self, poses: Float32) -> None:
        """Add them to (E, 8, B) local poses, in place."""
        if not self.turns:
            return
        places = np.array(list(self.turns), np.intp)
        rows, bones = places[:, 0], places[:, 1]
        turned = multiply(poses[rows, :4, bones].T, np.array(list(self.turns.values()), np.float32).T)
        poses[rows, :4, bones] = turned.T


def multiply(a: Floats, b: Floats) -> Floats:
    """Hamilton product of (4, ...) quaternions: first b, then a, as seen from outside."""
    return np.stack(_product(*a, *b))


def aim(skeleton: Skeleton, bones: tuple[str, ...], pitch: float, yaw: float) -> dict[int, Quaternion]:
    """Rotations, by bone, that together turn what hangs on a chain of bones by pitch and yaw in degrees.

    Each bone takes an equal part. Pitch is positive downwards and yaw counter-clockwise, about the model's axes;
    they are turned into the axes that each bone has in the rest pose, so a spine that bends in an animation bends
    with it. Unknown bones are left out.
    """
    known = [skeleton.index[bone] for bone in bones if bone in skeleton.index]
    if not known:
        return {}
    half_yaw = math.radians(yaw) / len(known) / 2.0
    half_pitch = math.radians(pitch) / len(known) / 2.0
    about_z = (0.0, 0.0, math.sin(half_yaw), math.cos(half_yaw))
    about_y = (0.0, math.sin(half_pitch), 0.0, math.cos(half_pitch))
    part = _product(*about_z, *about_y)
    turns: dict[int, Quaternion] = {}
    for bone in known:
        x, y, z, w = skeleton.rest_rotations[bone]
        turns[bone] = _product(*_product(-x, -y, -z, w, *part), x, y, z, w)
    return turns


def quaternion(angles: tuple[float, float, float]) -> Quaternion:
    """Of (pitch, yaw, roll) in degrees: yaw about z, then pitch about the turned y (down is positive), then roll."""
    (sp, cp), (sy, cy), (sr, cr) = (
        (math.sin(a), math.cos(a)) for a in (math.radians(v) / 2.0 for v in angles)
    )
    turned: Quaternion = _product(*_product(0.0, 0.0, sy, cy, 0.0, sp, 0.0, cp), sr, 0.0, 0.0, cr)
    return turned


def _product(
    ax: Any, ay: Any, az: Any, aw: Any, bx: Any, by: Any, bz: Any, bw: Any
) -> tuple[Any, Any, Any, Any]:
    """Of numbers or of arrays alike."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
