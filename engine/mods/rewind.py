"""The last seconds of a game, as states to go back to, and when there is time to take one."""

from __future__ import annotations

import weakref
import zlib
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.mods.program import Build
from engine.vm.census import census

if TYPE_CHECKING:
    from engine.vm.machine import VM

EVERY = 10
"""Server frames between two states."""
SHARE = 400_000
"""Bytes of a state for which the next waits for another `EVERY` frames."""
HEAVY = 1 << 20
"""Bytes of a state after which the next is not taken for `REST` frames: it has more in it than was counted."""
REST = 600
PATIENCE = 60
"""Frames for which a state waits for one in which scripts do little; then a small one is taken all the same."""
BUDGET = 16 << 20
"""Bytes of all states together."""

ROOM = 4_000_000
"""Units of work that the scripts of a frame and the taking of a state may have together: some 45 ms on a machine that
has its whole speed, beside what else there is in a frame."""
LEAST, OF_ENTITY, OF_THREAD, OF_VARIABLE = 500_000, 4_000, 700, 130
"""Units for a state, and for everything in it; of an entity with what it has the world do in the frame."""
TO_COUNT = 40
"""Units for a variable of a census."""
TRUSTED = 200
"""Frames after which variables are counted anew: fields that old objects are given are in no other number."""


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


class Pace:
    """When a state is taken: where what it takes, by what there is to write, fits into a frame beside what its scripts
    have done. It counts and reads no clock, so that the same game has the same states on every machine."""

    def __init__(self, begun: int = 0) -> None:
        """begun: the frame before the first one of the game."""
        self.due = begun + EVERY
        """The frame from which on the next state is wanted."""
        self.put_off = False
        """Whether the last frame should have had a state and had no room for it."""
        self._recount = 0
        """The frame from which on variables may be counted."""
        self._trusted = begun + TRUSTED
        """The frame from which on they have to be."""
        self._vm: weakref.ref[VM] | None = None
        self._counted = self._made = self._last = 0
        """Variables that there were at most when so many had been made, and how many were when it was last asked."""

    def allows(self, number: int, vm: VM, entities: int) -> bool:
        """Whether a state is to be taken at the end of this frame."""
        variables = self._variables(vm)
        wanted, trusted = number >= self.due, number < self._trusted
        if not wanted and number < self._trusted - EVERY:
            return False
        used = sum(account.used for account in vm.accounts)
        left = ROOM - used
        if number >= self.due + PATIENCE:
            left = max(left, ROOM // 2)
        fixed = LEAST + OF_ENTITY * entities + OF_THREAD * len(vm.runner.suspended)
        fits = fixed + OF_VARIABLE * variables <= left
        if wanted and trusted and fits:
            return True
        self.put_off = wanted and not fits
        if number >= self._recount and fixed <= left and used + TO_COUNT * variables <= ROOM:
            # Most of what was made may be gone. The state is for another frame: both would be too much for one.
            self._counted, self._made, self._trusted = census(vm), vm.variables.made, number + TRUSTED
            if fixed + OF_VARIABLE * self._counted > ROOM:
                self._recount = number + REST
        return False

    def taken(self, number: int, size: int) -> None:
        """A state of so many bytes was taken."""
        self.put_off = False
        rest = REST if size > HEAVY else EVERY * -(-size // SHARE)
        self.due = (number // EVERY) * EVERY + rest

    def forget(self) -> None:
        """Another state was put in the place of the game's."""
        self._vm = None

    def _variables(self, vm: VM) -> int:
        """No fewer than there are, nearly: see `VariableBudget.made`."""
        made = vm.variables.made
        if self._vm is None or self._vm() is not vm or made < self._last:
            # Another game, or the VM has counted itself.
            self._vm, self._counted, self._made = weakref.ref(vm), made, made
        self._last = made
        return self._counted + made - self._made
