"""A skeleton: bone names, parents and rest pose. Immutable, shared by every entity of a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """`B` bones in an order in which every parent comes before its children.

    names     bone names, lower case, unique; `tag_...` bones are places to attach things to
    parents   (B,) int32, -1 for a root
    rest      (8, B) float32, the local rest pose: rotation x y z w, translation x y z (inches), uniform scale
    inverse_bind  (B, 3, 4) float32, model space to bone space in the pose the mesh was bound in
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest: Float32
    inverse_bind: Float32

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
    def levels(self) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]:
        """By depth from 1 down: bones and their parents, for work on a whole level at once."""
        depth = np.zeros(len(self), np.intp)
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                depth[bone] = depth[parent] + 1
        levels = (np.flatnonzero(depth == d) for d in range(1, int(depth.max(initial=0)) + 1))
        return tuple((bones, self.parents[bones].astype(np.intp)) for bones in levels)

    @cached_property
    def skinning(self) -> Float32:
        """(B, 12, 12): a bone's 3 x 4 numbers in model space, in a row, times this are its skinning matrix."""
        found: Float32 = np.zeros((len(self), 12, 12), np.float32)
        for row in range(0, 12, 4):
            found[:, row : row + 3, row : row + 4] = self.inverse_bind
            found[:, row + 3, row + 3] = 1.0
        return found
