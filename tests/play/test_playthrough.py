"""The real client on the real sandbox, driven through its input layer, with OpenGL and with plain surfaces.

Places are those of the yard's map: the stair of the house, the sliding door of the depot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from engine.client.actions import Action
from engine.client.app import AppSettings, ClientApp
from engine.client.render.gl import GLUnusableError
from engine.client.window import WindowSettings
from engine.mods.session import GameOptions, GameSession
from engine.world.actor import Actor
from engine.world.player import Player
from engine.world.view import Vector

SIZE = (640, 360)
STEP = 0.05


class Game:
    """A client with somebody at the keys."""

    def __init__(self, gl: str) -> None:
        self.session = GameSession(GameOptions(watch=False))
        window = WindowSettings(SIZE, gl=gl, headless=True)
        self.app = ClientApp(self.session, AppSettings(window, preferences=None, silent=True))

    @property
    def player(self) -> Player:
        return self.session.world.players()[0]

    def restart(self) -> None:
        """The level anew, with the player in it and no soldier about who could interfere."""
        self.app.console.open = False
        self.session.restart()
        self.run(0.3)

    def send_soldiers_away(self) -> None:
        for entity in list(self.session.world.entities.all()):
            if isinstance(entity, Actor):
                self.session.world.entities.remove(entity)

    def stand(self, place: Vector, yaw: float, pitch: float = 0.0) -> None:
        self.player.place(place, (pitch, yaw, 0.0), teleport=True)
        self.app.controls.set_view(pitch, yaw)
        self.run(0.1)

    def look_at(self, target: Vector) -> None:
        eye = self.player.eye()
        dx, dy, dz = (t - e for t, e in zip(target, eye, strict=True))
        self.app.controls.set_view(
            -math.degrees(math.atan2(dz, math.hypot(dx, dy))), math.degrees(math.atan2(dy, dx))
        )

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.app.advance(STEP)

    def hold(self, seconds: float, *actions: Action) -> None:
        for action in actions:
            self.app.controls.press(action)
        self.run(seconds)
        for action in actions:
            self.app.controls.release(action)

    def until(self, what: Callable[[], bool], seconds: float) -> bool:
        for _ in range(round(seconds / STEP)):
            if what():
                return True
            self.app.advance(STEP)
        return what()

    def picture(self) -> np.ndarray:
        self.app.draw()
        return np.asarray(self.app.pixels(), dtype=np.float32)


@pytest.fixture(scope="module", params=["on", "off"], ids=["gl", "plain"])
def open_game(request: pytest.FixtureRequest) -> Iterator[Game]:
    try:
        game = Game(request.param)
    except GLUnusableError as error:
        pytest.skip(f"no OpenGL here: {error}")
    yield game
    game.app.close()


@pytest.fixture
def game(open_game: Game) -> Game:
    open_game.restart()
    return open_game


def distance(a: Vector, b: Vector) -> float:
    return math.dist(a, b)


def test_a_wall_stops_the_player_and_he_slides_along_it(game: Game) -> None:
    game.send_soldiers_away()
    game.stand((-304.0, -600.0, 1.0), 270.0)
    start = game.player.position
    game.hold(3.0, Action.FORWARD)
    stopped = game.player.position
    assert distance(start, stopped) > 40
    game.hold(0.5, Action.FORWARD)
    assert distance(stopped, game.player.position) < 2
    game.app.controls.set_view(0.0, 300.0)
    game.hold(1.0, Action.FORWARD)
    assert abs(game.player.position[0] - stopped[0]) > 20
    assert abs(game.player.position[1] - stopped[1]) < 12, "a pilaster of the wall may turn him aside"


def test_the_stair_of_the_house_leads_to_the_upper_floor(game: Game) -> None:
    game.send_soldiers_away()
    game.stand((-852.0, 300.0, 9.0), 90.0)
    game.hold(3.0, Action.FORWARD)
    assert game.player.position[2] == pytest.approx(168.0, abs=6.0)
    assert game.player.body.on_ground


def test_a_jump_rises_about_forty_and_a_crouch_lowers_the_eye(game: Game) -> None:
    game.send_soldiers_away()
    ground = game.player.position[2]
    highest = ground
    game.app.controls.press(Action.JUMP)
    for _ in range(20):
        game.app.advance(STEP)
        highest = max(highest, game.player.position[2])
    game.app.controls.release(Action.JUMP)
    assert 34 < highest - ground < 46
    game.run(1.0)
    standing = game.player.eye()[2]
    game.app.controls.press(Action.CROUCH)
    game.run(0.6)
    assert game.player.eye()[2] < standing - 15
    game.app.controls.release(Action.CROUCH)


def test_a_soldier_is_shot_until_he_dies(game: Game) -> None:
    victim = None

    def seen() -> bool:
        nonlocal victim
        eye = game.player.eye()
        for entity in game.session.world.entities.all():
            if isinstance(entity, Actor) and entity.alive() and "grey" in entity.model_name:
                chest = (entity.position[0], entity.position[1], entity.position[2] + 45)
                if distance(eye, chest) < 900 and game.session.trace(eye, chest) >= 1.0:
                    victim = entity
                    return True
        return False

    game.player.max_hit_points = game.player.hit_points = 100_000
    assert game.until(seen, 60.0), "no enemy came into view"
    assert isinstance(victim, Actor)
    shots = game.player.view_state().shots

    def killed() -> bool:
        if game.player.kills:
            return True
        # Somebody else may have been quicker: then the next one.
        if (victim.freed or not victim.alive()) and not seen():
            game.app.advance(STEP)
            return False
        x, y, z = victim.position
        game.look_at((x, y, z + 45))
        # One shot a press: the rifle is not automatic for everybody.
        game.app.controls.press(Action.FIRE)
        game.app.advance(STEP)
        game.app.controls.release(Action.FIRE)
        return False

    assert game.until(killed, 60.0)
    assert game.player.view_state().shots > shots


def test_the_use_key_opens_the_door(game: Game) -> None:
    game.send_soldiers_away()
    world = game.session.world
    door = world.by_key("targetname", "depot_door")[0]
    trigger = world.by_key("targetname", "depot_door_use")[0]
    low, high = trigger.world_bounds()
    closed = door.position
    middle = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
    game.stand((middle[0], low[1] + 20, 1.0), 90.0)
    game.look_at((closed[0], closed[1], closed[2]))
    game.hold(0.3, Action.USE)
    game.run(2.5)
    assert distance(closed, door.position) > 100


def test_a_round_is_won_by_points(game: Game) -> None:
    game.send_soldiers_away()
    level = game.session.vm.level
    game.run(1.0)
    assert level.get_field("playing") == 1
    level.set_field("winning_score", 25)
    dummies = [d for d in game.session.world.by_key("targetname", "dummy") if d.alive()]
    assert dummies
    target = dummies[0]
    x, y, z = target.position
    game.player.max_hit_points = game.player.hit_points = 100_000
    yaw = target.rotation[1]
    game.stand(
        (x + 120 * math.cos(math.radians(yaw)), y + 120 * math.sin(math.radians(yaw)), z + 2), yaw + 180
    )

    def over() -> bool:
        game.look_at((x, y, z + 45))
        game.app.controls.press(Action.FIRE)
        game.app.advance(STEP)
        game.app.controls.release(Action.FIRE)
        return level.get_field("playing") == 0

    assert game.until(over, 10.0)
    texts = " ".join(element.text for element in game.app.stage.now.hud)
    assert "YARD CLEARED" in texts


def test_the_console_runs_commands_and_says_what_it_does_not_know(game: Game) -> None:
    game.app.toggle_console()
    assert game.app.console.open
    for line in ("g_testing 1", "set g_testing 2", "threads", "kill"):
        game.app.console.submit(line)
    assert game.session.vm.cvars["g_testing"] == "2"
    game.run(0.2)
    assert not game.player.alive()
    game.app.toggle_console()
    assert not game.app.console.open


def test_the_picture_shows_sky_over_ground_and_changes_with_the_view(game: Game) -> None:
    game.send_soldiers_away()
    game.stand((-304.0, -600.0, 1.0), 62.0)
    ahead = game.picture()
    assert ahead.shape == (SIZE[1], SIZE[0], 3)
    top, bottom = (
        ahead[: SIZE[1] // 6].mean(axis=(0, 1)),
        ahead[-SIZE[1] // 3 :, : SIZE[0] // 2].mean(axis=(0, 1)),
    )
    assert top[2] > top[0] - 12, "the sky is cool"
    assert bottom[0] > bottom[2], "the ground is warm"
    assert ahead.std() > 20, "a picture with something in it"
    game.app.controls.set_view(0.0, 242.0)
    game.run(0.1)
    assert np.abs(game.picture() - ahead).mean() > 8
