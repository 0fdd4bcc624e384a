"""Clips of a tree laid out for one skeleton.

What never moves is not sampled. In most skeletons that is nearly half of everything: bones keep their length and
their scale, and only the hips and a few others travel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip
from engine.anim.skeleton import Float32, Skeleton
from engine.anim.tree import Bool, Float64, Tree

Index = NDArray[np.intp]

_NEAR = 0.7072
"""Cosine of a little less than 45 degrees: two quaternions that near to a third are not opposite each other."""


class Tracks(NamedTuple):
    """Where the frames of K leaves lie in `Binding.rows`: (K,) first row, frames after it, and last but one frame."""

    starts: Index
    spans: Float64
    last: Index

    def at(self, times: Float64) -> tuple[Index, Float32]:
        """For times 0..1: the row before each and how far it is to the next one, 0..1.

        That is never past the last frame; the row after it counts for nothing there.
        """
        place = times * self.spans
        frame = np.minimum(place.astype(np.intp), self.last)
        place -= frame
        frame += self.starts
        return frame, place.astype(np.float32)


class Binding:
    """The clips of a tree on a skeleton. Immutable; shared by every entity of both.

    rows        (F, C) float32: the frames of all clips one after another. The columns are the rotations x y z w of
                all bones (4 B of them), then what else moves, then, where some clip leaves bones out (`partial`),
                B columns that are 1 for the bones that a clip has and 0 for the others. What a clip leaves out is
                0, so that a weighted sum of rows is right and its last columns say by what to divide. Those of
                additive nodes are differences from the clip's first frame: a rotation in the bone's own axes, a
                translation, and by what part the scale grows.
    moving      (M,) which of the 4 B translations x y z and scales the columns after the rotations are, as
                channel * B + bone, ascending
    still       (8, B) float32: the pose of what does not move, the rest pose where no clip has the bone
    loose       (first, after the last) of the bones of which two clips may have opposite rotations, so that blends
                have to look at their signs
    unknown     clip bones that the skeleton does not have, by clip name; such tracks move nothing
    covers      (N, B) bool: which bones a leaf has; poses_bones (N,) whether it has any
    unknown_masks    names in masks that are no bones of the skeleton, by node
    moves_root  (N,) bool: leaves with a say in the entity's root motion, see `RootMotion`
    """

    def __init__(self, tree: Tree, skeleton: Skeleton) -> None:
        self.tree = tree
        self.skeleton = skeleton
        self.unknown: dict[str, tuple[str, ...]] = {}
        count, bones = len(tree), len(skeleton)
        self.starts: Index = np.zeros(count, np.intp)
        self.spans: Index = np.zeros(count, np.intp)
        self.covers: Bool = np.zeros((count, bones), np.bool_)
        self.moves_root: Bool = np.zeros(count, np.bool_)
        roots = np.flatnonzero(skeleton.parents < 0)
        masks = self._masks()
        uses: dict[tuple[int, bool, bytes], list[int]] = {}
        for node, clip in enumerate(tree.clips):
            if clip is not None:
                uses.setdefault((id(clip), tree.added[node], masks[node].tobytes()), []).append(node)
        clips = {nodes[0]: clip for nodes in uses.values() if (clip := tree.clips[nodes[0]]) is not None}
        lengths = [clip.frames for clip in clips.values()]
        total = sum(lengths)
        frames: Float32 = np.zeros((total, 9, bones), np.float32)
        start = 0
        for nodes, (node, clip) in zip(uses.values(), clips.items(), strict=True):
            mask, table = masks[node], frames[start : start + clip.frames]
            covered = self._fill(table, clip, mask)
            if tree.added[node]:
                _make_differences(table)
            self.starts[nodes], self.covers[nodes] = start, covered
            self.spans[nodes] = clip.frames - 1
            travels = clip.delta is not None and mask[roots].all()
            self.moves_root[nodes] = not tree.added[node] and (travels or covered[roots].any())
            start += clip.frames
        self.partial = not self.covers[tree.leaves].all()
        self.poses_bones: Bool = np.asarray(self.covers.any(axis=1))
        added_rows = np.repeat([tree.added[node] for node in clips], lengths)
        loose = np.zeros(bones, np.bool_)
        none = np.zeros((4, bones), np.float32)
        none[3] = 1.0
        for kind, rest in ((~added_rows, skeleton.rest[:4]), (added_rows, none)):
            if kind.any():
                turns = frames[kind, :4]
                loose |= _align(turns, rest)
                frames[kind, :4] = turns
        numbers = np.flatnonzero(loose)
        self.loose = (int(numbers[0]), int(numbers[-1]) + 1) if len(numbers) else (0, 0)
        self.still, self.moving = self._still(frames, added_rows)
        columns = [frames[:, :4].reshape(total, -1), frames[:, 4:8].reshape(total, -1)[:, self.moving]]
        if self.partial:
            columns.append(frames[:, 8])
        self.rows: Float32 = np.ascontiguousarray(np.concatenate(columns, axis=1))

    def _masks(self) -> list[Bool]:
        """By node which bones it may move: what its own mask and those above it leave."""
        tree, skeleton = self.tree, self.skeleton
        self.unknown_masks: dict[int, tuple[str, ...]] = {}
        found: list[Bool] = []
        for node, parent in enumerate(tree.parents):
            mask = found[parent] if parent >= 0 else np.ones(len(skeleton), np.bool_)
            words = tree.masks.get(node)
            if words:
                mask = mask & masked_bones(words, skeleton)
                unknown = tuple(word for word in words if word.removeprefix("-") not in skeleton.index)
                if unknown:
                    self.unknown_masks[node] = unknown
            found.append(mask)
        return found

    def _fill(self, table: Float32, clip: Clip, mask: Bool) -> Bool:
        """Write a clip's frames into zeros (F, 9, B), over the skeleton's bones; the ninth is 1 for a bone that it has.
        Returns which it has."""
        index = self.skeleton.index
        own = [i for i, bone in enumerate(clip.bones) if bone in index and mask[index[bone]]]
        to = [index[clip.bones[i]] for i in own]
        unknown = tuple(bone for bone in clip.bones if bone not in index)
        if unknown:
            self.unknown[clip.name] = unknown
        covered = np.zeros(len(self.skeleton), np.bool_)
        covered[to] = True
        if to == list(range(len(self.skeleton))):
            # As most clips are, and much quicker.
            table[:, :8] = clip.rows[:, :, : len(to)] if own == to else clip.rows[:, :, own]
            table[:, 8] = 1.0
        else:
            table[:, :8, to] = clip.rows[:, :, own]
            table[:, 8, to] = 1.0
        _steady(table[:, :4], self.skeleton.rest[:4])
        return covered

    def _still(self, frames: Float32, added: Bool) -> tuple[Float32, Index]:
        """The pose of what does not move, and the numbers of what does. `added` are the rows that are differences.

        A bone that some clip leaves out counts as still only in its place of rest, which it has without any clip.
        """
        still = self.skeleton.rest.copy()
        having = frames[:, 8] > 0.0
        plain = np.flatnonzero(~added)
        if len(plain):
            everywhere = having[plain].all(axis=0)
            still[4:, everywhere] = frames[plain[0], 4:8][:, everywhere]
        stands = np.where(added[:, None, None], np.float32(0.0), still[4:]) if added.any() else still[4:]
        moves = ((frames[:, 4:8] != stands) & having[:, None, :]).any(axis=0).reshape(-1)
        # Where much moves, columns that follow one another are written faster than those picked out.
        moving = np.flatnonzero(moves) if 2 * moves.sum() < len(moves) else np.arange(len(moves))
        return still, moving

    def tracks(self, nodes: Index) -> Tracks:
        """Where the frames of K leaves lie."""
        spans = self.spans[nodes]
        return Tracks(self.starts[nodes], spans.astype(np.float64), np.maximum(spans - 1, 0))


def masked_bones(words: tuple[str, ...], skeleton: Skeleton) -> Bool:
    """(B,) the bones that a mask names, with everything that hangs on them but what `-bone` takes out.

    The nearest name decides; a mask of nothing but `-bone` takes these from the whole body.
    """
    named = {word.removeprefix("-"): not word.startswith("-") for word in words}
    found: Bool = np.zeros(len(skeleton), np.bool_)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        above = bool(found[parent]) if parent >= 0 else not any(named.values())
        found[bone] = named.get(skeleton.names[bone], above)
    return found


def _make_differences(table: Float32) -> None:
    """Turn (F, 9, B) poses into what each differs from the first by, in place."""
    first = table[0].copy()
    has = first[8] > 0.0
    x, y, z, w = table[:, :4].transpose(1, 0, 2).copy()
    ax, ay, az, aw = -first[0], -first[1], -first[2], first[3]
    table[:, 0] = aw * x + ax * w + ay * z - az * y
    table[:, 1] = aw * y - ax * z + ay * w + az * x
    table[:, 2] = aw * z + ax * y - ay * x + az * w
    table[:, 3] = aw * w - ax * x - ay * y - az * z
    # The first frame changes nothing at all, whatever rounding makes of its product with itself.
    table[0, :3] = 0.0
    table[0, 3] = has
    _steady(table[:, :4], table[0, :4])
    table[:, 4:7] -= first[4:7]
    size = np.where(first[7] != 0.0, first[7], np.float32(1.0))
    table[:, 7] = np.where(has, table[:, 7] / size - np.float32(1.0), np.float32(0.0))


def _dot(a: Float32, b: Float32) -> Float32:
    """Over the second axis of four. In one order on every machine, unlike einsum and matmul."""
    product = a * b
    product[:, 0] += product[:, 1]
    product[:, 0] += product[:, 2]
    product[:, 0] += product[:, 3]
    return product[:, 0]


def _steady(turns: Float32, rest: Float32) -> None:
    """Give a clip's (F, 4, B) rotations signs without jumps, in place, beginning on the side of the rest pose.

    q and -q are one rotation, but two frames can only be mixed on one side.
    """
    jumps = _dot(turns[1:], turns[:-1]) < 0.0
    first = _dot(turns[:1], rest[None]) < 0.0
    odd = np.logical_xor.accumulate(np.concatenate([first, jumps]), axis=0)
    if odd.any():
        turns *= np.where(odd, np.float32(-1.0), np.float32(1.0))[:, None, :]


def _align(turns: Float32, rest: Float32) -> Bool:
    """Put the (F, 4, B) rotations of all clips on one side where that is possible, in place; 0 is none.

    Two that are both less than 45 degrees (in four dimensions) from the middle of all that a bone does are never
    opposite, and neither is what is mixed of such. Returns (B,) of which bones that cannot be said.
    """
    side = np.where(_dot(turns, rest[None]) < 0.0, np.float32(-1.0), np.float32(1.0))
    middle = (turns * side[:, None, :]).sum(axis=0, dtype=np.float64)
    middle /= np.maximum(np.sqrt((middle * middle).sum(axis=0)), 1e-9)
    nearness = _dot(turns, middle[None].astype(np.float32))
    near = ((np.abs(nearness) > _NEAR) | (turns == 0.0).all(axis=1)).all(axis=0)
    turns *= np.where((nearness < 0.0) & near, np.float32(-1.0), np.float32(1.0))[:, None, :]
    return np.asarray(~near)


def bind(tree: Tree, skeleton: Skeleton) -> Binding:
    """Lay out the clips of a tree for a skeleton."""
    return Binding(tree, skeleton)
