"""Triangles in squares of the ground, so that what is out of view costs nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32

CELL = 512.0
"""Inches a side of a square. Triangles that are longer than two of them are a cell of their own."""

SLACK = 0.1
"""Inches by which a box may be outside of a view and count as inside: more than what single precision loses."""

BRIDGE = 100
"""Triangles out of view that are drawn along where that saves a call."""

Flags = NDArray[np.bool_]

Run = tuple[int, int, int]
"""The kind of some triangles that follow one another, the first, and how many they are."""


@dataclass(frozen=True, eq=False)
class Cells:
    """indices (T, 3): the triangles of a cell are neighbours. starts (C + 1,): the first triangle of each cell.
    middles, halves (C, 3): of the boxes around them, the middle and half the sides."""

    indices: NDArray[np.uint32]
    starts: NDArray[np.intp]
    middles: Float32
    halves: Float32

    def inside(self, planes: Float32) -> Flags:
        """(C,) whether a cell may be inside of all planes (K, 4)."""
        normals = planes[:, :3].T
        # Of a box only the corner farthest along a plane's normal has to be looked at.
        farthest = self.middles @ normals + self.halves @ np.abs(normals)
        return np.asarray((farthest >= -planes[:, 3] - SLACK).all(axis=1))

    def runs(self, seen: Flags, kinds: NDArray[np.integer] | int = 0) -> list[Run]:
        """The cells seen (C,); neighbours of one kind (C,) come as one, with a few others between them."""
        cells = np.flatnonzero(seen)
        if not len(cells):
            return []
        kinds = np.broadcast_to(kinds, seen.shape)[cells]
        firsts, ends = self.starts[cells], self.starts[cells + 1]
        apart = (kinds[1:] != kinds[:-1]) | (firsts[1:] - ends[:-1] > BRIDGE)
        begins, stops = np.append(0, np.flatnonzero(apart) + 1), np.append(apart, True)
        firsts = firsts[begins]
        return list(
            zip(kinds[begins].tolist(), firsts.tolist(), (ends[stops] - firsts).tolist(), strict=True)
        )


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
    return Cells(
        indices[order],
        np.append(first, len(indices)),
        np.float32(0.5) * (low + high),
        np.float32(0.5) * (high - low),
    )
