"""Activations as data.

A function that suspends writes its state into a frame and returns; a thread is a chain of frames.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine.vm.objects import ScriptObject
    from engine.vm.threads import Thread
    from engine.vm.values import Function


WIDE = 64
"""Locals of a call above which the places of all count as variables, set or not."""

PLACES = 8
"""How many of them take the room of a variable."""


class Suspended:
    """The result of code that waits: `ms` until it is due, where that is all there is to know."""

    __slots__ = ("ms",)

    def __init__(self, ms: int = -1) -> None:
        self.ms = ms

    def __repr__(self) -> str:
        return f"<suspended for {self.ms} ms>" if self.ms >= 0 else "<suspended>"


SUSPENDED: Final = Suspended()
"""What every call returns whose callee waits, and the first of them too: the runner has their frames, and knows for how
long."""

WAITING: Final = Suspended()
"""The frame that was resumed waits again, and what it waits for knows it."""


class Touched:
    """What every resumption touches of a frame, first in its memory (as `engine.vm.threads.Touched`)."""

    __slots__ = ("locals", "resume", "self", "value")

    locals: tuple[Any, ...]
    resume: Callable[[Frame, ScriptObject, Thread], Any]
    self: ScriptObject
    value: Any


class Frame(Touched):
    """One suspended activation of `function`.

    `site` numbers the place where it waits (from 1, in textual order), `locals` are the script locals in the order of
    `function.unit.locals`, `temps` are operands that were evaluated before the wait, `value` is what the place
    receives on resumption: the callee's result, or the values of a notification.
    `below` is its caller's frame and `level` the number of those. `resume` is the code that goes on at the site: it
    follows from `function` and `site` (`stand`).
    """

    __slots__ = ("below", "function", "level", "site", "temps")

    # No `__init__`: emitted code makes frames by the thousand, and sets every attribute itself but for `below` and
    # `level`, which the runner does.
    function: Function
    site: int
    temps: tuple[Any, ...]
    below: Frame | None
    level: int

    def stand(self) -> None:
        """Go on with the code that the function has now, which is compiled."""
        self.resume = self.function.resumes[self.site - 1]
