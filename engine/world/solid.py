"""Convex solids as the collision sweeps them: planes with the bevels that make a swept box exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.world.angles import IDENTITY, Matrix, Vector, cross, dot, length, normalize, rotate, sub
from engine.world.brush import Brush
from engine.world.surfaces import Contents

SweepPlane = tuple[float, float, float, float, float, float, float, int]
"""nx, ny, nz, d, |nx|, |ny|, |nz| and the index of the material, -1 for a bevel."""

_SAME = 0.9999


@dataclass(slots=True)
class Solid:
    """A convex volume in world space. `stamp` marks the last trace that looked at it.

    contents is a plain int of `Contents` bits: operators of enum flags cost more than a plane test.
    """

    planes: tuple[SweepPlane, ...]
    materials: tuple[str, ...]
    mins: Vector
    maxs: Vector
    contents: int
    entity: int | None = None
    stamp: int = 0


def _plane(normal: Vector, d: float, material: int) -> SweepPlane:
    x, y, z = normal
    return x, y, z, d, abs(x), abs(y), abs(z), material


def box_solid(
    mins: Vector, maxs: Vector, contents: Contents, entity: int | None = None, material: str = "flesh"
) -> Solid:
    """An axis-aligned box: a player, an actor, an item."""
    return Solid(box_planes(mins, maxs), (material,), mins, maxs, int(contents), entity)


def box_planes(mins: Vector, maxs: Vector) -> tuple[SweepPlane, ...]:
    return (
        (1.0, 0.0, 0.0, maxs[0], 1.0, 0.0, 0.0, 0),
        (-1.0, 0.0, 0.0, -mins[0], 1.0, 0.0, 0.0, 0),
        (0.0, 1.0, 0.0, maxs[1], 0.0, 1.0, 0.0, 0),
        (0.0, -1.0, 0.0, -mins[1], 0.0, 1.0, 0.0, 0),
        (0.0, 0.0, 1.0, maxs[2], 0.0, 0.0, 1.0, 0),
        (0.0, 0.0, -1.0, -mins[2], 0.0, 0.0, 1.0, 0),
    )


def _edges(polygons: Sequence[Sequence[Vector]]) -> list[Vector]:
    """Directions of the edges that are not axial; an axial edge gives only axial bevels or none."""
    found: list[Vector] = []
    for points in polygons:
        for i, point in enumerate(points):
            edge = normalize(sub(points[(i + 1) % len(points)], point))
            axial = sum(abs(c) > 1e-6 for c in edge) < 2
            if not axial and not any(abs(dot(edge, e)) > _SAME for e in found):
                found.append(edge)
    return found


def brush_solid(
    brush: Brush, origin: Vector = (0.0, 0.0, 0.0), m: Matrix = IDENTITY, entity: int | None = None
) -> Solid:
    """A brush placed in the world.

    A swept box meets a convex solid exactly when its planes include, beside the faces, the box's own faces
    and every cross product of an edge of the one with an edge of the other: the Minkowski sum's faces.
    """
    turned = m != IDENTITY
    faces: list[tuple[Vector, float]] = []
    for x, y, z, d in brush.planes:
        normal = rotate(m, (x, y, z)) if turned else (x, y, z)
        faces.append((normal, d + dot(normal, origin)))
    place = [
        [
            (p[0] + origin[0], p[1] + origin[1], p[2] + origin[2])
            for p in ([rotate(m, q) for q in polygon.points] if turned else polygon.points)
        ]
        for polygon in brush.polygons
    ]
    corners = list({p for points in place for p in points})
    mins = min(p[0] for p in corners), min(p[1] for p in corners), min(p[2] for p in corners)
    maxs = max(p[0] for p in corners), max(p[1] for p in corners), max(p[2] for p in corners)
    planes = [_plane(normal, d, i) for i, (normal, d) in enumerate(faces)]
    normals = [normal for normal, _ in faces]

    def bevel(normal: Vector) -> None:
        if not any(dot(normal, n) > _SAME for n in normals):
            normals.append(normal)
            planes.append(_plane(normal, max(dot(normal, p) for p in corners), -1))

    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        bevel(axis)
        bevel((-axis[0], -axis[1], -axis[2]))
    for edge in _edges(place):
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            normal = cross(edge, axis)
            if length(normal) > 1e-4:
                normal = normalize(normal)
                bevel(normal)
                bevel((-normal[0], -normal[1], -normal[2]))
    return Solid(tuple(planes), brush.materials, mins, maxs, int(brush.contents), entity)
