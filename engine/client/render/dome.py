"""The shape of the sky where its colours are worked out at corners: a dome, two lines of hills, the plain before them.

Directions from the eye, of unit length, z up. Triangles are in cells by heading, so that what is behind the viewer
costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.client.render.cells import Cells
from engine.client.render.scene import Float32

SECTORS = 16
SKY, FAR_HILLS, NEAR_HILLS, PLAIN = 0.0, 1.0, 2.0, 3.0
"""Kinds of corner, as in dome.vert."""

_HEIGHTS = (0.0, 0.015, 0.04, 0.07, 0.11, 0.16, 0.24, 0.33, 0.44, 0.56, 0.69, 0.82, 0.92, 0.98, 1.0)
"""z of the rows of the dome: close together where the haze and the clouds change most."""

_COLUMNS, _RIDGE_COLUMNS = 48, 1024
_SOFT = 0.0016
"""z by which a line of hills fades into the sky on either side of its edge."""

_GLOW = 0.968
"""Cosine of the angle from the sun within which its disc and its glow are worked out at each pixel."""


class Shape(NamedTuple):
    """table (V, 5): direction, kind, alpha; triangles (T, 3) of it in `cells`."""

    table: Float32
    cells: Cells


def dome(sun: tuple[float, float, float]) -> tuple[Shape, Shape]:
    """The dome above the horizon: far from the sun, and around it."""
    table = _rows(_COLUMNS, [(z, SKY, 1.0) for z in _HEIGHTS])
    triangles, sectors = _strips(_COLUMNS, len(_HEIGHTS))
    middles = table[triangles.astype(np.intp), :3].mean(axis=1)
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    # The corners of a triangle are up to six degrees from its middle.
    near = middles @ np.asarray(sun, np.float32) > np.cos(np.arccos(_GLOW) + 0.11)
    return tuple(Shape(table, _celled(table, triangles[part], sectors[part])) for part in (~near, near))  # type: ignore[return-value]  # there are two


def plain() -> Shape:
    """What lies below the horizon, up to the hills that hide its end."""
    rows = [(-1.0, PLAIN, 1.0), (-0.4, PLAIN, 1.0), (0.0, PLAIN, 1.0)]
    return _whole([(_COLUMNS, rows)])


def hills(ridges: Float32) -> Shape:
    """Two lines of hills, the farther one first. ridges (256, 256) 0..1 is a noise that tiles along its rows."""
    heading = np.arange(_RIDGE_COLUMNS) / _RIDGE_COLUMNS
    far = 0.018 + 0.050 * _along(ridges, heading, 0.13)
    near = 0.004 + 0.036 * _along(ridges, 2 * heading, 0.61) + 0.004 * _along(ridges, 24 * heading, 0.37)
    flat = np.zeros(_RIDGE_COLUMNS, np.float32)
    farther = [(flat, FAR_HILLS, 1.0), (far - _SOFT, FAR_HILLS, 1.0), (far + _SOFT, FAR_HILLS, 0.0)]
    nearer = [
        (flat - 0.02, PLAIN, 1.0),
        (flat, NEAR_HILLS, 1.0),
        (near - _SOFT, NEAR_HILLS, 1.0),
        (near + _SOFT, NEAR_HILLS, 0.0),
    ]
    return _whole([(_RIDGE_COLUMNS, farther), (_RIDGE_COLUMNS, nearer)])


_Row = tuple[NDArray[np.floating] | float, float, float]
"""Height z, kind, alpha of a ring of corners."""


def _whole(rings: Sequence[tuple[int, Sequence[_Row]]]) -> Shape:
    """Strips between neighbouring rows, given as (columns, rows); the first is drawn first."""
    tables, parts, sectors, start = [], [], [], 0
    for columns, rows in rings:
        table = _rows(columns, rows)
        triangles, own = _strips(columns, len(rows))
        tables.append(table)
        parts.append(triangles + np.uint32(start))
        sectors.append(own)
        start += len(table)
    table = np.concatenate(tables)
    return Shape(table, _celled(table, np.concatenate(parts), np.concatenate(sectors)))


def _along(ridges: Float32, u: NDArray[np.floating], v: float) -> Float32:
    """The noise where a texture of it would be read at (u, v)."""
    height, width = ridges.shape
    x, y = u * width - 0.5, v * height - 0.5
    column, row = np.floor(x).astype(np.intp), int(np.floor(y))
    px, py = x - column, y - row
    two = ridges[[row % height, (row + 1) % height]]
    line = two[0] * (1 - py) + two[1] * py
    return np.asarray(line[column % width] * (1 - px) + line[(column + 1) % width] * px, np.float32)


def _rows(columns: int, rows: Sequence[_Row]) -> Float32:
    """Corners (len(rows) * columns, 5) of rings around the eye, each at a height z, with a kind and an alpha."""
    angle = np.arange(columns) * (2 * np.pi / columns)
    table = np.empty((len(rows), columns, 5), np.float32)
    for line, (z, kind, alpha) in zip(table, rows, strict=True):
        flat = np.sqrt(np.maximum(1.0 - np.square(z), 0.0))
        line[:, 0], line[:, 1], line[:, 2] = np.cos(angle) * flat, np.sin(angle) * flat, z
        line[:, 3], line[:, 4] = kind, alpha
    return table.reshape(-1, 5)


def _strips(columns: int, rows: int) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """Triangles (T, 3) between neighbouring rings, seen from inside, and the sector of each."""
    row, column = np.divmod(np.arange((rows - 1) * columns), columns)
    a, b = row * columns + column, row * columns + (column + 1) % columns
    c, d = a + columns, b + columns
    triangles = np.stack((np.stack((a, c, b), -1), np.stack((b, c, d), -1)), axis=1).reshape(-1, 3)
    return triangles.astype(np.uint32), np.repeat(column * SECTORS // columns, 2)


def _celled(table: Float32, triangles: NDArray[np.uint32], sectors: NDArray[np.intp]) -> Cells:
    """The triangles sorted by sector; within one they keep their order, in which they are drawn over one another."""
    order = np.argsort(sectors, kind="stable")
    triangles, sectors = triangles[order], sectors[order]
    if not len(triangles):
        nothing = np.zeros((0, 3), np.float32)
        return Cells(triangles, np.zeros(1, np.intp), nothing, nothing)
    first = np.flatnonzero(np.diff(sectors, prepend=-1))
    corners = table[triangles.astype(np.intp), :3]
    low = np.minimum.reduceat(corners.min(axis=1), first)
    high = np.maximum.reduceat(corners.max(axis=1), first)
    return Cells(triangles, np.append(first, len(triangles)), low, high)
