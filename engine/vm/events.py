"""Events: who waits for what on which object, and what a notify does to them (vm facts, section 2).

Waiters hang on the object by event name, oldest first. A notify walks them newest first and puts each at the head of
the current bucket, so the oldest runs first; it never runs anything itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.vm.charges import COMPARED, WOKEN
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.operators import equal
from engine.vm.scheduler import Scheduler
from engine.vm.threads import LOOSE, Thread, Wanted

KEPT = 16
"""Events of one object that nobody waits for any more, and whose place stays."""


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


def end_on(thread: Thread, object: ScriptObject, event: str, most: int) -> None:
    """Let `event` on `object` end `thread` when it is suspended; registering twice is registering once. Raises
    `ScriptError` where a thread has `most` of them already."""
    owned = thread.endons
    if owned is not None and len(owned) >= most:
        raise too_many_endons(most)
    endons = object.endons
    if endons is None:
        endons = object.endons = {}
    owners = endons.get(event)
    if owners is None:
        endons[event] = {thread: None}
    elif thread in owners:
        return
    else:
        owners[thread] = None
    if owned is None:
        thread.endons = [(object, event)]
    else:
        owned.append((object, event))


def too_many_endons(most: int) -> ScriptError:
    return ScriptError(f"more than {most} events that end one thread", code="limit")


def cancel_wait(thread: Thread) -> None:
    """Forget the event that a thread waits for."""
    object = thread.waits_on
    if object is not None:
        thread.waits_on = None
        if thread.bonds is not LOOSE:
            thread.bonds.order = 0
        waiters = object.waiters
        if waiters is not None:
            entry = waiters.get(thread.event)
            if entry:
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
    """Tell who listens, queue every matching waiter, then end every suspended owner of an endon. Returns what that
    took, in units of the budget. `ordered`: there are threads that `scopes.notify_in_order` looks after."""
    units = 0
    if scheduler.listeners:
        hear = scheduler.listeners.get(object)
        if hear is not None:
            hear(event, args)
    waiters = object.waiters
    if waiters is not None:
        entry = waiters.get(event)
        if entry:
            units = WOKEN * len(entry) + COMPARED * _wake(scheduler, waiters, event, entry, args, ordered)
    endons = object.endons
    if endons is not None:
        owners = endons.pop(event, None)
        if owners is not None:
            units += WOKEN * len(owners)
            for thread in reversed(list(owners)):
                own = thread.endons
                if own is not None:
                    if len(own) == 1:
                        thread.endons = None
                    else:
                        own.remove((object, event))
                if thread.bucket is not None or thread.waits_on is not None:
                    kill(thread)
    return units


def _wake(
    scheduler: Scheduler,
    waiters: dict[str, dict[Thread, Wanted]],
    event: str,
    entry: dict[Thread, Wanted],
    args: tuple[Any, ...],
    ordered: bool,
) -> int:
    """Queue the waiters whose wishes are met; how many values were compared for that."""
    # Those with an order were looked at by `scopes.notify_in_order`, which left them waiting.
    asked = {t: wanted for t, wanted in entry.items() if not t.bonds.order} if ordered else entry
    bucket = scheduler.bucket()
    # Neighbours mostly want the same, and get it from one tuple.
    usual: Wanted = -1
    values: tuple[Any, ...] = ()
    given: dict[int, tuple[Any, ...]] = {}
    unlike: dict[Thread, None] = {}
    compared = 0
    for thread, wanted in reversed(asked.items()):
        if wanted is not usual:
            usual = wanted
            if isinstance(wanted, int):
                values = given.get(wanted) or given.setdefault(wanted, padded(args, wanted))
            else:
                compared += len(wanted)
                if not matches(wanted, args):
                    unlike[thread] = None
                    usual = -1
                    continue
                values = ()
        thread.top.value = values  # type: ignore[union-attr]  # only a call waits for an event
        thread.waits_on = None
        thread.bucket = bucket
    if unlike or len(asked) < len(entry):
        woken = [thread for thread in reversed(asked) if thread not in unlike]
        bucket += woken
        for thread in woken:
            del entry[thread]
        return compared
    bucket.extend(reversed(entry))
    if len(waiters) > KEPT:
        del waiters[event]
    else:
        # Threads mostly wait for the same again, and find it ready.
        entry.clear()
    return compared


def padded(args: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """As many values as a waiting thread wants."""
    return (*args, *(None,) * (count - len(args)))[:count]


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
