"""The pause menu, for mouse, keys and gamepad alike: every page is a list of rows, one of which is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.client.actions import ESCAPE, Source
from engine.client.canvas import AMBER, DIM, NIGHT, PAPER, Canvas

Move = Literal["up", "down", "left", "right", "choose", "back"]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a page.

    choose  runs when the row is chosen, None for a row that is only read
    adjust  runs with -1 or +1 for a row that holds a value
    value   what stands at the right end
    part    0..1 for a row with a bar, None for none
    """

    label: str
    choose: Callable[[], None] | None = None
    adjust: Callable[[int], None] | None = None
    value: Callable[[], str] | None = None
    part: Callable[[], float] | None = None

    @property
    def active(self) -> bool:
        return self.choose is not None or self.adjust is not None


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    rows: tuple[Row, ...]
    note: str = ""


class Menu:
    """A stack of pages; open while there is at least one."""

    def __init__(self, click: Callable[[], None] = lambda: None) -> None:
        self._pages: list[tuple[Page, int]] = []
        self._click = click
        self._capture: Callable[[Source], None] | None = None
        self._boxes: list[tuple[float, float, float, float]] = []

    @property
    def open(self) -> bool:
        return bool(self._pages)

    @property
    def page(self) -> Page | None:
        return self._pages[-1][0] if self._pages else None

    @property
    def chosen(self) -> int:
        return self._pages[-1][1] if self._pages else -1

    @property
    def listening(self) -> bool:
        """Whether the next key or button is to be taken as a setting."""
        return self._capture is not None

    def listen(self, take: Callable[[Source], None]) -> None:
        """The next key or button goes to `take`; escape calls it off."""
        self._capture = take

    def hear(self, source: Source) -> None:
        """The key or button that was listened for."""
        take, self._capture = self._capture, None
        if take is not None:
            if source != ESCAPE:
                take(source)
            self._click()

    def show(self, page: Page) -> None:
        """Opens a page over what is shown."""
        first = next((i for i, row in enumerate(page.rows) if row.active), -1)
        self._pages.append((page, first))
        self._boxes = []

    def close(self) -> None:
        self._pages.clear()
        self._capture = None

    def back(self) -> None:
        if self._pages:
            self._pages.pop()
            self._boxes = []
            self._click()

    def move(self, move: Move) -> None:
        """What keys and gamepad do."""
        if not self._pages:
            return
        page, at = self._pages[-1]
        if move == "back":
            self.back()
        elif move in ("up", "down"):
            self._step(page, at, -1 if move == "up" else 1)
        elif at >= 0:
            self._act(page.rows[at], move)

    def _step(self, page: Page, at: int, step: int) -> None:
        order = [i for i, row in enumerate(page.rows) if row.active]
        if order:
            place = order.index(at) if at in order else 0
            self._pages[-1] = page, order[(place + step) % len(order)]
            self._click()

    def _act(self, row: Row, move: Move) -> None:
        if move == "choose" and row.choose is not None:
            self._click()
            row.choose()
        elif row.adjust is not None:
            row.adjust(-1 if move == "left" else 1)
            self._click()

    def point(self, x: float, y: float) -> int | None:
        """The mouse is here; the row under it becomes the chosen one."""
        if self.listening:
            return None
        for i, (bx, by, bw, bh) in enumerate(self._boxes):
            if bx <= x < bx + bw and by <= y < by + bh and self._pages:
                page, at = self._pages[-1]
                if page.rows[i].active:
                    if i != at:
                        self._pages[-1] = page, i
                    return i
        return None

    def click(self, x: float, y: float) -> None:
        """The left button: chooses a row, or moves a value towards the side that was clicked."""
        at = self.point(x, y)
        page = self.page
        if at is None or page is None:
            return
        bx, _, bw, _ = self._boxes[at]
        row = page.rows[at]
        if row.choose is not None:
            self._act(row, "choose")
        else:
            self._act(row, "right" if x > bx + bw * 0.78 else "left")

    def draw(self, canvas: Canvas) -> None:
        page = self.page
        if page is None:
            return
        u = canvas.unit
        canvas.box(0, 0, canvas.width, canvas.height, NIGHT, 0.4)
        small, large = canvas.letters.line_height("small"), canvas.letters.line_height("large")
        width = 520 * u
        x = canvas.width / 2 - width / 2
        around = large + 24 * u + (small + 12 * u if page.note else 0)
        # A long page moves its rows together, and shows those around the chosen one, rather than leave the screen.
        room = canvas.height - around - 64 * u
        high = min(small + 12 * u, max(room / max(len(page.rows), 1), small))
        fit = max(1, min(len(page.rows), int(room / high)))
        first = min(max(self.chosen - fit // 2, 0), len(page.rows) - fit)
        total = around + high * fit
        y = canvas.height / 2 - total / 2
        canvas.box(x - 32 * u, y - 22 * u, width + 64 * u, total + 44 * u, NIGHT, 0.72)
        canvas.text(x, y, page.title, "large", PAPER)
        y += large + 12 * u
        canvas.box(x, y, width, max(1.0, u), DIM, 0.5)
        y += 12 * u
        self._boxes = [(0.0, 0.0, 0.0, 0.0)] * len(page.rows)
        for i in range(first, first + fit):
            self._boxes[i] = (x, y, width, high)
            self._row(canvas, page.rows[i], i == self.chosen, x, y, width, high)
            y += high
        if page.note:
            canvas.text(x, y + 12 * u, page.note, "small", DIM, 0.9)

    def _row(
        self, canvas: Canvas, row: Row, chosen: bool, x: float, y: float, width: float, high: float
    ) -> None:
        u = canvas.unit
        if chosen:
            canvas.box(x - 12 * u, y, width + 24 * u, high, PAPER, 0.10)
            canvas.box(x - 12 * u, y, 3 * u, high, AMBER)
        colour = PAPER if row.active else DIM
        middle = (high - canvas.letters.line_height("small")) / 2
        canvas.text(x, y + middle, row.label, "small", colour)
        if row.part is not None:
            bar, at = 150 * u, x + width - 220 * u
            canvas.box(at, y + high / 2 - 2 * u, bar, 4 * u, DIM, 0.35)
            canvas.box(at, y + high / 2 - 2 * u, bar * row.part(), 4 * u, AMBER if chosen else PAPER)
        if chosen and self.listening:
            canvas.text(x + width, y + middle, "press a key or button", "small", AMBER, align="right")
        elif row.value is not None:
            canvas.text(x + width, y + middle, row.value(), "small", colour, align="right")
