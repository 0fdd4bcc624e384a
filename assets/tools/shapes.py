"""Geometry for the model scripts: rings that are lofted, boxes with bevels, tubes, straps; and how they are finished.

A `Shape` has shared vertices with sRGB colours. `finish` splits them where the surface turns sharper than its
crease angle and gives the normals. Faces are counter-clockwise seen from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets.tools.rotations import unit

Array = NDArray[Any]


@dataclass
class Shape:
    """positions (V, 3), triangles (T, 3), colors (V, 3) sRGB 0..255, crease in degrees.

    weigh gives the skin weights (V, bones) at given places, or is None for a shape without a skeleton.
    """

    positions: Array
    triangles: Array
    colors: Array
    crease: float = 60.0
    weigh: Callable[[Array], Array] | None = field(default=None, repr=False)

    def moved(self, offset: ArrayLike = (0, 0, 0), rotation: Array | None = None) -> Shape:
        """The shape turned about the origin, then moved."""
        spun = self.positions if rotation is None else self.positions @ rotation.T
        return Shape(spun + np.asarray(offset, float), self.triangles, self.colors, self.crease, self.weigh)

    def mirrored(self) -> Shape:
        """The shape on the other side of the x-z plane."""
        flipped = self.positions * np.array([1.0, -1.0, 1.0])
        return Shape(flipped, self.triangles[:, ::-1], self.colors, self.crease, self.weigh)

    def weighed(self, weigh: Callable[[Array], Array]) -> Shape:
        """The shape with another rule for its skin weights."""
        return Shape(self.positions, self.triangles, self.colors, self.crease, weigh)

    def painted(self, paint: Callable[[Array, Array], Array]) -> Shape:
        """The shape with colours from `paint(positions, colors)`."""
        colors = np.clip(paint(self.positions, self.colors.copy()), 0.0, 255.0)
        return Shape(self.positions, self.triangles, colors, self.crease, self.weigh)


@dataclass
class Finished:
    """Flat arrays ready for a file: a vertex for every corner whose normal or colour differs."""

    positions: Array
    normals: Array
    colors: Array
    triangles: Array
    weights: Array | None


def ring(
    centre: ArrayLike,
    across: ArrayLike,
    up: ArrayLike,
    radii: tuple[float, float, float, float],
    count: int,
    power: float = 2.0,
    start: float = 0.0,
) -> Array:
    """(count, 3) points of a closed curve round `centre`, counter-clockwise from `across` towards `up`.

    radii are those towards across, up, -across and -up; power 2 is an ellipse, larger is boxier.
    """
    angles = np.radians(start) + np.arange(count) * (2.0 * np.pi / count)
    cosine, sine = np.cos(angles), np.sin(angles)
    a = np.sign(cosine) * np.abs(cosine) ** (2.0 / power) * np.where(cosine > 0, radii[0], radii[2])
    b = np.sign(sine) * np.abs(sine) ** (2.0 / power) * np.where(sine > 0, radii[1], radii[3])
    return np.asarray(centre, float) + np.outer(a, unit(across)) + np.outer(b, unit(up))


def loft(
    rings: Sequence[Array] | Array,
    color: ArrayLike,
    *,
    caps: tuple[bool, bool] = (False, False),
    closed: bool = True,
    crease: float = 60.0,
) -> Shape:
    """Skin over rings of equal point counts. Rings run counter-clockwise seen from the last ring's side.

    closed joins the last point of a ring to the first; caps close the first and the last ring with a fan. color is
    one colour, or one a ring.
    """
    grid = np.stack([np.asarray(points, float) for points in rings])
    rows, count = grid.shape[:2]
    spans = count if closed else count - 1
    r, s = np.meshgrid(np.arange(rows - 1), np.arange(spans), indexing="ij")
    a, b = r * count + s, r * count + (s + 1) % count
    c, d = b + count, a + count
    faces = [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    positions = grid.reshape(-1, 3)
    paint = np.asarray(color, float)
    colors = np.repeat(paint, count, 0) if paint.ndim == 2 else np.tile(paint, (len(positions), 1))
    around = np.arange(spans)
    for at_end, wanted in enumerate(caps):
        if not wanted:
            continue
        first = (rows - 1) * count if at_end else 0
        middle = len(positions)
        positions = np.vstack([positions, grid[-1 if at_end else 0].mean(axis=0)])
        colors = np.vstack([colors, colors[first]])
        one, two = first + around, first + (around + 1) % count
        fan = (one, two, np.full(spans, middle)) if at_end else (two, one, np.full(spans, middle))
        faces.append(np.stack(fan, -1))
    return Shape(positions, np.vstack(faces), colors, crease)


def tube(
    path: ArrayLike,
    radii: Sequence[float] | Sequence[tuple[float, float]],
    color: ArrayLike,
    *,
    count: int = 8,
    up: ArrayLike = (0, 0, 1),
    caps: tuple[bool, bool] = (True, True),
    power: float = 2.0,
    start: float = 0.0,
    crease: float = 60.0,
) -> Shape:
    """A round bar along a path. A radius is one number, or (across, towards `up`)."""
    points = np.asarray(path, float)
    tangents = np.gradient(points, axis=0)
    rings = []
    for point, tangent, radius in zip(points, tangents, radii, strict=True):
        along = unit(tangent)
        second = np.asarray(up, float) - along * (np.asarray(up, float) @ along)
        if np.linalg.norm(second) < 1e-6:
            raise ValueError("the tube runs along its own up direction")
        second = unit(second)
        first = np.cross(second, along)
        wide, high = radius if isinstance(radius, tuple) else (radius, radius)
        rings.append(ring(point, first, second, (wide, high, wide, high), count, power, start))
    return loft(rings, color, caps=caps, crease=crease)


def box(
    size: ArrayLike,
    color: ArrayLike,
    *,
    bevel: float = 0.15,
    edge: float = 1.14,
    taper: tuple[float, float] = (1.0, 1.0),
    crease: float = 50.0,
) -> Shape:
    """A box about the origin with bevelled edges that are lighter by `edge`.

    taper scales the top (x, y) against the bottom. Without a bevel it is twelve triangles: for small things.
    """
    half = np.asarray(size, float) / 2.0
    if bevel <= 0.0:
        return _plain_box(half, np.asarray(color, float), taper)
    inner = np.maximum(half - bevel, half * 0.3)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    vertices = np.vstack([np.where(np.arange(3) == axis, half, inner) * signs for axis in range(3)])
    share = (vertices[:, 2] / half[2] + 1.0) / 2.0
    vertices[:, :2] *= 1.0 + share[:, None] * (np.asarray(taper) - 1.0)
    faces: list[tuple[int, ...]] = []

    def corner(axis: int, sign: ArrayLike) -> int:
        x, y, z = np.asarray(sign)
        return axis * 8 + int(x > 0) * 4 + int(y > 0) * 2 + int(z > 0)

    bevels: list[tuple[int, ...]] = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            loop = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                sign = [0, 0, 0]
                sign[axis], sign[u], sign[v] = side, a, b
                loop.append(corner(axis, sign))
            faces.append(tuple(loop if side > 0 else loop[::-1]))
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):  # the edge along `axis`
            low, high = [0, 0, 0], [0, 0, 0]
            low[axis], high[axis] = -1, 1
            for sign in (low, high):
                sign[u], sign[v] = a, b
            loop = [corner(u, low), corner(u, high), corner(v, high), corner(v, low)]
            bevels.append(tuple(loop if a * b < 0 else loop[::-1]))
    for sign in signs:
        loop = [corner(axis, sign) for axis in range(3)]
        bevels.append(tuple(loop if np.prod(sign) > 0 else loop[::-1]))
    positions = np.vstack([vertices, vertices])
    paint = np.asarray(color, float)
    colors = np.vstack([np.tile(paint, (24, 1)), np.tile(np.clip(paint * edge, 0, 255), (24, 1))])
    shifted = [tuple(index + 24 for index in loop) for loop in bevels]
    triangles = [(loop[0], loop[i], loop[i + 1]) for loop in faces + shifted for i in range(1, len(loop) - 1)]
    return Shape(positions, np.asarray(triangles), colors, crease)


def _plain_box(half: Array, color: Array, taper: tuple[float, float]) -> Shape:
    """Eight corners; the upper ones are a little lighter."""
    signs = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
    corners = signs * half
    corners[4:, :2] *= np.asarray(taper)
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    triangles = [(a, b, c) for a, b, c, _ in quads] + [(a, c, d) for a, _, c, d in quads]
    tones = np.where(signs[:, 2:] > 0, 1.06, 0.9)
    return Shape(corners, np.array(triangles), np.clip(color * tones, 0, 255), 30.0)


def strap(
    path: ArrayLike,
    outward: ArrayLike,
    width: float,
    thickness: float,
    color: ArrayLike,
    *,
    edge: float = 1.12,
) -> Shape:
    """A flat band along a path that lies on a surface with the given outward directions (N, 3)."""
    points, normals = np.asarray(path, float), np.asarray(outward, float)
    tangents = np.gradient(points, axis=0)
    rings = []
    for point, tangent, normal in zip(points, tangents, normals, strict=True):
        along = unit(tangent)
        lift = unit(normal - along * (normal @ along))
        side = np.cross(lift, along)
        corners = [(1.0, -0.6), (0.94, 1.0), (-0.94, 1.0), (-1.0, -0.6)]
        rings.append([point + side * (width / 2.0 * a) + lift * (thickness * b) for a, b in corners])
    shape = loft(np.asarray(rings), color, closed=False, crease=30.0)
    tones = np.tile([0.66, edge, edge, 0.66], len(points))[:, None]
    return Shape(shape.positions, shape.triangles, np.clip(shape.colors * tones, 0, 255), shape.crease)


def finish(shapes: Sequence[Shape]) -> Finished:
    """All shapes as one set of arrays, with normals smoothed up to each shape's crease angle."""
    positions: list[Array] = []
    normals: list[Array] = []
    colors: list[Array] = []
    weights: list[Array] = []
    triangles: list[Array] = []
    total = 0
    for shape in shapes:
        places, sides, source, corners = _split(shape)
        positions.append(places)
        normals.append(sides)
        colors.append(shape.colors[source])
        triangles.append(corners + total)
        if shape.weigh is not None:
            weights.append(shape.weigh(places))
        total += len(places)
    skinned = len(weights) == len(shapes)
    return Finished(
        np.vstack(positions),
        np.vstack(normals),
        np.vstack(colors),
        np.vstack(triangles),
        np.vstack(weights) if skinned else None,
    )


def _split(shape: Shape) -> tuple[Array, Array, Array, Array]:
    """Places, normals, source vertex of every new vertex, and the triangles over them."""
    points = shape.positions
    corners = points[shape.triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    kept = area > 1e-9
    faces, cross, area = shape.triangles[kept], cross[kept], area[kept]
    sides = cross / area[:, None]
    keys = np.unique(np.round(points, 4), axis=0, return_inverse=True)[1].reshape(-1)
    touching: dict[int, list[int]] = {}
    for number, face in enumerate(faces):
        for vertex in face:
            touching.setdefault(int(keys[vertex]), []).append(number)
    limit = np.cos(np.radians(shape.crease))
    made: dict[tuple[int, tuple[float, ...]], int] = {}
    result = np.zeros_like(faces)
    source: list[int] = []
    normals: list[Array] = []
    for number, face in enumerate(faces):
        for place, vertex in enumerate(face):
            around = touching[int(keys[vertex])]
            alike = [other for other in around if sides[other] @ sides[number] >= limit]
            normal = unit(cross[alike].sum(axis=0))
            key = (int(vertex), tuple(np.round(normal, 3)))
            if key not in made:
                made[key] = len(source)
                source.append(int(vertex))
                normals.append(normal)
            result[number, place] = made[key]
    chosen = np.asarray(source)
    return points[chosen], np.stack(normals), chosen, result
