"""Noticing that files were saved: once for each save, whatever the editor does, and never half a file.

The rule (docs/hot-reload.md): a change is settled when no file is still being written and nothing has
happened for a short quiet time; then the content decides: a file whose bytes are as before did not change.
A file that vanishes is given half a second to come back, since many editors save by delete and create.

Watching folders, not files, survives a save that renames over the file. Events are only collected on
watchdog's thread; everything else happens in `poll`, which the game calls once a frame, so that an error in
handling a change can never end the observer. The observer itself belongs to `engine.mods.observing`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from engine.mods.kinds import WATCHED
from engine.mods.observing import FolderObserver
from engine.mods.roots import Links, Roots
from engine.pipeline.files import digest_file

QUIET = 0.03
"""Seconds without an event before saves count as finished."""

QUIET_POLLING = 0.15
"""The same where the system sends no "closed" event: two polls must agree."""

WRITING_TIMEOUT = 2.0
"""Seconds after which a file that was written to but never closed counts as finished all the same."""

VANISH_GRACE = 0.5
"""Seconds that a missing file has to come back before it counts as removed."""

HEALTH_INTERVAL = 1.0

MANY = 100
"""Files from which on their contents are compared on another thread, so that no frame waits for the disk."""

FLOOD = 2000
"""Events at once, or known files when a folder comes or goes, from which on it is quicker to look at everything than to
go through them one by one; the system may have lost some, too."""

Digests = dict[Path, bytes | None]


@dataclass(frozen=True, slots=True)
class Changes:
    """One settled set of changes. `since` is the monotonic time of the last event that belongs to it."""

    changed: frozenset[Path]
    removed: frozenset[Path]
    since: float

    def then(self, later: Changes) -> Changes:
        """This set and a later one as one."""
        return Changes(
            self.changed - later.removed | later.changed,
            self.removed - later.changed | later.removed,
            later.since,
        )

    def but(self, paths: Iterable[Path]) -> Changes | None:
        """This set without some files, None where nothing is left."""
        changed, removed = self.changed.difference(paths), self.removed.difference(paths)
        return Changes(changed, removed, self.since) if changed or removed else None

    @property
    def files(self) -> list[Path]:
        return sorted(self.changed | self.removed)


@dataclass(slots=True)
class _Pending:
    """What has happened and is not settled: paths with the time of their last event, and folders that came or went,
    whose files send no events of their own. `everything`: any file may have changed, since that time."""

    dirty: dict[Path, float] = field(default_factory=dict)
    writing: dict[Path, float] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=set)
    everything: float | None = None
    last: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.dirty or self.folders) or self.everything is not None


def _digest(path: Path) -> bytes | None:
    """A hash of a file's content, or None where there is none that can be read: a pipe or a device is no file."""
    try:
        return digest_file(path)
    except OSError:
        return None


def _digests(paths: Iterable[Path]) -> Digests:
    return {path: _digest(path) for path in paths}


@dataclass(frozen=True, slots=True)
class _Look:
    """What files hold at a moment; of all files where `links` is given, and then those that are reached through it."""

    digests: Digests
    links: Links | None = None


class FileWatcher:
    """Watches folders and everything below them, through symbolic links too.

    `poll(now)` gives a `Changes` when a set has settled, else None. `say` receives one plain sentence when
    something stands in the way (no native watching, a watcher that had to be restarted).
    """

    def __init__(
        self,
        folders: Iterable[Path],
        say: Callable[[str], None],
        *,
        make_observer: Callable[[], BaseObserver] = Observer,
        extensions: frozenset[str] = WATCHED,
    ) -> None:
        self._roots = Roots(folders)
        self._links = Links()
        self._extensions = extensions
        self._observer = FolderObserver(make_observer, say)
        self._pending = _Pending()
        self._known: dict[Path, bytes] = {}
        self._now = time.monotonic()
        self._next_health = self._now + HEALTH_INTERVAL
        self._pool = ThreadPoolExecutor(1, "digests")
        self._comparing: Future[_Look] | None = None
        self._keep(self._look_at_all(()))
        self._observer.start(self._roots.present())

    def close(self) -> None:
        self._observer.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # ---- what is known ------------------------------------------------------------------------------

    def _look_at_all(self, known: Iterable[Path]) -> _Look:
        """Every file that matters, and the known ones, which may be gone."""
        links = Links()
        found = {p for folder in self._roots.present() for p in links.walk(folder) if self._matters(p)}
        return _Look(_digests(found.union(known)), links)

    def _keep(self, look: _Look) -> None:
        self._known.update({path: digest for path, digest in look.digests.items() if digest is not None})
        if look.links is not None:
            self._links = look.links

    def _below(self, folder: Path) -> list[Path]:
        return sorted(path for path in self._links.walk(folder) if self._matters(path))

    def _matters(self, path: Path) -> bool:
        return path.suffix.lower() in self._extensions and not path.name.startswith(".")

    def rescan(self) -> None:
        """Count every file as possibly changed; the content decides."""
        self._pending.everything = self._pending.last = self._now

    # ---- events -------------------------------------------------------------------------------------

    def poll(self, now: float | None = None) -> Changes | None:
        """Take in what happened; a settled set of changes, or None. `now` is in seconds; a clock that goes back stands
        still here."""
        self._now = now = max(self._now, time.monotonic() if now is None else now)
        events = self._observer.events()
        if len(events) >= FLOOD:
            self.rescan()
        else:
            for at, kind, source, target in events:
                self._take(min(at, now), kind, Path(source), Path(target) if target else None)
        if now >= self._next_health:
            self._next_health = now + HEALTH_INTERVAL
            self._look_after(now)
        return self._settle(now) if self._pending else None

    def _look_after(self, now: float) -> None:
        """Once a second: is anybody watching, are the folders still the same ones, and what do links lead to?"""
        if self._observer.check():
            # What was saved while nobody looked is found by content.
            self.rescan()
        if self._roots.moved():
            self._observer.start(self._roots.present())
            self.rescan()
        for path in self._links.changed():
            if self._matters(path):
                self._pending.dirty[path] = self._pending.last = now

    def _take(self, at: float, kind: str, source: Path, target: Path | None) -> None:
        pending = self._pending
        for path in (source, target):
            if path is None:
                continue
            if self._matters(path):
                pending.dirty[path] = at
                pending.last = at
                if kind == "modified" and path == source and not self._observer.polling:
                    pending.writing[path] = at
                elif kind in ("closed", "moved", "deleted"):
                    pending.writing.pop(path, None)
            elif kind in ("created", "moved", "deleted"):
                pending.folders.add(path)

    def _open_folders(self) -> None:
        """Files of folders that came, went or were renamed."""
        pending = self._pending
        folders, pending.folders = pending.folders, set()
        if len(self._known) >= FLOOD:
            self.rescan()
            return
        found = {known for known in self._known if not folders.isdisjoint(known.parents)}
        for folder in folders:
            if os.path.isdir(folder):
                found.update(self._below(folder))
        for path in found:
            pending.dirty.setdefault(path, self._now)
            pending.last = self._now

    # ---- settling -----------------------------------------------------------------------------------

    def _settle(self, now: float) -> Changes | None:
        pending = self._pending
        if pending.folders:
            self._open_folders()
            if not pending:
                return None
        for path, at in list(pending.writing.items()):
            if now - at > WRITING_TIMEOUT:
                del pending.writing[path]
        quiet = QUIET_POLLING if self._observer.polling else QUIET
        if pending.writing or now - pending.last < quiet:
            self._comparing = None
            return None
        look = self._look()
        return self._outcome(look, now) if look is not None else None

    def _look(self) -> _Look | None:
        """What the files in question hold now, None while many of them are still being read."""
        pending = self._pending
        if pending.everything is None and len(pending.dirty) < MANY:
            return _Look(_digests(pending.dirty))
        if self._comparing is None:
            if pending.everything is None:
                paths = list(pending.dirty)
                self._comparing = self._pool.submit(lambda: _Look(_digests(paths)))
            else:
                self._comparing = self._pool.submit(self._look_at_all, [*self._known, *pending.dirty])
        if not self._comparing.done():
            return None
        done, self._comparing = self._comparing, None
        return done.result()

    def _outcome(self, look: _Look, now: float) -> Changes | None:
        pending = self._pending
        changed: set[Path] = set()
        removed: set[Path] = set()
        for path, digest in look.digests.items():
            if digest is not None:
                if self._known.get(path) != digest:
                    changed.add(path)
            elif path in self._known:
                if now - pending.dirty.get(path, pending.everything or now) < VANISH_GRACE:
                    # Somebody is in the middle of a save by delete and create: the set is not complete yet.
                    return None
                removed.add(path)
        last = pending.last
        self._pending = _Pending()
        self._keep(look)
        for path in removed:
            del self._known[path]
        return Changes(frozenset(changed), frozenset(removed), last) if changed or removed else None
