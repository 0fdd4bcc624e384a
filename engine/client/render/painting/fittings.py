"""What is made: sheet metal, window glass, cloth, plain paint."""

from __future__ import annotations

import numpy as np

from engine.client.render.noise import spectral, step
from engine.client.render.painting.core import (
    PALETTE,
    TILE,
    Colour,
    Surface,
    blotches,
    grid,
    mix,
    rgb,
    tinted,
)


def metal(size: int, seed: int, base: Colour, ribs: int = 0, rusty: float = 0.0) -> Surface:
    """Sheet, corrugated where `ribs` says how many waves a tile; `rusty` 0..1 is how far the rust has got."""
    x, _ = grid(size)
    wave = np.cos(2 * np.pi * ribs * x).astype(np.float32) if ribs else np.zeros((size, size), np.float32)
    grain = spectral(size, seed, 30, size / 2, 0.5)
    streak = spectral(size, seed + 1, 2, 60, 0.8, 0.12)
    patch = spectral(size, seed + 2, 2, 120, 1.1) + 0.45 * streak
    rust = step(0.75 - rusty, 1.7 - rusty, patch)
    sheet = tinted(base, 1 + 0.03 * grain + 0.05 * streak + 0.07 * wave)
    oxide = tinted(
        PALETTE["rust"], 0.92 + 0.12 * spectral(size, seed + 3, 3, 90, 0.9) + 0.05 * grain + 0.06 * wave
    )
    return Surface(mix(sheet, oxide, rust * np.float32(0.85)), 0.8 * wave + 0.04 * grain + 0.1 * rust, 0.3)


def window(size: int, seed: int, base: Colour) -> Surface:
    """Four panes seen from outside: dark, with a slanting gleam of the sky, in a painted frame."""
    x, y = grid(size)
    bar = np.minimum(np.minimum(x, 1 - x), np.abs(x - 0.5) + 0.012)
    bar = np.minimum(bar, np.minimum(np.minimum(y, 1 - y), np.abs(y - 0.5) + 0.012))
    frame = 1 - step(0.035, 0.045, np.asarray(bar, np.float32))
    slant = spectral(size, seed, 1, 8, 1.2) * 0.08
    gleam = step(0.1, 0.5, np.asarray(np.sin((x * 0.9 + y * 1.3 + slant) * 7.5), np.float32)) * (1 - y)
    dirt = spectral(size, seed + 1, 8, 200, 0.8)
    glass = mix(
        tinted(base, 1 + 0.05 * dirt), tinted((138, 156, 170), 1 + 0.03 * dirt), gleam * np.float32(0.42)
    )
    wood = tinted((148, 138, 116), 1 + 0.05 * dirt)
    return Surface(mix(glass, wood, frame), np.asarray(0.9 * frame, np.float32), 0.55)


def plain(size: int, seed: int, base: Colour) -> Surface:
    grain = spectral(size, seed, 30, size / 2, 0.5)
    return Surface(tinted(base, blotches(size, seed + 1, 0.03) + 0.02 * grain), 0.03 * grain)


def cloth(size: int, seed: int, base: Colour) -> Surface:
    x, y = grid(size)
    weave = np.sin(x * 2 * np.pi * 96) * np.sin(y * 2 * np.pi * 96)
    fold = spectral(size, seed, 1, 14, 1.2, 0.4)
    colour = tinted(base, np.asarray(1 + 0.05 * weave + 0.05 * fold, np.float32))
    return Surface(colour, np.asarray(0.03 * weave + 0.25 * fold, np.float32))


def lettered(size: int, seed: int, letters: np.ndarray, ink: Colour) -> Surface:
    """A paper-coloured board with `letters` (S, S) 0..1 painted on it and worn a little."""
    grain = spectral(size, seed, 20, size / 2, 0.6, 6.0)
    worn = step(1.1, 1.7, spectral(size, seed + 1, 4, 90, 0.9))
    board = tinted(PALETTE["paper"], 0.94 + 0.03 * grain + 0.03 * spectral(size, seed + 2, 1, 10, 1.2))
    board = np.asarray(board * (1 - 0.12 * worn)[..., None], np.float32)
    x, y = grid(size)
    rim = 1 - step(
        0.018, 0.03, np.asarray(np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y)), np.float32)
    )
    paint = np.clip(letters * (1 - 0.6 * worn), 0, 1).astype(np.float32)
    colour = mix(board, np.broadcast_to(rgb(ink), board.shape), paint * np.float32(0.94))
    colour = mix(colour, np.broadcast_to(rgb((92, 76, 58)), board.shape), rim)
    return Surface(colour, np.asarray(0.04 * grain + 4.0 / TILE * rim, np.float32))
