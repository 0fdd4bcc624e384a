"""What is shown while a level is prepared: its surfaces painted, its light worked out.

On a graphics card that is over before anybody can read; on a processor that stands in for one it takes some seconds
the first time, and a window that stands still looks broken.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pygame

from engine.client.canvas import AMBER, DIM, NIGHT, Canvas
from engine.client.text import Letters
from engine.client.window import Window

PATIENCE = 0.15
"""Seconds without a picture before the first one, and between one and the next."""

WORTH_SAYING = 0.6
"""Seconds after which a run without a screen says what it is busy with."""


class Loading:
    """Told of progress by the renderer; shows a bar in a window, or says a line where there is none.

    announce  takes a sentence for somebody who sees no window, once for each kind of work
    """

    def __init__(
        self, window: Window, letters: Letters, title: str, announce: Callable[[str], None] | None
    ) -> None:
        self._window, self._letters, self._title = window, letters, title
        self._announce = announce
        self._said: set[str] = set()
        self._began = self._shown = time.monotonic()

    def __call__(self, work: str, part: float) -> None:
        """`work` is being done and `part` (0..1) of it is over."""
        now = time.monotonic()
        if self._window.settings.headless:
            if self._announce is not None and work not in self._said and now - self._began > WORTH_SAYING:
                self._said.add(work)
                self._announce(f"{work}; kept for the next time")
        elif now - self._shown > PATIENCE:
            self._shown = now
            self._draw(work, part)

    def _draw(self, work: str, part: float) -> None:
        pygame.event.pump()  # or the desktop would call the window dead
        renderer = self._window.renderer
        canvas = Canvas(self._letters, renderer.size)
        unit = canvas.unit
        canvas.box(0, 0, canvas.width, canvas.height, NIGHT)
        middle, y = canvas.width / 2, canvas.height * 0.42
        canvas.text(middle, y, self._title, "large", align="center")
        y += self._letters.line_height("large") + 8 * unit
        canvas.text(middle, y, work, "small", DIM, align="center")
        y += self._letters.line_height("small") + 12 * unit
        width = 320 * unit
        canvas.box(middle - width / 2, y, width, 4 * unit, DIM, 0.35)
        canvas.box(middle - width / 2, y, width * min(max(part, 0.0), 1.0), 4 * unit, AMBER)
        renderer.draw_screen(canvas.quads(), self._letters.sheet)
        self._window.show()
