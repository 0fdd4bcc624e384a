"""What is drawn over the figure: the tree as a list, the time line, the keys. Remembers where things lie."""

from __future__ import annotations

from engine.anim.state import NodeView
from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, Canvas, Colour
from engine.client.preview.key_list import draw_keys
from engine.client.preview.spots import Spot, Spots
from engine.client.preview.stage import Stage

KEYS = (
    ("space", "play or pause"),
    ("left right", "a frame back or on"),
    ("home", "to the start"),
    ("up down", "previous or next clip"),
    ("[ ]", "slower or faster"),
    ("R", "repeat clips that end"),
    ("T", "travel or stay in place"),
    ("B", "bones"),
    ("G", "grid"),
    ("S", "next skin"),
    ("F", "whole figure"),
    ("F12", "picture"),
    ("click", "play this only"),
    ("shift click", "add or take away"),
    ("wheel on a row", "weight"),
    ("drag", "turn; right or shift: move"),
    ("wheel", "nearer or farther"),
    ("H", "these keys"),
)
_BLUE: Colour = (0.45, 0.68, 0.84)
_SHADE: Colour = (0.11, 0.12, 0.14)
_SELECTED: Colour = (0.24, 0.28, 0.33)
_NOTE_COLOURS: tuple[Colour, ...] = (
    (0.91, 0.59, 0.28),
    (0.44, 0.70, 0.84),
    (0.81, 0.36, 0.30),
    (0.59, 0.75, 0.41),
    (0.77, 0.57, 0.80),
    (0.87, 0.79, 0.38),
)


class Panel(Spots):
    """Draws a stage's state. Its spots are a `node`, the `timeline`, `play` and the `panel` itself."""

    def __init__(self) -> None:
        super().__init__()
        self.help = True
        self.scroll = 0.0
        self._colours: dict[str, Colour] = {}

    def fraction(self, x: float) -> float:
        """Where on the time line an x is, 0..1."""
        line = next((spot for spot in self.spots if spot.part == "timeline"), None)
        if line is None:
            return 0.0
        left, _, width, _ = line.box
        return min(1.0, max(0.0, (x - left) / width))

    def draw(self, canvas: Canvas, stage: Stage, facts: list[str]) -> None:
        self.spots = []
        self._draw_tree(canvas, stage)
        self._draw_time_line(canvas, stage)
        self._draw_notes(canvas, stage)
        if self.help:
            self._draw_help(canvas)
        self._draw_facts(canvas, facts)

    # The tree -------------------------------------------------------------------------------------------

    def _draw_tree(self, canvas: Canvas, stage: Stage) -> None:
        u = canvas.unit
        width, height = self.width(canvas), canvas.height - self._line_height(canvas)
        canvas.box(0, 0, width, height, NIGHT, 0.86)
        self.spots.append(Spot("panel", (0, 0, width, height)))
        top = 14 * u
        title = canvas.text(14 * u, top, stage.subject.name, "small", PAPER)
        canvas.text(14 * u + title + 10 * u, top, f"on {stage.subject.model.name}", "small", DIM)
        step = canvas.letters.line_height("mono") + 6 * u
        views = stage.views()
        shown = stage.shown()
        room = height - 46 * u
        self.scroll = min(max(0.0, self.scroll), max(0.0, len(views) * step - room))
        y = 44 * u - self.scroll
        for view in views:
            if 40 * u <= y <= height - step:
                self._draw_node(canvas, stage, view, y, width, step, view.node in shown)
            y += step

    def width(self, canvas: Canvas) -> float:
        return 318 * canvas.unit

    def _draw_node(
        self,
        canvas: Canvas,
        stage: Stage,
        view: NodeView,
        y: float,
        width: float,
        step: float,
        active: bool,
    ) -> None:
        u = canvas.unit
        chosen = view.node == stage.chosen
        if chosen:
            canvas.box(0, y, width, step, _SELECTED, 0.95)
            canvas.box(0, y, 3 * u, step, AMBER)
        self.spots.append(Spot("node", (0, y, width, step), view.node))
        left = 14 * u + (view.depth - 1) * 14 * u
        colour = PAPER if active else DIM
        bar = width - 96 * u
        name = self._fit(canvas, view.name, bar - left - 6 * u)
        canvas.text(left, y + 2 * u, name, "mono", colour if view.leaf else (AMBER if active else DIM))
        canvas.box(bar, y + step / 2 - 6 * u, 48 * u, 4 * u, _SHADE)
        canvas.box(
            bar, y + step / 2 - 6 * u, 48 * u * min(view.weight, 1.0), 4 * u, GREEN if active else _SELECTED
        )
        if view.time is not None:
            canvas.box(bar, y + step / 2 + 2 * u, 48 * u, 3 * u, _SHADE)
            if active:
                canvas.box(bar, y + step / 2 + 2 * u, 48 * u * view.time, 3 * u, _BLUE)
        if view.goal > 0 or active:
            text = f"{view.weight:.2f}"
            canvas.text(width - 8 * u, y + 2 * u, text, "mono", colour, align="right")

    @staticmethod
    def _fit(canvas: Canvas, text: str, width: float) -> str:
        while len(text) > 4 and canvas.letters.width(text, "mono") > width:
            text = text[:-4] + "..."
        return text

    # The time line --------------------------------------------------------------------------------------

    def _line_height(self, canvas: Canvas) -> float:
        return 92 * canvas.unit

    def _draw_time_line(self, canvas: Canvas, stage: Stage) -> None:
        u, height = canvas.unit, self._line_height(canvas)
        top = canvas.height - height
        canvas.box(0, top, canvas.width, height, NIGHT, 0.92)
        canvas.box(0, top, canvas.width, u, _SELECTED)
        self.spots.append(Spot("panel", (0, top, canvas.width, height)))
        clip = stage.clip
        if clip is None:
            canvas.text(16 * u, top + 16 * u, "nothing to play", "small", DIM)
            return
        mark = "pause" if stage.playing else "play"
        self.spots.append(Spot("play", (12 * u, top + 8 * u, 64 * u, 26 * u)))
        canvas.box(12 * u, top + 8 * u, 64 * u, 26 * u, _SELECTED)
        canvas.text(44 * u, top + 12 * u, mark, "small", PAPER, align="center")
        moment, frame = stage.fraction * clip.length, stage.fraction * max(clip.frames - 1, 0)
        pen = 88 * u
        pen += canvas.text(pen, top + 12 * u, clip.name, "small", PAPER) + 14 * u
        ends = "loops" if clip.looping else ("repeats" if stage.repeat else "once")
        text = f"{moment:5.2f} / {clip.length:.2f} s   frame {frame:5.1f} / {clip.frames - 1}   {ends}"
        pen += canvas.text(pen, top + 14 * u, text, "mono", DIM) + 14 * u
        if stage.speed != 1.0:
            canvas.text(pen, top + 14 * u, f"speed {stage.speed:g}", "mono", AMBER)
        left, width = 24 * u, canvas.width - 48 * u
        line = top + 52 * u
        self.spots.append(Spot("timeline", (left, line - 16 * u, width, 50 * u)))
        canvas.box(left, line - u, width, 2 * u, _SELECTED)
        frames = max(1, clip.frames - 1)
        every = max(1, round(frames / (width / (6 * u))))
        for number in range(0, frames + 1, every):
            tall = 6 * u if number % (10 * every) == 0 else 3 * u
            canvas.box(left + width * number / frames, line - tall, max(1.0, u), 2 * tall, _SELECTED)
        lanes = [-1.0, -1.0]
        for note in clip.notes[:-1]:
            at = left + width * note.fraction
            colour = self.note_colour(note.name)
            lit = any(passed.name == note.name and passed.age < 0.3 for passed in stage.passed)
            wide = canvas.letters.width(note.name, "mono")
            pen = min(at + 6 * u, left + width - wide)
            lane = next((i for i, end in enumerate(lanes) if end < pen), 1)
            lanes[lane] = pen + wide + 8 * u
            low = line + 7 * u + lane * 13 * u
            canvas.box(
                at - u, line - 12 * u, 2 * u, low + 12 * u - line + 4 * u, colour, 1.0 if lit else 0.75
            )
            canvas.text(pen, low, note.name, "mono", PAPER if lit else colour)
        at = left + width * stage.fraction
        canvas.box(at - 1.5 * u, line - 15 * u, 3 * u, 30 * u, PAPER)

    def note_colour(self, name: str) -> Colour:
        """A colour of its own for each note name, in the order in which they are met."""
        return self._colours.setdefault(name, _NOTE_COLOURS[len(self._colours) % len(_NOTE_COLOURS)])

    def _draw_notes(self, canvas: Canvas, stage: Stage) -> None:
        """Notes that were just passed, above the time line."""
        u = canvas.unit
        x = self.width(canvas) + 18 * u
        base = canvas.height - self._line_height(canvas) - 16 * u
        step = canvas.letters.line_height("small")
        for number, note in enumerate(reversed(stage.passed)):
            fade = max(0.0, 1.0 - note.age / 1.2)
            colour = DIM if note.name == "end" else self.note_colour(note.name)
            canvas.text(x, base - (number + 1) * step, note.name, "small", colour, fade)

    # Words ----------------------------------------------------------------------------------------------

    def _draw_help(self, canvas: Canvas) -> None:
        draw_keys(canvas, KEYS)

    def _draw_facts(self, canvas: Canvas, facts: list[str]) -> None:
        u, step = canvas.unit, canvas.letters.line_height("mono")
        for number, fact in enumerate(facts):
            canvas.text(self.width(canvas) + 18 * u, 16 * u + number * step, fact, "mono", PAPER)
