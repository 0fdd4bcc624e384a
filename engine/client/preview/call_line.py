"""The line of the preview in which script calls are typed, and what they came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas
from engine.client.line_edit import LineEdit
from engine.client.node_row import IDLE, SHADE
from engine.client.preview.calls import Answer, Caller
from engine.client.preview.spots import Spot, Spots
from engine.client.preview.time_line import HEAD

TOP, HEIGHT = 84.0, 26.0
"""Its top above the lower edge, and its height, in units of a picture 720 high."""

_MOST = 14
_REPEAT = (350, 35)
"""Milliseconds until a held key repeats, and between repetitions; elsewhere a held key is one press."""


class CallLine(LineEdit):
    """Open while one types. `caller` is made when it is first needed."""

    breaks = " ,(\t"

    def __init__(self, caller: Callable[[], Caller]) -> None:
        super().__init__()
        self._make = caller
        self._caller: Caller | None = None
        self.open = False
        self.answer: Answer | None = None
        self.offered: tuple[str, ...] = ()

    @property
    def caller(self) -> Caller:
        if self._caller is None:
            self._caller = self._make()
        return self._caller

    def show(self) -> None:
        self.open = True
        pygame.key.start_text_input()
        pygame.key.set_repeat(*_REPEAT)

    def close(self) -> None:
        self.open = False
        self.text, self.cursor = "", 0
        self.forget_fault()
        pygame.key.stop_text_input()
        pygame.key.set_repeat()

    def forget_fault(self) -> None:
        """What was wrong with the last call has been read."""
        if self.answer is not None and not self.answer.good:
            self.answer = None

    def submit(self, line: str) -> None:
        """Call it. A line with a fault stays there, to be mended."""
        super().submit(line)
        self.offered = ()
        if line.strip():
            self.answer = self.caller.call(line)
            if not self.answer.good:
                self.text, self.cursor = line, len(line)

    def choices(self, before: str, word: str) -> Sequence[str]:
        if before.strip() in ("", "self"):
            return [name for name in self.caller.names if name.startswith(word.lower())]
        sign, plain = ("%", word[1:]) if word.startswith("%") else ("", word)
        nodes = self.caller.nodes()
        found = [name for name in nodes if name.startswith(plain.lower())]
        found = found or [name for name in nodes if f"_{plain.lower()}" in name]
        return [sign + name for name in found]

    def offer(self, choices: Sequence[str]) -> None:
        self.offered = tuple(choices)

    def finished(self, word: str, before: str) -> str:
        return word if before.strip() not in ("", "self") else word + " "

    def key(self, code: int, *, control: bool = False) -> None:
        self.offered = ()
        super().key(code, control=control)


def draw_call_line(canvas: Canvas, line: CallLine, spots: Spots) -> float:
    """In the strip at the foot; the answer, or what Tab offers, above it. Where that begins."""
    u, step = canvas.unit, canvas.letters.line_height("mono")
    x, y = canvas.width * HEAD, canvas.height - TOP * u
    width, height = canvas.width - x - 14 * u, HEIGHT * u
    canvas.box(x, y, width, height, SHADE if not line.open else NIGHT)
    canvas.frame(x, y, width, height, AMBER if line.open else IDLE, 0.9, max(1.0, u))
    spots.spots.append(Spot("call", (x, y, width, height)))
    top = y + (height - step) / 2
    if not line.open and not line.text:
        canvas.text(x + 10 * u, top, "Enter: type a script call, such as", "mono", DIM)
        example = canvas.letters.width("Enter: type a script call, such as ", "mono")
        canvas.text(x + 10 * u + example, top, "setanim walk 1 .2", "mono", AMBER, 0.8)
    else:
        cell = max(1, canvas.letters.width("0", "mono"))
        fits = max(1, int((width - 24 * u) / cell) - 1)
        first = max(0, line.cursor - fits)
        canvas.text(x + 10 * u, top, line.text[first : first + fits], "mono", PAPER)
        if line.open:
            pen = x + 10 * u + canvas.letters.width(line.text[first : line.cursor], "mono")
            canvas.box(pen, top, max(1.0, 1.5 * u), step, AMBER)
    return _draw_answer(canvas, line, x, y, width)


def _draw_answer(canvas: Canvas, line: CallLine, x: float, y: float, width: float) -> float:
    u, step = canvas.unit, canvas.letters.line_height("mono")
    text, colour = "", DIM
    if line.offered:
        more = f"  and {len(line.offered) - _MOST} more" if len(line.offered) > _MOST else ""
        text = "  ".join(line.offered[:_MOST]) + more
    elif line.answer is not None:
        text, colour = line.answer.text, GREEN if line.answer.good else RED
    if not text:
        return y
    lines = canvas.wrap(text, width - 20 * u, "mono")[:4]
    top = y - 14 * u - len(lines) * step - 8 * u
    canvas.box(x, top, width, len(lines) * step + 10 * u, NIGHT, 0.9)
    canvas.box(x, top, 3 * u, len(lines) * step + 10 * u, colour)
    for number, part in enumerate(lines):
        canvas.text(
            x + 12 * u, top + 5 * u + number * step, part, "mono", PAPER if colour is GREEN else colour
        )
    return top
