"""A simpler body for shadows: the skin with few triangles, each corner on one bone; where the skin will not be made
simpler, per bone a six-sided barrel around what follows it.

The shadow of a soldier needs a twentieth of the triangles of the soldier, and thirty of them are drawn a second
time every frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.client.render.detail import Step
from engine.client.render.scene import Float32
from engine.pipeline.model import Mesh, Model

SIMPLE = 900
"""Models with fewer triangles than this throw their own shadow."""

FEW = 200
"""Triangles of a shape for shadows, at most."""

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


def shadow_shape(model: Model, copies: Sequence[Step]) -> ShadowShape:
    """The shape that stands for a model in shadow maps. copies: the model in its steps of detail.

    What has no bones, such as a tree, throws the shadow of a barrel that is a little smaller, so that its leaves do
    not shade one another.
    """
    whole = _skin(model.meshes)
    if len(whole.indices) <= SIMPLE:
        return whole
    coarse = (step.meshes for step in copies if sum(len(mesh.indices) for mesh in step.meshes) <= FEW)
    meshes = next(coarse, None) if len(model.skeleton) > 1 else None
    return _barrels(whole) if meshes is None else _welded(_skin(meshes))


def _skin(meshes: Sequence[Mesh]) -> ShadowShape:
    """All meshes as one, each corner on its strongest bone."""
    positions: list[NDArray[Any]] = [np.zeros((0, 3))]
    owners: list[NDArray[Any]] = [np.zeros(0)]
    indices: list[NDArray[Any]] = [np.zeros((0, 3))]
    start = 0
    for mesh in meshes:
        positions.append(mesh.positions)
        rows = np.arange(len(mesh.positions))
        owners.append(mesh.joints[rows, mesh.weights.argmax(axis=1)])
        indices.append(mesh.indices + start)
        start += len(mesh.positions)
    return ShadowShape(
        np.concatenate(positions).astype(np.float32),
        np.concatenate(owners).astype(np.float32),
        np.concatenate(indices).astype(np.uint32),
    )


def _welded(shape: ShadowShape) -> ShadowShape:
    """Corners at one place on one bone as one: nothing else of them matters for a shadow."""
    table = np.column_stack((np.round(shape.positions, 3) + 0.0, shape.joints))
    kept, number = np.unique(table, axis=0, return_inverse=True)
    indices = number.reshape(-1)[shape.indices.astype(np.intp)].astype(np.uint32)
    return ShadowShape(kept[:, :3].copy(), kept[:, 3].copy(), indices)


def _barrels(skin: ShadowShape) -> ShadowShape:
    shapes: list[Float32] = []
    joints: list[Float32] = []
    faces: list[NDArray[np.uint32]] = []
    barrel = _barrel_indices()
    for bone in np.unique(skin.joints):
        own = skin.positions[skin.joints == bone]
        if len(own) < 8:
            continue
        faces.append((barrel + len(shapes) * _SIDES * len(_RINGS)).astype(np.uint32))
        shapes.append(_barrel(own))
        joints.append(np.full(_SIDES * len(_RINGS), bone, np.float32))
    return ShadowShape(np.concatenate(shapes), np.concatenate(joints), np.concatenate(faces))
