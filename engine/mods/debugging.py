"""Looking into the running scripts and stopping them: for the console, the socket and whoever embeds a session."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.mods.program import Build
from engine.mods.wakers import Wakers
from engine.source import Span
from engine.source.render import to_text
from engine.vm.fates import fate_dict
from engine.vm.inspect import FrameView, ThreadView, named, view_thread
from engine.vm.objects import ScriptObject
from engine.vm.threads import Thread
from engine.vm.trace import show
from engine.world.entity import Entity

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
        self._known: tuple[Build, Wakers] | None = None

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
        self._session.states.end_again()
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

    def threads(self) -> list[ThreadView]:
        """Every thread that waits, in order of its first wait."""
        return self._session.vm.threads()

    def last_reload(self) -> tuple[str, list[dict[str, Any]], list[str]]:
        """The last reload in a line, what became of each call whose function changed, and what was wrong, each in
        several lines with its place."""
        report = self._session.reloader.last
        if report is None:
            return "nothing was reloaded yet", [], []
        return report.line(), [fate_dict(row) for row in report.rows], list(map(to_text, report.diagnostics))

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
            f"thread {number} of {view.function}, self {view.self_name}: {view.waits}, since {waited} ms"
        ]
        for frame in reversed(view.frames):
            lines.append(f"  {frame.function}  {frame.span or ''}")
            if frame.span is not None:
                lines += [
                    f"    {'>' if number == frame.span.line else ' '}{number:5}  {text}"
                    for number, text in self.source(frame.span)
                ]
            lines += [f"    {name} = {show(value)}" for name, value in frame.locals.items()]
        return "\n".join(lines)

    def source(self, span: Span, around: int = AROUND) -> list[tuple[int, str]]:
        """Numbered lines of the text that runs, around a position."""
        lines = span.source.text.splitlines()
        first, last = max(1, span.line - around), min(len(lines), span.line + around)
        return [(number, lines[number - 1].expandtabs(4)) for number in range(first, last + 1)]

    def census(self) -> list[dict[str, Any]]:
        """How many threads each function has begun, most first, with the places where they wait now."""
        found: dict[str, Counter[tuple[str, str]]] = {}
        vm = self._session.vm
        for thread in vm.runner.suspended:
            view = view_thread(vm, thread)
            span = view.frames[-1].span if view.frames else None
            place = f"{span.path}:{span.line}" if span is not None else ""
            if thread.waits_on is not None:
                waits = f'"{thread.event}" on {self.kind(thread.waits_on)}'
            else:
                waits = view.waits.split(",")[0]
            found.setdefault(view.function, Counter())[place, waits] += 1
        return [
            {
                "function": function,
                "threads": places.total(),
                "places": [
                    {"place": place, "waits": waits, "threads": count}
                    for (place, waits), count in places.most_common()
                ],
            }
            for function, places in sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))
        ]

    def waiters(self) -> list[dict[str, Any]]:
        """Who waits for which event on what, what nobody can wake first, then most threads first. `raised` are the
        scripts' places that notify an event of that name and can mean that object; `wakes` says what hope there is
        (`engine.mods.wakers.Hope`)."""
        vm, wakers = self._session.vm, self._wakers()
        threads: dict[tuple[str, str], list[Thread]] = {}
        for thread in vm.runner.suspended:
            if thread.waits_on is not None:
                threads.setdefault((thread.event, self.kind(thread.waits_on)), []).append(thread)
        running = {
            (frame.function.script, frame.function.name) for t in vm.runner.suspended for frame in t.frames
        }
        reachable = wakers.reachable(running) if wakers is not None else set()
        rows = []
        for (event, kind), waiting in threads.items():
            on_level = kind == "level"
            raisers = list(wakers.raisers(event, on_level)) if wakers is not None else []
            hope = wakers.hope(event, on_level, running, reachable) if wakers is not None else "engine"
            rows.append(
                {
                    "event": event,
                    "object": kind,
                    "objects": sorted({named(vm, t.waits_on) for t in waiting if t.waits_on is not None}),
                    "threads": [t.number for t in waiting],
                    "functions": dict(Counter(str(t.frames[-1].function) for t in waiting if t.frames)),
                    "longest": vm.time - min(t.since for t in waiting),
                    "raised": [str(place.span) for place in raisers],
                    "wakes": hope,
                }
            )
        return sorted(rows, key=lambda row: (row["wakes"] != "nobody", -len(row["threads"]), row["event"]))

    def kind(self, object: ScriptObject) -> str:
        """`level`, `anim`, `struct`, or an entity's classname."""
        return object.class_name if isinstance(object, Entity) else named(self._session.vm, object)

    def _wakers(self) -> Wakers | None:
        build = self._session.build
        if build is None:
            return None
        if self._known is None or self._known[0] is not build:
            self._known = build, Wakers(build.program)
        return self._known[1]

    def waiters_text(self) -> str:
        lines = []
        for row in self.waiters():
            raised = ", ".join(row["raised"][:3])
            who = f"{_HOPES[row['wakes']]}{': ' if raised else ''}{raised}"
            lines.append(
                f"{len(row['threads']):4}  {row['event']} on {row['object']}, up to {row['longest']} ms; {who}"
            )
        return "\n".join(lines) or "nobody waits for an event"

    def census_text(self) -> str:
        lines = []
        for row in self.census():
            lines.append(f"{row['threads']:4}  {row['function']}")
            lines += [f"      {p['threads']:4}  {p['waits']}  {p['place']}" for p in row["places"][:4]]
        return "\n".join(lines) or "no thread waits"


_HOPES = {
    "engine": "the engine raises it",
    "running": "raised by what runs",
    "callable": "raised by what may be called",
    "named": "its name is handed on",
    "nobody": "NOTHING CAN WAKE IT",
}


def thread_dict(view: ThreadView) -> dict[str, Any]:
    """A thread for programs."""
    return {
        "number": view.number,
        "function": view.function,
        "self": view.self_name,
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
