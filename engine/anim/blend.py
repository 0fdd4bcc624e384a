"""The local poses of all entities from what plays on them (animation facts, section 5.6).

A blend is a weighted sum of frames: those of its leaves, each mixed of the two frames that its time lies between.
Rank by rank, the rows of all entities at once are fetched, weighted and added. Every sum is made of single
multiplications and additions in a fixed order, because poses decide what a shot hits and have to be the same on
every machine; matrix products of a library are not.
"""

from __future__ import annotations

import numpy as np

from engine.anim.overrides import multiply
from engine.anim.plan import Addition, Index, Merge, Plan, Planner
from engine.anim.sampler import Binding, Tracks
from engine.anim.scratch import Scratch
from engine.anim.skeleton import Float32
from engine.anim.tree import Float64

CHUNK = 1024
"""Entities worked on at a time, so that their rows stay in the processor's cache."""

_NOTHING = np.float32(1e-12)
"""Parts and lengths below this are none."""

_SCRATCH = Scratch()


class Blender:
    """Poses for one binding."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        bones = len(binding.skeleton)
        self._chunks: list[_Chunk] = []
        self._turns = 4 * bones
        """Columns of rotations, then `moving`, then those that say which bones there are."""
        self._there = self._turns + len(binding.moving)
        self._columns = binding.rows.shape[1]
        moving = binding.moving
        gapless = len(moving) > 0 and int(moving[-1] - moving[0]) == len(moving) - 1
        self._moving = slice(int(moving[0]), int(moving[-1]) + 1) if gapless else moving
        self._bone_of_moving = moving % bones

    def local_poses(self, weight: Float64, time: Float64) -> Float32:
        """(N, E) weights and times to (E, 8, B) poses; bones that nothing covers keep the rest pose.

        They lie in memory as planes (8, B, E): what is done to one number of all entities is one call.
        """
        binding = self.binding
        count = weight.shape[1]
        planes: Float32 = np.empty((8, len(binding.skeleton), count), np.float32)
        for number, start in enumerate(range(0, count, CHUNK)):
            if number == len(self._chunks):
                self._chunks.append(_Chunk(binding))
            rows = slice(start, min(start + CHUNK, count))
            self._fill(planes[:, :, rows], self._chunks[number], weight[:, rows], time[:, rows])
        return planes.transpose(2, 0, 1)

    def _fill(self, planes: Float32, chunk: _Chunk, weight: Float64, time: Float64) -> None:
        plan, tracks = chunk.plan(weight)
        rest = self.binding.skeleton.rest[:, :, None]
        if not len(plan.leaves):
            planes[:] = rest
            return
        places = self._gather(plan, tracks, weight, time)
        for step in plan.steps:
            if isinstance(step, Merge):
                self._merge(places, step, weight)
            else:
                self._add(places, step, weight)
        count = len(plan.results)
        rows = places[:count]
        if not plan.straight:
            rows = _SCRATCH.floats("rows", count, self._columns)
            places.take(plan.results, axis=0, out=rows, mode="clip")
        self._finish(planes, rows)
        if len(plan.idle):
            planes[:, :, plan.idle] = rest

    def _gather(self, plan: Plan, tracks: Tracks, weight: Float64, time: Float64) -> Float32:
        """(G, columns) sums over the frames of each group's leaves, in scratch memory."""
        groups = plan.groups
        low, later = tracks.at(time[plan.leaves, groups.rows])
        parts = groups.parts(weight).astype(np.float32)
        later *= parts
        parts -= later
        both, parts = np.concatenate((low, low + 1)), np.concatenate((parts, later))
        places = self._sum("places", self.binding.rows, both, parts, groups.ranks)
        if len(plan.uneven):
            sums = places[plan.uneven]
            self._even_out(sums)
            places[plan.uneven] = sums
        return places

    def _merge(self, places: Float32, merge: Merge, weight: Float64) -> None:
        """Blend rows of earlier results into the place of the first of each group."""
        parts = merge.groups.parts(weight).astype(np.float32)
        merged = self._sum("merged", places, merge.sources, parts, merge.groups.ranks)
        self._even_out(merged)
        places[merge.sources[: len(merged)]] = merged

    def _add(self, places: Float32, addition: Addition, weight: Float64) -> None:
        """Add differences: rotations in the bone's own axes, after the animation; a weight above 1 counts as 1."""
        base, other = places[addition.targets], places[addition.sources]
        part = np.minimum(weight[addition.nodes, addition.rows], 1.0).astype(np.float32)[:, None]
        self._even_out(base)
        self._even_out(other)
        if self.binding.partial:
            self._lay_under(base, other)
        turn, by = self._rotations(base), self._rotations(other)
        by *= np.where(by[:, 3:] < 0.0, -part[:, None], part[:, None])
        by[:, 3] += np.float32(1.0) - part
        if self.binding.partial:
            by[:, 3] += part * (other[:, self._there :] <= _NOTHING)
        by *= _reciprocal_length(by.transpose(1, 0, 2))[:, None, :]
        turned = multiply(turn.transpose(1, 0, 2), by.transpose(1, 0, 2))
        turn[:] = turned.transpose(1, 0, 2)
        moved = other[:, self._turns : self._there]
        moved *= part
        scales = self.binding.moving >= 3 * len(self.binding.skeleton)
        moved[:, scales] *= base[:, self._turns : self._there][:, scales]
        base[:, self._turns : self._there] += moved
        places[addition.targets] = base

    def _lay_under(self, base: Float32, other: Float32) -> None:
        """Give a base the rest pose of the bones that only the difference has, in place."""
        rest = self.binding.skeleton.rest
        there = base[:, self._there :]
        bare = (there <= _NOTHING) & (other[:, self._there :] > _NOTHING)
        np.copyto(self._rotations(base), rest[:4], where=bare[:, None, :])
        moving = base[:, self._turns : self._there]
        np.copyto(moving, rest[4:].reshape(-1)[self.binding.moving], where=bare[:, self._bone_of_moving])
        there[bare] = 1.0

    def _sum(
        self, name: str, table: Float32, places: Index, parts: Float32, ranks: tuple[tuple[int, int], ...]
    ) -> Float32:
        """(G, columns) sums over the members of groups, in the scratch memory of a name. A member is a row of `table`
        times a part; with twice as many places and parts as members it is the sum of two of them.

        Rotations are first brought to the side of the first member that has the bone, for q and -q are one
        rotation and would cancel. Only those of loose bones can be on the other side.
        """
        count = ranks[-1][1]
        members = _SCRATCH.floats(name, len(places), self._columns)
        table.take(places, axis=0, out=members, mode="clip")
        members *= parts[:, None]
        if len(places) > count:
            members[:count] += members[count:]
        sums = members[: ranks[0][1]]
        first, last = self.binding.loose
        side: Float32 | None = None
        for start, end in ranks[1:]:
            row = members[start:end]
            if first < last:
                if side is None:
                    side = self._rotations(sums)[: end - start, :, first:last].copy()
                self._bring_to(side[: end - start], self._rotations(row)[:, :, first:last])
            sums[: end - start] += row
        return sums

    def _bring_to(self, side: Float32, turn: Float32) -> None:
        product = side * turn
        against = product[:, 0] + product[:, 1] + product[:, 2] + product[:, 3] < 0.0
        if against.any():
            # Not `np.negative` with `where`: NumPy 2.4 writes garbage into what lies apart.
            turn *= np.where(against, np.float32(-1.0), np.float32(1.0))[:, None, :]
        if self.binding.partial:
            np.copyto(side, turn, where=(side == 0.0).all(axis=1)[:, None, :])

    def _rotations(self, rows: Float32) -> Float32:
        """(R, 4, B) view of the rotations of rows."""
        return rows[:, : self._turns].reshape(len(rows), 4, -1)

    def _even_out(self, rows: Float32) -> None:
        """Make sums means, in place: unit rotations, and the rest divided by the parts of those that have the bone."""
        turn = self._rotations(rows)
        turn *= _reciprocal_length(turn.transpose(1, 0, 2))[:, None, :]
        if self.binding.partial:
            there = rows[:, self._there :]
            rows[:, self._turns : self._there] *= _reciprocal(there)[:, self._bone_of_moving]
            np.greater(there, _NOTHING, out=there, casting="unsafe")

    def _finish(self, planes: Float32, rows: Float32) -> None:
        """(E, columns) rows to (8, B, E) poses."""
        binding = self.binding
        columns = _SCRATCH.floats("columns", self._columns, len(rows))
        np.copyto(columns, rows.T)
        turn = columns[: self._turns].reshape(4, -1, len(rows))
        np.multiply(turn, _reciprocal_length(turn), out=planes[:4])
        planes[4:] = binding.still[4:, :, None]
        moving = columns[self._turns : self._there]
        if binding.partial:
            there = columns[self._there :]
            moving *= _reciprocal(there)[self._bone_of_moving]
        planes[4:].reshape(self._turns, -1)[self._moving] = moving
        if binding.partial:
            np.copyto(planes, binding.skeleton.rest[:, :, None], where=there <= _NOTHING)


class _Chunk:
    """Up to `CHUNK` entities: what plays in them and where its frames lie, kept as long as it stays so."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._planner = Planner(binding.tree, binding.poses_bones)
        self._plan: Plan | None = None
        self._tracks = binding.tracks(np.zeros(0, np.intp))

    def plan(self, weight: Float64) -> tuple[Plan, Tracks]:
        """For (N, E) weights."""
        plan = self._planner.plan(weight)
        if plan is not self._plan:
            self._plan, self._tracks = plan, self._binding.tracks(plan.leaves)
        return plan, self._tracks


def _reciprocal(there: Float32) -> Float32:
    return np.reciprocal(np.maximum(there, _NOTHING))


def _reciprocal_length(turns: Float32) -> Float32:
    """Of (4, ...) rotations, in scratch memory; a rotation of nothing but 0 stays so."""
    square = _SCRATCH.floats("square", *turns.shape)
    length = _SCRATCH.floats("length", *turns.shape[1:])
    np.multiply(turns, turns, out=square)
    np.add(square[0], square[1], out=length)
    length += square[2]
    length += square[3]
    np.sqrt(length, out=length)
    np.maximum(length, _NOTHING, out=length)
    return np.reciprocal(length, out=length)
