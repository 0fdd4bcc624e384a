"""The application: the window's events, what they mean at the moment, the loop, and runs without a screen."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pygame

from engine import paths
from engine.client import collecting, keymap
from engine.client import preferences as prefs
from engine.client.actions import Action, Bindings, Source
from engine.client.animations import AnimationPanel, looked_at
from engine.client.animations_view import AnimationsView
from engine.client.audio import Audio
from engine.client.canvas import Canvas
from engine.client.commands import commands
from engine.client.console import Console
from engine.client.input import Controls, EventReader, Look
from engine.client.inspector import Inspector
from engine.client.inspector_view import InspectorView
from engine.client.loading import Loading
from engine.client.menu import Menu
from engine.client.overlay import Overlay
from engine.client.pages import pause_page
from engine.client.pictures import PICTURES, UnwritableError, encoded, write_picture
from engine.client.render.renderer import Pixels, at_once
from engine.client.session import Session
from engine.client.stage import FRAME, Stage
from engine.client.text import Letters
from engine.client.toast import Toast, Toasts, first_line, toast_of
from engine.client.window import Window, WindowSettings
from engine.mods.journal import Inspection, LogLine
from engine.pipeline.model import Model
from engine.world.view import LevelGeometry

_INSPECT_EVERY = 0.25
_IDLE = 0.004
"""Seconds between two looks for saves, where a run without a screen keeps the clock."""
_SWITCH = 0.001
"""Seconds after which a waiting thread gets its turn. With the 0.005 of Python a save waited three frames at worst."""
FRAMES_A_SECOND = round(1 / FRAME)
_MENU_KEYS = {
    pygame.K_UP: "up", pygame.K_w: "up", pygame.K_DOWN: "down", pygame.K_s: "down", pygame.K_LEFT: "left",
    pygame.K_a: "left", pygame.K_RIGHT: "right", pygame.K_d: "right", pygame.K_RETURN: "choose",
    pygame.K_KP_ENTER: "choose", pygame.K_SPACE: "choose", pygame.K_ESCAPE: "back", pygame.K_BACKSPACE: "back",
}  # fmt: skip
_MENU_PAD = {
    pygame.CONTROLLER_BUTTON_DPAD_UP: "up", pygame.CONTROLLER_BUTTON_DPAD_DOWN: "down",
    pygame.CONTROLLER_BUTTON_DPAD_LEFT: "left", pygame.CONTROLLER_BUTTON_DPAD_RIGHT: "right",
    pygame.CONTROLLER_BUTTON_A: "choose", pygame.CONTROLLER_BUTTON_B: "back",
    pygame.CONTROLLER_BUTTON_START: "back",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AppSettings:
    """Of one run.

    preferences  where they are kept, None for nowhere, as tests want it
    silent       no sound is wanted
    announce     takes what there is to say while a level is prepared and no window shows it
    """

    window: WindowSettings = field(default_factory=WindowSettings)
    preferences: Path | None = field(default_factory=prefs.default_path)
    silent: bool = False
    announce: Callable[[str], None] | None = None


class ClientApp:
    """One window on one session. `run` plays; `headless` plays without anybody; `step` is one turn of the
    loop, for tests."""

    def __init__(self, session: Session, settings: AppSettings | None = None) -> None:
        self.session = session
        self.settings = settings or AppSettings()
        path = self.settings.preferences
        self.preferences, complaint = prefs.load(path) if path is not None else (prefs.Preferences(), "")
        window = self.settings.window
        if self.preferences.full_screen:
            window = replace(window, full_screen=True)
        self.window = Window(window, session.title)
        self.bindings, damage = keymap.load(path.with_name(keymap.FILE)) if path else (Bindings(), "")
        self.reader = EventReader(self.bindings)
        self.controls = Controls(Look(self.preferences.sensitivity, self.preferences.invert))
        silent = self.settings.silent or window.headless
        self.audio = Audio(session.library, self.preferences, silent=silent)
        self.overlay = Overlay()
        self.inspector = Inspector(session.debugger, session.execute)
        self._inspector_view = InspectorView(self.inspector)
        self.animations = AnimationPanel(session.playing)
        self._animations_view = AnimationsView(self.animations)
        self.toasts = Toasts()
        self.console = Console(session.execute, session.commands, session.variables)
        self.console.own.update(commands(self))
        self.menu = Menu(lambda: self.audio.play_name("ui_click"))
        self.letters = Letters(self.window.renderer.size[1])
        self.stage = Stage(session, self.controls, self.audio, self.overlay.timings, self.preferences.fov)
        self._geometry: LevelGeometry | None = None
        self._prop_models: list[Model] = []
        self._inspection = Inspection()
        self._inspect_in = 0.0
        self._untold = 0
        self._stood = 0.0
        self._skip_text = False
        self._over = False
        self._closed = False
        for sentence in (complaint, damage, self.audio.problem, *self.window.notes):
            if sentence:
                self.tell("warning", sentence)
        self.window.notes.clear()
        for sentence in self.window.remarks:
            self.console.write(sentence, "quiet")

    # Time ------------------------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        return self.menu.open

    def run(self, seconds: float | None = None, screenshot: Path | None = None) -> str:
        """Plays until the window is closed, or for so many seconds; then writes the last picture to `screenshot`.

        Returns a sentence about what went wrong with the picture, "" where nothing did.
        """
        clock = pygame.time.Clock()
        _settle_python()
        self.window.grab_mouse(True)
        pygame.key.start_text_input()
        try:
            played = 0.0
            while not self._over and (seconds is None or played < seconds):
                turn = clock.tick(240) / 1000.0
                played += turn
                self.step(turn)
            return self.save_picture(screenshot) if screenshot is not None else ""
        finally:
            self.close()

    def step(self, seconds: float) -> None:
        """One turn: events, time, picture."""
        # One by one: where an event takes the mouse, what moved it before is still in the queue and is dropped there.
        while (event := pygame.event.poll()).type != pygame.NOEVENT:
            self.handle(event)
        self.advance(seconds)
        start = time.perf_counter()
        if self.window.renderer.beside:
            self.draw(self.window.show)  # the last picture: it was being drawn while the game went on
        else:
            self.draw()
            self.window.show()
        self.overlay.timings.drawing.append((time.perf_counter() - start) * 1000.0)
        self.overlay.timings.pictures.append(seconds * 1000.0)
        self.session.idle()

    def advance(self, seconds: float) -> None:
        """Lets time pass for the game, unless it is paused, and for everything that fades."""
        self.controls.stick(*(self.reader.sticks() if self._playing else ((0.0, 0.0), (0.0, 0.0))))
        if self.paused:
            self._stand(seconds)
        else:
            self._untold += self.stage.advance(seconds)
            if self._untold >= FRAMES_A_SECOND:
                self._untold -= FRAMES_A_SECOND
                self.session.tell_frame(self.overlay.timings.summary())
        self._read_log()
        self.toasts.step(seconds)
        self.console.step(seconds)
        self.inspector.step(seconds, self.stage.now.time)
        self.animations.step(self.stage.now.time)
        self._inspect_in -= seconds
        if self.overlay.shown and self._inspect_in <= 0:
            self._inspection, self._inspect_in = self.session.inspect(), _INSPECT_EVERY
        if self.window.notes:
            for note in self.window.notes:
                self.tell("warning", note)
            self.window.notes.clear()

    def _stand(self, seconds: float) -> None:
        """While paused, saves are taken in as often as frames would have been played."""
        self._stood += seconds
        if self._stood >= FRAME:
            self._stood = 0.0
            self.stage.stand()

    def _load_level(self, before: Callable[[], None]) -> bool:
        """Hands a new level to the renderer, after `before`; whether there was one. Only when a picture is drawn: a run
        without pictures needs none."""
        geometry = self.session.geometry
        models = [self.session.library.model(prop.model) for prop in geometry.models]
        new = geometry is not self._geometry
        if new:
            before()
            loading = Loading(self.window, self.letters, self.session.title, self.settings.announce)
            self.window.renderer.load_level(geometry, self.stage.props(), loading)
            self.window.forget_motion()
        elif models != self._prop_models:
            self.window.renderer.replace_props(self.stage.props())
        self._geometry, self._prop_models = geometry, models
        return new

    def _read_log(self) -> None:
        for line in self.session.drain_log():
            self.log(line)

    def log(self, line: LogLine) -> None:
        """To the console, and to a toast where it is a fault or a reload."""
        self.console.add(line)
        toast = toast_of(line)
        if toast is not None:
            self.toasts.add(toast)

    def tell(self, kind: str, text: str) -> None:
        """Something about the client itself."""
        self.console.write(text, "warning" if kind == "warning" else "quiet")
        self.toasts.add(Toast("warning" if kind == "warning" else "good", first_line(text)))

    # Picture ---------------------------------------------------------------------------------------------

    def draw(self, before: Callable[[], None] = at_once) -> None:
        """Draws a picture; for `before` see `Renderer.draw`."""
        if self._load_level(before):
            before = at_once  # it has shown the last picture, and what goes on since
        renderer = self.window.renderer
        scene = self.stage.scene()
        self.letters.resize(renderer.size[1])
        canvas = Canvas(self.letters, renderer.size)
        self.stage.draw_hud(canvas)
        self.overlay.draw(canvas, renderer.name, self._inspection)
        self._animations_view.draw(canvas, self.stage.now, scene.camera, self._animation_keys())
        self._inspector_view.draw(canvas)
        self.toasts.draw(canvas, low=self.inspector.open)
        self.menu.draw(canvas)
        self.console.draw(canvas)
        scene.quads, scene.sheet = canvas.quads(), self.letters.sheet
        renderer.draw(scene, before)
        self.overlay.timings.triangles = renderer.triangles

    def pixels(self) -> Pixels:
        """The last picture, (H, W, 3) sRGB."""
        return self.window.renderer.read_pixels()

    def save_picture(self, path: Path) -> str:
        """Writes the last picture as what the name's ending says; a sentence on why not, "" where it went well."""
        if path.suffix.lower() not in PICTURES:
            return f"a picture's name ends in {', '.join(PICTURES)}, and {path} does not"
        pixels = self.pixels()
        surface = pygame.image.frombytes(pixels.tobytes(), (pixels.shape[1], pixels.shape[0]), "RGB")
        try:
            write_picture(path, encoded(surface, path.suffix.lower()))
        except UnwritableError as error:
            return f"the picture {error}"
        return ""

    # Events ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        return not self.menu.open and not self.console.open and not self.inspector.open

    def handle(self, event: pygame.event.Event) -> None:
        """One event of the window."""
        if event.type == pygame.QUIT:
            self._over = True
        elif event.type == pygame.WINDOWSIZECHANGED:
            self.window.resized((event.x, event.y))
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._lose_focus()
        elif event.type == pygame.WINDOWFOCUSGAINED:
            self.window.grab_mouse(self._playing)
        elif event.type == pygame.TEXTINPUT:
            if self.console.open and not self._skip_text:
                self.console.insert(event.text)
            self._skip_text = False
        elif event.type == pygame.MOUSEMOTION:
            if self.menu.open:
                self.menu.point(*event.pos)
            elif self.inspector.open:
                self.inspector.pointer = event.pos
            elif self._playing and self.window.grabbed:
                self.controls.turn(*self.window.turned(event.rel))
        else:
            self.reader.device_event(event)
            found = self.reader.source(event)
            if found is not None:
                self._source(event, *found)

    def _lose_focus(self) -> None:
        """The game goes on beside an editor, unless the player has asked for a pause."""
        self.controls.release_all()
        if self._playing and self.preferences.pause_away:
            self.pause()
        self.window.grab_mouse(False)

    def _source(self, event: pygame.event.Event, source: Source, pressed: bool) -> None:
        if self.menu.listening and not self.console.open:
            if pressed:
                self.menu.hear(source)
            return
        action = self.reader.bindings.action(source)
        if pressed and action in (Action.CONSOLE, Action.OVERLAY, Action.FULL_SCREEN, Action.SCREENSHOT):
            self.act(action)
        elif self.console.open:
            self._console_event(event, pressed)
        elif self.menu.open:
            self._menu_event(event, pressed)
        elif self.inspector.open:
            self._inspector_event(event, pressed)
        elif action is not None:
            if pressed:
                self.act(action)
            else:
                self.controls.release(action)

    def _console_event(self, event: pygame.event.Event, pressed: bool) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self.console.scroll_by(3 * event.y)
        elif event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                self.toggle_console()
            else:
                self.console.key(event.key, control=bool(event.mod & pygame.KMOD_CTRL))

    def _inspector_event(self, event: pygame.event.Event, pressed: bool) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self.inspector.wheel(event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.inspector.click(*event.pos)
        elif event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                self._show_inspector(False)
            else:
                self.inspector.key(event.key)

    def _menu_event(self, event: pygame.event.Event, pressed: bool) -> None:
        if not pressed:
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.menu.click(*event.pos)
        elif event.type == pygame.KEYDOWN and event.key in _MENU_KEYS:
            self.menu.move(_MENU_KEYS[event.key])  # type: ignore[arg-type]  # its words
        elif event.type == pygame.CONTROLLERBUTTONDOWN and event.button in _MENU_PAD:
            self.menu.move(_MENU_PAD[event.button])  # type: ignore[arg-type]  # its words
        if not self.menu.open:
            self.resume()

    def act(self, action: Action) -> None:
        """An action was asked for: what concerns the window happens here, the rest goes into the next command."""
        deeds: dict[Action, Callable[[], None]] = {
            Action.PAUSE: self.pause,
            Action.CONSOLE: self.toggle_console,
            Action.OVERLAY: self._toggle_overlay,
            Action.ANIMATIONS: self._toggle_animations,
            Action.FULL_SCREEN: self.toggle_full_screen,
            Action.SCREENSHOT: self.screenshot,
            Action.VIEW: self.toggle_view,
            Action.SAVE: lambda: self._quick("save"),
            Action.LOAD: lambda: self._quick("load"),
        }
        deed = deeds.get(action)
        if deed is not None:
            deed()
        else:
            self.controls.press(action)

    def pause(self) -> None:
        self.controls.release_all()
        self.window.grab_mouse(False)
        self.audio.pause(True)
        self.menu.show(pause_page(self))

    def resume(self) -> None:
        self.menu.close()
        self.audio.pause(False)
        self.window.grab_mouse(self._playing)

    def restart(self) -> None:
        self.resume()
        self.console.submit("map_restart")

    def quit(self) -> None:
        self._over = True

    @property
    def over(self) -> bool:
        """Whether the window was closed or the player wants to leave."""
        return self._over

    def toggle_console(self) -> None:
        self.console.open = not self.console.open
        self.controls.release_all()
        # The key that opens it is a letter too, and must not be the first one typed.
        self._skip_text = self.console.open
        self.window.grab_mouse(self._playing)

    def _toggle_overlay(self) -> None:
        """From nothing to the figures, to the scripts, to nothing."""
        figures = not self.overlay.shown and not self.inspector.open
        self._show_inspector(self.overlay.shown)
        self.overlay.shown = figures
        self._inspect_in = 0.0

    def _show_inspector(self, shown: bool) -> None:
        self.inspector.open = shown
        self.controls.release_all()
        self.window.grab_mouse(not shown and self._playing)
        if shown:
            self.inspector.refresh()

    def _toggle_animations(self) -> None:
        """The panel on whom one looks at, on another, or away."""
        stage = self.stage
        self._say(self.animations.press(looked_at(stage.now, stage.camera, self._others())))

    def _others(self) -> list[int]:
        """Who plays animations, without the player who looks."""
        own = self.stage.player.entity if self.stage.player is not None else None
        return [number for number in self.animations.players() if number != own]

    def show_animations(self, number: int) -> str:
        """The panel on an entity; what to say where it has nothing to show."""
        return self.animations.show(number)

    def _animation_keys(self) -> str:
        return f"{self.bindings.label(Action.ANIMATIONS)}: another figure to look at; looking at nobody, it closes"

    def _say(self, text: str) -> None:
        if text:
            self.tell("warning", text)

    def toggle_view(self) -> None:
        self.stage.view.third_person = not self.stage.view.third_person

    def toggle_full_screen(self) -> None:
        self.window.toggle_full_screen()
        self.prefer(replace(self.preferences, full_screen=self.window.full_screen))

    def screenshot(self) -> None:
        name = datetime.now().strftime("notetrack-%Y%m%d-%H%M%S.png")
        path = paths.state() / "screenshots" / name
        problem = self.save_picture(path)
        self.tell("warning" if problem else "info", problem or f"saved {path}")

    def _quick(self, command: str) -> None:
        answer = self.session.execute(command)
        self.tell("warning" if answer.startswith("error:") else "info", answer)

    def prefer(self, preferences: prefs.Preferences) -> None:
        """Settings changed: they hold at once and the next time."""
        self.preferences = self.audio.preferences = preferences
        self.controls.look = Look(preferences.sensitivity, preferences.invert)
        self.stage.view.fov = preferences.fov
        if self.settings.preferences is not None:
            problem = prefs.save(preferences, self.settings.preferences)
            if problem:
                self.tell("warning", problem)

    def bind(self, bindings: Bindings) -> None:
        """Keys changed: they hold at once and the next time."""
        self.bindings = self.reader.bindings = bindings
        self.controls.release_all()
        if self.settings.preferences is not None:
            problem = keymap.save(bindings, self.settings.preferences.with_name(keymap.FILE))
            if problem:
                self.tell("warning", problem)

    # Without a screen ------------------------------------------------------------------------------------

    def headless(
        self,
        seconds: float,
        screenshot: Path | None = None,
        *,
        realtime: bool = False,
        draw: bool = False,
        close: bool = False,
    ) -> str:
        """Plays `seconds` of game time without anybody at the keys and writes a picture of the end.

        As fast as it can, or with `realtime` by the clock. With `draw` every server frame is drawn, for its figures.
        The picture is taken from where most is to be seen, or with `close` from before one of the figures.
        Returns a sentence about what went wrong with the picture, "" where nothing did.
        """
        if realtime:
            _settle_python()
        start = time.monotonic()
        for number in range(1, round(seconds / FRAME) + 1):
            began = time.perf_counter()
            self.advance(FRAME)
            if draw:
                self._draw_whole(began)
            if realtime:
                self._wait_until(start + number * FRAME)
            if self._over:
                break
        if screenshot is None:
            return ""
        self.stage.advance(FRAME * 0.5)
        self.stage.find_shot(close)
        self.draw()
        return self.save_picture(screenshot)

    def _wait_until(self, moment: float) -> None:
        while (left := moment - time.monotonic()) > 0:
            self.session.idle()
            time.sleep(min(left, _IDLE))

    def _draw_whole(self, began: float) -> None:
        """Draws and waits until the picture is there; a driver may only have been told what to do when `draw` returns.

        `began` is when the picture's work began, its server frame included.
        """
        start = time.perf_counter()
        self.draw()
        self.pixels()
        end = time.perf_counter()
        self.overlay.timings.drawing.append((end - start) * 1000.0)
        self.overlay.timings.pictures.append((end - began) * 1000.0)

    def close(self) -> None:
        """End everything. Once more does nothing: who is interrupted does not know how far it was."""
        if self._closed:
            return
        self._closed = True
        self.audio.close()
        self.window.close()
        self.session.close()


def _settle_python() -> None:
    """The collector is kept out of the pictures. Other threads get their turn sooner than usual: news of a saved file
    passes three of them before the game hears of it."""
    sys.setswitchinterval(_SWITCH)
    collecting.settle()
