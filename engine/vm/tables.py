"""String tables: text files of comma-separated cells, looked up without regard to case.

Where several folders have a table of one name, the later ones come in front (IW4 page, "Sources and installation"):
a row of theirs is found before those of the others.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence

from engine.source import SourceText

Row = Sequence[str]
Rows = Sequence[Row]
TableSource = Callable[[str], Sequence[SourceText]]
"""The files of a table by its canonical name with extension, those that win first."""


MAX_READ = 256
"""Tables that are kept, those that nobody has included."""


class Tables:
    """Tables by name, read when first asked for. A table that nobody has is empty."""

    def __init__(self, source: TableSource) -> None:
        self.source = source
        self._read: dict[str, Rows] = {}

    def forget(self) -> int:
        """Read every table again when it is asked for; how many had been read."""
        count = len(self._read)
        self._read.clear()
        return count

    def is_read(self, name: str) -> bool:
        """Whether asking for a table takes no look at files."""
        return _key(name) in self._read

    def __call__(self, name: str) -> Rows:
        key = _key(name)
        rows = self._read.get(key)
        if rows is None:
            if len(self._read) >= MAX_READ:
                # Names can be made up without end.
                self._read.clear()
            rows = self._read[key] = [row for text in self.source(key) for row in parse(text.text)]
        return rows


def _key(name: str) -> str:
    return name.lower().replace("/", "\\")


def parse(text: str) -> list[list[str]]:
    """The rows of a table. Quotes enclose a cell with commas; empty lines are no rows."""
    return [[cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if row]


def find_number(rows: Rows, column: int, value: str) -> int:
    """The first row with `value` in `column`, -1 for none."""
    wanted = value.lower()
    for number, row in enumerate(rows):
        if 0 <= column < len(row) and row[column].lower() == wanted:
            return number
    return -1


def find_row(rows: Rows, column: int, value: str) -> Row:
    """The same row, an empty one for none."""
    number = find_number(rows, column, value)
    return rows[number] if number >= 0 else ()


def cell(row: Row, column: int) -> str:
    """A cell, "" where the row has none."""
    return row[column] if 0 <= column < len(row) else ""
