"""The operators of Modern Warfare 2 that compiled code falls back to, alone: right for every pair of values, though the
common cases are written inline and never get there. The other side is worked out by NumPy and by whole numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import make

from engine.vm import strict
from engine.vm.arrays import Array
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.vm.operators import type_name
from engine.vm.values import Localized
from tests.vm.operator_kit import alike, compare_pairs, outcome


class Thing(ScriptStruct):
    """Of another class than `level`."""


LEVEL = make().vm.level
LIST = Array()
INTS = [0, 1, -1, 2, 7, -7, 31, 32, 33, 65536, 16777216, 16777217, 2147483647, -2147483648]
FLOATS = [
    float(np.float32(x)) for x in (0.0, -0.0, 0.5, -2.5, 0.1, 3.0, 1e-7, 1e9, 3e38, -3e38, 1e-40, 16777216.0)
]
VECTORS = [
    (1.0, 2.0, 3.0),
    (4.0, -5.0, 0.5),
    (9.0, 2.0, 3.0),
    (1.0, 9.0, 3.0),
    (1.0, 2.0, 9.0),
    (2.0, 2.0, 2.0),
]
VECTORS += [(0.0, FLOATS[8], 2.0), (2.0, 0.0, 2.0), (2.0, 2.0, 0.0)]
STRINGS = ["", "a", "7", "0.5", *("".join(("long", "er")) for _ in range(2))]
"""The last two are equal, and two objects."""
VALUES: list[Any] = [
    *INTS,
    *FLOATS,
    *VECTORS,
    *STRINGS,
    None,
    Localized("A"),
    Localized("A"),
    Localized("B"),
    LEVEL,
    Thing(),
    LIST,
]
HELPERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": strict.make_add(1_000_000, lambda text: text),
    "-": strict.subtract,
    "*": strict.multiply,
    "/": strict.divide,
    "%": strict.remainder,
    "|": strict.bit_or,
    "^": strict.bit_xor,
    "&": strict.bit_and,
    "<<": strict.shift_left,
    ">>": strict.shift_right,
    "<": strict.less,
    ">": strict.greater,
    "<=": strict.less_equal,
    ">=": strict.greater_equal,
    "==": strict.equal,
    "!=": strict.not_equal,
}


def single(value: float) -> float:
    return float(np.float32(value))


def text(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ")"
    if isinstance(value, float):
        digits, e, power = f"{value:g}".partition("e")
        return f"{digits}e{power[0]}{power[1:].zfill(3)}" if e else digits
    return str(value)


def binary32(op: str, a: float, b: float) -> float:
    x, y = np.float32(a), np.float32(b)
    with np.errstate(all="ignore"):
        if op == "/":
            return float(x / y) if y else 0.0
        return float({"+": x + y, "-": x - y, "*": x * y}[op])


def whole(op: str, a: int, b: int) -> float:
    if op == "/":
        return single(a / b) if b else 0.0
    if op == "%":
        return a - b * math.trunc(Fraction(a, b)) if b else 0
    if op == ">>":
        return math.floor(Fraction(a, 2 ** (b % 32)))
    exact = {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "|": a | b,
        "^": a ^ b,
        "&": a & b,
        "<<": a * 2 ** (b % 32),
    }[op]
    return (exact + 2**31) % 2**32 - 2**31


def expected(op: str, a: Any, b: Any) -> Any:
    """The result, or the message of the error."""
    kinds = type(a), type(b)
    numbers = [kind in (int, float) for kind in kinds]
    if op in ("==", "!=", "<", ">", "<=", ">="):
        mismatch = f"{type_name(a)} and {type_name(b)} cannot be compared"
        if all(numbers):
            if kinds[0] is not kinds[1]:
                a, b = single(a), single(b)
            return int({"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op])
        if op not in ("==", "!="):
            return mismatch
        if kinds[0] is kinds[1]:
            same = a is b or (kinds[0] is not Array and a == b)
        elif isinstance(a, ScriptObject) and isinstance(b, ScriptObject):
            same = a is b
        elif tuple in kinds and any(numbers):
            parts, number = (a, b) if kinds[0] is tuple else (b, a)
            same = parts == (single(number),) * 3
        else:
            return mismatch
        return int(same == (op == "=="))
    wrong = f"operator {op} cannot be applied to {type_name(a)} and {type_name(b)}"
    if kinds == (int, int):
        return whole(op, a, b)
    if op not in ("+", "-", "*", "/"):
        return wrong
    if all(numbers):
        return binary32(op, single(a), single(b))
    if kinds == (tuple, tuple):
        return tuple(binary32(op, x, y) for x, y in zip(a, b, strict=True))
    if op == "+":
        plain = {str, int, float, tuple}
        return text(a) + text(b) if str in kinds and set(kinds) <= plain else wrong
    if tuple in kinds and any(numbers):
        pairs = [(x, single(b)) for x in a] if kinds[0] is tuple else [(single(a), x) for x in b]
        return tuple(binary32(op, x, y) for x, y in pairs)
    return wrong


@pytest.mark.parametrize("op", HELPERS)
def test_every_pair_of_values(op: str) -> None:
    compare_pairs(op, HELPERS[op], expected, VALUES)


def test_a_string_that_gets_long_is_looked_at() -> None:
    seen: list[str] = []
    add = strict.make_add(4, lambda text: seen.append(text) or "cut")  # type: ignore[func-returns-value]
    assert [add("ab", "cd"), add("ab", "cde"), add(12, "345")] == ["abcd", "cut", "cut"]
    assert seen == ["abcde", "12345"]


@pytest.mark.parametrize(
    ("operation", "value", "result"),
    [
        (strict.negate, 5, -5),
        (strict.negate, -2147483648, -2147483648),
        (strict.negate, 0.0, -0.0),
        (strict.negate, (1.0, -2.0, 0.0), (-1.0, 2.0, -0.0)),
        (strict.negate, "5", "operator - cannot be applied to string"),
        (strict.truth, 2, 1),
        (strict.truth, -0.0, 0),
        (strict.truth, 0.5, 1),
        (strict.truth, "1", "string is neither true nor false"),
        (strict.truth, None, "undefined is neither true nor false"),
        (strict.logical_not, 0, 1),
        (strict.logical_not, 0.5, 0),
        (strict.number_text, math.inf, "1.#INF"),
        (strict.number_text, -math.inf, "-1.#INF"),
        (strict.number_text, math.nan, "-1.#IND"),
        (strict.number_text, 1e10, "1e+010"),
        (strict.number_text, 1e-10, "1e-010"),
        (strict.to_text, (1.0, 2.5, -3e10), "(1, 2.5, -3e+010)"),
        (strict.to_text, None, "undefined has no text"),
        (strict.keys, 5, "foreach walks an array, not int"),
    ],
)
def test_one_value(operation: Callable[[Any], Any], value: Any, result: Any) -> None:
    assert alike(outcome(operation, value), result)


@pytest.mark.parametrize(
    ("operation", "operands", "result"),
    [
        (strict.increment, (2147483647, 1), -2147483648),
        (strict.increment, (-2147483648, -1), 2147483647),
        (strict.increment, (0.5, 1), 1.5),
        (strict.increment, (0.5, -1), -0.5),
        (strict.increment, ("a", 1), "operator ++ cannot be applied to string"),
        (strict.increment, ("a", -1), "operator -- cannot be applied to string"),
        (strict.make_vector, (1, 2.5, 3), (1.0, 2.5, 3.0)),
        (strict.make_vector, ("x", None, 3), "a component of a vector is undefined, not a number"),
        (strict.make_vector, (1, 2, "3"), "a component of a vector is string, not a number"),
        (strict.index, ("abc", 0), "a"),
        (strict.index, ("abc", 2), "c"),
        (strict.index, ("abc", 3), None),
        (strict.index, ("abc", -1), None),
        (strict.index, ("abc", "1"), "string is not a string index"),
        (strict.index, ((1.0, 2.0, 3.0), 0), 1.0),
        (strict.index, ((1.0, 2.0, 3.0), 2), 3.0),
        (strict.index, ((1.0, 2.0, 3.0), 3), "vector index 3 is out of range"),
        (strict.index, ((1.0, 2.0, 3.0), -1), "vector index -1 is out of range"),
        (strict.index, ((1.0, 2.0, 3.0), 1.0), "float is not a vector index"),
        (strict.index, (LIST, 5), None),
        (strict.index, (LIST, 1.5), "float is not an array index"),
        (strict.index, (LEVEL, "nothing"), None),
        (strict.index, (LEVEL, 1), f"int is not a field name of {type_name(LEVEL)}"),
        (strict.index, (5, 0), "int cannot be indexed"),
    ],
)
def test_some_values(operation: Callable[..., Any], operands: tuple[Any, ...], result: Any) -> None:
    assert alike(outcome(operation, *operands), result)


def test_the_keys_of_an_array_are_ints_ascending_and_then_strings() -> None:
    array = Array.of([])
    for key in ("b", 3, "a", -1):
        array[key] = 1
    found = strict.keys(array)
    assert [found[i] for i in range(len(found))] == [-1, 3, "a", "b"]
