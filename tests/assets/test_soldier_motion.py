"""The soldier's clips: feet that stand still, loops that close, hands on the rifle, nothing under the floor."""

import json
import struct
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from assets.tools.gltf import INCHES_PER_METRE
from assets.tools.make_soldier import motions, sidecar
from assets.tools.shapes import finish
from assets.tools.soldier import skeleton
from assets.tools.soldier.gait import Gait
from assets.tools.soldier.locomotion import CREEP, RETREAT, RUN, WALK
from assets.tools.soldier.motion import Motion
from assets.tools.soldier.outfit import OUTFITS
from assets.tools.soldier.rig import Solved

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
LOOSE = {"soldier_death_a", "soldier_death_b"}  # the rifle leaves the hands
EXPECTED_NOTES = {
    "soldier_fire": {"fire"},
    "soldier_reload": {"mag_out", "mag_in", "bolt"},
    "soldier_death_a": {"bodyfall"},
    "soldier_death_b": {"bodyfall"},
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


@pytest.mark.parametrize("name", sorted(MOTIONS.keys() - LOOSE))
def test_the_right_hand_holds_the_rifle_and_both_arms_reach(name: str) -> None:
    motion = MOTIONS[name]
    for frame, pose in enumerate(sampled(name)):
        assert pose.misses["right_hand"] < 0.05
        assert pose.misses["left_hand"] < 0.6
        if motion.controls(float(frame)).get("right_hold", 1.0) == 1.0:
            palm = pose.point("hand_right", skeleton.BIND["tag_weapon_right"])
            assert np.linalg.norm(palm - pose.places["tag_weapon_right"]) < 0.1


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
        for pose in sampled(motion.name)[::5] + sampled(motion.name)[-1:]:
            low = np.zeros(len(model.positions))
            for number, bone in enumerate(skeleton.BONES):
                turn, place = pose.turns[bone.name], pose.places[bone.name]
                low += weights[:, number] * ((model.positions - bone.place) @ turn[2] + place[2])
            assert low.min() > -0.7, motion.name


def test_the_dead_lie_on_the_ground() -> None:
    for name in LOOSE:
        last = sampled(name)[-1]
        assert last.places["pelvis"][2] < 10.0
        assert last.places["head"][2] < 20.0
        assert last.places["tag_weapon_right"][2] < 4.0


def test_every_clip_has_the_notes_that_scripts_wait_for() -> None:
    for name, motion in MOTIONS.items():
        assert {note for note, _ in motion.notes} == EXPECTED_NOTES.get(name, set())
        assert all(0.0 <= frame <= motion.frames for _, frame in motion.notes)


def test_the_shipped_sidecar_is_the_one_the_script_writes() -> None:
    text = (ROOT / "assets/models/soldier/soldier.toml").read_text(encoding="utf-8")
    assert text == sidecar(list(MOTIONS.values()))
    assert set(tomllib.loads(text)["clips"]) == set(MOTIONS)


def test_the_shipped_clips_are_those_of_the_script() -> None:
    data = (ROOT / "assets/models/soldier/soldier.glb").read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    for name in ("soldier_walk", "soldier_reload", "soldier_death_a"):
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
        assert 2500 <= triangles <= 6500
