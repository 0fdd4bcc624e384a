"""The operators that compiled code falls back to, alone: right for every pair of values, though most of them never get
there, since the common cases are written inline. The other side is worked out by NumPy and by whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from engine.vm import operators
from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.values import Localized
from tests.vm.operator_kit import alike, compare_pairs, outcome
from tests.vm.vm_kit import make

LEVEL = make().vm.level
INTS = [0, 1, -1, 2, 7, -7, 31, 32, 33, 65536, 16777216, 16777217, 2147483647, -2147483648]
FLOATS = [
    float(np.float32(x))
    for x in (0.0, -0.0, 0.5, -2.5, 0.1, 3.0, 1e-7, 9e-7, 1e-6, 1.5e-6, 2e9, 3e38, -3e38, 1e-40, 16777216.0)
]
VECTORS = [
    (1.0, 2.0, 3.0),
    (4.0, -5.0, 0.5),
    (9.0, 2.0, 3.0),
    (1.0, 9.0, 3.0),
    (1.0, 2.0, 9.0),
    (0.0, -0.0, 3e38),
]
STRINGS = ["", "a", "b", "7", "(1.00, 2.00, 3.00)", "0.5"]
OTHERS = [None, Localized("A"), Localized("B"), LEVEL, Array()]
VALUES: list[Any] = [*INTS, *FLOATS, *VECTORS, *STRINGS, *OTHERS]
HELPERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operators.make_add(1_000_000, lambda text: text),
    "-": operators.subtract,
    "*": operators.multiply,
    "/": operators.divide,
    "%": operators.remainder,
    "|": operators.bit_or,
    "^": operators.bit_xor,
    "&": operators.bit_and,
    "<<": operators.shift_left,
    ">>": operators.shift_right,
    "<": operators.less,
    ">": operators.greater,
    "<=": operators.less_equal,
    ">=": operators.greater_equal,
    "==": operators.equal,
    "!=": operators.not_equal,
}


def int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def text(value: Any) -> str:
    if isinstance(value, tuple):
        return "({:.2f}, {:.2f}, {:.2f})".format(*value)
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def binary32(op: str, a: float, b: float) -> float:
    x, y = np.float32(a), np.float32(b)
    with np.errstate(all="ignore"):
        return float({"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else x}[op])


def whole(op: str, a: int, b: int) -> int:
    if op in ("/", "%"):
        quotient = math.trunc(Fraction(a, b))
        return int32(quotient if op == "/" else a - b * quotient)
    if op in ("<<", ">>"):
        return int32(a * 2 ** (b % 32)) if op == "<<" else math.floor(Fraction(a, 2 ** (b % 32)))
    return int32({"+": a + b, "-": a - b, "*": a * b, "|": a | b, "^": a ^ b, "&": a & b}[op])


def expected(op: str, a: Any, b: Any) -> Any:
    """The result, or the message of the error."""
    kinds = {operators.type_name(value) for value in (a, b)}
    if kinds == {"int", "float"}:
        a, b = float(np.float32(a)), float(np.float32(b))
    elif "string" in kinds and kinds < {"string", "int", "float", "vector"} and len(kinds) == 2:
        a, b = text(a), text(b)
    elif len(kinds) == 2:
        first, second = (
            "object" if x is LEVEL or type(x) is Array else operators.type_name(x) for x in (a, b)
        )
        if first != second:
            return f"pair has unmatching types '{first}' and '{second}'"
    if op in ("==", "!="):
        if isinstance(a, float):
            same = abs(a - b) < float(np.float32(1e-6))
        else:
            same = a is b or (type(a) is not Array and a == b)
        return int(same == (op == "=="))
    kind = type(a)
    if op in ("<", ">", "<=", ">=") and kind in (int, float):
        return int({"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op])
    if op in ("/", "%") and kind in ((int, float) if op == "/" else (int,)) and b == 0:
        return "divide by 0"
    if kind is int and op not in ("<", ">", "<=", ">="):
        return whole(op, a, b)
    if kind is float and op in ("+", "-", "*", "/"):
        return binary32(op, a, b)
    if kind is tuple and op in ("+", "-"):
        return tuple(binary32(op, x, y) for x, y in zip(a, b, strict=True))
    if kind is str and op == "+":
        return a + b
    return f"operator {op} cannot be applied to {operators.pair_name(a)}"


@pytest.mark.parametrize("op", HELPERS)
def test_every_pair_of_values(op: str) -> None:
    compare_pairs(op, HELPERS[op], expected, VALUES)


def test_a_failed_division_is_0() -> None:
    for operation, zero in ((operators.divide, 0), (operators.divide, 0.0), (operators.remainder, 0)):
        with pytest.raises(ScriptError) as error:
            operation(zero, zero)
        assert error.value.result == 0


def test_a_string_that_gets_long_is_looked_at() -> None:
    seen: list[str] = []
    add = operators.make_add(4, lambda text: seen.append(text) or "cut")
    assert [add("ab", "cd"), add("ab", "cde"), add(12, "345")] == ["abcd", "cut", "cut"]
    assert seen == ["abcde", "12345"]


@pytest.mark.parametrize(
    ("operation", "value", "result"),
    [
        (operators.negate, 5, -5),
        (operators.negate, -2147483648, -2147483648),
        (operators.negate, 2.5, -2.5),
        (operators.negate, 0.0, -0.0),
        (operators.negate, "5", "operator - cannot be applied to string"),
        (operators.complement, 5, -6),
        (operators.complement, 5.0, "operator ~ cannot be applied to float"),
        (operators.logical_not, 0, 1),
        (operators.logical_not, 0.5, 0),
        (operators.logical_not, None, "cannot cast undefined to bool"),
        (operators.truth, 2, 1),
        (operators.truth, -0.0, 0),
        (operators.truth, "2", 1),
        (operators.truth, "0", 0),
        (operators.to_int, -5, -5),
        (operators.to_int, 2147483520.0, 2147483520),
        (operators.to_int, -2147483648.0, -2147483648),
        (operators.to_int, 2147483648.0, -2147483648),
        (operators.to_int, -2147483904.0, -2147483648),
        (operators.to_int, math.nan, -2147483648),
        (operators.to_int, "12x", 12),
        (operators.to_int, (1.0, 2.0, 3.0), "cannot cast vector to int"),
        (operators.to_float, 16777217, 16777216.0),
        (operators.to_float, "0.1", float(np.float32(0.1))),
        (operators.to_float, None, "cannot cast undefined to float"),
        (operators.leading_number, "1e999", 0.0),
        (operators.leading_number, "-1e999", 0.0),
        (operators.leading_number, "nan", 0.0),
        (operators.leading_number, " -2.5e1x", -25.0),
        (operators.leading_number, "x1", 0.0),
        (operators.size, "abc", 3),
        (operators.size, "a\0bc", 1),
        (operators.size, "\0", 0),
        (operators.size, LEVEL, 1),
        (operators.size, Array.of([5, 6]), 2),
        (operators.size, 5, "size cannot be applied to int"),
        (operators.switch_value, 8388607, 8388607),
        (operators.switch_value, -8257536, -8257536),
        (operators.switch_value, 8388608, "switch value 8388608 is out of range (-8257536 to 8388607)"),
        (operators.switch_value, -8257537, "switch value -8257537 is out of range (-8257536 to 8388607)"),
        (operators.switch_value, "a", "a"),
        (operators.switch_value, 1.5, "cannot switch on float"),
        (operators.check_key, 8388607, 8388607),
        (operators.check_key, -8257536, -8257536),
        (operators.check_key, 8388608, "array index 8388608 is out of range (-8257536 to 8388607)"),
        (operators.check_key, -8257537, "array index -8257537 is out of range (-8257536 to 8388607)"),
        (operators.check_key, None, "undefined is not an array index"),
    ],
)
def test_one_value(operation: Callable[[Any], Any], value: Any, result: Any) -> None:
    assert alike(outcome(operation, value), result)


@pytest.mark.parametrize(
    ("operation", "operands", "result"),
    [
        (operators.increment, (5, 1), 6),
        (operators.increment, (2147483647, 1), -2147483648),
        (operators.increment, (-2147483648, -1), 2147483647),
        (operators.increment, (1.5, 1), "operator ++ cannot be applied to float"),
        (operators.increment, (1.5, -1), "operator -- cannot be applied to float"),
        (operators.index, ("abc", 0), "a"),
        (operators.index, ("abc", 2), "c"),
        (operators.index, ("abc", 3), "string index 3 is out of range"),
        (operators.index, ("abc", -1), "string index -1 is out of range"),
        (operators.index, ("a\0c", 1), "string index 1 is out of range"),
        (operators.index, ("abc", "1"), "string is not a string index"),
        (operators.index, ((1.0, 2.0, 3.0), 0), 1.0),
        (operators.index, ((1.0, 2.0, 3.0), 2), 3.0),
        (operators.index, ((1.0, 2.0, 3.0), 3), "vector index 3 is out of range"),
        (operators.index, ((1.0, 2.0, 3.0), -1), "vector index -1 is out of range"),
        (operators.index, ((1.0, 2.0, 3.0), 1.0), "float is not a vector index"),
        (operators.index, (Array(), 5), None),
        (operators.index, (Array(), 1.5), "float is not an array index"),
        (operators.index, (LEVEL, "nothing"), None),
        (operators.index, (5, 0), "int cannot be indexed"),
        (operators.make_vector, (1, 2.5, "3"), (1.0, 2.5, 3.0)),
        (operators.make_vector, (None, "x", 3), 'cannot cast "x" to float: it is not a number'),
    ],
)
def test_some_values(operation: Callable[..., Any], operands: tuple[Any, ...], result: Any) -> None:
    assert alike(outcome(operation, *operands), result)
