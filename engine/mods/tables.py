"""Where string tables are found: below the folders of a search order, as every other file of a mod."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.source import SourceText
from engine.source.paths import find_file


def table_files(roots: Iterable[Path], name: str) -> list[SourceText]:
    """The files of a table, those of the folders that come first in front. `name` may have the extension .csv."""
    stem = name.removesuffix(".csv")
    found = (find_file(root, stem, ".csv") for root in roots)
    return [SourceText.read(path) for path in found if path is not None]
