"""What every painter of surfaces shares: the palette, the size of a tile, and mixing of colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.noise import Plane, spectral

TILE = 128.0
"""Inches that one repeat of a surface covers."""

Colour = tuple[int, int, int]
Planes = NDArray[np.float32]

PALETTE: dict[str, Colour] = {
    "sand": (196, 172, 128),
    "plaster": (219, 205, 178),
    "wood": (124, 96, 68),
    "brick": (150, 88, 66),
    "slate": (82, 88, 98),
    "olive": (98, 100, 62),
    "field_grey": (98, 108, 104),
    "rust": (138, 78, 46),
    "red": (196, 44, 36),
    "paper": (236, 230, 214),
}
"""The one palette of the game, sRGB 0..255; everything else is one of these, darker or mixed."""


@dataclass(frozen=True, eq=False)
class Surface:
    """colour (S, S, 3) sRGB 0..1 float32, height (S, S) in inches, shine 0..1 (how much the sun glints)."""

    colour: Planes
    height: Plane
    shine: float = 0.0


def rgb(colour: Colour) -> Planes:
    return np.asarray(colour, np.float32) / np.float32(255.0)


def tinted(base: Colour, shade: Plane) -> Planes:
    """`base` made lighter and darker by `shade`, around 1."""
    return np.asarray(rgb(base)[None, None, :] * shade[..., None], np.float32)


def mix(a: Planes, b: Planes, t: Plane) -> Planes:
    return np.asarray(a + (b - a) * t[..., None], np.float32)


def darker(colour: Planes, amount: Plane) -> Planes:
    """`colour` less `amount` (0..1) of itself."""
    return np.asarray(colour * (1 - amount)[..., None], np.float32)


def grid(size: int) -> tuple[Plane, Plane]:
    """(x, y) of every pixel's middle, 0..1."""
    at = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
    x, y = np.meshgrid(at, at)
    return x, y


def blotches(size: int, seed: int, depth: float) -> Plane:
    return np.asarray(1 + depth * spectral(size, seed, 1, 10, 1.3), np.float32)
