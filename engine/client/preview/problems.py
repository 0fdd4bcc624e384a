"""The list of problems: what `check` would say of what is shown, and what stood in the way of reading a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas
from engine.client.node_row import IDLE
from engine.client.preview.spots import Spot, Spots
from engine.source import Diagnostic
from engine.source.render import printable, to_text

_WIDTH = 520.0
_MOST = 60


class Problems(Spots):
    """Diagnostics, one of which may be chosen. Its spots are a `problem` with its number as `node`, and the
    `problem list` itself."""

    def __init__(self) -> None:
        super().__init__()
        self.open = False
        self.scroll = 0.0
        self.chosen: int | None = None
        self._refused: list[Diagnostic] = []
        self._found: list[Diagnostic] = []

    @property
    def listed(self) -> list[Diagnostic]:
        """All of them, each once: errors first, and in the order of their places."""
        return sorted(dict.fromkeys([*self._refused, *self._found]), key=_order)

    @property
    def worst(self) -> str:
        """`error`, `warning`, or "" where there is none."""
        listed = self.listed
        return "" if not listed else "warning" if listed[0].severity == "warning" else "error"

    def set_found(self, diagnostics: Iterable[Diagnostic]) -> None:
        """What is wrong with what is shown now; what was refused before is over."""
        self._found, self._refused = list(diagnostics), []
        self.chosen = None

    def set_refused(self, diagnostics: Iterable[Diagnostic]) -> None:
        """What stood in the way of reading something."""
        self._refused = list(diagnostics)
        self.chosen = None

    def toggle(self) -> None:
        self.open = not self.open

    def choose(self, number: int) -> None:
        """Show one with its source, or no longer."""
        self.chosen = None if number == self.chosen else number

    def words(self) -> str:
        """How many there are, for a button."""
        count = len(self.listed)
        return f"{count} problem{'s' * (count != 1)}" if count else "no problems"


def _order(diagnostic: Diagnostic) -> tuple[bool, str, int]:
    span = diagnostic.span
    place = (span.path, span.start) if span is not None else ("", 0)
    return diagnostic.severity == "warning", *place


def draw_problems(canvas: Canvas, problems: Problems, bottom: float) -> float:
    """The list at the right, where it is open, down to `bottom` at most. Where it ends."""
    problems.spots = []
    if not problems.open:
        return 0.0
    u, step = canvas.unit, canvas.letters.line_height("mono")
    width = min(_WIDTH * u, canvas.width * 0.45)
    x, y = canvas.width - width - 16 * u, 16 * u
    rows = [
        (number, d, _lines(canvas, problems, number, d, width)) for number, d in enumerate(problems.listed)
    ]
    height = sum(len(lines) * step + 12 * u for _, _, lines in rows) + 40 * u + (0 if rows else step)
    height = min(height, bottom - y)
    canvas.box(x, y, width, height, NIGHT, 0.93)
    problems.spots.append(Spot("problem list", (x, y, width, height)))
    canvas.text(x + 14 * u, y + 9 * u, problems.words(), "small", PAPER)
    canvas.text(x + width - 14 * u, y + 10 * u, "X closes", "mono", DIM, align="right")
    end = y + height
    y += 38 * u
    if not rows:
        canvas.text(x + 14 * u, y, "check has nothing to say", "mono", GREEN)
    problems.scroll = min(max(0.0, problems.scroll), max(0.0, float(len(rows) - 1)))
    for number, diagnostic, lines in rows[int(problems.scroll) :]:
        tall = len(lines) * step + 8 * u
        if y + tall > end:
            canvas.text(x + width / 2, end - step, "...", "mono", DIM, align="center")
            break
        colour = AMBER if diagnostic.severity == "warning" else RED
        if number == problems.chosen:
            canvas.box(x, y, width, tall, IDLE, 0.5)
        canvas.box(x, y, 3 * u, tall, colour)
        for line_number, line in enumerate(lines):
            first = line_number == 0
            canvas.text(x + 14 * u, y + 4 * u + line_number * step, line, "mono", colour if first else PAPER)
        problems.spots.append(Spot("problem", (x, y, width, tall), number))
        y += tall + 4 * u
    return end


def _lines(
    canvas: Canvas, problems: Problems, number: int, diagnostic: Diagnostic, width: float
) -> list[str]:
    """A problem as lines: its place, what it says, and for the chosen one the source and the notes."""
    span = diagnostic.span
    place = f"{Path(span.path).name}:{span.line}" if span is not None and span.source.text else ""
    if span is not None and not place:
        place = Path(span.path).name
    head = "  ".join(part for part in (place, diagnostic.code) if part)
    room = width - 28 * canvas.unit
    lines = [head, *canvas.wrap(printable(diagnostic.message), room, "mono")]
    if number == problems.chosen:
        for line in to_text(diagnostic).split("\n")[1:]:
            lines += canvas.wrap(line, room, "mono")
    else:
        lines = lines[:4]
    return lines[:_MOST]
