"""Levels and models as polygons with a colour each, for the renderer on plain surfaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.client.render.charts import faces
from engine.client.render.scene import Camera, Float32
from engine.client.render.surfaces import kind_of, paint
from engine.world.view import LevelGeometry, SurfaceGeometry

if TYPE_CHECKING:
    from engine.pipeline.model import Mesh, Model

PIECE = 160.0
"""Faces are cut into pieces no longer than this near the middle of a level, so that a painter can sort them."""

_FAR_PIECE = 900.0

Polygons = tuple[Float32, Float32, Float32]
"""points (N, k, 3), normals (N, 3), linear colours (N, 3)."""


def _mean_colour(texture: str) -> Float32:
    """The linear colour of a surface seen from far away."""
    colour = paint(kind_of(texture), 32).colour.reshape(-1, 3)
    return np.asarray((colour**2.2).mean(axis=0), np.float32)


def _outline(points: Float32, normal: Float32) -> Float32:
    """Corners of a convex face in order around it."""
    middle = points.mean(axis=0)
    aside = points[0] - middle
    aside = aside / (np.linalg.norm(aside) + 1e-9)
    above = np.cross(normal, aside)
    spokes = points - middle
    return points[np.argsort(np.arctan2(spokes @ above, spokes @ aside))]


def _pieces(points: Float32, limit: float) -> Iterator[Float32]:
    """A convex polygon (k, 3) cut across its longest axis until no piece is longer than `limit`."""
    size = np.ptp(points, axis=0)
    axis = int(size.argmax())
    if size[axis] <= limit:
        yield points
        return
    at = (points[:, axis].min() + points[:, axis].max()) / 2
    for side in (1.0, -1.0):
        part = _half(points, axis, float(at), side)
        if len(part) >= 3:
            yield from _pieces(part, limit)


def _half(points: Float32, axis: int, at: float, side: float) -> Float32:
    kept: list[Float32] = []
    distance = (points[:, axis] - at) * side
    for i, here in enumerate(points):
        j = (i + 1) % len(points)
        if distance[i] >= 0:
            kept.append(here)
        if distance[i] * distance[j] < 0:
            t = distance[i] / (distance[i] - distance[j])
            kept.append(here + (points[j] - here) * t)
    return np.array(kept, np.float32).reshape(-1, 3)


def _gather(surfaces: Sequence[SurfaceGeometry], middle: Float32 | None) -> list[Polygons]:
    """All faces, cut, grouped by their number of corners."""
    groups: dict[int, list[tuple[Float32, Float32, Float32]]] = defaultdict(list)
    for surface in surfaces:
        colour = _mean_colour(surface.texture)
        for face in faces(surface):
            normal = surface.normals[face[0]]
            outline = _outline(surface.positions[face], normal)
            near = middle is None or float(np.linalg.norm(outline.mean(axis=0) - middle)) < 2200.0
            for piece in _pieces(outline, PIECE if near else _FAR_PIECE):
                groups[len(piece)].append((piece, normal, colour))
    return [
        (np.stack([r[0] for r in rows]), np.stack([r[1] for r in rows]), np.stack([r[2] for r in rows]))
        for rows in groups.values()
    ]


class SoftLevel:
    """A level's polygons."""

    def __init__(self, geometry: LevelGeometry) -> None:
        middle = np.asarray(np.mean(geometry.bounds, axis=0), np.float32)
        self._world = _gather(geometry.world, middle)
        self._brushes = [_gather(model, None) for model in geometry.brush_models]

    def visible(self, camera: Camera) -> list[Polygons]:
        """All polygons of the world; the renderer drops those out of sight."""
        return self._world

    def brush(self, index: int, transform: Float32) -> Iterator[Polygons]:
        """A moving brush model at its place."""
        if index < len(self._brushes):
            for points, normals, colours in self._brushes[index]:
                yield points @ transform[:, :3].T + transform[:, 3], normals @ transform[:, :3].T, colours


class SoftModel:
    """A model's triangles, ready to be posed."""

    def __init__(self, model: Model, meshes: Sequence[Mesh]) -> None:
        points, normals, colours, joints, weights, triangles, start = [], [], [], [], [], [], 0
        for mesh in meshes:
            material = (
                np.asarray(model.materials[mesh.material].color[:3], np.float32) if model.materials else 1.0
            )
            points.append(mesh.positions)
            normals.append(mesh.normals)
            colours.append((mesh.colors[:, :3] / np.float32(255)) ** np.float32(2.2) * material)
            joints.append(mesh.joints)
            weights.append(mesh.weights)
            triangles.append(mesh.indices.astype(np.intp) + start)
            start += len(mesh.positions)
        self._points = np.concatenate(points).astype(np.float32)
        self._joints = np.concatenate(joints).astype(np.intp)
        self._weights = np.concatenate(weights).astype(np.float32)
        self._triangles = np.concatenate(triangles)
        self._colours = np.concatenate(colours).astype(np.float32)[self._triangles].mean(axis=1)
        # Every triangle is wound so that its own normal points outwards, whatever pose it will be in.
        smooth = np.concatenate(normals).astype(np.float32)[self._triangles].mean(axis=1)
        inwards = (_facing(self._points[self._triangles]) * smooth).sum(axis=1) < 0
        self._triangles[inwards] = self._triangles[inwards][:, ::-1]

    def posed(self, transform: Float32, palette: Float32 | None) -> Polygons:
        """Triangles in the world."""
        points = self._points
        if palette is not None:
            matrices = np.einsum("vkij,vk->vij", palette[self._joints], self._weights)
            points = np.einsum("vij,vj->vi", matrices[:, :, :3], points) + matrices[:, :, 3]
        corners = (points @ transform[:, :3].T + transform[:, 3])[self._triangles]
        return corners.astype(np.float32), _facing(corners), self._colours


def _facing(corners: Float32) -> Float32:
    """Unit normals of triangles (N, 3, 3)."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.asarray(normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9), np.float32)
