"""Events of folders from the system, or by looking again and again where the system has none, and never silence.

What may go wrong: the system's limit of watches is used up, the drive sends no events, a thread of the observer dies.
Each time the user is told in one sentence, and polling takes over.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

POLL_SECONDS = 0.2

# Watchdog pairs the halves of a rename. Where it happens to look before the second has come, it waits for it half a
# second, and holds back all that follows: one save by renaming in some hundred was heard of that late. To this watcher
# halves that were not paired mean the same.
with suppress(ImportError):  # a part of watchdog that other versions may not have
    from watchdog.observers.inotify_move_event_grouper import InotifyMoveEventGrouper

    InotifyMoveEventGrouper.delay = 0.02

Event = tuple[float, str, str, str]
"""When (monotonic seconds), what, source and target."""

Events = list[Event]


class _Collector(FileSystemEventHandler):
    """Runs on watchdog's thread: puts events into a queue and does nothing else."""

    def __init__(self, events: queue.SimpleQueue[Event]) -> None:
        self._events = events

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in ("opened", "closed_no_write"):
            return
        if event.is_directory and event.event_type not in ("moved", "deleted", "created"):
            return
        self._events.put(
            (time.monotonic(), event.event_type, str(event.src_path), str(event.dest_path or ""))
        )


class FolderObserver:
    """Watches some folders with everything below them. `polling` says that it looks every 0.2 s instead."""

    def __init__(self, make: Callable[[], BaseObserver], say: Callable[[str], None]) -> None:
        self._make = make
        self._say = say
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._folders: Sequence[Path] = ()
        self._observer: BaseObserver | None = None
        self.polling = False

    def start(self, folders: Sequence[Path]) -> None:
        """Watch these folders from now on, and no others."""
        self.stop()
        self._folders = folders
        if self.polling:
            self._poll()
            return
        try:
            self._observer = self._begin(self._make())
            self.polling = isinstance(self._observer, PollingObserver)
        except OSError as error:
            # ENOSPC is the usual one: the system's limit of inotify watches is used up.
            self._say(
                f"cannot watch the mod folders natively ({error.strerror or error}); looking every 0.2 s"
            )
            self._poll()

    def _begin(self, observer: BaseObserver) -> BaseObserver:
        try:
            for folder in self._folders:
                observer.schedule(_Collector(self._queue), str(folder), recursive=True)
            observer.start()
        except OSError:
            observer.unschedule_all()
            raise
        return observer

    def _poll(self) -> None:
        self.polling = True
        try:
            self._observer = self._begin(PollingObserver(timeout=POLL_SECONDS))
        except OSError as error:
            self._observer = None
            self._say(f"cannot watch the mod folders at all ({error.strerror or error}); use `reload`")

    def check(self) -> bool:
        """Whether the observer had died; another one is at work now."""
        observer = self._observer
        if observer is None:
            return False
        if observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters):
            return False
        self._say("the file watcher had stopped; looking every 0.2 s from now on")
        self.stop()
        self._poll()
        return True

    def events(self) -> Events:
        """What has happened since the last call."""
        found: Events = []
        while True:
            try:
                found.append(self._queue.get_nowait())
            except queue.Empty:
                return found

    def stop(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            try:
                observer.stop()
                if observer.is_alive():
                    observer.join(2.0)
            except (OSError, RuntimeError):
                pass  # a thread that is already gone cannot be stopped twice; it is being replaced
