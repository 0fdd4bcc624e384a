"""Wood: boards, beams, bark and the ends of logs. Boards and grain run along v, upright on a wall."""

from __future__ import annotations

import numpy as np

from engine.client.render.noise import spectral, step
from engine.client.render.painting.core import TILE, Colour, Surface, darker, grid, mix, tinted


def planks(
    size: int, seed: int, base: Colour, boards: int = 13, paint: Colour | None = None, grey: float = 0.5
) -> Surface:
    """Boards side by side, each of its own tone, weathered towards `grey` (0..1), nailed and sometimes butted."""
    rng = np.random.default_rng(seed)
    x, _ = grid(size)
    board = (x * boards).astype(np.int32)
    across = (x * boards) % 1.0
    gap = np.minimum(across, 1 - across) * (TILE / boards)
    shift = rng.integers(0, size, boards)[board]
    row = (np.arange(size)[:, None] + shift) % size
    column = np.arange(size)[None, :]
    grain = spectral(size, seed + 1, 3, size / 2, 0.55, 14.0).T[row, column]
    fibre = spectral(size, seed + 2, 30, size / 2, 0.3, 22.0).T[row, column]
    butt = (row / size + 0.37) % 1.0
    joint = np.minimum(butt, 1 - butt) * TILE
    seam = 1 - step(0.12, 0.4, np.minimum(gap, joint).astype(np.float32))
    each = rng.normal(0, 1, boards).astype(np.float32)[board]
    weather = step(-0.6, 1.6, spectral(size, seed + 3, 1, 16, 1.2))
    wood = tinted(base, 1 + 0.09 * each + 0.1 * grain + 0.06 * fibre)
    old = tinted((138, 128, 114), 1 + 0.09 * grain + 0.07 * fibre + 0.05 * each)
    colour = mix(wood, old, weather * np.float32(grey))
    if paint is not None:
        flake = step(0.9, 1.3, spectral(size, seed + 4, 3, 90, 1.0, 4.0).T + 0.3 * fibre)
        colour = mix(tinted(paint, 1 + 0.04 * grain + 0.05 * each), colour, flake)
    nail_x = np.minimum(np.abs(across - 0.25), np.abs(across - 0.75)) * (TILE / boards)
    nail = 1 - step(0.2, 0.4, np.hypot(nail_x, np.abs(joint - 2.2)).astype(np.float32))
    colour = darker(darker(colour, 0.7 * seam), 0.5 * nail)
    height = 0.06 * grain + 0.04 * fibre + 0.08 * each - 0.5 * seam - 0.06 * nail
    return Surface(colour, np.asarray(height, np.float32))


def beam(size: int, seed: int, base: Colour) -> Surface:
    """Sawn timber with a fine straight grain and drying cracks, without joints."""
    grain = spectral(size, seed, 3, size / 2, 0.6, 16.0).T
    fibre = spectral(size, seed + 1, 40, size / 2, 0.3, 24.0).T
    check = step(1.9, 2.5, spectral(size, seed + 2, 8, 120, 0.6, 20.0).T)
    weather = step(-0.4, 1.8, spectral(size, seed + 3, 1, 12, 1.2))
    wood = tinted(base, 1 + 0.1 * grain + 0.06 * fibre)
    old = tinted((126, 114, 98), 1 + 0.08 * grain + 0.07 * fibre)
    colour = darker(mix(wood, old, weather * np.float32(0.4)), 0.55 * check)
    return Surface(colour, 0.06 * grain + 0.05 * fibre - 0.3 * check)


def bark(size: int, seed: int, base: Colour) -> Surface:
    ridge = spectral(size, seed, 4, 60, 0.7, 4.0).T
    fine = spectral(size, seed + 1, 30, size / 2, 0.4, 3.0).T
    crack = 1 - step(0.0, 0.5, np.abs(ridge))
    colour = darker(tinted(base, 1 + 0.12 * ridge + 0.08 * fine), 0.45 * crack)
    return Surface(colour, np.asarray(0.5 * np.abs(ridge) + 0.08 * fine, np.float32))


def log_end(size: int, seed: int, base: Colour) -> Surface:
    """One cut log fills the tile: rings around its middle, bark at the rim."""
    x, y = grid(size)
    wobble = 0.02 * spectral(size, seed, 1, 8, 1.2)
    r = np.hypot(x - 0.5, y - 0.5).astype(np.float32) + wobble
    rings = np.sin(r * 120 + 2 * spectral(size, seed + 1, 1, 6, 1.0)).astype(np.float32)
    angle = np.arctan2(y - 0.5, x - 0.5)
    split = np.asarray(np.abs((angle * 3 + 9 * wobble) % 2.09 - 1.0) < 0.03, np.float32) * step(0.05, 0.2, r)
    grain = spectral(size, seed + 2, 30, size / 2, 0.4)
    wood = tinted(base, np.asarray(1 + 0.06 * rings + 0.04 * grain - 0.12 * step(0.0, 0.5, r), np.float32))
    colour = mix(wood, tinted((70, 56, 44), 1 + 0.1 * grain), step(0.44, 0.47, r))
    return Surface(darker(colour, 0.4 * split), np.asarray(0.05 * rings - 0.2 * split, np.float32))
