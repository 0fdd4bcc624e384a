"""How the scripts page looks: a bar with tabs and buttons, a list at the left, what was chosen from it beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.client.canvas import AMBER, DIM, GREEN, NIGHT, PAPER, RED, Canvas, Colour
from engine.client.inspector import BACK, TABS, Inspector
from engine.source.render import printable
from engine.vm.inspect import FrameView
from engine.vm.trace import show

AROUND = 4
"""Lines of source on either side of where a thread is."""

_HOPES: dict[str, tuple[str, Colour]] = {
    "engine": ("the engine", DIM),
    "running": ("what runs now", GREEN),
    "callable": ("what may be called", GREEN),
    "named": ("whoever gets its name", AMBER),
    "nobody": ("NOTHING", RED),
}
_FATES: dict[str, Colour] = {"moved": GREEN, "kept": AMBER, "restarted": AMBER, "ended": RED}


class InspectorView:
    """Draws an inspector onto a canvas, and tells it where the mouse can choose something."""

    def __init__(self, inspector: Inspector) -> None:
        self._inspector = inspector

    def draw(self, canvas: Canvas) -> None:
        inspector = self._inspector
        inspector.targets = []
        if not inspector.open:
            return
        self.canvas = canvas
        self.unit = canvas.unit
        self.line = canvas.letters.line_height("mono")
        self.cell = max(canvas.letters.width("0", "mono"), 1)
        margin = 20 * self.unit
        self.left, self.right = margin + 12 * self.unit, canvas.width - margin - 12 * self.unit
        self.bottom = canvas.height - margin - 10 * self.unit
        canvas.box(margin, margin, canvas.width - 2 * margin, canvas.height - 2 * margin, NIGHT, 0.9)
        top = self._bar(margin + 8 * self.unit)
        {"threads": self._threads, "waits": self._waits, "last reload": self._report}[inspector.tab](top)

    # ---- parts -----------------------------------------------------------------------------------------

    def _fit(self, text: str, width: float) -> str:
        """As much of a line as a width holds."""
        most = max(1, int(width / self.cell))
        text = printable(text)
        return text if len(text) <= most else text[: max(0, most - 2)] + ".."

    def _put(self, x: float, y: float, text: str, colour: Colour, width: float) -> float:
        return self.canvas.text(x, y, self._fit(text, width), "mono", colour)

    def _target(self, x: float, y: float, width: float, height: float, deed: Callable[[], None]) -> bool:
        """Something that can be clicked; whether the mouse is over it, which lights it up."""
        self._inspector.targets.append((x, y, width, height, deed))
        px, py = self._inspector.pointer
        over = x <= px < x + width and y <= py < y + height
        if over:
            self.canvas.box(x, y, width, height, PAPER, 0.08)
        return over

    def _button(self, x: float, y: float, text: str, colour: Colour, deed: Callable[[], None]) -> float:
        pad = 7 * self.unit
        width = len(text) * self.cell + 2 * pad
        self.canvas.box(x, y, width, self.line + 6 * self.unit, PAPER, 0.07)
        self._target(x, y, width, self.line + 6 * self.unit, deed)
        self.canvas.text(x + pad, y + 3 * self.unit, text, "mono", colour)
        return x + width + 5 * self.unit

    def _bar(self, y: float) -> float:
        """Tabs at the left, what can be done with time at the right, and what was answered beneath."""
        inspector, unit, x = self._inspector, self.unit, self.left
        for tab in TABS:
            chosen = tab == inspector.tab
            start = x
            x = self._button(x, y, tab, PAPER if chosen else DIM, partial(inspector.show_tab, tab))
            if chosen:
                self.canvas.box(start, y + self.line + 6 * unit, x - start - 5 * unit, 2 * unit, AMBER)
        deeds = [
            ("space " + ("go" if inspector.held else "hold"), "go" if inspector.held else "hold"),
            ("n frame", "step 1"),
            (f"b back {BACK} s", f"rewind {BACK}"),
            ("p play again", "again"),
            (f"r last {BACK} s again", f"again {BACK}"),
        ]
        if inspector.thread is not None:
            deeds.insert(2, ("t thread", f"step_thread {inspector.thread}"))
        width = sum(len(text) * self.cell + 19 * unit for text, _ in deeds)
        x = max(x + 20 * unit, self.right - width + 5 * unit)
        for text, line in deeds:
            x = self._button(x, y, text, PAPER, partial(inspector.run, line))
        y += self.line + 14 * unit
        state = "the game stands still" if inspector.held else "the game runs"
        self.canvas.text(self.left, y, state, "mono", AMBER if inspector.held else GREEN)
        self._put(
            self.left + 26 * self.cell, y, inspector.answer, PAPER, self.right - self.left - 26 * self.cell
        )
        y += self.line + 6 * unit
        self.canvas.box(self.left, y, self.right - self.left, 1, DIM, 0.5)
        return y + 8 * unit

    def _window(self, count: int, chosen: int, top: float) -> range:
        """Which of so many rows are shown, so that the chosen one is among them."""
        fits = max(1, int((self.bottom - top) / self.line))
        first = max(0, min(self._inspector.scroll, count - fits))
        if chosen >= 0 and not self._inspector.scroll:
            first = max(0, min(chosen - fits // 2, count - fits))
        return range(first, min(count, first + fits))

    # ---- threads ---------------------------------------------------------------------------------------

    def _threads(self, top: float) -> None:
        inspector = self._inspector
        width = (self.right - self.left) * 0.32
        rows = inspector.shown.rows
        chosen = next((i for i, row in enumerate(rows) if inspector.is_chosen(row)), -1)
        most = max((int(row.note) for row in rows if row.thread is None), default=1)
        y = top
        for index in self._window(len(rows), chosen, top):
            row = rows[index]
            self._target(self.left, y, width, self.line, partial(inspector.choose_row, row))
            if index == chosen:
                self.canvas.box(self.left, y, width, self.line, AMBER, 0.18)
            if row.thread is None:
                # How many there are is seen before it is read.
                bar = int(row.note) / most * 40 * self.unit
                self.canvas.box(self.left, y + self.line * 0.3, bar, self.line * 0.4, GREEN, 0.55)
                self.canvas.text(
                    self.left + 44 * self.unit + 4 * self.cell, y, row.note, "mono", PAPER, align="right"
                )
                at = self.left + 44 * self.unit + 5 * self.cell
                self._put(at, y, row.text, PAPER, self.left + width - at)
            else:
                at = self.left + 52 * self.unit
                self._put(at, y, row.text, AMBER, 8 * self.cell)
                self._put(at + 8 * self.cell, y, row.note, DIM, self.left + width - at - 8 * self.cell)
            y += self.line
        if not rows:
            self._put(self.left, top, "no thread waits", DIM, width)
        self._thread(self.left + width + 22 * self.unit, top)

    def _thread(self, x: float, y: float) -> None:
        """The chosen thread: each of its calls with the source around it and its variables."""
        inspector, view = self._inspector, self._inspector.shown.thread
        width = self.right - x
        if view is None:
            gone = f"thread {inspector.thread} has ended" if inspector.thread is not None else ""
            hint = gone or "choose a function, then one of its threads"
            self._put(x, y, hint, DIM, width)
            return
        self._put(x, y, f"thread {view.number}  {view.function}", AMBER, width)
        y += self.line
        self._put(x, y, f"self {view.self_name}; {view.waits}", PAPER, width)
        y += self.line * 1.5
        for depth in range(len(view.frames) - 1, -1, -1):
            y = self._call(x, y, depth, view.frames[depth])
            if y > self.bottom - self.line:
                return

    def _call(self, x: float, y: float, depth: int, frame: FrameView) -> float:
        inspector, right = self._inspector, self.right
        names = x + (right - x) * 0.66
        self._put(x, y, f"{frame.function.rpartition(chr(92))[2]}()  {frame.span or ''}", GREEN, right - x)
        y += self.line
        top = y
        if frame.span is not None:
            for number, text in inspector.scripts.source(frame.span, AROUND):
                if y > self.bottom - self.line:
                    break
                here = number == frame.span.line
                if here:
                    self.canvas.box(x, y, names - x - 8 * self.unit, self.line, AMBER, 0.2)
                self.canvas.text(
                    x + 5 * self.cell, y, str(number), "mono", AMBER if here else DIM, align="right"
                )
                self._put(
                    x + 6 * self.cell,
                    y,
                    text,
                    PAPER if here else DIM,
                    names - x - 6 * self.cell - 12 * self.unit,
                )
                y += self.line
        for name, value in frame.locals.items():
            if top > self.bottom - self.line:
                break
            glow = inspector.glow(depth, frame.function, name)
            if glow:
                self.canvas.box(names, top, right - names, self.line, AMBER, 0.45 * glow)
            wide = self._put(names, top, f"{name} = ", DIM, right - names)
            text = show(value)
            self._put(names + wide, top, text, DIM if value is None else PAPER, right - names - wide)
            top += self.line
        return max(y, top) + self.line * 0.5

    # ---- waits -----------------------------------------------------------------------------------------

    def _waits(self, top: float) -> None:
        inspector = self._inspector
        rows = inspector.shown.waits
        width = self.right - self.left
        columns = (0, 6, 32, 54, 68)
        heads = ("", "event", "on", "waits for s", "can be woken by")
        for column, head in zip(columns, heads, strict=True):
            self.canvas.text(self.left + column * self.cell, top, head, "mono", DIM)
        y = top + self.line * 1.2
        graph = self.bottom - 11 * self.line
        fits = max(1, int((graph - y) / self.line))
        first = max(0, min(inspector.wait - fits // 2, len(rows) - fits))
        for index in range(first, min(len(rows), first + fits)):
            row = rows[index]
            self._target(self.left, y, width, self.line, partial(inspector.choose_wait, index))
            if index == inspector.wait:
                self.canvas.box(self.left, y, width, self.line, AMBER, 0.18)
            word, colour = _HOPES[row["wakes"]]
            raised = ", ".join(place.rsplit("/", 1)[-1] for place in row["raised"][:3])
            texts = (
                str(len(row["threads"])), row["event"], row["object"],
                f"{row['longest'] / 1000:.2f}", f"{word}{'  ' if raised else ''}{raised}",
            )  # fmt: skip
            ends = [*(self.left + c * self.cell for c in columns[1:]), self.right]
            for number, (text, end) in enumerate(zip(texts, ends, strict=True)):
                tone = colour if number == 4 or row["wakes"] == "nobody" else PAPER
                start = self.left + columns[number] * self.cell
                self._put(start, y, text, tone, end - start - self.cell)
            y += self.line
        if rows:
            self._graph(rows[inspector.wait], graph)
        else:
            self._put(self.left, y, "nobody waits for an event", DIM, width)

    def _graph(self, row: dict[str, Any], top: float) -> None:
        """Who waits at the left, the event in the middle, who raises it at the right, and lines between them."""
        inspector, unit, line = self._inspector, self.unit, self.line
        width = (self.right - self.left) / 3
        middle, end = self.left + width, self.left + 2 * width
        self.canvas.box(self.left, top, self.right - self.left, 1, DIM, 0.5)
        centre = top + 5 * line
        word, colour = _HOPES[row["wakes"]]
        box = (middle + 26 * unit, centre - 1.3 * line, width - 52 * unit, 2.6 * line)
        self.canvas.frame(*box, colour, 0.9, max(1.0, 1.5 * unit))
        self.canvas.text(
            box[0] + box[2] / 2,
            box[1] + 0.2 * line,
            self._fit(row["event"], box[2]),
            "mono",
            PAPER,
            align="center",
        )
        self.canvas.text(
            box[0] + box[2] / 2,
            box[1] + 1.3 * line,
            self._fit(f"on {row['object']}", box[2]),
            "mono",
            DIM,
            align="center",
        )
        waiting = [
            (f"{count} x {name.rpartition(chr(92))[2]}", name) for name, count in row["functions"].items()
        ]
        y = top + 0.7 * line
        for text, _ in waiting[:3]:
            self._put(self.left, y, text, GREEN, width - 20 * unit)
            self._join(
                self.left + min(len(text) * self.cell, width - 20 * unit) + 6 * unit,
                y + line / 2,
                box[0],
                centre,
            )
            y += line
        self._put(self.left, y, ", ".join(row["objects"][:6]), DIM, width - 20 * unit)
        y += 1.3 * line
        for number in row["threads"][:5]:
            if self._target(self.left, y, width * 0.6, line, partial(inspector.find_thread, number)):
                self.canvas.box(self.left, y + line - unit, 12 * self.cell, unit, AMBER)
            self._put(self.left, y, f"thread {number}", AMBER, width * 0.6)
            y += line
        y = top + 0.7 * line
        raised = row["raised"][:8] or [f"woken by {word.lower()}"]
        for text in raised:
            self._put(end, y, text.rsplit("/", 2)[-1], colour, self.right - end)
            self._join(box[0] + box[2], centre, end - 6 * unit, y + line / 2)
            y += line

    def _join(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """A line of three pieces: along, up or down, and along again."""
        bend, thin = to_x - 14 * self.unit if to_x > x else to_x, max(1.0, self.unit)
        self.canvas.box(x, y, max(bend - x, 0), thin, DIM, 0.6)
        self.canvas.box(bend, min(y, to_y), thin, abs(to_y - y) + thin, DIM, 0.6)
        self.canvas.box(bend, to_y, max(to_x - bend, 0), thin, DIM, 0.6)

    # ---- the last reload -------------------------------------------------------------------------------

    def _report(self, top: float) -> None:
        shown, width = self._inspector.shown, self.right - self.left
        y = top
        for start in range(0, max(len(shown.report), 1), max(1, int(width / self.cell))):
            self._put(self.left, y, shown.report[start : start + int(width / self.cell)], PAPER, width)
            y += self.line
        y += self.line * 0.5
        if shown.faults:
            self._faults(y)
            return
        columns = (0, 8, 52, 66, 78)
        for place, head in zip(columns, ("thread", "function", "line", "fate", "why"), strict=True):
            self.canvas.text(self.left + place * self.cell, y, head, "mono", DIM)
        y += self.line * 1.2
        rows = shown.fates
        if not rows:
            self._put(self.left, y, "no thread waits in a function that changed", DIM, width)
        for index in self._window(len(rows), -1, y):
            row = rows[index]
            number = row["thread"]
            self._target(self.left, y, width, self.line, partial(self._inspector.find_thread, number))
            lines = f"{row['old_line'] or '-'} > {row['new_line'] or '-'}"
            why = row["reason"] + (f"; lost: {', '.join(row['lost'])}" if row["lost"] else "")
            texts = (str(number), row["function"], lines, row["fate"], why)
            ends = [*(self.left + c * self.cell for c in columns[1:]), self.right]
            for column, (text, end) in enumerate(zip(texts, ends, strict=True)):
                begin = self.left + columns[column] * self.cell
                colour = _FATES.get(row["fate"], PAPER) if column == 3 else DIM if column == 4 else PAPER
                self._put(begin, y, text, colour, end - begin - self.cell)
            y += self.line

    def _faults(self, y: float) -> None:
        """What was wrong with the save: each fault with its source line, the message standing out."""
        for fault in self._inspector.shown.faults:
            for number, text in enumerate(fault.split("\n")):
                if y > self.bottom - self.line:
                    return
                self._put(self.left, y, text, DIM if number else RED, self.right - self.left)
                y += self.line
            y += self.line * 0.5
