"""What happens in a game, for people and for programs: log lines for the console, events for a file."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from engine.source import Diagnostic
from engine.source.render import to_text

LogKind = Literal["print", "info", "warning", "error", "reload"]

KEPT_LINES = 5000
"""Log lines that wait to be read; older ones are dropped, since a script may print a million."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, for the console and, where it is a fault or a reload, for a toast.

    kind        print is a script's own output, info is the engine's
    text        one or more lines
    diagnostic  the fault itself: the toast shows its place, the console all of it
    """

    kind: LogKind
    text: str
    diagnostic: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """A look into the running program for the overlay; gathered only while it is shown.

    threads    function names with how many threads run them, most first
    waiters    (what is waited for, how many threads wait for it), most first
    variables  named counts: variables, arrays, objects and whatever else the machine counts
    """

    thread_count: int = 0
    waiter_count: int = 0
    threads: Sequence[tuple[str, int]] = ()
    waiters: Sequence[tuple[str, int]] = ()
    variables: Mapping[str, int] = field(default_factory=dict)


class Journal:
    """Collects log lines, and writes events (one JSON object a line, each with `event` and `time`) and a log file.

    Both files are optional. One that cannot be written ends silently after one log line: a full disk must not
    stop a game.
    """

    def __init__(
        self,
        events: Path | None = None,
        log: Path | None = None,
        echo: Callable[[LogLine], None] | None = None,
    ) -> None:
        """`echo` gets every log line at once, for runs that nobody watches."""
        self._lines: deque[LogLine] = deque(maxlen=KEPT_LINES)
        self._echo = echo
        self.events_lost = False
        """Whether events were wanted and could not all be written."""
        self._events: IO[str] | None = None
        self._log: IO[str] | None = None
        self._events = self._open(events)
        self.events_lost = events is not None and self._events is None
        self._log = self._open(log)

    def _open(self, path: Path | None) -> IO[str] | None:
        if path is None:
            return None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            self.say("warning", f"cannot write {path}: {error.strerror or error}")
            return None

    def say(self, kind: LogKind, text: str, diagnostic: Diagnostic | None = None) -> None:
        """Add a log line."""
        line = LogLine(kind, text, diagnostic)
        self._lines.append(line)
        if self._echo is not None:
            self._echo(line)
        if self._log is not None:
            try:
                report = "" if diagnostic is None else to_text(diagnostic)
                # The text of many lines is the report already.
                self._log.write(f"[{kind}] {text}\n" + (f"{report}\n" if report not in ("", text) else ""))
            except OSError as error:
                self._log = None
                self._lines.append(LogLine("warning", f"the log file is given up: {error.strerror or error}"))

    def event(self, name: str, time: int, **details: Any) -> None:
        """Write an event; `time` is the game's, in ms."""
        if self._events is None:
            return
        try:
            self._events.write(json.dumps({"event": name, "time": time, **details}) + "\n")
        except OSError as error:
            self._events = None
            self.events_lost = True
            self.say("warning", f"the events file is given up: {error.strerror or error}")

    @property
    def wants_events(self) -> bool:
        """Whether events go anywhere, so that costly ones need not be made."""
        return self._events is not None

    def drain(self) -> list[LogLine]:
        """The log lines since the last call."""
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def close(self) -> None:
        for file in (self._events, self._log):
            if file is not None:
                file.close()
        self._events = self._log = None
