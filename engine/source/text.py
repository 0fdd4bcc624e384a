"""Source text by bytes, and places in it.

Scripts are bytes, not Unicode: they are read as latin-1, so one character is one byte and no file can fail
on its encoding. A UTF-8 byte order mark is dropped, and all positions are those of the text after it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_BOM = b"\xef\xbb\xbf"


class SourceText:
    """One file's text with its line table.

    `path` is what diagnostics print, usually the path as the user wrote or would write it.
    """

    __slots__ = ("__dict__", "path", "text")

    def __init__(self, path: str, data: bytes | str) -> None:
        self.path = path
        if isinstance(data, bytes):
            data = data.removeprefix(_BOM).decode("latin-1")
        self.text = data

    @classmethod
    def read(cls, path: Path, shown: str | None = None) -> SourceText:
        """Read a file. Raises OSError as the system gives it."""
        return cls(shown if shown is not None else str(path), path.read_bytes())

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line. Lines end at a line feed, as in the stock compiler."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def line_col(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in bytes) of an offset; offsets past the end mean the end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its line end; empty for a line that does not exist."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def span(self, start: int, end: int | None = None) -> Span:
        return Span(self, start, start if end is None else end)

    def __repr__(self) -> str:
        return f"SourceText({self.path!r}, {len(self.text)} bytes)"


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range `start` to `end` of offsets in one source."""

    source: SourceText
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_col(self.start)[0]

    @property
    def col(self) -> int:
        return self.source.line_col(self.start)[1]

    @property
    def path(self) -> str:
        return self.source.path

    def __str__(self) -> str:
        line, col = self.source.line_col(self.start)
        return f"{self.source.path}:{line}:{col}"
