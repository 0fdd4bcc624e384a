"""Brushes as geometry: planes become convex polygons with texture coordinates, and solids to collide with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.source import Diagnostic
from engine.world.angles import Vector, circle, cross, dot, length, normalize, scale, sub
from engine.world.level import Face, MapBrush
from engine.world.surfaces import NONE, Contents, SurfaceTable, texture_name
from engine.world.view import SurfaceGeometry

TEXTURE_SIZE = 128.0
"""Texels (inches at scale 1) after which a texture repeats."""

ON_PLANE = 0.01
"""A point nearer to a plane than this lies on it."""

_HUGE = 400000.0

Plane = tuple[float, float, float, float]
"""Outward unit normal and distance: a point p is outside when dot(n, p) > d."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """One visible or invisible side: points counter-clockwise seen from outside."""

    texture: str
    normal: Vector
    points: tuple[Vector, ...]
    uvs: tuple[tuple[float, float], ...]
    drawn: bool


@dataclass(frozen=True, slots=True)
class Brush:
    """A convex brush: planes with the material of each, polygons in the same order, bounds and contents."""

    planes: tuple[Plane, ...]
    materials: tuple[str, ...]
    polygons: tuple[Polygon, ...]
    mins: Vector
    maxs: Vector
    contents: Contents


def _winding(normal: Vector, d: float) -> list[Vector]:
    """A huge square on the plane, counter-clockwise seen from the side the normal points to."""
    axis = (0.0, 0.0, 1.0) if abs(normal[2]) < 0.7 else (1.0, 0.0, 0.0)
    right = normalize(cross(axis, normal))
    up = cross(normal, right)
    centre = scale(normal, d)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [
        (
            centre[0] + (right[0] * a + up[0] * b) * _HUGE,
            centre[1] + (right[1] * a + up[1] * b) * _HUGE,
            centre[2] + (right[2] * a + up[2] * b) * _HUGE,
        )
        for a, b in corners
    ]


def _clip(points: list[Vector], plane: Plane) -> list[Vector]:
    """The part of a polygon behind a plane; empty when nothing is left."""
    nx, ny, nz, d = plane
    sides = [p[0] * nx + p[1] * ny + p[2] * nz - d for p in points]
    if max(sides) <= ON_PLANE:
        return points
    kept: list[Vector] = []
    for i, point in enumerate(points):
        here, there = sides[i], sides[(i + 1) % len(points)]
        if here <= ON_PLANE:
            kept.append(point)
        if (here > ON_PLANE and there < -ON_PLANE) or (here < -ON_PLANE and there > ON_PLANE):
            t = here / (here - there)
            other = points[(i + 1) % len(points)]
            kept.append(
                (
                    point[0] + (other[0] - point[0]) * t,
                    point[1] + (other[1] - point[1]) * t,
                    point[2] + (other[2] - point[2]) * t,
                )
            )
    return kept if len(kept) >= 3 else []


def _tidy(points: Iterable[Vector]) -> list[Vector]:
    """Coordinates within a thousandth of a 1/8 inch are put on it, and repeated points are dropped."""
    tidy: list[Vector] = []
    for point in points:
        x, y, z = (round(c * 8) / 8 if abs(c * 8 - round(c * 8)) < 0.008 else c for c in point)
        if not tidy or length(sub((x, y, z), tidy[-1])) > ON_PLANE:
            tidy.append((x, y, z))
    if len(tidy) > 1 and length(sub(tidy[0], tidy[-1])) <= ON_PLANE:
        tidy.pop()
    return tidy


def _standard_axes(normal: Vector, rotation: float) -> tuple[Vector, Vector]:
    """The texture axes that a Standard face implies: those of the nearest axial plane, turned by rotation."""
    ax, ay, az = (abs(c) for c in normal)
    u: Vector
    v: Vector
    if az >= ax and az >= ay:
        u, v = (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)
    elif ax >= ay:
        u, v = (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)
    else:
        u, v = (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
    c, s = circle(rotation)
    turned = [(c * a - s * b, s * a + c * b) for a, b in zip(u, v, strict=True)]
    return (turned[0][0], turned[1][0], turned[2][0]), (turned[0][1], turned[1][1], turned[2][1])


def _uvs(face: Face, normal: Vector, points: Sequence[Vector]) -> tuple[tuple[float, float], ...]:
    if face.u_axis is not None and face.v_axis is not None:
        u, v = face.u_axis, face.v_axis
    else:
        u, v = _standard_axes(normal, face.rotation)
    return tuple(
        (
            (dot(p, u) / face.scale[0] + face.shift[0]) / TEXTURE_SIZE,
            (dot(p, v) / face.scale[1] + face.shift[1]) / TEXTURE_SIZE,
        )
        for p in points
    )


def build_brush(source: MapBrush, surfaces: SurfaceTable, report: list[Diagnostic]) -> Brush | None:
    """The brush as geometry, or None with a diagnostic in `report` when it encloses no volume."""
    planes: list[Plane] = []
    faces: list[Face] = []
    for face in source.faces:
        a, b, c = face.points
        normal = normalize(cross(sub(a, b), sub(c, b)))
        if normal == (0.0, 0.0, 0.0):
            report.append(Diagnostic("map-face", "the three points of this face lie on one line", face.span))
            return None
        plane = (*normal, dot(normal, b))
        if not any(dot(p[:3], normal) > 0.99999 and abs(p[3] - plane[3]) < ON_PLANE for p in planes):
            planes.append(plane)
            faces.append(face)
    kept_planes: list[Plane] = []
    materials: list[str] = []
    polygons: list[Polygon] = []
    kinds = {texture_name(f.texture) for f in faces}
    contents = NONE
    for i, (face, plane) in enumerate(zip(faces, planes, strict=True)):
        points = _winding(plane[:3], plane[3])
        for j, other in enumerate(planes):
            if j != i and points:
                points = _clip(points, other)
        points = _tidy(points)
        if len(points) < 3:
            continue
        surface = surfaces[face.texture]
        contents |= surface.contents
        kept_planes.append(plane)
        materials.append(surface.material)
        polygons.append(
            Polygon(
                texture_name(face.texture),
                plane[:3],
                tuple(points),
                _uvs(face, plane[:3], points),
                surface.drawn,
            )
        )
    corners = [p for polygon in polygons for p in polygon.points]
    if len(polygons) < 4 or max(max(map(abs, p)) for p in corners) > _HUGE / 2:
        report.append(
            Diagnostic("map-brush", "the faces of this brush enclose no space", source.span).with_note(
                "its faces must point outwards and close a convex volume; rebuild it in the editor"
            )
        )
        return None
    if contents & Contents.SOLID and kinds & {"clip", "playerclip", "trigger", "origin", "hint"}:
        # A tool texture on any side decides, as in the games that the format comes from.
        contents &= ~Contents.SOLID
    mins = min(p[0] for p in corners), min(p[1] for p in corners), min(p[2] for p in corners)
    maxs = max(p[0] for p in corners), max(p[1] for p in corners), max(p[2] for p in corners)
    return Brush(tuple(kept_planes), tuple(materials), tuple(polygons), mins, maxs, contents)


def box_brush(
    mins: Vector, maxs: Vector, material: str = "stone", contents: Contents = Contents.SOLID
) -> Brush:
    """An axis-aligned box without a picture, for models and for bounds."""
    planes: list[Plane] = []
    polygons: list[Polygon] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = tuple(sign if i == axis else 0.0 for i in range(3))
            d = maxs[axis] if sign > 0 else -mins[axis]
            n: Vector = (normal[0], normal[1], normal[2])
            points = _winding(n, d)
            planes.append((*n, d))
            polygons.append(Polygon("", n, tuple(points), (), False))
    clipped = []
    for i, polygon in enumerate(polygons):
        points = list(polygon.points)
        for j, plane in enumerate(planes):
            if j != i:
                points = _clip(points, plane)
        clipped.append(Polygon("", polygon.normal, tuple(points), (), False))
    return Brush(tuple(planes), (material,) * 6, tuple(clipped), mins, maxs, contents)


def merge_surfaces(brushes: Iterable[Brush], offset: Vector = (0.0, 0.0, 0.0)) -> tuple[SurfaceGeometry, ...]:
    """All drawn polygons, triangulated and merged by texture in the order of first use, moved by -offset."""
    by_texture: dict[str, list[Polygon]] = {}
    for brush in brushes:
        for polygon in brush.polygons:
            if polygon.drawn:
                by_texture.setdefault(polygon.texture, []).append(polygon)
    merged = []
    for texture, polygons in by_texture.items():
        positions: list[Vector] = []
        normals: list[Vector] = []
        uvs: list[tuple[float, float]] = []
        indices: list[tuple[int, int, int]] = []
        for polygon in polygons:
            first = len(positions)
            positions += [sub(p, offset) for p in polygon.points]
            normals += [polygon.normal] * len(polygon.points)
            uvs += polygon.uvs
            indices += [(first, first + i, first + i + 1) for i in range(1, len(polygon.points) - 1)]
        merged.append(
            SurfaceGeometry(
                texture,
                np.array(positions, np.float32),
                np.array(normals, np.float32),
                np.array(uvs, np.float32),
                np.array(indices, np.uint32),
            )
        )
    return tuple(merged)
