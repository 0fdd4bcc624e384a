"""The page of rules against the tests that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "conformance.md").read_text(encoding="utf-8")
SCRIPTS = {path.stem for path in (TESTS / "scripts").glob("*.gsc")}
_NAME = re.compile(r"`([^`]+)`")
_PYTHON = re.compile(r"([\w/]+\.py)::(\w+)")
FACTS = {1: 5, 2: 12, 3: 8, 4: 4, 5: 5, 6: 6, 7: 6}
"""Rows in each section of the VM facts that hold with high or medium confidence."""


def rows() -> list[list[str]]:
    """The cells of every row of the page's tables, heads left out."""
    found = []
    for line in PAGE.split("\n"):
        if line.startswith("|") and not line.startswith("|---"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells[-1] != "Pinned by":
                found.append(cells)
    return found


def names_of(cells: list[str]) -> list[str]:
    return _NAME.findall(cells[-1])


@pytest.mark.parametrize(
    "cells", rows(), ids=lambda cells: cells[0][:40] if len(cells) < 3 else cells[1][:40]
)
def test_every_row_names_tests_that_exist(cells: list[str]) -> None:
    names = names_of(cells)
    assert names, "no test"
    for name in names:
        python = _PYTHON.fullmatch(name)
        if python is None:
            assert name in SCRIPTS
        else:
            text = (TESTS / python[1]).read_text(encoding="utf-8")
            assert re.search(rf"^def {python[2]}\(", text, re.MULTILINE), name


def test_every_script_is_named() -> None:
    named = {name for cells in rows() for name in names_of(cells)}
    assert named >= SCRIPTS


def test_every_fact_has_a_row() -> None:
    found = [cells[0] for cells in rows() if re.fullmatch(r"[\d.]+", cells[0])]
    expected = [f"{section}.{row}" for section, count in FACTS.items() for row in range(1, count + 1)]
    assert found == [*expected, "8", "9", "10"]


def test_tests_named_in_the_text_exist() -> None:
    for path, name in _PYTHON.findall(PAGE):
        assert re.search(rf"^def {name}\(", (TESTS / path).read_text(encoding="utf-8"), re.MULTILINE), name
