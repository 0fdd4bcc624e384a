"""What commands do to weights, times and goals (animation facts, sections 5.2 and 5.3; known faults M8 and M9)."""

from __future__ import annotations

import math

import pytest

from engine.anim.errors import AnimationError
from engine.anim.infos import InfoBudget
from engine.anim.state import TreeInstances
from tests.anim.kit import Clips, Stage, build, make_clip

TEXT = """
body
{
	legs
	{
		walk
		run
		strides : loopsync
		{
			left
			right
		}
	}
	arms
	{
		wave
		point
	}
}
face
"""
LOOPS = Clips(loops=("left", "right", "walk", "run", "wave", "point"), plain=("face",))


@pytest.fixture
def stage() -> Stage:
    return Stage(TEXT, LOOPS)


# -- goals and weights --


def test_a_goal_takes_its_time_per_unit_of_weight(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.4)
    stage.set("run", 0.5, 0.4)
    stage.step(0.05, 5)
    assert stage.weight("run") == 0.5
    assert stage.weight("walk") == pytest.approx(0.625, abs=0.001)
    assert stage.step(0.05, 3) == []
    assert stage.weight("walk") == 1.0


def test_a_node_that_starts_has_a_thousandth_of_its_goal_at_once(stage: Stage) -> None:
    stage.set("walk", 4.0)
    assert stage.weight("walk") == 0.004
    assert stage.goal("walk") == 4.0


def test_without_time_the_weight_is_there_at_once(stage: Stage) -> None:
    stage.set("walk", 0.7, 0.0)
    assert stage.weight("walk") == 0.7
    stage.set("run", 0.5, 0.0019)
    assert stage.weight("run") == 0.5


def test_the_weight_arrives_when_less_than_a_frame_and_a_millisecond_are_left(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.set("walk", 2.0, 0.1005)
    stage.step(0.05)
    assert stage.weight("walk") == pytest.approx(1.4975, abs=0.0005)
    stage.step(0.05)
    assert stage.weight("walk") == 2.0


def test_a_weight_below_a_millionth_becomes_a_thousandth_of_its_target(stage: Stage) -> None:
    stage.set("walk", 0.001, 1000.0)
    stage.clear("walk", 1.0)
    assert stage.weight("walk") == 1e-6
    stage.step(0.05)
    assert stage.weight("walk") == 0.0


def test_tiny_weights_count_as_zero(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.set("walk", 0.0009, 0.0)
    assert stage.goal("walk") == stage.weight("walk") == 0.0


def test_weights_are_not_clamped_to_1(stage: Stage) -> None:
    stage.set("walk", 4.0, 0.0)
    assert stage.weight("walk") == 4.0


def test_the_root_is_always_at_weight_1_and_rate_1(stage: Stage) -> None:
    stage.set("root", 0.2, 5.0, 3.0)
    assert (stage.weight("root"), stage.goal("root"), stage.rate("root")) == (1.0, 1.0, 1.0)


def test_an_interrupted_fade_goes_on_from_where_it_is(stage: Stage) -> None:
    """M8."""
    stage.set("walk", 1.0, 0.0, knob=True)
    stage.set("run", 1.0, 0.4, knob=True)
    stage.step(0.05, 4)
    half = stage.weight("walk"), stage.weight("run")
    assert half == pytest.approx((0.5, 0.5), abs=0.002)
    stage.set("walk", 1.0, 0.4, knob=True)
    assert (stage.weight("walk"), stage.weight("run")) == half
    stage.step(0.05)
    assert stage.weight("walk") == pytest.approx(half[0] + 0.125, abs=0.003)
    stage.step(0.05, 3)
    assert (stage.weight("walk"), stage.weight("run")) == (1.0, 0.0)


# -- ancestors --


def test_inactive_ancestors_are_raised_to_1(stage: Stage) -> None:
    stage.set("walk", 0.5, 0.4, 2.0)
    assert [stage.goal(n) for n in ("legs", "body", "root", "arms")] == [1.0, 1.0, 1.0, 0.0]
    assert stage.rate("legs") == 1.0
    assert stage.weight("legs") == 0.001
    assert stage.weight("root") == 1.0


def test_ancestors_rise_within_the_time_of_the_command(stage: Stage) -> None:
    stage.set("walk", 0.5, 0.4)
    stage.step(0.05, 4)
    # Half a weight takes half the time, a whole one all of it.
    assert stage.weight("walk") == 0.5
    assert [stage.weight(n) for n in ("legs", "body")] == [pytest.approx(0.5, abs=0.002)] * 2
    stage.instances.set_knob_all(0, stage.node("run"), 0, time=0.2)
    stage.step(0.05, 2)
    assert [stage.weight(n) for n in ("legs", "body")] == [1.0, 1.0]


def test_ancestors_with_a_goal_are_left_alone(stage: Stage) -> None:
    stage.set("legs", 3.0, 0.0, 2.0)
    stage.set("walk")
    assert (stage.goal("legs"), stage.rate("legs")) == (3.0, 2.0)


def test_ancestors_that_fade_out_are_raised_again(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.clear("legs", 0.4)
    stage.step(0.05, 4)
    stage.set("walk", 1.0, 0.4)
    assert stage.goal("legs") == 1.0


def test_the_limited_form_leaves_inactive_ancestors_inactive(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0, limited=True)
    assert [stage.weight(n) for n in ("walk", "legs", "body", "root")] == [1.0, 0.0, 0.0, 1.0]
    assert not stage.instances.is_playing(0, stage.node("walk"))
    stage.step(0.05)
    assert stage.time("walk") == 0.0


# -- what plays keeps its place --


def test_setting_what_already_plays_changes_nothing(stage: Stage) -> None:
    """M9."""
    stage.set("walk", 1.0, 0.2, knob=True)
    stage.step(0.05, 6)
    before = stage.time("walk"), stage.weight("walk"), stage.weight("legs")
    assert before[0] == pytest.approx(0.3)
    for knob in (True, False):
        stage.set("walk", 1.0, 0.2, knob=knob)
        assert (stage.time("walk"), stage.weight("walk"), stage.weight("legs")) == before


def test_the_restart_form_goes_back_to_the_start(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.2)
    stage.step(0.05, 6)
    stage.set("walk", 1.0, 0.2, restart=True)
    assert stage.time("walk") == 0.0
    assert stage.weight("walk") == 1.0


def test_a_leaf_that_fades_out_keeps_its_place_when_it_comes_back(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05, 2)
    stage.set("run", 1.0, 0.4, knob=True)
    stage.step(0.05, 2)
    stage.set("walk", 1.0, 0.4, knob=True)
    assert stage.time("walk") == pytest.approx(0.2)


def test_a_leaf_that_is_out_starts_over(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05, 2)
    stage.set("run", 1.0, 0.0, knob=True)
    stage.step(0.05)
    assert stage.weight("walk") == 0.0
    stage.set("walk", 1.0, 0.2)
    assert stage.time("walk") == 0.0


def test_a_leaf_below_an_inactive_ancestor_starts_over(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05, 2)
    stage.set("arms", 1.0, 0.0, knob=True)
    stage.step(0.05)
    assert (stage.weight("legs"), stage.weight("walk")) == (0.0, 1.0)
    stage.set("walk", 1.0, 0.2)
    assert stage.time("walk") == 0.0


def test_a_member_that_joins_a_sync_group_takes_its_time(stage: Stage) -> None:
    stage.set("left", 1.0, 0.0)
    stage.step(0.05, 4)
    stage.set("right", 1.0, 0.2)
    assert stage.time("right") == stage.time("left") == stage.time("strides") == pytest.approx(0.2)
    stage.set("right", 1.0, 0.2, restart=True)
    assert stage.time("right") == stage.time("left") == stage.time("strides") == 0.0


def test_a_sync_group_that_does_not_show_starts_over(stage: Stage) -> None:
    stage.set("left", 1.0, 0.0)
    stage.step(0.05, 4)
    stage.set("walk", 1.0, 0.0, knob=True)
    stage.step(0.05)
    stage.set("right", 1.0, 0.0)
    assert stage.time("strides") == stage.time("left") == 0.0


# -- knobs --


def test_a_knob_fades_its_siblings_out_as_it_comes_in(stage: Stage) -> None:
    stage.set("walk", 0.6, 0.0)
    stage.set("strides", 0.2, 0.0)
    stage.set("left", 1.0, 0.0)
    stage.set("run", 0.5, 0.4, knob=True)
    assert [stage.goal(n) for n in ("walk", "run", "strides", "left")] == [0.0, 0.5, 0.0, 1.0]
    # The longest way is that of walk: 0.6, so all siblings fade within 0.24 s.
    stage.step(0.12)
    assert stage.weight("walk") == pytest.approx(0.3)
    assert stage.weight("strides") == pytest.approx(0.1)
    stage.step(0.12)
    assert [stage.weight(n) for n in ("walk", "strides", "run")] == [0.0, 0.0, 0.5]


def test_a_knob_leaves_the_siblings_of_its_ancestors(stage: Stage) -> None:
    stage.set("wave", 1.0, 0.0)
    stage.set("walk", 1.0, 0.0, knob=True)
    assert stage.goal("arms") == stage.goal("wave") == 1.0


def test_a_limited_knob_clears_siblings_but_raises_nothing(stage: Stage) -> None:
    stage.set("run", 1.0, 0.0)
    stage.set("arms", 1.0, 0.0, knob=True)
    stage.step()
    stage.set("walk", 1.0, 0.0, knob=True, limited=True)
    assert [stage.goal(n) for n in ("walk", "run", "legs")] == [1.0, 0.0, 0.0]


def test_knob_all_clears_every_level_below_its_root(stage: Stage) -> None:
    for name in ("wave", "run", "face"):
        stage.set(name, 1.0, 0.0)
    stage.set("legs", 3.0, 0.0, 2.0)
    stage.instances.set_knob_all(0, stage.node("walk"), stage.node("body"), time=0.0)
    stage.step()
    assert [stage.weight(n) for n in ("walk", "run", "arms", "wave")] == [1.0, 0.0, 0.0, 1.0]
    assert (stage.goal("legs"), stage.rate("legs")) == (1.0, 1.0)
    assert stage.weight("face") == 1.0


def test_knob_all_may_reach_up_to_the_root(stage: Stage) -> None:
    stage.set("face", 1.0, 0.0)
    stage.instances.set_knob_all(0, stage.node("walk"), 0, time=0.0)
    assert stage.goal("face") == 0.0


def test_knob_all_leaves_its_root_alone(stage: Stage) -> None:
    stage.set("body", 2.0, 0.0, 3.0)
    stage.instances.set_knob_all(0, stage.node("walk"), stage.node("body"))
    assert (stage.goal("body"), stage.rate("body")) == (2.0, 3.0)


def test_the_limited_knob_all_raises_nothing_from_its_root_up(stage: Stage) -> None:
    stage.instances.set_knob_all(0, stage.node("walk"), stage.node("body"), time=0.0, limited=True)
    assert [stage.goal(n) for n in ("walk", "legs", "body", "root")] == [1.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("root", ["arms", "walk", "face"])
def test_knob_all_with_a_root_that_is_no_ancestor_is_an_error_after_its_work(stage: Stage, root: str) -> None:
    stage.set("run", 1.0, 0.0)
    with pytest.raises(AnimationError, match=f"root anim '{root}' is not an ancestor of the anim 'walk'"):
        stage.instances.set_knob_all(0, stage.node("walk"), stage.node(root))
    assert (stage.goal("walk"), stage.goal("run"), stage.goal("body")) == (1.0, 0.0, 1.0)


# -- clearing --


def test_clearing_fades_a_node_and_everything_below(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.set("left", 0.5, 0.0)
    stage.set("wave", 1.0, 0.0)
    stage.clear("legs", 0.2)
    assert [stage.goal(n) for n in ("legs", "walk", "strides", "left", "wave")] == [0.0] * 4 + [1.0]
    stage.step(0.1)
    # Here the time is the time of the whole fade, whatever the weight.
    assert [stage.weight(n) for n in ("walk", "left")] == [pytest.approx(0.5), pytest.approx(0.25)]
    stage.step(0.1)
    assert stage.weight("walk") == stage.weight("left") == stage.weight("legs") == 0.0


def test_clearing_what_fades_can_only_shorten_the_fade(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.clear("walk", 0.4)
    stage.clear("walk", 0.8)
    stage.step(0.2)
    assert stage.weight("walk") == pytest.approx(0.5)
    stage.clear("walk", 0.1)
    stage.step(0.05)
    assert stage.weight("walk") == pytest.approx(0.25)


def test_clearing_what_does_not_show_is_immediate(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0, limited=True)
    stage.clear("walk", 5.0)
    assert stage.weight("walk") == stage.goal("walk") == 0.0
    stage.set("arms", 1.0, 0.0)  # weighted, but without a way down to a leaf
    stage.clear("arms", 5.0)
    assert stage.weight("arms") == 0.0


def test_clearing_the_root_stops_everything_and_the_next_command_starts_it_again(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.clear("root", 0.0)
    stage.step()
    assert [stage.weight(n) for n in ("root", "body", "walk")] == [0.0, 0.0, 0.0]
    stage.set("walk", 1.0, 0.2)
    assert stage.weight("root") == 1.0


def test_what_has_faded_out_forgets_its_time(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.set("left", 1.0, 0.0)
    stage.step(0.05, 3)
    stage.clear("legs", 0.1)
    stage.step(0.05, 3)
    assert stage.time("walk") == stage.time("strides") == stage.time("left") == 0.0


def test_a_member_that_leaves_a_sync_group_does_not_reset_it(stage: Stage) -> None:
    stage.set("left", 1.0, 0.0)
    stage.set("right", 1.0, 0.0)
    stage.step(0.05, 3)
    stage.clear("left", 0.0)
    stage.step(0.05)
    assert stage.time("left") == stage.time("right") == stage.time("strides") == pytest.approx(0.2)


# -- times --


def test_times_are_of_leaves_and_sync_nodes_only(stage: Stage) -> None:
    assert stage.time("walk") == stage.time("strides") == 0.0
    with pytest.raises(AnimationError, match="'legs' is neither a primitive animation nor in a sync group"):
        stage.time("legs")


def test_setting_a_time(stage: Stage) -> None:
    stage.set("face", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("face"), 0.75)
    assert stage.time("face") == 0.75
    stage.instances.set_time(0, stage.node("face"), 1.0)
    assert stage.time("face") == 1.0


def test_setting_the_time_of_a_member_moves_its_group(stage: Stage) -> None:
    stage.set("left", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("left"), 0.5)
    stage.step(0.1)
    assert stage.time("left") == stage.time("strides") == pytest.approx(0.6)


@pytest.mark.parametrize("time", [-0.1, 1.1, math.nan, math.inf])
def test_a_time_is_between_0_and_1(stage: Stage, time: float) -> None:
    with pytest.raises(AnimationError, match="between 0 and 1"):
        stage.instances.set_time(0, stage.node("face"), time)


def test_a_looping_leaf_cannot_be_put_at_1_and_a_parent_nowhere(stage: Stage) -> None:
    with pytest.raises(AnimationError, match="looping animation 'walk' must be less than 1"):
        stage.instances.set_time(0, stage.node("walk"), 1.0)
    with pytest.raises(AnimationError, match="'legs' is not a primitive animation"):
        stage.instances.set_time(0, stage.node("legs"), 0.5)


# -- scripted animations --


def test_a_scripted_animation_takes_over(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0)
    stage.set("wave", 1.0, 0.0)
    stage.instances.play_scripted(0, stage.node("face"), "scripted")
    assert [stage.goal(n) for n in ("face", "body", "walk", "wave", "root")] == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert stage.rate("face") == 1.0
    stage.step(0.05, 2)
    # Both ways take 0.2 s.
    assert [stage.weight(n) for n in ("face", "walk", "body")] == [pytest.approx(0.5, abs=0.002)] * 3
    assert ("scripted", "end") in stage.step(0.05, 19)
    assert stage.weight("walk") == 0.0


def test_a_scripted_animation_restarts_unless_it_loops(stage: Stage) -> None:
    stage.set("face", 1.0, 0.0)
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05, 4)
    stage.instances.play_scripted(0, stage.node("face"), "a")
    assert stage.time("face") == 0.0
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05, 4)
    before = stage.time("walk")
    stage.instances.play_scripted(0, stage.node("walk"), "b")
    assert stage.time("walk") == before > 0.0


def test_a_scripted_animation_below_a_root_leaves_the_rest(stage: Stage) -> None:
    stage.set("wave", 1.0, 0.0)
    stage.instances.play_scripted(0, stage.node("walk"), "x", stage.node("legs"))
    assert stage.goal("wave") == 1.0
    with pytest.raises(AnimationError, match="'legs' is not a primitive animation"):
        stage.instances.play_scripted(0, stage.node("legs"), "x")


# -- refusals --


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weight": -1.0}, "weight of animation 'walk' must not be negative"),
        ({"time": -0.1}, "time of animation 'walk' must not be negative"),
        ({"rate": -1.0}, "rate of animation 'walk' must not be negative"),
        ({"weight": math.nan}, "weight of animation 'walk' must be a finite number"),
        ({"time": math.inf}, "time of animation 'walk' must be a finite number"),
        ({"rate": math.nan}, "rate of animation 'walk' must be a finite number"),
        ({"weight": 0.0, "notify": "x"}, "a flagged animation needs a weight above 0"),
        ({"weight": 0.0009, "notify": "x"}, "a flagged animation needs a weight above 0"),
    ],
)
@pytest.mark.parametrize("knob", [False, True])
def test_refused_arguments_change_nothing(
    stage: Stage, arguments: dict[str, object], message: str, knob: bool
) -> None:
    stage.set("run", 1.0, 0.0)
    before = stage.instances.inspect(0)
    with pytest.raises(AnimationError, match=message):
        stage.set("walk", knob=knob, **arguments)
    assert stage.instances.inspect(0) == before


@pytest.mark.parametrize("time", [-1.0, math.nan])
def test_clearing_needs_a_time(stage: Stage, time: float) -> None:
    with pytest.raises(AnimationError, match="must be a number of 0 or more"):
        stage.clear("walk", time)


def test_a_flagged_parent_without_a_common_time_is_refused(stage: Stage) -> None:
    with pytest.raises(AnimationError, match="'legs' has several animations and no common time"):
        stage.set("legs", notify="x")


def test_a_flagged_sync_parent_needs_something_playing_below(stage: Stage) -> None:
    with pytest.raises(AnimationError, match="nothing below 'strides' is playing"):
        stage.set("strides", notify="x")


# -- rows --


def test_rows_are_independent_reused_and_checked() -> None:
    stage = Stage(TEXT, LOOPS, entities=3)
    stage.set("walk", 1.0, 0.0, row=1, notify="w")
    assert [stage.weight("walk", row) for row in range(3)] == [0.0, 1.0, 0.0]
    stage.instances.remove(1)
    with pytest.raises(IndexError):
        stage.set("walk", row=1)
    with pytest.raises(IndexError):
        stage.set("walk", row=7)
    with pytest.raises(IndexError):
        stage.instances.set_anim(0, 99)
    with pytest.raises(IndexError):
        stage.instances.set_anim(0, -1)
    assert stage.step(0.05, 30) == []
    assert stage.instances.add() == 1
    assert stage.weight("walk", 1) == 0.0
    stage.instances.remove(2)
    stage.instances.remove(0)
    assert [stage.instances.add() for _ in range(3)] == [0, 2, 3]


def test_many_rows_grow_the_store() -> None:
    stage = Stage(TEXT, LOOPS, entities=100)
    stage.set("walk", 1.0, 0.0, row=0)
    stage.set("run", 1.0, 0.0, row=99)
    stage.step(0.1)
    assert (stage.time("walk", 0), stage.time("run", 99), stage.time("run", 50)) == (
        pytest.approx(0.1),
        pytest.approx(0.1),
        0.0,
    )


def test_clearing_a_row_empties_it(stage: Stage) -> None:
    stage.set("walk", 1.0, 0.0, notify="x")
    stage.instances.clear(0)
    assert all(view.weight == view.goal == 0.0 and view.notify is None for view in stage.instances.inspect(0))


# -- inspection and reload --


def test_inspection_is_plain_data_in_the_order_of_the_file(stage: Stage) -> None:
    stage.set("left", 2.0, 0.4, 1.5, notify="steps")
    stage.step()
    views = stage.instances.inspect(0)
    assert [view.name for view in views] == [
        *("root", "body", "legs", "walk", "run", "strides", "left", "right", "arms", "wave", "point", "face")
    ]
    assert [view.depth for view in views] == [0, 1, 2, 3, 3, 3, 4, 4, 2, 3, 3, 1]
    left = views[6]
    assert (left.goal, left.rate, left.notify, left.leaf) == (2.0, 1.5, "steps", True)
    assert left.weight == pytest.approx(2.0 / 16 + 0.002, abs=0.002)
    assert left.time == pytest.approx(0.075)
    assert left.speed == pytest.approx(1.5)
    assert views[2].time is None


def test_strangers_that_a_new_tree_puts_into_one_sync_group_keep_step() -> None:
    old = Stage("walk\nrun\n", Clips(loops=["walk", "run"]), entities=2)
    old.set("walk", 1.0, 0.0)
    old.step(0.3)
    old.set("run", 0.5, 0.0)
    old.step(0.1)
    new = Stage("strides : loopsync\n{\n\twalk\n\trun\n}\n", Clips(loops=["walk", "run"]))
    old.instances.rebind(new.tree)
    old.tree = new.tree
    assert old.time("walk") == old.time("run") == old.time("strides") == pytest.approx(0.4)
    old.set("walk", 1.0, 0.0)
    old.step(0.1)
    assert old.time("walk") == old.time("run")


def test_a_new_version_of_the_tree_keeps_what_plays_by_name(stage: Stage) -> None:
    for name in ("walk", "left", "wave"):
        stage.set(name, 0.5, 0.0, notify=name)
    stage.step(0.05, 4)
    row = stage.instances.add()
    stage.instances.remove(row)
    changed = Stage(
        "extra\nbody\n{\n\tarms2\n\t{\n\t\twave\n\t}\n\tlegs\n\t{\n\t\trun\n\t\twalk\n\t}\n}\n",
        Clips(make_clip("walk", 1.0, True, {"step": 0.5}), loops=("run", "wave"), plain=("extra",)),
    )
    instances: TreeInstances = stage.instances
    instances.rebind(changed.tree)
    stage.tree = changed.tree
    assert (stage.weight("walk"), stage.time("walk"), stage.weight("legs")) == (0.5, pytest.approx(0.2), 1.0)
    assert stage.weight("wave") == 0.5  # moved to another parent, but there is only one of that name
    assert (stage.weight("arms2"), stage.weight("extra")) == (0.0, 0.0)
    assert stage.step(0.05, 7) == [("walk", "step")]
    assert instances.add() == row


def test_a_limit_of_what_plays_at_once_is_shared_and_what_ends_gives_way() -> None:
    tree = build("p\n{\n\ta\n\tb\n}\n", Clips(plain=("a", "b")))
    every: list[TreeInstances] = []
    infos = InfoBudget(lambda: sum(one.store.infos() for one in every), limit=7)
    every += [TreeInstances(tree, infos=infos) for _ in range(2)]
    for one in every:
        one.set_anim(one.add(), tree.index["a"])  # with the group and the root: three
    first, second = every
    first.set_anim(0, tree.index["b"])
    first.set_anim(0, tree.index["b"], 0.5)
    with pytest.raises(AnimationError, match="maximum number of anim info: 7 animations play already"):
        second.set_anim(0, tree.index["b"])
    assert second.get_weight(0, tree.index["b"]) == 0.0
    first.clear(0)
    second.set_anim(0, tree.index["b"])
    infos.limit = 4
    with pytest.raises(AnimationError, match="4 animations play already"):
        first.set_anim(0, tree.index["a"])


def test_a_goal_of_nothing_for_what_does_not_play_is_nothing() -> None:
    """5.2: a node without info and w = 0 -> nothing; its ancestors are not asked for room either."""
    stage = Stage("a\nb\n", Clips(plain=("a", "b")))
    stage.instances.set_anim(0, stage.node("a"), 0.0, 1.0, 3.0)
    assert (stage.rate("a"), stage.goal("a"), stage.weight("a")) == (0.0, 0.0, 0.0)
