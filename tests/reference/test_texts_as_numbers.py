"""Texts of digits, signs, points and letters as numbers, in the engine and in the reference."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.vm import operators
from engine.vm.errors import ScriptError
from tests.reference import values

BEGINNINGS = ("", "", "0x", "-0x", " +0X", "0" * 20, "-" + "0" * 17, "\t.", "inf", "nan", "1e")
PAIRS: tuple[tuple[Callable[[str], Any], Callable[[str], Any]], ...] = (
    (operators.to_float, values.as_float),
    (operators.to_int, values.as_int),
    (operators.truth, values.as_bool),
)


def result(convert: Callable[[str], Any], text: str) -> str:
    """What a conversion gives, or the words of its error."""
    try:
        return repr(convert(text))
    except (ScriptError, values.Fault) as error:
        return error.message


def test_both_read_the_same_numbers() -> None:
    random = Random(62)
    for _ in range(20_000):
        text = random.choice(BEGINNINGS) + "".join(
            random.choices("0123456789xXaAfFpP.+-eE ", k=random.randrange(9))
        )
        for engine, reference in PAIRS:
            assert result(engine, text) == result(reference, text), text
