"""Sampling, blending, overrides and matrices (animation facts, section 5.6; known faults M1 to M3 and A9 to A11)."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from engine.anim import pose
from engine.anim.clip import Clip, ClipNote
from engine.anim.errors import AnimationError
from engine.anim.overrides import aim, multiply, quaternion
from engine.anim.sampler import bind
from engine.anim.skeleton import Float32, Skeleton
from engine.anim.state import TreeInstances
from engine.world.angles import matrix
from tests.anim.kit import Clips, Stage, chain

Q = tuple[float, float, float, float]
REST: Q = (0.0, 0.0, 0.0, 1.0)


def about(axis: str, degrees: float) -> Q:
    s, c = math.sin(math.radians(degrees) / 2), math.cos(math.radians(degrees) / 2)
    return (s if axis == "x" else 0.0, s if axis == "y" else 0.0, s if axis == "z" else 0.0, c)


def keyed(name: str, bones: dict[str, list[tuple[Q, float]]]) -> Clip:
    """A looping clip of a second: by bone, a rotation and a height for each frame."""
    frames = len(next(iter(bones.values())))
    rows = np.zeros((frames, 8, len(bones)), np.float32)
    rows[:, 7] = 1.0
    for i, keys in enumerate(bones.values()):
        for frame, (turn, height) in enumerate(keys):
            rows[frame, :4, i], rows[frame, 6, i] = turn, height
    return Clip(name, tuple(bones), rows, max(frames - 1, 1), True, (ClipNote(1.0, "end"),))


def still(name: str, **bones: Q) -> Clip:
    return keyed(name, {bone: [(turn, 0.0)] for bone, turn in bones.items()})


def staged(text: str, skeleton: Skeleton, *clips: Clip, entities: int = 1) -> Stage:
    stage = Stage(text, Clips(*clips))
    stage.instances = TreeInstances(stage.tree, bind(stage.tree, skeleton))
    for _ in range(entities):
        stage.instances.add()
    return stage


def same_turn(found: Float32, expected: Q) -> bool:
    return abs(abs(float(np.dot(found, expected))) - 1.0) < 1e-5


BASE = chain("base")


def test_what_plays_nothing_is_in_rest_pose() -> None:
    skeleton = chain("base", "spine", "head")
    stage = staged("walk\n", skeleton, still("walk", base=about("x", 90)), entities=2)
    stage.set("walk", 1.0, 0.0, row=1)
    poses = stage.instances.sample()
    assert np.array_equal(poses[0], skeleton.rest)
    assert same_turn(poses[1, :4, 0], about("x", 90))
    # A11: bones without a track stay in the rest pose, not at the origin.
    assert np.array_equal(poses[1][:, 1:], skeleton.rest[:, 1:])


def test_between_two_frames_poses_are_mixed_and_of_unit_length() -> None:
    """A9."""
    clip = keyed("walk", {"base": [(REST, 0.0), (about("z", 90), 10.0), (REST, 0.0)]})
    stage = staged("walk\n", BASE, clip)
    stage.set("walk", 1.0, 0.0)
    stage.instances.set_time(0, 1, 0.25)
    (found,) = stage.instances.sample()
    assert same_turn(found[:4, 0], about("z", 45))
    assert np.linalg.norm(found[:4, 0]) == pytest.approx(1.0, abs=1e-6)
    assert found[6, 0] == pytest.approx(5.0)


def test_a_jump_of_sign_between_two_frames_is_no_turn() -> None:
    turn = about("x", 30)
    opposite: Q = tuple(-c for c in turn)  # type: ignore[assignment]
    stage = staged("walk\n", BASE, keyed("walk", {"base": [(turn, 0.0), (opposite, 0.0), (turn, 0.0)]}))
    stage.set("walk", 1.0, 0.0)
    stage.instances.set_time(0, 1, 0.25)
    assert same_turn(stage.instances.sample()[0, :4, 0], turn)


def test_frames_of_a_bone_that_goes_all_round_are_mixed_the_short_way_whatever_their_signs() -> None:
    turns = [about("x", degrees) for degrees in (0, 100, 200, 300)]
    turns[1::2] = [tuple(-c for c in turn) for turn in turns[1::2]]  # type: ignore[misc]
    stage = staged("walk\n", BASE, keyed("walk", {"base": [(turn, 0.0) for turn in turns]}))
    stage.set("walk", 1.0, 0.0)
    for frame, degrees in ((0.5, 50), (1.5, 150), (2.5, 250)):
        stage.instances.set_time(0, 1, frame / 3)
        assert same_turn(stage.instances.sample()[0, :4, 0], about("x", degrees)), frame


def test_a_clip_of_one_frame_holds_its_pose() -> None:
    """A10."""
    stage = staged("walk\n", BASE, still("walk", base=about("y", 20)))
    stage.set("walk", 1.0, 0.0)
    stage.step(0.123, 3)
    assert same_turn(stage.instances.sample()[0, :4, 0], about("y", 20))


def test_a_loop_has_no_dead_frame() -> None:
    """A4: the last frame is the first, so the pose is the same just before and just after the wrap."""
    clip = keyed("walk", {"base": [(REST, 0.0), (REST, 10.0), (REST, 20.0), (REST, 0.0)]})
    stage = staged("walk\n", BASE, clip)
    stage.set("walk", 1.0, 0.0)
    heights = []
    for time in (0.0, 1 / 3, 2 / 3, 5 / 6, 0.999999):
        stage.instances.set_time(0, 1, time)
        heights.append(float(stage.instances.sample()[0, 6, 0]))
    assert heights == pytest.approx([0.0, 10.0, 20.0, 10.0, 0.0], abs=1e-3)


def test_a_rotation_and_its_negative_blend_to_itself() -> None:
    """M3."""
    turn = about("x", 100)
    opposite: Q = tuple(-c for c in turn)  # type: ignore[assignment]
    stage = staged("a\nb\nc\n", BASE, still("a", base=turn), still("b", base=opposite), still("c", base=turn))
    for name in "abc":
        stage.set(name, 0.5, 0.0)
    assert same_turn(stage.instances.sample()[0, :4, 0], turn)


def test_opposite_sides_are_met_the_short_way() -> None:
    stage = staged("a\nb\n", BASE, still("a", base=about("x", 150)), still("b", base=about("x", -150)))
    stage.set("a", 1.0, 0.0)
    stage.set("b", 1.0, 0.0)
    assert same_turn(stage.instances.sample()[0, :4, 0], about("x", 180))


def heights(name: str, value: float, *bones: str) -> Clip:
    return keyed(name, {bone: [(REST, value)] for bone in bones})


@pytest.mark.parametrize("first", [85.0, 130.0, 170.0, 179.0])
def test_clips_on_either_side_of_a_half_turn_from_rest_blend_across_it(first: float) -> None:
    """As seen from the rest pose they lie on opposite sides, though they are near each other."""
    frames = [(about("z", first), 0.0)] * 4
    clips = keyed("a", {"base": frames}), still("b", base=about("z", 360.0 - first))
    stage = staged("a\nb\n", BASE, *clips)
    stage.set("a", 1.0, 0.0)
    stage.set("b", 1.0, 0.0)
    middle = 180.0 if first > 90.0 else 0.0
    assert same_turn(stage.instances.sample()[0, :4, 0], about("z", middle))


@pytest.mark.parametrize(("a", "b", "expected"), [(4.0, 1.0, 8.0), (1.0, 1.0, 5.0), (0.2, 0.05, 8.0)])
def test_only_relative_weights_of_siblings_count(a: float, b: float, expected: float) -> None:
    stage = staged("a\nb\n", BASE, heights("a", 10.0, "base"), heights("b", 0.0, "base"))
    stage.set("a", a, 0.0)
    stage.set("b", b, 0.0)
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(expected)


def test_a_single_active_child_passes_whatever_its_weight() -> None:
    text = "p\n{\n\ta\n\tb\n}\nq\n{\n\tc\n}\n"
    clips = heights("a", 10.0, "base"), heights("b", 99.0, "base"), heights("c", 0.0, "base")
    stage = staged(text, BASE, *clips)
    stage.set("a", 0.01, 0.0)
    stage.set("c", 5.0, 0.0)
    stage.set("p", 3.0, 0.0)
    # p counts with its own weight of 3 against 1 of q, although its child has next to nothing.
    assert stage.instances.sample()[0, 6, 0] == pytest.approx(7.5)


def test_a_bone_is_blended_among_those_that_have_it() -> None:
    skeleton = chain("base", "spine", "head")
    text = "walk\nwave\nnod\n"
    clips = heights("walk", 4.0, "base", "spine"), heights("wave", 8.0, "spine"), heights("nod", 1.0, "head")
    stage = staged(text, skeleton, *clips)
    stage.set("walk", 1.0, 0.0)
    stage.set("wave", 3.0, 0.0)
    (found,) = stage.instances.sample()
    assert found[6] == pytest.approx([4.0, 7.0, 10.0])
    stage.set("nod", 0.5, 0.0)
    assert stage.instances.sample()[0, 6] == pytest.approx([4.0, 7.0, 1.0])


def test_a_clip_may_have_bones_that_the_skeleton_lacks() -> None:
    stage = staged("walk\n", BASE, heights("walk", 4.0, "tail", "base"))
    stage.set("walk", 1.0, 0.0)
    assert stage.instances.sample()[0, 6] == pytest.approx([4.0])
    assert stage.instances.binding.unknown == {"walk": ("tail",)}


def test_clips_without_any_known_bone_take_no_part() -> None:
    stage = staged("walk\nprop\n", BASE, heights("walk", 4.0, "base"), heights("prop", 9.0, "lid"))
    stage.set("walk", 1.0, 0.0)
    stage.set("prop", 9.0, 0.0)
    assert stage.instances.sample()[0, 6] == pytest.approx([4.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fps": 0.0}, "0.0 frames a second"),
        ({"fps": math.nan}, "nan frames a second"),
        ({"rows": np.zeros((0, 8, 1), np.float32)}, "rows of shape"),
        ({"rows": np.zeros((3, 7, 1), np.float32)}, "rows of shape"),
        ({"bones": ("base", "tail")}, "for 2 bones"),
        ({"delta": np.zeros((2, 4), np.float32)}, "a root track of shape"),
    ],
)
def test_a_clip_that_does_not_fit_is_refused(change: dict[str, object], message: str) -> None:
    """A3 among them: a rate of 0 would make every time infinite."""
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(still("walk", base=REST), **change)  # type: ignore[arg-type]


def test_another_skeleton_drops_the_overrides_and_a_new_tree_keeps_them() -> None:
    stage = staged("walk\n", chain("base", "spine"), still("walk", base=REST))
    stage.instances.set_override(0, 1, about("z", 90))
    again = bind(stage.tree, stage.instances.binding.skeleton)
    stage.instances.rebind(stage.tree, again)
    assert same_turn(stage.instances.sample()[0, :4, 1], about("z", 90))
    stage.instances.rebind(stage.tree, bind(stage.tree, BASE))
    assert np.array_equal(stage.instances.sample()[0], BASE.rest)


def test_sampling_needs_a_skeleton() -> None:
    stage = Stage("walk\n", Clips(still("walk", base=REST)))
    with pytest.raises(RuntimeError, match="have no skeleton"):
        stage.instances.sample()
    other = Stage("walk\n", Clips(still("walk", base=REST)))
    with pytest.raises(ValueError, match="another tree"):
        TreeInstances(stage.tree, bind(other.tree, BASE))


def test_a_sample_is_not_overwritten_by_the_next() -> None:
    stage = staged("walk\n", BASE, keyed("walk", {"base": [(REST, 0.0), (REST, 10.0), (REST, 0.0)]}))
    stage.set("walk", 1.0, 0.0)
    first = stage.instances.sample()
    stage.step(0.25)
    second = stage.instances.sample()
    assert (first[0, 6, 0], second[0, 6, 0]) == (0.0, pytest.approx(5.0))


# -- overrides --


def test_an_override_turns_in_the_bones_own_axes_after_the_animation() -> None:
    """M1: 90 about X, then 90 about Z in the turned axes; the other order gives another rotation."""
    stage = staged("walk\n", BASE, still("walk", base=about("x", 90)))
    stage.set("walk", 1.0, 0.0)
    stage.instances.set_override(0, 0, about("z", 90))
    half = math.sqrt(0.5) ** 2
    assert same_turn(stage.instances.sample()[0, :4, 0], (half, -half, half, half))
    stage.instances.set_override(0, 0, None)
    assert same_turn(stage.instances.sample()[0, :4, 0], about("x", 90))


def test_an_override_that_turns_nothing_changes_nothing() -> None:
    """M2."""
    skeleton = chain("base", "spine")
    stage = staged("walk\n", skeleton, still("walk", base=about("x", 33)))
    stage.set("walk", 1.0, 0.0)
    before = stage.instances.sample()
    for bone in range(2):
        stage.instances.set_override(0, bone, REST)
    assert np.array_equal(stage.instances.sample(), before)


def test_overrides_are_per_row_normalised_and_go_with_it() -> None:
    stage = staged("walk\n", BASE, still("walk", base=REST), entities=2)
    stage.instances.set_override(1, 0, (0.0, 0.0, 3.0, 3.0))
    poses = stage.instances.sample()
    assert same_turn(poses[1, :4, 0], about("z", 90))
    assert np.array_equal(poses[0], BASE.rest)
    stage.instances.remove(1)
    assert stage.instances.add() == 1
    assert np.array_equal(stage.instances.sample()[1], BASE.rest)
    with pytest.raises(AnimationError, match="four finite numbers"):
        stage.instances.set_override(0, 0, (0.0, 0.0, 0.0, 0.0))
    with pytest.raises(AnimationError, match="four finite numbers"):
        stage.instances.set_override(0, 0, (math.nan, 0.0, 0.0, 1.0))
    with pytest.raises(IndexError):
        stage.instances.set_override(0, 1, REST)


def test_aim_is_spread_over_a_chain_and_points_where_it_says() -> None:
    """A spine whose bones have axes of their own: together they still turn the gun about the model's axes."""
    skeleton = chain("base", "spine", "chest")
    skeleton.rest[:4, 0] = about("x", 70)
    skeleton.rest[:4, 1] = about("z", -40)
    stage = staged("walk\n", skeleton, still("walk", base=about("x", 70)))
    before = pose.model_matrices(stage.instances.sample(), skeleton)[0, 2, :, :3]
    for pitch, yaw in ((0.0, 60.0), (30.0, 0.0)):
        for bone, rotation in aim(skeleton, ("spine", "chest", "no_such_bone"), pitch, yaw).items():
            stage.instances.set_override(0, bone, rotation)
        after = pose.model_matrices(stage.instances.sample(), skeleton)[0, 2, :, :3]
        ahead = (after @ np.linalg.inv(before)) @ np.array([1.0, 0.0, 0.0])
        p, y = math.radians(pitch), math.radians(yaw)
        expected = [math.cos(p) * math.cos(y), math.cos(p) * math.sin(y), -math.sin(p)]
        assert ahead == pytest.approx(expected, abs=1e-5)
    assert aim(skeleton, ("no_such_bone",), 10.0, 10.0) == {}


def test_quaternions_multiply_like_rotations() -> None:
    a, b = (np.array(about(axis, 90), np.float32) for axis in "xz")
    assert multiply(a, b) == pytest.approx([0.5, -0.5, 0.5, 0.5], abs=1e-6)


@pytest.mark.parametrize(
    "angles", [(0.0, 90.0, 0.0), (30.0, 0.0, 0.0), (0.0, 0.0, 45.0), (20.0, -130.0, 70.0)]
)
def test_angles_as_a_rotation_are_those_of_entities(angles: tuple[float, float, float]) -> None:
    turned = model_of_rotation(quaternion(angles))
    assert turned == pytest.approx(np.array(matrix(angles)), abs=1e-6)


def model_of_rotation(turn: tuple[float, float, float, float]) -> np.ndarray:
    local = BASE.rest[None].copy()
    local[0, :4, 0] = turn
    return pose.model_matrices(local, BASE)[0, 0, :, :3]


# -- matrices --


def test_matrices_go_down_the_skeleton() -> None:
    skeleton = chain("base", "spine", "head")
    local = np.tile(skeleton.rest, (2, 1, 1))
    local[1, :4, 0] = about("y", 90)
    local[1, 7, 0] = 2.0
    matrices = pose.model_matrices(local, skeleton)
    assert matrices.shape == (2, 3, 3, 4)
    assert matrices[0, 2, :, 3] == pytest.approx([0.0, 0.0, 20.0])
    assert matrices[1, 2, :, 3] == pytest.approx([40.0, 0.0, 0.0], abs=1e-5)
    assert matrices[1, 2, :, :3] @ np.array([0.0, 0.0, 1.0]) == pytest.approx([2.0, 0.0, 0.0], abs=1e-6)


def test_the_bind_pose_skins_to_itself() -> None:
    skeleton = chain("base", "spine", "head")
    skins = pose.palettes(skeleton.rest[None], skeleton)
    assert np.abs(skins - np.eye(3, 4, dtype=np.float32)).max() < 1e-6
    assert skins.flags.c_contiguous
    assert skins.dtype == np.float32


def test_matrices_and_palettes_of_one_walk_are_those_of_two() -> None:
    skeleton = chain("base", "spine", "head")
    local = np.tile(skeleton.rest, (300, 1, 1))
    local[:, :4, 1] = about("y", 50)
    local[:, 4, 0] = np.arange(300)
    model, skin = pose.skinned(local, skeleton)
    assert model == pytest.approx(pose.model_matrices(local, skeleton), abs=1e-5)
    assert np.array_equal(skin, pose.palettes(local, skeleton))
    into = np.empty_like(skin)
    assert pose.palettes(local, skeleton, into) is into


def test_copying_a_row_to_another_skeleton_keeps_turned_bones_by_name() -> None:
    old = staged("walk\n", chain("base", "spine", "head", "hat"), keyed("walk", {"base": [(REST, 0.0)]}))
    for bone, degrees in ((1, 30), (3, 60)):
        old.instances.set_override(0, bone, about("z", degrees))
    new = TreeInstances(old.tree, bind(old.tree, chain("base", "tail", "spine")))
    row = new.copy_from(old.instances, 0)
    turned = new.sample()[row]
    assert same_turn(turned[:4, 2], about("z", 30))
    assert same_turn(turned[:4, 0], REST)
    assert same_turn(turned[:4, 1], REST)
    assert list(new.overrides.turns) == [(row, 2)]


def test_interpolation_between_server_frames() -> None:
    first, second = np.tile(BASE.rest, (1, 1, 1)), np.tile(BASE.rest, (1, 1, 1))
    second[0, :4, 0] = [-c for c in about("z", 60)]
    second[0, 4, 0] = 8.0
    half = pose.interpolate(first, second, 0.5)
    assert same_turn(half[0, :4, 0], about("z", 30))
    assert half[0, 4, 0] == 4.0
    assert same_turn(pose.interpolate(first, second, 0.0)[0, :4, 0], REST)
    assert np.array_equal(pose.interpolate(first, second, -3.0), pose.interpolate(first, second, 0.0))
    assert np.array_equal(pose.interpolate(first, second, 7.0), pose.interpolate(first, second, 1.0))
    assert np.array_equal(first[0], BASE.rest)


def test_copying_a_row_to_another_skeleton_keeps_what_it_plays() -> None:
    old = staged("walk\n", BASE, keyed("walk", {"base": [(REST, 0.0), (REST, 10.0)]}))
    old.set("walk", 1.0, 0.0, notify="x")
    old.step(0.5)
    new = TreeInstances(old.tree, bind(old.tree, chain("base", "spine")))
    new.add()
    row = new.copy_from(old.instances, 0)
    assert row == 1
    assert new.sample()[1, 6] == pytest.approx([5.0, 10.0])
    sent: list[str] = []
    new.step(0.6, lambda row, notify, note: sent.append(f"{row} {notify} {note}"))
    assert sent == ["1 x end"]
