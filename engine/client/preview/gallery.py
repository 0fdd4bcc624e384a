"""The window of `notetrack preview`: first what was named is shown in it, then what is dropped on it.

Files are watched; what is saved is cooked, and what is dropped is opened, on other threads while the figure moves on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pygame

from engine.client.preview.app import PreviewApp
from engine.client.preview.finding import Finder
from engine.client.preview.showing import Report, Showing
from engine.client.preview.subject import UnknownSubjectError, open_subject
from engine.client.preview.unit import SOURCES, UnitOrder, open_unit
from engine.client.preview.unit_app import UnitApp
from engine.client.toast import Toast
from engine.client.window import Window
from engine.mods.watch import FileWatcher
from engine.pipeline.background import BackgroundCook
from engine.pipeline.files import content_hash
from engine.source import Diagnostic, DiagnosticError

LONGEST_STEP = 0.1
"""Seconds that one picture may count for; a hiccup does not make the figure jump."""

_LOOK_EVERY = 0.25
"""Seconds between two looks at single files."""

AnyShowing = Showing[Any, Any]
Make = Callable[[], AnyShowing]
"""Makes what is shown next, on the thread of the window."""


class SingleFiles:
    """Files that lie in no watched folder, with the settings beside them. As with folders, one that is written without
    a change did not change."""

    def __init__(self, files: Iterable[Path]) -> None:
        paths = {path for file in files for path in (file, file.with_suffix(".toml"))}
        self._stamps = {path: _stamp(path) for path in paths}
        self._contents = {path: _content(path) for path in paths}
        self._unsettled: set[Path] = set()
        self._next = 0.0

    def poll(self, now: float) -> set[Path]:
        """Files that were saved and have not changed again since the last look."""
        if now < self._next:
            return set()
        self._next = now + _LOOK_EVERY
        settled = set()
        for path, known in self._stamps.items():
            stamp = _stamp(path)
            if stamp != known:
                self._stamps[path] = stamp
                self._unsettled.add(path)
            elif path in self._unsettled:
                self._unsettled.discard(path)
                before, self._contents[path] = self._contents[path], _content(path)
                if self._contents[path] != before:
                    settled.add(path)
        return settled


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _content(path: Path) -> str | None:
    try:
        return content_hash(path.read_bytes())
    except OSError:
        return None


class _Opening:
    """A file that is read, and cooked where that has to be, on a thread of its own."""

    def __init__(self, path: Path, work: Callable[[Path], Make]) -> None:
        self.path = path
        self.began = time.monotonic()
        self.made: Make | None = None
        self.problems: list[Diagnostic] = []
        self._work = work
        self._thread = threading.Thread(target=self._run, name="open", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            self.made = self._work(self.path)
        except DiagnosticError as error:
            self.problems = list(error.diagnostics)
        except UnknownSubjectError as error:
            self.problems = [Diagnostic("unreadable-file", str(error))]
        except OSError as error:
            text = f"{self.path} cannot be read: {error.strerror or error}"
            self.problems = [Diagnostic("unreadable-file", text)]


class Gallery:
    """Shows one thing at a time in a window. `unit_folders` are where units look for includes."""

    def __init__(
        self,
        window: Window,
        finder: Finder,
        unit_folders: tuple[Path, ...],
        report: Report,
        first: AnyShowing,
    ) -> None:
        self.window, self.finder = window, finder
        self.showing = first
        self._unit_folders = unit_folders
        self._report = report
        self._opening: _Opening | None = None
        self._waiting: list[Path] = []
        self._cooking = BackgroundCook(finder.library)
        self._changed: set[Path] = set()
        self._watcher: FileWatcher | None = None
        self._single = SingleFiles(())

    # The loop -------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Show and follow until the window is closed."""
        self._watch()
        clock = time.monotonic()
        try:
            while not self.showing.done:
                for event in pygame.event.get():
                    self.showing.handle(event)
                now = time.monotonic()
                self.look(now)
                self.showing.step(min(now - clock, LONGEST_STEP))
                pause = 1 / 60 - (now - clock)
                clock = now
                self.showing.draw()
                self.window.show()
                if pause > 0:
                    time.sleep(pause)
        finally:
            self.close()

    def close(self) -> None:
        """No longer follow files."""
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None

    def look(self, now: float) -> None:
        """Take in what was saved and what was dropped; `now` is the monotonic time."""
        changes = self._watcher.poll() if self._watcher is not None else None
        saved = self._single.poll(now)
        if changes is not None:
            saved |= changes.changed | changes.removed
        if saved:
            self._changed |= saved
            self._cooking.begin()
        if self._cooking.done():
            self.showing.reload(self._changed)
            self._changed = set()
        self._open_next()
        self._follow(now)

    def finish(self) -> None:
        """Wait until all that was dropped is there."""
        self._open_next()
        while self._opening is not None:
            self._opening.wait()
            self._follow(time.monotonic())
            self._open_next()

    def _open_next(self) -> None:
        """Of several files one is opened after another: a tree may need the model that was dropped with it."""
        self._waiting += self.showing.dropped
        self.showing.dropped.clear()
        if self._waiting and self._opening is None:
            self._opening = _Opening(self._waiting.pop(0), self._read)

    def _follow(self, now: float) -> None:
        """Show what was dropped as soon as it is there."""
        opening = self._opening
        if opening is None:
            return
        if not opening.done:
            self.showing.busy = f"reading {opening.path.name}, {now - opening.began:.1f} s"
            return
        self._opening = None
        self.showing.busy = ""
        if opening.made is None:
            self.showing.refuse(opening.problems)
            self.showing.problems.open = True
            return
        before = self.showing
        self.showing = opening.made()
        self.showing.look = before.look
        self.showing.panel.help = before.panel.help
        self.showing.problems.open = before.problems.open
        seconds = now - opening.began
        self.showing.toasts.add(Toast("good", f"{opening.path.name} read in {1000 * seconds:.0f} ms"))
        self._watch()

    def _watch(self) -> None:
        """Follow the files of what is shown."""
        self.close()
        pygame.display.set_caption(f"{self.showing.name} - Notetrack preview")
        paths = sorted(self.showing.watched())
        folders = [path for path in paths if path.is_dir()]
        # A file in one of the folders is heard of there; it is not taken in twice.
        inside = {place for folder in folders for place in (folder.absolute(), folder.resolve())}
        self._single = SingleFiles(
            path
            for path in paths
            if path.is_file() and inside.isdisjoint((*path.absolute().parents, *path.resolve().parents))
        )
        self._watcher = FileWatcher(folders, lambda text: self.showing.toasts.add(Toast("warning", text)))

    # What is dropped ------------------------------------------------------------------------------------

    def _read(self, path: Path) -> Make:
        """Read a file on the thread of its own; making the figure is left to the window's."""
        library = self.finder.library
        if path.suffix.lower() in SOURCES:
            unit_order = UnitOrder(path, None, self._unit_folders)
            if not library.has_model(unit_order.name):
                text = f"there is no model `{unit_order.name}` for the unit {path.name}"
                raise UnknownSubjectError(text + "; `notetrack preview` with --model names another")
            unit = open_unit(unit_order, library)
            return lambda: UnitApp(self.window, unit_order, unit, library, self._report)
        order = self.finder.dropped(path)
        subject = open_subject(order, library)
        return lambda: PreviewApp(self.window, order, subject, library, self._report)
