"""The state of every entity on one tree as arrays, a column an entity ("row") and a line a node.

Lines are contiguous over the rows, so that the update works on all entities with one NumPy call a node or level.
A node that is not playing is all zero, which is what the stock engine means by a missing state (animation
facts, section 5.1).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.anim.cause import Cause
from engine.anim.errors import AnimationError
from engine.anim.tree import Bool, Float64, Int32

MAX_ROWS = 65_536
"""Entities on one tree."""


class NodeStore:
    """`(N, capacity)` arrays; columns beyond `rows` have never been used.

    weight, goal   current and target weight, 0 or more, never clamped to 1
    remain         seconds until the weight has reached its goal
    rate           playing speed, 1 is normal
    time, cycle    place in the clip 0..1, and completed loops
    mark_time, mark_cycle   the same where the current stretch of time began; `time` follows from them
    speed          passes a second during this stretch, 0 for what does not advance
    flagged        whether notes of the node are sent; `notify` has the names
    source         the node whose notes a flagged node sends: itself, or the leaf chosen for a sync parent
    fresh          time was set by a command, so a note exactly there has still to be sent

    And `(capacity,)` arrays of what has to be looked at, so that a frame costs little for those who only go on:

    fading   some weight may not have reached its goal
    stale    speeds have to be worked out again
    """

    weight: Float64
    goal: Float64
    remain: Float64
    rate: Float64
    time: Float64
    cycle: Int32
    mark_time: Float64
    mark_cycle: Int32
    speed: Float64
    flagged: Bool
    source: Int32
    fresh: Bool
    fading: Bool
    stale: Bool

    TYPES = (
        ("weight", np.float64),
        ("goal", np.float64),
        ("remain", np.float64),
        ("rate", np.float64),
        ("time", np.float64),
        ("cycle", np.int32),
        ("mark_time", np.float64),
        ("mark_cycle", np.int32),
        ("speed", np.float64),
        ("flagged", np.bool_),
        ("source", np.int32),
        ("fresh", np.bool_),
    )

    def __init__(self, nodes: int, capacity: int = 16) -> None:
        self.nodes = nodes
        self.rows = 0
        self.alive: NDArray[np.bool_] = np.zeros(capacity, np.bool_)
        self.notify: dict[tuple[int, int], str] = {}
        """Notify name by (row, node) of what is flagged."""
        self.causes: dict[tuple[int, int], Cause] = {}
        """What set the goal of a (row, node) last, where that is known. Not part of the game's state."""
        self._free: list[int] = []
        for name, kind in self.TYPES:
            setattr(self, name, np.zeros((nodes, capacity), kind))
        self.fading = np.ones(capacity, np.bool_)
        self.stale = np.ones(capacity, np.bool_)

    @property
    def capacity(self) -> int:
        return int(self.alive.shape[0])

    def add(self) -> int:
        """A row with nothing playing; rows of removed entities are used again, the lowest first."""
        if self._free:
            row = self._free.pop()
        else:
            if self.rows == MAX_ROWS:
                raise AnimationError(f"more than {MAX_ROWS} entities on one animation tree")
            if self.rows == self.capacity:
                self._grow()
            row = self.rows
            self.rows += 1
        self.alive[row] = True
        return row

    def remove(self, row: int) -> None:
        self.check(row)
        self.clear(row)
        self.alive[row] = False
        self._free.append(row)
        self._free.sort(reverse=True)

    def clear(self, row: int) -> None:
        """Everything of the row back to zero."""
        for name, _ in self.TYPES:
            getattr(self, name)[:, row] = 0
        for node in range(self.nodes):
            self.notify.pop((row, node), None)
            self.causes.pop((row, node), None)
        self.touch(row)

    def touch(self, row: int) -> None:
        """Weights, goals or rates of a row have changed."""
        self.fading[row] = self.stale[row] = True

    def infos(self) -> int:
        """How many nodes play or are about to, of all rows."""
        return int(np.count_nonzero((self.weight != 0.0) | (self.goal != 0.0)))

    @property
    def free_rows(self) -> tuple[int, ...]:
        """Rows of removed entities, in the reverse of the order in which they are used again."""
        return tuple(self._free)

    @free_rows.setter
    def free_rows(self, rows: tuple[int, ...]) -> None:
        self._free = list(rows)

    def check(self, row: int) -> None:
        if not (0 <= row < self.rows and self.alive[row]):
            raise IndexError(f"no entity in row {row}")

    def live_rows(self) -> Iterator[int]:
        return (int(row) for row in np.flatnonzero(self.alive[: self.rows]))

    def move_from(self, other: NodeStore, row: int, to: int, nodes: dict[int, int]) -> None:
        """Copy the state of a row of another store; `nodes` maps its nodes to nodes of this store."""
        self.clear(to)
        old = np.fromiter(nodes.keys(), np.int32, len(nodes))
        new = np.fromiter(nodes.values(), np.int32, len(nodes))
        for name, _ in self.TYPES:
            getattr(self, name)[new, to] = getattr(other, name)[old, row]
        for before, now in nodes.items():
            self.source[now, to] = nodes.get(int(other.source[before, row]), now)
            if (row, before) in other.notify:
                self.notify[to, now] = other.notify[row, before]
            if (row, before) in other.causes:
                self.causes[to, now] = other.causes[row, before]

    def adopt_rows(self, other: NodeStore) -> None:
        """Take over which rows exist, for a store that replaces another of the same capacity."""
        self.rows = other.rows
        self.alive = other.alive.copy()
        self._free = list(other._free)

    def _grow(self) -> None:
        extra = self.capacity
        self.alive = np.concatenate([self.alive, np.zeros(extra, np.bool_)])
        self.fading = np.concatenate([self.fading, np.ones(extra, np.bool_)])
        self.stale = np.concatenate([self.stale, np.ones(extra, np.bool_)])
        for name, kind in self.TYPES:
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros((self.nodes, extra), kind)], axis=1))
