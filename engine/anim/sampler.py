"""Clips of a tree laid out for one skeleton, and many of them sampled at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip
from engine.anim.skeleton import Float32, Skeleton
from engine.anim.tree import Bool, Float64, Tree

Index = NDArray[np.intp]


class Binding:
    """The clips of a tree on a skeleton. Immutable but for its scratch memory; shared by every entity of both.

    channels  planes of a sampled row: rotation x y z w, translation x y z, scale, and, where some clip leaves
              bones out, a ninth that is 1 for the bones that a clip has and 0 for the others. What is left out
              is 0 everywhere, so that a weighted sum of rows is right, and its ninth plane says by what to divide.
    unknown   clip bones that the skeleton does not have, by clip name; such tracks move nothing
    covers      (N, B) bool: which bones a leaf has; poses_bones (N,) whether it has any
    moves_root  (N,) bool: leaves with a say in the entity's root motion, see `RootMotion`
    """

    def __init__(self, tree: Tree, skeleton: Skeleton) -> None:
        self.tree = tree
        self.skeleton = skeleton
        self.unknown: dict[str, tuple[str, ...]] = {}
        places: dict[int, tuple[int, Bool]] = {}
        rows: list[Float32] = []
        total = 0
        self._starts = np.zeros(len(tree), np.intp)
        self._spans = np.zeros(len(tree), np.intp)
        self.covers: Bool = np.zeros((len(tree), len(skeleton)), np.bool_)
        self.moves_root: Bool = np.zeros(len(tree), np.bool_)
        roots = np.flatnonzero(skeleton.parents < 0)
        for node, clip in enumerate(tree.clips):
            if clip is None:
                continue
            if id(clip) not in places:
                table, covered = self._table(clip)
                places[id(clip)] = (total, covered)
                rows.append(table)
                total += len(table)
            self._starts[node], self.covers[node] = places[id(clip)]
            self._spans[node] = clip.frames - 1
            self.moves_root[node] = clip.delta is not None or self.covers[node][roots].any()
        self.partial = not self.covers[tree.leaves].all()
        self.poses_bones: Bool = np.asarray(self.covers.any(axis=1))
        planes = 9 if self.partial else 8
        self.channels = planes
        self._rows: Float32 = np.ascontiguousarray(np.concatenate(rows)[:, :planes].reshape(total, -1))
        self._scratch: dict[str, Float32] = {}

    def _table(self, clip: Clip) -> tuple[Float32, Bool]:
        """A clip's frames as (F, 9, B) rows over the skeleton's bones, rotations without jumps of sign."""
        skeleton = self.skeleton
        table: Float32 = np.zeros((clip.frames, 9, len(skeleton)), np.float32)
        own = [i for i, bone in enumerate(clip.bones) if bone in skeleton.index]
        to = [skeleton.index[clip.bones[i]] for i in own]
        if len(own) < len(clip.bones):
            self.unknown[clip.name] = tuple(bone for bone in clip.bones if bone not in skeleton.index)
        covered = np.zeros(len(skeleton), np.bool_)
        covered[to] = True
        table[:, :8, to] = clip.rows[:, :, own]
        table[:, 8, to] = 1.0
        turn = table[:, :4]
        # q and -q are one rotation: begin on the side of the rest pose and go on without a jump, so that
        # neither two frames nor, as a rule, two clips have to be compared when they are blended.
        flip = np.einsum("fcb,fcb->fb", turn[1:], turn[:-1]) < 0.0
        first = np.einsum("cb,cb->b", turn[0], skeleton.rest[:4]) < 0.0
        odd = np.logical_xor.accumulate(np.concatenate([first[None], flip]), axis=0)
        turn *= np.where(odd, np.float32(-1.0), np.float32(1.0))[:, None, :]
        return table, covered

    def scratch(self, name: str, count: int) -> Float32:
        """(count, channels * B) floats that the next call with the same name overwrites."""
        width = self.channels * len(self.skeleton)
        held = self._scratch.get(name)
        if held is None or len(held) < count:
            held = self._scratch[name] = np.empty((count + count // 4 + 8, width), np.float32)
        return held[:count]

    def sample(self, nodes: Index, times: Float64) -> Float32:
        """(K, channels, B) rows of K leaves at their times 0..1, in scratch memory.

        Between two frames rows are mixed linearly; rotations are therefore a little short of unit length until
        the blend is finished, which makes them unit length again.
        """
        spans = self._spans[nodes]
        place = times * spans
        frame = np.minimum(place.astype(np.intp), np.maximum(spans - 1, 0))
        low = self._starts[nodes] + frame
        count = len(nodes)
        both = np.stack([low, low + np.minimum(spans, 1)], axis=1).reshape(-1)
        pairs = self.scratch("pairs", 2 * count)
        np.take(self._rows, both, axis=0, out=pairs, mode="clip")
        mix = np.empty((count, 1, 2), np.float32)
        mix[:, 0, 1] = place - frame
        mix[:, 0, 0] = 1.0 - mix[:, 0, 1]
        out = self.scratch("samples", count)
        np.matmul(mix, pairs.reshape(count, 2, -1), out=out.reshape(count, 1, -1))
        return out.reshape(count, self.channels, -1)


def bind(tree: Tree, skeleton: Skeleton) -> Binding:
    """Lay out the clips of a tree for a skeleton."""
    return Binding(tree, skeleton)
