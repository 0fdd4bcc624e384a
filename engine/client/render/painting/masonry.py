"""Walls, roofs and paving: plaster, brick, concrete, stone, tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.client.render.noise import Plane, cells, smooth, spectral, step
from engine.client.render.painting.core import (
    TILE,
    Colour,
    Surface,
    blotches,
    grid,
    mix,
    rgb,
    tinted,
)


def plaster(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 40, size / 3, 0.6)
    trowel = spectral(size, seed + 1, 3, 40, 1.1, 0.5)
    stain = step(0.5, 2.2, spectral(size, seed + 2, 1, 14, 1.5))
    worn = step(1.35, 1.6, spectral(size, seed + 3, 2, 60, 1.25))
    crack = 1 - step(0.0, 0.05, np.abs(spectral(size, seed + 4, 2, 40, 1.5)))
    crack *= step(0.7, 1.3, spectral(size, seed + 5, 1, 8, 1.0))
    colour = tinted(base, blotches(size, seed + 6, 0.035) + 0.022 * grain + 0.018 * trowel)
    colour = mix(colour, colour * rgb((232, 206, 176)), stain * 0.55)
    colour = mix(colour, tinted((150, 144, 132), 0.92 + 0.06 * grain), worn * 0.8)
    colour *= (1 - 0.34 * crack)[..., None]
    height = 0.05 * trowel + 0.035 * grain - 0.5 * smooth(worn, 2) - 0.3 * crack
    return Surface(colour, height)


def _bond(size: int, rows: int, across: int) -> tuple[Plane, Plane, NDArray[np.int32]]:
    """Running bond: distance in inches from the joint along x and y, and the number of the brick."""
    x, y = grid(size)
    row = (y * rows).astype(np.int32)
    u = x * across + 0.5 * (row % 2)
    brick = row * across + u.astype(np.int32) % across
    fx, fy = u % 1.0, (y * rows) % 1.0
    to_x = np.minimum(fx, 1 - fx) * (TILE / across)
    to_y = np.minimum(fy, 1 - fy) * (TILE / rows)
    return to_x.astype(np.float32), to_y.astype(np.float32), brick


def brick(size: int, seed: int, base: Colour) -> Surface:
    rng = np.random.default_rng(seed)
    rows, across = 24, 8
    to_x, to_y, brick = _bond(size, rows, across)
    wobble = 0.16 * spectral(size, seed + 1, 4, 60, 0.9)
    edge = np.minimum(to_x, to_y) + wobble
    face = step(0.25, 0.6, edge)
    each = rng.normal(0, 1, rows * across).astype(np.float32)
    hue = rng.normal(0, 1, (rows * across, 3)).astype(np.float32) * np.array((0.02, 0.014, 0.012), np.float32)
    grain = spectral(size, seed + 2, 24, size / 3, 0.7)
    tone = 1 + 0.13 * each[brick] + 0.05 * grain + 0.05 * spectral(size, seed + 3, 1, 8, 1.2)
    bricks = tinted(base, tone) + hue[brick]
    dark = (each > 1.5)[brick].astype(np.float32)
    bricks = mix(bricks, tinted((92, 66, 60), 1 + 0.05 * grain), dark * 0.7)
    bricks *= (1 + 0.08 * step(0.5, 0.8, edge) * (1 - step(0.9, 1.6, edge)))[..., None]
    mortar = tinted((168, 156, 136), 0.88 + 0.06 * grain)
    soot = step(0.3, 2.2, spectral(size, seed + 4, 1, 6, 1.4))
    colour = mix(mortar, bricks, face) * (1 - 0.16 * soot)[..., None]
    height = 0.42 * face + 0.05 * grain * face + 0.1 * each[brick] * face
    return Surface(colour, smooth(height, 1))


def tiles(size: int, seed: int, base: Colour, rows: int, across: int, round_: float) -> Surface:
    """Roof courses: each lies on the one below, with its lower edge in the light."""
    rng = np.random.default_rng(seed)
    x, y = grid(size)
    row = (y * rows).astype(np.int32)
    u = x * across + 0.5 * (row % 2)
    tile = row * across + u.astype(np.int32) % across
    fx, fy = (u % 1.0).astype(np.float32), ((y * rows) % 1.0).astype(np.float32)
    each = rng.normal(0, 1, rows * across).astype(np.float32)[tile]
    grain = spectral(size, seed + 1, 20, size / 3, 0.7)
    moss = step(1.0, 1.9, spectral(size, seed + 2, 2, 40, 1.1))
    side = step(0.012, 0.06, np.minimum(fx, 1 - fx))
    lip = step(0.9, 0.985, fy)
    dome = np.sqrt(np.clip(1 - (2 * fx - 1) ** 2, 0, 1))
    colour = tinted(base, 1 + 0.1 * each + 0.05 * grain + 0.03 * spectral(size, seed + 3, 1, 6, 1.2))
    colour = mix(colour, tinted((104, 104, 70), 1 + 0.08 * grain), moss * 0.55)
    colour *= (0.55 + 0.45 * side)[..., None] * (1 - 0.5 * lip)[..., None] * (0.93 + 0.1 * fy)[..., None]
    height = 0.9 * fy * (1 - lip) + round_ * dome + 0.06 * grain - 0.3 * (1 - side)
    return Surface(np.asarray(colour, np.float32), np.asarray(height, np.float32))


def concrete(size: int, seed: int, base: Colour, slabs: int = 1) -> Surface:
    at = (np.arange(size, dtype=np.float32) + 0.5) / size * slabs % 1.0
    x, y = np.meshgrid(at, at)
    nearest = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    joint = np.asarray(nearest * (TILE / slabs), np.float32)
    seam = 1 - step(0.15, 0.5, joint)
    grain = spectral(size, seed, 50, size / 2, 0.4)
    near, _, owner = cells(size, seed + 1, 40)
    holes = (np.random.default_rng(seed).random(1600) < 0.13)[owner].astype(np.float32)
    pit = (1 - step(0.06, 0.16, near)) * holes
    stain = step(0.2, 2.2, spectral(size, seed + 2, 1, 30, 1.4))
    drip = step(0.3, 2.0, spectral(size, seed + 3, 2, 40, 1.0, 0.2))
    crack = 1 - step(0.0, 0.04, np.abs(spectral(size, seed + 4, 1, 30, 1.6)))
    crack *= step(0.4, 1.2, spectral(size, seed + 5, 1, 6, 1.0))
    tone = blotches(size, seed + 6, 0.04) + 0.035 * grain - 0.1 * stain - 0.05 * drip
    colour = tinted(base, tone) * (1 - 0.4 * pit - 0.45 * crack)[..., None] * (1 - 0.4 * seam)[..., None]
    return Surface(np.asarray(colour, np.float32), 0.05 * grain - 0.3 * pit - 0.4 * seam - 0.25 * crack)


def cobbles(size: int, seed: int, base: Colour) -> Surface:
    rng = np.random.default_rng(seed)
    _, border, owner = cells(size, seed, 14)
    each = rng.normal(0, 1, 196).astype(np.float32)[owner]
    grain = spectral(size, seed + 1, 20, size / 3, 0.7)
    stone = step(0.05, 0.22, border)
    stones = tinted(base, 1 + 0.1 * each + 0.06 * grain)
    colour = mix(tinted((110, 100, 82), 0.85 + 0.08 * grain), stones, stone)
    return Surface(colour, np.asarray(1.1 * np.sqrt(np.clip(border, 0, 0.6)) + 0.06 * grain, np.float32))


def flagstones(size: int, seed: int, base: Colour) -> Surface:
    """Laid stones of uneven size: courses of different heights, cut at different lengths."""
    rng = np.random.default_rng(seed)
    x, y = grid(size)
    wobble = spectral(size, seed + 1, 2, 24, 1.0) * 0.004
    courses = np.cumsum(rng.uniform(0.7, 1.5, 7))
    edges = np.concatenate(([0.0], courses / courses[-1])).astype(np.float32)
    row = np.clip(np.searchsorted(edges, np.clip(y + wobble, 0, 0.99999), side="right") - 1, 0, 6)
    to_y = np.minimum(y + wobble - edges[row], edges[row + 1] - y - wobble)
    to_x = np.zeros_like(to_y)
    stone = np.zeros((size, size), np.int32)
    for course in range(7):
        cuts = np.cumsum(rng.uniform(0.6, 1.7, 5))
        cuts = (cuts / cuts[-1]).astype(np.float32)
        shift = np.float32(rng.random())
        along = (x + wobble.T + shift) % 1.0
        number = np.searchsorted(cuts, np.clip(along, 0, 0.99999), side="right")
        starts = np.concatenate(([np.float32(0)], cuts))
        distance = np.minimum(along - starts[number], cuts[np.minimum(number, 4)] - along)
        here = row == course
        to_x[here], stone[here] = distance[here], (course * 5 + number)[here]
    joint = np.minimum(to_x, to_y) * TILE
    face = step(0.25, 0.8, np.asarray(joint + 0.15 * spectral(size, seed + 2, 10, 90, 0.8), np.float32))
    each = rng.normal(0, 1, 40).astype(np.float32)[stone]
    grain = spectral(size, seed + 3, 20, size / 2, 0.6)
    moss = step(0.2, 1.4, spectral(size, seed + 4, 2, 40, 1.0)) * (
        1 - step(0.6, 3.0, np.asarray(joint, np.float32))
    )
    stones = tinted(base, 1 + 0.1 * each + 0.05 * grain + 0.05 * spectral(size, seed + 5, 2, 20, 1.0))
    colour = mix(tinted((112, 100, 80), 0.9 + 0.06 * grain), stones, face)
    colour = mix(colour, tinted((92, 100, 58), 0.9 + 0.08 * grain), moss * 0.7)
    height = 0.5 * face + 0.06 * grain + 0.08 * each * face
    return Surface(colour, smooth(np.asarray(height, np.float32), 1))


def cut_stone(size: int, seed: int, base: Colour) -> Surface:
    """Quiet sandstone for kerbs, copings and sills: no joints, since its pieces are small."""
    grain = spectral(size, seed, 40, size / 2, 0.4)
    bands = spectral(size, seed + 1, 2, 30, 1.0, 3.0)
    chips = step(1.5, 2.2, spectral(size, seed + 2, 6, 90, 0.9))
    colour = tinted(base, 1 + 0.035 * grain + 0.03 * bands) * (1 - 0.22 * chips)[..., None]
    return Surface(np.asarray(colour, np.float32), 0.04 * grain + 0.03 * bands - 0.3 * smooth(chips, 2))
