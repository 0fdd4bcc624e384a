"""What every preview has in its window: a figure, a board over it, and a camera under the mouse."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import pygame

from engine.client.canvas import Canvas
from engine.client.pictures import UnwritableError, png, write_picture
from engine.client.preview.bones import draw_bones
from engine.client.preview.key_list import Keys, draw_keys
from engine.client.preview.look import Look
from engine.client.preview.problems import Problems, draw_problems
from engine.client.preview.spots import Press, Spot
from engine.client.preview.studio import ABOVE, FRONT, SIDE, Orbit
from engine.client.render.scene import Camera, Float32, ModelBatch, Scene
from engine.client.text import Letters
from engine.client.toast import Toast, Toasts, tallest, usual_top
from engine.client.window import Window
from engine.mods.rereading import Reread, conditions, names_for
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.source import Diagnostic
from engine.world.view import Vector

DOUBLE = 350
"""Milliseconds within which a second press is a double click."""

LIGHT = 0.4
"""Degrees that the light turns for a pixel of the mouse."""

Report = Callable[[Diagnostic], None]


class Shown(Protocol):
    """What is shown: a name and a model."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> Model: ...


class Figure(Protocol):
    """A stage: it goes on, and says what is to be drawn."""

    playing: bool

    @property
    def subject(self) -> Shown: ...
    @property
    def standing(self) -> Vector:
        """Where it stands on the ground; the camera goes along."""

    def step(self, seconds: float) -> None: ...
    def faster(self, step: int) -> None: ...
    def batches(self) -> list[ModelBatch]: ...
    def bones(self) -> Float32:
        """(B, 3) places of the bones in the world."""

    def room(self) -> Float32:
        """(N, 3) points that enclose it."""


class Board(Protocol):
    """What is drawn over the figure, and remembers where things lie."""

    help: bool
    scroll: float

    @property
    def keys(self) -> Keys: ...

    def covers(self) -> tuple[float, float, float]:
        """Width of what lies at the left and at the right, and height of the foot, in units of a picture 720 high."""

    def at(self, x: float, y: float) -> Spot | None: ...


F = TypeVar("F", bound=Figure)
B = TypeVar("B", bound=Board)


@dataclass(slots=True)
class _Clicked:
    """The last press of the mouse, for telling double clicks."""

    part: str = ""
    node: int = -1
    at: int = -DOUBLE


class Showing(ABC, Generic[F, B]):
    """One subject in a window; whoever owns it lets time pass and hands it the events (see `gallery`)."""

    def __init__(self, window: Window, library: AssetLibrary, report: Report, stage: F, panel: B) -> None:
        self.window, self.library = window, library
        self.stage, self.panel = stage, panel
        self.orbit = Orbit()
        self.look = Look()
        self.toasts = Toasts()
        self.problems = Problems()
        self.busy = ""
        """What is being done meanwhile, "" for nothing."""
        self.done = False
        self.dropped: list[Path] = []
        """Files that were dropped on the window and are not looked at yet."""
        self.pointer = (-1, -1)
        self.pictures = Path()
        self._report = report
        self._letters = Letters(window.size[1])
        self._drag: Spot | str | None = None
        self._clicked = _Clicked()
        self._broken: set[str] = set()
        """Sources of what is shown that cannot be read as they are now."""

    # What a preview is made of --------------------------------------------------------------------------

    @abstractmethod
    def actions(self) -> dict[int, Callable[[], object]]:
        """What keys do, beside those of every preview."""

    @abstractmethod
    def press(self, spot: Spot, how: Press) -> Spot | None:
        """A part of the board was clicked; what goes on being dragged."""

    @abstractmethod
    def turn_wheel(self, spot: Spot, turns: float, shift: bool) -> None:
        """The wheel was turned over a part of the board."""

    @abstractmethod
    def draw_over(self, canvas: Canvas, camera: Camera) -> float:
        """Draw the board, and what else lies over the picture; where that begins at the foot."""

    @abstractmethod
    def reload(self, files: Iterable[Path]) -> bool:
        """Read again what is shown; a fault leaves everything as it was. Whether it went well."""

    @abstractmethod
    def watched(self) -> set[Path]:
        """Folders and single files that it was made of."""

    def drag_spot(self, spot: Spot, place: tuple[int, int]) -> None:
        """The mouse moves with a part of the board held."""

    def batches(self) -> list[ModelBatch]:
        """The figures."""
        return self.stage.batches()

    def ground(self) -> list[ModelBatch]:
        """What lies on the ground."""
        return []

    def room(self) -> Float32:
        """(N, 3) points that enclose all figures."""
        return self.stage.room()

    def type(self, event: pygame.event.Event) -> bool:
        """An event of the keyboard, where something is being typed; whether it was meant for that."""
        return False

    def advance(self, seconds: float) -> None:
        """Let what is shown go on."""
        self.stage.step(seconds)

    @property
    def name(self) -> str:
        return self.stage.subject.name

    @property
    def model(self) -> Model:
        return self.stage.subject.model

    # Time and picture -----------------------------------------------------------------------------------

    def step(self, seconds: float) -> None:
        self.advance(seconds)
        self.toasts.step(seconds)

    def draw(self) -> None:
        """Draw one picture; the window shows it at its next flip."""
        self.window.renderer.draw(self.scene())

    def scene(self) -> Scene:
        size = self.window.renderer.size
        self._letters.resize(size[1])
        canvas = Canvas(self._letters, size)
        camera = self.orbit.camera(self.stage.standing)
        if self.look.bones:
            draw_bones(canvas, camera, self.stage.bones(), self.model.skeleton, names=self.look.bones > 1)
        self._draw_right(canvas, self.draw_over(canvas, camera))
        scene = Scene(camera, atmosphere=self.look.air(self.orbit.distance))
        pixel = self.orbit.pixel(size[0])
        scene.models = (
            self.look.models(self.stage.standing, self.model, self.batches(), pixel) + self.ground()
        )
        scene.quads, scene.sheet = canvas.quads(), self._letters.sheet
        return scene

    def _draw_right(self, canvas: Canvas, foot: float) -> None:
        """At the right, above the `foot`: problems or keys, and below them the cards, of which one has room there
        always."""
        gap = 8 * canvas.unit
        bottom = foot - tallest(canvas) - 2 * gap
        top = draw_problems(canvas, self.problems, bottom)
        if self.panel.help and not self.problems.open:
            top = draw_keys(canvas, self.panel.keys, bottom)
        self.toasts.draw(canvas, between=(max(top + gap, usual_top(canvas)), foot - gap))

    def frame_figure(self) -> None:
        """Bring the whole figure into the part of the picture that the board leaves free."""
        width, height = self.window.renderer.size
        left, right, foot = (part * height / 720.0 for part in self.panel.covers())
        wide, tall = max(width - left - right, 1.0), max(height - foot, 1.0)
        self.orbit.frame(self.room(), wide / tall)
        # Framed for the free part; the whole picture is wider by this.
        self.orbit.distance *= width / wide
        self.orbit.aside = (left - right) / 2 / width, -foot / 2 / width

    # Events ---------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """One event of the window."""
        if event.type == pygame.QUIT:
            self.done = True
        elif event.type == pygame.VIDEORESIZE:
            self.window.resized((event.w, event.h))
        elif event.type == pygame.DROPFILE:
            self.dropped.append(Path(event.file))
        elif event.type in (pygame.KEYDOWN, pygame.TEXTINPUT) and self.type(event):
            return
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._press(event.pos, event.button)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._drag = None
        elif event.type == pygame.MOUSEMOTION:
            self.pointer = event.pos
            if self._drag is not None:
                self._move(event.pos, event.rel)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y, pygame.mouse.get_pos())

    def all_actions(self) -> dict[int, Callable[[], object]]:
        """What keys do."""
        common: dict[int, Callable[[], object]] = {
            pygame.K_SPACE: self.play,
            pygame.K_LEFTBRACKET: lambda: self.stage.faster(-1),
            pygame.K_RIGHTBRACKET: lambda: self.stage.faster(1),
            pygame.K_f: self.frame_figure,
            pygame.K_KP1: lambda: self.orbit.look_from(*FRONT),
            pygame.K_KP3: lambda: self.orbit.look_from(*SIDE),
            pygame.K_KP7: lambda: self.orbit.look_from(*ABOVE),
            pygame.K_h: lambda: setattr(self.panel, "help", not self.panel.help),
            pygame.K_x: self.problems.toggle,
            pygame.K_F11: self.window.toggle_full_screen,
            pygame.K_F12: self._save_picture,
            pygame.K_ESCAPE: lambda: setattr(self, "done", True),
        }
        return {**common, **self.look.actions(), **self.actions()}

    def _key(self, key: int) -> None:
        action = self.all_actions().get(key)
        if action is not None:
            action()

    def play(self) -> None:
        """Play or pause."""
        self.stage.playing = not self.stage.playing

    def _save_picture(self) -> None:
        path = self.pictures / f"{self.name}-{time.strftime('%H%M%S')}.png"
        picture = pygame.surfarray.make_surface(self.window.renderer.read_pixels().swapaxes(0, 1))
        try:
            write_picture(path, png(picture))
        except UnwritableError as error:
            self.toasts.add(Toast("bad", str(error)))
        else:
            self.toasts.add(Toast("good", f"saved {path}"))

    def _press(self, place: tuple[int, int], button: int) -> None:
        spot = self.problems.at(*place) or self.panel.at(*place)
        keys, now = pygame.key.get_mods(), pygame.time.get_ticks()
        shift, control = bool(keys & pygame.KMOD_SHIFT), bool(keys & pygame.KMOD_CTRL)
        if spot is None:
            self._drag = "light" if control else "pan" if button == 3 or shift else "turn"
            return
        before, self._clicked = self._clicked, _Clicked(spot.part, spot.node, now)
        double = (before.part, before.node) == (spot.part, spot.node) and now - before.at < DOUBLE
        self._drag = None
        if spot.part == "problem":
            self._choose_problem(spot.node)
        elif spot.part == "problems":
            self.problems.toggle()
        else:
            self._drag = self.press(spot, Press(place, button, shift, control, double))

    def _choose_problem(self, number: int) -> None:
        self.problems.choose(number)

    def _move(self, place: tuple[int, int], moved: tuple[int, int]) -> None:
        self._clicked = _Clicked()  # a press after a drag is no double click
        if isinstance(self._drag, Spot):
            self.drag_spot(self._drag, place)
        elif self._drag == "light":
            self.look.turn_light(moved[0] * LIGHT, -moved[1] * LIGHT)
        elif self._drag == "pan":
            self.orbit.pan(moved[0], moved[1], self.window.renderer.size[0])
        else:
            self.orbit.drag(*moved)

    def _wheel(self, turns: float, place: tuple[int, int]) -> None:
        spot = self.problems.at(*place) or self.panel.at(*place)
        if spot is None:
            self.orbit.zoom(turns)
        elif spot.part in ("problem", "problem list"):
            self.problems.scroll -= turns
        else:
            self.turn_wheel(spot, turns, bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))

    # Words ----------------------------------------------------------------------------------------------

    def look_over(self, warnings: Iterable[Diagnostic], sources: Iterable[str]) -> bool:
        """List what is wrong with what is shown: of its own, and with the sources of its models and clips, by name.
        Whether one that could not be read can be now."""
        now = conditions(self.library, sources)
        self.problems.set_found([*warnings, *(fault for found in now.values() for fault in found.faults)])
        before, self._broken = self._broken, {name for name, found in now.items() if found.broken}
        return not before <= self._broken

    def tell(self, diagnostic: Diagnostic) -> None:
        """Show a fault as a card and print it."""
        self._report(diagnostic)
        self._show(diagnostic)

    def tell_broken(self, read: Reread) -> bool:
        """Show what cannot be read of the sources that were saved; whether that is nothing of what is shown."""
        for fault in read.untold:
            self._report(fault)  # the library has printed the others
        mine = [fault for name, faults in read.broken.items() if name in self._broken for fault in faults]
        for fault in mine:
            self._show(fault)
        return not mine

    def _show(self, diagnostic: Diagnostic) -> None:
        place = ""
        if diagnostic.span is not None:
            place = f"{Path(diagnostic.span.path).name}:{diagnostic.span.line}"
        self.toasts.add(
            Toast("warning" if diagnostic.severity == "warning" else "bad", diagnostic.message, place)
        )

    def refuse(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Something could not be read: its faults are told and head the list of problems."""
        found = list(diagnostics)
        for diagnostic in found:
            self.tell(diagnostic)
        self.problems.set_refused(found)

    def told_read_again(self, files: set[Path], read: Reread, began: float) -> None:
        """Say that files were read again, but for those that cannot be; `began` is when, on the monotonic clock."""
        self.toasts.forget("bad")
        names = ", ".join(sorted({path.name for path in files if not read.broken.keys() & names_for(path)}))
        names = names or self.name
        self.toasts.add(Toast("good", f"{names} read again in {1000 * (time.monotonic() - began):.0f} ms"))
