"""Large triangles cut along the squares of a grid: what a square does not need can be left out of its pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32

MOST = 20000
"""Pieces that are made at most; a level that would need more has its squares made larger."""


def cut(table: Float32, triangles: NDArray[np.uint32], size: float) -> tuple[Float32, NDArray[np.uint32]]:
    """Cuts triangles (T, 3) over corners (V, K) whose first three columns are their places, along x and y.

    All columns are interpolated. Triangles that are no longer than two squares stay whole.
    """
    corners = table[triangles.astype(np.intp)]
    spans = np.ptp(corners[:, :, :2], axis=1)
    large = spans.max(axis=1) > 2 * size
    while (np.prod(spans[large] / size + 1.0, axis=1)).sum() > MOST:
        size *= 2
        large = spans.max(axis=1) > 2 * size
    added: list[Float32] = []
    faces: list[tuple[int, int, int]] = []
    start = len(table)
    for triangle in corners[large]:
        for strip in _slices([*triangle.astype(np.float64)], 0, size):
            for piece in _slices(strip, 1, size):
                added.append(np.asarray(piece, np.float32))
                faces.extend((start, start + i, start + i + 1) for i in range(1, len(piece) - 1))
                start += len(piece)
    if not faces:
        return table, triangles
    return np.concatenate((table, *added)), np.concatenate((triangles[~large], np.array(faces, np.uint32)))


_Polygon = list[NDArray[np.float64]]


def _slices(polygon: _Polygon, axis: int, size: float) -> list[_Polygon]:
    """A convex polygon in slices between the planes at whole multiples of `size` across an axis."""
    slices = []
    while True:
        places = [corner[axis] for corner in polygon]
        plane = (np.floor(min(places) / size + 1e-6) + 1.0) * size
        if max(places) <= plane + 1e-6 * size:
            slices.append(polygon)
            return slices
        below, polygon = _halves(polygon, axis, plane)
        slices.append(below)


def _halves(polygon: _Polygon, axis: int, plane: float) -> tuple[_Polygon, _Polygon]:
    """The parts of a convex polygon below and above a plane."""
    below: _Polygon = []
    above: _Polygon = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        side, following = a[axis] - plane, b[axis] - plane
        if side <= 0:
            below.append(a)
        if side >= 0:
            above.append(a)
        if side * following < 0:
            # From the same end whichever way the edge runs, so that neighbours get the same corner.
            (low, d), (high, e) = (
                ((a, side), (b, following)) if side < following else ((b, following), (a, side))
            )
            middle = low + (high - low) * (d / (d - e))
            middle[axis] = plane
            below.append(middle)
            above.append(middle)
    return below, above
