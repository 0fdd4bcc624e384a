"""Threads, time and events by the rules of Modern Warfare 2, for the reference interpreter (IW4 page).

Time is counted in server frames. A notify walks the registrations for its event, endons and waits alike, from the
oldest on. An endon belongs to a call; its firing makes an exception of the running generators, which leaves that call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.reference.machine import CLOCK, MAX_RESUMPTIONS, Machine, Thread, Wish
from tests.reference.strict_operators import equal
from tests.reference.values import Fault, GivenUp, Thing

FRAME = 50


class Unwound(Exception):
    """The call at `level` of the running thread is over, with those above it."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.level = level


@dataclass(eq=False)
class Scope:
    """An endon: whoever notifies `event` on `object` ends the call at `level` of a thread."""

    order: int
    object: Thing
    event: str
    thread: Thread
    level: int


class StrictMachine(Machine):
    """What differs from the rules of United Offensive."""

    def __init__(self, *, goes_on: bool) -> None:
        super().__init__(goes_on=goes_on)
        self.scopes: list[Scope] = []
        self.registrations = 0
        self.dying: list[Thing] = []
        """Objects that have ended in this frame and still have their fields."""

    # ---- running ---------------------------------------------------------------------------------------

    def resume(self, thread: Thread, sent: Any) -> Wish:
        if thread.unwind is not None:
            return thread.steps.throw(self.unwinding(thread))
        return super().resume(thread, sent)

    def unwinding(self, thread: Thread) -> Unwound:
        level, thread.unwind = thread.unwind, None
        assert level is not None
        return Unwound(level)

    def come_back(self) -> None:
        """Control is in the running thread again: an endon may have fired on one of its calls."""
        if self.thread.unwind is not None:
            raise self.unwinding(self.thread)

    def suspend(self, thread: Thread, wish: Wish) -> None:
        if thread.doomed:
            self.end(thread)
            return
        super().suspend(thread, wish)
        if wish.last:
            bucket = self.buckets[self.clock]
            bucket.append(bucket.pop(0))
        if wish.object is not None:
            thread.order = self.register()

    def register(self) -> int:
        self.registrations += 1
        return self.registrations

    def end(self, thread: Thread) -> None:
        if thread.ended:
            return
        super().end(thread)
        self.scopes = [scope for scope in self.scopes if scope.thread is not thread]
        for child in thread.children:
            if child.wish is not None:
                self.end(child)
            else:
                child.doomed = True

    def drain(self) -> None:
        bucket = self.buckets.setdefault(self.clock, [])
        while bucket:
            self.resumptions += 1
            if self.resumptions > MAX_RESUMPTIONS:
                raise GivenUp
            self.run(bucket.pop(0))
        del self.buckets[self.clock]

    def frame(self, length: int = FRAME) -> None:
        """One server frame. Nothing is due within one."""
        self.time += length
        self.clock = (self.clock + length) % CLOCK
        for thing in self.dying:
            thing.kept.clear()
        self.dying.clear()
        self.drain()

    # ---- events ----------------------------------------------------------------------------------------

    def leave(self, thread: Thread, level: int) -> None:
        """The call at `level` is over: its endons go, and those of the calls above it."""
        self.scopes = [s for s in self.scopes if s.thread is not thread or s.level < level]

    def notify(self, target: Thing, event: str, args: list[Any]) -> None:
        scopes = [s for s in self.scopes if s.object is target and s.event == event]
        self.scopes = [s for s in self.scopes if s not in scopes]
        waits = [
            (t, t.wish) for t in self.waiting if t.wish and t.wish.object is target and t.wish.event == event
        ]
        met: list[tuple[int, Scope | tuple[Thread, Wish]]] = [
            *((scope.order, scope) for scope in scopes),
            *((t.order, (t, wish)) for t, wish in waits),
        ]
        for _, one in sorted(met, key=lambda item: item[0]):
            if isinstance(one, Scope):
                self.fire(one.thread, one.level)
            elif one[0].wish is one[1] and one[0] in self.waiting:
                self.wake(one[0], one[1], args)

    def wake(self, thread: Thread, wish: Wish, args: list[Any]) -> None:
        if wish.matches is not None:
            if not fits(wish.matches, args):
                return
        else:
            thread.sent = (args + [None] * wish.names)[: wish.names]
        self.waiting.remove(thread)
        self.queue(thread, 0)

    def fire(self, thread: Thread, level: int) -> None:
        """End the call at `level` of a thread; whoever called it goes on with undefined."""
        if thread.ended:
            return
        if thread.wish is not None and level == 0:
            self.end(thread)
            return
        thread.unwind = level if thread.unwind is None else min(level, thread.unwind)
        self.leave(thread, level)
        if thread.wish is not None:
            del thread.frames[level:]
            self.waiting = [t for t in self.waiting if t is not thread]
            for bucket in self.buckets.values():
                bucket[:] = [t for t in bucket if t is not thread]
            self.queue(thread, 0)

    def free(self, target: Thing) -> None:
        """An object ends, and with it the threads that wait or have an endon on it: a running one when it next
        waits. Its fields stay until the frame is over."""
        if target in (self.level, self.anim) or target.dead:
            return
        for thread in {s.thread: None for s in self.scopes if s.object is target}:
            if thread.wish is not None:
                self.end(thread)
            else:
                thread.doomed = True
        self.scopes = [s for s in self.scopes if s.object is not target]
        fields = dict(target.fields)
        super().free(target)
        target.kept = fields
        self.dying.append(target)


def fits(wanted: list[Any], given: list[Any]) -> bool:
    """Whether a notification has the values of a waittillmatch; what cannot be compared is not the same."""
    if len(given) < len(wanted):
        return False
    try:
        return all(equal(g, w) for w, g in zip(wanted, given, strict=False))
    except Fault:
        return False
