"""What every preview's window does: the loop, the camera under the mouse, pictures, and files that change."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import pygame

from engine.client.canvas import Canvas
from engine.client.preview.bones import draw_bones
from engine.client.preview.files import UnwritableError, png, write_picture
from engine.client.preview.spots import Spot
from engine.client.preview.studio import AIR, Orbit, floor_batch
from engine.client.render.scene import Camera, Float32, ModelBatch, Scene
from engine.client.text import Letters
from engine.client.toast import Toast, Toasts
from engine.client.window import Window
from engine.mods.watch import FileWatcher
from engine.pipeline.background import BackgroundCook
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.source import Diagnostic

LONGEST_STEP = 0.1
"""Seconds that one picture may count for; a hiccup does not make the figure jump."""

Report = Callable[[Diagnostic], None]


class Board(Protocol):
    """What is drawn over the figure, and remembers where things lie."""

    help: bool
    scroll: float

    def at(self, x: float, y: float) -> Spot | None: ...


class Showing(ABC):
    """One subject in one window. `run` returns when the window is closed."""

    def __init__(self, window: Window, library: AssetLibrary, report: Report) -> None:
        self.window, self.library = window, library
        self.orbit = Orbit()
        self.toasts = Toasts()
        self.bones = False
        self.grid = True
        self.done = False
        self.pictures = Path()
        self._report = report
        self._letters = Letters(window.size[1])
        self._drag: Spot | str | None = None

    # What a preview is made of --------------------------------------------------------------------------

    @property
    @abstractmethod
    def board(self) -> Board: ...

    @property
    @abstractmethod
    def name(self) -> str:
        """For the names of pictures."""

    @property
    @abstractmethod
    def model(self) -> Model: ...

    @abstractmethod
    def place(self) -> tuple[float, float, float]:
        """Where the figure stands; the camera goes along."""

    @abstractmethod
    def bone_places(self) -> Float32:
        """(B, 3) places of the bones in the world."""

    @abstractmethod
    def room(self) -> Float32:
        """(N, 3) points that enclose the figure."""

    @abstractmethod
    def batches(self) -> list[ModelBatch]: ...

    @abstractmethod
    def advance(self, seconds: float) -> None:
        """Let what is shown go on."""

    @abstractmethod
    def draw_over(self, canvas: Canvas, camera: Camera) -> None:
        """Draw what lies over the picture."""

    @abstractmethod
    def actions(self) -> dict[int, Callable[[], object]]:
        """What keys do, beside those of every preview."""

    @abstractmethod
    def press(self, spot: Spot, place: tuple[int, int], button: int, shift: bool) -> Spot | None:
        """A part of the board was clicked; what goes on being dragged."""

    @abstractmethod
    def turn_wheel(self, spot: Spot, turns: float, shift: bool) -> None:
        """The wheel was turned over a part of the board."""

    @abstractmethod
    def reload(self, files: Iterable[Path]) -> bool:
        """Read again what is shown; a fault leaves everything as it was. Whether it went well."""

    @abstractmethod
    def drag_spot(self, spot: Spot, place: tuple[int, int]) -> None:
        """The mouse moves with a part of the board held."""

    # The loop -------------------------------------------------------------------------------------------

    def run(self, watched: Iterable[Path]) -> None:
        watcher = FileWatcher(watched, lambda text: self.toasts.add(Toast("warning", text)))
        cooking = BackgroundCook(self.library)
        changed: set[Path] = set()
        clock = time.monotonic()
        try:
            while not self.done:
                for event in pygame.event.get():
                    self.handle(event)
                changes = watcher.poll()
                if changes is not None:
                    changed |= changes.changed | changes.removed
                    cooking.begin()
                if cooking.done():
                    self.reload(changed)
                    changed.clear()
                now = time.monotonic()
                self.step(min(now - clock, LONGEST_STEP))
                pause = 1 / 60 - (now - clock)
                clock = now
                self.draw()
                self.window.show()
                if pause > 0:
                    time.sleep(pause)
        finally:
            watcher.close()

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
        place = self.place()
        camera = self.orbit.camera(place)
        if self.bones:
            draw_bones(canvas, camera, self.bone_places(), self.model.skeleton)
        self.draw_over(canvas, camera)
        self.toasts.draw(canvas)
        scene = Scene(camera, atmosphere=AIR)
        scene.models = [*([floor_batch(place, self.model)] if self.grid else []), *self.batches()]
        scene.quads, scene.sheet = canvas.quads(), self._letters.sheet
        return scene

    def frame_figure(self) -> None:
        """Bring the whole figure into the free part of the picture."""
        width, height = self.window.renderer.size
        self.orbit.frame(self.room(), width / height)
        self.orbit.distance *= 1.25

    # Events ---------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """One event of the window."""
        if event.type == pygame.QUIT:
            self.done = True
        elif event.type == pygame.VIDEORESIZE:
            self.window.resized((event.w, event.h))
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._press(event.pos, event.button)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._drag = None
        elif event.type == pygame.MOUSEMOTION and self._drag is not None:
            self._move(event.pos, event.rel)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y, pygame.mouse.get_pos())

    def _key(self, key: int) -> None:
        common: dict[int, Callable[[], object]] = {
            pygame.K_b: lambda: setattr(self, "bones", not self.bones),
            pygame.K_g: lambda: setattr(self, "grid", not self.grid),
            pygame.K_f: self.frame_figure,
            pygame.K_h: lambda: setattr(self.board, "help", not self.board.help),
            pygame.K_F11: self.window.toggle_full_screen,
            pygame.K_F12: self._save_picture,
            pygame.K_ESCAPE: lambda: setattr(self, "done", True),
        }
        action = {**common, **self.actions()}.get(key)
        if action is not None:
            action()

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
        spot = self.board.at(*place)
        shift = _shift()
        if spot is None:
            self._drag = "pan" if button != 1 or shift else "turn"
        else:
            self._drag = self.press(spot, place, button, shift)

    def _move(self, place: tuple[int, int], moved: tuple[int, int]) -> None:
        if isinstance(self._drag, Spot):
            self.drag_spot(self._drag, place)
        elif self._drag == "pan":
            self.orbit.pan(moved[0], moved[1], self.window.renderer.size[0])
        else:
            self.orbit.drag(*moved)

    def _wheel(self, turns: float, place: tuple[int, int]) -> None:
        spot = self.board.at(*place)
        if spot is None:
            self.orbit.zoom(turns)
        else:
            self.turn_wheel(spot, turns, _shift())

    # Words ----------------------------------------------------------------------------------------------

    def tell(self, diagnostic: Diagnostic) -> None:
        """Show a fault as a card and print it."""
        self._report(diagnostic)
        place = ""
        if diagnostic.span is not None:
            place = f"{Path(diagnostic.span.path).name}:{diagnostic.span.line}"
        self.toasts.add(
            Toast("warning" if diagnostic.severity == "warning" else "bad", diagnostic.message, place)
        )

    def told_read_again(self, files: set[Path], began: float) -> None:
        """Say that files were read again; `began` is when, on the monotonic clock."""
        names = ", ".join(sorted({path.name for path in files})) or self.name
        self.toasts.add(Toast("good", f"{names} read again in {1000 * (time.monotonic() - began):.0f} ms"))


def _shift() -> bool:
    return bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
