"""What scripts print has an end in each frame, also where the VM counts no lines, as while a level loads."""

from __future__ import annotations

from collections.abc import Callable

MOST_LINES = 4096
"""Lines of a frame, or of the start of a level, that reach console, log and output, those of all mods together."""


class Printed:
    """Counts the lines of a frame. `say` is told at its end how many were left out."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._lines = 0

    def allows(self) -> bool:
        """Whether one more line may be written."""
        self._lines += 1
        return self._lines <= MOST_LINES

    def end(self) -> None:
        """A frame has ended, or a level has begun."""
        left_out, self._lines = self._lines - MOST_LINES, 0
        if left_out > 0:
            lines = "line was" if left_out == 1 else "lines were"
            self._say(f"{left_out} more {lines} printed at once and left out")
