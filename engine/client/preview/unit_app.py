"""The window of a unit: its stage and its panel under keys and mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pygame

from engine.client.canvas import Canvas
from engine.client.preview.showing import Report, Showing
from engine.client.preview.spots import Press, Spot
from engine.client.preview.unit import UnitOrder, UnitSubject, open_unit
from engine.client.preview.unit_panel import UnitPanel
from engine.client.preview.unit_stage import ARGUMENT_STEP, UnitStage
from engine.client.render.scene import Camera
from engine.client.window import Window
from engine.cob.trace import RootCall
from engine.mods.rereading import read_again
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError
from engine.world.unit_host import HEALTH

_DIGITS = (
    pygame.K_1, pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5, pygame.K_6, pygame.K_7, pygame.K_8, pygame.K_9,
)  # fmt: skip


class UnitApp(Showing[UnitStage, UnitPanel]):
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
        super().__init__(window, library, report, UnitStage(subject, calls), UnitPanel())
        self.order = order
        self.frame_figure()
        self._adopt(subject)

    def _adopt(self, subject: UnitSubject) -> None:
        """Tell what is doubtful about what was read."""
        self.look_over(subject.warnings, {subject.model.name})
        for warning in subject.warnings:
            self.tell(warning)

    def draw_over(self, canvas: Canvas, camera: Camera) -> float:
        self.panel.draw(canvas, self.stage, camera, self.problems, self.busy)
        return canvas.height - self.panel.foot(canvas)

    # Events ---------------------------------------------------------------------------------------------

    def actions(self) -> dict[int, Callable[[], object]]:
        stage = self.stage
        keys: dict[int, Callable[[], object]] = {
            pygame.K_RIGHT: stage.step_once,
            pygame.K_HOME: stage.reset,
        }
        for index, key in enumerate(_DIGITS[: len(stage.scripts)]):
            keys[key] = lambda index=index: stage.start_with_arguments(index)  # type: ignore[misc]  # bound now
        return keys

    def press(self, spot: Spot, how: Press) -> Spot | None:
        stage = self.stage
        if spot.part == "script":
            stage.start_with_arguments(spot.node)
        elif spot.part == "argument":
            stage.arguments[spot.node] = 0
        elif spot.part == "port":
            now = stage.host.values.get(spot.node, 0)
            stage.set_port(spot.node, (0 if now else 100) if spot.node == HEALTH else int(not now))
        elif spot.part == "play":
            self.play()
        elif spot.part == "tick":
            stage.step_once()
        elif spot.part == "reset":
            stage.reset()
        return None

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

    def watched(self) -> set[Path]:
        return {self.order.file.parent, *self.order.folders, *self.library.roots}

    def reload(self, files: Iterable[Path]) -> bool:
        began, paths = time.monotonic(), set(files)
        read = read_again(self.library, paths)
        try:
            subject = open_unit(self.order, self.library)
        except DiagnosticError as error:
            self.refuse(error.diagnostics)
            self.tell_broken(read)
            return False
        except OSError as error:
            text = f"{self.order.file.name} cannot be read: {error.strerror or error}"
            self.refuse([Diagnostic("unreadable-file", text)])
            self.tell_broken(read)
            return False
        repaired = self.look_over(subject.warnings, {subject.model.name})
        if read.changed or repaired or any(path.suffix.lower() in (".bos", ".cob", ".h") for path in paths):
            self.stage.replace(subject)
            for warning in subject.warnings:
                self.tell(warning)
            self.told_read_again(paths, read, began)
        return self.tell_broken(read)
