"""Built-ins of Modern Warfare 2 that need no level (IW4 page, "Engine boundary and restoration").

Those over numbers, vectors and random numbers that both games have are United Offensive's, under the same names.
"""

from __future__ import annotations

import math
import string

from engine.vm import core_math, core_state, strict, tables
from engine.vm.arrays import Array
from engine.vm.core_text import MAX_LOG, write_counted
from engine.vm.errors import ScriptError
from engine.vm.framing import now
from engine.vm.machine import VM
from engine.vm.operators import leading_number, to_int, type_name
from engine.vm.registry import Registry
from engine.vm.tables import Rows
from engine.vm.values import INT_MAX, INT_MIN, Localized, Value, Vector, f32

FOLDED = 4
"""Characters of a text that become others for a unit of the budget."""

SPLIT = 2
"""Units of a character of a text that is taken apart."""

DELIMITER = 8
"""Units of a character that parts are between."""

ROW = 12
"""Units of a row that a look-up passes."""

READ = 20_000
"""Units of looking for the files of a table."""

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)

registry = Registry()

# ---- text ------------------------------------------------------------------------------------------------


def as_text(value: Value) -> str:
    """A value as text; a localized string is its key. Raises `ScriptError` for what has none."""
    if isinstance(value, Localized):
        return value.key
    return strict.to_text(value)


@registry.function(pure=True)
def logprint(vm: VM, *parts: Value) -> None:
    """Write text as it is, with nothing added: the game log, which `notetrack run` shows as its output."""
    write_counted(vm, vm.game_log, "".join(as_text(part) for part in parts)[:MAX_LOG])


@registry.function(pure=True)
def getsubstr(text: str, start: int, end: int | None = None) -> str:
    """The characters from `start` up to and without `end`, which is by default the text's length."""
    stop = len(text) if end is None else end
    return text[max(0, start) : max(0, stop)]


@registry.function(pure=True)
def strtok(vm: VM, text: str, delimiters: str) -> Array:
    """The parts between any of the characters `delimiters`; empty ones are left out."""
    vm.runner.budget.charge(SPLIT * len(text) + DELIMITER * len(delimiters))
    if delimiters:
        text = text.translate(dict.fromkeys(map(ord, delimiters), delimiters[0]))
    parts = text.split(delimiters[0]) if delimiters else [text]
    return Array.of([part for part in parts if part])


@registry.function(pure=True)
def issubstr(vm: VM, text: str, part: str) -> bool:
    """Whether `part` occurs in `text`. Case counts."""
    vm.runner.budget.charge(len(text) // FOLDED)
    return part in text


@registry.function(pure=True)
def tolower(vm: VM, text: str) -> str:
    vm.runner.budget.charge(len(text) // FOLDED)
    return text.translate(_LOWER)


@registry.function(pure=True)
def toupper(vm: VM, text: str) -> str:
    vm.runner.budget.charge(len(text) // FOLDED)
    return text.translate(_UPPER)


# ---- types -----------------------------------------------------------------------------------------------


@registry.function(pure=True)
def isstring(value: Value) -> bool:
    """Whether a value is a string, a localized one included."""
    return isinstance(value, str | Localized)


@registry.function(pure=True)
def isarray(value: Value) -> bool:
    return isinstance(value, Array)


@registry.function("int", pure=True)
def to_int_(vm: VM, value: Value) -> int:
    """A number without its fraction, or the number that a text begins with."""
    if isinstance(value, str):
        vm.runner.budget.charge(len(value) // 2)
        return max(INT_MIN, min(INT_MAX, int(leading_number(value))))
    if value.__class__ in (int, float):
        return to_int(value)
    raise ScriptError(f"parameter 1 is {type_name(value)}, not a number or a string")


@registry.function("float", pure=True)
def to_float_(vm: VM, value: Value) -> float:
    """A number as a float, or the number that a text begins with."""
    if isinstance(value, str):
        vm.runner.budget.charge(len(value) // 2)
        return f32(leading_number(value))
    if value.__class__ in (int, float):
        return f32(value)
    raise ScriptError(f"parameter 1 is {type_name(value)}, not a number or a string")


# ---- numbers and vectors ---------------------------------------------------------------------------------


def _number(value: Value, position: int) -> float:
    if value.__class__ not in (int, float):
        raise ScriptError(f"parameter {position} is {type_name(value)}, not a number")
    number: float = value
    return number


@registry.function("abs", pure=True)
def abs_(value: Value) -> Value:
    """The magnitude, an int for an int."""
    return abs(_number(value, 1))


@registry.function("min", pure=True)
def min_(a: Value, b: Value) -> Value:
    """The smaller of two numbers, the first of equal ones, with its own type."""
    return b if _number(b, 2) < _number(a, 1) else a


@registry.function("max", pure=True)
def max_(a: Value, b: Value) -> Value:
    """The larger of two numbers, the first of equal ones, with its own type."""
    return b if _number(b, 2) > _number(a, 1) else a


def _finite(value: float, name: str) -> float:
    if not math.isfinite(value):
        raise ScriptError(f"{name} of {value:g}: the argument must be finite")
    return value


@registry.function(pure=True)
def floor(value: float) -> float:
    return float(math.floor(_finite(value, "floor")))


@registry.function(pure=True)
def ceil(value: float) -> float:
    return float(math.ceil(_finite(value, "ceil")))


@registry.function(pure=True)
def sqrt(value: float) -> float:
    """The square root. Raises `ScriptError` for a negative number."""
    if value < 0:
        raise ScriptError(f"sqrt of {value:g}: the argument must not be negative")
    return math.sqrt(value)


@registry.function(pure=True)
def squared(value: float) -> float:
    return value * value


@registry.function(pure=True)
def tan(degrees: float) -> float:
    """The tangent of an angle in degrees; 0 where the cosine is, as for every division by zero here."""
    cosine = f32(math.cos(math.radians(_finite(degrees, "tan"))))
    return 0.0 if abs(cosine) < 1e-7 else math.tan(math.radians(degrees))


@registry.function(pure=True)
def distance2d(a: Vector, b: Vector) -> float:
    """The distance of two points seen from above."""
    return math.hypot(b[0] - a[0], b[1] - a[1])


@registry.function(pure=True)
def vectorlerp(a: Vector, b: Vector, fraction: float) -> Vector:
    """The point at `fraction` of the way from `a` to `b`."""
    return tuple(x + (y - x) * fraction for x, y in zip(a, b, strict=True))  # type: ignore[return-value]  # three


@registry.function(pure=True)
def vectorcross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@registry.function(pure=True)
def angleclamp(angle: float) -> float:
    """The same angle from 0 to below 360."""
    return f32(_finite(angle, "angleclamp") % 360) % 360


@registry.function(pure=True)
def angleclamp180(angle: float) -> float:
    """The same angle from -180 to below 180."""
    return (_finite(angle, "angleclamp180") + 180) % 360 - 180


# ---- time ------------------------------------------------------------------------------------------------


@registry.function(pure=True)
def gettime(vm: VM) -> int:
    """The time of the server frame in milliseconds, the same for everything within the frame."""
    return now(vm)


# ---- dvars -----------------------------------------------------------------------------------------------


def _dvar(vm: VM, name: str) -> str | None:
    return vm.cvars.get(name.lower())


@registry.function(pure=True)
def getdvar(vm: VM, name: str, default: Value | None = None) -> Value:
    """A dvar's text; for one that is not set the default, "" without one."""
    found = _dvar(vm, name)
    if found is None:
        return "" if default is None else default
    return found


@registry.function(pure=True)
def getdvarint(vm: VM, name: str, default: Value | None = None) -> Value:
    """A dvar's leading number as an int; for one that is not set the default, 0 without one."""
    found = _dvar(vm, name)
    if found is None:
        return 0 if default is None else default
    return max(INT_MIN, min(INT_MAX, int(leading_number(found))))


@registry.function(pure=True)
def getdvarfloat(vm: VM, name: str, default: Value | None = None) -> Value:
    """A dvar's leading number as a float; for one that is not set the default, 0 without one."""
    found = _dvar(vm, name)
    if found is None:
        return 0.0 if default is None else default
    return f32(leading_number(found))


@registry.function(pure=True, cost=120)
def getdvarvector(vm: VM, name: str) -> Vector:
    """A dvar's three numbers as a vector; what is missing is 0."""
    words = (_dvar(vm, name) or "").replace("(", " ").replace(",", " ").split()
    x, y, z = [leading_number(word) for word in [*words, "0", "0", "0"][:3]]
    return (x, y, z)


@registry.function(pure=True, cost=150)
def setdvar(vm: VM, name: str, *parts: Value) -> None:
    """Set a dvar to the text of its arguments; a localized string is stored as its reference."""
    if not parts:
        raise ScriptError("parameter 2 does not exist")
    core_state.set_cvar(vm, name, "".join(as_text(part) for part in parts))


@registry.function(pure=True)
def setdvarifuninitialized(vm: VM, name: str, value: Value) -> None:
    """Set a dvar, unless it has a value."""
    if _dvar(vm, name) is None:
        core_state.set_cvar(vm, name, as_text(value))


@registry.function(pure=True)
def makedvarserverinfo(vm: VM, name: str, value: Value | None = None) -> None:
    """Create a dvar with a value, unless it has one; servers show it to clients."""
    if _dvar(vm, name) is None:
        core_state.set_cvar(vm, name, "" if value is None else as_text(value))


# ---- string tables ---------------------------------------------------------------------------------------


def _rows(vm: VM, table: str) -> Rows:
    """All rows of a table, which are about to be looked through."""
    rows = _table(vm, table)
    vm.runner.budget.charge(ROW * len(rows))
    return rows


def _table(vm: VM, table: str) -> Rows:
    if not vm.tables.is_read(table):
        vm.runner.budget.charge(READ)
    return vm.tables(table)


@registry.function(pure=True)
def tablelookup(vm: VM, table: str, column: int, value: Value, result: int) -> str:
    """The cell in column `result` of the first row with `value` in `column`, without regard to case; "" for none."""
    row = tables.find_row(_rows(vm, table), column, as_text(value))
    return tables.cell(row, result)


@registry.function(pure=True)
def tablelookupistring(vm: VM, table: str, column: int, value: Value, result: int) -> Localized:
    """The same, as the key of a localized string."""
    row = tables.find_row(_rows(vm, table), column, as_text(value))
    return Localized(tables.cell(row, result))


@registry.function(pure=True)
def tablelookuprownum(vm: VM, table: str, column: int, value: Value) -> int:
    """The number of the first row with `value` in `column`, from 0; -1 for none."""
    return tables.find_number(_rows(vm, table), column, as_text(value))


@registry.function(pure=True)
def tablelookupbyrow(vm: VM, table: str, row: int, result: int) -> str:
    """The cell in column `result` of a row, "" where there is none."""
    rows = _table(vm, table)
    return tables.cell(rows[row], result) if 0 <= row < len(rows) else ""


@registry.function(pure=True)
def tableexists(vm: VM, table: str) -> bool:
    return bool(_table(vm, table))


SHARED_MATH = (
    "randomint", "randomfloat", "randomintrange", "randomfloatrange", "sin", "cos", "asin", "acos", "atan",
    "distance", "distancesquared", "length", "lengthsquared", "closer", "vectordot", "vectornormalize",
    "vectortoangles", "anglestoforward", "anglestoright", "anglestoup",
)  # fmt: skip
SHARED_STATE = ("isdefined", "spawnstruct", "resettimeout")


def strict_registry(services: tuple[type, ...] = ()) -> Registry:
    """A fresh registry of the built-ins that need no level, for a host to add its own to."""
    result = Registry(services)
    result.include(registry)
    for source, names in ((core_math.registry, SHARED_MATH), (core_state.registry, SHARED_STATE)):
        for name in names:
            result.functions[name] = source.functions[name]
    return result
