"""The values of the language: bool, int, float, string, vector, colour. This list is the only one.

In Python they are `bool`, `int` (64 bits), `float` (double), `str`, a tuple of three floats, and `Colour`. There is
no value for "nothing": a function that returns none gives `None`, which no variable ever holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.linescript.faults import Fault

Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Colour:
    """Red, green, blue and opacity, 0 to 1 each."""

    r: float
    g: float
    b: float
    a: float = 1.0


Value: TypeAlias = bool | int | float | str | Vector | Colour

TYPES: dict[type, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    tuple: "vector",
    Colour: "colour",
}
"""Every type that a script can hold, with its word. What is here may be an argument and a result everywhere."""

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

MAX_TEXT = 65_536
"""Characters of the longest string: a loop that doubles one must not take all memory."""


def type_name(value: object) -> str:
    return TYPES.get(value.__class__, "nothing")


def number_text(value: float) -> str:
    """A number as `print` shows it: an int in full, a float by `%g`."""
    return f"{value:g}" if value.__class__ is float else str(value)


def text(value: Value) -> str:
    """A value as `print` shows it and as `+` joins it to a string."""
    kind = value.__class__
    if kind is str:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"({value[0]:g}, {value[1]:g}, {value[2]:g})"
    if isinstance(value, Colour):
        return f"colour({value.r:g}, {value.g:g}, {value.b:g}, {value.a:g})"
    assert isinstance(value, (int, float))
    return number_text(value)


def truth(value: object, place: tuple[int, int] | None = None) -> bool:
    """A value as a condition: bools and numbers are; 0 is false. Raises Fault for the other types."""
    if isinstance(value, (bool, int, float)):
        return value != 0
    raise Fault(f"a {type_name(value)} is no condition: compare it with something", place)


def fits(value: int) -> int | float:
    """A whole result: an int where 64 bits hold it, else the nearest float."""
    if INT_MIN <= value <= INT_MAX:
        return value
    try:
        return float(value)
    except OverflowError:
        raise Fault("the result is too large for a number") from None


def is_value(value: object) -> bool:
    """Whether a Python object is exactly a value of the language, so that nothing else ever enters a script."""
    kind = value.__class__
    if kind is tuple:
        assert isinstance(value, tuple)
        return len(value) == 3 and all(part.__class__ is float for part in value)
    return kind in TYPES
