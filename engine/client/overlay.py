"""The figures of F3: frame times as a graph, and counts of what the world and the scripts hold."""

from __future__ import annotations

import statistics
from collections import deque
from dataclasses import dataclass, field

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas, Colour
from engine.mods.journal import Inspection

FRAMES = 180
"""Pictures in the graph."""

_ROWS = 6
_NAME = 34
"""Letters that a name has room for."""

_COUNTS = {"entities": "entities in all"}
"""What counts of the session are called here where their name alone could be mistaken."""
_FULL = 66.7


@dataclass(slots=True)
class Timings:
    """Milliseconds of the last pictures and server frames, and the counts of the last picture."""

    pictures: deque[float] = field(default_factory=lambda: deque(maxlen=FRAMES))
    drawing: deque[float] = field(default_factory=lambda: deque(maxlen=FRAMES))
    server: deque[float] = field(default_factory=lambda: deque(maxlen=FRAMES // 3))
    entities: int = 0
    drawn: int = 0
    triangles: int = 0
    time: int = 0

    def summary(self) -> dict[str, float]:
        """Median and worst of each, for event files and tests."""
        rows = {"picture": self.pictures, "drawing": self.drawing, "server": self.server}
        return {
            key: value
            for name, values in rows.items()
            if values
            for key, value in ((f"{name}_median", statistics.median(values)), (f"{name}_worst", max(values)))
        }


def _colour(ms: float) -> Colour:
    return GREEN if ms < 20 else AMBER if ms < 50 else RED


class Overlay:
    """Drawn over everything while `shown`."""

    def __init__(self) -> None:
        self.shown = False
        self.timings = Timings()

    def draw(self, canvas: Canvas, renderer: str, inspection: Inspection) -> None:
        if not self.shown:
            return
        unit, line = canvas.unit, canvas.letters.line_height("mono")
        x, y = canvas.margin, canvas.margin
        width = 430 * unit
        rows = self._rows(renderer, inspection)
        graph = 64 * unit
        canvas.box(
            x - 10 * unit, y - 10 * unit, width + 20 * unit, graph + len(rows) * line + 34 * unit, NIGHT, 0.8
        )
        self._graph(canvas, x, y, width, graph)
        y += graph + 12 * unit
        for name, value, colour in rows:
            canvas.text(x, y, name, "mono", DIM)
            canvas.text(x + width, y, value, "mono", colour, align="right")
            y += line

    def _graph(self, canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
        step = width / FRAMES
        for level in (16.7, 50.0):
            canvas.box(x, y + height * (1 - level / _FULL), width, 1, DIM, 0.35)
        start = x + (FRAMES - len(self.timings.pictures)) * step
        for i, ms in enumerate(self.timings.pictures):
            bar = min(ms / _FULL, 1.0) * height
            canvas.box(start + i * step, y + height - bar, max(step - 0.5, 1.0), bar, _colour(ms), 0.85)

    def _rows(self, renderer: str, inspection: Inspection) -> list[tuple[str, str, Colour]]:
        t = self.timings
        rows: list[tuple[str, str, Colour]] = [("renderer", renderer[:44], PAPER)]
        for name, values in (("picture", t.pictures), ("  drawing", t.drawing), ("server frame", t.server)):
            if values:
                middle, worst = statistics.median(values), max(values)
                rows.append((name, f"{middle:6.1f} ms  worst {worst:6.1f}", _colour(worst)))
        if t.pictures:
            rows.append(("pictures a second", f"{1000 / max(statistics.fmean(t.pictures), 0.01):.0f}", PAPER))
        rows.append(("game time", f"{t.time / 1000:.2f} s", PAPER))
        rows.append(("entities to be seen, drawn", f"{t.entities}, {t.drawn}", PAPER))
        rows.append(("triangles of models", f"{t.triangles:,}", PAPER))
        rows.append(("threads", str(inspection.thread_count), PAPER))
        rows += [(f"  {_shortened(name)}", str(count), DIM) for name, count in inspection.threads[:_ROWS]]
        rows.append(("waiting threads", str(inspection.waiter_count), PAPER))
        rows += [
            (f"  {_shortened(name.removeprefix('waittill '))}", str(count), DIM)
            for name, count in inspection.waiters[:_ROWS]
        ]
        rows += [
            (_COUNTS.get(name, name), f"{count:,}", PAPER) for name, count in inspection.variables.items()
        ]
        return rows


def _shortened(name: str) -> str:
    """A name with its end, which tells functions of one script apart, and a mark where it was cut."""
    return name if len(name) <= _NAME else f"..{name[2 - _NAME :]}"
