"""The same numbers on every machine: a recording plays alike and a state goes on alike, whatever Python it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "engine"
ROOMS = ("anim", "cob", "linescript", "natives", "vm", "world")


def sums_of_floats(text: str) -> list[int]:
    """Lines in which the built-in `sum` adds up what may be floats: since Python 3.12 it rounds differently."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "sum"
        and node.args
        and isinstance(node.args[0], ast.GeneratorExp)
        and any(isinstance(part, ast.BinOp) for part in ast.walk(node.args[0].elt))
    ]


def test_such_a_sum_is_found() -> None:
    assert sums_of_floats("a = sum(c * c for c in v)\nb = sum(c > 0 for c in v)\n") == [1]


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_part_of_the_game_adds_floats_one_by_one(room: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in sums_of_floats(path.read_text("utf-8"))
    }
    assert found <= {"anim/saved.py:121"}, "only compares with a limit"


BROKEN = {"negative", "isnan", "isfinite", "isinf", "signbit"}
"""Functions of NumPy that write garbage into a strided `out`: the first in 2.4, the others in 2.5 still."""


def broken_functions(text: str) -> list[int]:
    """Lines in which one of them is given an `out`."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in BROKEN
        and any(word.arg == "out" for word in node.keywords)
    ]


def test_such_a_call_is_found() -> None:
    assert broken_functions("np.negative(a, out=b)\nnp.negative(a)\nnp.add(a, b, out=c)\n") == [1]


def test_nothing_is_written_by_functions_that_write_garbage() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        for line in broken_functions(path.read_text("utf-8"))
    }
    assert not found
