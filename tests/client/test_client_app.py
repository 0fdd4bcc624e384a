"""The application without a screen: keys do what they say, pages and console open and close, pictures are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from engine.client import keymap
from engine.client.actions import ESCAPE, Action, Bindings, Source
from engine.client.app import AppSettings, ClientApp
from engine.client.canvas import Canvas
from engine.client.pages import controls_page
from engine.client.session import LogLine
from engine.client.text import Letters
from engine.client.window import NoScreenError, Window, WindowSettings
from tests.client.fake_session import FakeSession


@pytest.fixture
def app(tmp_path: Path) -> Iterator[ClientApp]:
    window = WindowSettings((320, 180), gl="off", headless=True)
    made = ClientApp(FakeSession(), AppSettings(window, tmp_path / "client.json", silent=True))
    yield made
    made.close()


def key(app: ClientApp, code: int, down: bool = True) -> None:
    kind = pygame.KEYDOWN if down else pygame.KEYUP
    app.handle(pygame.event.Event(kind, key=code, mod=0, repeat=False))


def seen(app: ClientApp) -> list[object]:
    assert isinstance(app.session, FakeSession)
    return app.session.commands_seen


def test_holding_w_walks_and_letting_go_stops(app: ClientApp):
    key(app, pygame.K_w)
    app.advance(0.1)
    assert app.stage.player is not None
    assert app.stage.player.origin[0] == pytest.approx(-81.0)
    key(app, pygame.K_w, down=False)
    app.advance(0.1)
    assert app.stage.player.origin[0] == pytest.approx(-81.0)


def test_the_left_button_fires(app: ClientApp):
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        app.handle(pygame.event.Event(kind, button=1, pos=(0, 0)))
    app.advance(0.05)
    assert app.stage.player is not None
    assert (app.stage.player.shots, app.stage.player.clip) == (1, 7)


def test_escape_pauses_and_resumes(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    key(app, pygame.K_ESCAPE)
    before = session.time
    app.advance(1.0)
    assert app.paused
    assert session.time == before
    key(app, pygame.K_ESCAPE)
    app.advance(0.05)
    assert not app.paused
    assert session.time == before + 50


def test_the_menu_works_with_keys(app: ClientApp):
    app.pause()
    key(app, pygame.K_DOWN)
    key(app, pygame.K_DOWN)
    key(app, pygame.K_RETURN)
    assert app.menu.page is not None
    assert app.menu.page.title == "Keys and mouse"
    assert any(
        "w" in row.value() for row in app.menu.page.rows if row.value and row.label == Action.FORWARD.value
    )
    key(app, pygame.K_ESCAPE)
    assert app.menu.page.title == "Paused"
    key(app, pygame.K_UP)
    key(app, pygame.K_RETURN)
    assert isinstance(app.session, FakeSession)
    assert app.session.executed == ["map_restart"]
    assert not app.menu.open


def test_the_menu_works_with_the_mouse(app: ClientApp):
    app.pause()
    app.draw()
    x, y, w, h = app.menu._boxes[4]
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x + w / 2, y + h / 2)))
    assert app.menu.page is not None
    assert app.menu.page.title.startswith("Sound")
    app.draw()
    x, y, w, h = app.menu._boxes[0]
    before = app.preferences.effects
    app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x + w * 0.1, y + h / 2)))
    assert app.preferences.effects == pytest.approx(before - 0.1)


def test_the_menu_works_with_a_gamepad(app: ClientApp):
    pad = pygame.event.Event
    app.handle(pad(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_START))
    for button in (pygame.CONTROLLER_BUTTON_DPAD_UP, pygame.CONTROLLER_BUTTON_A):
        app.handle(pad(pygame.CONTROLLERBUTTONDOWN, button=button))
    assert app.over


def test_a_key_is_chosen_in_the_menu_and_kept(app: ClientApp, tmp_path: Path):
    app.pause()
    for code in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN, pygame.K_RETURN, pygame.K_i):
        key(app, code)
    assert not app.menu.listening
    assert app.bindings.label(Action.FORWARD) == "i"
    assert app.menu.page is not None
    assert app.menu.page.rows[0].value is not None
    assert app.menu.page.rows[0].value() == "i"
    key(app, pygame.K_ESCAPE)
    key(app, pygame.K_ESCAPE)
    key(app, pygame.K_i)
    app.advance(0.1)
    assert app.stage.player is not None
    assert app.stage.player.origin[0] == pytest.approx(-81.0)
    kept, complaint = keymap.load(tmp_path / "controls.json")
    assert (kept.label(Action.FORWARD), complaint) == ("i", "")
    assert kept.label(Action.BACK) == "s or down"


@pytest.mark.parametrize("height", [180, 270, 720])
def test_a_long_page_stays_on_the_screen_with_its_chosen_row(app: ClientApp, height: int):
    app.pause()
    app.menu.show(controls_page(app, pad=False))
    canvas = Canvas(Letters(height), (height * 16 // 9, height))
    page = app.menu.page
    assert page is not None
    for _ in page.rows:
        app.menu.draw(canvas)
        x, y, w, h = app.menu._boxes[app.menu.chosen]
        assert 0 <= x < x + w <= canvas.width
        assert 0 < y < y + h < height - canvas.letters.line_height("small")
        assert h >= canvas.letters.line_height("small")
        app.menu.move("down")
    assert app.menu.chosen == 0, "round to the first one"


def test_escape_calls_a_choice_off_and_stays_with_the_menu(app: ClientApp):
    app.pause()
    for code in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN, pygame.K_RETURN, pygame.K_ESCAPE):
        key(app, code)
    assert app.menu.page is not None
    assert app.menu.page.title == "Keys and mouse"
    assert app.bindings == Bindings()
    assert app.bindings.bound(Action.JUMP, ESCAPE) == app.bindings
    moved = app.bindings.bound(Action.PAUSE, Source("key", pygame.K_m))
    assert moved.label(Action.PAUSE, pad=False) == "m or escape"


def test_a_gamepad_button_leaves_the_keys_alone_and_its_old_action(app: ClientApp):
    taken = Source("pad", pygame.CONTROLLER_BUTTON_X)
    bindings = app.bindings.bound(Action.JUMP, taken)
    assert bindings.label(Action.JUMP) == "pad X or space"
    assert bindings.label(Action.RELOAD) == "r"
    assert bindings.action(taken) is Action.JUMP


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"jmup": ["key space"]}',
        '{"jump": "key space"}',
        '{"jump": ["key nosuch"]}',
        '{"jump": [7]}',
    ],
)
def test_damaged_keys_are_said_and_the_standard_ones_used(tmp_path: Path, text: str, app: ClientApp):
    path = tmp_path / "keys.json"
    path.write_text(text)
    bindings, complaint = keymap.load(path)
    assert bindings == Bindings()
    assert str(path) in complaint


def test_keys_without_a_name_survive(tmp_path: Path, app: ClientApp):
    bindings = app.bindings.bound(Action.USE, Source("key", 1073742999)).bound(
        Action.FIRE, Source("wheel", -1)
    )
    assert keymap.save(bindings, tmp_path / "keys.json") == ""
    assert keymap.load(tmp_path / "keys.json") == (bindings, "")


def test_settings_are_kept(app: ClientApp, tmp_path: Path):
    app.console.submit("fov 95")
    app.console.submit("fov wide")
    app.console.submit("fov nan")
    assert app.stage.view.fov == 95.0
    assert '"fov": 95.0' in (tmp_path / "client.json").read_text()
    said = [text for text, _ in app.console.log]
    assert "fov needs a number of degrees, not wide" in said
    assert "fov needs a number of degrees, not nan" in said
    for degrees, taken in (("1" + "0" * 5_000, 110.0), ("-1e999", 60.0)):
        app.console.submit(f"fov {degrees}")
        assert app.stage.view.fov == taken


@pytest.fixture
def windowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClientApp]:
    """In a window that nobody sees, whose mouse can be taken."""
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    settings = WindowSettings((320, 180), gl="off", vsync=False)
    made = ClientApp(FakeSession(), AppSettings(settings, None, silent=True))
    made.window.grab_mouse(True)
    yield made
    made.close()


def push(*counts: tuple[int, int]) -> None:
    """The mouse moves by so many counts, in as many events."""
    for rel in counts:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=rel, buttons=(0, 0, 0)))


def post_key(code: int) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, repeat=False))


def view(app: ClientApp) -> tuple[float, float]:
    return app.controls.pitch, app.controls.yaw


@pytest.mark.parametrize("escape", [False, True], ids=["played", "paused"])
def test_motion_while_a_level_loads_turns_nothing(
    windowed: ClientApp, monkeypatch: pytest.MonkeyPatch, escape: bool
):
    load = windowed.window.renderer.load_level

    def slow(*args: Any) -> None:
        push((400, 300), (50, 20))
        if escape:
            post_key(pygame.K_ESCAPE)
        push((90, 90))
        load(*args)

    monkeypatch.setattr(windowed.window.renderer, "load_level", slow)
    before = view(windowed)
    for _ in range(3):
        windowed.step(0.05)
    assert windowed.paused == escape
    if escape:
        windowed.resume()
    push((300, 200))
    windowed.step(0.05)
    assert view(windowed) == before, "the first one may be the way from where the mouse was before"
    push((10, 0))
    windowed.step(0.05)
    assert view(windowed) == (before[0], pytest.approx((before[1] - 0.6) % 360.0))


@pytest.mark.parametrize("over", ["menu", "console", "inspector", "focus"])
def test_motion_of_a_free_mouse_turns_nothing_after_it(windowed: ClientApp, over: str):
    windowed.step(0.05)
    before = view(windowed)
    if over == "focus":
        pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    else:
        code = {"menu": pygame.K_ESCAPE, "console": pygame.K_BACKQUOTE, "inspector": pygame.K_F3}[over]
        post_key(code)
        if over == "inspector":
            post_key(code)
    windowed.step(0.05)
    assert not windowed.window.grabbed
    push((80, 40))
    if over == "focus":
        pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSGAINED))
    else:
        post_key(pygame.K_BACKQUOTE if over == "console" else pygame.K_ESCAPE)
    push((70, 30), (60, 20))
    windowed.step(0.05)
    assert windowed.window.grabbed
    push((500, 500))
    windowed.step(0.05)
    assert view(windowed) == before


def test_the_console_takes_the_keyboard_and_gives_it_back(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    key(app, pygame.K_w)
    key(app, pygame.K_BACKQUOTE)
    app.handle(pygame.event.Event(pygame.TEXTINPUT, text="`"))
    for letter in "kill":
        app.handle(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        key(app, ord(letter))
    assert app.console.text == "kill"
    key(app, pygame.K_RETURN)
    app.advance(0.05)
    assert session.executed == ["kill"]
    assert session.commands_seen[-1].forward == 0.0
    key(app, pygame.K_BACKQUOTE)
    key(app, pygame.K_w)
    app.advance(0.05)
    assert session.commands_seen[-1].forward == 1.0


@pytest.mark.parametrize("pause", [False, True])
def test_losing_the_focus_lets_go_of_keys_and_pauses_where_that_is_wanted(app: ClientApp, pause: bool):
    session = app.session
    assert isinstance(session, FakeSession)
    app.prefer(replace(app.preferences, pause_away=pause))
    key(app, pygame.K_w)
    app.handle(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    assert app.paused == pause
    app.resume()
    app.advance(0.05)
    assert session.commands_seen[-1].forward == 0.0


def test_while_paused_no_time_passes_and_saves_are_still_looked_for(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    app.pause()
    before, stood = app.stage.now.time, session.stood
    for _ in range(20):
        app.advance(0.01)
    assert app.stage.now.time == before
    assert session.stood - stood in (3, 4)


def test_faults_become_toasts_and_log_lines(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    session.log = [LogLine("error", "bad things"), LogLine("print", "just text")]
    app.advance(0.01)
    assert [toast.text for toast in app.toasts.shown] == ["bad things"]
    assert ("just text", "plain") in app.console.log


def test_f3_shows_figures_and_t_steps_outside(app: ClientApp):
    key(app, pygame.K_F3)
    app.step(0.05)
    assert app.overlay.shown
    assert app.overlay.timings.entities == 3
    assert len(app.overlay.timings.drawing) == 1
    key(app, pygame.K_t)
    assert app.stage.view.third_person


def test_a_headless_run_writes_a_picture_with_something_in_it(app: ClientApp, tmp_path: Path):
    session = app.session
    assert isinstance(session, FakeSession)
    start = session.time
    target = tmp_path / "deep" / "shot.png"
    assert app.headless(1.0, target) == ""
    assert session.time - start in (1000, 1050)
    (told,) = session.told
    assert "server_median" in told
    assert "drawing_median" not in told, "nothing was drawn yet"
    surface = pygame.image.load(str(target))
    assert surface.get_size() == (320, 180)
    assert surface.get_at((160, 170)) != surface.get_at((160, 10))


def test_a_game_in_a_window_ends_when_it_shall_and_leaves_its_picture(app: ClientApp, tmp_path: Path):
    session = app.session
    assert isinstance(session, FakeSession)
    start = session.time
    target = tmp_path / "end.png"
    assert app.run(0.3, target) == ""
    assert session.time > start
    assert pygame.image.load(str(target)).get_size() == (320, 180)


def test_a_headless_run_that_draws_tells_its_times_once_a_second(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    assert app.headless(2.0, draw=True) == ""
    assert len(session.told) == 2
    for told in session.told:
        assert 0 < told["drawing_median"] <= told["drawing_worst"]
        assert told["drawing_median"] < told["picture_median"], "a picture's time has its server frame in it"


def test_a_game_in_a_window_tells_its_times_too(app: ClientApp):
    session = app.session
    assert isinstance(session, FakeSession)
    for _ in range(25):
        app.step(0.05)
    (told,) = session.told
    assert told["picture_median"] == pytest.approx(50.0)


def test_a_picture_that_cannot_be_written_is_a_sentence(app: ClientApp, tmp_path: Path):
    (tmp_path / "file").write_text("")
    app.draw()
    assert "cannot be written" in app.save_picture(tmp_path / "file" / "shot.png")
    assert "cannot be written" in app.save_picture(tmp_path / "a\0.png")


@pytest.mark.parametrize("name", ["mine.gsc", "yard.map", '""', "shot"])
def test_a_picture_is_written_over_no_source(app: ClientApp, tmp_path: Path, name: str):
    (tmp_path / name).write_text("kept")
    app.draw()
    assert "ends in .png" in app.save_picture(tmp_path / name)
    assert (tmp_path / name).read_text() == "kept"
    assert app.save_picture(tmp_path / "shot.JPG") == ""
    assert (tmp_path / "shot.JPG").read_bytes()[:2] == b"\xff\xd8"


def test_f12_saves_a_picture_where_it_says(app: ClientApp):
    app.step(0.02)
    key(app, pygame.K_F12)
    path = Path(app.toasts.shown[-1].text.removeprefix("saved "))
    assert path.is_file()


def test_changed_props_are_drawn_anew(app: ClientApp):
    from dataclasses import replace

    from engine.world.view import StaticModel

    session = app.session
    assert isinstance(session, FakeSession)
    session.geometry = replace(
        session.geometry, models=(StaticModel("hat", (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 2.0),)
    )
    app.step(0.01)
    (batch,) = app.stage.props()
    assert batch.model is session.library.model("hat")
    assert batch.transforms[0, :, 3].tolist() == [50.0, 0.0, 0.0]
    assert batch.transforms[0, 0, 0] == 2.0


def test_no_screen_is_said_plainly_and_only_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    pygame.display.quit()
    with pytest.raises(NoScreenError, match="--headless"):
        Window(WindowSettings((320, 180)))
    assert capfd.readouterr().err == "", "libraries keep quiet"
    assert "SDL_VIDEODRIVER" not in os.environ


def test_without_opengl_there_are_plain_surfaces_and_a_note(monkeypatch: pytest.MonkeyPatch):
    pygame.display.quit()
    real = pygame.display.set_mode

    def refuse(size: tuple[int, int], flags: int = 0, **rest: int) -> pygame.Surface:
        if flags & pygame.OPENGL:
            raise pygame.error("no driver")
        return real(size, flags, **rest)

    monkeypatch.setattr(pygame.display, "set_mode", refuse)
    window = Window(WindowSettings((320, 180), headless=True))
    assert window.renderer.name == "plain surfaces"
    assert "no OpenGL (no driver)" in window.notes[0]
    window.close()


def test_vertical_sync_is_tried_and_then_given_up(monkeypatch: pytest.MonkeyPatch):
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    real = pygame.display.set_mode
    asked: list[int] = []

    def refuse(size: tuple[int, int], flags: int = 0, vsync: int = 0) -> pygame.Surface:
        asked.append(vsync)
        if vsync:
            raise pygame.error("regular vsync for OpenGL not available")
        return real(size, flags)

    monkeypatch.setattr(pygame.display, "set_mode", refuse)
    window = Window(WindowSettings((320, 180), gl="off"))
    assert asked == [1, 0]
    assert not window.notes
    assert any("vertical sync" in remark for remark in window.remarks)
    window.close()


def test_the_last_picture_is_shown_once_and_before_a_level_is_loaded(
    app: ClientApp, monkeypatch: pytest.MonkeyPatch
):
    told: list[str] = []
    load = app.window.renderer.load_level

    def loading(*given: Any) -> None:
        told.append("load")
        load(*given)

    monkeypatch.setattr(app.window.renderer, "load_level", loading)
    app.draw(lambda: told.append("shown"))
    app.draw(lambda: told.append("shown"))
    assert told == ["shown", "load", "shown"]
