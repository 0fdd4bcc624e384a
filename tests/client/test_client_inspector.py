"""The scripts page: choosing by keys and mouse, what has changed stands out, and the commands behind the keys."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from engine.client.actions import Action
from engine.client.app import AppSettings, ClientApp
from engine.client.canvas import Canvas
from engine.client.inspector import Inspector
from engine.client.inspector_view import InspectorView
from engine.client.text import Letters
from engine.client.window import WindowSettings
from tests.client.fake_session import FakeScripts, FakeSession


@pytest.fixture
def scripts() -> FakeScripts:
    return FakeScripts()


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def inspector(scripts: FakeScripts, lines: list[str]) -> Inspector:
    def execute(line: str) -> str:
        lines.append(line)
        return f"did {line}\nand more"

    found = Inspector(scripts, execute)
    found.open = True
    found.step(0.0, 50)
    return found


def test_a_function_opens_with_its_first_thread(inspector: Inspector) -> None:
    (row,) = inspector.shown.rows
    assert (row.text, row.note, row.thread) == ("walk::walk", "2", None)
    inspector.choose_row(row)
    assert inspector.thread == 7
    assert [row.thread for row in inspector.shown.rows] == [None, 7, 8]
    inspector.key(pygame.K_DOWN)
    assert inspector.thread == 8
    inspector.key(pygame.K_UP)
    inspector.key(pygame.K_UP)
    assert inspector.thread is None
    inspector.choose_row(inspector.shown.rows[0])
    assert len(inspector.shown.rows) == 1


def test_a_variable_that_changes_stands_out_for_a_while(inspector: Inspector, scripts: FakeScripts) -> None:
    inspector.find_thread(7)
    assert inspector.glow(0, "walk::walk", "count") == 0.0
    scripts.count += 1
    inspector.step(0.05, 100)
    assert inspector.glow(0, "walk::walk", "count") == 1.0
    assert inspector.glow(0, "walk::walk", "other") == 0.0
    inspector.step(0.6, 100)
    assert 0.0 < inspector.glow(0, "walk::walk", "count") < 1.0
    inspector.step(1.0, 100)
    assert inspector.glow(0, "walk::walk", "count") == 0.0


def test_keys_run_console_lines(inspector: Inspector, lines: list[str]) -> None:
    inspector.find_thread(8)
    for key in (pygame.K_SPACE, pygame.K_n, pygame.K_t, pygame.K_b, pygame.K_p, pygame.K_r):
        assert inspector.key(key)
    assert lines == ["hold", "step 1", "step_thread 8", "hold", "rewind 5", "again", "again 5"]
    assert inspector.answer == "did again 5"
    inspector.scripts.held = True  # type: ignore[misc]  # the fake's is a plain attribute
    inspector.key(pygame.K_SPACE)
    assert lines[-1] == "go"
    assert not inspector.key(pygame.K_w)


def test_tabs_and_waits(inspector: Inspector) -> None:
    inspector.key(pygame.K_TAB)
    assert (inspector.tab, [row["event"] for row in inspector.shown.waits]) == ("waits", ["go", "death"])
    inspector.key(pygame.K_DOWN)
    inspector.key(pygame.K_DOWN)
    assert inspector.wait == 1
    inspector.key(pygame.K_RIGHT)
    assert (inspector.shown.report, inspector.shown.faults) == ("walk.gsc: taken in", [])
    inspector.find_thread(8)
    assert (inspector.tab, inspector.thread) == ("threads", 8)


def test_a_save_that_was_refused_shows_what_is_wrong(inspector: Inspector, scripts: FakeScripts) -> None:
    scripts.broken = True
    inspector.show_tab("last reload")
    canvas = Canvas(Letters(540), (960, 540))
    InspectorView(inspector).draw(canvas)
    assert inspector.shown.faults == ["maps/walk.gsc:3:9: expected ';'"]
    # Only the bar can be clicked: there are no rows of threads.
    assert all(y < 100 for _, y, _, _, _ in inspector.targets)


@pytest.fixture
def app() -> Iterator[ClientApp]:
    settings = AppSettings(WindowSettings(size=(960, 540), headless=True, gl="off"), None, silent=True)
    app = ClientApp(FakeSession(), settings)
    app.advance(0.1)
    yield app
    app.close()


def point(app: ClientApp, row: int) -> tuple[int, int]:
    left, top, width, height, _ = app.inspector.targets[row]
    return int(left + width / 2), int(top + height / 2)


def click(app: ClientApp, position: tuple[int, int]) -> None:
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=position))


def test_f3_goes_from_the_figures_to_the_scripts_and_the_mouse_chooses(app: ClientApp) -> None:
    app.act(Action.OVERLAY)
    assert (app.overlay.shown, app.inspector.open) == (True, False)
    app.act(Action.OVERLAY)
    assert (app.overlay.shown, app.inspector.open) == (False, True)
    app.draw()
    plain = app.pixels().copy()
    # Three tabs and five buttons come first; then the only function.
    click(app, point(app, 8))
    assert app.inspector.thread == 7
    app.draw()
    assert (app.pixels() != plain).any()
    click(app, point(app, 1))
    assert app.inspector.tab == "waits"
    app.draw()
    click(app, point(app, 2))
    app.draw()
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE, mod=0, unicode=""))
    assert not app.inspector.open


def test_the_game_goes_on_behind_the_page_and_keys_do_not_move_the_player(app: ClientApp) -> None:
    app.act(Action.OVERLAY)
    app.act(Action.OVERLAY)
    before = app.stage.now.time
    app.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_w, mod=0, unicode="w"))
    app.advance(0.1)
    assert app.stage.now.time > before
    assert app.session.commands_seen[-1].forward == 0.0  # type: ignore[attr-defined]  # the fake's
    app.handle(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    assert not app.menu.open
