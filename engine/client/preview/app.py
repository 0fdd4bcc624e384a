"""A tree, a model or a clip in its window: its stage and its panel under keys and mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pygame

from engine.client.canvas import PAPER, Canvas
from engine.client.preview.beside import Beside
from engine.client.preview.call_line import CallLine, draw_call_line
from engine.client.preview.calls import Answer, Caller
from engine.client.preview.motion_path import path_batch
from engine.client.preview.panel import Facts, Panel
from engine.client.preview.showing import Report, Showing
from engine.client.preview.spots import Press, Spot
from engine.client.preview.stage import Stage
from engine.client.preview.statistics import clip_facts, copies, counted, model_facts
from engine.client.preview.subject import Order, Subject, open_subject, sources_of
from engine.client.preview.time_line import HEIGHT as FOOT
from engine.client.projecting import project
from engine.client.render.scene import Camera, Float32, ModelBatch
from engine.client.toast import Toast
from engine.client.window import Window
from engine.mods.rereading import read_again
from engine.pipeline.library import AssetLibrary
from engine.pipeline.skins import in_skin
from engine.source import Diagnostic, DiagnosticError

_OVERHEAD = 7.0
"""Inches above a figure where its clip's name stands, while there are two."""

_WHEEL = 0.1


class PreviewApp(Showing[Stage, Panel]):
    """A tree on a model."""

    def __init__(
        self, window: Window, order: Order, subject: Subject, library: AssetLibrary, report: Report
    ) -> None:
        super().__init__(window, library, report, Stage(subject), Panel())
        self.order = order
        self.beside: Beside | None = None
        self.line = CallLine(lambda: Caller(self.stage, library))
        self.skin: str | None = None
        self.path = False
        self.figures = False
        self.frame_figure()
        self._adopt(subject)

    def _adopt(self, subject: Subject) -> None:
        """Tell what is doubtful about what was read."""
        self.look_over(subject.warnings, sources_of(subject, self.library))
        for warning in subject.warnings:
            self.tell(warning)

    # The figures ----------------------------------------------------------------------------------------

    def room(self) -> Float32:
        room = self.stage.room()
        if self.beside is not None:
            apart = self.beside.offset + self.beside.stage.place - self.stage.place
            names = np.array([0.0, 0.0, 2 * _OVERHEAD])
            room = np.concatenate([room + names, room, self.beside.stage.room() + apart]).astype(np.float32)
        return room

    def batches(self) -> list[ModelBatch]:
        own = self.stage.batches()
        other = self.beside.batches() if self.beside is not None else []
        if self.skin is not None:
            for batches in (own, other):
                for batch in batches[:1]:
                    batch.model = in_skin(batch.model, self.skin)
        return own + other

    def ground(self) -> list[ModelBatch]:
        if not self.path:
            return []
        ways = [_way(self.stage)]
        if self.beside is not None:
            ways.append(_way(self.beside.stage, self.beside.offset))
        return [way for way in ways if way is not None]

    def advance(self, seconds: float) -> None:
        self.stage.step(seconds)
        if self.beside is not None:
            self.beside.step(seconds)

    # Over the picture -----------------------------------------------------------------------------------

    def draw_over(self, canvas: Canvas, camera: Camera) -> float:
        if self.beside is not None:
            self._draw_names(canvas, camera, self.beside)
        second = self.beside.stage if self.beside is not None else None
        facts = Facts(self._facts(), self._figures() if self.figures else [], second, self.busy)
        self.panel.draw(canvas, self.stage, facts, self.problems, self.pointer)
        return min(canvas.height - FOOT * canvas.unit, draw_call_line(canvas, self.line, self.panel))

    def _draw_names(self, canvas: Canvas, camera: Camera, beside: Beside) -> None:
        """Which of the two plays what."""
        high = self.model.bounds[1][2] + _OVERHEAD
        up = np.array([0.0, 0.0, high])
        places = np.array([self.stage.place + up, beside.stage.place + beside.offset + up], np.float32)
        points, seen = project(camera, places, canvas.width, canvas.height)
        for stage, (x, y), shown in zip((self.stage, beside.stage), points.tolist(), seen, strict=True):
            clip = stage.clip
            if shown and clip is not None:
                canvas.text(x, y - 18 * canvas.unit, clip.name, "small", PAPER, align="center")
                canvas.text(x, y, f"{stage.moment:.2f} / {clip.length:.2f} s", "mono", PAPER, align="center")

    def _facts(self) -> list[str]:
        model, clip = self.model, self.stage.clip
        triangles = sum(len(mesh.indices) for mesh in model.meshes)
        facts = [f"{counted(len(model.skeleton), 'bone')}, {counted(triangles, 'triangle')}"]
        if clip is not None and clip.delta is not None and clip.length:
            speed = float(np.hypot(*clip.delta[-1, :2])) / clip.length
            facts.append(f"{speed:.0f} inches a second")
        if self.skin is not None:
            facts.append(f"skin {self.skin}")
        if not self.stage.travel:
            facts.append("in place")
        return facts + self.look.facts()

    def _figures(self) -> list[str]:
        model, clip = self.model, self.stage.clip
        return [*model_facts(model), copies(model), *(clip_facts(clip) if clip is not None else ())]

    # Events ---------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self.line.forget_fault()
        super().handle(event)

    def actions(self) -> dict[int, Callable[[], object]]:
        stage = self.stage
        return {
            pygame.K_LEFT: lambda: self._scrubbed(lambda: stage.step_frames(-1)),
            pygame.K_RIGHT: lambda: self._scrubbed(lambda: stage.step_frames(1)),
            pygame.K_HOME: lambda: self._scrubbed(self._home),
            pygame.K_UP: lambda: stage.next(-1),
            pygame.K_DOWN: lambda: stage.next(1),
            pygame.K_r: stage.reset_all,
            pygame.K_l: lambda: setattr(stage, "repeat", not stage.repeat),
            pygame.K_t: self._travel,
            pygame.K_s: self._next_skin,
            pygame.K_p: self._show_path,
            pygame.K_i: lambda: setattr(self, "figures", not self.figures),
            pygame.K_RETURN: self.line.show,
        }

    def type(self, event: pygame.event.Event) -> bool:
        line = self.line
        if not line.open:
            return False
        if event.type == pygame.TEXTINPUT:
            line.insert(event.text)
        elif event.key == pygame.K_ESCAPE:
            line.close()
        elif event.mod & pygame.KMOD_CTRL and event.key in (pygame.K_c, pygame.K_v):
            self._clipboard(event.key == pygame.K_c)
        else:
            before = line.answer
            line.key(event.key, control=bool(event.mod & pygame.KMOD_CTRL))
            if line.answer is not None and line.answer is not before:
                self._called(line.answer)
        return True

    def _clipboard(self, copies: bool) -> None:
        """Copy the last answer, which is a line of script, or paste into the line."""
        try:
            if copies and self.line.answer is not None:
                pygame.scrap.put_text(self.line.answer.text)
                self.toasts.add(Toast("good", "copied"))
            elif not copies:
                self.line.insert(pygame.scrap.get_text())
        except pygame.error as error:
            self.toasts.add(Toast("warning", f"there is no clipboard here ({error})"))

    def call(self, text: str) -> Answer:
        """A script call as if it had been typed."""
        self.line.submit(text)
        answer = self.line.answer or Answer("there is nothing to call", False)
        self._called(answer)
        return answer

    def _called(self, answer: Answer) -> None:
        """Where a call has changed what plays the time line follows it."""
        if answer.good and answer.commands:
            self.stage.watch_all()
            self.stage.playing = True

    def play(self) -> None:
        stage = self.stage
        stage.playing = not stage.playing
        if stage.playing and stage.ended:
            stage.play_again()

    def _scrubbed(self, change: Callable[[], None]) -> None:
        """Both figures stand at the same time after a change of it."""
        change()
        if self.beside is not None:
            self.beside.scrub()

    def _home(self) -> None:
        self.stage.go_home()
        self.stage.scrub(0.0)

    def _travel(self) -> None:
        self.stage.travel = not self.stage.travel
        self.stage.go_home()
        self._tell_if_still()

    def _show_path(self) -> None:
        self.path = not self.path
        self._tell_if_still()

    def _tell_if_still(self) -> None:
        """Travelling and the way look the same as before where a clip goes nowhere."""
        clip = self.stage.clip
        if clip is not None and (clip.delta is None or not np.abs(clip.delta[:, :3]).max(initial=0.0) > 0.0):
            self.toasts.add(Toast("warning", f"{clip.name} travels nowhere"))

    def _next_skin(self) -> None:
        skins: list[str | None] = [None, *self.stage.subject.model.skins]
        at = skins.index(self.skin) if self.skin in skins else 0
        self.skin = skins[(at + 1) % len(skins)]

    def show_beside(self, leaf: int | None) -> None:
        """Put a second figure beside the first, or none."""
        if self.beside is not None:
            self.beside.leave()
        self.beside = Beside(self.stage, leaf) if leaf is not None else None
        if self.beside is not None and self.stage.travel:
            self._travel()  # two that walk apart are soon out of sight
        self.panel.help = self.panel.help and self.beside is None  # it would cover one of them
        self.frame_figure()

    def press(self, spot: Spot, how: Press) -> Spot | None:
        stage = self.stage
        if spot.part == "weight":
            if how.double:
                stage.reset(spot.node)
                return None
            self.drag_spot(spot, how.place)
            return spot
        if spot.part in ("timeline", "parameter"):
            self.drag_spot(spot, how.place)
            return spot
        if spot.part == "node":
            self._press_node(spot.node, how)
        elif spot.part == "play":
            self.play()
        elif spot.part == "call":
            self.line.show()
        return None

    def _press_node(self, node: int, how: Press) -> None:
        stage = self.stage
        if how.control:
            again = self.beside is not None and self.beside.stage.chosen == node
            if stage.subject.tree.is_leaf(node):
                self.show_beside(None if again else node)
        elif how.shift:
            stage.toggle(node)
        else:
            stage.choose(node)
            stage.playing = True

    def drag_spot(self, spot: Spot, place: tuple[int, int]) -> None:
        if spot.part == "weight":
            self.stage.weigh(spot.node, self.panel.along("weight", spot.node, place[0]), fade=0.0)
        elif spot.part == "parameter":
            slider = self.stage.parameters()[spot.node]
            part = self.panel.along("parameter", spot.node, place[0])
            self.stage.set_parameter(slider.name, slider.low + part * (slider.high - slider.low))
        else:
            self._scrubbed(lambda: self.stage.scrub(self.panel.fraction(place[0])))

    def turn_wheel(self, spot: Spot, turns: float, shift: bool) -> None:
        if spot.part == "weight":
            lead = self.stage.instances.lead(self.stage.row, spot.node)
            self.stage.weigh(lead, self.stage.goal(lead) + _WHEEL * turns)
        else:
            self.panel.scroll -= 30 * turns

    def _choose_problem(self, number: int) -> None:
        """A problem of a line of the tree chooses what stands on it."""
        super()._choose_problem(number)
        listed = self.problems.listed
        if number < len(listed):
            self._choose_line(listed[number])

    def _choose_line(self, problem: Diagnostic) -> None:
        span, tree = problem.span, self.stage.subject.tree
        words = span.source.line(span.line).lower().split() if span is not None else []
        node = tree.node(words[0]) if words else None
        if node:
            self.stage.choose(node)

    # Reloading ------------------------------------------------------------------------------------------

    def watched(self) -> set[Path]:
        own = {self.order.tree} if self.order.tree is not None else set()
        return {*self.library.roots, *self.order.tree_folders, *own}

    def reload(self, files: Iterable[Path]) -> bool:
        began, paths = time.monotonic(), set(files)
        read = read_again(self.library, paths)
        try:
            subject = open_subject(self.order, self.library)
        except DiagnosticError as error:
            self.refuse(error.diagnostics)
            self.tell_broken(read)
            return False
        except OSError as error:
            text = f"{self.order.tree} cannot be read: {error.strerror or error}"
            self.refuse([Diagnostic("unreadable-file", text)])
            self.tell_broken(read)
            return False
        repaired = self.look_over(subject.warnings, sources_of(subject, self.library))
        mine = self.order.tree
        if read.changed or repaired or (mine and mine.resolve() in {path.resolve() for path in paths}):
            self._replace(subject)
            self.told_read_again(paths, read, began)
        return self.tell_broken(read)

    def _replace(self, subject: Subject) -> None:
        """Go on with what was read again."""
        before = self.model.name
        self.stage.replace(subject)
        if self.beside is not None:
            self.beside.replaced()
        if subject.model.name != before:
            self.frame_figure()
        for warning in subject.warnings:
            self.tell(warning)


def _way(stage: Stage, offset: Float32 | None = None) -> ModelBatch | None:
    """The way of the pass that a stage's figure is in, None where it goes nowhere."""
    if stage.clip is None:
        return None
    way = path_batch(stage.clip, stage.fraction, stage.standing, stage.yaw)
    if way is not None and offset is not None:
        way.transforms[:, :, 3] += offset
    return way
