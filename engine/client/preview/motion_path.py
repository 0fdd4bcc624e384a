"""The way that a clip moves the figure over the ground, as a thin line with a mark for each frame."""

from __future__ import annotations

import math
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from engine.anim.clip import Clip
from engine.anim.skeleton import Float32
from engine.client.render.scene import ModelBatch, placed
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.placeholder import root_skeleton
from engine.world.view import Vector

_WIDTH, _MARK, _HEIGHT = 0.7, 1.9, 0.05
_LINE, _DOT, _END = (240, 180, 84, 255), (250, 226, 170, 255), (232, 110, 70, 255)
_LEAST = 0.5
"""Inches of travel below which there is no way to show."""

_known: WeakKeyDictionary[Clip, Model] = WeakKeyDictionary()


def path_batch(clip: Clip, fraction: float, place: Vector, yaw: float) -> ModelBatch | None:
    """The way of the pass that a figure is in, which stands at `place` with `yaw` degrees at a fraction of the clip.
    None for a clip that stays where it is."""
    delta = clip.delta
    if delta is None or float(np.abs(delta[:, :2]).max()) < _LEAST:
        return None
    at = fraction * (len(delta) - 1)
    low = min(int(at), len(delta) - 1)
    high = min(low + 1, len(delta) - 1)
    moved = delta[low] + (delta[high] - delta[low]) * (at - low)
    begin = yaw - float(moved[3])
    turn = math.radians(begin)
    x = place[0] - float(moved[0]) * math.cos(turn) + float(moved[1]) * math.sin(turn)
    y = place[1] - float(moved[0]) * math.sin(turn) - float(moved[1]) * math.cos(turn)
    return ModelBatch(_model_of(clip, delta), placed((x, y, 0.0), (0.0, begin, 0.0))[None])


def _model_of(clip: Clip, delta: Float32) -> Model:
    found = _known.get(clip)
    if found is None:
        found = _known[clip] = _strip(np.asarray(delta[:, :2], np.float64))
    return found


def _strip(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Model:
    """A flat model: a strip from point to point, and a square at each."""
    quads: list[tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], tuple[int, int, int, int]]] = []
    for start, end in pairwise(points):
        along = end - start
        length = float(np.hypot(*along))
        if length < 1e-6:
            continue
        side = np.array([-along[1], along[0]]) / length * _WIDTH / 2
        quads.append((np.array([start - side, end - side, end + side, start + side]), _LINE))
    for number, point in enumerate(points):
        half = _MARK / 2 * (2.0 if number in (0, len(points) - 1) else 0.6)
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        quads.append((point + square, _END if number in (0, len(points) - 1) else _DOT))
    flat = np.concatenate([corners for corners, _ in quads])
    heights = np.repeat(_HEIGHT * (1.0 + np.arange(len(quads)) / len(quads)), 4)
    positions = np.column_stack([flat, heights]).astype(np.float32)
    count = len(positions)
    weights = np.zeros((count, 4), np.float32)
    weights[:, 0] = 1.0
    faces = 4 * np.arange(len(quads))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    mesh = Mesh(
        name="path",
        material=0,
        positions=positions,
        normals=np.tile(np.array([0, 0, 1], np.float32), (count, 1)),
        uvs=np.zeros((count, 2), np.float32),
        colors=np.repeat(np.array([colour for _, colour in quads], np.uint8), 4, axis=0),
        joints=np.zeros((count, 4), np.uint16),
        weights=weights,
        indices=faces.reshape(-1, 3).astype(np.uint32),
    )
    low, high = positions.min(axis=0), positions.max(axis=0)
    bounds = (
        (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2])),
    )  # fmt: skip
    return Model("path", root_skeleton(), (mesh,), (Material("path", two_sided=True),), (), bounds)
