"""Activations as data.

A function that suspends writes its state into a frame and returns; a thread is a list of frames, outermost first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine.vm.objects import ScriptObject
    from engine.vm.values import Function


class _Suspended:
    """The result of a call that had to wait."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "SUSPENDED"


SUSPENDED: Final = _Suspended()


class Frame:
    """One suspended activation of `function`.

    `site` numbers the place where it waits (from 1, in textual order), `locals` are the script locals in the order of
    `function.unit.locals`, `temps` are operands that were evaluated before the wait, `value` is what the place
    receives on resumption: the callee's result, or the values of a notification.
    """

    __slots__ = ("function", "locals", "self", "site", "temps", "value")

    # No `__init__`: emitted code makes frames by the thousand, and sets every attribute itself.
    function: Function
    self: ScriptObject
    site: int
    locals: tuple[Any, ...]
    temps: tuple[Any, ...]
    value: Any
