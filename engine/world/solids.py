"""The shapes that models collide with: boxes around slices of the mesh, found once a model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.model import Model
from engine.world.brush import Brush, box_brush

SLICE = 64.0
"""Inches of height that one box covers: a lamp post is thin below and wide above."""
LOW = 22.0
"""A prop that is lower stops nobody: grass, a can."""

_MAX_SLICES = 8
_MIN_SIZE = 2.0

Corners = tuple[tuple[float, float, float], tuple[float, float, float]]


def _edges(model: Model) -> NDArray[np.float64]:
    """(N, 2, 3) the edges of all triangles."""
    parts = []
    for mesh in model.meshes:
        if len(mesh.indices):
            corners = mesh.positions.astype(np.float64)[mesh.indices]
            parts.append(np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3))
    return np.concatenate(parts) if parts else np.zeros((0, 2, 3))


def _slice_box(edges: NDArray[np.float64], low: float, high: float) -> Corners | None:
    """The box around what of the mesh lies between two heights."""
    a, b = edges[:, 0], edges[:, 1]
    inside = (np.minimum(a[:, 2], b[:, 2]) <= high) & (np.maximum(a[:, 2], b[:, 2]) >= low)
    if not inside.any():
        return None
    a, b = a[inside], b[inside]
    rise = b[:, 2] - a[:, 2]
    steep = np.where(np.abs(rise) < 1e-9, 1.0, rise)
    ends = []
    for height in (low, high):
        t = np.clip((height - a[:, 2]) / steep, 0.0, 1.0)[:, None]
        ends.append(np.where(np.abs(rise)[:, None] < 1e-9, a, a + (b - a) * t))
    points = np.concatenate(ends)
    mins, maxs = points.min(axis=0), points.max(axis=0)
    thin = maxs - mins < _MIN_SIZE
    middle = (mins + maxs) / 2
    mins[thin] = middle[thin] - _MIN_SIZE / 2
    maxs[thin] = middle[thin] + _MIN_SIZE / 2
    x, y, z = mins.tolist()
    u, v, w = maxs.tolist()
    return (x, y, z), (u, v, w)


def model_brushes(model: Model, material: str, scale: float = 1.0) -> list[Brush]:
    """Boxes around a model in its own axes, from the ground up."""
    edges = _edges(model) * scale
    if not len(edges):
        return []
    bottom, top = float(edges[:, :, 2].min()), float(edges[:, :, 2].max())
    count = max(1, min(_MAX_SLICES, round((top - bottom) / SLICE + 0.25)))
    step = (top - bottom) / count
    boxes = (_slice_box(edges, bottom + i * step, bottom + (i + 1) * step) for i in range(count))
    return [box_brush(*box, material) for box in boxes if box is not None]


def prop_brush(model: Model, material: str, scale: float = 1.0) -> Brush | None:
    """What of a prop stands in a walker's way: a box around its lower part; None for one that is too low.

    A tree counts as its trunk: what is above head height stops neither walkers nor shots.
    """
    edges = _edges(model) * scale
    if not len(edges) or float(edges[:, :, 2].max()) < LOW:
        return None
    bottom = float(edges[:, :, 2].min())
    box = _slice_box(edges, bottom, max(bottom, 0.0) + SLICE)
    return box_brush(*box, material) if box is not None else None
