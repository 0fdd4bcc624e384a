"""Where string tables are found: below the folders of a search order, as every other file of a mod."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.pipeline.texts import locate, read_text
from engine.source import SourceText


def table_files(roots: Iterable[Path], name: str) -> list[SourceText]:
    """The files of a table, those of the folders that come first in front. `name` may have the extension .csv."""
    stem = name.removesuffix(".csv")
    found = (locate(root, stem, ".csv") for root in roots)
    return [text for text in map(_text, found) if text is not None]


def _text(path: Path | None) -> SourceText | None:
    """A table that cannot be read counts as none, as `unreadable_folders` and the check say."""
    try:
        return read_text(path) if path is not None else None
    except OSError:
        return None
