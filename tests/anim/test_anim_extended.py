"""The extended set: additive nodes, bone masks, blends by a parameter; and that a strict tree knows none of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.anim import atr
from engine.anim.clip import Clip
from engine.anim.errors import AnimationError
from engine.anim.sampler import bind, masked_bones
from engine.anim.saved import load_instances, save_instances, tree_digest
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from engine.anim.tree import Tree
from engine.source import DiagnosticError
from tests.anim.cases import check_numbers
from tests.anim.kit import Clips, Stage, build, chain, make_clip, source
from tests.anim.test_anim_pose import REST, about, keyed, same_turn, still

BASE = chain("base")
BODY = chain("hips", "spine", "head")


def staged(text: str, skeleton: Skeleton, *clips: Clip, entities: int = 1) -> Stage:
    stage = Stage(text, Clips(*clips), 0)
    stage.instances = TreeInstances(stage.tree, bind(stage.tree, skeleton))
    for _ in range(entities):
        stage.instances.add()
    return stage


def faults(text: str) -> list[tuple[str, int, int]]:
    clips = Clips(loops=("a", "b", "c"), plain=("d",))
    with pytest.raises(DiagnosticError) as caught:
        atr.read(source(text)).prune({}, clips, all_names=True)
    return [(d.code, d.span.line, d.span.col) for d in caught.value.diagnostics if d.span is not None]


# -- asking for it --


@pytest.mark.parametrize("line", ["p : additive", "p : mask=spine", "p : blend=speed", "p : at=3"])
def test_a_strict_tree_knows_no_such_property_and_is_told_how_to_ask(line: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        atr.read(source(f"{line}\n{{\n\ta\n}}\n"))
    (fault,) = caught.value.diagnostics
    assert fault.code == "unknown-anim-property"
    assert "#extended" in fault.notes[0].message


@pytest.mark.parametrize("text", ["a\n#extended\n", "p\n{\n\ta\n\t#extended\n}\n"])
def test_a_tree_asks_on_its_first_line_or_not_at_all(text: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        atr.read(source(text))
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.notes[0].message) == (
        "bad-token",
        "'#extended' stands on the first line of the file",
    )


def test_the_first_line_may_follow_comments_and_stands_alone() -> None:
    assert [e.name for e in atr.read(source("// a tree\n\n#Extended\na\n")).entries] == ["a"]
    with pytest.raises(DiagnosticError, match="after '#extended'"):
        atr.read(source("#extended a\n"))


def test_a_strict_tree_plays_the_same_whether_or_not_it_asks() -> None:
    """What a tree does not use changes nothing: the same poses, bit by bit."""
    text = "p : loopsync\n{\n\ta\n\tb\n}\nq\n{\n\tc\n}\n"
    clips = [
        keyed("a", {"base": [(REST, 0.0), (about("x", 30), 5.0), (REST, 0.0)]}),
        keyed("b", {"base": [(REST, 0.0), (about("y", 30), 9.0), (REST, 0.0)]}),
        keyed("c", {"base": [(REST, 0.0), (about("z", 30), 7.0), (REST, 0.0)]}),
    ]
    stages = [staged(head + text, BASE, *clips) for head in ("", "#extended\n")]
    for stage in stages:
        for name, weight in (("a", 1.0), ("b", 0.4), ("c", 0.7)):
            stage.set(name, weight, 0.1)
    for _ in range(5):
        for stage in stages:
            stage.step(0.07)
        one, other = (stage.instances.sample() for stage in stages)
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("#extended\np : mask=\n{\na\n}\n", ("anim-property-value", 2, 5)),
        ("#extended\np : mask=a,,b\n{\na\n}\n", ("anim-property-value", 2, 5)),
        ("#extended\np : mask\n{\na\n}\n", ("anim-property-value", 2, 5)),
        ("#extended\np : blend=a-b\n{\na\n}\n", ("anim-property-value", 2, 5)),
        ("#extended\np : blend=v\n{\na : at=fast\n}\n", ("anim-property-value", 4, 5)),
        ("#extended\na : at=1e999\n", ("anim-property-value", 2, 5)),
        ("#extended\na : additiv\n", ("unknown-anim-property", 2, 5)),
        ("#extended\na : loopsync\n", ("property-on-leaf", 2, 1)),
        ("#extended\np : blend=v\n{\n\ta : at=1\n\tb\n}\n", ("bad-blend", 5, 2)),
        ("#extended\np : blend=v\n{\n\ta : at=1\n\tb : at=1\n}\n", ("bad-blend", 2, 1)),
        ("#extended\np : blend=v\n{\n\ta : at=1 additive\n}\n", ("bad-blend", 4, 2)),
        ("#extended\na : at=1\n", ("bad-blend", 2, 1)),
        ("#extended\np : additive\n{\n\tq : additive\n\t{\n\t\ta\n\t}\n}\n", ("bad-additive", 4, 2)),
        ("#extended\np : loopsync\n{\n\ta : additive\n\tb\n}\n", ("bad-additive", 4, 2)),
    ],
)
def test_faults_have_their_place(text: str, fault: tuple[str, int, int]) -> None:
    assert faults(text) == [fault]


# -- additive --


def test_a_difference_is_added_in_the_bones_own_axes_after_the_animation() -> None:
    """M1: 90 about X, and 90 about Z in the turned axes; the other order gives another rotation."""
    lean = keyed("lean", {"base": [(about("y", 20), 3.0), (np.array(product("y", 20, "z", 90)), 8.0)]})
    stage = staged("#extended\nwalk\nlean : additive\n", BASE, still("walk", base=about("x", 90)), lean)
    stage.set("walk", 1.0, 0.0)
    stage.set("lean", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("lean"), 0.999999)
    (found,) = stage.instances.sample()
    half = math.sqrt(0.5) ** 2
    assert same_turn(found[:4, 0], (half, -half, half, half))
    assert found[6, 0] == pytest.approx(5.0, abs=1e-4)


def product(axis: str, angle: float, then: str, by: float) -> list[float]:
    """First the one rotation, then the other in the turned axes."""
    ax, ay, az, aw = about(axis, angle)
    bx, by_, bz, bw = about(then, by)
    return [
        aw * bx + ax * bw + ay * bz - az * by_,
        aw * by_ - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by_ - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by_ - az * bz,
    ]


def test_a_clip_that_changes_nothing_adds_nothing() -> None:
    """M2, to the last bit of a rotation of unit length."""
    walk, idle = still("walk", base=about("x", 33)), still("idle", base=about("y", 71))
    alone = staged("#extended\nwalk\nidle : additive\n", BASE, walk, idle)
    alone.set("walk", 1.0, 0.0)
    before = alone.instances.sample()
    alone.set("idle", 1.0, 0.0)
    assert alone.instances.sample() == pytest.approx(before, abs=1e-7)


@pytest.mark.parametrize(("weight", "part"), [(0.5, 0.5), (1.0, 1.0), (4.0, 1.0), (1e6, 1.0)])
def test_the_weight_says_how_much_and_1_is_all(weight: float, part: float) -> None:
    rise = keyed("rise", {"base": [(REST, 2.0), (REST, 12.0)]})
    stage = staged("#extended\nwalk\nrise : additive\n", BASE, still("walk", base=REST), rise)
    stage.set("walk", 0.2, 0.0)
    stage.set("rise", weight, 0.0)
    stage.instances.set_time(0, stage.node("rise"), 0.999999)
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(10.0 * part, abs=1e-3)


def test_what_is_added_takes_no_part_in_the_weights_of_its_siblings() -> None:
    text = "#extended\nwalk\nrun\nrise : additive\n"
    clips = (keyed(name, {"base": [(REST, height)]}) for name, height in (("walk", 4.0), ("run", 8.0)))
    rise = keyed("rise", {"base": [(REST, 0.0), (REST, 0.0)]})
    stage = staged(text, BASE, *clips, rise)
    for name, weight in (("walk", 1.0), ("run", 1.0), ("rise", 9.0)):
        stage.set(name, weight, 0.0)
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(6.0)


def test_a_knob_leaves_alone_what_is_added_and_the_other_way_round() -> None:
    text = "#extended\nwalk\nrun\nrise : additive\nsink : additive\n"
    stage = Stage(text, Clips(loops=("walk", "run", "rise", "sink")))
    for name in ("walk", "rise"):
        stage.set(name, 1.0, 0.0)
    stage.set("run", 1.0, 0.0, knob=True)
    assert [stage.goal(name) for name in ("walk", "run", "rise")] == [0.0, 1.0, 1.0]
    stage.set("sink", 1.0, 0.0, knob=True)
    assert [stage.goal(name) for name in ("run", "rise", "sink")] == [1.0, 0.0, 1.0]


def test_differences_blend_among_themselves_and_are_added_above() -> None:
    text = "#extended\nbody\n{\n\twalk\n}\nbreath : additive\n{\n\tcalm\n\tquick\n}\n"
    clips = [
        keyed(name, {"base": [(REST, 1.0), (REST, 1.0 + up)]}) for name, up in (("calm", 2.0), ("quick", 6.0))
    ]
    stage = staged(text, BASE, keyed("walk", {"base": [(REST, 10.0)]}), *clips, entities=2)
    for name in ("walk", "calm", "quick"):
        stage.set(name, 1.0, 0.0)
    stage.instances.set_time(0, stage.node("calm"), 0.999999)
    stage.instances.set_time(0, stage.node("quick"), 0.999999)
    poses = stage.instances.sample()
    assert poses[0, 6, 0] == pytest.approx(14.0, abs=1e-3)
    assert np.array_equal(poses[1], BASE.rest)


def test_two_differences_are_added_in_the_order_of_the_file() -> None:
    text = "#extended\nwalk\nfirst : additive\nsecond : additive\n"
    first = keyed("first", {"base": [(REST, 0.0), (about("x", 90), 0.0)]})
    second = keyed("second", {"base": [(REST, 0.0), (about("z", 90), 0.0)]})
    stage = staged(text, BASE, still("walk", base=REST), first, second)
    for name in ("walk", "first", "second"):
        stage.set(name, 1.0, 0.0)
    for name in ("first", "second"):
        stage.instances.set_time(0, stage.node(name), 0.9999999)
    half = math.sqrt(0.5) ** 2
    assert same_turn(stage.instances.sample()[0, :4, 0], (half, -half, half, half))


def test_a_difference_with_nothing_to_be_added_to_is_not_seen() -> None:
    stage = staged(
        "#extended\nwalk\nrise : additive\n",
        BASE,
        still("walk", base=REST),
        keyed("rise", {"base": [(REST, 0.0), (REST, 9.0)]}),
    )
    stage.set("rise", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("rise"), 0.9)
    assert np.array_equal(stage.instances.sample()[0], BASE.rest)


def test_a_difference_of_a_bone_that_the_base_lacks_is_added_to_its_rest() -> None:
    nod = keyed("nod", {"head": [(REST, 3.0), (REST, 5.0)]})
    stage = staged("#extended\nwalk\nnod : additive\n", BODY, keyed("walk", {"hips": [(REST, 4.0)]}), nod)
    stage.set("walk", 1.0, 0.0)
    stage.set("nod", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("nod"), 0.9999999)
    assert stage.instances.sample()[0, 6] == pytest.approx([4.0, 10.0, 12.0], abs=1e-4)


def test_a_difference_sends_notes_and_moves_nobody() -> None:
    delta = [(0.0, 0.0, 0.0, 0.0), (50.0, 0.0, 0.0, 0.0)]
    stage = Stage(
        "#extended\nwalk\nshot : additive\n",
        Clips(
            make_clip("walk", looping=True, delta=delta),
            make_clip("shot", 0.1, notes={"bang": 0.5}, delta=delta),
        ),
    )
    stage.instances = TreeInstances(stage.tree, bind(stage.tree, BASE))
    stage.instances.add()
    stage.set("walk", 1.0, 0.0)
    stage.set("shot", 1.0, 0.0, notify="n")
    assert stage.step(0.1) == [("n", "bang"), ("n", "end")]
    assert stage.instances.root_motion()[0, 0] == pytest.approx(5.0)


def test_differences_beyond_a_half_turn_go_on_turning_and_meet_the_short_way() -> None:
    round_ = keyed("round", {"base": [(about("z", angle), 0.0) for angle in (0, 100, 170, 200)]})
    back = keyed("back", {"base": [(about("z", -angle), 0.0) for angle in (0, 100, 170, 170)]})
    stage = staged(
        "#extended\nwalk\nturn : additive\n{\n\tround\n\tback\n}\n",
        BASE,
        still("walk", base=REST),
        round_,
        back,
    )
    for name in ("walk", "turn", "round"):
        stage.set(name, 1.0, 0.0)
    # Between 170 and 200 the rotation's sign changes, and the way between the frames stays the short one.
    stage.instances.set_time(0, stage.node("round"), 2.5 / 3.0)
    assert same_turn(stage.instances.sample()[0, :4, 0], about("z", 185))
    stage.set("back", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("round"), 2.0 / 3.0)
    stage.instances.set_time(0, stage.node("back"), 2.0 / 3.0)
    assert same_turn(stage.instances.sample()[0, :4, 0], about("z", 180))


def test_scales_of_differences_multiply() -> None:
    grow = keyed("grow", {"base": [(REST, 0.0), (REST, 0.0)]})
    grow.rows[0, 7], grow.rows[1, 7] = 2.0, 3.0
    walk = keyed("walk", {"base": [(REST, 0.0)]})
    walk.rows[:, 7] = 4.0
    stage = staged("#extended\nwalk\ngrow : additive\n", BASE, walk, grow)
    stage.set("walk", 1.0, 0.0)
    stage.set("grow", 1.0, 0.0)
    stage.instances.set_time(0, stage.node("grow"), 0.9999999)
    assert stage.instances.sample()[0, 7, 0] == pytest.approx(6.0, abs=1e-4)


# -- masks --


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("spine",), [False, True, True]),
        (("spine", "-head"), [False, True, False]),
        (("-spine",), [True, False, False]),
        (("-spine", "head"), [False, False, True]),
        (("nobody",), [False, False, False]),
    ],
)
def test_a_mask_names_bones_with_what_hangs_on_them(words: tuple[str, ...], expected: list[bool]) -> None:
    assert masked_bones(words, BODY).tolist() == expected


def test_a_masked_node_moves_only_its_bones() -> None:
    clips = [
        keyed(name, {bone: [(REST, up)] for bone in BODY.names})
        for name, up in (("walk", 1.0), ("wave", 3.0))
    ]
    stage = staged("#extended\nlegs : mask=hips,-spine\n{\n\twalk\n}\nwave : mask=spine\n", BODY, *clips)
    stage.set("walk", 1.0, 0.0)
    stage.set("wave", 7.0, 0.0)
    assert stage.instances.sample()[0, 6] == pytest.approx([1.0, 3.0, 3.0])
    stage.clear("wave", 0.0)
    stage.step()
    assert stage.instances.sample()[0, 6] == pytest.approx([1.0, 10.0, 10.0])


def test_masks_of_several_levels_leave_what_all_of_them_leave() -> None:
    wave = keyed("wave", {bone: [(REST, 3.0)] for bone in BODY.names})
    stage = staged("#extended\nupper : mask=spine\n{\n\twave : mask=-head\n}\n", BODY, wave)
    stage.set("wave", 1.0, 0.0)
    assert stage.instances.sample()[0, 6] == pytest.approx([0.0, 3.0, 10.0])


def test_a_masked_walk_does_not_walk() -> None:
    delta = [(0.0, 0.0, 0.0, 0.0), (50.0, 0.0, 0.0, 0.0)]
    clips = Clips(make_clip("walk", looping=True, bones=("hips", "spine"), delta=delta))
    tree = build("#extended\nwalk : mask=spine\n", clips)
    instances = TreeInstances(tree, bind(tree, BODY))
    instances.set_anim(instances.add(), tree.index["walk"], 1.0, 0.0)
    instances.step(0.5, lambda *sent: None)
    assert instances.root_motion()[0].tolist() == [0.0, 0.0, 0.0, 0.0]


def test_names_in_a_mask_that_are_no_bones_are_told() -> None:
    tree = build("#extended\nwalk : mask=spine,-tail\n", Clips(still("walk", hips=REST)))
    assert bind(tree, BODY).unknown_masks == {tree.index["walk"]: ("-tail",)}


# -- blends by a parameter --

STRIDES = (
    "#extended\nstrides : loopsync blend=speed\n{\n\twalk : at=60\n\trun : at=160\n\tidle : at=0\n}\nother\n"
)


def strides(**kinds: object) -> Stage:
    lengths = {"walk": 1.0, "run": 0.8, "idle": 2.0}
    clips = [make_clip(name, lengths[name], True, {name: 0.5}) for name in lengths]
    for clip, height in zip(clips, (6.0, 16.0, 0.0), strict=True):
        clip.rows[:, 6] = height
    stage = staged(STRIDES, BASE, *clips, make_clip("other", looping=True))
    stage.set("strides", 1.0, 0.0, **kinds)
    return stage


@pytest.mark.parametrize(
    ("value", "weights"),
    [
        (-5.0, (1.0, 0.0, 0.0)), (0.0, (1.0, 0.0, 0.0)), (30.0, (0.5, 0.5, 0.0)), (60.0, (0.0, 1.0, 0.0)),
        (85.0, (0.0, 0.75, 0.25)), (160.0, (0.0, 0.0, 1.0)), (999.0, (0.0, 0.0, 1.0)),
    ],
)  # fmt: skip
def test_weights_follow_the_parameter_between_the_places(value: float, weights: tuple[float, ...]) -> None:
    stage = strides()
    stage.instances.set_parameter(0, "speed", value)
    assert [stage.weight(name) for name in ("idle", "walk", "run")] == pytest.approx(weights)
    heights = {"idle": 0.0, "walk": 6.0, "run": 16.0}
    expected = sum(w * heights[n] for w, n in zip(weights, ("idle", "walk", "run"), strict=True))
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(expected, abs=1e-4)


def test_a_blended_group_keeps_step_at_the_weighted_speed() -> None:
    stage = strides()
    stage.instances.set_parameter(0, "Speed", 110.0)
    stage.step(0.1)
    assert stage.time("walk") == stage.time("run") == pytest.approx(0.1 * 1.125)


def test_a_parameter_takes_its_time() -> None:
    stage = strides()
    stage.instances.set_parameter(0, "speed", 60.0, 0.5)
    assert stage.instances.get_parameter(0, "speed") == 0.0
    stage.step(0.25)
    assert stage.instances.get_parameter(0, "speed") == pytest.approx(30.0)
    assert stage.weight("walk") == pytest.approx(0.5)
    stage.step(0.05, times=6)
    assert (stage.instances.get_parameter(0, "speed"), stage.weight("walk")) == (60.0, 1.0)


def test_children_rest_with_their_group_and_cannot_be_commanded() -> None:
    stage = strides()
    stage.instances.set_parameter(0, "speed", 30.0)
    stage.clear("strides", 0.2)
    assert stage.weight("walk") == 0.5
    stage.step(0.05, times=6)
    assert [stage.weight(name) for name in ("strides", "walk", "idle")] == [0.0, 0.0, 0.0]
    with pytest.raises(AnimationError, match="'walk' follows the parameter 'speed'; command 'strides'"):
        stage.set("walk", 1.0)
    stage.set("other", 1.0, 0.0)
    stage.set("strides", 1.0, 0.0, knob=True)
    stage.step()
    assert [stage.weight(name) for name in ("walk", "idle", "other")] == [0.5, 0.5, 0.0]


def test_a_flagged_blend_sends_the_notes_of_its_heaviest() -> None:
    stage = strides(notify="n")
    stage.instances.set_parameter(0, "speed", 50.0)
    assert stage.step(0.9) == [("n", "walk")]
    stage.instances.set_parameter(0, "speed", 150.0)
    assert ("n", "run") in stage.step(0.8)
    assert stage.step(0.0) == []


def test_a_leaf_that_a_parameter_puts_out_starts_over() -> None:
    stage = staged(
        "#extended\np : blend=v\n{\n\ta : at=0\n\tb : at=1\n}\n",
        BASE,
        make_clip("a", looping=True),
        make_clip("b"),
    )
    stage.set("p", 1.0, 0.0)
    stage.step(0.3)
    stage.instances.set_parameter(0, "v", 1.0)
    assert (stage.time("a"), stage.time("b")) == (0.0, 0.0)
    stage.step(0.2)
    assert stage.time("b") == pytest.approx(0.2)


def test_blends_lie_in_one_another() -> None:
    low = "low : blend=side at=0\n{\na : at=-1\nb : at=1\n}\n"
    text = f"#extended\nmove : blend=v\n{{\n{low}c : at=10\n}}\n"
    heights = {"a": 0.0, "b": 8.0, "c": 100.0}
    stage = staged(text, BASE, *(keyed(name, {"base": [(REST, up)]}) for name, up in heights.items()))
    stage.set("move", 1.0, 0.0)
    stage.instances.set_parameter(0, "v", 5.0)
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(0.5 * 4.0 + 0.5 * 100.0)
    stage.instances.set_parameter(0, "side", 1.0)
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(0.5 * 8.0 + 0.5 * 100.0)


def test_a_mentioned_blend_keeps_its_children() -> None:
    tree = build(STRIDES, Clips(loops=("walk", "run", "idle", "other")), ["strides"])
    assert sorted(tree.names) == ["idle", "root", "run", "strides", "walk"]


@pytest.mark.parametrize(
    ("name", "value", "time", "message"),
    [
        ("sped", 1.0, 0.0, "no parameter 'sped'; it has speed"),
        ("speed", math.nan, 0.0, "a finite value"),
        ("speed", 1.0, -1.0, "a time of 0 or more"),
    ],
)
def test_parameters_are_checked(name: str, value: float, time: float, message: str) -> None:
    with pytest.raises(AnimationError, match=message):
        strides().instances.set_parameter(0, name, value, time)


def test_a_strict_tree_has_no_parameters() -> None:
    stage = Stage("a\n", Clips(plain=("a",)))
    with pytest.raises(AnimationError, match="blends by a parameter"):
        stage.instances.set_parameter(0, "speed", 1.0)
    with pytest.raises(AnimationError, match="blends by a parameter"):
        stage.instances.get_parameter(0, "speed")


def test_parameters_belong_to_their_row_and_go_with_it() -> None:
    stage = strides()
    rows = [stage.instances.add() for _ in range(40)]
    stage.instances.set_parameter(0, "speed", 60.0)
    stage.instances.set_parameter(rows[-1], "speed", 7.0)
    assert stage.instances.get_parameter(rows[0], "speed") == 0.0
    copied = stage.instances.copy_from(stage.instances, 0)
    assert stage.instances.get_parameter(copied, "speed") == 60.0
    stage.instances.remove(rows[-1])
    assert stage.instances.get_parameter(stage.instances.add(), "speed") == 0.0
    again = build(STRIDES.replace("at=160", "at=260"), Clips(loops=("walk", "run", "idle", "other")))
    stage.instances.rebind(again, bind(again, BASE))
    stage.instances.set_parameter(0, "speed", 160.0)
    assert stage.weight("run") == pytest.approx(0.5)


def test_parameters_are_saved() -> None:
    stage = strides()
    stage.instances.set_parameter(0, "speed", 60.0, 0.5)
    stage.step(0.1)
    state = save_instances(stage.instances)
    other = load_instances(stage.tree, stage.instances.binding, state)
    for _ in range(6):
        stage.step(0.1)
        other.step(0.1, lambda *sent: None)
        assert np.array_equal(other.sample(), stage.instances.sample())
    for wrong in (
        (0, "speed", math.nan, 1.0, 1.0), (0, "speed", 1.0, 1.0, -1.0), (9, "speed", 1.0, 1.0, 0.0),
        (0, "x", 1.0, 1.0, 0.0),
    ):  # fmt: skip
        with pytest.raises(AnimationError):
            load_instances(stage.tree, stage.instances.binding, replace(state, parameters=(wrong,)))


def test_a_tree_with_other_places_or_masks_is_another_tree() -> None:
    clips = Clips(loops=("walk", "run", "idle", "other"))
    texts = [STRIDES, STRIDES.replace("at=160", "at=161"), STRIDES.replace("other", "other : mask=spine")]
    digests = {tree_digest(build(text, clips)) for text in texts}
    assert len(digests) == 3


# -- all of it at once, by chance --


def random_extended(rng: np.random.Generator) -> tuple[Tree, Clips]:
    skeleton_bones = BODY.names
    lines, names = ["#extended"], iter(range(1000))

    def leaf(extra: str = "") -> None:
        name = f"n{next(names)}"
        lines.append(f"{name} : {extra}" if extra else name)

    def block(depth: int, added: bool) -> None:
        for _ in range(int(rng.integers(1, 4))):
            extra = [f"mask={rng.choice(['spine', 'head', '-head', 'hips'])}"] if rng.random() < 0.3 else []
            if not added and rng.random() < 0.3:
                extra.append("additive")
            if depth < 2 and rng.random() < 0.5:
                blend = rng.random() < 0.4
                lines.append(f"n{next(names)} : " + " ".join([*extra, *(["blend=v"] if blend else [])]))
                lines.append("{")
                if blend:
                    for place in range(int(rng.integers(1, 4))):
                        leaf(f"at={place}")
                else:
                    block(depth + 1, added or "additive" in extra)
                lines.append("}")
            else:
                leaf(" ".join(extra))

    block(0, False)

    def clip(name: str) -> Clip:
        bones = [bone for bone in skeleton_bones if rng.random() < 0.8] or ["hips"]
        turn = {
            bone: [
                (about("xyz"[int(rng.integers(3))], float(rng.uniform(-170, 170))), float(rng.normal() * 9))
                for _ in range(3)
            ]
            for bone in bones
        }
        return keyed(name, turn)

    known = Clips(*(clip(f"n{i}") for i in range(next(names))))
    return build("\n".join(lines) + "\n", known), known


@pytest.mark.parametrize("seed", range(60))
def test_any_extended_tree_gives_poses_that_are_poses(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, _ = random_extended(rng)
    instances = TreeInstances(tree, bind(tree, BODY))
    rows = [instances.add() for _ in range(4)]
    for _ in range(4):
        for row in rows:
            for node in range(1, len(tree)):
                if rng.random() < 0.5 and node not in tree.following:
                    instances.set_anim(
                        row, node, float(rng.choice([0.0, 0.3, 1.0, 9.0])), float(rng.choice([0.0, 0.2]))
                    )
            if tree.parameters and rng.random() < 0.7:
                instances.set_parameter(row, "v", float(rng.uniform(-1, 3)), float(rng.choice([0.0, 0.3])))
        instances.step(0.11, lambda *sent: None)
        check_numbers(instances)
        one = TreeInstances(tree, bind(tree, BODY))
        for row in rows:
            # Each entity alone gives what it gives among the others.
            alone = one.copy_from(instances, row)
            assert np.array_equal(one.sample()[alone], instances.sample()[row])


def test_a_preview_is_told_what_to_command_for_a_node_to_be_seen() -> None:
    low = "low : blend=side at=0\n{\na : at=-1\nb : at=1\n}\n"
    stage = Stage(
        f"#extended\nmove : blend=v\n{{\n{low}c : at=10\n}}\nd\n", Clips(loops=("a", "b", "c", "d"))
    )
    assert stage.instances.lead(0, stage.node("d")) == stage.node("d")
    stage.instances.set_parameter(0, "v", 10.0)
    stage.set("move", 1.0, 0.0)
    assert stage.instances.lead(0, stage.node("b")) == stage.node("move")
    assert [stage.weight(name) for name in ("low", "b", "a", "c")] == [1.0, 1.0, 0.0, 0.0]
