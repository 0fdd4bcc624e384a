"""The built-ins that generated programs call, for the reference interpreter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.reference.operators import living, shown
from tests.reference.values import (
    HIGHEST,
    LOWEST,
    Fault,
    GivenUp,
    Localized,
    Thing,
    Vector,
    as_string,
    described,
    real_number,
    single,
)

if TYPE_CHECKING:
    from tests.reference.interpreter import Interpreter

NATIVES = (
    "print", "println", "trace", "assert", "isdefined", "spawnstruct", "free", "gettime", "getcvar", "setcvar",
    "getcvarint", "getcvarfloat", "vectordot", "lengthsquared", "length",
)  # fmt: skip
DEVELOPER_ONLY = ("print", "println", "assert")


def want_string(value: Any, number: int) -> str:
    if isinstance(value, str | int | float | Vector):
        return as_string(value)
    raise Fault(f"parameter {number} is {described(value)}, not string")


def want_vector(value: Any, number: int) -> Vector:
    if isinstance(value, Vector):
        return value
    raise Fault(f"parameter {number} is {described(value)}, not vector")


def want_object(value: Any, number: int) -> Thing:
    try:
        return living(value)
    except Fault:
        raise Fault(f"parameter {number} is {described(value)}, not an object") from None


def anything(value: Any, number: int) -> Any:
    return value


def check_cvar(name: str) -> None:
    """Raises `Fault` for what cannot be the name of a cvar."""
    if not name or any(c in '";\\' or ord(c) < 33 for c in name):
        raise Fault(f'"{name[:40]}" cannot be the name of a cvar')


class Natives:
    """Each with the conversions of its parameters, or None for any number of anything."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.cvars: dict[str, str] = {}
        self.known: dict[str, tuple[list[Callable[[Any, int], Any]] | None, Callable[..., Any]]] = {
            "print": (None, self.print),
            "println": (None, lambda *parts: self.print(*parts, "\n")),
            "trace": (None, lambda *parts: self.print(*parts, "\n")),
            "assert": (None, lambda *parts: None),
            "isdefined": ([anything], lambda v: int(v is not None and not (isinstance(v, Thing) and v.dead))),
            "spawnstruct": ([], Thing),
            "free": ([want_object], interpreter.free),
            "gettime": ([], lambda: interpreter.time),
            "getcvar": ([want_string], lambda name: self.cvars.get(name.lower(), "")),
            "setcvar": ([want_string, anything], self.setcvar),
            "getcvarint": ([want_string], self.getcvarint),
            "getcvarfloat": ([want_string], lambda name: single(self.leading(name))),
            "vectordot": ([want_vector, want_vector], lambda a, b: single(dot(a, b))),
            "lengthsquared": ([want_vector], lambda v: single(dot(v, v))),
            "length": ([want_vector], lambda v: single(math.sqrt(dot(v, v)))),
        }

    def call(self, name: str, args: list[Any]) -> Any:
        if name not in self.known:
            raise GivenUp(name)
        wanted, function = self.known[name]
        if wanted is None:
            return function(*args)
        given = []
        for number, convert in enumerate(wanted, 1):
            if number > len(args):
                raise Fault(f"parameter {number} does not exist")
            given.append(convert(args[number - 1], number))
        return function(*given)

    def call_value(self, callee: Any, args: list[Any]) -> Any:
        """`call [[ callee ]](args)`, which this dialect does not have."""
        raise GivenUp

    def print(self, *parts: Any) -> None:
        if self.cvars.get("g_noscriptspam", "0") in ("", "0"):
            self.interpreter.out.append("".join(shown(part) for part in parts))

    def setcvar(self, name: str, value: Any) -> None:
        check_cvar(name)
        if isinstance(value, Localized):
            self.cvars[name.lower()] = value.key
        elif isinstance(value, str | int | float | Vector):
            self.cvars[name.lower()] = as_string(value)
        else:
            raise Fault(f"a cvar cannot hold {described(value)}")

    def leading(self, name: str) -> float:
        number = real_number(self.cvars.get(name.lower(), ""))
        return number if math.isfinite(number) else 0.0

    def getcvarint(self, name: str) -> int:
        return min(max(math.trunc(self.leading(name)), LOWEST), HIGHEST)


def dot(a: Vector, b: Vector) -> float:
    x, y, z = (m * n for m, n in zip(a.parts, b.parts, strict=True))
    return x + y + z
