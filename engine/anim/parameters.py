"""Blends by a parameter, such as a walk and a run by speed: of the extended set.

The children of such a group have no goals of their own. Their weights follow the entity's parameter: at the place of
a child that one plays alone, between two places both do. Everything else, from the sync of their steps to notes and
root motion, goes by these weights as by any others.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.anim.errors import AnimationError
from engine.anim.goals import SMALL
from engine.anim.store import NodeStore
from engine.anim.tree import Float64, Tree

SavedParameter = tuple[int, str, float, float, float]
"""Row, name, value, goal, and the seconds to it."""


class Parameters:
    """Values of all rows of a store; 0 where nobody has set one."""

    def __init__(self, tree: Tree, store: NodeStore) -> None:
        self.tree = tree
        self.store = store
        self._number = {name: number for number, name in enumerate(tree.parameters)}
        # value, goal, remain: (3, P, capacity)
        self._state: Float64 = np.zeros((3, len(self._number), store.capacity))

    def set(self, row: int, name: str, value: float, time: float) -> None:
        """Let a parameter come to a value in `time` seconds."""
        number = self._of(name)
        if not (math.isfinite(value) and math.isfinite(time) and time >= 0.0):
            raise AnimationError(f"parameter '{name}' needs a finite value, and a time of 0 or more")
        state = self._fitting()
        state[1:, number, row] = value, time
        if time < SMALL:
            state[0, number, row], state[2, number, row] = value, 0.0
        self.follow(slice(row, row + 1))

    def get(self, row: int, name: str) -> float:
        return float(self._fitting()[0, self._of(name), row])

    def clear(self, row: int) -> None:
        self._fitting()[:, :, row] = 0.0

    def move_from(self, other: Parameters, row: int, to: int) -> None:
        """Take over a row of another tree's parameters, by their names."""
        here, there = self._fitting(), other._fitting()
        here[:, :, to] = 0.0
        for name, number in self._number.items():
            if name in other._number:
                here[:, number, to] = there[:, other._number[name], row]

    def saved(self) -> tuple[SavedParameter, ...]:
        state = self._fitting()
        found = []
        for name, number in self._number.items():
            for row in np.flatnonzero(state[:, number, : self.store.rows].any(axis=0)).tolist():
                value, goal, remain = (float(v) for v in state[:, number, row])
                found.append((row, name, value, goal, remain))
        return tuple(found)

    def load(self, saved: tuple[SavedParameter, ...]) -> None:
        """Raises AnimationError for values that no state can have."""
        state = self._fitting()
        for row, name, value, goal, remain in saved:
            good = math.isfinite(value) and math.isfinite(goal) and math.isfinite(remain) and remain >= 0.0
            if not (good and 0 <= row < self.store.rows and name in self._number):
                raise AnimationError("an impossible parameter of an animation tree")
            state[:, self._number[name], row] = value, goal, remain

    # -- what follows --

    def step(self, dt: float) -> None:
        """Let `dt` seconds pass for the values, and the weights follow."""
        value, goal, remain = self._fitting()[:, :, : self.store.rows]
        numbers, rows = np.nonzero(remain > 0.0)
        if len(rows):
            left = remain[numbers, rows]
            done = left < dt + SMALL
            now, target = value[numbers, rows], goal[numbers, rows]
            moved = now + (target - now) * (dt / np.where(done, 1.0, left))
            value[numbers, rows] = np.where(done, target, moved)
            remain[numbers, rows] = np.where(done, 0.0, left - dt)
        self.follow(slice(0, self.store.rows))

    def wake(self, row: int, group: int) -> None:
        """Give the children of a group the weights that they will have once it plays."""
        self._follow(group, slice(row, row + 1), np.ones(1, np.bool_))

    def follow(self, rows: slice) -> None:
        """Give the children of every group the weights that belong to the values of the present moment."""
        for group in sorted(self.tree.blends):
            self._follow(group, rows, self.store.weight[group, rows] > 0.0)

    def _follow(self, group: int, rows: slice, plays: NDArray[np.bool_]) -> None:
        store, tree, blend = self.store, self.tree, self.tree.blends[group]
        children = list(blend.children)
        value = self._fitting()[0, self._number[blend.parameter], rows]
        place = np.interp(value, blend.places, np.arange(len(children)))
        parts = np.maximum(1.0 - np.abs(place - np.arange(len(children))[:, None]), 0.0)
        parts[parts < SMALL] = 0.0
        parts *= plays
        before = store.weight[children, rows]
        changed = np.flatnonzero((parts != before).any(axis=0))
        if len(changed):
            store.stale[rows.start + changed] = True
            for array in (store.weight, store.goal):
                array[children, rows] = parts
            store.remain[children, rows] = 0.0
            store.rate[children, rows] = 1.0
        if tree.sync_roots[group] < 0:
            self._start_over(children, rows, (before > 0.0) & (parts == 0.0))
        elif all(tree.is_leaf(child) for child in children):
            # A flagged group sends the notes of the child that is heaviest now.
            heaviest = np.array(children, np.int32)[parts.argmax(axis=0)]
            flagged = store.flagged[group, rows] & plays
            np.copyto(store.source[group, rows], heaviest, where=flagged)

    def _start_over(self, children: list[int], rows: slice, ended: NDArray[np.bool_]) -> None:
        """A leaf with a time of its own that has gone out begins at its start when it comes back."""
        for child, out in zip(children, ended, strict=True):
            if out.any() and self.tree.is_leaf(child):
                at = rows.start + np.flatnonzero(out)
                for array in (self.store.time, self.store.mark_time):
                    array[child, at] = 0.0
                for counts in (self.store.cycle, self.store.mark_cycle):
                    counts[child, at] = 0

    def _of(self, name: str) -> int:
        number = self._number.get(name.lower())
        if number is None:
            known = ", ".join(self._number) or "none"
            raise AnimationError(f"tree '{self.tree.name}' has no parameter '{name}'; it has {known}")
        return number

    def _fitting(self) -> Float64:
        """(3, P, capacity) of the store as it is by now."""
        missing = self.store.capacity - self._state.shape[2]
        if missing > 0:
            self._state = np.concatenate([self._state, np.zeros((*self._state.shape[:2], missing))], axis=2)
        return self._state
