"""Mod folders that appear beside those that are played, so that the player hears of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from engine.mods.manifest import FILE_NAME
from engine.pipeline.files import paths_in


class Shelf:
    """Folders of mods. `look` tells the names of those that were not there at the last look."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._known = self._names()

    def look(self) -> list[str]:
        found = self._names()
        fresh, self._known = found - self._known, found
        return sorted(fresh)

    def _names(self) -> set[str]:
        return {name for folder in self._folders for name in _mods_in(folder)}


def _mods_in(folder: Path) -> list[str]:
    return [path.name for path in paths_in(folder) if os.path.isfile(path / FILE_NAME)]
