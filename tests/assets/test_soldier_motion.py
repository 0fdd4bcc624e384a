"""The soldier's clips: feet that stand still, loops that close, hands on the rifle, nothing under the floor."""

import json
import struct
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from assets.tools.gltf import INCHES_PER_METRE
from assets.tools.make_soldier import CLIPS, motions, sidecar
from assets.tools.shapes import finish
from assets.tools.soldier import skeleton
from assets.tools.soldier.gait import Gait
from assets.tools.soldier.locomotion import CREEP, RETREAT, RUN, WALK
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.outfit import OUTFITS
from assets.tools.soldier.rig import Solved, solve, two_bones
from assets.tools.soldier.stances import READY

ROOT = Path(__file__).resolve().parents[2]
MOTIONS = {motion.name: motion for motion in motions()}
SPEEDS = {
    "soldier_walk": (90.0, 0.0),
    "soldier_run": (190.0, 0.0),
    "soldier_crouch_walk": (56.0, 0.0),
    "soldier_walk_back": (-56.0, 0.0),
    "soldier_strafe_left": (0.0, 44.0),
    "soldier_strafe_right": (0.0, -44.0),
}
DEATHS = {name for name in MOTIONS if name.startswith("soldier_death_")}  # the rifle leaves the hands
PAINS = {name for name in MOTIONS if name.startswith("soldier_pain_")}
EXPECTED_NOTES = {
    "soldier_fire": {"fire"},
    "soldier_reload": {"mag_out", "mag_in", "bolt"},
    "soldier_throw": {"take", "throw"},
    "soldier_jump": {"jump", "land"},
    **{name: {"bodyfall"} for name in DEATHS},
    **{name: {"step_left", "step_right"} for name in (*SPEEDS, "soldier_turn_left", "soldier_turn_right")},
}


@cache
def sampled(name: str) -> list[Solved]:
    return MOTIONS[name].sample()


def foot_points(pose: Solved, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Heel on the ground and toe joint, in the world."""
    ankle = skeleton.BIND[f"foot_{side}"] * (1, 1, 0)
    return pose.point(f"foot_{side}", ankle + skeleton.HEEL), pose.places[f"toe_{side}"]


@pytest.mark.parametrize("name", sorted(SPEEDS))
def test_root_motion_is_the_speed_that_scripts_count_on(name: str) -> None:
    motion = MOTIONS[name]
    travelled = motion.controls(motion.frames)["root"] - motion.controls(0)["root"]
    np.testing.assert_allclose(travelled[:2] / motion.length, SPEEDS[name], atol=1e-9)


@pytest.mark.parametrize(
    ("name", "gait"), [("walk", WALK), ("run", RUN), ("crouch_walk", CREEP), ("walk_back", RETREAT)]
)
def test_a_foot_on_the_ground_stands_still_in_the_world(name: str, gait: Gait) -> None:
    motion = MOTIONS[f"soldier_{name}"]
    for side, start in (("left", 0.0), ("right", 0.5)):
        stand = start * gait.frames + np.linspace(0.0, gait.ground * gait.frames, 25)
        poses = [motion.solved(frame) for frame in stand]
        pitches = [motion.controls(frame)[f"{side}_foot_turn"][1] for frame in stand]
        heels = np.array([foot_points(pose, side)[0] for pose in poses])
        toes = np.array([foot_points(pose, side)[1] for pose in poses])
        on_heel, on_toe = np.array(pitches) <= 0.0, np.array(pitches) >= 0.0
        for points, held in ((heels, on_heel), (toes, on_toe)):
            standing = points[held]
            assert np.ptp(standing, axis=0).max() < 0.3
        assert max(pose.misses[f"{side}_foot"] for pose in poses) < 0.05


@pytest.mark.parametrize("name", ["soldier_turn_left", "soldier_turn_right"])
def test_a_turn_ends_a_quarter_round_in_the_pose_it_began_with(name: str) -> None:
    motion = MOTIONS[name]
    first, last = sampled(name)[0].rows(), sampled(name)[-1].rows()
    np.testing.assert_allclose(last[1:], first[1:], atol=1e-6)
    expected = 90.0 if name.endswith("left") else -90.0
    assert motion.controls(motion.frames)["root_yaw"] == pytest.approx(expected)


@pytest.mark.parametrize("name", sorted(name for name, motion in MOTIONS.items() if motion.looping))
def test_a_loop_ends_where_it_begins(name: str) -> None:
    first, last = sampled(name)[0].rows(), sampled(name)[-1].rows()
    np.testing.assert_allclose(last[1:], first[1:], atol=1e-6)


@pytest.mark.parametrize("name", sorted(MOTIONS.keys() - DEATHS))
def test_the_right_hand_holds_the_rifle_and_both_arms_reach(name: str) -> None:
    motion = MOTIONS[name]
    for frame, pose in enumerate(sampled(name)):
        assert pose.misses["right_hand"] < 0.05
        assert pose.misses["left_hand"] < 0.6
        if motion.controls(float(frame)).get("right_hold", 1.0) == 1.0:
            palm = pose.point("hand_right", skeleton.BIND["tag_weapon_right"])
            assert np.linalg.norm(palm - pose.places["tag_weapon_right"]) < 0.1


@pytest.mark.parametrize(
    "name", sorted(PAINS | {"soldier_throw", "soldier_jump", "soldier_reload", "soldier_wave"})
)
def test_what_is_done_once_begins_and_ends_in_the_stance(name: str) -> None:
    stance = solve(READY).rows()
    first, last = sampled(name)[0].rows(), sampled(name)[-1].rows()
    np.testing.assert_allclose(first[1:], stance[1:], atol=1e-6)
    np.testing.assert_allclose(last[1:], stance[1:], atol=1e-6)


@pytest.mark.parametrize("name", sorted(DEATHS))
def test_a_death_begins_in_the_stance_and_comes_to_rest(name: str) -> None:
    poses = sampled(name)
    np.testing.assert_allclose(poses[0].rows()[1:], solve(READY).rows()[1:], atol=1e-6)
    for bone in ("pelvis", "head", "hand_left", "hand_right", "foot_left", "foot_right", "tag_weapon_right"):
        assert np.linalg.norm(poses[-1].places[bone] - poses[-3].places[bone]) < 0.15, bone


def test_every_place_has_a_pain_and_a_death_of_its_own() -> None:
    parts = {"head", "gut", "left_arm", "right_arm", "left_leg", "right_leg"}
    assert {f"soldier_pain_{part}" for part in {"a", "b"} | parts} == PAINS
    assert {f"soldier_death_{part}" for part in ("a", "b", "head", "gut", "legs", "left", "right")} == DEATHS


@pytest.mark.parametrize(
    "name", sorted(PAINS | {"soldier_throw", "soldier_jump", "soldier_reload", "soldier_fire"})
)
def test_a_foot_that_bears_does_not_slide(name: str) -> None:
    """While heel or toe joint is on the ground in two frames running, it is there in the same place."""
    for side in ("left", "right"):
        points = np.array([foot_points(pose, side) for pose in sampled(name)])  # (frames, heel or toe, 3)
        for place, height in ((points[:, 0], 0.12), (points[:, 1], 1.62)):
            down = place[:, 2] < height
            both = down[1:] & down[:-1]
            assert np.linalg.norm(np.diff(place[:, :2], axis=0), axis=1)[both].max() < 0.45, side


def sunk_into_the_trunk(pose: Solved, place: np.ndarray) -> float:
    """How deep a point lies inside the jacket, 0 at its surface and 1 on the spine; 0 outside."""
    bone = (
        "spine_upper"
        if (place - pose.places["spine_mid"]) @ pose.turns["spine_mid"][:, 2] > 4.0
        else "spine_mid"
    )
    x, y, z = pose.turns[bone].T @ (place - pose.places[bone]) + skeleton.BIND[bone]
    if not 40.0 < z < 58.0:
        return 0.0
    return max(0.0, 1.0 - float(np.hypot((x + 0.3) / 4.9, y / 7.2)))


@pytest.mark.parametrize("name", sorted(MOTIONS))
def test_no_hand_goes_through_the_body(name: str) -> None:
    for frame, pose in enumerate(sampled(name)):
        for side in ("left", "right"):
            palm = pose.point(f"hand_{side}", skeleton.BIND[f"fingers_{side}"])
            assert sunk_into_the_trunk(pose, palm) < 0.2, (frame, side)
            assert np.linalg.norm(palm - pose.places["tag_head"] + pose.turns["head"] @ (0, 0, 2.0)) > 3.4, (
                frame,
                side,
            )


def test_a_throw_whips_hips_before_chest_before_hand() -> None:
    poses = sampled("soldier_throw")
    release = dict(MOTIONS["soldier_throw"].notes)["throw"]

    def fastest_turn(bone: str) -> int:
        ahead = np.unwrap([np.arctan2(pose.turns[bone][1, 0], pose.turns[bone][0, 0]) for pose in poses])
        return int(np.argmin(np.diff(ahead)))

    hand = np.array([pose.places["hand_left"] for pose in poses])
    fastest_hand = int(np.argmax(np.linalg.norm(np.diff(hand, axis=0), axis=1)))
    assert fastest_turn("pelvis") < fastest_turn("spine_upper") <= fastest_hand
    assert abs(fastest_hand - release) <= 2.0
    assert hand[round(release), 0] - hand[22:26, 0].min() > 30.0  # from behind the head to before it
    assert hand[:, 2].max() > 66.0


def test_a_jump_flies_as_a_thrown_thing_does_and_gives_way_when_it_lands() -> None:
    motion, poses = MOTIONS["soldier_jump"], sampled("soldier_jump")
    leaves, lands = (dict(motion.notes)[note] for note in ("jump", "land"))
    hips = np.array([pose.places["pelvis"] for pose in poses])
    air = slice(int(leaves) + 2, int(lands) - 2)
    assert np.ptp(np.diff(hips[air, 2], 2)) < 0.05  # the same pull in every frame
    assert np.ptp(np.diff(hips[air, 0])) < 1.2  # and the same pace
    for frame in range(int(leaves) + 3, int(lands) - 2):
        assert min(foot_points(poses[frame], side)[0][2] for side in ("left", "right")) > 3.0
    standing = hips[0, 2]
    assert hips[: int(leaves), 2].min() < standing - 7.0  # winds up,
    assert hips[:, 2].max() > standing + 9.0  # flies,
    assert hips[int(lands) :, 2].min() < standing - 9.0  # and gives way


def test_a_joint_that_would_sink_is_swung_clear_by_as_little_as_it_takes() -> None:
    start, end = np.array([0.0, 0.0, 4.0]), np.array([14.0, 0.0, 4.0])
    down = np.array([0.0, 0.4, -1.0])
    free, _ = two_bones(start, end, 10.0, 10.0, down)
    clear, _ = two_bones(start, end, 10.0, 10.0, down, 2.5)
    assert free[2] < 0.0
    assert clear[2] == pytest.approx(2.5)
    assert clear[1] > 0.0  # to the side that it leant to
    for joint in (free, clear):
        assert np.linalg.norm(joint - start) == pytest.approx(10.0)
        assert np.linalg.norm(joint - end) == pytest.approx(10.0)
    highest, _ = two_bones(start, end, 10.0, 10.0, down, 50.0)
    assert highest[2] == pytest.approx(4.0 + np.sqrt(51.0))


def test_an_aimed_rifle_points_ahead() -> None:
    bone = skeleton.BONES[skeleton.INDEX["tag_weapon_right"]]
    for pose in sampled("soldier_aim"):
        along = (pose.turns["tag_weapon_right"] @ bone.turn)[:, 0]
        assert np.degrees(np.arccos(along[0])) < 2.0


def test_nobody_ever_stands_in_the_bind_pose() -> None:
    rest = np.array([0.0, 0.0, 0.0, 1.0])
    for name in MOTIONS:
        for pose in sampled(name)[::6]:
            turned = np.abs(pose.rows()[:, :4] @ rest) < 0.9999
            assert turned.sum() > 10


def test_nothing_sinks_into_the_floor() -> None:
    model = finish(OUTFITS["soldier_olive"].parts())
    weights = model.weights
    assert weights is not None
    for motion in MOTIONS.values():
        for pose in sampled(motion.name)[::3] + sampled(motion.name)[-1:]:
            low = np.zeros(len(model.positions))
            for number, bone in enumerate(skeleton.BONES):
                turn, place = pose.turns[bone.name], pose.places[bone.name]
                low += weights[:, number] * ((model.positions - bone.place) @ turn[2] + place[2])
            assert low.min() > -0.7, motion.name
            assert pose.places["tag_weapon_right"][2] > 1.0, motion.name
            assert pose.places["tag_flash"][2] > 0.5, motion.name


def test_the_dead_lie_on_the_ground() -> None:
    for name in DEATHS:
        last = sampled(name)[-1]
        assert last.places["pelvis"][2] < 11.0
        assert last.places["head"][2] < 20.0
        assert (
            max(last.places[f"{joint}_{side}"][2] for joint in ("calf", "foot") for side in ("left", "right"))
            < 20.0
        )
        assert last.places["tag_weapon_right"][2] < 4.0


def test_every_clip_has_the_notes_that_scripts_wait_for() -> None:
    for name, motion in MOTIONS.items():
        assert {note for note, _ in motion.notes} == EXPECTED_NOTES.get(name, set())
        assert all(0.0 <= frame <= motion.frames for _, frame in motion.notes)


def test_the_shipped_sidecars_are_those_the_script_writes() -> None:
    told = []
    for name in CLIPS:
        text = (ROOT / f"assets/models/{name}/{name}.toml").read_text(encoding="utf-8")
        assert text == sidecar(motions(name), body=name == "soldier")
        told += tomllib.loads(text)["clips"]
    assert sorted(told) == sorted(MOTIONS)


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("soldier", ("soldier_walk", "soldier_reload", "soldier_throw")),
        ("soldier_falls", ("soldier_pain_gut", "soldier_death_legs")),
    ],
)
def test_the_shipped_clips_are_those_of_the_script(file: str, names: tuple[str, ...]) -> None:
    data = (ROOT / f"assets/models/{file}/{file}.glb").read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    for name in names:
        clip = next(entry for entry in document["animations"] if entry["name"] == name)
        rows = np.stack([pose.rows() for pose in sampled(name)])
        for channel in clip["channels"]:
            if channel["target"]["path"] != "translation":
                continue
            bone = skeleton.INDEX[document["nodes"][channel["target"]["node"]]["name"]]
            accessor = document["accessors"][clip["samplers"][channel["sampler"]]["output"]]
            start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
            stored = np.frombuffer(binary, "<f4", accessor["count"] * 3, start).reshape(-1, 3)
            expected = rows[: len(stored), bone][:, [5, 6, 4]] / INCHES_PER_METRE
            np.testing.assert_allclose(stored, expected, atol=1e-5)


def test_weights_sum_to_one() -> None:
    for outfit in OUTFITS.values():
        for part in outfit.parts():
            assert part.weigh is not None
            np.testing.assert_allclose(part.weigh(part.positions).sum(axis=1), 1.0, atol=1e-9)


def test_motions_have_unique_names() -> None:
    names = [motion.name for motion in motions()]
    assert len(names) == len(set(names))
    assert {"void", "void_loop"} <= set(names)
    assert isinstance(MOTIONS["void"], Motion)


def test_the_model_keeps_to_its_budget() -> None:
    assert 22 <= len(skeleton.BONES) <= 32
    for outfit in OUTFITS.values():
        triangles = sum(len(part.triangles) for part in outfit.parts())
        assert 2500 <= triangles <= 6600
