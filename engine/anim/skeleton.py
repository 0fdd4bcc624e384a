"""A skeleton: bone names, parents and rest pose. Immutable, shared by every entity of a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.anim.walk import Walk

Float32 = NDArray[np.float32]


FARTHEST = 1e7
"""Inches, about 250 kilometres: no bone is further from its parent."""

MAX_SCALE = 1e4
"""Largest scale of a bone."""

_LIMITS = np.array([[FARTHEST], [FARTHEST], [FARTHEST], [MAX_SCALE]], np.float32)


def check_poses(what: str, rows: Float32) -> None:
    """Raises ValueError where (..., 8, B) rows hold anything but poses: numbers within reach, rotations of length
    1. One that is no number would spread through every blend that it takes part in."""
    length = np.add.reduce(np.square(rows[..., :4, :]), axis=-2)
    # A comparison with what is no number is false.
    if not (np.abs(length - 1.0) < 1e-3).all():
        raise ValueError(f"{what}: a rotation that is none, for its length is not 1")
    if (np.abs(rows[..., 4:, :]) <= _LIMITS).all():
        return
    if not (np.abs(rows[..., 4:7, :]) <= FARTHEST).all():
        raise ValueError(f"{what}: a translation beyond {FARTHEST:.0f} inches")
    raise ValueError(f"{what}: a scale beyond {MAX_SCALE:.0f}")


@dataclass(frozen=True, eq=False)
class Skeleton:
    """`B` bones in an order in which every parent comes before its children.

    names     bone names, lower case, unique; `tag_...` bones are places to attach things to
    parents   (B,) int32, -1 for a root
    rest      (8, B) float32, the local rest pose: rotation x y z w, translation x y z (inches), uniform scale
    inverse_bind  (B, 3, 4) float32, model space to bone space in the pose the mesh was bound in

    Raises ValueError for shapes that do not fit, parents that come after their children, and poses that are none.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest: Float32
    inverse_bind: Float32

    def __post_init__(self) -> None:
        count = len(self.names)
        if self.rest.shape != (8, count) or self.inverse_bind.shape != (count, 3, 4):
            raise ValueError(f"a skeleton of {count} bones with arrays of other lengths")
        parents = self.parents
        if parents.shape != (count,) or not ((parents >= -1) & (parents < np.arange(count))).all():
            raise ValueError("a skeleton whose bones do not come after their parents")
        check_poses("skeleton", self.rest)
        if not (np.abs(self.inverse_bind) <= FARTHEST).all():
            raise ValueError(f"a skeleton with a bind pose beyond {FARTHEST:.0f} inches")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def rest_rotations(self) -> tuple[tuple[float, float, float, float], ...]:
        """By bone its rotation x, y, z, w in model space, in the rest pose."""
        found: list[tuple[float, float, float, float]] = []
        for bone, parent in enumerate(self.parents):
            x, y, z, w = (float(c) for c in self.rest[:4, bone])
            if parent >= 0:
                px, py, pz, pw = found[parent]
                x, y, z, w = (
                    pw * x + px * w + py * z - pz * y,
                    pw * y - px * z + py * w + pz * x,
                    pw * z + px * y - py * x + pz * w,
                    pw * w - px * x - py * y - pz * z,
                )
            found.append((x, y, z, w))
        return tuple(found)

    @cached_property
    def walk(self) -> Walk:
        return Walk.of(self.parents.tolist())

    @cached_property
    def skinning(self) -> Float32:
        """(B, 12, 12): a bone's 3 x 4 numbers in model space, in a row, times this are its skinning matrix."""
        found: Float32 = np.zeros((len(self), 12, 12), np.float32)
        for row in range(0, 12, 4):
            found[:, row : row + 3, row : row + 4] = self.inverse_bind
            found[:, row + 3, row + 3] = 1.0
        return found
