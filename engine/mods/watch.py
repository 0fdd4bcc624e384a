"""Noticing that files were saved: once for each save, whatever the editor does, and never half a file.

The rule (docs/hot-reload.md): a change is settled when no file is still being written and nothing has
happened for a short quiet time; then the content decides: a file whose bytes are as before did not change.
A file that vanishes is given half a second to come back, since many editors save by delete and create.

Watching folders, not files, survives a save that renames over the file. Events are only collected on
watchdog's thread; everything else happens in `poll`, which the game calls once a frame, so that an error in
handling a change can never end the observer.
"""

from __future__ import annotations

import hashlib
import queue
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

EXTENSIONS = frozenset(
    {
        ".gsc",
        ".script",
        ".atr",
        ".toml",
        ".map",
        ".glb",
        ".gltf",
        ".3do",
        ".wav",
        ".ogg",
        ".png",
        ".bos",
        ".cob",
        ".h",
    }
)
"""What the game can take in. Everything else in the watched folders (editors' own files) is no news."""

QUIET = 0.03
"""Seconds without an event before saves count as finished."""

QUIET_POLLING = 0.15
"""The same where the system sends no "closed" event: two polls must agree."""

WRITING_TIMEOUT = 2.0
"""Seconds after which a file that was written to but never closed counts as finished all the same."""

VANISH_GRACE = 0.5
"""Seconds that a missing file has to come back before it counts as removed."""

HEALTH_INTERVAL = 1.0


@dataclass(frozen=True, slots=True)
class Changes:
    """One settled set of changes. `since` is the monotonic time of the last event that belongs to it."""

    changed: frozenset[Path]
    removed: frozenset[Path]
    since: float


@dataclass(slots=True)
class _Pending:
    """What has happened and is not settled: paths with the time of their last event."""

    dirty: dict[Path, float] = field(default_factory=dict)
    writing: dict[Path, float] = field(default_factory=dict)
    last: float = 0.0


class _Collector(FileSystemEventHandler):
    """Runs on watchdog's thread: puts events into a queue and does nothing else."""

    def __init__(self, events: queue.SimpleQueue[tuple[float, str, str, str]]) -> None:
        self._events = events

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in ("opened", "closed_no_write"):
            return
        if event.is_directory and event.event_type not in ("moved", "deleted", "created"):
            return
        self._events.put(
            (time.monotonic(), event.event_type, str(event.src_path), str(event.dest_path or ""))
        )


def _digest(path: Path) -> bytes | None:
    """A hash of a file's content, or None when it cannot be read."""
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
    except OSError:
        return None


class FileWatcher:
    """Watches folders and everything below them.

    `poll(now)` gives a `Changes` when a set has settled, else None. `say` receives one plain sentence when
    something stands in the way (no native watching, a watcher that had to be restarted).
    """

    def __init__(
        self,
        folders: Iterable[Path],
        say: Callable[[str], None],
        *,
        make_observer: Callable[[], BaseObserver] = Observer,
        extensions: frozenset[str] = EXTENSIONS,
    ) -> None:
        self._folders = [folder.resolve() for folder in folders if folder.is_dir()]
        self._say = say
        self._make_observer = make_observer
        self._extensions = extensions
        self._events: queue.SimpleQueue[tuple[float, str, str, str]] = queue.SimpleQueue()
        self._pending = _Pending()
        self._known: dict[Path, bytes] = {}
        self._polling = False
        self._observer: BaseObserver | None = None
        self._next_health = time.monotonic() + HEALTH_INTERVAL
        for folder in self._folders:
            for path in self._files_below(folder):
                self._remember(path)
        self._start()

    # ---- the observer -------------------------------------------------------------------------------

    def _start(self) -> None:
        try:
            self._observer = self._begin(self._make_observer())
            self._polling = isinstance(self._observer, PollingObserver)
        except OSError as error:
            # ENOSPC is the usual one: the system's limit of inotify watches is used up.
            self._say(
                f"cannot watch the mod folders natively ({error.strerror or error}); looking every 0.2 s"
            )
            self._fall_back()

    def _begin(self, observer: BaseObserver) -> BaseObserver:
        try:
            for folder in self._folders:
                observer.schedule(_Collector(self._events), str(folder), recursive=True)
            observer.start()
        except OSError:
            observer.unschedule_all()
            raise
        return observer

    def _fall_back(self) -> None:
        self._polling = True
        try:
            self._observer = self._begin(PollingObserver(timeout=0.2))
        except OSError as error:
            self._observer = None
            self._say(f"cannot watch the mod folders at all ({error.strerror or error}); use `reload`")

    def _check_health(self) -> None:
        observer = self._observer
        if observer is None:
            return
        if observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters):
            return
        self._say("the file watcher had stopped; looking every 0.2 s from now on")
        self._stop_observer()
        self._fall_back()
        # What was saved while nobody looked is found by content.
        self.rescan()

    def _stop_observer(self) -> None:
        if self._observer is not None:
            try:
                self._observer.stop()
                if self._observer.is_alive():
                    self._observer.join(2.0)
            except (OSError, RuntimeError):
                pass  # a thread that is already gone cannot be stopped twice; it is being replaced
            self._observer = None

    def close(self) -> None:
        self._stop_observer()

    # ---- what is known ------------------------------------------------------------------------------

    def _files_below(self, folder: Path) -> list[Path]:
        try:
            return sorted(p for p in folder.rglob("*") if self._matters(p) and p.is_file())
        except OSError:
            return []

    def _matters(self, path: Path) -> bool:
        return path.suffix.lower() in self._extensions and not path.name.startswith(".")

    def _remember(self, path: Path) -> None:
        digest = _digest(path)
        if digest is not None:
            self._known[path] = digest

    def rescan(self, now: float | None = None) -> None:
        """Count every file as possibly changed; the content decides."""
        now = time.monotonic() if now is None else now
        present = {path for folder in self._folders for path in self._files_below(folder)}
        for path in present | set(self._known):
            self._pending.dirty.setdefault(path, now)
        self._pending.last = now

    # ---- events -------------------------------------------------------------------------------------

    def poll(self, now: float | None = None) -> Changes | None:
        """Take in what happened; a settled set of changes, or None. `now` is monotonic seconds."""
        now = time.monotonic() if now is None else now
        while True:
            try:
                at, kind, source, target = self._events.get_nowait()
            except queue.Empty:
                break
            self._take(at, kind, Path(source), Path(target) if target else None)
        if now >= self._next_health:
            self._next_health = now + HEALTH_INTERVAL
            self._check_health()
        return self._settle(now) if self._pending.dirty else None

    def _take(self, at: float, kind: str, source: Path, target: Path | None) -> None:
        pending = self._pending
        for path in (source, target):
            if path is None:
                continue
            if self._matters(path):
                pending.dirty[path] = at
                pending.last = at
                if kind == "modified" and path == source and not self._polling:
                    pending.writing[path] = at
                elif kind in ("closed", "moved", "deleted"):
                    pending.writing.pop(path, None)
            elif kind in ("created", "moved", "deleted"):
                # A folder came, went or was renamed: its files send no events of their own.
                for known in [p for p in self._known if path in p.parents]:
                    pending.dirty.setdefault(known, at)
                    pending.last = at
                if path.is_dir():
                    for inside in self._files_below(path):
                        pending.dirty.setdefault(inside, at)
                        pending.last = at

    def _settle(self, now: float) -> Changes | None:
        pending = self._pending
        for path, at in list(pending.writing.items()):
            if now - at > WRITING_TIMEOUT:
                del pending.writing[path]
        quiet = QUIET_POLLING if self._polling else QUIET
        if pending.writing or now - pending.last < quiet:
            return None
        changed: set[Path] = set()
        removed: set[Path] = set()
        waiting: dict[Path, float] = {}
        found: dict[Path, bytes] = {}
        for path, at in pending.dirty.items():
            digest = _digest(path)
            if digest is not None:
                if self._known.get(path) != digest:
                    changed.add(path)
                    found[path] = digest
            elif path in self._known:
                if now - at < VANISH_GRACE:
                    waiting[path] = at
                else:
                    removed.add(path)
        if waiting:
            # Somebody is in the middle of a save by delete and create: the set is not complete yet.
            return None
        last = pending.last
        self._pending = _Pending()
        self._known.update(found)
        for path in removed:
            del self._known[path]
        return Changes(frozenset(changed), frozenset(removed), last) if changed or removed else None
