"""Trees with a silhouette that is read from afar, and tufts of grass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets.tools.palette import FIELD_GREY, LEAF, OLIVE, SAND, WOOD, mix, shade
from assets.tools.props.prop import Leaves, Prop
from assets.tools.rotations import unit
from assets.tools.shapes import Shape, loft, ring, tube

Array = NDArray[Any]
BARK = shade(WOOD, 0.62)


def _blob(
    rng: np.random.Generator,
    centre: Array,
    radii: tuple[float, float, float],
    color: ArrayLike,
    crown: Array,
    detail: int,
) -> Shape:
    """A lumpy ball of foliage, lighter on the outside and above, dark inside and below.

    ``detail`` is its number of rings; each has twice as many corners.
    """
    rows = []
    for i in range(1, detail + 1):
        lat = np.pi * i / (detail + 1) - np.pi / 2
        r = np.cos(lat)
        corners = 2 * detail
        points = ring(
            (0, 0, np.sin(lat)), (1, 0, 0), (0, 1, 0), (r, r, r, r), corners, 2.0, start=22 * (i % 2)
        )
        rows.append(points * rng.uniform(0.8, 1.14, (corners, 1)))
    shape = loft(np.asarray(rows), color, caps=(True, True), crease=180)
    shape = Shape(shape.positions * np.asarray(radii) + centre, shape.triangles, shape.colors, 180)

    def paint(positions: Array, colors: Array) -> Array:
        up = (positions[:, 2:3] - centre[2]) / radii[2]
        away = np.linalg.norm(positions - crown, axis=1, keepdims=True) / 150.0
        light: Array = 0.5 + 0.2 * (up + 1) / 2 + 0.22 * np.clip(away, 0, 1)
        return colors * light * rng.uniform(0.92, 1.08, (len(positions), 1))

    return shape.painted(paint)


def _fringe(
    rng: np.random.Generator,
    blobs: Sequence[tuple[Array, tuple[float, float, float]]],
    count: int,
    size: float,
    color: ArrayLike,
    rise: float,
) -> Leaves:
    """Sprays of leaves that lie on the balls of foliage and break their outline.

    A spray is one broad triangle, nearly flat on the ball, its tip bent outwards and by ``rise`` upwards.
    """
    positions: list[Array] = []
    normals: list[Array] = []
    colors: list[Array] = []
    while len(positions) < 3 * count:
        centre, radii = blobs[int(rng.integers(len(blobs)))]
        out = unit(rng.standard_normal(3) + np.array([0, 0, 0.2]))
        root = centre + out * np.asarray(radii) * rng.uniform(0.94, 1.1)
        if any(np.linalg.norm((root - c) / np.asarray(r)) < 0.92 for c, r in blobs):
            continue  # inside another ball: nobody would see it
        along = unit(np.cross(out, rng.standard_normal(3)) + out * 0.3 + np.array([0, 0, rise]))
        side = unit(np.cross(out, along))
        length = size * rng.uniform(0.7, 1.25)
        positions += [root + side * length * 0.5, root - side * length * 0.5, root + along * length]
        lit = unit(out + rng.standard_normal(3) * 0.32)
        normals += [lit, lit, unit(lit + along * 0.3)]
        paint = np.asarray(color) * (0.62 + 0.38 * (out[2] + 1) / 2) * rng.uniform(0.8, 1.16)
        colors += [paint * 0.9, paint * 0.9, paint * 1.12]
    return Leaves(np.asarray(positions), np.asarray(normals), np.clip(np.asarray(colors), 0, 255))


def tree_oak(rng: np.random.Generator, near: bool = True) -> Prop:
    """A broad tree about 330 high: a bent trunk, four limbs, a crown of nine balls.

    One that is only seen from afar has half the triangles: rounder balls, fewer and larger leaves.
    """
    trunk = tube(
        [(0, 0, -6), (1, 0, 12), (4, 2, 70), (0, 5, 130), (6, 2, 190)],
        (17, 12.5, 9.5, 8, 4),
        BARK,
        count=9,
        up=(1, 0, 0),
    )
    shapes = [trunk]
    color = mix(mix(LEAF, OLIVE, 0.4), SAND, 0.1)
    crown = np.array([0, 0, 210.0])
    blobs: list[tuple[Array, tuple[float, float, float]]] = []
    for angle, out, high, size in (
        (10, 66, 192, 64), (80, 76, 214, 60), (150, 62, 182, 62), (215, 76, 208, 66), (290, 66, 186, 60),
        (40, 42, 250, 62), (170, 46, 256, 58), (285, 34, 262, 60), (0, 0, 222, 80),
    ):  # fmt: skip
        a = np.radians(angle)
        centre = np.array([out * np.cos(a), out * np.sin(a), high])
        radii = (size, size * rng.uniform(0.9, 1.1), size * rng.uniform(0.68, 0.8))
        blobs.append((centre, radii))
        shapes.append(_blob(rng, centre, radii, color, crown, 4 if near else 3))
    for angle, high in ((10, 96), (85, 120), (215, 108), (290, 132)):
        a = np.radians(angle)
        limb = [
            (2, 3, high),
            (26 * np.cos(a), 26 * np.sin(a), high + 34),
            (62 * np.cos(a), 62 * np.sin(a), high + 78),
        ]
        shapes.append(tube(limb, (5.5, 4.0, 2.4), BARK, count=6))
    leaves = _fringe(rng, blobs, 640, 22, color, 0.0) if near else _fringe(rng, blobs, 250, 32, color, 0.0)
    return Prop(shapes, leaves=leaves, cell=6, reach=50)


def tree_poplar(rng: np.random.Generator) -> Prop:
    """A slim tree about 460 high, a flame against the sky."""
    trunk = tube([(0, 0, -6), (0, 0, 40), (2, 1, 200)], (10, 7, 4), BARK, count=7, up=(1, 0, 0))
    color = mix(mix(LEAF, OLIVE, 0.5), FIELD_GREY, 0.2)
    rows = []
    for z, r in (
        (58, 12),
        (90, 34),
        (150, 46),
        (220, 48),
        (290, 42),
        (350, 32),
        (400, 22),
        (440, 12),
        (470, 2),
    ):
        points = ring(
            (rng.uniform(-4, 4), rng.uniform(-4, 4), z),
            (1, 0, 0),
            (0, 1, 0),
            (r, r, r, r),
            10,
            2.0,
            start=z % 36,
        )
        middle = points.mean(axis=0)
        rows.append(middle + (points - middle) * rng.uniform(0.84, 1.16, (10, 1)))
    body = loft(np.asarray(rows), color, caps=(True, True), crease=180)

    def paint(positions: Array, colors: Array) -> Array:
        return (
            colors
            * (0.6 + 0.3 * np.clip((positions[:, 2:3] - 60) / 380, 0, 1))
            * rng.uniform(0.9, 1.1, (len(positions), 1))
        )

    blobs = [
        (np.array([0, 0, z]), (r, r, 46.0))
        for z, r in ((110, 36), (180, 46), (250, 46), (320, 38), (390, 24))
    ]
    return Prop(
        [trunk, body.painted(paint)], leaves=_fringe(rng, blobs, 300, 22, color, 1.2), cell=6, reach=40
    )


def grass_tuft(rng: np.random.Generator) -> Prop:
    """Some twenty blades that bend outwards, pale at the tip, round a few stalks."""
    positions, normals, colors = [], [], []
    for _ in range(24):
        angle = rng.uniform(0, 2 * np.pi)
        foot = np.array([np.cos(angle), np.sin(angle), 0]) * rng.uniform(0, 5)
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        side = np.array([-out[1], out[0], 0.0]) * rng.uniform(0.5, 0.9)
        tall, lean = rng.uniform(8, 17), rng.uniform(1.5, 7)
        knee = foot + out * lean * 0.35 + np.array([0, 0, tall * 0.6])
        tip = foot + out * lean + np.array([0, 0, tall])
        base = np.asarray(mix(OLIVE, SAND, rng.uniform(0.05, 0.4)))
        a, b = knee - side * 0.7, knee + side * 0.7
        corners = [foot - side, foot + side, b, foot - side, b, a, a, b, tip]
        shades = [0.6, 0.6, 0.95, 0.6, 0.95, 0.95, 0.95, 0.95, 1.22]
        # Once for either side: not every renderer draws the back of a triangle.
        positions += corners + corners[::-1]
        normals += [unit(out * 0.35 + np.array([0, 0, 1.0]))] * 18
        colors += [np.clip(base * s, 0, 255) for s in shades + shades[::-1]]
    core = tube(
        [(0, 0, -1), (0, 0, 1), (0, 0, 2.5)], (4.5, 3.4, 1.0), shade(OLIVE, 0.6), count=7, up=(1, 0, 0)
    )
    return Prop(
        [core],
        leaves=Leaves(np.asarray(positions), np.asarray(normals), np.asarray(colors)),
        cell=0.6,
        reach=5,
    )
