"""One server frame of animation: it stops at every note, lets scripts answer, and goes on (animation facts, 5.4).

All entities are moved together. The notes of the frame are found beforehand and sent in the order of their time.
An entity is only brought to the present moment when a script asks about it or commands it; its remaining notes
are then found anew, with the weights and rates that the script has left. So a note that nobody answers costs
next to nothing, and one that is answered costs the update of one entity.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from engine.anim import update
from engine.anim.motion import RootMotion
from engine.anim.notes import Passed, is_audible, passed_notes
from engine.anim.parameters import Parameters
from engine.anim.store import NodeStore
from engine.anim.tree import Tree

Deliver = Callable[[int, str, str], None]
"""deliver(row, notify, note): sends one note to the scripts of an entity. May issue commands."""

MAX_STOPS = 100
"""Times within one frame that an entity's remaining notes are found anew."""

_SAME = 1e-9


class Frame:
    """A frame in progress, `now` seconds after its start.

    overrun  entities that were commanded at more than MAX_STOPS notes, such as a script that restarts an animation
             at a note on its very first frame; they go to the end of the frame without further notes
    """

    def __init__(
        self,
        tree: Tree,
        store: NodeStore,
        motion: RootMotion,
        dt: float,
        parameters: Parameters | None = None,
    ) -> None:
        self.tree = tree
        self.parameters = parameters
        self.store = store
        self.motion = motion
        self.dt = dt
        self.now = 0.0
        self.overrun: list[int] = []
        self._begun = np.zeros(store.rows)
        """Seconds into the frame of each row's mark."""
        self._queue: list[Passed] = []
        self._dirty: dict[int, None] = {}
        self._joined: set[int] = set()
        self._touched: set[int] = set()
        self._version: dict[int, int] = {}
        self._kept: dict[int, tuple[float, int]] = {}
        """Row -> when it was last commanded, and the first version whose notes at that very moment still count."""
        self._stops: dict[int, int] = {}

    def run(self, deliver: Deliver, settle: Callable[[], None]) -> None:
        tree, store = self.tree, self.store
        everyone = slice(0, store.rows)
        update.update_weights(tree, store, self.dt)
        if self.parameters is not None:
            self.parameters.step(self.dt)
        update.mark(store, everyone)
        update.update_stale_speeds(tree, store)
        self._queue = passed_notes(tree, store, everyone, 0.0, self.dt, standing=True, version=0)
        heapq.heapify(self._queue)
        store.fresh[:] = False
        try:
            while self._queue:
                self._stop(deliver, settle)
        finally:
            self._finish()

    def _stop(self, deliver: Deliver, settle: Callable[[], None]) -> None:
        """Send the notes of one entity at one moment, then let scripts run."""
        first = heapq.heappop(self._queue)
        row = first.row
        self.now = max(self.now, first.stop)
        group = [first]
        while self._queue and self._queue[0].row == row and self._queue[0].stop <= self.now + _SAME:
            group.append(heapq.heappop(self._queue))
        sent = False
        for passed in group:
            # What nobody has touched is as audible as it was when its notes were found.
            if row not in self._touched or (
                self._counts(passed) and is_audible(self.tree, self.store, row, passed.node)
            ):
                deliver(row, self.store.notify[row, passed.node], passed.name)
                sent = True
        if sent:
            settle()
        if self._dirty:
            self._resume()

    def _counts(self, passed: Passed) -> bool:
        """Whether nothing has happened since that makes a note found earlier untrue."""
        row = passed.row
        if row in self._joined:
            return False
        if passed.version == self._version.get(row, 0):
            return True
        moment, version = self._kept.get(row, (-1.0, -1))
        return passed.version >= version >= 0 and passed.stop <= moment + _SAME

    # -- what commands call --

    def bring(self, row: int) -> None:
        """Bring an entity to the present moment, before somebody looks at it."""
        if row in self._joined:
            return
        one = slice(row, row + 1)
        passed = self.now - float(self._begun[row])
        if passed > 0.0:
            update.advance(self.tree, self.store, row, passed)
            self.motion.note(self.store, row)
            self._begun[row] = self.now
            update.mark(self.store, one)

    def touch(self, row: int) -> None:
        """The same before a command changes the entity."""
        if row in self._joined:
            return
        self.bring(row)
        self._dirty[row] = None
        self._touched.add(row)

    def join(self, row: int) -> None:
        """An entity that appears during the frame begins to move with the next one."""
        self._joined.add(row)
        self._touched.add(row)
        if row >= len(self._begun):
            extra = np.zeros(row + 1 - len(self._begun))
            self._begun = np.concatenate([self._begun, extra])
        self.motion.forget(row)
        self._dirty.pop(row, None)

    def _resume(self) -> None:
        """Find the remaining notes of the entities that were commanded."""
        dirty, self._dirty = self._dirty, {}
        for row in dirty:
            version = self._version.get(row, 0)
            if self._kept.get(row, (-1.0, 0))[0] < self.now:
                self._kept[row] = (self.now, version)
            self._version[row] = version + 1
            one = slice(row, row + 1)
            update.mark(self.store, one)
            update.update_speeds(self.tree, self.store, one)
            if self.now + _SAME >= self.dt:
                continue
            self._stops[row] = self._stops.get(row, 0) + 1
            if self._stops[row] > MAX_STOPS:
                if row not in self.overrun:
                    self.overrun.append(row)
                continue
            for passed in passed_notes(
                self.tree, self.store, one, self.now, self.dt, standing=False, version=version + 1
            ):
                heapq.heappush(self._queue, passed)
            self.store.fresh[:, row] = False

    def _finish(self) -> None:
        update.advance_all(self.tree, self.store, self.dt - self._begun)
        self.motion.finish(self.store)
