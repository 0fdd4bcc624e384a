"""What is drawn over the figure of a tree: the tree as a list, figures, the keys. Remembers where things lie."""

from __future__ import annotations

from dataclasses import dataclass

from engine.anim.state import NodeView
from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas
from engine.client.node_row import BLUE, IDLE, SHADE, draw_node, fitted, row_height
from engine.client.preview.key_list import KEYS_WIDTH
from engine.client.preview.problems import Problems
from engine.client.preview.spots import Spot, Spots
from engine.client.preview.stage import Stage
from engine.client.preview.time_line import HEIGHT, TimeLine
from engine.mods.playing import why_of

KEYS = (
    ("H  Esc", "these keys, close"),
    ("space", "play or pause"),
    ("left right", "a frame back or on"),
    ("home", "to the start"),
    ("up down", "previous or next clip"),
    ("[ ]", "slower or faster"),
    ("click", "play this only"),
    ("shift click", "add or take away"),
    ("ctrl click", "beside it, on the same clock"),
    ("drag a bar", "weight; double click: as before"),
    ("wheel on a bar", "weight, up to 4"),
    ("R", "all weights as before"),
    ("Enter", "type a script call"),
    ("Tab", "there: finish the word"),
    ("ctrl C  ctrl V", "there: copy the answer, paste"),
    ("L", "repeat clips that end"),
    ("T", "travel or stay in place"),
    ("P", "the way over the ground"),
    ("B W G", "bones, wire frame, grid"),
    ("I X", "figures, problems"),
    ("S F", "next skin, whole figure"),
    ("F11 F12", "full screen, picture"),
    ("drag", "turn; right or shift: move"),
    ("pad 1 3 7", "front, side, above"),
    ("ctrl drag", "turn the light; also , and ."),
    ("wheel", "nearer or farther"),
    ("drop a file", "look at it"),
)

WIDTH = 364.0
"""Of the tree, in units of a picture 720 high."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is to say about what is shown.

    lines    in short
    figures  at length
    second   the stage of the figure beside the first
    busy     what is being done meanwhile
    """

    lines: list[str]
    figures: list[str]
    second: Stage | None = None
    busy: str = ""


class Panel(Spots):
    """Draws a stage's state. Its spots are a `node`, its `weight`, a `parameter`, `problems`, the `panel` itself, and
    those of the time line."""

    keys = KEYS

    def __init__(self) -> None:
        super().__init__()
        self.help = True
        self.scroll = 0.0
        self._shown = -1
        self._time_line = TimeLine()

    def fraction(self, x: float) -> float:
        """Where on the time line an x is, 0..1."""
        line = next((spot for spot in self.spots if spot.part == "timeline"), None)
        return _part(line, x) if line is not None else 0.0

    def along(self, part: str, node: int, x: float) -> float:
        """Where on the bar of a weight or of a parameter an x is, 0..1."""
        bar = next((spot for spot in self.spots if (spot.part, spot.node) == (part, node)), None)
        return _part(bar, x) if bar is not None else 0.0

    def covers(self) -> tuple[float, float, float]:
        return WIDTH, KEYS_WIDTH if self.help else 0.0, HEIGHT

    def width(self, canvas: Canvas) -> float:
        return WIDTH * canvas.unit

    def draw(
        self, canvas: Canvas, stage: Stage, facts: Facts, problems: Problems, pointer: tuple[int, int]
    ) -> None:
        self.spots = []
        u, width = canvas.unit, self.width(canvas)
        self._draw_tree(canvas, stage, problems, facts)
        self._time_line.draw(canvas, stage, facts.second, self, width)
        step = canvas.letters.line_height("mono")
        for number, line in enumerate(facts.lines):
            canvas.text(width + 18 * u, 16 * u + number * step, line, "mono", PAPER)
        canvas.text(width + 18 * u, 16 * u + (len(facts.lines) + 1) * step, facts.busy, "mono", GREEN)
        over = self.at(*pointer)
        if over is not None and over.part in ("node", "weight"):
            self._draw_about(canvas, stage, over)

    # The tree -------------------------------------------------------------------------------------------

    def _draw_tree(self, canvas: Canvas, stage: Stage, problems: Problems, facts: Facts) -> None:
        u, second = canvas.unit, facts.second
        width, height = self.width(canvas), canvas.height - HEIGHT * u
        canvas.box(0, 0, width, height, NIGHT, 0.86)
        self.spots.append(Spot("panel", (0, 0, width, height)))
        words, top = problems.words(), 14 * u
        wide = canvas.letters.width(words, "mono")
        title = canvas.text(14 * u, top, stage.subject.name, "small", PAPER)
        about = fitted(canvas, f"on {stage.subject.model.name}", width - 64 * u - title - wide)
        canvas.text(14 * u + title + 10 * u, top, about, "small", DIM)
        colour = {"error": RED, "warning": AMBER, "": DIM}[problems.worst]
        box = (width - wide - 20 * u, top - 4 * u, wide + 14 * u, 26 * u)
        if problems.worst:
            canvas.box(*box, IDLE)
        canvas.text(width - 13 * u, top + u, words, "mono", colour, align="right")
        self.spots.append(Spot("problems", box))
        step, views, shown = row_height(canvas), stage.views(), stage.shown()
        height -= self._draw_parameters(canvas, stage, height)
        height -= self._draw_figures(canvas, facts.figures, height)
        if not views:
            canvas.text(14 * u, 47 * u, "no clips", "mono", DIM)
        room, whole = height - 46 * u, len(views) * step
        if stage.chosen != self._shown:
            self._shown = stage.chosen
            at = next((row for row, view in enumerate(views) if view.node == stage.chosen), 0) * step
            self.scroll = min(max(self.scroll, at + step - room), at)
        self.scroll = min(max(0.0, self.scroll), max(0.0, whole - room))
        if whole > room:
            canvas.box(width - 4 * u, 44 * u + self.scroll * room / whole, 3 * u, room * room / whole, IDLE)
        y = 44 * u - self.scroll
        for view in views:
            if 40 * u <= y <= height - step:
                if view.node == stage.chosen:
                    canvas.box(0, y, width, step, IDLE, 0.95)
                    canvas.box(0, y, 3 * u, step, AMBER)
                elif second is not None and view.node == second.chosen:
                    canvas.box(0, y, width, step, IDLE, 0.6)
                    canvas.box(0, y, 3 * u, step, BLUE)
                self.spots.append(Spot("node", (0, y, width, step), view.node))
                active = view.node in shown
                x, _, bar, _ = draw_node(canvas, view, 0, y, width, depth=view.depth - 1, active=active)
                self.spots.append(Spot("weight", (x, y + 2 * u, bar, step - 4 * u), view.node))
            y += step

    def _draw_parameters(self, canvas: Canvas, stage: Stage, bottom: float) -> float:
        """Below the list, a bar for each parameter of an extended tree; the height that they take."""
        sliders = stage.parameters()
        if not sliders:
            return 0.0
        u, width, step = canvas.unit, self.width(canvas), row_height(canvas)
        height = len(sliders) * step + 10 * u
        canvas.box(14 * u, bottom - height, width - 28 * u, u, IDLE)
        for number, slider in enumerate(sliders):
            y = bottom - height + 6 * u + number * step
            canvas.text(14 * u, y + 3 * u, fitted(canvas, slider.name, 110 * u), "mono", AMBER)
            left, wide = 132 * u, width - 212 * u
            canvas.box(left, y + step / 2 - 2 * u, wide, 4 * u, SHADE)
            canvas.box(left, y + step / 2 - 2 * u, wide * slider.part, 4 * u, BLUE)
            canvas.box(left + wide * slider.part - 2 * u, y + step / 2 - 6 * u, 4 * u, 12 * u, PAPER)
            text = f"{slider.value:.4g}"
            canvas.text(width - 10 * u, y + 3 * u, text, "mono", PAPER, align="right")
            self.spots.append(Spot("parameter", (left, y, wide, step), number))
        return height

    def _draw_figures(self, canvas: Canvas, figures: list[str], bottom: float) -> float:
        """Below the list, where they cover nothing of the figure, down to `bottom`; the height that they take."""
        u, width, step = canvas.unit, self.width(canvas), canvas.letters.line_height("mono")
        lines = [part for line in figures for part in canvas.wrap(line, width - 28 * u, "mono")]
        lines = lines[: max(0, int((bottom / 2 - 16 * u) / step))]  # half of a small window is the list's
        if not lines:
            return 0.0
        height = len(lines) * step + 16 * u
        canvas.box(14 * u, bottom - height, width - 28 * u, u, IDLE)
        for number, line in enumerate(lines):
            canvas.text(14 * u, bottom - height + 8 * u + number * step, line, "mono", PAPER)
        return height

    def _draw_about(self, canvas: Canvas, stage: Stage, spot: Spot) -> None:
        """What the mouse is over, at the end of the list that is farther from it: the figure stays in sight."""
        view = next((view for view in stage.views() if view.node == spot.node), None)
        if view is None:
            return
        u, step = canvas.unit, canvas.letters.line_height("mono")
        width = self.width(canvas) - 12 * u
        lines = [part for line in _about(stage, view) for part in canvas.wrap(line, width - 24 * u, "mono")]
        height = len(lines) * step + 14 * u
        foot = canvas.height - HEIGHT * u
        x, y = 6 * u, foot - height - 6 * u if spot.box[1] < foot / 2 else 44 * u
        canvas.box(x, y, width, height, IDLE, 0.98)
        canvas.box(x, y, 3 * u, height, AMBER)
        for number, line in enumerate(lines):
            colour = AMBER if number == 0 else PAPER
            canvas.text(x + 12 * u, y + 7 * u + number * step, line, "mono", colour)


def _part(spot: Spot, x: float) -> float:
    left, _, width, _ = spot.box
    return min(1.0, max(0.0, (x - left) / width))


def _about(stage: Stage, view: NodeView) -> list[str]:
    """A node in words."""
    tree = stage.subject.tree
    lines = [view.name + ("" if view.leaf else f", {len(tree.children[view.node])} below it")]
    goal = f" on the way to {view.goal:.2f}" if abs(view.goal - view.weight) > 0.005 else ""
    lines.append(f"weight {view.weight:.2f}{goal}")
    if view.time is not None:
        lines.append(f"at {view.time:.3f}, rate {view.rate:g}, {view.speed:.2f} rounds a second")
    if view.notify is not None:
        lines.append(f'tells its notes as "{view.notify}"')
    why = why_of(view)
    if why is not None:
        where = f" at {why.span.path}:{why.span.line}" if why.span is not None else ""
        lines.append(f"set by {why.command}{where}, {why.time / 1000:.2f} s")
    return lines
