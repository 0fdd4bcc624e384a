"""Random programs that are edited while they run. An edit that changes no meaning changes no trace, whenever it comes;
any other leaves the engine whole. `python -m tests.reload.fuzz` runs more of them."""

from __future__ import annotations

import pytest

from tests.reference.compare import deep_recursion
from tests.reload.property import fault_of_any_edits, fault_of_empty_edits, fault_of_optimised_edits

PROGRAMS = 48
BATCH = 12


@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_the_trace_stays(first: int) -> None:
    moved = 0
    with deep_recursion():
        for seed in range(first, first + BATCH):
            outcome = fault_of_empty_edits(seed)
            assert outcome.fault == "", seed
            moved += outcome.moved
    assert moved > 0


@pytest.mark.parametrize("first", range(0, PROGRAMS // 3, BATCH // 3))
def test_no_edit_confuses_the_engine(first: int) -> None:
    with deep_recursion():
        for seed in range(first, first + BATCH // 3):
            assert fault_of_any_edits(seed).fault == "", seed


@pytest.mark.parametrize("first", range(0, PROGRAMS // 3, BATCH // 3))
def test_no_optimisation_believes_what_another_version_promised(first: int) -> None:
    moved = 0
    with deep_recursion():
        for seed in range(first, first + BATCH // 3):
            outcome = fault_of_optimised_edits(seed)
            assert outcome.fault == "", seed
            moved += outcome.moved
    assert moved > 0
