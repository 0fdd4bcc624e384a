"""The one palette of the game: about ten colours, sRGB 0..255, and the few ways in which they may be varied.

Saturated red and white belong to things that matter (targets, damage, the score); all else is earth and
cloth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Color = tuple[float, float, float]

SAND: Color = (196, 172, 128)
PLASTER: Color = (219, 205, 178)
WOOD: Color = (124, 96, 68)
BRICK: Color = (150, 88, 66)
SLATE: Color = (82, 88, 98)
OLIVE: Color = (98, 100, 62)
FIELD_GREY: Color = (98, 108, 104)
RUST: Color = (138, 78, 46)
SIGNAL_RED: Color = (196, 44, 36)
PAPER: Color = (236, 230, 214)

# Derived tones that more than one model needs; each is one of the ten, darker or mixed.
SKIN: Color = (190, 140, 108)
LEATHER: Color = (74, 54, 40)
GUNMETAL: Color = (52, 54, 58)
CANVAS: Color = (136, 124, 88)
LEAF: Color = (92, 104, 56)


def mix(a: ArrayLike, b: ArrayLike, amount: float) -> Color:
    """`a` where amount is 0, `b` where it is 1."""
    first, second = np.asarray(a, float), np.asarray(b, float)
    red, green, blue = first + (second - first) * amount
    return float(red), float(green), float(blue)


def shade(color: ArrayLike, factor: float) -> Color:
    """The colour times a factor: below 1 darker, above 1 lighter, clamped to 0..255."""
    red, green, blue = np.clip(np.asarray(color, float) * factor, 0.0, 255.0)
    return float(red), float(green), float(blue)


def to_linear(srgb: ArrayLike) -> NDArray[np.float64]:
    """sRGB 0..255 to linear 0..1."""
    value = np.clip(np.asarray(srgb, float) / 255.0, 0.0, 1.0)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
