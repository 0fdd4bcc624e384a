"""The viewer's arms: two sleeves and hands made in code, so that a rifle is held by somebody."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from engine.anim.skeleton import Float32, Skeleton
from engine.pipeline.model import Material, Mesh, Model

_SIDES = 12

Ring = tuple[tuple[float, float, float], float, float]
"""Middle of a ring, and its two half widths: sideways and upright."""

SLEEVE, CUFF, SKIN = (92, 94, 60), (80, 82, 52), (188, 140, 108)


def _tube(
    rings: Sequence[Ring], colours: Sequence[tuple[int, int, int]]
) -> tuple[Float32, Float32, Float32, Float32]:
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


def _model(name: str, tubes: Sequence[tuple[Sequence[Ring], Sequence[tuple[int, int, int]]]]) -> Model:
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
    return Model(name, skeleton, (mesh,), (Material("cloth"),), (), bounds)  # type: ignore[arg-type]


def _arm(hand: tuple[float, float, float], elbow: tuple[float, float, float]) -> Sequence[Ring]:
    """Rings from the elbow to the knuckles."""
    h, e = np.array(hand), np.array(elbow)
    way = h - e

    def at(t: float) -> tuple[float, float, float]:
        x, y, z = (e + way * t).tolist()
        return x, y, z

    return [
        (at(-0.1), 2.6, 2.6), (at(0.25), 2.35, 2.3), (at(0.6), 2.0, 1.95), (at(0.76), 1.9, 1.8),
        (at(0.79), 2.05, 1.95), (at(0.84), 2.05, 1.95), (at(0.845), 1.45, 1.2), (at(0.92), 1.7, 1.25),
        (at(1.0), 1.75, 1.35), (at(1.06), 1.5, 1.2), (at(1.1), 0.9, 0.8),
    ]  # fmt: skip


_COLOURS = (SLEEVE, SLEEVE, SLEEVE, SLEEVE, CUFF, CUFF, SKIN, SKIN, SKIN, SKIN, SKIN)


@cache
def right_arm() -> Model:
    """The arm whose hand is at the grip; the rifle's grip is the origin, x along the barrel."""
    return _model("hands_right", [(_arm((-0.6, -0.3, -1.2), (-15.0, -5.5, -7.5)), _COLOURS)])


@cache
def left_arm() -> Model:
    """The arm that carries the fore-end, 12 inches before the grip."""
    fingers = [((11.5, 0.9, -0.4), 0.5, 0.6), ((12.4, 1.5, 0.1), 0.55, 0.6), ((13.2, 1.5, 0.8), 0.5, 0.5)]
    return _model(
        "hands_left",
        [(_arm((12.0, 0.5, -1.5), (-4.0, 8.5, -9.0)), _COLOURS), (fingers, (SKIN, SKIN, SKIN))],
    )
