"""Built-ins that write text: print, println, assert, logprint."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.vm.machine import VM
from engine.vm.operators import to_text, type_name
from engine.vm.registry import Registry
from engine.vm.values import Animation, Localized, Value

MAX_LOG = 1023
"""Characters that one `logprint` writes at most."""

LINE = 500
"""Units of writing a line, and `CHARACTERS` of it for one more."""

CHARACTERS = 8

registry = Registry()


def as_message(value: Value) -> str:
    """A value as `print` shows it: objects by the name of their type, animations by their own name."""
    if isinstance(value, Localized):
        return value.key
    if isinstance(value, Animation):
        return value.name
    if value.__class__ in (str, int, float, tuple):
        return to_text(value)
    return type_name(value)


@registry.function("print", pure=True)
def print_(vm: VM, *parts: Value) -> None:
    """Write the arguments one after another with nothing between. Muted by the cvar g_NoScriptSpam."""
    if vm.cvars.get("g_noscriptspam", "0") in ("", "0"):
        _write(vm, vm.out, parts)


@registry.function(pure=True)
def println(vm: VM, *parts: Value) -> None:
    """The same with a line feed after it."""
    print_(vm, *parts, "\n")


@registry.function("assert", pure=True)
def assert_(*parts: Value) -> None:
    """Does nothing, as in the release build of the stock engine; its arguments are evaluated."""


@registry.function(pure=True)
def logprint(vm: VM, *parts: Value) -> None:
    """Append to the game log."""
    _write(vm, vm.game_log, parts, MAX_LOG)


def _write(vm: VM, out: Callable[[str], object], parts: Iterable[Value], most: int | None = None) -> None:
    """Write the first `most` characters of some values, all if None."""
    write_counted(vm, out, "".join([as_message(part) for part in parts])[:most])


def write_counted(vm: VM, out: Callable[[str], object], text: str) -> None:
    """Write a text, which counts as a line and by its length. Raises `ScriptError` where the thread's owner has written
    enough in this frame."""
    vm.runner.budget.line()
    vm.runner.budget.charge(LINE + len(text) // CHARACTERS)
    out(text)
