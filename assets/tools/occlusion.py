"""Baked ambient occlusion: how much of the sky each vertex sees, by rays through a grid of filled cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def sky_directions(count: int) -> Array:
    """(count, 3) directions spread evenly over the sphere."""
    index = np.arange(count) + 0.5
    z = 1.0 - 2.0 * index / count
    angle = np.pi * (1.0 + 5.0**0.5) * index
    flat = np.sqrt(1.0 - z * z)
    return np.stack([flat * np.cos(angle), flat * np.sin(angle), z], axis=1)


def visibility(
    positions: Array,
    normals: Array,
    triangles: Array,
    *,
    cell: float = 0.6,
    reach: float = 14.0,
    rays: int = 96,
    ground: float | None = 0.0,
) -> Array:
    """(V,) share 0..1 of the open half space above each vertex, within `reach` inches.

    Steep rays count most (cosine weight), and hits far away less than near ones. `ground` is a floor that also
    blocks, None for none.
    """
    low = positions.min(axis=0) - 2.0 * cell
    shape = np.ceil((positions.max(axis=0) + 2.0 * cell - low) / cell).astype(int)
    filled = np.zeros(shape, bool)
    corners = positions[triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    for steps in np.unique(np.ceil(longest / (cell * 0.5)).astype(int)):
        chosen = corners[np.ceil(longest / (cell * 0.5)).astype(int) == steps]
        grid = np.array([(i, j) for i in range(steps + 1) for j in range(steps + 1 - i)], float) / max(
            steps, 1
        )
        mix = np.column_stack([grid, 1.0 - grid.sum(axis=1)])
        samples = np.einsum("gk,tkd->tgd", mix, chosen).reshape(-1, 3)
        filled[tuple(((samples - low) / cell).astype(int).T)] = True
    directions = sky_directions(rays)
    facing = normals @ directions.T
    weight = np.clip(facing, 0.0, None)
    starts = positions + normals * (cell * 1.6)
    blocked = np.zeros_like(weight)
    for step in np.arange(0.5, reach / cell):
        distance = step * cell
        places = starts[:, None, :] + directions[None] * distance
        cells = ((places - low) / cell).astype(int)
        inside = np.all((cells >= 0) & (cells < shape), axis=2)
        cells = np.clip(cells, 0, shape - 1)
        hit = inside & filled[cells[..., 0], cells[..., 1], cells[..., 2]]
        if ground is not None:
            hit |= places[..., 2] < ground
        blocked = np.maximum(blocked, hit * (1.0 - 0.75 * distance / reach))
    return 1.0 - (weight * blocked).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-9)
