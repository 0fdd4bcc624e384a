"""The local poses of all entities from what plays on them (animation facts, section 5.6).

Every active leaf of every entity is sampled into one long list of rows, which then merge as the plan says.
"""

from __future__ import annotations

import numpy as np

from engine.anim.plan import Merge, Plan, Planner
from engine.anim.sampler import Binding
from engine.anim.skeleton import Float32
from engine.anim.tree import Float64

CHUNK = 256
"""Entities worked on at a time, so that their rows stay in the processor's cache."""

_NOTHING = np.float32(1e-20)


class Blender:
    """Poses for one binding."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self._planners: list[Planner] = []

    def local_poses(self, weight: Float64, time: Float64) -> Float32:
        """(N, E) weights and times to (E, 8, B) poses; bones that nothing covers keep the rest pose."""
        binding = self.binding
        count = weight.shape[1]
        poses: Float32 = np.empty((count, 8, len(binding.skeleton)), np.float32)
        for part, start in enumerate(range(0, count, CHUNK)):
            if part == len(self._planners):
                self._planners.append(Planner(binding.tree, binding.poses_bones))
            rows = slice(start, min(start + CHUNK, count))
            plan = self._planners[part].plan(weight[:, rows])
            self._fill(poses[rows], plan, weight[:, rows], time[:, rows])
        return poses

    def _fill(self, poses: Float32, plan: Plan, weight: Float64, time: Float64) -> None:
        binding = self.binding
        rest = binding.skeleton.rest
        if len(plan.results) < len(poses):
            poses[:] = rest
        if not len(plan.results):
            return
        samples = binding.sample(plan.nodes, time[plan.nodes, plan.rows])
        for merge in plan.merges:
            self._merge(samples, merge, weight)
        results = samples[plan.results]
        if len(plan.pure):
            # Merging makes rotations unit length; what came through unmerged is still as it was sampled.
            raw = results if len(plan.pure) == len(results) else samples[plan.pure]
            _normalise(raw[:, :4])
            if raw is not results:
                results[np.searchsorted(plan.results, plan.pure)] = raw
        if binding.partial:
            results = np.where(results[:, 8:9] > 0.0, results[:, :8], rest)
        poses[plan.rows[plan.results]] = results

    def _merge(self, samples: Float32, merge: Merge, weight: Float64) -> None:
        """Blend groups of samples, each into its first.

        Rotations are brought to the side of the first member that covers the bone, for q and -q are one rotation
        and would cancel; then they are summed and made unit length, translations and scales summed and divided.
        """
        binding = self.binding
        groups, width = merge.items.shape
        stacked = binding.scratch("stacked", groups * width)
        np.take(samples.reshape(len(samples), -1), merge.items.reshape(-1), axis=0, out=stacked, mode="clip")
        rows = stacked.reshape(groups, width, *samples.shape[1:])
        side = rows[:, 0, :4]
        several = binding.partial and width > 2
        if several:
            side = side.copy()
        for rank in range(1, width):
            turn = rows[:, rank, :4]
            against = np.einsum("gcb,gcb->gb", side, turn) < 0.0
            if against.any():
                np.negative(turn, out=turn, where=against[:, None, :])
            if several:
                np.copyto(side, turn, where=(side == 0.0).all(axis=1)[:, None, :])
        parts = merge.weights(weight).astype(np.float32)
        out = binding.scratch("merged", groups)
        np.matmul(parts[:, None], stacked.reshape(groups, width, -1), out=out.reshape(groups, 1, -1))
        merged = out.reshape(groups, *samples.shape[1:])
        _normalise(merged[:, :4])
        if binding.partial:
            merged[:, 4:] *= np.reciprocal(np.maximum(merged[:, 8], _NOTHING))[:, None, :]
        samples[merge.items[:, 0]] = merged


def _normalise(turns: Float32) -> None:
    """Make (K, 4, B) rotations unit length, in place; what is 0, because nothing covers the bone, stays 0."""
    length = np.sqrt(np.einsum("kcb,kcb->kb", turns, turns))
    turns *= np.reciprocal(np.maximum(length, _NOTHING))[:, None, :]
