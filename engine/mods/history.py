"""The programs of a session, so that a reload can be taken back and done again."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.mods.program import Build
from engine.source import SourceText

KEPT = 20
"""Programs that are remembered at most; what they have in common is in memory once."""

TEXT = 4 << 20
"""Characters of scripts that the remembered programs may differ in, all together; with what is known of them they take
some ten times as many bytes. The running program and the one before are remembered whatever they are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A program that ran, and what was saved to come to it. `fresh` is how many characters its scripts have that the
    program before did not have; `lines` are the texts of line scripts that were others before or after it, the others
    are as they are."""

    build: Build
    files: tuple[str, ...]
    fresh: int = 0
    lines: dict[str, SourceText] = field(default_factory=dict)


class History:
    """A row of programs and the place of the running one. A new program cuts off what was taken back."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._at = -1

    def push(self, build: Build, files: tuple[str, ...]) -> None:
        """`build` runs from now on."""
        del self._entries[self._at + 1 :]
        before = self._entries[-1].build if self._entries else build
        self._entries.append(Entry(build, files, _fresh(before, build)))
        while len(self._entries) > 2 and (len(self) > KEPT or self._text() > TEXT):
            del self._entries[0]
        self._at = len(self._entries) - 1

    def __len__(self) -> int:
        return len(self._entries)

    def _text(self) -> int:
        return sum(entry.fresh for entry in self._entries[1:])

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


def _fresh(before: Build, after: Build) -> int:
    known = before.program.scripts
    return sum(
        len(script.source.text)
        for name, script in after.program.scripts.items()
        if known.get(name) is not script
    )
