"""Feet on stairs: where they come to stand, what stays as it was, and that nothing jumps."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from assets.tools.soldier.locomotion import walk
from assets.tools.soldier.skeleton import BIND, BONES
from assets.tools.soldier.standing import idle
from engine import paths
from engine.anim.pose import skinned
from engine.client.footing import MOST, NEAR, Footing
from engine.client.legs import legs_of, reach
from engine.client.render.scene import Camera, placed
from engine.pipeline.library import AssetLibrary
from engine.world.view import EntityState, FrameView, PoseBatch

EYE = Camera((0.0, 0.0, 60.0), (0.0, 0.0, 0.0))


@cache
def model():
    return AssetLibrary([paths.assets()], None, lambda _: None).model("soldier_olive")


def local(motion, frame: float) -> np.ndarray:
    """(8, B) as the skeleton of the model has its bones."""
    rows = motion.solved(frame).rows()
    order = [[bone.name for bone in BONES].index(name) for name in model().skeleton.names]
    pose = np.ones((8, len(order)), np.float32)
    pose[:7] = rows[order].T
    return pose


def stairs(rise: float, run: float = 12.0):
    """Treads that climb along x, as a trace."""

    def trace(start, end) -> float:
        ground = math.floor(start[0] / run) * rise
        if not end[2] < ground < start[2]:
            return 1.0
        return (start[2] - ground) / (start[2] - end[2])

    return trace


class Figure:
    """One soldier, as a picture has him."""

    def __init__(
        self, pose: np.ndarray, origin=(94.0, 0.0, 0.0), angles=(0.0, 0.0, 0.0), number: int = 7
    ) -> None:
        skeleton = model().skeleton
        self.state = EntityState(number, 1, "soldier_olive", "", origin, angles, True, (0, 0))
        self.place = placed(origin, angles)
        bones, palettes = skinned(pose[None], skeleton)
        self.bones, self.palettes = bones[0], palettes[0]
        self.batch = PoseBatch(skeleton, pose[None])

    def height(self, bone: str) -> float:
        return float(self.bones[model().skeleton.index[bone], 2, 3] + self.place[2, 3])


def plant(footing: Footing, *figures: Figure, time: float = 1.0, camera: Camera = EYE) -> None:
    footing.plant(
        FrameView(1, 50, {}, (figures[0].batch,)),
        time,
        [(figure.state, figure.place) for figure in figures],
        {figure.state.number: figure.bones for figure in figures},
        {figure.state.number: figure.palettes for figure in figures},
        camera,
    )


def test_the_soldier_has_two_legs_and_a_door_none() -> None:
    legs = legs_of(model().skeleton)
    names = model().skeleton.names
    assert [names[leg.foot] for leg in legs] == ["foot_left", "foot_right"]
    assert [names[bone] for leg in legs for bone in leg.sole] == [
        "foot_left",
        "toe_left",
        "foot_right",
        "toe_right",
    ]
    assert legs[0].heights == pytest.approx((BIND["foot_left"][2], BIND["toe_left"][2]), abs=1e-3)
    assert legs_of(AssetLibrary([paths.assets()], None, lambda _: None).model("crate_small").skeleton) == ()


def test_on_level_ground_nothing_is_touched() -> None:
    for frame in range(0, 32, 4):
        figure = Figure(local(walk(), frame), origin=(100.0, 0.0, 24.0))
        bones, palettes = figure.bones.copy(), figure.palettes.copy()
        plant(Footing(lambda start, end: (start[2] - 24.0) / (start[2] - end[2])), figure)
        np.testing.assert_array_equal(figure.bones, bones)
        np.testing.assert_array_equal(figure.palettes, palettes)


def test_each_foot_stands_on_its_own_step() -> None:
    figure = Figure(local(idle(), 0), origin=(94.0, 0.0, 64.0))  # the left foot on 64, the right one on 56
    flat = {bone: figure.height(bone) for bone in ("foot_left", "foot_right", "pelvis", "head")}
    lengths = joints_apart(figure)
    plant(Footing(stairs(8.0)), figure)
    assert figure.height("foot_left") - flat["foot_left"] == pytest.approx(0.0, abs=0.05)
    assert figure.height("foot_right") - flat["foot_right"] == pytest.approx(-8.0, abs=0.05)
    assert -8.0 <= figure.height("pelvis") - flat["pelvis"] < -2.0
    assert figure.height("head") - flat["head"] == pytest.approx(
        figure.height("pelvis") - flat["pelvis"], abs=1e-3
    )
    np.testing.assert_allclose(joints_apart(figure), lengths, atol=1e-3)


def joints_apart(figure: Figure) -> np.ndarray:
    parents = model().skeleton.parents[1:]
    places = figure.bones[:, :, 3]
    return np.linalg.norm(places[1:] - places[parents], axis=1)


def test_the_skin_moves_as_its_bones_do() -> None:
    figure = Figure(local(idle(), 0), origin=(94.0, 0.0, 64.0))
    plant(Footing(stairs(8.0)), figure)
    inverse = np.concatenate(
        [model().skeleton.inverse_bind, np.tile([[[0, 0, 0, 1]]], (len(figure.bones), 1, 1))], 1
    )
    np.testing.assert_allclose(figure.palettes, figure.bones @ inverse, atol=2e-3)


def test_a_knee_goes_on_bending_forward() -> None:
    leg = legs_of(model().skeleton)[0]
    for up in (-6.0, -2.0, 4.0, 14.0):
        figure = Figure(local(idle(), 0))
        reach(leg, figure.bones, figure.palettes, up)
        hip, knee, ankle = (figure.bones[bone, :, 3] for bone in (leg.hip, leg.knee, leg.foot))
        share = np.linalg.norm(knee - hip) / (np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
        assert knee[0] > (hip + (ankle - hip) * share)[0] - 0.05
        assert np.isfinite(figure.bones).all()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"origin": (NEAR + 50.0, 0.0, 368.0)}, "far away"),
        ({"angles": (12.0, 0.0, 0.0)}, "lying along a slope"),
        ({"origin": (94.0, 0.0, 164.0)}, "in the air"),
    ],
)
def test_who_is_left_alone(change, why: str) -> None:
    figure = Figure(local(idle(), 0), **{"origin": (94.0, 0.0, 64.0), **change})
    before = figure.bones.copy()
    plant(Footing(stairs(8.0)), figure)
    assert np.array_equal(figure.bones, before), why


def test_a_foot_well_up_in_its_swing_is_its_own_master() -> None:
    pose = local(idle(), 0)
    raised = Figure(pose, origin=(94.0, 0.0, 64.0))
    leg = legs_of(model().skeleton)[1]
    reach(leg, raised.bones, raised.palettes, 14.0)
    height = raised.height("foot_right")
    plant(Footing(stairs(8.0)), raised)
    assert raised.height("foot_right") == pytest.approx(height, abs=0.3)


def test_the_game_lifts_him_by_a_step_and_neither_foot_nor_hips_jump() -> None:
    """Standing, his own ground goes up by eight inches from one picture to the next, as on a stair."""
    footing, pose = Footing(stairs(8.0)), local(idle(), 0)
    heights = []
    for picture in range(40):
        z = 56.0 if picture < 10 else 64.0
        figure = Figure(pose, origin=(94.0, 0.0, z))
        plant(footing, figure, time=1.0 + picture / 60.0)
        heights.append([figure.height(bone) for bone in ("foot_left", "foot_right", "pelvis")])
    moved = np.abs(np.diff(heights, axis=0)).max(axis=0)
    assert moved[0] < 0.1
    assert moved[1] < 0.1
    assert moved[2] < 2.0
    assert np.ptp(np.array(heights)[-5:], axis=0).max() < 0.1


def test_only_the_nearest_are_looked_after() -> None:
    pose = local(idle(), 0)
    crowd = [
        Figure(pose, origin=(94.0 + 24.0 * i, 0.0, 64.0 + 16.0 * i), number=i + 1) for i in range(MOST + 3)
    ]
    before = [figure.bones.copy() for figure in crowd]
    plant(Footing(stairs(8.0)), *crowd)
    touched = [not np.array_equal(figure.bones, old) for figure, old in zip(crowd, before, strict=True)]
    assert touched == [True] * MOST + [False] * 3


def test_time_that_goes_back_or_stands_is_no_trouble() -> None:
    footing, pose = Footing(stairs(8.0)), local(idle(), 0)
    for time in (5.0, 5.0, 4.0, 900.0, 900.01):
        figure = Figure(pose, origin=(94.0, 0.0, 64.0))
        plant(footing, figure, time=time)
        assert figure.height("foot_right") == pytest.approx(56.0 + BIND["foot_right"][2], abs=0.3)
