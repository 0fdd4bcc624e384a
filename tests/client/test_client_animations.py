"""The animations panel of the game: whom one looks at, the key, the console, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from engine.client.animations import looked_at
from engine.client.app import AppSettings, ClientApp
from engine.client.render.scene import Camera
from engine.client.window import WindowSettings
from engine.world.view import EntityState, FrameView, Vector
from tests.client.fake_session import FakeSession

EYE = (0.0, 0.0, 36.0)


def frame(**places: Vector) -> FrameView:
    """Entities e1, e2 ... at places."""
    states = {
        int(name[1:]): EntityState(int(name[1:]), 1, "figure", "", place, (0.0, 0.0, 0.0), True)
        for name, place in places.items()
    }
    return FrameView(1, 50, states)


def test_one_looks_at_who_is_in_the_middle_and_of_two_in_line_at_the_nearer() -> None:
    camera = Camera(EYE)
    seen = frame(e1=(300.0, 0.0, 0.0), e2=(150.0, 0.0, 0.0), e3=(100.0, 45.0, 0.0), e4=(-50.0, 0.0, 0.0))
    assert looked_at(seen, camera, [1, 2, 3, 4]) == 2
    assert looked_at(seen, camera, [1, 3, 4]) == 1
    assert looked_at(seen, camera, [3, 4]) == 3
    assert looked_at(seen, camera, [4]) is None
    assert looked_at(seen, camera, [9]) is None
    # At arm's length somebody is looked at though his middle is far beside the cross.
    assert looked_at(frame(e1=(300.0, 4.0, 0.0), e2=(30.0, 8.0, 0.0)), camera, [1, 2]) == 2


@pytest.fixture
def app() -> Iterator[ClientApp]:
    settings = AppSettings(WindowSettings(size=(960, 540), headless=True, gl="off"), None, silent=True)
    app = ClientApp(FakeSession(), settings)
    app.advance(0.1)
    yield app
    app.close()


def press(app: ClientApp, key: int) -> None:
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
    app.handle(pygame.event.Event(pygame.KEYUP, key=key, mod=0))


def test_the_key_opens_the_panel_beside_the_game_and_closes_it(app: ClientApp) -> None:
    before = app.window.renderer
    app.draw()
    plain = before.read_pixels().copy()
    press(app, pygame.K_F4)
    assert app.animations.number == 7
    app.draw()
    shown = before.read_pixels()
    panel = np.abs(shown.astype(int) - plain.astype(int)).sum(axis=2) > 30
    assert panel[20:150, 30:380].mean() > 0.5
    # One plays on, and what is told goes with the game.
    app.session.playing.weight = 0.75  # type: ignore[attr-defined]  # the fake's
    press(app, pygame.K_w)
    app.advance(0.05)
    assert app.animations.played is not None
    assert app.animations.played.nodes[2].weight == 0.75
    press(app, pygame.K_F4)
    assert not app.animations.open


def test_the_console_opens_it_on_anybody_who_has_a_tree(app: ClientApp) -> None:
    app.console.submit("animpanel 7")
    assert app.animations.number == 7
    app.console.submit("animpanel 8")
    assert app.console.log[-1][0] == "entity 8 has no animation tree"
    for wrong in ("", " 7 7", " x", " -7", " \u00b2", " " + "7" * 5_000):
        app.console.submit("animpanel" + wrong)
        assert app.console.log[-1][0].startswith("animpanel NUMBER"), wrong
    assert app.animations.number == 7


def test_where_nobody_is_there_the_key_says_so_and_who_goes_is_not_shown(app: ClientApp) -> None:
    press(app, pygame.K_F4)
    app.session.playing.gone = True  # type: ignore[attr-defined]  # the fake's
    app.advance(0.05)
    app.draw()
    assert (app.animations.number, app.animations.played) == (7, None)
    press(app, pygame.K_F4)
    assert not app.animations.open
    press(app, pygame.K_F4)
    assert "nobody whom you look at" in app.toasts.shown[-1].text
