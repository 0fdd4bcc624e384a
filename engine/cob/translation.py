"""Code words as Python functions: what a thread does from one stop to the next becomes one function.

A region begins where a thread goes on (its code word and the depth of its window) and ends where it suspends,
returns or faults. Within it the operand stack exists only as expressions; what must be seen outside (locals,
statics, operands left at a stop) is written where the interpreter would have written it. The interpreter is the
reference, and does all that this module declines: code whose window cannot be told without running it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.cob import interpreter
from engine.cob.container import CobFile
from engine.cob.region import Irregular, write_region

if TYPE_CHECKING:
    from engine.cob.interpreter import Decoded
    from engine.cob.machine import Machine
    from engine.cob.threads import Slot

Region = Callable[["Machine", "Slot", list[int], int], int]
"""Runs a slot with its window and the budget spent so far. Gives what is spent then when the thread goes on at
its (new) place at once, or -1 when it has stopped."""

TRANSLATE_AFTER = 4
"""Visits of a place before it is worth a translation: most of a death script runs once."""


TRANSLATE_A_TICK = 1
"""Regions that one tick may translate: each can take milliseconds, and the others can wait their turn."""


class Translation:
    """The translated regions of one program, which any number of machines share."""

    def __init__(self, program: CobFile) -> None:
        self._program = program
        self.decoded: dict[int, Decoded] = {}
        """Instructions that the interpreter has met, by their code word."""
        self._left = TRANSLATE_A_TICK
        self._regions: dict[int, Region] = {}
        self._visits: dict[int, int] = {}

    def new_tick(self) -> None:
        """A machine begins a tick, and may translate again."""
        self._left = TRANSLATE_A_TICK

    def interpret(self, pc: int, depth: int) -> Region:
        """The interpreter, whatever the place."""
        return interpreter.run

    def region(self, pc: int, depth: int) -> Region:
        """What runs a thread from here on."""
        key = pc << 6 | depth
        return self._regions.get(key) or self._visit(key, pc, depth)

    def _visit(self, key: int, pc: int, depth: int) -> Region:
        visits = self._visits.get(key, 0) + 1
        self._visits[key] = visits
        if visits < TRANSLATE_AFTER or self._left <= 0:
            return interpreter.run
        self._left -= 1
        region = self._regions[key] = self.compile(pc, depth)
        return region

    def compile(self, pc: int, depth: int) -> Region:
        """Translate the region at once; the interpreter where that cannot be done."""
        try:
            source, names = write_region(self._program, pc, depth)
        except Irregular:
            return interpreter.run
        exec(compile(source, f"<cob region {pc}>", "exec"), names)
        region: Region = names["region"]
        return region
