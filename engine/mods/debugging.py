"""Looking into the running scripts and stopping them: for the console, the socket and whoever embeds a session."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.source import Span
from engine.vm.inspect import FrameView, ThreadView, view_thread
from engine.vm.threads import Thread
from engine.vm.trace import show

if TYPE_CHECKING:
    from engine.mods.session import GameSession

AROUND = 3
"""Lines of source shown on either side of a position."""


class Debugger:
    """One session's. While `held` no game time passes, but for the frames that are asked for."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self.held = False
        self._frames = 0

    # ---- time ------------------------------------------------------------------------------------------

    def advances(self) -> bool:
        """Whether the coming server frame is played; asked once for each."""
        if not self.held:
            return True
        if self._frames:
            self._frames -= 1
            return True
        return False

    def hold(self) -> str:
        self.held, self._frames = True, 0
        return "the game stands still; `step`, `step_thread` and `go`"

    def go(self) -> str:
        self.held, self._frames = False, 0
        return "the game goes on"

    def step(self, frames: int = 1) -> str:
        """Let so many server frames pass, and stand still then."""
        self.held = True
        self._frames = frames
        return f"{frames} frame{'s' * (frames != 1)}"

    def step_thread(self, number: int) -> str:
        """Run one thread that waits for a time to its next wait, before its time; nothing else runs."""
        thread = self._find(number)
        if thread is None:
            return f"there is no thread {number}"
        if thread.bucket is None:
            return f'thread {number} waits for "{thread.event}", not for a time'
        self._session.vm.run_early(thread)
        return self.describe(number) if self._find(number) is not None else f"thread {number} has ended"

    # ---- views -----------------------------------------------------------------------------------------

    def _find(self, number: int) -> Thread | None:
        return next((t for t in self._session.vm.runner.suspended if t.number == number), None)

    def view(self, number: int) -> ThreadView | None:
        thread = self._find(number)
        return view_thread(self._session.vm, thread) if thread is not None else None

    def describe(self, number: int) -> str:
        """A thread with its frames, the source around each, and their variables, as text."""
        view = self.view(number)
        if view is None:
            return f"there is no thread {number}"
        waited = self._session.time - view.since
        lines = [
            f"thread {number} of {view.function}, self {show(view.self)}: {view.waits}, since {waited} ms"
        ]
        for frame in reversed(view.frames):
            lines.append(f"  {frame.function}  {frame.span or ''}")
            lines += [f"    {text}" for text in _source(frame.span)]
            lines += [f"    {name} = {show(value)}" for name, value in frame.locals.items()]
        return "\n".join(lines)

    def waiters(self) -> list[dict[str, Any]]:
        """Who waits for which event on what, most threads first. `raised` are the scripts' places that notify an event
        of that name; where there is none only the engine can."""
        vm = self._session.vm
        threads: dict[tuple[str, str], list[Thread]] = {}
        for thread in vm.runner.suspended:
            if thread.waits_on is not None:
                threads.setdefault((thread.event, thread.waits_on.type_name), []).append(thread)
        places = self._notifies()
        return [
            {
                "event": event,
                "object": kind,
                "threads": [t.number for t in waiting],
                "functions": dict(Counter(str(t.frames[-1].function) for t in waiting if t.frames)),
                "longest": vm.time - min(t.since for t in waiting),
                "raised": places.get(event, []),
            }
            for (event, kind), waiting in sorted(threads.items(), key=lambda item: -len(item[1]))
        ]

    def _notifies(self) -> dict[str, list[str]]:
        """Where scripts raise each event whose name they write down."""
        from engine.gsc import syntax
        from engine.gsc.suspension import walk

        build = self._session.build
        found: dict[str, list[str]] = {}
        for script in build.program.scripts.values() if build is not None else ():
            for function in script.functions.values():
                for node in walk(function.body, lambda part: False):
                    if isinstance(node, syntax.Notify) and isinstance(node.event, syntax.StringLiteral):
                        found.setdefault(node.event.value, []).append(str(script.source.span(node.at)))
        return found

    def waiters_text(self) -> str:
        lines = []
        for row in self.waiters():
            raised = ", ".join(row["raised"][:3]) or "the engine, if anyone"
            lines.append(
                f"{len(row['threads']):4}  {row['event']} on {row['object']}, up to {row['longest']} ms; from {raised}"
            )
        return "\n".join(lines) or "nobody waits for an event"


def _source(span: Span | None) -> list[str]:
    if span is None:
        return []
    lines = span.source.text.splitlines()
    first, last = max(1, span.line - AROUND), min(len(lines), span.line + AROUND)
    return [
        f"{'>' if number == span.line else ' '}{number:5}  {lines[number - 1].expandtabs(4)}"
        for number in range(first, last + 1)
    ]


def thread_dict(view: ThreadView) -> dict[str, Any]:
    """A thread for programs."""
    return {
        "number": view.number,
        "function": view.function,
        "self": show(view.self),
        "waits": view.waits,
        "since": view.since,
        "frames": [_frame_dict(frame) for frame in reversed(view.frames)],
    }


def _frame_dict(frame: FrameView) -> dict[str, Any]:
    span = frame.span
    return {
        "function": frame.function,
        "path": span.path if span is not None else None,
        "line": span.line if span is not None else None,
        "col": span.col if span is not None else None,
        "locals": {name: show(value) for name, value in frame.locals.items()},
    }
