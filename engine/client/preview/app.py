"""The preview's window: events to the stage and the camera, pictures, and reading files again when they change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pygame

from engine.client.canvas import Canvas
from engine.client.preview.bones import draw_bones
from engine.client.preview.figure import extent
from engine.client.preview.files import UnwritableError, png, write_picture
from engine.client.preview.panel import Panel, Spot
from engine.client.preview.stage import Stage
from engine.client.preview.studio import AIR, Orbit, floor_batch
from engine.client.preview.subject import Order, Subject, UnknownSubjectError, open_subject
from engine.client.render.scene import Scene
from engine.client.text import Letters
from engine.client.toast import Toast, Toasts
from engine.client.window import Window
from engine.mods.watch import FileWatcher
from engine.pipeline.background import BackgroundCook
from engine.pipeline.library import AssetLibrary
from engine.pipeline.skins import in_skin
from engine.source import Diagnostic, DiagnosticError

LONGEST_STEP = 0.1
"""Seconds that one picture may count for; a hiccup does not make the figure jump."""

Report = Callable[[Diagnostic], None]


class PreviewApp:
    """One subject in one window. `run` returns when the window is closed."""

    def __init__(
        self, window: Window, order: Order, subject: Subject, library: AssetLibrary, report: Report
    ) -> None:
        self.window, self.order, self.library = window, order, library
        self.stage = Stage(subject)
        self.panel = Panel()
        self.orbit = Orbit()
        self.toasts = Toasts()
        self.bones = False
        self.grid = True
        self.skin: str | None = None
        self.done = False
        self.pictures = Path()
        self._report = report
        self._letters = Letters(window.size[1])
        self._drag: Spot | str | None = None
        self.frame_figure()
        for warning in subject.warnings:
            self.tell(warning)

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
        self.stage.step(seconds)
        self.toasts.step(seconds)

    def draw(self) -> None:
        """Draw one picture; the window shows it at its next flip."""
        self.window.renderer.draw(self.scene())

    def scene(self) -> Scene:
        size = self.window.renderer.size
        self._letters.resize(size[1])
        canvas = Canvas(self._letters, size)
        place = float(self.stage.place[0]), float(self.stage.place[1]), 0.0
        camera = self.orbit.camera(place)
        if self.bones:
            draw_bones(canvas, camera, self.stage.bones(), self.stage.subject.model.skeleton)
        self.panel.draw(canvas, self.stage, self._facts())
        self.toasts.draw(canvas)
        batches = self.stage.batches()
        if self.skin is not None:
            batches[0].model = in_skin(batches[0].model, self.skin)
        scene = Scene(camera, atmosphere=AIR)
        scene.models = [*([floor_batch(place)] if self.grid else []), *batches]
        scene.quads, scene.sheet = canvas.quads(), self._letters.sheet
        return scene

    def _facts(self) -> list[str]:
        model = self.stage.subject.model
        facts = [f"{len(model.skeleton)} bones, {sum(len(m.indices) for m in model.meshes):,} triangles"]
        if self.skin is not None:
            facts.append(f"skin {self.skin}")
        if not self.stage.travel:
            facts.append("in place")
        clip = self.stage.clip
        if clip is not None and clip.delta is not None and clip.length:
            speed = float(np.hypot(*clip.delta[-1, :2])) / clip.length
            facts.append(f"{speed:.0f} inches a second")
        return facts

    def frame_figure(self) -> None:
        """Bring the whole figure into the free part of the picture."""
        width, height = self.window.renderer.size
        self.orbit.frame(extent(self.stage.subject, self.stage.pose()), width / height)
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
        stage = self.stage
        actions: dict[int, Callable[[], object]] = {
            pygame.K_SPACE: self._play,
            pygame.K_LEFT: lambda: stage.step_frames(-1),
            pygame.K_RIGHT: lambda: stage.step_frames(1),
            pygame.K_HOME: self._home,
            pygame.K_UP: lambda: stage.next(-1),
            pygame.K_DOWN: lambda: stage.next(1),
            pygame.K_LEFTBRACKET: lambda: stage.faster(-1),
            pygame.K_RIGHTBRACKET: lambda: stage.faster(1),
            pygame.K_r: lambda: setattr(stage, "repeat", not stage.repeat),
            pygame.K_t: self._travel,
            pygame.K_b: lambda: setattr(self, "bones", not self.bones),
            pygame.K_g: lambda: setattr(self, "grid", not self.grid),
            pygame.K_s: self._next_skin,
            pygame.K_f: self.frame_figure,
            pygame.K_h: lambda: setattr(self.panel, "help", not self.panel.help),
            pygame.K_F11: self.window.toggle_full_screen,
            pygame.K_F12: self._save_picture,
            pygame.K_ESCAPE: lambda: setattr(self, "done", True),
        }
        action = actions.get(key)
        if action is not None:
            action()

    def _play(self) -> None:
        stage = self.stage
        stage.playing = not stage.playing
        clip = stage.clip
        if stage.playing and clip is not None and not clip.looping and stage.fraction >= 1.0:
            stage.choose(stage.chosen, fade=0.0)

    def _home(self) -> None:
        self.stage.go_home()
        self.stage.scrub(0.0)

    def _travel(self) -> None:
        self.stage.travel = not self.stage.travel
        self.stage.go_home()

    def _next_skin(self) -> None:
        skins: list[str | None] = [None, *self.stage.subject.model.skins]
        at = skins.index(self.skin) if self.skin in skins else 0
        self.skin = skins[(at + 1) % len(skins)]

    def _save_picture(self) -> None:
        path = self.pictures / f"{self.stage.subject.name}-{time.strftime('%H%M%S')}.png"
        picture = pygame.surfarray.make_surface(self.window.renderer.read_pixels().swapaxes(0, 1))
        try:
            write_picture(path, png(picture))
        except UnwritableError as error:
            self.toasts.add(Toast("bad", str(error)))
        else:
            self.toasts.add(Toast("good", f"saved {path}"))

    def _press(self, place: tuple[int, int], button: int) -> None:
        spot = self.panel.at(*place)
        shift = bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
        if spot is None:
            self._drag = "pan" if button != 1 or shift else "turn"
        elif spot.part == "node":
            if shift:
                self.stage.toggle(spot.node)
            else:
                self.stage.choose(spot.node)
                self.stage.playing = True
        elif spot.part == "play":
            self._play()
        elif spot.part == "timeline":
            self._drag = spot
            self.stage.scrub(self.panel.fraction(place[0]))

    def _move(self, place: tuple[int, int], moved: tuple[int, int]) -> None:
        if isinstance(self._drag, Spot):
            self.stage.scrub(self.panel.fraction(place[0]))
        elif self._drag == "pan":
            self.orbit.pan(moved[0], moved[1], self.window.renderer.size[0])
        else:
            self.orbit.drag(*moved)

    def _wheel(self, turns: float, place: tuple[int, int]) -> None:
        spot = self.panel.at(*place)
        if spot is None:
            self.orbit.zoom(turns)
        elif spot.part == "node":
            self.stage.weigh(spot.node, 0.1 * turns)
        else:
            self.panel.scroll -= 30 * turns

    # Reloading ------------------------------------------------------------------------------------------

    def tell(self, diagnostic: Diagnostic) -> None:
        """Show a fault as a card and print it."""
        self._report(diagnostic)
        place = ""
        if diagnostic.span is not None:
            place = f"{Path(diagnostic.span.path).name}:{diagnostic.span.line}"
        self.toasts.add(
            Toast("warning" if diagnostic.severity == "warning" else "bad", diagnostic.message, place)
        )

    def reload(self, files: Iterable[Path]) -> bool:
        """Read tree, clips and model again; a fault leaves everything as it was. Whether it went well."""
        began, paths = time.monotonic(), set(files)
        changed = self.library.reload()
        try:
            subject = open_subject(self.order, self.library)
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                self.tell(diagnostic)
            return False
        except (UnknownSubjectError, OSError) as error:
            self.toasts.add(Toast("bad", str(error)))
            return False
        mine = self.stage.subject.file
        if not changed and mine not in paths:
            return True
        self.stage.replace(subject)
        for warning in subject.warnings:
            self.tell(warning)
        names = ", ".join(sorted({path.name for path in paths})) or subject.name
        self.toasts.add(Toast("good", f"{names} read again in {1000 * (time.monotonic() - began):.0f} ms"))
        return True
