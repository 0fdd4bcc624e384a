"""The last seconds of a game, as states to go back to."""

from __future__ import annotations

import weakref
import zlib
from collections import deque
from dataclasses import dataclass

from engine.mods.program import Build

EVERY = 10
"""Server frames between two states."""
HEAVY = 400_000
"""Bytes of a state after which the next is not taken for `REST` frames: taking it makes a frame late."""
REST = 600
BUDGET = 16 << 20
"""Bytes of all states together."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state at a game time in ms, packed, and the program that it is a state of, as long as the history of reloads
    keeps that."""

    time: int
    player: int | None
    packed: bytes
    program: weakref.ref[Build] | None = None

    @property
    def build(self) -> Build | None:
        return self.program() if self.program is not None else None

    @property
    def state(self) -> bytes:
        return zlib.decompress(self.packed)


class RewindBuffer:
    """Moments in order of time, the oldest dropped when they are more than `budget` bytes together."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self.size = 0
        self._moments: deque[Moment] = deque()

    def __len__(self) -> int:
        return len(self._moments)

    def keep(self, time: int, player: int | None, state: bytes, build: Build | None = None) -> None:
        """Add a moment; those of its time and later, from before a step back, are dropped."""
        self.cut(time)
        moment = Moment(
            time, player, zlib.compress(state, 1), weakref.ref(build) if build is not None else None
        )
        self._moments.append(moment)
        self.size += len(moment.packed)
        while self.size > self.budget and self._moments:
            self.size -= len(self._moments.popleft().packed)

    def find(self, time: int) -> Moment | None:
        """The last moment at or before a time, else the first; None where there is none."""
        found = None
        for moment in self._moments:
            if found is not None and moment.time > time:
                break
            found = moment
        return found

    def cut(self, time: int) -> None:
        """Drop every moment at or after a time."""
        while self._moments and self._moments[-1].time >= time:
            self.size -= len(self._moments.pop().packed)

    def clear(self) -> None:
        self._moments.clear()
        self.size = 0
