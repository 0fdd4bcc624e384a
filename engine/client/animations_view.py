"""How the animations panel looks: the tree with its bars at the left, and under each node the call that set it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.anim.state import NodeView
from engine.client.animations import AnimationPanel, origin_of
from engine.client.canvas import AMBER, DIM, NIGHT, PAPER, Canvas, Colour
from engine.client.node_row import BLUE, IDLE, draw_node, fitted, row_height
from engine.client.projecting import project
from engine.client.render.scene import Camera
from engine.mods.playing import Played, Why, why_of
from engine.source.render import printable
from engine.world.view import FrameView

WIDTH = 540.0
_TALL = 78.0
"""Inches of the mark around whom the panel shows."""

_QUIET: Colour = (0.46, 0.46, 0.44)


@dataclass(frozen=True, slots=True)
class _Row:
    """A node, and the call to tell below it. `quiet`: it fades out, or does not show."""

    view: NodeView
    why: Why | None
    quiet: bool

    @property
    def source(self) -> str:
        """The line of the call, "" where it is not told."""
        span = self.why.span if self.why is not None and not self.quiet else None
        return printable(span.source.line(span.line).strip().expandtabs(4)) if span is not None else ""

    @property
    def lines(self) -> int:
        return 0 if self.why is None else 2 if self.source else 1


class AnimationsView:
    """Draws a panel onto a canvas, and marks in the picture whom it shows."""

    def __init__(self, panel: AnimationPanel) -> None:
        self._panel = panel

    def draw(self, canvas: Canvas, frame: FrameView, camera: Camera, keys: str) -> None:
        """`keys` names what closes it."""
        panel = self._panel
        if panel.number is None:
            return
        self.canvas, self.unit = canvas, canvas.unit
        self.line = canvas.letters.line_height("mono")
        self._mark(frame, camera, panel.number)
        u, width = self.unit, WIDTH * self.unit
        x, y = 20 * u, 20 * u
        rows = self._rows(panel.played)
        foot = canvas.height - 20 * u
        bottom = min(foot, y + 72 * u + (sum(map(self._row_tall, rows)) or self.line))
        canvas.box(x, y, width, bottom - y, NIGHT, 0.86)
        played = panel.played
        model = played.model if played is not None else f"entity {panel.number}"
        pen = x + 14 * u
        pen += canvas.text(pen, y + 11 * u, model, "small", PAPER) + 10 * u
        if played is not None:
            values = [f"{name} {value:.4g}" for name, value in played.parameters.items()]
            about = ", ".join([f"entity {played.number}", f"tree {played.tree}", *values])
            canvas.text(pen, y + 11 * u, about, "small", DIM)
        canvas.text(x + 14 * u, y + 36 * u, keys, "mono", DIM)
        y += 66 * u
        canvas.box(x + 14 * u, y - 6 * u, width - 28 * u, max(1.0, u), IDLE)
        if not rows:
            text = "plays nothing" if played is not None else "is gone, or has no tree any more"
            canvas.text(x + 14 * u, y, text, "mono", DIM)
        for row in rows:
            if y + self._row_tall(row) > bottom:
                canvas.text(x + width / 2, bottom - self.line, "...", "mono", DIM, align="center")
                break
            y = self._row(x, y, width, row)

    # ---- parts -----------------------------------------------------------------------------------------

    def _rows(self, played: Played | None) -> list[_Row]:
        """The nodes without the root; a call that set several is told at the lowest of them."""
        if played is None:
            return []
        nodes = [view for view in played.nodes if view.depth]
        rows = []
        for number, view in enumerate(nodes):
            told = any(other.cause is view.cause for other in _below(nodes, number))
            quiet = view.goal == 0.0 or view.node in played.asleep
            rows.append(_Row(view, None if told else why_of(view), quiet))
        return rows

    def _row_tall(self, row: _Row) -> float:
        return row_height(self.canvas) + row.lines * self.line + (5 * self.unit if row.lines else 0)

    def _row(self, x: float, y: float, width: float, row: _Row) -> float:
        """Draws a row; where the next begins."""
        canvas, u, view, why = self.canvas, self.unit, row.view, row.why
        end = y + self._row_tall(row)
        draw_node(canvas, view, x, y, width, depth=view.depth - 1, active=not row.quiet)
        if why is None:
            return end
        y += row_height(canvas)
        left, right = x + (10 + 14 * view.depth) * u, x + width - 10 * u
        canvas.box(left - 8 * u, y + u, 2 * u, end - y - 7 * u, IDLE)
        pen = left + canvas.text(left, y, why.command, "mono", _QUIET if row.quiet else AMBER) + 9 * u
        if why.span is not None:
            place = f"{why.span.path.replace(chr(92), '/').rsplit('/', 1)[-1]}:{why.span.line}"
            canvas.text(pen, y, place, "mono", _QUIET if row.quiet else BLUE)
        at = f"at {why.time / 1000:.2f} s"
        canvas.text(right, y, at, "mono", _QUIET if row.quiet else DIM, align="right")
        if row.source:
            canvas.text(left, y + self.line, fitted(canvas, row.source, right - left), "mono", PAPER)
        return end

    def _mark(self, frame: FrameView, camera: Camera, number: int) -> None:
        """Corners around the one who is shown."""
        origin = origin_of(frame, number)
        if origin is None:
            return
        ends = np.array([origin, (origin[0], origin[1], origin[2] + _TALL)], np.float32)
        points, seen = project(camera, ends, self.canvas.width, self.canvas.height)
        if not seen.all():
            return
        (x, low), (_, high) = points.tolist()
        tall = low - high
        half, arm, thick = tall * 0.28, max(tall * 0.09, 6 * self.unit), max(1.0, 2 * self.unit)
        for side in (-1.0, 1.0):
            edge = x + side * half
            across = edge if side < 0 else edge - arm
            for end, down in ((high, 0.0), (low - arm, 0.0)):
                self.canvas.box(edge - thick / 2, end + down, thick, arm, AMBER, 0.9)
            for end in (high, low):
                self.canvas.box(across, end - thick / 2, arm, thick, AMBER, 0.9)
        self.canvas.text(x, high - self.line - 6 * self.unit, str(number), "mono", AMBER, align="center")


def _below(nodes: list[NodeView], number: int) -> Iterator[NodeView]:
    """The nodes below one, in a list in which parents come before their children."""
    for other in nodes[number + 1 :]:
        if other.depth <= nodes[number].depth:
            return
        yield other
