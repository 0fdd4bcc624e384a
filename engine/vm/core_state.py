"""Built-ins over the VM's own state: structs, time, cvars, the watchdog, profiling marks."""

from __future__ import annotations

import re

from engine.vm.errors import ScriptError
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.vm.operators import leading_number, to_text, type_name
from engine.vm.registry import Registry
from engine.vm.values import INT_MAX, INT_MIN, Localized, Value, f32

MAX_CVARS = 4096
MAX_CVAR = 1023
"""Characters in the name and in the text of a cvar."""

_NO_NAME = re.compile(r'[\x00-\x20";\\]')
"""What no name of a cvar has in it: it could not be written on a line of the console."""

VARIABLES_OF_A_STRUCT = 4
"""What a new struct is counted as until the next census: itself, and fields that it will have."""

registry = Registry()


@registry.function(pure=True)
def isdefined(value: Value) -> int:
    """0 for undefined and for an object that has ended."""
    return 0 if value is None or (isinstance(value, ScriptObject) and value.dead) else 1


@registry.function(pure=True)
def spawnstruct(vm: VM) -> ScriptObject:
    """A fresh object without fields."""
    vm.variables.spend(VARIABLES_OF_A_STRUCT)
    return ScriptStruct()


@registry.function(pure=True)
def gettime(vm: VM) -> int:
    """Level time in milliseconds."""
    return vm.time


@registry.function(pure=True)
def getstarttime(vm: VM) -> int:
    """Level time at which the level started."""
    return vm.start_time


@registry.function(pure=True)
def resettimeout(vm: VM) -> None:
    """Give the running thread a fresh budget of loop rounds and calls."""
    vm.runner.budget.refill()


@registry.function(pure=True)
def prof_begin(name: str) -> None:
    """A mark for a profiler; does nothing."""


@registry.function(pure=True)
def prof_end(name: str) -> None:
    """A mark for a profiler; does nothing."""


# ---- cvars -----------------------------------------------------------------------------------------------


@registry.function(pure=True)
def getcvar(vm: VM, name: str) -> str:
    """The text of a cvar, "" when it is not set."""
    return vm.cvars.get(name.lower(), "")


@registry.function(pure=True)
def getcvarint(vm: VM, name: str) -> int:
    """A cvar as an int: the leading digits of its text, 0 if there are none."""
    return max(INT_MIN, min(INT_MAX, int(leading_number(vm.cvars.get(name.lower(), "")))))


@registry.function(pure=True)
def getcvarfloat(vm: VM, name: str) -> float:
    """A cvar as a float: the leading number of its text, 0 if there is none."""
    return f32(leading_number(vm.cvars.get(name.lower(), "")))


@registry.function(pure=True, cost=60)
def setcvar(vm: VM, name: str, value: Value, serverinfo: Value | None = None) -> None:
    """Set a cvar to the text of a value."""
    set_cvar(vm, name, value)


@registry.function(pure=True, cost=60)
def makecvarserverinfo(vm: VM, name: str, value: Value) -> None:
    """Create a cvar with a value, unless it has one; servers show it to clients."""
    if name.lower() not in vm.cvars:
        set_cvar(vm, name, value)


def set_cvar(vm: VM, name: str, value: Value) -> None:
    key = name.lower()
    if not key or len(key) > MAX_CVAR or _NO_NAME.search(key):
        raise ScriptError(f'"{name[:40]}" cannot be the name of a cvar')
    if key not in vm.cvars and len(vm.cvars) >= MAX_CVARS:
        raise ScriptError(f"more than {MAX_CVARS} cvars", code="limit")
    if isinstance(value, Localized):
        text = value.key
    elif value.__class__ in (str, int, float, tuple):
        text = to_text(value)
    else:
        raise ScriptError(f"a cvar cannot hold {type_name(value)}")
    if len(text) > MAX_CVAR:
        raise ScriptError(f"a cvar holds at most {MAX_CVAR} characters", code="limit")
    vm.cvars[key] = text
