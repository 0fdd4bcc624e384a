"""Values of the reference interpreter and the conversions between them.

undefined is `None`; int, float and string are Python's; everything else is a class here. Arrays are copied whenever
they move, so nothing here knows copy on write. Written from the language page and the VM facts, not from the engine.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from typing import Any

LOWEST, HIGHEST = -(2**31), 2**31 - 1
KEYS = range(-8257536, 8388607 + 1)
"""The ints that can be array keys and case labels (language page, "References")."""
NEARLY = struct.unpack("<f", struct.pack("<f", 1e-6))[0]
"""Floats that differ by less are equal (facts 6.4)."""
BLANKS = " \t\n\v\f\r"
DIGITS = "0123456789"
HEXADECIMAL_DIGITS = DIGITS + "abcdefABCDEF"
MAX_STRING = 4096
"""Characters in a string, as the comparison sets the limit in both engines."""


class Fault(Exception):
    """A run-time error. `result` is what the failing operation yields where the policy lets the thread go on."""

    def __init__(self, message: str, result: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.result = result


class GivenUp(Exception):
    """The program at hand is not for the comparison: it runs too long, or needs what the reference does not have."""


@dataclass(frozen=True)
class Localized:
    key: str


@dataclass(frozen=True)
class Pointer:
    """A function as a value."""

    script: str
    name: str


@dataclass(frozen=True)
class Builtin:
    """A built-in function as a value."""

    name: str


@dataclass(frozen=True)
class Vector:
    x: float
    y: float
    z: float

    @property
    def parts(self) -> tuple[float, float, float]:
        return (self.x, self.y, self.z)


@dataclass(eq=False)
class Table:
    """An array. `mark` tells identities apart: a copy keeps it, whatever is written to gets a new one."""

    entries: dict[int | str, Any] = field(default_factory=dict)
    mark: object = field(default_factory=object)

    def write(self, key: int | str, value: Any) -> None:
        self.entries[key] = value
        self.mark = object()

    def remove(self, key: int | str) -> None:
        self.entries.pop(key, None)
        self.mark = object()


@dataclass(eq=False)
class Thing:
    """An object with fields."""

    fields: dict[str, Any] = field(default_factory=dict)
    dead: bool = False
    kept: dict[str, Any] = field(default_factory=dict)
    """The fields of an object that has ended, where they can be read until the frame is over."""


def moved(value: Any, room: int = 3000) -> Any:
    """`value` as it arrives elsewhere: arrays are copied with everything in them (facts 5.5)."""
    if not isinstance(value, Table):
        return value
    if entries_in(value) > room:
        raise GivenUp
    return Table({key: moved(entry, room) for key, entry in value.entries.items()}, value.mark)


def entries_in(table: Table) -> int:
    return sum(1 + (entries_in(e) if isinstance(e, Table) else 0) for e in table.entries.values())


# ---- names of types ------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The type that pairs are compared by: all objects are of one type (language page, "Script-visible values")."""
    names = {
        type(None): "undefined", int: "int", float: "float", str: "string", Vector: "vector",
        Localized: "localized string", Pointer: "function", Builtin: "built-in",
    }  # fmt: skip
    return names.get(type(value), "object")


def described(value: Any) -> str:
    """The type with the kind of object, as messages and `print` name it."""
    if isinstance(value, Table):
        return "array"
    if isinstance(value, Thing):
        return "dead entity" if value.dead else "struct"
    return kind_of(value)


# ---- numbers -------------------------------------------------------------------------------------------


def single(value: float) -> float:
    """`value` rounded to binary32."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def int32(value: int) -> int:
    low = value % 2**32
    return low - 2**32 if low > HIGHEST else low


def toward_zero(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder as signed machine division gives them: the remainder has the sign of `a`."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


# ---- text to number (facts 6.2) ------------------------------------------------------------------------


def after(text: str, at: int, allowed: str) -> int:
    while at < len(text) and text[at] in allowed:
        at += 1
    return at


def sign_at(text: str, at: int) -> int:
    return at + 1 if at < len(text) and text[at] in "+-" else at


def begins_with_zero(text: str) -> bool:
    """The zero rule: only such texts may be worth 0."""
    rest = text[sign_at(text, after(text, 0, BLANKS)) :]
    return rest.startswith(("0", ".0"))


def whole_number(text: str) -> int:
    """What the C library's atoi makes of a text."""
    start = after(text, 0, BLANKS)
    first = sign_at(text, start)
    end = after(text, first, DIGITS)
    if end == first:
        return 0
    return min(max(int(text[start:end]), LOWEST), HIGHEST)


def real_number(text: str) -> float:
    """What the C library's atof makes of a text, as a double."""
    start = after(text, 0, BLANKS)
    first = sign_at(text, start)
    for word in ("infinity", "inf", "nan"):
        if text[first : first + len(word)].lower() == word:
            return float(text[start:first] + word)
    if text[first : first + 2].lower() == "0x":
        hexadecimal = hexadecimal_number(text, first + 2)
        if hexadecimal is not None:
            return -hexadecimal if text[start:first] == "-" else hexadecimal
    end = after(text, first, DIGITS)
    digits = end - first
    if text[end : end + 1] == ".":
        last = after(text, end + 1, DIGITS)
        digits += last - end - 1
        end = last
    if digits == 0:
        return 0.0
    if text[end : end + 1] in ("e", "E"):
        exponent = sign_at(text, end + 1)
        last = after(text, exponent, DIGITS)
        end = last if last > exponent else end
    return float(text[start:end])


def hexadecimal_number(text: str, first: int) -> float | None:
    """The same from behind `0x`, where there is a number."""
    end = after(text, first, HEXADECIMAL_DIGITS)
    whole, part = text[first:end], ""
    if text[end : end + 1] == ".":
        last = after(text, end + 1, HEXADECIMAL_DIGITS)
        part = text[end + 1 : last]
        end = last
    if not whole + part:
        return None
    power = 0
    if text[end : end + 1] in ("p", "P"):
        exponent = sign_at(text, end + 1)
        last = after(text, exponent, DIGITS)
        power = int(text[end + 1 : last]) if last > exponent else 0
    try:
        return math.ldexp(int(whole + part, 16), power - 4 * len(part))
    except OverflowError:
        return math.inf


def number_in(text: str, number: Any, wanted: str) -> Any:
    if number == 0 and not begins_with_zero(text):
        raise Fault(f'cannot cast "{text[:40]}" to {wanted}: it is not a number')
    return number


# ---- casts ---------------------------------------------------------------------------------------------


def as_bool(value: Any) -> int:
    """A condition, and `(bool)`: 0 or 1."""
    if isinstance(value, str):
        return int(number_in(value, whole_number(value), "bool") != 0)
    if isinstance(value, int | float):
        return int(value != 0)
    raise Fault(f"cannot cast {described(value)} to bool")


def as_int(value: Any) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        fits = math.isfinite(value) and LOWEST <= math.trunc(value) <= HIGHEST
        return math.trunc(value) if fits else LOWEST
    if isinstance(value, str):
        number: int = number_in(value, whole_number(value), "int")
        return number
    raise Fault(f"cannot cast {described(value)} to int")


def as_float(value: Any) -> float:
    if isinstance(value, int | float):
        return single(value)
    if isinstance(value, str):
        number: float = number_in(value, single(real_number(value)), "float")
        return number
    raise Fault(f"cannot cast {described(value)} to float")


def as_string(value: Any) -> str:
    """Numbers and vectors as text (facts 6.1)."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return format(value, "d")
    if isinstance(value, float):
        return format(value, "g")
    if isinstance(value, Vector):
        return "(" + ", ".join(format(part, ".2f") for part in value.parts) + ")"
    raise Fault(f"cannot cast {described(value)} to string")


CASTS = {"bool": as_bool, "int": as_int, "float": as_float, "string": as_string}


def as_vector(x: Any, y: Any, z: Any) -> Vector:
    """A vector literal; the parts are converted in the order of their evaluation, last first."""
    last = as_float(z)
    middle = as_float(y)
    return Vector(as_float(x), middle, last)
