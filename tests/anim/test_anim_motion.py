"""Root motion (animation facts, section 5.7) and the move and angle deltas of a clip."""

from __future__ import annotations

import pytest

from engine.anim.errors import AnimationError
from engine.anim.motion import angle_delta, move_delta
from engine.anim.sampler import bind
from engine.anim.state import TreeInstances
from tests.anim.kit import Clips, Stage, chain, make_clip

START = (0.0, 0.0, 0.0, 0.0)
AHEAD = make_clip("walk", 1.0, True, {"step": 0.5}, delta=(START, (40.0, 0.0, 0.0, 0.0)))


def moved(stage: Stage, row: int = 0) -> list[float]:
    return [float(v) for v in stage.instances.root_motion()[row]]


def test_a_walk_moves_by_its_share_of_the_clip() -> None:
    stage = Stage("walk\n", Clips(AHEAD), entities=2)
    stage.set("walk", 1.0, 0.0)
    stage.step(0.1)
    assert moved(stage) == pytest.approx([4.0, 0.0, 0.0, 0.0], abs=1e-5)
    assert moved(stage, 1) == [0.0] * 4


def test_each_wrap_adds_the_whole_loop() -> None:
    stage = Stage("walk\n", Clips(AHEAD))
    stage.set("walk", 1.0, 0.0)
    stage.step(0.9)
    stage.step(2.3)
    assert moved(stage)[0] == pytest.approx(92.0, abs=1e-4)


def test_a_plain_clip_stops_moving_at_its_end() -> None:
    stage = Stage("fall\n", Clips(make_clip("fall", 1.0, delta=(START, (10.0, 0.0, -30.0, 0.0)))))
    stage.set("fall", 1.0, 0.0)
    stage.step(5.0)
    assert moved(stage) == pytest.approx([10.0, 0.0, -30.0, 0.0], abs=1e-5)
    stage.step(5.0)
    assert moved(stage) == [0.0] * 4


def test_a_turn_leaves_the_translation_in_the_orientation_at_the_end() -> None:
    stage = Stage("turn\n", Clips(make_clip("turn", 1.0, delta=(START, (10.0, 0.0, 0.0, 90.0)))))
    stage.set("turn", 1.0, 0.0)
    stage.step(1.0)
    # Ten inches along the old x axis are ten to the right of somebody who has turned left.
    assert moved(stage) == pytest.approx([0.0, -10.0, 0.0, 90.0], abs=1e-5)


def test_motion_blends_by_weight() -> None:
    run = make_clip("run", 1.0, True, delta=(START, (120.0, 0.0, 0.0, 40.0)))
    stage = Stage("walk\nrun\n", Clips(AHEAD, run))
    stage.set("walk", 3.0, 0.0)
    stage.set("run", 1.0, 0.0, 0.0)
    stage.step(0.1)
    assert moved(stage) == pytest.approx([3.0, 0.0, 0.0, 0.0], abs=1e-5)


def test_frames_that_stop_at_notes_lose_no_motion() -> None:
    quiet, answered = Stage("walk\n", Clips(AHEAD)), Stage("walk\n", Clips(AHEAD))
    for stage in (quiet, answered):
        stage.set("walk", 1.0, 0.0, notify="x")
    quiet.instances.step(1.0, lambda *_: None)
    answered.instances.step(1.0, lambda *_: answered.set("walk", 1.0, 0.0, notify="x"))
    assert moved(quiet) == pytest.approx([40.0, 0.0, 0.0, 0.0], abs=1e-4)
    assert moved(answered) == pytest.approx(moved(quiet), abs=1e-4)


def test_a_change_of_animation_at_a_note_moves_by_both() -> None:
    back = make_clip("back", 1.0, True, delta=(START, (0.0, 20.0, 0.0, 180.0)))
    stage = Stage("walk\nback\n", Clips(AHEAD, back))
    stage.set("walk", 1.0, 0.0, notify="x")

    def deliver(row: int, notify: str, note: str) -> None:
        stage.clear("walk", 0.0)
        stage.set("walk", 0.0, 0.0)
        stage.set("back", 1.0, 0.0)

    stage.instances.step(1.0, deliver)
    # 20 ahead, then 10 to the left while turning by 90 degrees: seen from there 20 to the right and 10 ahead.
    assert moved(stage) == pytest.approx([10.0, -20.0, 0.0, 90.0], abs=1e-4)


def test_a_row_that_is_left_at_a_note_takes_its_motion_along() -> None:
    stage = Stage("walk\n", Clips(AHEAD))
    stage.set("walk", 1.0, 0.0, notify="x")

    def deliver(row: int, notify: str, note: str) -> None:
        stage.set("walk", 1.0, 0.0)
        stage.instances.remove(0)
        assert stage.instances.add() == 0

    stage.instances.step(1.0, deliver)
    assert moved(stage) == [0.0] * 4


def test_a_row_that_is_used_again_has_not_moved() -> None:
    stage = Stage("walk\n", Clips(AHEAD))
    stage.set("walk", 1.0, 0.0)
    stage.step(0.1)
    stage.instances.remove(0)
    assert stage.instances.add() == 0
    assert moved(stage) == [0.0] * 4


def test_a_loop_that_turns_there_and_back_goes_on_straight() -> None:
    sway = make_clip(
        "sway", 1.0, True, frames=3, delta=[START, (10.0, 5.0, 0.0, 30.0), (20.0, 0.0, 0.0, 0.0)]
    )
    stage = Stage("sway\n", Clips(sway))
    stage.set("sway", 1.0, 0.0)
    stage.step(3.0)
    assert moved(stage) == pytest.approx([60.0, 0.0, 0.0, 0.0], abs=1e-4)


def test_who_stands_slows_the_walk_down_and_an_upper_body_does_not() -> None:
    bones = ("base", "spine")
    walk = make_clip("walk", 1.0, True, bones=bones, delta=(START, (40.0, 0.0, 0.0, 0.0)))
    idle = make_clip("idle", 1.0, True, bones=bones)
    wave = make_clip("wave", 1.0, True, bones=("spine",))
    stage = Stage("walk\nidle\nwave\n", Clips(walk, idle, wave))
    stage.instances = TreeInstances(stage.tree, bind(stage.tree, chain(*bones)))
    stage.instances.add()
    stage.set("walk", 1.0, 0.0)
    stage.set("wave", 3.0, 0.0)
    stage.step(0.1)
    assert moved(stage)[0] == pytest.approx(4.0, abs=1e-5)
    stage.set("idle", 1.0, 0.0)
    stage.step(0.1)
    assert moved(stage)[0] == pytest.approx(2.0, abs=1e-5)


def test_deltas_of_a_clip() -> None:
    assert move_delta(AHEAD) == pytest.approx((40.0, 0.0, 0.0))
    assert move_delta(AHEAD, 0.25, 0.5) == pytest.approx((10.0, 0.0, 0.0))
    assert angle_delta(AHEAD) == 0.0
    turn = make_clip("turn", 1.0, delta=(START, (10.0, 0.0, 5.0, 90.0)))
    assert angle_delta(turn, 0.5, 1.0) == pytest.approx(45.0)
    # Half way the clip looks 45 degrees to the left; what is ahead of the start is then to the right.
    assert move_delta(turn, 0.5, 1.0) == pytest.approx((5 * 0.70710678, -5 * 0.70710678, 2.5))


def test_deltas_without_a_root_track_are_0_and_outside_the_clip_refused() -> None:
    clip = make_clip("idle")
    assert move_delta(clip) == (0.0, 0.0, 0.0)
    assert angle_delta(clip) == 0.0
    with pytest.raises(AnimationError, match="between 0 and 1"):
        move_delta(AHEAD, 0.0, 1.5)
    with pytest.raises(AnimationError, match="between 0 and 1"):
        angle_delta(AHEAD, -0.5, 1.0)


def test_motion_of_a_clip_of_one_frame_is_none() -> None:
    clip = make_clip("walk", 1.0, True, frames=2, delta=[START, START])
    still = type(clip)("walk", clip.bones, clip.rows[:1], 30.0, True, clip.notes, clip.delta[:1])  # type: ignore[index]
    stage = Stage("walk\n", Clips(still))
    stage.set("walk", 1.0, 0.0)
    stage.step(0.05)
    assert moved(stage) == [0.0] * 4
    assert move_delta(still) == (0.0, 0.0, 0.0)
