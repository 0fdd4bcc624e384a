"""Animation state as plain data: it goes on the same, and data that no state can be is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.anim.errors import AnimationError
from engine.anim.sampler import bind
from engine.anim.saved import SavedInstances, load_instances, save_instances, tree_digest
from engine.anim.state import TreeInstances
from tests.anim.kit import Clips, Stage, build, chain, make_clip

TEXT = "main\n{\n walk\n run\n aim\n}\n"
BONES = chain("base", "spine")
CLIPS = (
    make_clip("walk", 0.7, looping=True, notes={"left": 0.2, "right": 0.7}, bones=BONES.names),
    make_clip("run", 0.4, looping=True, notes={"left": 0.2}, bones=BONES.names),
    make_clip("aim", 0.5, bones=BONES.names),
)


def stage() -> Stage:
    made = Stage(TEXT, Clips(*CLIPS))
    made.instances = TreeInstances(made.tree, bind(made.tree, BONES))
    for _ in range(4):
        made.instances.add()
    made.instances.remove(1)
    made.set("walk", 1.0, 0.3, notify="steps")
    made.set("run", 0.5, 0.2, row=2, notify="hurry")
    made.set("aim", 2.0, 0.1, row=3)
    made.instances.set_override(3, 1, (0.0, 0.0, 1.0, 1.0))
    made.step(0.05, 5)
    return made


def saved() -> tuple[Stage, SavedInstances]:
    made = stage()
    return made, save_instances(made.instances)


def test_it_goes_on_the_same() -> None:
    one, state = saved()
    other = stage()
    other.instances = load_instances(one.tree, bind(one.tree, BONES), state)
    for _ in range(40):
        assert one.step() == other.step()
        assert np.array_equal(one.instances.sample(), other.instances.sample())
    assert one.instances.add() == other.instances.add() == 1


def test_what_was_saved_does_not_change_later() -> None:
    one, state = saved()
    weights = state.arrays["weight"].copy()
    one.step(0.05, 4)
    assert np.array_equal(state.arrays["weight"], weights)


def test_trees_are_told_apart() -> None:
    one = build(TEXT, Clips(*CLIPS))
    same = build(TEXT, Clips(*CLIPS))
    other = build("main\n{\n walk\n aim\n run\n}\n", Clips(*CLIPS))
    assert tree_digest(one) == tree_digest(same) != tree_digest(other)


def changed(name: str, value: float) -> Any:
    def change(state: SavedInstances) -> SavedInstances:
        array = state.arrays[name].copy()
        array[1, 0] = value
        return replace(state, arrays={**state.arrays, name: array})

    return change


@pytest.mark.parametrize(
    "change",
    [
        changed("weight", -1.0),
        changed("weight", float("nan")),
        changed("goal", float("inf")),
        changed("remain", -0.1),
        changed("rate", 1e9),
        changed("speed", float("nan")),
        changed("time", 1.5),
        changed("mark_time", -0.5),
        changed("cycle", -1),
        changed("mark_cycle", -1),
        changed("source", 99),
        changed("flagged", 1),
        lambda s: replace(s, rows=s.rows + 1),
        lambda s: replace(s, free=()),
        lambda s: replace(s, free=(0,)),
        lambda s: replace(s, alive=s.alive[:1]),
        lambda s: replace(s, notify=s.notify[:1]),
        lambda s: replace(s, turns=((9, 1, (0.0, 0.0, 0.0, 1.0)),)),
        lambda s: replace(s, turns=((3, 9, (0.0, 0.0, 0.0, 1.0)),)),
        lambda s: replace(s, turns=((3, 1, (0.0, 0.0, 0.0, 2.0)),)),
        lambda s: replace(s, turns=((3, 1, (float("nan"), 0.0, 0.0, 1.0)),)),
        lambda s: replace(s, arrays={**s.arrays, "fresh": np.full_like(s.arrays["fresh"].view(np.uint8), 7)}),
    ],
)
def test_what_no_state_can_be_is_refused(change: Any) -> None:
    made, state = saved()
    with pytest.raises(AnimationError):
        load_instances(made.tree, bind(made.tree, BONES), change(state))
