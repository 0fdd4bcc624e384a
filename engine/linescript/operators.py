"""What the operators do. Each takes its operands and the place to blame, and gives a value or raises Fault.

Numbers are ints, floats and bools (as 0 and 1). A whole result that 64 bits do not hold becomes a float. `+` with a
string joins; vectors and colours have the operators that make sense for them, component by component.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from engine.linescript.faults import Fault
from engine.linescript.values import (
    INT_MAX,
    INT_MIN,
    MAX_TEXT,
    Colour,
    Value,
    Vector,
    fits,
    text,
    type_name,
)

Place: TypeAlias = tuple[int, int] | None
Binary: TypeAlias = Callable[[Value, Value, Place], Value]

_NUMBERS = frozenset({int, float, bool})
_WHOLE = frozenset({int, bool})


def _refuse(op: str, a: Value, b: Value, place: Place) -> Fault:
    return Fault(f"'{op}' does not take {_a(type_name(a))} and {_a(type_name(b))}", place)


def _a(word: str) -> str:
    return f"an {word}" if word == "int" else f"a {word}"


def _joined(a: Value, b: Value, place: Place) -> str:
    result = text(a) + text(b)
    if len(result) > MAX_TEXT:
        raise Fault(f"this string would be longer than {MAX_TEXT} characters", place)
    return result


def add(a: Value, b: Value, place: Place = None) -> Value:
    left, right = a.__class__, b.__class__
    if left in _NUMBERS and right in _NUMBERS:
        result = cast(float, a) + cast(float, b)
        if result.__class__ is float or INT_MIN <= result <= INT_MAX:
            return result
        return fits(cast(int, result))
    if left is str or right is str:
        return _joined(a, b, place)
    if left is tuple and right is tuple:
        u, v = cast(Vector, a), cast(Vector, b)
        return (u[0] + v[0], u[1] + v[1], u[2] + v[2])
    raise _refuse("+", a, b, place)


def subtract(a: Value, b: Value, place: Place = None) -> Value:
    left, right = a.__class__, b.__class__
    if left in _NUMBERS and right in _NUMBERS:
        result = cast(float, a) - cast(float, b)
        if result.__class__ is float or INT_MIN <= result <= INT_MAX:
            return result
        return fits(cast(int, result))
    if left is tuple and right is tuple:
        u, v = cast(Vector, a), cast(Vector, b)
        return (u[0] - v[0], u[1] - v[1], u[2] - v[2])
    raise _refuse("-", a, b, place)


def multiply(a: Value, b: Value, place: Place = None) -> Value:
    left, right = a.__class__, b.__class__
    if left in _NUMBERS and right in _NUMBERS:
        result = cast(float, a) * cast(float, b)
        if result.__class__ is float or INT_MIN <= result <= INT_MAX:
            return result
        return fits(cast(int, result))
    if right in _NUMBERS:
        a, b = b, a
        left, right = right, left
    if left in _NUMBERS and right is tuple:
        k, v = float(cast(float, a)), cast(Vector, b)
        return (k * v[0], k * v[1], k * v[2])
    if left in _NUMBERS and isinstance(b, Colour):
        k = float(cast(float, a))
        return Colour(k * b.r, k * b.g, k * b.b, b.a)
    raise _refuse("*", a, b, place)


def divide(a: Value, b: Value, place: Place = None) -> Value:
    """Real division, of ints too."""
    if b.__class__ in _NUMBERS:
        if b == 0:
            raise Fault("division by zero", place)
        if a.__class__ in _NUMBERS:
            return cast(float, a) / cast(float, b)
        if a.__class__ is tuple:
            u, k = a, cast(float, b)
            return (u[0] / k, u[1] / k, u[2] / k)
    raise _refuse("/", a, b, place)


def remainder(a: Value, b: Value, place: Place = None) -> Value:
    """The remainder with the sign of the left operand; fractions are kept."""
    if a.__class__ not in _NUMBERS or b.__class__ not in _NUMBERS:
        raise _refuse("%", a, b, place)
    if b == 0:
        raise Fault("division by zero: there is no remainder", place)
    if a.__class__ in _WHOLE and b.__class__ in _WHOLE:
        rest = abs(cast(int, a)) % abs(cast(int, b))
        return -rest if cast(int, a) < 0 else rest
    try:
        return math.fmod(cast(float, a), cast(float, b))
    except ValueError:
        raise Fault("infinity has no remainder", place) from None


def power(a: Value, b: Value, place: Place = None) -> Value:
    if a.__class__ not in _NUMBERS or b.__class__ not in _NUMBERS:
        raise _refuse("**", a, b, place)
    base, exponent = cast(float, a), cast(float, b)
    try:
        if (
            a.__class__ in _WHOLE
            and b.__class__ in _WHOLE
            and exponent >= 0
            # Only what can fit is computed exactly: 9**9**9 has 370 million digits.
            and int(exponent) * max(1, int(abs(base)).bit_length()) <= 128
        ):
            return fits(int(base) ** int(exponent))
        if a.__class__ in _WHOLE and abs(base) <= 1 and b.__class__ in _WHOLE and exponent >= 0:
            return int(base) if base >= 0 or int(exponent) % 2 else 1
        return math.pow(base, exponent)
    except ZeroDivisionError:
        raise Fault("0 has no negative power", place) from None
    except ValueError:
        if base == 0:
            raise Fault("0 has no negative power", place) from None
        raise Fault("a negative number has no power that is a fraction", place) from None
    except OverflowError:
        raise Fault("the result is too large for a number", place) from None


def _bits(op: str, compute: Callable[[int, int], int]) -> Binary:
    def run(a: Value, b: Value, place: Place = None) -> Value:
        if a.__class__ not in _WHOLE or b.__class__ not in _WHOLE:
            raise _refuse(op, a, b, place)
        left, right = cast(int, a), cast(int, b)
        if op in ("<<", ">>") and not 0 <= right <= 63:
            raise Fault(f"'{op}' shifts by 0 to 63 bits, not {right}", place)
        return ((compute(int(left), int(right)) + 2**63) & (2**64 - 1)) - 2**63

    return run


def equal(a: Value, b: Value, place: Place = None) -> bool:
    """Values of different types are unequal, except that numbers are compared as numbers."""
    return a == b


def unequal(a: Value, b: Value, place: Place = None) -> bool:
    return not a == b  # noqa: SIM201 - for NaN both must follow from ==


def _ordered(op: str, compare: Callable[[Any, Any], bool]) -> Binary:
    def run(a: Value, b: Value, place: Place = None) -> Value:
        left, right = a.__class__, b.__class__
        if (left in _NUMBERS and right in _NUMBERS) or (left is str and right is str):
            return compare(a, b)
        if left is tuple and right is tuple:
            return all(compare(u, v) for u, v in zip(cast(Vector, a), cast(Vector, b), strict=True))
        raise _refuse(op, a, b, place)

    return run


BINARY: dict[str, Binary] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": remainder,
    "**": power,
    "&": _bits("&", operator.and_),
    "|": _bits("|", operator.or_),
    "^": _bits("^", operator.xor),
    "<<": _bits("<<", operator.lshift),
    ">>": _bits(">>", operator.rshift),
    "==": equal,
    "!=": unequal,
    "<": _ordered("<", operator.lt),
    "<=": _ordered("<=", operator.le),
    ">": _ordered(">", operator.gt),
    ">=": _ordered(">=", operator.ge),
}
"""The operators that evaluate both operands. `&&`, `||` and `=` are control flow, and the compiler's."""


def negate(a: Value, place: Place = None) -> Value:
    if a.__class__ in _NUMBERS:
        return -a if a.__class__ is float else fits(-int(cast(int, a)))
    if a.__class__ is tuple:
        v = a
        return (-v[0], -v[1], -v[2])
    raise Fault(f"'-' does not take {_a(type_name(a))}", place)


def plus(a: Value, place: Place = None) -> Value:
    if a.__class__ in _NUMBERS or a.__class__ is tuple:
        return int(cast(int, a)) if a.__class__ is bool else a
    raise Fault(f"'+' does not take {_a(type_name(a))}", place)


def invert(a: Value, place: Place = None) -> Value:
    if a.__class__ in _WHOLE:
        return ~int(cast(int, a))
    raise Fault(f"'~' does not take {_a(type_name(a))}", place)


UNARY: dict[str, Callable[[Value, Place], Value]] = {"-": negate, "+": plus, "~": invert}
"""All but `!`, which is `not truth(...)`."""

PARTS: dict[str, tuple[type, int | str]] = {
    "x": (tuple, 0),
    "y": (tuple, 1),
    "z": (tuple, 2),
    "r": (Colour, "r"),
    "g": (Colour, "g"),
    "b": (Colour, "b"),
    "a": (Colour, "a"),
}
"""What may stand after a point: the parts of a vector and of a colour. There are no other attributes."""


def part(value: Value, name: str, place: Place = None) -> float:
    """`value.name`. Raises Fault where the value has no such part."""
    kind, key = PARTS[name]
    if value.__class__ is kind:
        if isinstance(value, tuple):
            return value[cast(int, key)]
        if isinstance(value, Colour):
            return {"r": value.r, "g": value.g, "b": value.b, "a": value.a}[name]
    raise Fault(f"{_a(type_name(value))} has no part '{name}'", place)
