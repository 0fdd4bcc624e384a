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
    ordered: bool,
) -> int:
    """Tell who listens, queue every matching waiter, then end every suspended owner of an endon. Returns how many
    waiters and owners there were. `ordered`: there are threads that `scopes.notify_in_order` looks after."""
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
            _wake(scheduler, waiters, event, entry, args, ordered)
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
    ordered: bool,
) -> None:
    bucket = scheduler.bucket()
    kept: list[Thread] = []
    # Neighbours mostly want the same, and get it from one tuple.
    usual: Wanted = 0
    values: tuple[Any, ...] | None = None
    for thread, wanted in reversed(entry.items()):
        if ordered and thread.order:
            # One that `scopes.notify_in_order` has looked at and left waiting.
            kept.append(thread)
            continue
        if wanted is not usual:
            usual = wanted
            if isinstance(wanted, int):
                values = (*args, *(None,) * (wanted - len(args)))[:wanted] if wanted else None
            elif matches(wanted, args):
                values = None
            else:
                kept.append(thread)
                # The next one may want the very same.
                usual, values = 0, None
                continue
        if values is not None:
            thread.top.value = values  # type: ignore[union-attr]  # only a call waits for an event
        thread.waits_on = None
        thread.bucket = bucket
    if kept:
        still = waiters[event] = {thread: entry[thread] for thread in reversed(kept)}
        bucket.extend(thread for thread in reversed(entry) if thread not in still)
    else:
        bucket.extend(reversed(entry))


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
