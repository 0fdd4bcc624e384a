"""Threads, time and events of the reference interpreter, as sections 2 to 4 of the VM facts tell them.

A thread is a Python generator that yields what it waits for. The buckets are lists whose first entry runs first, and
everything is searched for in the plainest way.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from engine.gsc import syntax as s
from tests.reference.operators import equal, living
from tests.reference.values import Fault, GivenUp, Thing, described

Steps = Generator["Wish", Any, Any]
Place = tuple[int, int]
"""Offsets of the text to blame."""

CLOCK = 2**24
MAX_DEPTH = 32
MAX_ORIGINS = 8
MAX_STACK = 40
MAX_RESUMPTIONS = 4000
MAX_MESSAGES = 10
"""Different messages that are reported for one place."""


class EndThread(Exception):
    """The running thread ends without a report."""


@dataclass
class Wish:
    """What a thread suspends for: some milliseconds, or an event."""

    delay: int | None = None
    object: Thing | None = None
    event: str = ""
    names: int = 0
    matches: list[Any] | None = None
    last: bool = False
    """Behind everything that is due at the same time."""


@dataclass
class Activation:
    """One call that has not returned. `place` is where it stands."""

    script: str
    function: s.Function
    self: Thing
    scope: dict[str, Any]
    place: Place


@dataclass
class Origin:
    """Where a thread was started, and where its starter was."""

    function: str
    place: Place
    starter: Origin | None

    def chain(self) -> list[Origin]:
        return [self, *(self.starter.chain() if self.starter else [])]


@dataclass(eq=False)
class Thread:
    steps: Steps
    origin: Origin | None
    frames: list[Activation] = field(default_factory=list)
    wish: Wish | None = None
    """Set while it is suspended."""
    sent: Any = None
    ended: bool = False
    result: Any = None
    order: int = 0
    """When it registered for its event, in the dialects that wake in that order."""
    unwind: int | None = None
    """The level of a call that ends when the thread goes on."""
    doomed: bool = False
    """It ends where it would wait next."""
    children: list[Thread] = field(default_factory=list)
    """Threads that end with it."""


@dataclass(frozen=True)
class Report:
    """One run-time error. `stack` has function and place of every frame, innermost first, then of the starters."""

    message: str
    place: Place
    stack: tuple[tuple[str, int], ...]


class Machine:
    """The clock, the buckets, who waits for what, and what has been reported."""

    def __init__(self, *, goes_on: bool) -> None:
        self.goes_on = goes_on
        """The policy: whether a thread goes on after a failing operation."""
        self.level = Thing()
        self.anim = Thing()
        self.clock = 0
        self.time = 0
        self.buckets: dict[int, list[Thread]] = {}
        self.waiting: list[Thread] = []
        """Threads that wait for an event, oldest wait first."""
        self.endons: list[tuple[Thing, str, Thread]] = []
        self.running: list[Thread] = []
        self.reports: list[Report] = []
        self.reported: dict[tuple[str, Place], set[str]] = {}
        self.resumptions = 0

    # ---- errors ----------------------------------------------------------------------------------------

    def report(self, message: str, thread: Thread) -> None:
        """Report an error of a thread: each message of a place once, and no more than `MAX_MESSAGES` of them."""
        stack = [(f"{f.script}::{f.function.name}", f.place) for f in reversed(thread.frames)]
        stack += [(o.function, o.place) for o in (thread.origin.chain() if thread.origin else [])]
        shown = tuple((name, start) for name, (start, _) in stack[:MAX_STACK])
        messages = self.reported.setdefault((stack[0][0].split("::")[0], stack[0][1]), set())
        if message not in messages and len(messages) < MAX_MESSAGES:
            messages.add(message)
            self.reports.append(Report(message, stack[0][1], shown))

    @property
    def thread(self) -> Thread:
        return self.running[-1]

    @property
    def depth(self) -> int:
        """Calls under way, those of the threads that have started the running one included (facts 5.3)."""
        return sum(len(thread.frames) for thread in self.running)

    # ---- running ---------------------------------------------------------------------------------------

    def run(self, thread: Thread) -> None:
        """Run a thread to its next suspension or its end."""
        self.running.append(thread)
        sent, thread.wish, thread.sent = thread.sent, None, None
        try:
            wish = self.resume(thread, sent)
        except StopIteration as finish:
            thread.result = finish.value
            self.end(thread)
        except Fault as fault:
            self.report(fault.message, thread)
            self.end(thread)
        except EndThread:
            self.end(thread)
        else:
            self.suspend(thread, wish)
        finally:
            self.running.pop()

    def resume(self, thread: Thread, sent: Any) -> Wish:
        return thread.steps.send(sent)

    def suspend(self, thread: Thread, wish: Wish) -> None:
        thread.wish = wish
        if wish.delay is not None:
            self.queue(thread, wish.delay)
        else:
            self.waiting.append(thread)

    def queue(self, thread: Thread, delay: int) -> None:
        """Last in, first out (facts 3.2)."""
        self.buckets.setdefault((self.clock + delay) % CLOCK, []).insert(0, thread)

    def end(self, thread: Thread) -> None:
        """All its frames, its wait and its endons go; other threads are not touched (facts 2.10)."""
        thread.ended = True
        thread.frames.clear()
        thread.wish = None
        self.waiting = [t for t in self.waiting if t is not thread]
        self.endons = [entry for entry in self.endons if entry[2] is not thread]
        for bucket in self.buckets.values():
            bucket[:] = [t for t in bucket if t is not thread]

    def drain(self) -> None:
        """Run the bucket of the present time until it is empty (facts 2.4)."""
        bucket = self.buckets.setdefault(self.clock, [])
        while bucket:
            self.resumptions += 1
            if self.resumptions > MAX_RESUMPTIONS:
                raise GivenUp
            thread = bucket.pop(0)
            if thread.frames and thread.frames[-1].self.dead:
                self.end(thread)
            else:
                self.run(thread)
        del self.buckets[self.clock]

    def frame(self, length: int = 50) -> None:
        """One server frame: the time is that of its end, the clock passes every millisecond (facts 3.3)."""
        self.time += length
        for _ in range(length):
            self.drain()
            self.clock = (self.clock + 1) % CLOCK
        self.drain()

    @property
    def idle(self) -> bool:
        return not any(self.buckets.values())

    # ---- events ----------------------------------------------------------------------------------------

    def notify(self, target: Thing, event: str, args: list[Any]) -> None:
        """Queue who waits, then end the suspended owners of an endon (facts 2.1 to 2.9)."""
        for thread in reversed(list(self.waiting)):
            wish = thread.wish
            assert wish is not None
            if wish.object is not target or wish.event != event:
                continue
            if wish.matches is not None:
                if not all_equal(wish.matches, args):
                    continue
            else:
                thread.sent = (args + [None] * wish.names)[: wish.names]
            self.waiting.remove(thread)
            self.queue(thread, 0)
        owners = [thread for where, name, thread in self.endons if where is target and name == event]
        self.endons = [e for e in self.endons if not (e[0] is target and e[1] == event)]
        for thread in owners:
            if thread.wish is not None:
                self.end(thread)

    def free(self, target: Thing) -> None:
        """An object ends: who waits on it ends, the endons on it are dropped, its fields go (facts 4.1)."""
        if target in (self.level, self.anim):
            return
        for thread in [t for t in self.waiting if t.wish is not None and t.wish.object is target]:
            self.end(thread)
        self.endons = [entry for entry in self.endons if entry[0] is not target]
        target.fields.clear()
        target.dead = True


def all_equal(wanted: list[Any], given: list[Any]) -> bool:
    """Whether a notification fits a waittillmatch; unlike types are a mismatch (facts 2.6)."""
    if len(given) < len(wanted):
        return False
    try:
        return all(equal(g, w) for w, g in zip(wanted, given, strict=False))
    except Fault:
        return False


def event_of(target: Any, event: Any) -> tuple[Thing, str]:
    """Object and name of an event, checked (facts 2.12)."""
    thing = living(target)
    if not isinstance(event, str):
        raise Fault(f"the name of an event is a string, not {described(event)}")
    return thing, event
