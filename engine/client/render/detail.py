"""Coarser copies of a model for far away: corners that lie close together become one.

A grid is laid over the bind pose; the corners in one cell that follow the same bone and have about the same
colour are merged, and triangles that lose their area go. It is crude, and from far away nobody can tell.
"""

from __future__ import annotations

import numpy as np

from engine.pipeline.model import Mesh

CELLS = (2.2, 4.0)
"""Inches of the grid, for each coarser copy."""

WORTH = 600
"""Meshes with fewer triangles than this are never made coarser."""


def coarser(mesh: Mesh, cell: float) -> Mesh:
    """`mesh` with its corners merged in cells of `cell` inches; itself where that saves less than a third."""
    if len(mesh.indices) < WORTH:
        return mesh
    places = np.floor(mesh.positions / cell).astype(np.int64)
    bones = mesh.joints[np.arange(len(mesh.joints)), mesh.weights.argmax(axis=1)].astype(np.int64)
    paint = (mesh.colors[:, :3].astype(np.int64) // 86) @ np.array((1, 3, 9))
    keys = np.column_stack((places, bones, paint))
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    triangles = group[mesh.indices.astype(np.intp)]
    whole = (
        (triangles[:, 0] != triangles[:, 1])
        & (triangles[:, 1] != triangles[:, 2])
        & (triangles[:, 2] != triangles[:, 0])
    )
    triangles = triangles[whole]
    if len(triangles) > len(mesh.indices) * 2 // 3:
        return mesh
    count = np.bincount(group)[:, None]

    def mean(values: np.ndarray) -> np.ndarray:
        columns = [np.bincount(group, values[:, i].astype(np.float64)) for i in range(values.shape[1])]
        return np.column_stack(columns) / count

    normals = mean(mesh.normals)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    return Mesh(
        mesh.name,
        mesh.material,
        mean(mesh.positions).astype(np.float32),
        normals.astype(np.float32),
        mesh.uvs[first],
        mean(mesh.colors).astype(np.uint8),
        mesh.joints[first],
        mesh.weights[first],
        triangles.astype(np.uint32),
    )
