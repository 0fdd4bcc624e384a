"""Triangles in squares of the ground, so that what is out of view costs nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32

CELL = 512.0
"""Inches a side of a square. Triangles that are longer than two of them are a cell of their own."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cells:
    """indices (T, 3): the triangles of a cell are neighbours. starts (C + 1,): the first triangle of each cell.
    low, high (C, 3): the boxes around them."""

    indices: NDArray[np.uint32]
    starts: NDArray[np.intp]
    low: Float32
    high: Float32

    def inside(self, planes: Float32) -> Flags:
        """(C,) whether a cell may be inside of all planes (K, 4)."""
        # Of a box only the corner farthest along a plane's normal has to be looked at.
        normals = planes[:, None, :3]
        corners = np.where(normals > 0, self.high, self.low)
        return np.asarray(((corners * normals).sum(axis=-1) + planes[:, 3:] >= 0).all(axis=0))

    def runs(self, chosen: Flags) -> list[tuple[int, int]]:
        """(first triangle, count) of the cells chosen (C,); neighbours come as one."""
        edges = np.flatnonzero(np.diff(chosen.astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
        firsts, ends = self.starts[edges[:, 0]], self.starts[edges[:, 1]]
        return [(int(first), int(end - first)) for first, end in zip(firsts, ends, strict=True)]


def in_cells(positions: Float32, indices: NDArray[np.uint32], size: float = CELL) -> Cells:
    """Sorts triangles (T, 3) over positions (V, 3) by the square of `size` inches that their middle is in."""
    if not len(indices):
        nothing = np.zeros((0, 3), np.float32)
        return Cells(indices, np.zeros(1, np.intp), nothing, nothing)
    corners = positions[indices.astype(np.intp)]
    square = np.floor(corners[:, :, :2].mean(axis=1) / size).astype(np.int64)
    far_and_wide = np.ptp(corners, axis=1).max(axis=1) > 2 * size
    square[far_and_wide] = square.min(axis=0) - 1
    order = np.lexsort((square[:, 1], square[:, 0]))
    square = square[order]
    first = np.flatnonzero(np.any(np.diff(square, axis=0, prepend=square[:1] - 1), axis=1))
    corners = corners[order]
    low = np.minimum.reduceat(corners.min(axis=1), first)
    high = np.maximum.reduceat(corners.max(axis=1), first)
    return Cells(indices[order], np.append(first, len(indices)), low, high)
