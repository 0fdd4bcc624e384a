"""Time: commands at once, frames on their beat, no spiral, and a head that the game may turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.client.actions import Action
from engine.client.audio import Audio
from engine.client.input import Controls
from engine.client.overlay import Timings
from engine.client.preferences import Preferences
from engine.client.render.scene import STAR, ModelBatch, placed
from engine.client.stage import Stage
from engine.world.view import EffectEvent
from tests.client.fake_session import FakeSession


@pytest.fixture
def session() -> FakeSession:
    return FakeSession()


@pytest.fixture
def stage(session: FakeSession) -> Stage:
    audio = Audio(session.library, Preferences(), silent=True)
    return Stage(session, Controls(), audio, Timings())


def test_frames_come_every_fifty_milliseconds(stage: Stage, session: FakeSession):
    start = session.time
    assert [stage.advance(0.016) for _ in range(7)] == [0, 0, 0, 1, 0, 0, 1]
    assert session.time == start + 100
    assert stage.alpha == pytest.approx(0.24, abs=1e-6)


def test_commands_add_up_to_the_time_that_passed(stage: Stage, session: FakeSession):
    for _ in range(60):
        stage.advance(1 / 60)
    assert sum(c.msec for c in session.commands_seen) in (999, 1000)
    assert all(1 <= c.msec <= 200 for c in session.commands_seen)


def test_a_long_stall_slows_the_game_instead_of_piling_up(stage: Stage, session: FakeSession):
    start = session.time
    assert stage.advance(5.0) == 4
    assert stage.advance(0.0) == 0
    assert session.time == start + 200


def test_time_never_runs_back(stage: Stage, session: FakeSession):
    start = session.time
    stage.advance(-0.5)
    assert (session.time, stage.time) == (start, 0.0)


def test_input_moves_the_player_before_the_next_frame(stage: Stage, session: FakeSession):
    stage.controls.press(Action.FORWARD)
    stage.advance(0.02)
    assert stage.player is not None
    assert stage.player.origin[0] == pytest.approx(-100 + 190 * 0.02)
    assert stage.camera.position[0] == pytest.approx(stage.player.eye[0], abs=1.0)


def test_the_view_starts_where_the_game_says_and_follows_when_it_is_turned(
    stage: Stage, session: FakeSession
):
    stage.controls.turn(-500, 0)
    stage.advance(0.06)
    assert stage.controls.yaw == pytest.approx(30.0)
    session.state = replace(session.state, view=(5.0, 200.0, 0.0))
    session.command = lambda command: session.state  # type: ignore[method-assign]
    stage.advance(0.06)
    assert (stage.controls.pitch, stage.controls.yaw) == (5.0, 200.0)


def test_without_a_player_there_is_still_a_picture(stage: Stage, session: FakeSession):
    session.player = None
    stage.advance(0.1)
    scene = stage.scene()
    assert stage.player is None
    assert scene.camera.position[2] > 130
    assert not any(batch.close for batch in scene.models)


def test_first_person_has_hands_and_no_body_and_third_person_the_other_way_round(
    stage: Stage, session: FakeSession
):
    stage.advance(0.5)
    for _ in range(40):
        stage.advance(0.05)
    figure = session.library.model("figure")
    first = stage.scene()
    assert sum(len(b.transforms) for b in first.models if b.model is figure) == 1
    assert any(batch.close for batch in first.models)
    stage.view.third_person = True
    third = stage.scene()
    assert sum(len(b.transforms) for b in third.models if b.model is figure) == 2
    assert not any(batch.close for batch in third.models)


@pytest.mark.parametrize("model", ["figure", ""], ids=["of the game", "of the client"])
def test_who_is_dead_looks_down_at_the_ground_and_not_into_the_own_body(
    stage: Stage, session: FakeSession, monkeypatch: pytest.MonkeyPatch, model: str
):
    body = ModelBatch(session.library.model("hat"), placed((0, 0, 0), (0, 0, 0))[None])
    monkeypatch.setattr(stage.body, "batches", lambda player: [body])
    session.bare = not model
    session.state = replace(session.state, alive=False, health=0)
    stage.advance(0.1)
    figure = session.library.model("figure")

    def shown() -> tuple[int, bool, bool]:
        models = stage.scene().models
        figures = sum(len(batch.transforms) for batch in models if batch.model is figure)
        return figures, body in models, any(batch.close for batch in models)

    assert shown() == (1, False, False), "only the other one"
    stage.view.third_person = True
    assert shown() == ((2, False, False) if model else (1, True, False))


def test_a_restarted_clock_forgets_the_old_game(stage: Stage, session: FakeSession):
    stage.advance(0.2)
    session.time = -50
    stage.advance(0.05)
    assert stage.before is stage.now


def test_the_level_hums_from_the_start_and_again_after_a_restart(session: FakeSession):
    heard: list[str] = []

    class Listening(Audio):
        def begin(self, loop, ear):  # type: ignore[no-untyped-def]
            heard.append(loop.alias)

    air = replace(session.geometry.atmosphere, ambient_sound="Wind")
    session.geometry = replace(session.geometry, atmosphere=air)
    stage = Stage(session, Controls(), Listening(session.library, Preferences(), silent=True), Timings())
    stage.advance(0.2)
    assert heard == ["wind"]
    session.time = -50
    stage.advance(0.05)
    assert heard == ["wind", "wind"]


def test_an_own_shot_burns_at_the_hands_and_not_a_second_time(stage: Stage, session: FakeSession):
    stage.controls.press(Action.FIRE)
    stage.controls.release(Action.FIRE)
    for _ in range(3):
        stage.advance(0.02)
        stage.scene()
    stage.advance(0.4)
    stage.controls.press(Action.FIRE)
    stage.advance(0.01)
    session.queue = {
        "effects": (
            EffectEvent("muzzle", (0.0, 0.0, 60.0), entity=0),
            EffectEvent("muzzle", (90.0, 0.0, 60.0)),
        )
    }
    scene = stage.scene()
    assert [row[8] for row in scene.sprites] == [STAR]
    assert len(scene.lights) == 1
    stage.advance(0.05)
    assert len(stage.effects.lights()) == 1
