"""Watching changed code for a while: an error that it did not raise before is probably the fault of the save."""

from __future__ import annotations

from collections.abc import Iterable

from engine.gsc.suspension import Key
from engine.source import Diagnostic

FRAMES = 100
"""Server frames that a reload is watched for (5 s)."""


class Probation:
    """Hears of every run-time error; `fault` is the first new one in code that is watched."""

    def __init__(self) -> None:
        self._known: set[tuple[str, str, str]] = set()
        self._watched: set[str] = set()
        self._left = 0
        self.fault: Diagnostic | None = None

    def begin(self) -> None:
        """Watch nothing of what was watched before."""
        self._watched.clear()
        self._left = 0
        self.fault = None

    def watch(self, functions: Iterable[Key] = (), paths: Iterable[str] = ()) -> None:
        """Watch these too from now on: functions of scripts, and whole line scripts by the paths of their texts."""
        self._watched.update(f"{script}::{name}" for script, name in functions)
        self._watched.update(paths)
        self._left = FRAMES if self._watched else 0

    def hear(self, error: Diagnostic) -> None:
        if error.severity == "warning":
            return
        functions = [entry.function for entry in error.stack]
        path = error.span.path if error.span is not None else ""
        key = (functions[0] if functions else "", path, error.message)
        new = key not in self._known
        self._known.add(key)
        if new and self._left and self.fault is None and self._watched.intersection([*functions, path]):
            self.fault = error

    def frame(self) -> None:
        """A server frame has passed."""
        if self._left:
            self._left -= 1
