"""The scripts page of F3: which thread one looks at, what has changed in it since, and what keys and mouse ask for.

The game goes on behind it unless it is held; what is shown is asked for anew with every server frame. How it looks is
the part of `engine.client.inspector_view`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pygame

from engine.client.session import Scripts
from engine.vm.inspect import ThreadView
from engine.vm.trace import show

Tab = Literal["threads", "waits", "last reload"]
TABS: tuple[Tab, ...] = ("threads", "waits", "last reload")

GLOW = 1.2
"""Seconds for which a variable that has changed stands out."""

BACK = 5
"""Seconds that one key goes back."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of the list at the left: a function with how many threads it has begun, or one of these threads."""

    text: str
    note: str
    function: str
    thread: int | None = None


@dataclass
class Shown:
    """What the page shows at the moment; made anew with every server frame."""

    rows: list[ListRow] = field(default_factory=list)
    thread: ThreadView | None = None
    waits: list[dict[str, Any]] = field(default_factory=list)
    report: str = ""
    fates: Sequence[dict[str, Any]] = ()
    faults: Sequence[str] = ()


class Inspector:
    """Open or not, a tab, a chosen function, thread and wait. `execute` runs console lines, whose answers are kept."""

    def __init__(self, scripts: Scripts, execute: Callable[[str], str]) -> None:
        self.scripts = scripts
        self._execute = execute
        self.open = False
        self.tab: Tab = "threads"
        self.function = ""
        """The function whose threads are listed."""
        self.thread: int | None = None
        self.wait = 0
        """The chosen row of the waits."""
        self._wait = ("", "")
        self.scroll = 0
        self.answer = ""
        self.shown = Shown()
        self.targets: list[tuple[float, float, float, float, Callable[[], None]]] = []
        """Where the mouse can choose something: x, y, width, height, and what it does. The view fills it."""
        self.pointer = (-1.0, -1.0)
        self._values: dict[tuple[int, str, str], str] = {}
        self._glows: dict[tuple[int, str, str], float] = {}
        self._time = -1

    @property
    def held(self) -> bool:
        return self.scripts.held

    # ---- time ------------------------------------------------------------------------------------------

    def step(self, seconds: float, time: int) -> None:
        """Let what glows fade, and look at the game again where a server frame has passed since, to `time` in ms."""
        self._glows = {key: left - seconds for key, left in self._glows.items() if left > seconds}
        if self.open and time != self._time:
            self._time = time
            self.refresh()

    def refresh(self) -> None:
        """Look at the game as it is now."""
        shown = self.shown = Shown()
        threads = self.scripts.threads()
        if self.tab == "threads":
            shown.rows = self._rows(threads)
            shown.thread = next((view for view in threads if view.number == self.thread), None)
            self._watch(shown.thread)
        elif self.tab == "waits":
            shown.waits = self.scripts.waiters()
            keys = [(row["event"], row["object"]) for row in shown.waits]
            self.wait = keys.index(self._wait) if self._wait in keys else 0
        else:
            shown.report, shown.fates, shown.faults = self.scripts.last_reload()

    def _rows(self, threads: list[ThreadView]) -> list[ListRow]:
        groups: dict[str, list[ThreadView]] = {}
        for view in threads:
            groups.setdefault(view.function, []).append(view)
        rows = []
        for function, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            rows.append(ListRow(function.rpartition("\\")[2], str(len(members)), function))
            if function == self.function:
                rows += [ListRow(f"{v.number}", v.waits, function, v.number) for v in members]
        return rows

    def _watch(self, view: ThreadView | None) -> None:
        """Notice which variables are others than at the last look."""
        values: dict[tuple[int, str, str], str] = {}
        for depth, frame in enumerate(view.frames if view is not None else ()):
            for name, value in frame.locals.items():
                key = depth, frame.function, name
                values[key] = show(value)
                if key in self._values and self._values[key] != values[key]:
                    self._glows[key] = GLOW
        self._values = values

    def glow(self, depth: int, function: str, name: str) -> float:
        """How much a variable stands out, 0..1."""
        return self._glows.get((depth, function, name), 0.0) / GLOW

    # ---- choosing --------------------------------------------------------------------------------------

    def show_tab(self, tab: Tab) -> None:
        self.tab, self.scroll = tab, 0
        self.refresh()

    def choose_row(self, row: ListRow) -> None:
        """Open or close a function, or look at a thread."""
        if row.thread is not None:
            self.choose_thread(row.thread, row.function)
            return
        self.function = "" if row.function == self.function and self.thread is None else row.function
        members = [view.number for view in self.scripts.threads() if view.function == row.function]
        self._look_at(members[0] if members and self.function else None)

    def choose_thread(self, number: int, function: str) -> None:
        self.tab, self.function = "threads", function
        self._look_at(number)

    def _look_at(self, number: int | None) -> None:
        self.thread = number
        self._values, self._glows = {}, {}
        self.refresh()

    def choose_wait(self, number: int) -> None:
        """Look at a row of the waits; it stays chosen wherever it goes in the list."""
        if 0 <= number < len(self.shown.waits):
            row = self.shown.waits[number]
            self._wait = row["event"], row["object"]
        self.refresh()

    def find_thread(self, number: int) -> None:
        """Look at a thread that is known only by its number."""
        view = self.scripts.view(number)
        if view is not None:
            self.choose_thread(number, view.function)

    def move(self, step: int) -> None:
        """Choose the next or the last row."""
        if self.tab == "waits":
            self.choose_wait(max(0, min(self.wait + step, len(self.shown.waits) - 1)))
            return
        rows = self.shown.rows
        if self.tab != "threads" or not rows:
            self.scroll = max(0, self.scroll + step)
            return
        at = next((i for i, row in enumerate(rows) if self.is_chosen(row)), -1)
        at = max(0, min(at + step, len(rows) - 1))
        row = rows[at]
        if row.thread is not None:
            self.choose_thread(row.thread, row.function)
        else:
            self.function = row.function
            self._look_at(None)

    def is_chosen(self, row: ListRow) -> bool:
        if self.thread is not None:
            return row.thread == self.thread
        return row.thread is None and row.function == self.function

    # ---- keys and mouse --------------------------------------------------------------------------------

    def key(self, code: int) -> bool:
        """A key was pressed; whether the page has a use for it."""
        moves = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -12, pygame.K_PAGEDOWN: 12}
        lines = {
            pygame.K_SPACE: "go" if self.held else "hold",
            pygame.K_n: "step 1",
            pygame.K_t: f"step_thread {self.thread}" if self.thread is not None else "",
            pygame.K_b: f"rewind {BACK}",
            pygame.K_p: "again",
            pygame.K_r: f"again {BACK}",
        }
        if code in moves:
            self.move(moves[code])
        elif code in (pygame.K_TAB, pygame.K_LEFT, pygame.K_RIGHT):
            step = -1 if code == pygame.K_LEFT else 1
            self.show_tab(TABS[(TABS.index(self.tab) + step) % len(TABS)])
        elif lines.get(code):
            self.run(lines[code])
        else:
            return False
        return True

    def run(self, line: str) -> None:
        """A console line; going back stops the game first, so that there is time to edit."""
        if line.startswith("rewind"):
            self._execute("hold")
        self.answer = self._execute(line).split("\n", 1)[0]
        self.refresh()

    def click(self, x: float, y: float) -> None:
        for left, top, width, height, deed in self.targets:
            if left <= x < left + width and top <= y < top + height:
                deed()
                return

    def wheel(self, steps: int) -> None:
        self.scroll = max(0, self.scroll - 3 * steps)
