"""The viewer's arms: two sleeves and hands made in code, so that a rifle is held by somebody."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from engine.anim.skeleton import Float32, Skeleton
from engine.pipeline.model import Material, Mesh, Model

_SIDES = 10

Point = tuple[float, float, float]
Paint = tuple[int, int, int]
Ring = tuple[Point, float, float]
"""Middle of a ring, and its two half widths: sideways and upright."""

SLEEVE: Paint = (92, 94, 60)
CUFF: Paint = (76, 78, 50)
SKIN: Paint = (204, 158, 128)


def _tube(rings: Sequence[Ring], colours: Sequence[Paint]) -> tuple[Float32, Float32, Float32, Float32]:
    """A closed tube through rings: positions, normals, colours 0..255 and triangles."""
    middles = np.array([r[0] for r in rings], np.float32)
    ways = np.gradient(middles, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    aside = np.cross(ways, (0.0, 0.0, 1.0))
    aside /= np.linalg.norm(aside, axis=1, keepdims=True) + 1e-6
    above = np.cross(aside, ways)
    turn = np.arange(_SIDES) * (2 * np.pi / _SIDES)
    c, s = np.cos(turn)[None, :, None], np.sin(turn)[None, :, None]
    wide = np.array([r[1] for r in rings], np.float32)[:, None, None]
    high = np.array([r[2] for r in rings], np.float32)[:, None, None]
    points = middles[:, None] + aside[:, None] * c * wide + above[:, None] * s * high
    normals = aside[:, None] * c / wide + above[:, None] * s / high
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    shade = 0.72 + 0.28 * (normals[..., 2:3] * 0.5 + 0.5)
    paint = np.array(colours, np.float32)[:, None] * shade
    triangles = []
    for r in range(len(rings) - 1):
        for i in range(_SIDES):
            a, b = r * _SIDES + i, r * _SIDES + (i + 1) % _SIDES
            triangles += [(a, b, b + _SIDES), (a, b + _SIDES, a + _SIDES)]
    last = (len(rings) - 1) * _SIDES
    for i in range(1, _SIDES - 1):
        triangles += [(0, i + 1, i), (last, last + i, last + i + 1)]
    flat = points.reshape(-1, 3)
    return flat, normals.reshape(-1, 3), paint.reshape(-1, 3), np.array(triangles, np.float32)


def _model(name: str, tubes: Sequence[tuple[Sequence[Ring], Sequence[Paint]]]) -> Model:
    points, normals, paints, triangles, start = [], [], [], [], 0
    for rings, colours in tubes:
        p, n, c, t = _tube(rings, colours)
        points.append(p)
        normals.append(n)
        paints.append(c)
        triangles.append(t + start)
        start += len(p)
    position = np.concatenate(points).astype(np.float32)
    count = len(position)
    colour = np.concatenate((np.concatenate(paints), np.full((count, 1), 255.0)), axis=1)
    weights = np.zeros((count, 4), np.float32)
    weights[:, 0] = 1.0
    mesh = Mesh(
        name=name,
        material=0,
        positions=position,
        normals=np.concatenate(normals).astype(np.float32),
        uvs=np.zeros((count, 2), np.float32),
        colors=np.clip(colour, 0, 255).astype(np.uint8),
        joints=np.zeros((count, 4), np.uint16),
        weights=weights,
        indices=np.concatenate(triangles).astype(np.uint32),
    )
    rest = np.array([[0], [0], [0], [1], [0], [0], [0], [1]], np.float32)
    skeleton = Skeleton(("root",), np.array([-1], np.int32), rest, np.eye(4, dtype=np.float32)[None, :3])
    low, high = position.min(axis=0), position.max(axis=0)
    bounds = tuple(map(float, low)), tuple(map(float, high))
    return Model(name, skeleton, (mesh,), (Material("cloth"),), (), bounds)  # type: ignore[arg-type]  # three each


def _forearm(elbow: Point, wrist: Point) -> tuple[Sequence[Ring], Sequence[Paint]]:
    """A sleeve with a cuff, and the wrist that comes out of it."""
    e, w = np.array(elbow), np.array(wrist)
    steps = (
        (0.0, 2.7, SLEEVE), (0.3, 2.5, SLEEVE), (0.6, 2.2, SLEEVE), (0.78, 1.95, SLEEVE), (0.8, 2.12, CUFF),
        (0.9, 2.05, CUFF), (0.905, 1.3, SKIN), (1.0, 1.2, SKIN), (1.06, 0.95, SKIN), (1.1, 0.4, SKIN),
    )  # fmt: skip
    rings: list[Ring] = []
    for t, width, _ in steps:
        x, y, z = (e + (w - e) * t).tolist()
        rings.append(((x, y, z), width, width * 0.92))
    return rings, [paint for _, _, paint in steps]


def _finger(path: Sequence[Point], width: float) -> tuple[Sequence[Ring], Sequence[Paint]]:
    """A finger through some points, rounded at its tip."""
    points = np.array(path, np.float32)
    fine = np.linspace(0, len(points) - 1, 3 * len(points) - 2)
    columns = [np.interp(fine, np.arange(len(points)), points[:, i]) for i in range(3)]
    smooth = np.column_stack(columns)
    smooth[1:-1] = (smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]) / 4
    widths = np.interp(fine, (0, len(points) - 1.4, len(points) - 1), (width, width * 0.9, width * 0.45))
    rings: list[Ring] = [(tuple(p), w, w) for p, w in zip(smooth.tolist(), widths.tolist(), strict=True)]
    return rings, [SKIN] * len(rings)


def _palm(start: Point, end: Point, wide: float, high: float) -> tuple[Sequence[Ring], Sequence[Paint]]:
    a, b = np.array(start), np.array(end)
    rings: list[Ring] = []
    for t, part in (
        (-0.12, 0.35),
        (0.0, 0.75),
        (0.2, 0.95),
        (0.6, 1.0),
        (0.9, 0.85),
        (1.0, 0.5),
        (1.05, 0.2),
    ):
        x, y, z = (a + (b - a) * t).tolist()
        rings.append(((x, y, z), wide * part, high * part))
    return rings, [SKIN] * len(rings)


@cache
def right_arm() -> Model:
    """The arm whose hand is at the grip; the rifle's grip is the origin, x along the barrel."""
    fingers = [
        _finger(((x - 0.6, -1.5, -1.3), (x, -0.6, -2.3), (x + 0.2, 0.9, -2.0), (x + 0.3, 1.25, -0.9)), 0.52)
        for x in (-0.4, -1.3, -2.2, -3.0)
    ]
    thumb = _finger(((-3.6, -1.5, -0.9), (-2.8, -1.1, 0.4), (-1.6, 0.2, 0.95), (-0.6, 1.2, 0.6)), 0.52)
    palm = _palm((-5.0, -2.1, -2.0), (-0.8, -1.35, -1.2), 0.75, 1.35)
    return _model("hands_right", [_forearm((-17.0, -7.5, -11.0), (-4.6, -2.2, -2.2)), palm, *fingers, thumb])


@cache
def left_arm() -> Model:
    """The arm whose hand lies under the fore-end, 15 inches before the grip: as far out as the eye can see it."""
    fingers = [
        _finger(((x, 0.6, -0.2), (x + 0.2, -0.8, -0.2), (x + 0.3, -1.45, 0.8), (x + 0.4, -1.2, 1.8)), 0.5)
        for x in (13.4, 14.35, 15.3, 16.2)
    ]
    thumb = _finger(((12.2, 1.6, -0.8), (13.2, 1.65, 0.1), (14.3, 1.45, 0.75), (15.3, 1.2, 1.1)), 0.44)
    palm = _palm((10.8, 1.7, -1.5), (16.4, 0.5, -0.3), 1.3, 0.72)
    return _model("hands_left", [_forearm((-2.0, 10.5, -11.0), (11.0, 1.9, -1.7)), palm, *fingers, thumb])
