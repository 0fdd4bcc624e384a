"""Root motion: how an animation moves and turns the entity that plays it (animation facts, section 5.7)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip
from engine.anim.errors import AnimationError
from engine.anim.shares import shares
from engine.anim.store import NodeStore
from engine.anim.tree import Bool, Float64, Tree

Rows4 = NDArray[np.float64]
"""(E, 4): x, y, z in inches and yaw in degrees."""


def move_delta(clip: Clip, start: float = 0.0, end: float = 1.0) -> tuple[float, float, float]:
    """Root translation between two fractions of a clip, as seen from the entity at `start`; 0 without a track."""
    if clip.delta is None:
        return (0.0, 0.0, 0.0)
    before, after = _at_fraction(clip.delta, start), _at_fraction(clip.delta, end)
    x, y = _turned(after[0] - before[0], after[1] - before[1], -math.radians(before[3]))
    return (x, y, after[2] - before[2])


def angle_delta(clip: Clip, start: float = 0.0, end: float = 1.0) -> float:
    """Root yaw in degrees between two fractions of a clip, not wrapped; 0 without a track."""
    if clip.delta is None:
        return 0.0
    return _at_fraction(clip.delta, end)[3] - _at_fraction(clip.delta, start)[3]


def _at_fraction(delta: NDArray[np.float32], fraction: float) -> tuple[float, float, float, float]:
    if not 0.0 <= fraction <= 1.0:
        raise AnimationError("a place in an animation is between 0 and 1")
    at = fraction * (len(delta) - 1)
    frame = min(int(at), max(0, len(delta) - 2))
    low, high = delta[frame], delta[min(frame + 1, len(delta) - 1)]
    x, y, z, yaw = (float(a) + (float(b) - float(a)) * (at - frame) for a, b in zip(low, high, strict=True))
    return x, y, z, yaw


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y


class RootMotion:
    """The root tracks of a tree, and what they add up to over the stretches of one frame.

    covers (N,) bool: leaves that have a say in the root's motion. A leaf without a track but with the skeleton's
    root bone stands still and slows the others down; a leaf of the upper body alone leaves the legs their pace.
    """

    def __init__(self, tree: Tree, covers: Bool) -> None:
        self.tree = tree
        self.covers = covers
        self.total: Rows4 = np.zeros((0, 4))
        movers = [n for n in tree.leaves if _moves(tree.clips[n])]
        self._movers = np.array(movers, np.int32)
        tracks = [np.asarray(clip.delta, np.float64) for clip in (tree.clips[n] for n in movers) if clip]
        self._rows = np.concatenate(tracks) if tracks else np.zeros((0, 4))
        lengths = [len(track) for track in tracks]
        self._starts = np.array([sum(lengths[:i]) for i in range(len(lengths))], np.int64)
        self._spans = np.array([length - 1 for length in lengths], np.int64)
        self._whole = np.array([track[-1] for track in tracks]) if tracks else np.zeros((0, 4))

    def begin(self, rows: int) -> None:
        """Start a frame with `rows` entities that have not moved."""
        self.total = np.zeros((rows, 4))

    def add(self, store: NodeStore, rows: slice) -> None:
        """Add the stretch from the mark to the present time, with the present weights.

        Translations are kept in the entity's orientation at the end of what has been added so far.
        """
        if not len(self._movers):
            return
        part = shares(self.tree, store.weight[:, rows], self.covers)[self._movers]
        movers, cols = np.nonzero(part)
        if not len(movers):
            return
        nodes, at = self._movers[movers], cols + rows.start
        begin = self._sample(movers, store.mark_time[nodes, at])
        end = self._sample(movers, store.time[nodes, at])
        loops = (store.cycle[nodes, at] - store.mark_cycle[nodes, at]).astype(np.float64)
        moved = _relative(begin, end, self._whole[movers], loops) * part[movers, cols][:, None]
        count = store.rows if rows.stop is None else rows.stop - rows.start
        stretch = np.stack([np.bincount(cols, moved[:, i], count) for i in range(4)], axis=1)
        total = self.total[rows]
        turn = np.exp(-1j * np.radians(stretch[:, 3]))
        earlier = (total[:, 0] + 1j * total[:, 1]) * turn
        total[:, 0] = earlier.real + stretch[:, 0]
        total[:, 1] = earlier.imag + stretch[:, 1]
        total[:, 2:] += stretch[:, 2:]

    def _sample(self, movers: NDArray[np.intp], time: Float64) -> Rows4:
        span = self._spans[movers]
        place = time * span
        frame = np.minimum(place.astype(np.int64), np.maximum(span - 1, 0))
        low = self._starts[movers] + frame
        high = self._starts[movers] + np.minimum(frame + 1, span)
        blend: Rows4 = self._rows[low] + (self._rows[high] - self._rows[low]) * (place - frame)[:, None]
        return blend


def _moves(clip: Clip | None) -> bool:
    return clip is not None and clip.delta is not None


def _relative(begin: Rows4, end: Rows4, whole: Rows4, loops: Float64) -> Rows4:
    """Motion from `begin` through whole loops to `end`, in the orientation at the end.

    A loop that turns carries the next loop round with it, so the loops form a geometric series in the plane.
    """
    plane = begin[:, 0] + 1j * begin[:, 1], end[:, 0] + 1j * end[:, 1], whole[:, 0] + 1j * whole[:, 1]
    turn = np.exp(1j * np.radians(whole[:, 3]))
    around = np.exp(1j * np.radians(whole[:, 3] * loops))
    straight = np.abs(turn - 1.0) < 1e-9
    series = np.where(straight, loops, (around - 1.0) / np.where(straight, 1.0, turn - 1.0))
    yaw = end[:, 3] + whole[:, 3] * loops - begin[:, 3]
    # In the frame of the clip's first loop; then turned back by everything up to the end.
    moved = plane[2] * series + around * plane[1] - plane[0]
    moved = moved * np.exp(-1j * np.radians(begin[:, 3] + yaw))
    rise = end[:, 2] + whole[:, 2] * loops - begin[:, 2]
    return np.stack([moved.real, moved.imag, rise, yaw], axis=1)
