"""Where cooked files lie: shipped ones beside the assets, and the user's own cache folder.

A cooked file is used when it is current for its source (see `cook.is_current`), wherever it lies. Files in
the cache are named after the asset and the hash of their source, so that a reader that has mapped an older
one is not disturbed; older ones of the same source are removed when a newer one is stored.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import paths
from engine.pipeline import container
from engine.pipeline.cook import Cooked, is_current
from engine.pipeline.files import content_hash, paths_in, write_atomically

SUFFIX = ".ntk"
COOKED_FOLDER = "cooked"


def default_folder() -> Path:
    """The user's cache folder for assets; NOTETRACK_CACHE names another."""
    return paths.cache() / "assets"


class AssetCache:
    """Cooked files of the sources of one asset root. `root` is the folder that holds `models`."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.root = root
        self.folder = folder / content_hash(os.fsencode(root.resolve()))[:12]
        self.shipped = root / COOKED_FOLDER

    def find(self, source: Path, hash_: str) -> Path | None:
        """The current cooked file of a source with this hash."""
        for path in (self.shipped_path(source), self.path(source, hash_)):
            meta = self._meta(path)
            if meta is not None and is_current(meta, source, hash_):
                return path
        return None

    def find_stale(self, source: Path) -> Path | None:
        """Any readable cooked file of a source, newest first, for when it cannot be cooked again."""
        for path in (*self._older(source), self.shipped_path(source)):
            if self._meta(path) is not None:
                return path
        return None

    def store(self, source: Path, cooked: Cooked) -> Path:
        """Write a cooked file into the cache and remove older ones of its source. Raises OSError."""
        path = self.path(source, cooked.meta["source"])
        write_atomically(path, cooked.data)
        for other in self._older(source):
            if other != path:
                with contextlib.suppress(OSError):
                    other.unlink()
        return path

    def path(self, source: Path, hash_: str) -> Path:
        return self.folder / f"{source.stem.lower()}-{hash_[:16]}{SUFFIX}"

    def shipped_path(self, source: Path) -> Path:
        return self.shipped / f"{source.stem.lower()}{SUFFIX}"

    def shipped_files(self) -> Iterator[Path]:
        """Every shipped cooked file, by name."""
        yield from (path for path in paths_in(self.shipped) if path.suffix == SUFFIX)

    def _older(self, source: Path) -> list[Path]:
        stem = source.stem.lower()
        found = [
            path
            for path in self.folder.glob(f"{stem}-*{SUFFIX}")
            if len(path.stem) == len(stem) + 17 and path.stem.startswith(stem + "-")
        ]
        return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))

    @staticmethod
    def _meta(path: Path) -> dict[str, Any] | None:
        try:
            return container.read_meta(path)
        except (OSError, container.DamagedFile):
            return None
