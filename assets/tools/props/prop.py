"""What a prop is made of before it is written, and how it is finished: normals, occlusion, worn edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.occlusion import visibility
from assets.tools.shapes import Finished, Shape, finish

Array = NDArray[Any]

UNDERSIDE = -0.7
"""z of normals below which a surface counts as the underside of a thing."""


@dataclass
class Leaves:
    """Thin triangles seen from both sides, with normals of their own: a crown is lit as one round body.

    positions, normals and colors are (3 N, 3), three corners a leaf.
    """

    positions: Array
    normals: Array
    colors: Array


@dataclass
class Prop:
    """The parts of one model. ``glow`` shapes shine by themselves; ``reach`` is how far occlusion looks."""

    shapes: list[Shape]
    glow: list[Shape] = field(default_factory=list)
    leaves: Leaves | None = None
    cell: float = 1.2
    reach: float = 18.0
    ground: float | None = 0.0


def write(prop: Prop, name: str, glb: GlbWriter) -> int:
    """Puts the prop into a file and gives its number of triangles."""
    root = glb.add_node(name)
    paint = glb.add_material("paint", roughness=0.9)
    done = finish(prop.shapes)
    seen = sky_seen(prop, done)
    primitives = [
        Primitive(
            done.positions,
            done.normals,
            done.triangles,
            colors=shaded_colors(done.colors, seen),
            material=paint,
        )
    ]
    count = len(done.triangles)
    if prop.glow:
        shine = glb.add_material("glow", emissive=(255, 214, 150))
        lit = finish(prop.glow)
        primitives.append(
            Primitive(lit.positions, lit.normals, lit.triangles, colors=lit.colors, material=shine)
        )
        count += len(lit.triangles)
    if prop.leaves is not None:
        leaf = glb.add_material("leaf", double_sided=True)
        corners = np.arange(len(prop.leaves.positions)).reshape(-1, 3)
        primitives.append(
            Primitive(
                prop.leaves.positions, prop.leaves.normals, corners, colors=prop.leaves.colors, material=leaf
            )
        )
        count += len(corners)
    glb.add_mesh(root, primitives)
    return count


def sky_seen(prop: Prop, done: Finished) -> Array:
    """The share of the sky that each corner sees. The ground darkens the sides near it and never an underside: as
    long as the thing stands nobody sees that, and once it tumbles it is in the open."""

    def over(ground: float | None) -> Array:
        return visibility(
            done.positions, done.normals, done.triangles, cell=prop.cell, reach=prop.reach, ground=ground
        )

    if prop.ground is None:
        return over(None)
    return np.where(done.normals[:, 2] < UNDERSIDE, over(None), over(prop.ground))


def shaded_colors(colors: Array, seen: Array) -> Array:
    """Hidden places darker, and a little bluer, since what light they get comes from the sky."""
    share = np.clip(seen, 0.0, 1.0)[:, None]
    tint = np.array([0.42, 0.46, 0.54])
    return colors * (tint + (1.0 - tint) * share**0.8)


def varied(shape: Shape, rng: np.random.Generator, amount: float = 0.06) -> Shape:
    """The shape a little lighter or darker as a whole, so that no two boards are equal."""
    factor = 1.0 + rng.uniform(-amount, amount)
    return shape.painted(lambda _, colors: colors * factor)


def worn(shape: Shape, top: float = 1.06, foot: float = 0.86, height: float | None = None) -> Shape:
    """Lighter towards the top, dirtier at the foot."""
    high = float(shape.positions[:, 2].max()) if height is None else height

    def paint(positions: Array, colors: Array) -> Array:
        share = np.clip(positions[:, 2:3] / max(high, 1e-6), 0, 1)
        return colors * (foot + (top - foot) * share)

    return shape.painted(paint)


def joined(*groups: Shape | Sequence[Shape]) -> list[Shape]:
    """Shapes and lists of shapes in one list."""
    flat: list[Shape] = []
    for group in groups:
        flat += [group] if isinstance(group, Shape) else list(group)
    return flat
