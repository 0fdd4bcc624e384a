"""The programs of a session, so that a reload can be taken back and done again."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.linescript.program import Program
from engine.mods.program import Build

KEPT = 20
"""Programs that are remembered; what they have in common is in memory once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A program that ran, and what was saved to come to it. `lines` are the line scripts whose text was another before
    or after it; the others are as they are."""

    build: Build
    files: tuple[str, ...]
    lines: dict[str, Program] = field(default_factory=dict)


class History:
    """A row of programs and the place of the running one. A new program cuts off what was taken back."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._at = -1

    def push(self, build: Build, files: tuple[str, ...]) -> None:
        """`build` runs from now on."""
        del self._entries[self._at + 1 :]
        self._entries.append(Entry(build, files))
        del self._entries[:-KEPT]
        self._at = len(self._entries) - 1

    def undo(self) -> Entry | None:
        """Step back: the entry that is taken back, None at the beginning. `current` is the one to go to."""
        if self._at <= 0:
            return None
        self._at -= 1
        return self._entries[self._at + 1]

    def redo(self) -> Entry | None:
        """Step forward again: the entry to go to, None at the end."""
        if self._at + 1 >= len(self._entries):
            return None
        self._at += 1
        return self._entries[self._at]

    @property
    def current(self) -> Entry | None:
        return self._entries[self._at] if self._entries else None
