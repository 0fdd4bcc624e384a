"""Cooking on another thread while the game runs on: the library then only has to map what is new."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from engine.pipeline.batch import Order, Result, cook_one
from engine.pipeline.library import AssetLibrary, find_sources
from engine.pipeline.reading import KeptSources


class BackgroundCook:
    """Cooks stale sources into the cache. `begin` and `done` belong to the thread that owns the library.

        cooking.begin()                 # when a source was saved
        if cooking.done():              # once a frame
            library.reload(hashes=cooking.hashes)  # quick now, and reports the faults

    NumPy and libassimp let the other threads run for most of the work.

    hashes  of the sources as they were found, by path; for use at once after `done`
    """

    def __init__(self, library: AssetLibrary) -> None:
        self._library = library
        self._roots: Sequence[Path] = library.roots
        self._failed: list[Result] = []
        self.hashes: dict[Path, str] = {}
        self._kept = KeptSources()
        self._thread: threading.Thread | None = None
        self._again = False

    @property
    def busy(self) -> bool:
        return self._thread is not None

    def begin(self) -> None:
        """Start, or start over when the present work is finished."""
        if self._thread is not None:
            self._again = True
            return
        self._roots = self._library.roots
        self._failed, self.hashes = [], {}
        self._thread = threading.Thread(target=self._work, name="cook", daemon=True)
        self._thread.start()

    def done(self) -> bool:
        """True once for each finished `begin`."""
        if self._thread is None or self._thread.is_alive():
            return False
        self._thread = None
        for result in self._failed:
            self._library.know_fault(result.name, result.hash, result.diagnostics)
        if self._again:
            self._again = False
            self.begin()
            return False
        return True

    def _work(self) -> None:
        for source in find_sources(self._roots, self._library.cache_dir).values():
            if not source.cooked_only:
                result = cook_one(Order(source), self._kept)
                if result.hash:
                    self.hashes[source.path] = result.hash
                if result.outcome == "failed" and result.hash:
                    self._failed.append(result)
