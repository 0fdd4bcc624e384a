"""What the pixels of each square of a level have to reckon with in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.cells import Cells, Flags
from engine.client.render.light_space import light_axes
from engine.client.render.scene import Float32, Light
from engine.world.view import Vector

AIR, LIT, SHADED, FINE = 1, 2, 4, 8
"""It is far enough for haze, a lamp reaches it, a shadow of something that moves may fall on it; the haze changes so
much over it that its corners will not do."""

NEEDS = 16
EVERYTHING = AIR | LIT | SHADED | FINE

STEEP = 0.2
"""Of the inches over which the air thickens: how large a square may be for haze at its corners. The error is at most
0.56 times the square of that, a fiftieth."""

Needs = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Surroundings:
    """What a picture has in it besides the level.

    eye      (3,)
    clear    inches around it in which the air cannot be seen, and thickens, inches from there to where it is thickest
    lights   those that are drawn
    sun      unit vector towards it
    centres  (N, 3) and radii (N,): spheres around what throws shadows and moves
    """

    eye: Float32
    clear: float
    thickens: float
    lights: list[Light]
    sun: Vector
    centres: Float32
    radii: Float32


def needs(cells: Cells, seen: Flags, around: Surroundings) -> Needs:
    """(C,) of every cell; 0 for one that is not seen."""
    middle, half = cells.middles[seen], cells.halves[seen]
    far = np.abs(middle - around.eye) + half
    hazy = np.einsum("ij,ij->i", far, far) > max(around.clear, 0.0) ** 2
    wide = np.einsum("ij,ij->i", half, half) > (STEEP * around.thickens / 2) ** 2
    found = np.where(hazy, np.where(wide, AIR | FINE, AIR), 0).astype(np.uint8)
    for light in around.lights:
        gap = np.maximum(np.abs(middle - np.asarray(light.position, np.float32)) - half, 0.0)
        found[np.einsum("ij,ij->i", gap, gap) < light.radius**2] |= LIT
    found[_shaded(middle, half, around)] |= SHADED
    every = np.zeros(len(seen), np.uint8)
    every[seen] = found
    return every


def _shaded(middle: NDArray[np.floating], half: NDArray[np.floating], around: Surroundings) -> Flags:
    """Whether a box is somewhere behind one of the spheres, as the sun sees them."""
    axes = light_axes(around.sun).T.astype(np.float32)
    boxes, reach = middle @ axes, half @ np.abs(axes)
    spheres = around.centres @ axes
    hit = (boxes + reach)[:, 2, None] > spheres[:, 2] - around.radii
    for axis in (0, 1):
        hit &= np.abs(boxes[:, axis, None] - spheres[:, axis]) < reach[:, axis, None] + around.radii
    return np.asarray(hit.any(axis=1))
