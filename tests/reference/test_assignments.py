"""Assignments below a variable that stands in the key or the value too: see `tests.reference.assignments`."""

from __future__ import annotations

import pytest

from engine.gsc.dialect import IW4, UO, Dialect
from tests.reference.assignments import chunks, differences

CHUNKS = chunks()
EVERY = 24


def test_the_statements_are_many_and_different() -> None:
    every = [statement for chunk in CHUNKS for statement in chunk]
    assert len(every) == len(set(every)) > 10_000
    assert {("", 'a["k"] = a;'), ("", "a[a] = 1;"), ("a = [];", "a[0] += a;")} <= set(every)


@pytest.mark.parametrize("number", range(1, len(CHUNKS), EVERY))
@pytest.mark.parametrize("dialect", [UO, IW4], ids=["uo", "iw4"])
def test_what_is_read_is_what_was_there_before(number: int, dialect: Dialect) -> None:
    assert not list(differences(CHUNKS[number], dialect))


def test_first_assignments_of_a_variable_to_itself() -> None:
    some = [
        ("", statement)
        for statement in ('a["k"] = a;', "a[0] = a;", "a[a] = 1;", 'a[a]["m"] = a;', "a[a]++;")
    ]
    for dialect in (UO, IW4):
        assert not list(differences(some, dialect))
