"""A line that is typed: the cursor, what was typed before, and finishing of words.

The console and the preview have one each.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence

import pygame

HISTORY = 200
"""Lines that are remembered."""


class LineEdit:
    """Text only. What becomes of a line is a matter of `submit`, and what words there are of `choices`."""

    breaks = " "
    """Characters between which a word stands that Tab finishes."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self.history: deque[str] = deque(maxlen=HISTORY)
        self._at: int | None = None
        self._draft = ""

    # For the kinds of line ------------------------------------------------------------------------------

    def submit(self, line: str) -> None:
        """A line was finished. Overriders remember it with this."""
        if line.strip() and (not self.history or self.history[-1] != line):
            self.history.append(line)
        self._at = None

    def choices(self, before: str, word: str) -> Sequence[str]:
        """What a word that was begun can become; `before` is what stands before it."""
        return ()

    def offer(self, choices: Sequence[str]) -> None:
        """Several choices are left and the word cannot be finished further."""

    # Keys -----------------------------------------------------------------------------------------------

    def insert(self, text: str) -> None:
        clean = "".join(c for c in text if c.isprintable())
        self.text = self.text[: self.cursor] + clean + self.text[self.cursor :]
        self.cursor += len(clean)

    def key(self, code: int, *, control: bool = False) -> None:
        """A key that is no letter."""
        if code in (pygame.K_RETURN, pygame.K_KP_ENTER):
            line, self.text, self.cursor = self.text, "", 0
            self.submit(line)
        elif code == pygame.K_TAB:
            self.complete()
        elif code == pygame.K_BACKSPACE and self.cursor:
            start = self.text.rstrip().rfind(" ", 0, self.cursor - 1) + 1 if control else self.cursor - 1
            self.text, self.cursor = self.text[:start] + self.text[self.cursor :], start
        elif code == pygame.K_DELETE:
            self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
        elif code in (pygame.K_UP, pygame.K_DOWN):
            self._recall(-1 if code == pygame.K_UP else 1)
        else:
            places = {
                pygame.K_LEFT: max(self.cursor - 1, 0),
                pygame.K_RIGHT: min(self.cursor + 1, len(self.text)),
                pygame.K_HOME: 0,
                pygame.K_END: len(self.text),
            }
            self.cursor = places.get(code, self.cursor)

    def _recall(self, step: int) -> None:
        if not self.history:
            return
        if self._at is None:
            if step > 0:
                return
            self._draft, self._at = self.text, len(self.history)
        self._at = max(0, self._at + step)
        if self._at >= len(self.history):
            self._at, self.text = None, self._draft
        else:
            self.text = self.history[self._at]
        self.cursor = len(self.text)

    def complete(self) -> None:
        """Finish the word at the cursor as far as it is clear, and offer the choices where it is not."""
        before = self.text[: self.cursor]
        start = max((m.end() for m in re.finditer(f"[{re.escape(self.breaks)}]", before)), default=0)
        word = before[start:]
        found = self.choices(before[:start], word)
        if not word or not found:
            return
        common = common_start(found)
        longer = common if common.lower().startswith(word.lower()) else word
        finished = self.finished(found[0], before[:start]) if len(found) == 1 else longer
        self.text = self.text[:start] + finished + self.text[self.cursor :]
        self.cursor = start + len(finished)
        if len(found) > 1 and len(finished) == len(word):
            self.offer(found)

    def finished(self, word: str, before: str) -> str:
        """A word that is clear, with what comes after it."""
        return word + " "


def common_start(names: Iterable[str]) -> str:
    """The longest text that all of the names begin with."""
    first, last = min(names), max(names)
    for i, character in enumerate(first):
        if i >= len(last) or last[i] != character:
            return first[:i]
    return first
