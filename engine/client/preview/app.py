"""The window of an animation tree: its stage and its panel under keys and mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pygame

from engine.client.canvas import Canvas
from engine.client.preview.figure import extent
from engine.client.preview.panel import Panel
from engine.client.preview.showing import Report, Showing
from engine.client.preview.spots import Spot
from engine.client.preview.stage import Stage
from engine.client.preview.subject import Order, Subject, open_subject
from engine.client.render.scene import Camera, Float32, ModelBatch
from engine.client.toast import Toast
from engine.client.window import Window
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.pipeline.skins import in_skin
from engine.source import DiagnosticError


class PreviewApp(Showing):
    """A tree on a model."""

    def __init__(
        self, window: Window, order: Order, subject: Subject, library: AssetLibrary, report: Report
    ) -> None:
        super().__init__(window, library, report)
        self.order = order
        self.stage = Stage(subject)
        self.panel = Panel()
        self.skin: str | None = None
        self.frame_figure()
        for warning in subject.warnings:
            self.tell(warning)

    # The figure -----------------------------------------------------------------------------------------

    @property
    def board(self) -> Panel:
        return self.panel

    @property
    def name(self) -> str:
        return self.stage.subject.name

    @property
    def model(self) -> Model:
        return self.stage.subject.model

    def place(self) -> tuple[float, float, float]:
        return float(self.stage.place[0]), float(self.stage.place[1]), 0.0

    def bone_places(self) -> Float32:
        return self.stage.bones()

    def room(self) -> Float32:
        return extent(self.stage.subject, self.stage.pose())

    def batches(self) -> list[ModelBatch]:
        batches = self.stage.batches()
        if self.skin is not None:
            batches[0].model = in_skin(batches[0].model, self.skin)
        return batches

    def advance(self, seconds: float) -> None:
        self.stage.step(seconds)

    def draw_over(self, canvas: Canvas, camera: Camera) -> None:
        self.panel.draw(canvas, self.stage, self._facts())

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

    # Events ---------------------------------------------------------------------------------------------

    def actions(self) -> dict[int, Callable[[], object]]:
        stage = self.stage
        return {
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
            pygame.K_s: self._next_skin,
        }

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

    def press(self, spot: Spot, place: tuple[int, int], button: int, shift: bool) -> Spot | None:
        if spot.part == "node":
            if shift:
                self.stage.toggle(spot.node)
            else:
                self.stage.choose(spot.node)
                self.stage.playing = True
        elif spot.part == "play":
            self._play()
        elif spot.part == "timeline":
            self.drag_spot(spot, place)
            return spot
        return None

    def drag_spot(self, spot: Spot, place: tuple[int, int]) -> None:
        self.stage.scrub(self.panel.fraction(place[0]))

    def turn_wheel(self, spot: Spot, turns: float, shift: bool) -> None:
        if spot.part == "node":
            self.stage.weigh(spot.node, 0.1 * turns)
        else:
            self.panel.scroll -= 30 * turns

    # Reloading ------------------------------------------------------------------------------------------

    def reload(self, files: Iterable[Path]) -> bool:
        began, paths = time.monotonic(), set(files)
        changed = self.library.reload()
        try:
            subject = open_subject(self.order, self.library)
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                self.tell(diagnostic)
            return False
        except OSError as error:
            self.toasts.add(Toast("bad", str(error)))
            return False
        mine = self.stage.subject.file
        if not changed and (mine is None or mine.resolve() not in {path.resolve() for path in paths}):
            return True
        self.stage.replace(subject)
        for warning in subject.warnings:
            self.tell(warning)
        self.told_read_again(paths, began)
        return True
