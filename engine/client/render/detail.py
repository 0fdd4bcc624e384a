"""Coarser copies of a model for far away: corners that lie close together become one.

A grid is laid over the bind pose; the corners in one cell that follow the same bone and have about the same
colour are merged, and triangles that lose their area go. It is crude, and from far away nobody can tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.model import Mesh, Model

CELLS = (2.2, 4.0, 7.0, 13.0, 24.0)
"""Inches of the grid, for each coarser copy."""

WORTH = 500
"""Models with fewer triangles than this are never made coarser: what is left would not look like them."""

LEAST = 60
"""Meshes with fewer triangles than this stay as they are."""


BROAD = 5.0
"""Inches of the grid from which corners of different colours are merged as well."""


def _joined(
    positions: NDArray[np.float32], bones: NDArray[np.int64], parents: NDArray[np.int32], cell: float
) -> NDArray[np.int64]:
    """By corner the bone that it counts as: small ones go to their parents, the outermost first."""
    bones = bones.copy()
    for bone in range(len(parents) - 1, -1, -1):
        own = bones == bone
        if parents[bone] >= 0 and own.any() and float(np.ptp(positions[own], axis=0).max()) < cell * 1.5:
            bones[own] = parents[bone]
    return bones


def _once(triangles: NDArray[np.intp]) -> NDArray[np.intp]:
    """Triangles (T, 3) without those that are there already, whichever corner they begin with."""
    first = triangles.argmin(axis=1)[:, None]
    turned = np.take_along_axis(triangles, (first + np.arange(3)) % 3, axis=1)
    _, kept = np.unique(turned, axis=0, return_index=True)
    return triangles[np.sort(kept)]


def coarser(mesh: Mesh, cell: float, parents: NDArray[np.int32] | None = None) -> Mesh:
    """`mesh` with its corners merged in cells of `cell` inches; itself where that saves less than a third.

    parents  by bone its parent, -1 for a root: a bone whose skin is no longer than a cell counts as its
             parent, so that fingers become a hand and a hand the end of an arm; None keeps all bones apart
    """
    if len(mesh.indices) < LEAST:
        return mesh
    places = np.floor(mesh.positions / cell).astype(np.int64)
    bones = mesh.joints[np.arange(len(mesh.joints)), mesh.weights.argmax(axis=1)].astype(np.int64)
    if parents is not None:
        bones = _joined(mesh.positions, bones, parents, cell)
    # Far away only light and dark are told apart.
    shades = np.array((1, 3, 9)) if cell < BROAD else np.zeros(3, np.int64)
    paint = (mesh.colors[:, :3].astype(np.int64) // 86) @ shades
    keys = np.column_stack((places, bones, paint))
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    triangles = group[mesh.indices.astype(np.intp)]
    whole = (
        (triangles[:, 0] != triangles[:, 1])
        & (triangles[:, 1] != triangles[:, 2])
        & (triangles[:, 2] != triangles[:, 0])
    )
    triangles = _once(triangles[whole])
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


def coarser_meshes(model: Model, cell: float) -> list[Mesh]:
    """The meshes of a model that have triangles, coarser where that is worth it."""
    meshes = [mesh for mesh in model.meshes if len(mesh.indices)]
    if cell <= 0 or sum(len(mesh.indices) for mesh in meshes) < WORTH:
        return meshes
    less = [coarser(mesh, cell, model.skeleton.parents) for mesh in meshes]
    # A mesh smaller than a cell is gone; a model never is.
    return [mesh for mesh in less if len(mesh.indices)] or meshes
