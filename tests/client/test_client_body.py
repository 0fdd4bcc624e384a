"""The player's own body in the third person: what it plays, at what pace, and what it holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.anim.clip import Clip
from engine.client.body import FADE, PlayerBody, chosen, own_speed, sample
from tests.client.fake_session import FakeLibrary, FakeSession, block

PLAYER = FakeSession().state


@pytest.mark.parametrize(
    ("changes", "clip"),
    [
        ({}, "soldier_aim"),
        ({"velocity": (60.0, 0.0, 0.0)}, "soldier_walk"),
        ({"velocity": (190.0, 0.0, 0.0)}, "soldier_run"),
        ({"velocity": (-90.0, 0.0, 0.0)}, "soldier_walk_back"),
        ({"velocity": (0.0, 90.0, 0.0)}, "soldier_strafe_left"),
        ({"velocity": (0.0, 90.0, 0.0), "view": (0.0, 90.0, 0.0)}, "soldier_walk"),
        ({"stance": "crouch"}, "soldier_crouch"),
        ({"stance": "crouch", "velocity": (40.0, 0.0, 0.0)}, "soldier_crouch_walk"),
        ({"weapon_state": "reloading"}, "soldier_reload"),
        ({"alive": False, "velocity": (190.0, 0.0, 0.0)}, "soldier_death_a"),
    ],
)
def test_the_clip_suits_what_the_player_does(changes: dict[str, object], clip: str):
    assert chosen(replace(PLAYER, **changes)) == clip  # type: ignore[arg-type]


@pytest.fixture
def library() -> FakeLibrary:
    made = FakeLibrary()
    made.models["soldier_olive"] = block("soldier_olive", (20, 20, 70), (90, 100, 60), "tag_weapon_right")
    for name, heights in (("soldier_aim", (70, 70, 70)), ("soldier_run", (70, 90, 70))):
        rows = np.zeros((3, 8, 1), np.float32)
        rows[:, 3], rows[:, 7] = 1, 1
        rows[:, 6, 0] = heights
        delta = np.zeros((3, 4), np.float32)
        delta[:, 0] = (0, 5, 10) if name == "soldier_run" else 0
        made.clips[name] = Clip(name, ("tag_weapon_right",), rows, 20.0, True, delta=delta)
    return made


def test_clips_are_sampled_between_their_frames(library: FakeLibrary):
    skeleton = library.model("soldier_olive").skeleton
    run = library.clips["soldier_run"]
    assert sample(run, 0.025, skeleton)[6].tolist() == [0.0, 80.0]
    assert own_speed(run) == pytest.approx(100.0)


def test_steps_keep_up_with_the_ground(library: FakeLibrary):
    body = PlayerBody(library)
    running = replace(PLAYER, velocity=(200.0, 0.0, 0.0))
    body.step(running, 0.0)
    body.step(running, FADE)
    body._now.at = 0.0  # type: ignore[union-attr]
    body.step(running, 0.025)
    # Twice the clip's own speed: half way through it.
    weapon = body.batches(running)[1]
    assert weapon.transforms[0, 2, 3] == pytest.approx(90.0)


def test_one_clip_fades_into_the_next(library: FakeLibrary):
    body = PlayerBody(library)
    running = replace(PLAYER, velocity=(200.0, 0.0, 0.0))
    body.step(running, 0.025)
    body.step(PLAYER, 0.0)
    assert body.batches(PLAYER)[1].transforms[0, 2, 3] == pytest.approx(90.0)
    body.step(PLAYER, FADE / 2)
    assert body.batches(PLAYER)[1].transforms[0, 2, 3] == pytest.approx(80.0)


def test_without_clips_there_is_no_body():
    body = PlayerBody(FakeLibrary())
    body.step(PLAYER, 0.1)
    assert body.batches(PLAYER) == []
