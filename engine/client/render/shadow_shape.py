"""A simpler body for shadows: per bone a six-sided barrel around the skin that follows it.

The shadow of a soldier needs a tenth of the triangles of the soldier, and thirty of them are drawn a second
time every frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32

if TYPE_CHECKING:
    from engine.pipeline.model import Model

SIMPLE = 900
"""Models with fewer triangles than this throw their own shadow."""

_SIDES = 6
_RINGS = ((-1.0, 0.55), (-0.72, 0.95), (0.72, 0.95), (1.0, 0.55))
"""Along the longest axis: place and width of each ring."""


@dataclass(frozen=True, eq=False)
class ShadowShape:
    """positions (V, 3) in the bind pose, joints (V,) float32, indices (T, 3)."""

    positions: Float32
    joints: Float32
    indices: NDArray[np.uint32]


def _barrel(points: Float32) -> Float32:
    middle = points.mean(axis=0)
    _, _, turned = np.linalg.svd(points - middle, full_matrices=False)
    local = (points - middle) @ turned.T
    low, high = np.percentile(local, (2, 98), axis=0)
    half, centre = (high - low) / 2, (high + low) / 2
    ring = np.arange(_SIDES) * (2 * np.pi / _SIDES)
    rows = [
        np.stack((np.full(_SIDES, t), np.cos(ring) * w, np.sin(ring) * w), -1) * half + centre
        for t, w in _RINGS
    ]
    return np.asarray(np.concatenate(rows) @ turned + middle, np.float32)


def _barrel_indices() -> NDArray[np.uint32]:
    triangles = []
    for r in range(len(_RINGS) - 1):
        for s in range(_SIDES):
            a, b = r * _SIDES + s, r * _SIDES + (s + 1) % _SIDES
            triangles += [(a, b, b + _SIDES), (a, b + _SIDES, a + _SIDES)]
    last = (len(_RINGS) - 1) * _SIDES
    for s in range(1, _SIDES - 1):
        triangles += [(0, s + 1, s), (last, last + s, last + s + 1)]
    return np.array(triangles, np.uint32)


def shadow_shape(model: Model) -> ShadowShape:
    """The shape that stands for a model in shadow maps."""
    positions, owners, indices, start = [], [], [], 0
    for mesh in model.meshes:
        positions.append(np.asarray(mesh.positions, np.float32))
        rows = np.arange(len(mesh.positions))
        owners.append(mesh.joints[rows, mesh.weights.argmax(axis=1)].astype(np.intp))
        indices.append((mesh.indices + start).astype(np.uint32))
        start += len(mesh.positions)
    if not positions:
        return ShadowShape(np.zeros((0, 3), np.float32), np.zeros(0, np.float32), np.zeros((0, 3), np.uint32))
    points, owner, triangles = np.concatenate(positions), np.concatenate(owners), np.concatenate(indices)
    if len(triangles) <= SIMPLE:
        return ShadowShape(points, owner.astype(np.float32), triangles)
    shapes: list[Float32] = []
    joints: list[Float32] = []
    faces: list[NDArray[np.uint32]] = []
    barrel = _barrel_indices()
    for bone in np.unique(owner):
        skin = points[owner == bone]
        if len(skin) < 8:
            continue
        faces.append((barrel + len(shapes) * _SIDES * len(_RINGS)).astype(np.uint32))
        shapes.append(_barrel(skin))
        joints.append(np.full(_SIDES * len(_RINGS), bone, np.float32))
    return ShadowShape(np.concatenate(shapes), np.concatenate(joints), np.concatenate(faces))
