"""The order in which matrices are made, and the memory they are made in."""

from __future__ import annotations

import numpy as np
import pytest

from engine.anim.scratch import MAX_SHAPES, Scratch
from engine.anim.walk import Walk
from tests.bench.animation import PARENTS


@pytest.mark.parametrize("seed", range(40))
def test_a_walk_visits_every_bone_once_and_after_its_parent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 40))
    parents = [-1, *(int(rng.integers(-1 if seed % 3 == 0 else 0, bone)) for bone in range(1, count))]
    walk = Walk.of(parents)
    assert sorted(walk.order) == list(range(count))
    assert [walk.order[place] for place in walk.places] == list(range(count))
    assert walk.straight == (list(walk.order) == list(range(count)))
    assert [parents[bone] for bone in walk.order[: walk.roots]] == [-1] * parents.count(-1)
    done = walk.roots
    for run in walk.runs:
        above, here = walk.order[run.parents], walk.order[run.bones]
        assert run.bones.start == done
        assert run.parents.stop <= done
        assert len(above) in (1, len(here))
        assert [parents[bone] for bone in here] == list(np.broadcast_to(above, len(here)))
        done = run.bones.stop
    assert done == count


def test_a_body_needs_as_many_runs_as_its_longest_chain_has_bones() -> None:
    assert len(Walk.of(list(PARENTS)).runs) == 7
    # Two hands of five fingers with three bones each: the hands, two times five fingers, their second and third bones.
    parents = [-1, 0, 0]
    for hand in (1, 2):
        for _ in range(5):
            parents += [hand, len(parents), len(parents) + 1]
    assert len(Walk.of(parents).runs) == 5


def test_two_bones_that_change_places_are_not_straight() -> None:
    """The places are then the same list as the order, and yet no bone keeps its number."""
    walk = Walk.of([-1, 0, 0, 2, 3])
    assert list(walk.order) == list(walk.places) == [0, 2, 1, 3, 4]
    assert not walk.straight
    assert Walk.of([-1, 0, 1, 2]).straight


def test_working_memory_is_kept_by_name_and_grows() -> None:
    scratch = Scratch()
    small = scratch.floats("a", 2, 3)
    assert scratch.floats("a", 2, 3) is small
    assert np.shares_memory(small, scratch.floats("a", 6))
    assert not np.shares_memory(small, scratch.floats("b", 2, 3))
    large = scratch.floats("a", 100, 10)
    assert large.shape == (100, 10)
    assert large.flags.c_contiguous
    assert not np.shares_memory(small, large)
    assert np.shares_memory(scratch.floats("a", 2, 3), large)


def test_working_memory_forgets_shapes_that_nobody_asks_for() -> None:
    scratch = Scratch()
    for count in range(3 * MAX_SHAPES):
        scratch.floats("a", 4, count)
    assert len(scratch._shaped) <= MAX_SHAPES
