"""Compares operators with what they should give, down to the type and the sign of a zero."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from engine.vm.errors import ScriptError


def outcome(operation: Callable[..., Any], *operands: Any) -> Any:
    """The result, or the message of the error."""
    try:
        return operation(*operands)
    except ScriptError as error:
        return error.message


def alike(got: Any, want: Any) -> bool:
    return (type(got), repr(got)) == (type(want), repr(want))


def compare_pairs(
    op: str,
    helper: Callable[[Any, Any], Any],
    expected: Callable[[str, Any, Any], Any],
    values: Sequence[Any],
) -> None:
    """Every pair of values through a helper."""
    for a, b in itertools.product(values, repeat=2):
        got, want = outcome(helper, a, b), expected(op, a, b)
        assert alike(got, want), (a, op, b, got, want)
