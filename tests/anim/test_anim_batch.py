"""The batch against a plain evaluator of one entity: random trees, clips, skeletons, weights and rates.

`python -m tests.anim.fuzz` runs as many cases as one likes.
"""

from __future__ import annotations

import pytest

from tests.anim.cases import Tally, check_case, check_wild
from tests.anim.damage import check_damaged_model, check_damaged_tree


@pytest.mark.parametrize("seed", range(60))
def test_the_batch_agrees_with_the_plain_rules(seed: int) -> None:
    tally = Tally()
    check_case(seed, tally)
    assert tally.poses + tally.undecided == 12
    assert tally.undecided < 12


@pytest.mark.parametrize(
    "seed", [501813, 502231, 502263, 502267, 503861, 505713, 507581, 507603, 507761, 509592]
)
def test_opposite_rotations_of_a_single_bone_agree(seed: int) -> None:
    """Signs were turned by `np.negative` into a strided view, where NumPy 2.4 writes garbage."""
    check_case(seed, Tally())


@pytest.mark.parametrize("seed", range(40))
def test_nothing_that_is_asked_for_gives_anything_but_numbers(seed: int) -> None:
    check_wild(seed)


def test_damaged_trees_are_refused_or_play() -> None:
    outcomes = [check_damaged_tree(seed) for seed in range(250)]
    assert 30 < outcomes.count("plays") < 220


def test_damaged_models_are_refused_or_play() -> None:
    outcomes = [check_damaged_model(seed) for seed in range(150)]
    assert 20 < outcomes.count("plays") < 130
