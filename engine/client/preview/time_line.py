"""The time line at the foot of a tree's preview: the clip with its frames and notes, and what was just passed."""

from __future__ import annotations

from engine.client.canvas import AMBER, DIM, NIGHT, PAPER, Canvas, Colour
from engine.client.node_row import BLUE, IDLE, fitted
from engine.client.preview.spots import Spot, Spots
from engine.client.preview.stage import Stage

HEIGHT = 92.0
"""In units of a picture 720 high."""

HEAD = 0.5
"""What its head takes, as a part of the picture's width."""

_NOTE_COLOURS: tuple[Colour, ...] = (
    (0.91, 0.59, 0.28),
    (0.44, 0.70, 0.84),
    (0.81, 0.36, 0.30),
    (0.59, 0.75, 0.41),
    (0.77, 0.57, 0.80),
    (0.87, 0.79, 0.38),
)


class TimeLine:
    """Draws a stage's clip. Its spots are the `timeline`, `play` and the `panel` below them."""

    def __init__(self) -> None:
        self._colours: dict[str, Colour] = {}

    def draw(self, canvas: Canvas, stage: Stage, beside: Stage | None, spots: Spots, left: float) -> None:
        """`beside` has a mark of its own; passed notes are shown to the right of `left`."""
        u, height = canvas.unit, HEIGHT * canvas.unit
        top = canvas.height - height
        canvas.box(0, top, canvas.width, height, NIGHT, 0.92)
        canvas.box(0, top, canvas.width, u, IDLE)
        spots.spots.append(Spot("panel", (0, top, canvas.width, height)))
        clip = stage.clip
        if clip is None:
            canvas.text(16 * u, top + 16 * u, "nothing to play", "small", DIM)
            return
        self._draw_head(canvas, stage, spots, top)
        start, width, line = 24 * u, canvas.width - 48 * u, top + 56 * u
        spots.spots.append(Spot("timeline", (start, line - 14 * u, width, 48 * u)))
        canvas.box(start, line - u, width, 2 * u, IDLE)
        frames = max(1, clip.frames - 1)
        every = max(1, round(frames / (width / (6 * u))))
        for number in range(0, frames + 1, every):
            tall = 6 * u if number % (10 * every) == 0 else 3 * u
            canvas.box(start + width * number / frames, line - tall, max(1.0, u), 2 * tall, IDLE)
        self._draw_marks(canvas, stage, start, width, line)
        if beside is not None and beside.clip is not None and clip.length > 0:
            # Where the second figure is in its own time, on the seconds of the first.
            at = min(1.0, beside.moment / clip.length)
            canvas.box(start + width * at - u, line - 11 * u, 2 * u, 22 * u, BLUE)
        at = start + width * stage.fraction
        canvas.box(at - 1.5 * u, line - 14 * u, 3 * u, 28 * u, PAPER)
        self._draw_passed(canvas, stage, left, top)

    @staticmethod
    def _draw_head(canvas: Canvas, stage: Stage, spots: Spots, top: float) -> None:
        """The button, and where the clip is."""
        u, clip = canvas.unit, stage.clip
        assert clip is not None
        spots.spots.append(Spot("play", (12 * u, top + 8 * u, 64 * u, 26 * u)))
        canvas.box(12 * u, top + 8 * u, 64 * u, 26 * u, IDLE)
        canvas.text(
            44 * u, top + 12 * u, "pause" if stage.playing else "play", "small", PAPER, align="center"
        )
        pen = 88 * u
        pen += canvas.text(pen, top + 12 * u, clip.name, "small", PAPER) + 14 * u
        ends = "loops" if clip.looping else ("repeats" if stage.repeat else "once")
        frame = stage.fraction * max(clip.frames - 1, 0)
        text = (
            f"{stage.moment:.2f} / {clip.length:.2f} s  frame {frame:.1f} of 0 to {clip.frames - 1}  {ends}"
        )
        room = canvas.width * HEAD - pen - 8 * u  # the line for calls begins there
        pen += canvas.text(pen, top + 14 * u, fitted(canvas, text, room), "mono", DIM) + 12 * u
        if stage.speed != 1.0:
            canvas.text(pen, top + 14 * u, f"x {stage.speed:g}", "mono", AMBER)

    def _draw_marks(self, canvas: Canvas, stage: Stage, start: float, width: float, line: float) -> None:
        """The notes of the clip, with their names in two lanes."""
        u, clip = canvas.unit, stage.clip
        assert clip is not None
        lanes = [-1.0, -1.0]
        for note in clip.notes[:-1]:
            at = start + width * note.fraction
            colour = self.note_colour(note.name)
            lit = any(passed.name == note.name and passed.age < 0.3 for passed in stage.passed)
            wide = canvas.letters.width(note.name, "mono")
            pen = min(at + 6 * u, start + width - wide)
            lane = next((i for i, end in enumerate(lanes) if end < pen), 1)
            lanes[lane] = pen + wide + 8 * u
            low = line + 6 * u + lane * 12 * u
            canvas.box(at - u, line - 12 * u, 2 * u, low + 16 * u - line, colour, 1.0 if lit else 0.75)
            canvas.text(pen, low, note.name, "mono", PAPER if lit else colour)

    def _draw_passed(self, canvas: Canvas, stage: Stage, left: float, top: float) -> None:
        """Notes that were just passed, above the time line."""
        u, step = canvas.unit, canvas.letters.line_height("small")
        for number, note in enumerate(reversed(stage.passed)):
            fade = max(0.0, 1.0 - note.age / 1.2)
            colour = DIM if note.name == "end" else self.note_colour(note.name)
            canvas.text(left + 18 * u, top - 16 * u - (number + 1) * step, note.name, "small", colour, fade)

    def note_colour(self, name: str) -> Colour:
        """A colour of its own for each note name, in the order in which they are met."""
        return self._colours.setdefault(name, _NOTE_COLOURS[len(self._colours) % len(_NOTE_COLOURS)])
