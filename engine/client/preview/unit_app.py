"""The window of a unit: its stage and its panel under keys and mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pygame

from engine.client.canvas import Canvas
from engine.client.preview.showing import Report, Showing
from engine.client.preview.spots import Spot
from engine.client.preview.unit import UnitOrder, UnitSubject, open_unit
from engine.client.preview.unit_panel import FOOT, LEFT, UnitPanel
from engine.client.preview.unit_stage import ARGUMENT_STEP, UnitStage
from engine.client.render.scene import Camera, Float32, ModelBatch
from engine.client.toast import Toast
from engine.client.window import Window
from engine.cob.trace import RootCall
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.source import DiagnosticError
from engine.world.unit_host import HEALTH

_DIGITS = (
    pygame.K_1, pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5, pygame.K_6, pygame.K_7, pygame.K_8, pygame.K_9,
)  # fmt: skip


class UnitApp(Showing):
    """A unit on its model."""

    def __init__(
        self,
        window: Window,
        order: UnitOrder,
        subject: UnitSubject,
        library: AssetLibrary,
        report: Report,
        calls: Sequence[RootCall] = (),
    ) -> None:
        super().__init__(window, library, report)
        self.order = order
        self.stage = UnitStage(subject, calls)
        self.panel = UnitPanel()
        self.frame_figure()
        for warning in subject.warnings:
            self.tell(warning)

    # The figure -----------------------------------------------------------------------------------------

    @property
    def board(self) -> UnitPanel:
        return self.panel

    @property
    def name(self) -> str:
        return self.stage.subject.name

    @property
    def model(self) -> Model:
        return self.stage.subject.model

    def place(self) -> tuple[float, float, float]:
        return 0.0, 0.0, 0.0

    def bone_places(self) -> Float32:
        return self.stage.bones()

    def room(self) -> Float32:
        return self.stage.room()

    def frame_figure(self) -> None:
        """Into the part of the picture that neither the scripts nor the slots cover."""
        super().frame_figure()
        width, height = self.window.renderer.size
        unit = height / 720.0
        self.orbit.distance *= 1.15
        self.orbit.pan(LEFT / 2 * unit, -FOOT / 2 * unit, width)

    def batches(self) -> list[ModelBatch]:
        return self.stage.batches()

    def advance(self, seconds: float) -> None:
        self.stage.step(seconds)

    def draw_over(self, canvas: Canvas, camera: Camera) -> None:
        self.panel.draw(canvas, self.stage, camera)

    # Events ---------------------------------------------------------------------------------------------

    def actions(self) -> dict[int, Callable[[], object]]:
        stage = self.stage
        keys: dict[int, Callable[[], object]] = {
            pygame.K_SPACE: self._play,
            pygame.K_RIGHT: stage.step_once,
            pygame.K_HOME: stage.reset,
            pygame.K_LEFTBRACKET: lambda: stage.faster(-1),
            pygame.K_RIGHTBRACKET: lambda: stage.faster(1),
        }
        for index, key in enumerate(_DIGITS[: len(stage.scripts)]):
            keys[key] = lambda index=index: stage.start_with_arguments(index)  # type: ignore[misc]  # bound now
        return keys

    def _play(self) -> None:
        self.stage.playing = not self.stage.playing

    def press(self, spot: Spot, place: tuple[int, int], button: int, shift: bool) -> Spot | None:
        stage = self.stage
        if spot.part == "script":
            stage.start_with_arguments(spot.node)
        elif spot.part == "argument":
            stage.arguments[spot.node] = 0
        elif spot.part == "port":
            now = stage.host.values.get(spot.node, 0)
            stage.set_port(spot.node, (0 if now else 100) if spot.node == HEALTH else int(not now))
        elif spot.part == "play":
            self._play()
        elif spot.part == "tick":
            stage.step_once()
        elif spot.part == "reset":
            stage.reset()
        return None

    def drag_spot(self, spot: Spot, place: tuple[int, int]) -> None:
        """No part of this panel is dragged."""

    def turn_wheel(self, spot: Spot, turns: float, shift: bool) -> None:
        stage, steps = self.stage, round(turns)
        if spot.part == "argument":
            stage.arguments[spot.node] += steps * (1 if shift else ARGUMENT_STEP)
        elif spot.part == "port":
            step = 1 if shift or spot.node != HEALTH else 10
            stage.set_port(spot.node, stage.host.values.get(spot.node, 0) + steps * step)
        else:
            self.panel.scroll -= 30 * turns

    # Reloading ------------------------------------------------------------------------------------------

    def reload(self, files: Iterable[Path]) -> bool:
        began, paths = time.monotonic(), set(files)
        changed = self.library.reload()
        if not changed and not any(path.suffix.lower() in (".bos", ".cob", ".h") for path in paths):
            return True
        try:
            subject = open_unit(self.order, self.library)
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                self.tell(diagnostic)
            return False
        except OSError as error:
            self.toasts.add(Toast("bad", f"{self.order.file.name} cannot be read: {error.strerror}"))
            return False
        self.stage.replace(subject)
        for warning in subject.warnings:
            self.tell(warning)
        self.told_read_again(paths, began)
        return True
