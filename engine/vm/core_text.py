"""Built-ins that write text: print, println, assert, logprint."""

from __future__ import annotations

from engine.vm.machine import VM
from engine.vm.operators import to_text, type_name
from engine.vm.registry import Registry
from engine.vm.values import Animation, Localized, Value

MAX_LOG = 1023
"""Characters that one `logprint` writes at most."""

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
        vm.out("".join(as_message(part) for part in parts))


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
    vm.game_log("".join(as_message(part) for part in parts)[:MAX_LOG])
