"""Where a level surely has ground, so that no sky has to be drawn there: hidden, it costs as much as when it is seen.

The ground at a place is the lowest surface there that one can stand on. Who looks down at it from above, inside of a
rectangle that has ground everywhere, sees no sky where his look reaches the height of the lowest ground within that
rectangle: on its way it met a surface, or the side of a step. Through a step whose side is not drawn (`caulk`) he sees
neither; there it has to be hazy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Camera, Float32
from engine.world.view import SurfaceGeometry

SIDE = 64.0
"""Inches a side of the squares that have ground or not."""

POINTS = 4
"""Places a side of a square at which it is looked for: what is narrower than a quarter of a square is overlooked."""

MOST = 1024
"""Squares a side at most; in a larger level the squares are larger."""

STEPS = (64, 16, 4, 1)
"""Squares by which a rectangle is made larger, as long as there is ground."""

RISE = 16.0
"""Inches that the eye may rise before it is asked whether it is above more of the ground now."""


class Rectangle(NamedTuple):
    """West, south, east and north ends in inches, and the heights of the lowest and the highest ground between them."""

    west: float
    south: float
    east: float
    north: float
    lowest: float
    highest: float


class Ground:
    """The ground of one level."""

    def __init__(self, surfaces: Iterable[SurfaceGeometry]) -> None:
        triangles = _upward(surfaces)
        self._heights: Float32 = np.full((0, 0), np.inf, np.float32)
        """Of the highest ground in each square; infinite where it is not everywhere in it."""
        self._floors: Float32 = self._heights
        """Of the lowest ground in each square."""
        self._low = np.zeros(2)
        self._side = SIDE
        self._asked: tuple[int, int, float] | None = None
        """For which square and from which height the rectangle was found."""
        self._found: Rectangle | None = None
        if len(triangles):
            low, high = triangles[:, :, :2].min((0, 1)), triangles[:, :, :2].max((0, 1))
            self._side = max(SIDE, float((high - low).max()) / MOST)
            self._low = np.floor(low / self._side) * self._side
            counts = np.ceil((high - self._low) / self._side).astype(int) + 1
            self._measure(triangles, (int(counts[0]), int(counts[1])))

    def covered(self, camera: Camera, turn: Float32, projection: Float32) -> float:
        """0..1: the part of the picture's height, from its lower edge, in which no sky is seen.

        turn: world to eye space (4, 4). projection: eye to clip space (4, 4).
        """
        x, y, z = camera.position
        around = self._around(x, y, z)
        if around is None:
            return 0.0
        aside, up, back = turn[:3, :3].astype(np.float64)
        half_width, half_height = 1.0 / float(projection[0, 0]), 1.0 / float(projection[1, 1])
        top = 1.0
        for side in (-half_width, half_width):
            # All of a band is inside of a rectangle when its four corners are.
            ray, more = (aside * side - back).tolist(), (up * half_height).tolist()
            for here, growth in _conditions(around, camera, ray, more):
                if here - growth <= 0.0:
                    return 0.0
                if growth < 0.0:
                    top = min(top, -here / growth)
        return (top + 1.0) / 2

    def _around(self, x: float, y: float, z: float) -> Rectangle | None:
        """A large rectangle around a place that has ground below `z` everywhere; None where there is none."""
        square = int((x - self._low[0]) // self._side), int((y - self._low[1]) // self._side)
        asked, found = self._asked, self._found
        below = found is not None and z <= found.highest
        if asked is None or asked[:2] != square or below or z > asked[2] + RISE:
            self._asked, self._found = (*square, z), self._grown(square, z)
        return self._found

    def _grown(self, square: tuple[int, int], z: float) -> Rectangle | None:
        good = self._heights < z
        wide, deep = good.shape
        (west, south), (east, north) = square, (square[0] + 1, square[1] + 1)
        if not (0 <= west < wide and 0 <= south < deep and good[west, south]):
            return None
        grew = True
        while grew:
            grew = False
            for step in STEPS:
                if east + step <= wide and good[east : east + step, south:north].all():
                    east, grew = east + step, True
                if west >= step and good[west - step : west, south:north].all():
                    west, grew = west - step, True
                if north + step <= deep and good[west:east, north : north + step].all():
                    north, grew = north + step, True
                if south >= step and good[west:east, south - step : south].all():
                    south, grew = south - step, True
        ends = self._low[[0, 1, 0, 1]] + np.array((west, south, east, north)) * self._side
        part = np.s_[west:east, south:north]
        return Rectangle(*map(float, (*ends, self._floors[part].min(), self._heights[part].max())))

    def _measure(self, triangles: NDArray[np.float64], counts: tuple[int, int]) -> None:
        spacing = self._side / POINTS
        lowest = np.full((counts[0] * POINTS, counts[1] * POINTS), np.inf)
        first = self._low + spacing / 2
        begins = np.ceil((triangles[:, :, :2].min(1) - first) / spacing - 1e-6).astype(int)
        ends = np.floor((triangles[:, :, :2].max(1) - first) / spacing + 1e-6).astype(int) + 1
        some = (ends > begins).all(1)
        for (a, b, c), (west, south), (east, north) in zip(
            triangles[some], begins[some].tolist(), ends[some].tolist(), strict=True
        ):
            e, f = b - a, c - a
            area = e[0] * f[1] - e[1] * f[0]
            px = first[0] + np.arange(west, east)[:, None] * spacing - a[0]
            py = first[1] + np.arange(south, north)[None, :] * spacing - a[1]
            u, v = (px * f[1] - py * f[0]) / area, (py * e[0] - px * e[1]) / area
            inside = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6)
            part = lowest[west:east, south:north]
            np.minimum(part, np.where(inside, a[2] + u * e[2] + v * f[2], np.inf), out=part)
        squares = lowest.reshape(counts[0], POINTS, counts[1], POINTS)
        self._heights = squares.max((1, 3)).astype(np.float32)
        self._floors = squares.min((1, 3)).astype(np.float32)


def _conditions(
    around: Rectangle, camera: Camera, ray: Sequence[float], more: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """When a look along `ray` + h * `more` surely meets the ground: h has to make all `a` + h * `b` positive.

    That it goes down, that it reaches the lowest ground within the rectangle and before what is too far to be drawn,
    and that not even the highest ground is too near: with the ray's length divided away all are linear.
    """
    yield -ray[2], -more[2]
    depth = around.lowest - camera.position[2]
    for axis, low, high in ((0, around.west, around.east), (1, around.south, around.north)):
        for sign, end in ((1.0, high), (-1.0, low)):
            beyond = camera.position[axis] - end
            yield (
                sign * (beyond * ray[2] + depth * ray[axis]),
                sign * (beyond * more[2] + depth * more[axis]),
            )
    yield depth - camera.far * ray[2], -camera.far * more[2]
    yield camera.near * ray[2] + camera.position[2] - around.highest, camera.near * more[2]


def _upward(surfaces: Iterable[SurfaceGeometry]) -> NDArray[np.float64]:
    """The triangles (T, 3, 3) that are seen from above."""
    found = [np.zeros((0, 3, 3))]
    for surface in surfaces:
        corners = surface.positions.astype(np.float64)[surface.indices.astype(np.intp)]
        e, f = (corners[:, i] - corners[:, 0] for i in (1, 2))
        found.append(corners[e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0] > 1e-3])
    return np.concatenate(found)
