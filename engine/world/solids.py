"""The shapes that props collide with, found from their meshes."""

from __future__ import annotations

import numpy as np

from engine.pipeline.model import Model
from engine.world.brush import Brush, box_brush

REACH = 64.0
"""Only what of a prop is lower than this stands in a walker's way: a tree counts as its trunk."""
LOW = 22.0
"""A prop that is lower stops nobody: grass, a can."""


def prop_brush(model: Model, material: str, scale: float = 1.0) -> Brush | None:
    """A box around the lower part of a prop in its own axes, or None for one that stops nobody."""
    meshes = [mesh.positions for mesh in model.meshes if len(mesh.positions)]
    if not meshes:
        return None
    points = np.concatenate(meshes).astype(np.float64) * scale
    if points[:, 2].max() < LOW:
        return None
    low_part = points[points[:, 2] <= REACH]
    if not len(low_part):
        return None
    mins, maxs = low_part.min(axis=0), low_part.max(axis=0)
    maxs[2] = min(points[:, 2].max(), max(maxs[2], REACH))
    wide = np.maximum(maxs - mins, 2.0)
    maxs = mins + wide
    a, b = mins.tolist(), maxs.tolist()
    return box_brush((a[0], a[1], a[2]), (b[0], b[1], b[2]), material)
