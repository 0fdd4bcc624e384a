"""Toasts: short cards at the side that tell of faults and reloads and go away by themselves."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from engine.client.canvas import AMBER, CUT, DIM, GREEN, NIGHT, PAPER, RED, Canvas, Colour
from engine.mods.journal import LogLine
from engine.source.diagnostic import MISSING_HERE

ToastKind = Literal["good", "warning", "bad"]

MOST = 4
"""Cards shown at a time; older ones go first."""

_SECONDS: dict[ToastKind, float] = {"good": 3.5, "warning": 6.0, "bad": 10.0}
_FADE = 0.6
_COLOURS: dict[ToastKind, Colour] = {"good": GREEN, "warning": AMBER, "bad": RED}


_LINES = 3
"""What a card shows of a text."""


@dataclass(slots=True)
class Toast:
    """`place` is the file and line it is about, "" for none; `count` how often the same was said."""

    kind: ToastKind
    text: str
    place: str = ""
    count: int = 1
    age: float = 0.0

    @property
    def alpha(self) -> float:
        left = _SECONDS[self.kind] - self.age
        return max(0.0, min(1.0, left / _FADE, self.age / 0.12 + 0.2))


def first_line(text: str) -> str:
    """What a card has room for of a longer text, which is whole in the console."""
    first, more, _ = text.rstrip().partition("\n")
    return first + CUT if more else first


def toast_of(line: LogLine) -> Toast | None:
    """The card for a log line, None for one that only the console shows."""
    if line.kind == "reload":
        return Toast("good", first_line(line.text))
    if line.kind not in ("warning", "error"):
        return None
    kind: ToastKind = "bad" if line.kind == "error" else "warning"
    if line.diagnostic is None:
        return Toast(kind, first_line(line.text))
    missing = (note.span for note in line.diagnostic.notes if note.message == MISSING_HERE)
    span = next(missing, line.diagnostic.span)
    place = ""
    if span is not None:
        row, _ = span.source.line_col(span.start)
        place = f"{span.path.rsplit('/', 1)[-1]}:{row}"
    return Toast(kind, line.diagnostic.message, place)


def usual_top(canvas: Canvas) -> float:
    """Where the cards begin, in pixels from above."""
    return canvas.margin + 44 * canvas.unit


def tallest(canvas: Canvas) -> float:
    """Pixels that one card takes at most."""
    return (_LINES + 1) * canvas.letters.line_height("small") + 16 * canvas.unit


class Toasts:
    """The cards on the screen. Saying the same again counts up instead of piling up."""

    def __init__(self) -> None:
        self.shown: deque[Toast] = deque()

    def add(self, toast: Toast) -> None:
        for known in self.shown:
            if (known.text, known.place) == (toast.text, toast.place):
                known.count += 1
                known.age = min(known.age, 0.2)
                return
        self.shown.append(toast)
        while len(self.shown) > MOST:
            self.shown.popleft()

    def forget(self, kind: ToastKind) -> None:
        """Take cards away that are no longer true."""
        self.shown = deque(toast for toast in self.shown if toast.kind != kind)

    def step(self, seconds: float) -> None:
        for toast in self.shown:
            toast.age += seconds
        self.shown = deque(t for t in self.shown if t.age < _SECONDS[t.kind])

    def draw(self, canvas: Canvas, low: bool = False, between: tuple[float, float] | None = None) -> None:
        """At the right, below the top or, so that what is read there stays free, in the `low` part of the picture; or
        the latest of them, as many as have room `between` two heights."""
        unit, small = canvas.unit, canvas.letters.line_height("small")
        width = min(420 * unit, canvas.width * 0.45)
        x, y = canvas.width - width - canvas.margin, usual_top(canvas)
        if low:
            y = canvas.height * 0.66
        cards = []
        for toast in self.shown:
            lines = canvas.wrap_within(toast.text, width - 30 * unit, _LINES)
            times = f"x{toast.count}" if toast.count > 1 else ""
            height = (len(lines) + bool(toast.place or times)) * small + 16 * unit
            cards.append((toast, lines, times, height))
        if between is not None:
            y, end = between
            while cards and y + sum(height + 8 * unit for *_, height in cards) - 8 * unit > end:
                del cards[0]
        for toast, lines, times, height in cards:
            alpha = toast.alpha
            canvas.box(x, y, width, height, NIGHT, 0.72 * alpha)
            canvas.box(x, y, 3 * unit, height, _COLOURS[toast.kind], alpha)
            top = y + 8 * unit
            if toast.place or times:
                canvas.text(x + 15 * unit, top, toast.place, "small", _COLOURS[toast.kind], alpha)
                canvas.text(x + width - 12 * unit, top, times, "small", DIM, alpha, "right")
                top += small
            for line in lines:
                canvas.text(x + 15 * unit, top, line, "small", PAPER, alpha)
                top += small
            y += height + 8 * unit
