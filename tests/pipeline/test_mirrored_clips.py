"""Clips in a mirror: left and right change places, whatever the axes of the bones."""

from __future__ import annotations

import numpy as np
import pytest

from engine.pipeline.mirror import other_side
from tests.pipeline.conftest import CookIt, Result, as_set, posed
from tests.pipeline.gltf_writer import INCH, Gltf, quad, turn

SIDECAR = """
pieces = true
[clips.wave]
mirror = "wave_right"
notes = [{ name = "step_left", at = 0.25 }, { name = "shout", at = 0.5 }]
"""


def two_arms(*, right_turned: bool = False) -> Gltf:
    """Hips with an arm on each side; the left (+x in glTF) one swings and the hips drift to the left."""
    gltf = Gltf()
    hips = gltf.node("hips", translation=[0, 1, 0])
    left = gltf.node("arm_left", hips, translation=[0.5, 0, 0])
    turned = turn("z", 180) if right_turned else turn("z", 0)
    right = gltf.node("arm_right", hips, translation=[-0.5, 0, 0], rotation=turned)
    gltf.node("hand_left", left, mesh=quad(gltf, 0.2), translation=[0.0, 0.3, 0.1])
    sign = -1 if right_turned else 1
    # The mirror image of the other hand, in the axes of its arm.
    place = {"translation": [0.0, 0.3 * sign, 0.1], "scale": [-1, 1, 1]}
    if right_turned:
        place = {"translation": [0.0, -0.3, 0.1], "scale": [1, -1, 1]}
    gltf.node("hand_right", right, mesh=quad(gltf, 0.2), **place)
    gltf.clip(
        "wave",
        (left, "rotation", [0, 0.5, 1], [turn("x", a) for a in (0, 70, 0)]),
        (hips, "translation", [0, 1], [[0, 1, 0], [0.4, 1.2, 0.1]]),
    )
    return gltf


def _flipped(points: np.ndarray) -> np.ndarray:
    return points * [1, -1, 1]


@pytest.mark.parametrize("right_turned", [False, True])
def test_the_mirror_shows_what_a_mirror_shows(cook_it: CookIt, right_turned: bool) -> None:
    result = cook_it(two_arms(right_turned=right_turned), SIDECAR)
    assert sorted(result.clips) == ["wave", "wave_right"]
    wave, mirrored = result.clips["wave"], result.clips["wave_right"]
    assert wave.bones == ("hips", "arm_left")
    assert mirrored.bones == ("hips", "arm_right")
    assert as_set(posed(result.model)) == as_set(_flipped(posed(result.model)))
    for frame in (0, 10, 15, 30):
        _same(posed(result.model, mirrored, frame), _flipped(posed(result.model, wave, frame)))


def _same(found: np.ndarray, wanted: np.ndarray) -> None:
    distances = np.linalg.norm(found[:, None] - wanted[None], axis=-1)
    assert distances.min(axis=0).max() < 0.01
    assert distances.min(axis=1).max() < 0.01


def test_notes_change_sides_too(cook_it: CookIt) -> None:
    clips = cook_it(two_arms(), SIDECAR).clips
    assert [note.name for note in clips["wave_right"].notes] == ["step_right", "shout", "end"]
    assert [note.name for note in clips["wave"].notes] == ["step_left", "shout", "end"]


def test_the_travel_goes_the_other_way(cook_it: CookIt) -> None:
    clips = cook_it(two_arms(), SIDECAR + "root_motion = true\n").clips
    wave, mirrored = clips["wave"].delta, clips["wave_right"].delta
    assert wave is not None
    assert mirrored is not None
    assert wave[-1] == pytest.approx([0.1 * INCH, 0.4 * INCH, 0, 0], abs=1e-3)
    assert mirrored[-1] == pytest.approx([0.1 * INCH, -0.4 * INCH, 0, 0], abs=1e-3)


def test_bones_that_are_chosen_change_sides(cook_it: CookIt) -> None:
    clips = cook_it(two_arms(), SIDECAR + 'bones = ["arm_left"]\n').clips
    assert clips["wave_right"].bones == ("arm_right",)


def test_a_bone_without_its_other_side_is_told(cook_it: CookIt) -> None:
    gltf = two_arms()
    gltf.document["nodes"][2]["name"] = "arm"
    result: Result = cook_it(gltf, SIDECAR)
    assert result.codes == ["no-partner"]
    assert "`arm_left` has no `arm_right`" in result.diagnostics[0].message
    assert result.clips["wave_right"].bones == ("hips", "arm_left")


def test_two_clips_of_one_name(cook_it: CookIt) -> None:
    gltf = two_arms()
    gltf.clip("wave_right", (0, "translation", [0, 1], [[0, 1, 0], [0, 1, 1]]))
    assert cook_it(gltf, SIDECAR).codes == ["duplicate-clip"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("hand_left", "hand_right"),
        ("rightforearm", "leftforearm"),
        ("thigh.l", "thigh.r"),
        ("l_foot", "r_foot"),
        ("bip01 r hand", "bip01 l hand"),
        ("mixamorig:leftupleg", "mixamorig:rightupleg"),
        ("spine", "spine"),
        ("tag_flash", "tag_flash"),
        ("pelvis", "pelvis"),
        ("clavicle_l_1", "clavicle_r_1"),
    ],
)
def test_the_names_of_the_other_side(name: str, other: str) -> None:
    assert other_side(name) == other
    assert other_side(other) == name
