"""Tiling noise in NumPy: every array repeats without a seam when it is laid side by side.

Arrays are (S, S) float32; a seed gives the same picture on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


def spectral(
    size: int, seed: int, low: float, high: float, slope: float = 1.0, stretch: float = 1.0
) -> Plane:
    """Noise of the waves between `low` and `high` per side, the long ones stronger by 1 / f ** slope.

    `stretch` above 1 draws it out along x, as wood grain. The result has mean 0 and deviation 1. Made by
    filtering white noise with an FFT, so it tiles by itself.
    """
    rng = np.random.default_rng(seed)
    spectrum = np.fft.rfft2(rng.standard_normal((size, size)))
    fy = np.fft.fftfreq(size, 1 / size)[:, None]
    fx = np.fft.rfftfreq(size, 1 / size)[None, :] * stretch
    f = np.hypot(fx, fy)
    keep = np.where((f >= low) & (f <= high), 1.0 / np.maximum(f, 1e-3) ** slope, 0.0)
    plane = np.fft.irfft2(spectrum * keep, (size, size))
    return np.asarray(plane / (plane.std() + 1e-9), dtype=np.float32)


def cells(size: int, seed: int, across: int) -> tuple[Plane, Plane, NDArray[np.int32]]:
    """Pebbles: `across` cells a side with jittered centres.

    Returns the distance to the nearest centre, the distance to the border with the next cell (both in cells)
    and the number of the nearest cell.
    """
    rng = np.random.default_rng(seed)
    jitter = rng.uniform(0.12, 0.88, (across, across, 2)).astype(np.float32)
    at = (np.arange(size, dtype=np.float32) + 0.5) * (across / size)
    x, y = np.meshgrid(at, at)
    column, row = x.astype(np.int32), y.astype(np.int32)
    first = np.full((size, size), 9.0, np.float32)
    second = first.copy()
    owner = np.zeros((size, size), np.int32)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            c, r = column + dx, row + dy
            centre = jitter[r % across, c % across]
            distance = np.hypot(c + centre[..., 0] - x, r + centre[..., 1] - y)
            nearer = distance < first
            second = np.where(nearer, first, np.minimum(second, distance))
            owner = np.where(nearer, (r % across) * across + c % across, owner)
            first = np.where(nearer, distance, first)
    return first, second - first, owner


def smooth(plane: Plane, passes: int = 1) -> Plane:
    """A small tiling blur, `passes` times."""
    for _ in range(passes):
        for axis in (0, 1):
            plane = (np.roll(plane, 1, axis) + 2 * plane + np.roll(plane, -1, axis)) * np.float32(0.25)
    return plane


def step(low: float, high: float, plane: Plane) -> Plane:
    """0 below `low`, 1 above `high`, and a soft ramp between."""
    t = np.clip((plane - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t), dtype=np.float32)
