"""An animation clip: sampled bone tracks, notes and root motion. Immutable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.anim.skeleton import FARTHEST, Float32, check_poses


@dataclass(frozen=True, slots=True, order=True)
class ClipNote:
    """A mark on a clip: at `fraction` (0..1) of its length it notifies scripts with `name`."""

    fraction: float
    name: str


@dataclass(frozen=True, eq=False)
class Clip:
    """`F` frames of `B` bones at a constant rate (animtree-facts section 4).

    bones   names of the bones that have tracks, lower case
    rows    (F, 8, B) float32 by frame: rotation x y z w, translation x y z (inches), uniform scale, all local
    delta   (F, 4) float32 or None: root translation x y z and yaw in degrees since frame 0, taken out of rows
    notes   sorted by fraction; the engine's own `end` at 1.0 is always the last

    Raises ValueError for shapes that do not fit, for a rate that is not above 0 and for poses that are none (see
    `engine.anim.skeleton.check_poses`).
    A looping clip repeats its first frame as its last, so its length is (F - 1) / fps without a dead frame.
    """

    name: str
    bones: tuple[str, ...]
    rows: Float32
    fps: float
    looping: bool
    notes: tuple[ClipNote, ...] = ()
    delta: Float32 | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.fps) and self.fps > 0):
            raise ValueError(f"clip {self.name}: {self.fps} frames a second")
        if self.rows.ndim != 3 or self.rows.shape[0] < 1 or self.rows.shape[1:] != (8, len(self.bones)):
            raise ValueError(f"clip {self.name}: rows of shape {self.rows.shape} for {len(self.bones)} bones")
        check_poses(f"clip {self.name}", self.rows)
        if self.delta is not None and not (np.abs(self.delta) <= FARTHEST).all():
            raise ValueError(f"clip {self.name}: a root track that goes nowhere")
        if self.delta is not None and self.delta.shape != (self.rows.shape[0], 4):
            raise ValueError(f"clip {self.name}: a root track of shape {self.delta.shape}")

    @property
    def frames(self) -> int:
        return int(self.rows.shape[0])

    @cached_property
    def length(self) -> float:
        """Seconds; 0 for a clip of one frame."""
        return (self.frames - 1) / self.fps if self.frames > 1 else 0.0

    @property
    def frequency(self) -> float:
        """Passes a second. A clip of one frame counts as one frame long, so that nothing divides by zero."""
        return 1.0 / self.length if self.length > 0 else self.fps
