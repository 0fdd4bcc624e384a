"""The operators of the language with all their conversions and errors.

Pure functions over script values. They raise `ScriptError`; the policy is applied above. Emitted code has the common
cases inline and comes here for everything else, so each function must be right for every pair of types.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from engine.vm.arrays import KEY_MAX, KEY_MIN, Array
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.values import (
    INT_MAX,
    INT_MIN,
    Animation,
    AnimTree,
    Builtin,
    Function,
    Localized,
    f32,
    vector,
    wrap,
)

EPSILON = f32(1e-6)
"""Floats that differ by less are equal (vm facts, 6.4)."""

# Blanks are passed over for good (`*+`): tried again one by one, thousands of them took a hundred times as long.
_ZERO = re.compile(r"[ \t-\r]*+[+-]?\.?0")
_INT = re.compile(r"[ \t-\r]*+([+-]?[0-9]+)")
_FLOAT = re.compile(
    r"[ \t-\r]*+([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?|[+-]?nan)",
    re.IGNORECASE,
)
_HEXADECIMAL = r"[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?"
_REAL = re.compile(_FLOAT.pattern.replace("(", f"({_HEXADECIMAL}|", 1), re.IGNORECASE)
"""Any text that the C library of Linux reads as a number; that of Windows knew no hexadecimal ones."""


# ---- types -----------------------------------------------------------------------------------------------


def type_name(value: Any) -> str:
    """The name of a value's type, with what kind of object it is."""
    if isinstance(value, ScriptObject):
        return value.type_name
    return "array" if value.__class__ is Array else pair_name(value)


_NAMES: dict[type, str] = {
    type(None): "undefined",
    int: "int",
    float: "float",
    str: "string",
    tuple: "vector",
    Localized: "localized string",
    Function: "function",
    Builtin: "built-in",
    Animation: "animation",
    AnimTree: "animation tree",
}


def pair_name(value: Any) -> str:
    """The name of a value's type as pairs are compared: every object is an `object`."""
    return _NAMES.get(value.__class__, "object")


# ---- conversions -----------------------------------------------------------------------------------------


def to_text(value: Any) -> str:
    """An int, float, vector or string as text (vm facts, 6.1)."""
    kind = value.__class__
    if kind is str:
        return value  # type: ignore[no-any-return]  # a value of the script
    if kind is int:
        return str(value)
    if kind is float:
        return float_text(value)
    if kind is tuple:
        return "({:.2f}, {:.2f}, {:.2f})".format(*value)
    raise ScriptError(f"cannot cast {type_name(value)} to string")


def float_text(value: float) -> str:
    """`%g` as the C library prints it."""
    return "%g" % value  # noqa: UP031 - the formatting is the C library's by definition


def _number_of(text: str, pattern: re.Pattern[str], kind: str, convert: Callable[[str], Any]) -> Any:
    found = pattern.match(text)
    number = convert(found.group(1)) if found else 0
    if not number and not _ZERO.match(text):
        raise ScriptError(f'cannot cast "{text[:40]}" to {kind}: it is not a number')
    return number


def _atoi(digits: str) -> int:
    # Leading zeros are no digits, however many there are. Of longer texts than any int32 the value does not matter: the
    # C library saturates.
    size = int(digits.lstrip("+-").lstrip("0")[:11] or 0)
    return max(INT_MIN, -size) if digits[0] == "-" else min(INT_MAX, size)


def _atof(number: str) -> float:
    if "x" not in number and "X" not in number:
        return f32(float(number))
    try:
        return f32(float.fromhex(number))
    except OverflowError:
        return -math.inf if number[0] == "-" else math.inf


def leading_number(text: str) -> float:
    """The number that a text begins with, as the C library's atof reads it; 0 if there is none."""
    found = _FLOAT.match(text)
    number = float(found.group(1)) if found else 0.0
    return number if number - number == 0 else 0.0


def truth(value: Any) -> int:
    """A condition: 0 or 1 (language page, "Truth conversion and logical operators")."""
    kind = value.__class__
    if kind is int or kind is float:
        return 1 if value else 0
    if kind is str:
        return 1 if _number_of(value, _INT, "bool", _atoi) else 0
    raise ScriptError(f"cannot cast {type_name(value)} to bool")


def to_int(value: Any) -> int:
    kind = value.__class__
    if kind is int:
        return value  # type: ignore[no-any-return]  # a value of the script
    if kind is float:
        # Out of range and NaN give the Linux result (vm facts, 6.3).
        return int(value) if -2147483649.0 < value < 2147483648.0 else INT_MIN
    if kind is str:
        number: int = _number_of(value, _INT, "int", _atoi)
        return number
    raise ScriptError(f"cannot cast {type_name(value)} to int")


def to_float(value: Any) -> float:
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[no-any-return]  # a value of the script
    if kind is int:
        return f32(value)
    if kind is str:
        number = _number_of(value, _REAL, "float", _atof)
        return float(number)
    raise ScriptError(f"cannot cast {type_name(value)} to float")


def make_vector(x: Any, y: Any, z: Any) -> tuple[float, float, float]:
    """`(x, y, z)`; the components are cast in the order in which they were evaluated, last first."""
    c = to_float(z)
    b = to_float(y)
    return (to_float(x), b, c)


CASTS: dict[str, Callable[[Any], Any]] = {"bool": truth, "int": to_int, "float": to_float, "string": to_text}


# ---- pairs -----------------------------------------------------------------------------------------------

_TEXTUAL = (int, float, tuple)


def _pair(a: Any, b: Any, result: int | None = None) -> tuple[Any, Any]:
    """Both operands after the implicit conversion (language page, "Implicit pair conversion")."""
    left = a.__class__
    right = b.__class__
    if left is right:
        return a, b
    if left is int and right is float:
        return f32(a), b
    if left is float and right is int:
        return a, f32(b)
    if left is str and right in _TEXTUAL:
        return a, to_text(b)
    if right is str and left in _TEXTUAL:
        return to_text(a), b
    names = pair_name(a), pair_name(b)
    if names[0] == names[1]:
        return a, b
    raise ScriptError(f"pair has unmatching types '{names[0]}' and '{names[1]}'", result=result)


def _wrong(op: str, value: Any) -> ScriptError:
    return ScriptError(f"operator {op} cannot be applied to {pair_name(value)}")


def equal(a: Any, b: Any) -> int:
    """`a == b`, 0 or 1."""
    a, b = _pair(a, b)
    kind = a.__class__
    if kind is float:
        return 1 if -EPSILON < a - b < EPSILON else 0
    if kind is int or kind is str or kind is Localized:
        return 1 if a == b else 0
    if kind is tuple:
        # Not `a == b`: a tuple takes a component for equal to itself even when it is no number.
        return 1 if a[0] == b[0] and a[1] == b[1] and a[2] == b[2] else 0
    return 1 if a is b else 0


def not_equal(a: Any, b: Any) -> int:
    return 0 if equal(a, b) else 1


def _relational(op: str, compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], int]:
    def relation(a: Any, b: Any) -> int:
        a, b = _pair(a, b)
        if a.__class__ is not int and a.__class__ is not float:
            raise _wrong(op, a)
        return 1 if compare(a, b) else 0

    return relation


less = _relational("<", lambda a, b: a < b)
greater = _relational(">", lambda a, b: a > b)
less_equal = _relational("<=", lambda a, b: a <= b)
greater_equal = _relational(">=", lambda a, b: a >= b)


def make_add(long: int, long_text: Callable[[str], str]) -> Callable[[Any, Any], Any]:
    """The `+` operator, which passes strings longer than `long` through `long_text`."""

    def add(a: Any, b: Any) -> Any:
        a, b = _pair(a, b)
        kind = a.__class__
        if kind is str:
            return a + b if len(a) + len(b) <= long else long_text(a + b)
        if kind is int:
            return wrap(a + b)
        if kind is float:
            return f32(a + b)
        if kind is tuple:
            return add_vectors(a, b)
        raise _wrong("+", a)

    return add


def add_vectors(a: Any, b: Any) -> Any:
    """`+` for two vectors."""
    return vector(a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract_vectors(a: Any, b: Any) -> Any:
    """`-` for two vectors."""
    return vector(a[0] - b[0], a[1] - b[1], a[2] - b[2])


def subtract(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    kind = a.__class__
    if kind is int:
        return wrap(a - b)
    if kind is float:
        return f32(a - b)
    if kind is tuple:
        return subtract_vectors(a, b)
    raise _wrong("-", a)


def multiply(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    kind = a.__class__
    if kind is int:
        return wrap(a * b)
    if kind is float:
        return f32(a * b)
    raise _wrong("*", a)


def divide(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    kind = a.__class__
    if kind is int:
        if b == 0:
            raise ScriptError("divide by 0", result=0)
        quotient = abs(a) // abs(b)
        # The one overflow, INT_MIN / -1, traps in the stock engine; it wraps here.
        return wrap(quotient if (a < 0) == (b < 0) else -quotient)
    if kind is float:
        if b == 0:
            raise ScriptError("divide by 0", result=0)
        return f32(a / b)
    raise _wrong("/", a)


def remainder(a: Any, b: Any) -> Any:
    a, b = _pair(a, b)
    if a.__class__ is not int:
        raise _wrong("%", a)
    if b == 0:
        raise ScriptError("divide by 0", result=0)
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def _bitwise(op: str, compute: Callable[[int, int], int]) -> Callable[[Any, Any], int]:
    def operate(a: Any, b: Any) -> int:
        a, b = _pair(a, b)
        if a.__class__ is not int:
            raise _wrong(op, a)
        return compute(a, b)

    return operate


bit_or = _bitwise("|", lambda a, b: a | b)
bit_xor = _bitwise("^", lambda a, b: a ^ b)
bit_and = _bitwise("&", lambda a, b: a & b)
shift_left = _bitwise("<<", lambda a, b: wrap(a << (b & 31)))
shift_right = _bitwise(">>", lambda a, b: a >> (b & 31))


def negate(a: Any) -> Any:
    """`-a`, where a dialect has it: of an int or a float."""
    if a.__class__ is int:
        return wrap(-a)
    if a.__class__ is float:
        return -a
    raise ScriptError(f"operator - cannot be applied to {type_name(a)}")


def logical_not(a: Any) -> int:
    return 0 if truth(a) else 1


def complement(a: Any) -> int:
    if a.__class__ is not int:
        raise ScriptError(f"operator ~ cannot be applied to {type_name(a)}")
    return ~a


def increment(a: Any, delta: int) -> int:
    """`a++` and `a--`, for ints only."""
    if a.__class__ is not int:
        raise ScriptError(f"operator {'++' if delta > 0 else '--'} cannot be applied to {type_name(a)}")
    return wrap(a + delta)


# ---- size and indexing -----------------------------------------------------------------------------------


def size(value: Any) -> int:
    """`value.size`."""
    kind = value.__class__
    if kind is Array:
        return len(value)
    if kind is str:
        # The stock string ends at its first NUL.
        end = value.find("\0")
        return len(value) if end < 0 else end
    if isinstance(value, ScriptObject) and not value.dead:
        return 1
    raise ScriptError(f"size cannot be applied to {type_name(value)}")


def check_key(key: Any) -> Any:
    """An array key, if it is one. Raises `ScriptError` for another type and for an int outside the key domain."""
    if key.__class__ is int:
        if KEY_MIN <= key <= KEY_MAX:
            return key
        raise ScriptError(f"array index {key} is out of range ({KEY_MIN} to {KEY_MAX})")
    if key.__class__ is str:
        return key
    raise ScriptError(f"{type_name(key)} is not an array index")


def index(container: Any, key: Any) -> Any:
    """`container[key]` as a value."""
    kind = container.__class__
    if kind is Array:
        return container[check_key(key)]
    if kind is str:
        if key.__class__ is not int:
            raise ScriptError(f"{type_name(key)} is not a string index")
        if not 0 <= key < size(container):
            raise ScriptError(f"string index {key} is out of range")
        return container[key]
    if kind is tuple:
        if key.__class__ is not int:
            raise ScriptError(f"{type_name(key)} is not a vector index")
        if not 0 <= key <= 2:
            raise ScriptError(f"vector index {key} is out of range")
        return container[key]
    if isinstance(container, ScriptObject) and not container.dead:
        if key.__class__ is not str:
            raise ScriptError(f"{type_name(key)} is not a field name of {type_name(container)}")
        return container.get_field(key)
    raise ScriptError(f"{type_name(container)} cannot be indexed")


def switch_value(value: Any) -> Any:
    """The value of a switch, if it can be one (vm facts, 5.4)."""
    if value.__class__ is int:
        if KEY_MIN <= value <= KEY_MAX:
            return value
        raise ScriptError(f"switch value {value} is out of range ({KEY_MIN} to {KEY_MAX})")
    if value.__class__ is str:
        return value
    raise ScriptError(f"cannot switch on {type_name(value)}")
