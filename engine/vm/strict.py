"""The operators of Modern Warfare 2 (IW4 page, "Language and scheduling").

Values are taken as they are: only ints and floats are converted into one another, only they have truth, a division
gives a float and by zero gives zero. A vector takes a number on either side of `-`, `*`, `/` and `==`. Strings and
numbers concatenate with `+` in either order; what the page leaves open there is settled in docs/iw4.md.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.operators import check_key, float_text, size, type_name
from engine.vm.values import Localized, f32, vector, wrap

_EXPONENT = re.compile(r"e([+-])(\d\d)")
_NUMBERS = (int, float)


def number_text(value: float) -> str:
    """`%g` as the Microsoft C library of that time prints it: six digits, and three of the exponent."""
    text = float_text(value)
    if "e" in text:
        return _EXPONENT.sub(r"e\g<1>0\2", text)
    if "n" not in text:
        return text
    if math.isnan(value):
        return "-1.#IND"
    return "1.#INF" if value > 0 else "-1.#INF"


def to_text(value: Any) -> str:
    """An int, float, vector or string as text. Raises `ScriptError` for anything else."""
    kind = value.__class__
    if kind is str:
        return value  # type: ignore[no-any-return]  # a value of the script
    if kind is int:
        return str(value)
    if kind is float:
        return number_text(value)
    if kind is tuple:
        text = "({:g}, {:g}, {:g})".format(*value)
        if "n" in text:
            return "(" + ", ".join(number_text(part) for part in value) + ")"
        return _EXPONENT.sub(r"e\g<1>0\2", text) if "e" in text else text
    raise ScriptError(f"{type_name(value)} has no text")


def truth(value: Any) -> int:
    """0 or 1. Only ints and floats have truth."""
    kind = value.__class__
    if kind is int or kind is float:
        return 1 if value else 0
    raise ScriptError(f"{type_name(value)} is neither true nor false")


def logical_not(value: Any) -> int:
    return 0 if truth(value) else 1


def negate(value: Any) -> Any:
    kind = value.__class__
    if kind is int:
        return wrap(-value)
    if kind is float:
        return -value
    if kind is tuple:
        return tuple(-part for part in value)
    raise ScriptError(f"operator - cannot be applied to {type_name(value)}")


# ---- comparison ------------------------------------------------------------------------------------------


def _mismatch(a: Any, b: Any) -> ScriptError:
    return ScriptError(f"{type_name(a)} and {type_name(b)} cannot be compared")


def equal(a: Any, b: Any) -> int:
    """`a == b`, 0 or 1. Raises `ScriptError` for values of two types, numbers and a vector with a number excepted."""
    left, right = a.__class__, b.__class__
    if left in _NUMBERS and right in _NUMBERS:
        return 1 if (a == b if left is right else f32(a) == f32(b)) else 0
    if left is right:
        if left is tuple:
            return 1 if a[0] == b[0] and a[1] == b[1] and a[2] == b[2] else 0
        if left is str or left is Localized:
            return 1 if a == b else 0
        return 1 if a is b else 0
    if left is tuple and right in _NUMBERS:
        return 1 if all(part == f32(b) for part in a) else 0
    if right is tuple and left in _NUMBERS:
        return 1 if all(part == f32(a) for part in b) else 0
    if isinstance(a, ScriptObject) and isinstance(b, ScriptObject):
        return 1 if a is b else 0
    raise _mismatch(a, b)


def not_equal(a: Any, b: Any) -> int:
    return 0 if equal(a, b) else 1


def _relational(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], int]:
    def relation(a: Any, b: Any) -> int:
        if a.__class__ not in _NUMBERS or b.__class__ not in _NUMBERS:
            raise _mismatch(a, b)
        return 1 if (compare(a, b) if a.__class__ is b.__class__ else compare(f32(a), f32(b))) else 0

    return relation


less = _relational(operator.lt)
greater = _relational(operator.gt)
less_equal = _relational(operator.le)
greater_equal = _relational(operator.ge)

# ---- arithmetic ------------------------------------------------------------------------------------------


def _wrong(op: str, a: Any, b: Any) -> ScriptError:
    return ScriptError(f"operator {op} cannot be applied to {type_name(a)} and {type_name(b)}")


def _numbers(a: Any, b: Any, ints: Callable[[int, int], Any], floats: Callable[[float, float], float]) -> Any:
    if a.__class__ is b.__class__ is int:
        return ints(a, b)
    return f32(floats(f32(a), f32(b)))


def make_add(long: int, long_text: Callable[[str], str]) -> Callable[[Any, Any], Any]:
    """The `+` operator; a string of more than `long` characters is what `long_text` makes of it."""

    def add(a: Any, b: Any) -> Any:
        left, right = a.__class__, b.__class__
        if left in _NUMBERS and right in _NUMBERS:
            return _numbers(a, b, lambda x, y: wrap(x + y), operator.add)
        if left is right is tuple:
            return vector(a[0] + b[0], a[1] + b[1], a[2] + b[2])
        texts = (str, int, float, tuple)
        if (left is str and right in texts) or (right is str and left in texts):
            text = to_text(a) + to_text(b)
            return text if len(text) <= long else long_text(text)
        raise _wrong("+", a, b)

    return add


def _broadcast(
    op: str, ints: Callable[[int, int], Any], floats: Callable[[float, float], float]
) -> Callable[[Any, Any], Any]:
    """An operator on numbers that a vector takes component by component, with a number or a vector."""

    def operate(a: Any, b: Any) -> Any:
        left, right = a.__class__, b.__class__
        if left in _NUMBERS and right in _NUMBERS:
            return _numbers(a, b, ints, floats)
        if left is tuple and right is tuple:
            return vector(floats(a[0], b[0]), floats(a[1], b[1]), floats(a[2], b[2]))
        if left is tuple and right in _NUMBERS:
            number = f32(b)
            return vector(floats(a[0], number), floats(a[1], number), floats(a[2], number))
        if right is tuple and left in _NUMBERS:
            number = f32(a)
            return vector(floats(number, b[0]), floats(number, b[1]), floats(number, b[2]))
        raise _wrong(op, a, b)

    return operate


def _quotient(a: float, b: float) -> float:
    return a / b if b else 0.0


subtract = _broadcast("-", lambda a, b: wrap(a - b), operator.sub)
multiply = _broadcast("*", lambda a, b: wrap(a * b), operator.mul)
divide = _broadcast("/", lambda a, b: f32(_quotient(a, b)), _quotient)


def _on_ints(op: str, compute: Callable[[int, int], int]) -> Callable[[Any, Any], int]:
    def operate(a: Any, b: Any) -> int:
        if a.__class__ is not int or b.__class__ is not int:
            raise _wrong(op, a, b)
        return compute(a, b)

    return operate


def _rest(a: int, b: int) -> int:
    if not b:
        return 0
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


remainder = _on_ints("%", _rest)
bit_or = _on_ints("|", operator.or_)
bit_xor = _on_ints("^", operator.xor)
bit_and = _on_ints("&", operator.and_)
shift_left = _on_ints("<<", lambda a, b: wrap(a << (b & 31)))
shift_right = _on_ints(">>", lambda a, b: a >> (b & 31))


def increment(a: Any, delta: int) -> Any:
    """`a++` and `a--`, for numbers."""
    if a.__class__ is int:
        return wrap(a + delta)
    if a.__class__ is float:
        return f32(a + delta)
    raise ScriptError(f"operator {'++' if delta > 0 else '--'} cannot be applied to {type_name(a)}")


def make_vector(x: Any, y: Any, z: Any) -> tuple[float, float, float]:
    """`(x, y, z)` of numbers; the last component is looked at first."""
    for part in (z, y, x):
        if part.__class__ not in _NUMBERS:
            raise ScriptError(f"a component of a vector is {type_name(part)}, not a number")
    return vector(x, y, z)


# ---- keys ------------------------------------------------------------------------------------------------


def index(container: Any, key: Any) -> Any:
    """`container[key]` as a value. A place beyond the end of a string is undefined."""
    kind = container.__class__
    if kind is Array:
        return container[check_key(key)]
    if kind is str:
        if key.__class__ is not int:
            raise ScriptError(f"{type_name(key)} is not a string index")
        return container[key] if 0 <= key < size(container) else None
    if kind is tuple:
        if key.__class__ is not int:
            raise ScriptError(f"{type_name(key)} is not a vector index")
        if not 0 <= key <= 2:
            raise ScriptError(f"vector index {key} is out of range")
        return container[key]
    if isinstance(container, ScriptObject):
        if key.__class__ is not str:
            raise ScriptError(f"{type_name(key)} is not a field name of {type_name(container)}")
        return container.get_field(key)
    raise ScriptError(f"{type_name(container)} cannot be indexed")


def keys(array: Any) -> Array:
    """The keys of an array as they are now: ints ascending, then strings by their bytes."""
    if array.__class__ is not Array:
        raise ScriptError(f"foreach walks an array, not {type_name(array)}")
    ints = sorted(key for key in array if key.__class__ is int)
    return Array.of([*ints, *sorted(key for key in array if key.__class__ is str)])
