"""Copies of a model with fewer triangles, for where nobody can tell them apart.

The corners are taken away by the well-known edge collapse that moves the surface least (quadric errors). What a
corner carries besides its place is taken over from corners of the finer mesh: colour, picture and normal from one
that faces as the new triangle does, so that hard edges stay hard; bones from the nearest, so that nothing tears.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import fast_simplification
import numpy as np
from numpy.typing import NDArray

from engine.pipeline.model import Mesh, Model

PARTS = (0.5, 0.25, 0.12, 0.05, 0.02)
"""Of a model's triangles, for each coarser copy."""

FIGURE_PARTS = (0.5, 0.35, 0.25, 0.17, 0.12, 0.08, 0.05, 0.03, 0.02)
"""The same for what has bones. A crowd is drawn with the coarsest copies that are fine enough: with steps half as wide
it has a fifth fewer triangles, and none that is larger."""

WORTH = 200
"""Meshes with fewer triangles than this stay as they are."""

SOUP = 0.8
"""Corners for each triangle above which a mesh is loose leaves, of which none can do without a corner."""


_Score = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.floating]]
"""How well old corners would do as new ones (rows of both), the higher the better."""


@dataclass(frozen=True, eq=False)
class Step:
    """A model in one step of detail. `edge` is how long the sides of its triangles would be, in inches, if they
    were all of one size; 0 for the model as it is."""

    meshes: tuple[Mesh, ...]
    edge: float


def steps(model: Model) -> list[Step]:
    """A model in all its steps of detail, the finest first; meshes without triangles are left out."""
    meshes = tuple(mesh for mesh in model.meshes if len(mesh.indices))
    area = sum(_area(mesh.positions[mesh.indices.astype(np.intp)]) for mesh in meshes)
    found = [Step(meshes, 0.0)]
    for part in FIGURE_PARTS if len(model.skeleton) > 1 else PARTS:
        reduced = tuple(coarser(mesh, part) for mesh in meshes)
        if reduced != found[-1].meshes:
            count = sum(len(mesh.indices) for mesh in reduced)
            found.append(Step(reduced, float(np.sqrt(2 * area / count))))
    return found


def _area(corners: NDArray[np.float32]) -> float:
    a, b, c = np.moveaxis(corners, 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2


def coarser(mesh: Mesh, part: float) -> Mesh:
    """`mesh` with about `part` of its triangles; itself where less than a third of them can be saved."""
    if len(mesh.indices) < WORTH:
        return mesh
    points, welded = np.unique(np.round(mesh.positions, 3), axis=0, return_inverse=True)
    welded = welded.reshape(-1)
    triangles = _whole(welded[mesh.indices.astype(np.intp)])
    if len(points) > SOUP * len(triangles):
        return mesh
    _, _, collapses = fast_simplification.simplify(
        points.astype(np.float32),
        triangles.astype(np.int32),
        target_count=max(int(len(triangles) * part), 4),
        return_collapses=True,
    )
    places, faces, moved = fast_simplification.replay_simplification(
        points.astype(np.float32), triangles.astype(np.int32), collapses
    )
    faces = _whole(np.asarray(faces, np.intp))
    if not 0 < len(faces) < len(mesh.indices) * 2 // 3:
        return mesh
    owner = np.asarray(moved, np.intp)[welded]
    return _dressed(mesh, np.asarray(places, np.float32), faces, owner)


def _whole(triangles: NDArray[np.intp]) -> NDArray[np.intp]:
    """Those with three corners that are not the same."""
    following = np.roll(triangles, -1, axis=1)
    whole: NDArray[np.intp] = triangles[(triangles != following).all(axis=1)]
    return whole


def _dressed(
    mesh: Mesh, places: NDArray[np.float32], faces: NDArray[np.intp], owner: NDArray[np.intp]
) -> Mesh:
    """The new surface with what its corners carry. `owner` (V,) says which new corner each old one has become."""
    a, b, c = np.moveaxis(places[faces], 1, 0)
    facing = np.cross(b - a, c - a)
    facing /= np.linalg.norm(facing, axis=1, keepdims=True) + 1e-12
    facing = np.repeat(facing, 3, axis=0)
    corner = faces.reshape(-1)
    scale = float(np.sqrt(2 * _area(places[faces]) / len(faces)))

    def away(old: NDArray[np.intp], new: NDArray[np.intp]) -> NDArray[np.floating]:
        # A part that has gone altogether leaves its corners to others that may be anywhere.
        distance: NDArray[np.floating] = np.linalg.norm(mesh.positions[old] - places[new], axis=1)
        return distance / scale

    def alike(old: NDArray[np.intp], row: NDArray[np.intp]) -> NDArray[np.floating]:
        likeness: NDArray[np.floating] = (mesh.normals[old] * facing[row]).sum(axis=1)
        return likeness - away(old, corner[row])

    became = _Became(owner)
    like = became.best(corner, alike)
    nearest = became.best(np.arange(len(places)), lambda old, new: -away(old, new))
    pairs, indices = np.unique(np.column_stack((corner, like)), axis=0, return_inverse=True)
    place, old = pairs.T
    return replace(
        mesh,
        positions=places[place],
        normals=mesh.normals[old],
        uvs=mesh.uvs[old],
        colors=mesh.colors[old],
        joints=mesh.joints[nearest[place]],
        weights=mesh.weights[nearest[place]],
        indices=indices.reshape(-1, 3).astype(np.uint32),
    )


class _Became:
    """The old corners by the new one that each has become, `owner` (V,)."""

    def __init__(self, owner: NDArray[np.intp]) -> None:
        self._order = np.argsort(owner, kind="stable")
        self._sorted = owner[self._order]

    def best(self, wanted: NDArray[np.intp], score: _Score) -> NDArray[np.intp]:
        """For each new corner that is wanted, the old one with the highest score among those that became it."""
        first = np.searchsorted(self._sorted, wanted, side="left")
        count = np.searchsorted(self._sorted, wanted, side="right") - first
        rows = np.repeat(np.arange(len(wanted)), count)
        starts = np.cumsum(count) - count
        old = self._order[np.repeat(first - starts, count) + np.arange(len(rows))]
        found = score(old, rows)
        best = np.zeros(len(wanted), np.intp)
        some = count > 0
        highest = np.maximum.reduceat(found, starts[some])
        top = np.flatnonzero(found == np.repeat(highest, count[some]))
        best[rows[top]] = old[top]
        return best
