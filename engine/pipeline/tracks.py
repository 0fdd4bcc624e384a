"""A clip's frames without what never moves, as cooked files keep them; nothing is lost by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.anim.skeleton import Float32

CHANNELS = 8
"""Rotation x y z w, translation x y z, scale."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """still (8, B) float32: the first frame. moving (M,) uint16: which channels change, as channel * B + bone,
    ascending. frames (F, M) float32: their values."""

    still: Float32
    moving: NDArray[np.uint16]
    frames: Float32


def fold(rows: Float32) -> Tracks:
    """Take out of (F, 8, B) rows the channels that are the same, to the bit, in every frame."""
    bits = rows.view(np.uint32)
    moves = (bits != bits[:1]).any(axis=0).reshape(-1)
    moving = np.flatnonzero(moves)
    frames = rows.reshape(len(rows), -1)[:, moving]
    return Tracks(rows[0].copy(), moving.astype(np.uint16), np.ascontiguousarray(frames))


def unfold(still: NDArray[Any], moving: NDArray[Any], frames: NDArray[Any]) -> Float32:
    """The (F, 8, B) rows again, read-only. Raises ValueError where the arrays do not fit each other."""
    if still.dtype != np.float32 or still.ndim != 2 or len(still) != CHANNELS:
        raise ValueError("a clip's still pose")
    if moving.dtype != np.uint16 or moving.ndim != 1 or (len(moving) and int(moving.max()) >= still.size):
        raise ValueError("a clip's moving channels")
    if frames.dtype != np.float32 or frames.ndim != 2 or frames.shape[1] != len(moving) or not len(frames):
        raise ValueError("a clip's frames")
    rows = np.empty((len(frames), still.size), np.float32)
    rows[:] = still.reshape(-1)
    rows[:, moving] = frames
    rows.flags.writeable = False
    return rows.reshape(len(frames), *still.shape)
