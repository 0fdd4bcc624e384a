"""Unfolds a level's faces into one light map: where each point of the map lies in the world, and each vertex
in the map.

A face is a group of triangles that share vertices; it is flat and convex, because it comes from a brush.
Every face becomes one rectangle of luxels whose outer ones lie just inside its edges, so that neighbours
cannot bleed into one another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32
from engine.world.view import SurfaceGeometry

INSET = 0.6
"""Inches by which luxels keep away from a face's edges: on the edge itself they would lie in the neighbouring wall."""

_MAX_SIDE = 2048


@dataclass(frozen=True, eq=False)
class Atlas:
    """positions (H, W, 4), w 1 where a luxel is; normals (H, W, 4); uvs, for each surface (V, 2); density,
    inches a luxel."""

    positions: Float32
    normals: Float32
    uvs: tuple[Float32, ...]
    density: float


@dataclass(frozen=True, eq=False)
class _Chart:
    surface: int
    vertices: NDArray[np.intp]
    origin: Float32
    axes: Float32  # (2, 3)
    normal: Float32
    extent: Float32  # (2,)
    plane: Float32  # (k, 2) the vertices in the face's own axes


def faces(surface: SurfaceGeometry) -> list[NDArray[np.intp]]:
    """Vertex numbers of each face: the groups that triangles hold together."""
    labels = np.arange(len(surface.positions))
    triangles = surface.indices.astype(np.intp)
    while True:
        before = labels.copy()
        lowest = labels[triangles].min(axis=1)
        for corner in range(3):
            np.minimum.at(labels, triangles[:, corner], lowest)
        if np.array_equal(before, labels):
            break
    used = np.unique(triangles)
    order = used[np.argsort(labels[used], kind="stable")]
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts) if len(order) else []


def _chart(number: int, surface: SurfaceGeometry, vertices: NDArray[np.intp]) -> _Chart:
    points = surface.positions[vertices]
    normal = surface.normals[vertices[0]]
    # Written out, because NumPy's cross product costs more than all the rest of a small face.
    nx, ny, nz = normal.tolist()
    ax, ay, az = (0.0, -nz, ny) if abs(nz) > 0.9 else (-ny, nx, 0.0)
    length = math.sqrt(ax * ax + ay * ay + az * az) + 1e-9
    ax, ay, az = ax / length, ay / length, az / length
    up = (ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax)
    axes = np.array(((ax, ay, az), up), np.float32)
    plane = points @ axes.T
    low = plane.min(axis=0)
    origin = points[0] + (low - plane[0]) @ axes
    return _Chart(
        number, vertices, origin, axes, normal, np.ptp(plane, axis=0), (plane - low).astype(np.float32)
    )


def _inside(at: Float32, outline: Float32) -> Float32:
    """Moves points (N, 2) to `INSET` inside a convex outline (k, 2), or to its middle where it is too narrow."""
    middle = outline.mean(axis=0)
    spokes = outline - middle
    outline = outline[np.argsort(np.arctan2(spokes[:, 1], spokes[:, 0]))]
    for _ in range(2):
        for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            edge = end - start
            length = float(np.hypot(*edge))
            if length < 1e-4:
                continue
            inward = np.array((-edge[1], edge[0]), np.float32) / length
            room = min(INSET, 0.5 * float((middle - start) @ inward))
            at = at + inward * np.maximum(room - (at - start) @ inward, 0.0)[:, None]
    return at


def _shelves(sizes: NDArray[np.intp], width: int) -> tuple[NDArray[np.intp], int]:
    """Places rectangles (N, 2) in rows, tallest first; returns their corners and the height used."""
    corners = np.zeros_like(sizes)
    x = y = row = 0
    for i in np.argsort(-sizes[:, 1], kind="stable"):
        w, h = sizes[i]
        if x + w > width:
            x, y, row = 0, y + row, 0
        corners[i] = x, y
        x, row = x + w, max(row, h)
    return corners, int(y + row)


def unfold(
    surfaces: Sequence[SurfaceGeometry], density: float = 8.0, width: int = 1024, extra: int = 0
) -> Atlas:
    """Lays out all faces, coarser than `density` if they would not fit. `extra` leaves room for that many
    luxels below them."""
    charts = [_chart(i, s, face) for i, s in enumerate(surfaces) for face in faces(s)]
    extents = np.array([c.extent for c in charts], np.float32).reshape(-1, 2)
    rows = -(-extra // width)
    while True:
        sizes = np.clip(np.ceil(extents / density).astype(np.intp) + 1, 2, width)
        corners, height = _shelves(sizes, width)
        if height + rows <= _MAX_SIDE:
            break
        density *= 1.2
    height = max(height + rows, 1)
    positions = np.zeros((height, width, 4), np.float32)
    normals = np.zeros((height, width, 4), np.float32)
    uvs = [np.zeros((len(s.positions), 2), np.float32) for s in surfaces]
    for chart, (w, h), (x, y) in zip(charts, sizes, corners, strict=True):
        u, v = np.meshgrid(np.linspace(0, chart.extent[0], w), np.linspace(0, chart.extent[1], h))
        at = _inside(np.stack((u, v), -1).reshape(-1, 2).astype(np.float32), chart.plane)
        positions[y : y + h, x : x + w, :3] = (chart.origin + at @ chart.axes).reshape(h, w, 3)
        positions[y : y + h, x : x + w, 3] = 1.0
        normals[y : y + h, x : x + w, :3] = chart.normal
        place = chart.plane / np.maximum(chart.extent, 1e-6) * (np.array((w, h)) - 1) + np.array((x, y)) + 0.5
        uvs[chart.surface][chart.vertices] = place / (width, height)
    return Atlas(positions, normals, tuple(uvs), density)
