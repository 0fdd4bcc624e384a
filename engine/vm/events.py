"""Events: who waits for what on which object, and what a notify does to them (vm facts, section 2).

Waiters hang on the object by event name, oldest first. A notify walks them newest first and puts each at the head of
the current bucket, so the oldest runs first; it never runs anything itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.operators import equal
from engine.vm.scheduler import Scheduler
from engine.vm.threads import Thread, Wanted


def wait_for(thread: Thread, object: ScriptObject, event: str, wanted: Wanted) -> None:
    """Register the one event that a suspending thread waits for."""
    waiters = object.waiters
    if waiters is None:
        waiters = object.waiters = {}
    entry = waiters.get(event)
    if entry is None:
        waiters[event] = {thread: wanted}
    else:
        entry[thread] = wanted
    thread.waits_on = object
    thread.event = event


def end_on(thread: Thread, object: ScriptObject, event: str) -> None:
    """Let `event` on `object` end `thread` when it is suspended; registering twice is registering once."""
    endons = object.endons
    if endons is None:
        endons = object.endons = {}
    owners = endons.get(event)
    if owners is None:
        owners = endons[event] = {}
    if thread not in owners:
        owners[thread] = None
        if thread.endons is None:
            thread.endons = []
        thread.endons.append((object, event))


def cancel_wait(thread: Thread) -> None:
    """Forget the event that a thread waits for."""
    object = thread.waits_on
    if object is not None:
        thread.waits_on = None
        thread.order = 0
        waiters = object.waiters
        entry = waiters.get(thread.event) if waiters is not None else None
        if waiters is not None and entry is not None:
            entry.pop(thread, None)
            if not entry:
                del waiters[thread.event]


def cancel_endons(thread: Thread) -> None:
    """Forget every endon of a thread."""
    owned = thread.endons
    if owned is None:
        return
    thread.endons = None
    for object, event in owned:
        endons = object.endons
        if endons is not None:
            owners = endons.get(event)
            if owners is not None:
                owners.pop(thread, None)
                if not owners:
                    del endons[event]


def notify(
    scheduler: Scheduler,
    object: ScriptObject,
    event: str,
    args: tuple[Any, ...],
    kill: Callable[[Thread], None],
) -> int:
    """Tell who listens, queue every matching waiter, then end every suspended owner of an endon. Returns how many
    waiters and owners there were."""
    concerned = 0
    if scheduler.listeners:
        hear = scheduler.listeners.get(object)
        if hear is not None:
            hear(event, args)
    waiters = object.waiters
    if waiters is not None:
        entry = waiters.pop(event, None)
        if entry is not None:
            concerned = len(entry)
            _wake(scheduler, waiters, event, entry, args)
    endons = object.endons
    if endons is not None:
        owners = endons.pop(event, None)
        if owners is not None:
            concerned += len(owners)
            for thread in reversed(list(owners)):
                own = thread.endons
                if own is not None:
                    if len(own) == 1:
                        thread.endons = None
                    else:
                        own.remove((object, event))
                if thread.bucket is not None or thread.waits_on is not None:
                    kill(thread)
    return concerned


def _wake(
    scheduler: Scheduler,
    waiters: dict[str, dict[Thread, Wanted]],
    event: str,
    entry: dict[Thread, Wanted],
    args: tuple[Any, ...],
) -> None:
    bucket = scheduler.bucket()
    given = len(args)
    kept: list[Thread] = []
    for thread, wanted in reversed(entry.items()):
        if thread.order:
            # One that `scopes.notify_in_order` has looked at and left waiting.
            kept.append(thread)
            continue
        if wanted.__class__ is tuple:
            if not matches(wanted, args):
                kept.append(thread)
                continue
        elif wanted:
            count: int = wanted  # type: ignore[assignment]  # only counts get here
            values = args if count == given else args[:count] + (None,) * (count - given)
            frames = thread.frames
            frames[len(frames) - 1].value = values
        thread.waits_on = None
        bucket.append(thread)
        thread.bucket = bucket
    if kept:
        waiters[event] = {thread: entry[thread] for thread in reversed(kept)}


def matches(match: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    """Whether a notification has the values that a `waittillmatch` wants; unlike types are a mismatch (2.6)."""
    if len(args) < len(match):
        return False
    for wanted, given in zip(match, args, strict=False):
        try:
            if not equal(given, wanted):
                return False
        except ScriptError:
            return False
    return True


def drop_object(object: ScriptObject, kill: Callable[[Thread], None]) -> None:
    """End the threads that wait for events of an object that ends, and drop the endons on it (vm facts, 4.1)."""
    waiters = object.waiters
    object.waiters = None
    for entry in list(waiters.values()) if waiters else ():
        for thread in list(entry):
            thread.waits_on = None
            kill(thread)
    endons = object.endons
    object.endons = None
    for event, owners in endons.items() if endons else ():
        for thread in owners:
            if thread.endons is not None:
                thread.endons.remove((object, event))
