"""Bounds of ints hold for every value inside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from engine.gsc import spans

SMALL = range(-3, 4)
EVERY = [(low, high) for low in SMALL for high in SMALL if low <= high]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": truncated,
    "%": lambda a, b: a - b * truncated(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    ">>": lambda a, b: a >> (b & 31),
    "<": lambda a, b: int(a < b),
}
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def inside(span: spans.Span) -> range:
    return range(span[0], span[1] + 1)


@pytest.mark.parametrize("op", OPERATIONS)
def test_no_result_lies_outside(op: str) -> None:
    compute = OPERATIONS[op]
    for a, b in product(EVERY, EVERY):
        bounds = spans.exact(op, a, b)
        if bounds is None:
            continue
        low, high = bounds
        for x, y in product(inside(a), inside(b)):
            assert low <= compute(x, y) <= high, (a, b, x, y)


@pytest.mark.parametrize("op", RELATIONS)
def test_nothing_that_a_condition_allows_is_ruled_out(op: str) -> None:
    for a, b in product(EVERY, EVERY):
        left = spans.narrowed(op, a, b)
        right = spans.narrowed(spans.MIRRORED[op], b, a)
        for x, y in product(inside(a), inside(b)):
            if RELATIONS[op](x, y):
                assert x in inside(left)
                assert y in inside(right)
            else:
                assert x in inside(spans.narrowed(spans.NEGATED[op], a, b))


def test_a_result_beyond_32_bits_can_be_any_int() -> None:
    assert spans.result("+", (0, spans.HIGHEST), (1, 1)) == spans.WHOLE
    assert spans.result("+", (0, spans.HIGHEST - 1), (1, 1)) == (1, spans.HIGHEST)
    assert spans.result("<<", (1, 1), (1, 1)) == spans.WHOLE


def test_bounds_that_grow_in_a_loop_go_all_the_way() -> None:
    assert spans.widened((0, 0), (0, 1)) == (0, spans.HIGHEST)
    assert spans.widened((0, 0), (-1, 0)) == (spans.LOWEST, 0)
    assert spans.widened((0, 5), (1, 4)) == (1, 4)
