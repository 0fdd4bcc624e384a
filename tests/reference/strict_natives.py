"""The built-ins of Modern Warfare 2 that generated programs call, for the reference interpreter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests.reference.natives import Natives, anything, check_cvar, want_object
from tests.reference.strict_operators import number, shown, text_of
from tests.reference.values import (
    HIGHEST,
    LOWEST,
    Builtin,
    Fault,
    Localized,
    Table,
    Vector,
    as_int,
    described,
    int32,
    real_number,
    single,
)

if TYPE_CHECKING:
    from tests.reference.interpreter import Interpreter

STRICT_NATIVES = (
    "logprint", "trace", "isdefined", "spawnstruct", "free", "gettime", "getdvar", "getdvarint", "getdvarfloat",
    "setdvar", "setdvarifuninitialized", "vectordot", "lengthsquared", "length", "isstring", "isarray", "int", "float",
    "getsubstr", "strtok", "issubstr", "toupper", "abs", "min", "max",
)  # fmt: skip
OPTIONAL = {"getdvar": 1, "getdvarint": 1, "getdvarfloat": 1, "getsubstr": 1}
"""How many of the last parameters may be missing."""


def want_text(value: Any, number: int) -> str:
    if isinstance(value, str | int | float | Vector):
        return text_of(value)
    raise Fault(f"parameter {number} is {described(value)}, not string")


def want_int(value: Any, number: int) -> int:
    if isinstance(value, int):
        return value
    raise Fault(f"parameter {number} is {described(value)}, not int")


def maybe_int(value: Any, number: int) -> int | None:
    return None if value is None else want_int(value, number)


class StrictNatives(Natives):
    """Each with the conversions of its parameters, or None for any number of anything."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        both = [want_text, anything]
        common = ("spawnstruct", "free", "isdefined", "vectordot", "lengthsquared", "length")
        self.known = {
            **{name: self.known[name] for name in common},
            "free": ([want_object], interpreter.free),
            "logprint": (None, lambda *parts: self.write("".join(map(log_text, parts)))),
            "trace": (None, lambda *parts: self.write("".join(map(shown, parts)) + "\n")),
            "gettime": ([], lambda: interpreter.time),
            "getdvar": (both, lambda name, default: self.dvar(name, default, "", str)),
            "getdvarint": (both, lambda name, default: self.dvar(name, default, 0, text_to_int)),
            "getdvarfloat": (both, lambda name, default: self.dvar(name, default, 0.0, text_to_float)),
            "setdvar": (None, self.setdvar),
            "setdvarifuninitialized": (both, self.setdvarifuninitialized),
            "isstring": ([anything], lambda value: int(isinstance(value, str | Localized))),
            "isarray": ([anything], lambda value: int(isinstance(value, Table))),
            "int": ([anything], to_int),
            "float": ([anything], to_float),
            "getsubstr": ([want_text, want_int, maybe_int], getsubstr),
            "strtok": ([want_text, want_text], strtok),
            "issubstr": ([want_text, want_text], lambda text, part: int(part in text)),
            "toupper": ([want_text], lambda text: "".join(c.upper() if c.isascii() else c for c in text)),
            "abs": ([anything], magnitude),
            "min": ([anything, anything], lambda a, b: b if compared(b, 2) < compared(a, 1) else a),
            "max": ([anything, anything], lambda a, b: b if compared(b, 2) > compared(a, 1) else a),
        }

    def call(self, name: str, args: list[Any]) -> Any:
        wanted = self.known[name][0] if name in self.known else None
        if wanted is not None:
            missing = len(wanted) - len(args)
            if 0 < missing <= OPTIONAL.get(name, 0):
                args = [*args, *[None] * missing]
        return super().call(name, args)

    def call_value(self, callee: Any, args: list[Any]) -> Any:
        if not isinstance(callee, Builtin):
            raise Fault(f"{described(callee)} is not a built-in")
        return self.call(callee.name, args)

    def write(self, text: str) -> None:
        self.interpreter.out.append(text)

    # ---- dvars -----------------------------------------------------------------------------------------

    def dvar(self, name: str, default: Any, nothing: Any, read: Any) -> Any:
        held = self.cvars.get(name.lower())
        if held is None:
            return nothing if default is None else default
        return read(held)

    def setdvar(self, *args: Any) -> None:
        if not args:
            raise Fault("parameter 1 does not exist")
        name = want_text(args[0], 1)
        if len(args) == 1:
            raise Fault("parameter 2 does not exist")
        self.store(name, "".join(map(log_text, args[1:])))

    def setdvarifuninitialized(self, name: str, value: Any) -> None:
        if name.lower() not in self.cvars:
            self.store(name, log_text(value))

    def store(self, name: str, text: str) -> None:
        check_cvar(name)
        self.cvars[name.lower()] = text


# ---- one by one ----------------------------------------------------------------------------------------


def log_text(value: Any) -> str:
    return value.key if isinstance(value, Localized) else text_of(value)


def leading(text: str) -> float:
    found = real_number(text)
    return found if math.isfinite(found) else 0.0


def text_to_int(text: str) -> int:
    return min(max(math.trunc(leading(text)), LOWEST), HIGHEST)


def text_to_float(text: str) -> float:
    return single(leading(text))


def to_int(value: Any) -> int:
    if isinstance(value, str):
        return text_to_int(value)
    if number(value):
        return as_int(value)
    raise Fault(f"parameter 1 is {described(value)}, not a number or a string")


def to_float(value: Any) -> float:
    if isinstance(value, str):
        return text_to_float(value)
    if number(value):
        return single(value)
    raise Fault(f"parameter 1 is {described(value)}, not a number or a string")


def compared(value: Any, position: int) -> Any:
    if not number(value):
        raise Fault(f"parameter {position} is {described(value)}, not a number")
    return value


def magnitude(value: Any) -> Any:
    found = abs(compared(value, 1))
    return int32(found) if isinstance(found, int) else found


def getsubstr(text: str, start: int, end: int | None) -> str:
    return text[max(start, 0) : len(text) if end is None else max(end, 0)]


def strtok(text: str, delimiters: str) -> Table:
    parts = [""]
    for character in text:
        if character in delimiters:
            parts.append("")
        else:
            parts[-1] += character
    return Table(dict(enumerate(part for part in parts if part)))
