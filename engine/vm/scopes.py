"""Endons that belong to a call (IW4 page, "Language and scheduling").

The firing of one kills the call that registered it and the calls above it; the caller goes on with undefined, or the
thread ends where the root was killed. A suspended thread is cut at once. One that runs, because it notified itself
or started the thread that did, is cut when control comes back to it.

Calls are counted from the root of their thread, which is level 0. While a thread runs for the first time its depth
starts from that of its starter (`Bonds.base`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.vm.charges import COMPARED, WOKEN
from engine.vm.errors import ScriptError
from engine.vm.events import cancel_wait, padded, too_many_endons
from engine.vm.objects import ScriptObject
from engine.vm.strict import equal
from engine.vm.threads import Thread, Wanted

if TYPE_CHECKING:
    from engine.vm.runner import Runner

Scope = tuple[int, int]
"""The level of the call that registered an endon, and when it did, in order of all registrations."""


class Unwound(Exception):
    """Leaves the running code down to the caller of the call at `level`."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.level = level


def end_on(thread: Thread, object: ScriptObject, event: str, level: int, order: int, most: int) -> int:
    """Let `event` on `object` end the call at `level`; where an outer call has asked for that, nothing changes. Returns
    how many the thread has. Raises `ScriptError` where it has `most` already."""
    scopes = object.scopes
    if scopes is None:
        scopes = object.scopes = {}
    owners = scopes.setdefault(event, {})
    bonds = thread.own_bonds()
    if bonds.scopes is None:
        bonds.scopes = []
    if thread not in owners:
        if len(bonds.scopes) >= most:
            raise too_many_endons(most)
        owners[thread] = (level, order)
        bonds.scopes.append((level, object, event))
    return len(bonds.scopes)


def leave(thread: Thread, level: int) -> None:
    """Forget the endons of the call at `level` and of those above it, which have returned."""
    owned = thread.bonds.scopes
    while owned and owned[-1][0] >= level:
        _, object, event = owned.pop()
        _drop(thread, object, event)


def _drop(thread: Thread, object: ScriptObject, event: str) -> None:
    scopes = object.scopes
    owners = scopes.get(event) if scopes is not None else None
    if scopes is not None and owners is not None:
        owners.pop(thread, None)
        if not owners:
            del scopes[event]


def fire(runner: Runner, thread: Thread, level: int) -> None:
    """Kill the call at `level` of a thread and those above it."""
    if thread.ended:
        return
    if not thread.suspended:
        bonds = thread.own_bonds()
        bonds.unwind = level if bonds.unwind is None else min(level, bonds.unwind)
        runner.marked.append(thread)
        leave(thread, level)
    elif level == 0 or thread.depth <= level:
        runner.end(thread)
    else:
        cancel_wait(thread)
        runner.scheduler.withdraw(thread)
        cut(thread, level)
        runner.scheduler.put(thread, 0)


def check_unwinding(thread: Thread | None) -> None:
    """Cut the running thread where an endon of one of its calls fired while others ran."""
    if thread is not None and thread.bonds.unwind is not None:
        level, thread.bonds.unwind = thread.bonds.unwind, None
        raise Unwound(level)


def cut(thread: Thread, level: int) -> None:
    """Drop the calls from `level` up; the caller below receives undefined."""
    leave(thread, level)
    thread.cut(level)
    assert thread.top is not None, "the root is not cut but ended"
    thread.top.value = None


def drop_object(runner: Runner, object: ScriptObject) -> None:
    """End every thread with an endon on an object that ends: a running one before it would next go on."""
    scopes = object.scopes
    object.scopes = None
    for owners in list(scopes.values()) if scopes else ():
        for thread in list(owners):
            runner.doom(thread)


def notify_in_order(runner: Runner, object: ScriptObject, event: str, args: tuple[Any, ...]) -> int:
    """The part of a notify that concerns threads of the dialects with scoped endons: walk their registrations for the
    event from the oldest on. An endon kills its call, a fitting waiter goes to the head of the current bucket, so that
    the newest runs first. Nothing runs here. Returns what that took, in units of the budget."""
    compared = 0
    found: list[tuple[int, Thread, int | None]] = []
    owners = object.scopes.pop(event, None) if object.scopes is not None else None
    for thread, scope in owners.items() if owners else ():
        if thread.bonds.scopes is not None:
            thread.bonds.scopes.remove((scope[0], object, event))
        found.append((scope[1], thread, scope[0]))
    entry = object.waiters.get(event) if object.waiters is not None else None
    for thread in entry or ():
        if thread.bonds.order:
            found.append((thread.bonds.order, thread, None))
    found.sort(key=lambda item: item[0])
    for order, thread, level in found:
        if level is not None:
            fire(runner, thread, level)
        elif (
            thread.waits_on is object
            and thread.event == event
            and thread.bonds.order == order
            and entry is not None
        ):
            wanted = entry[thread]
            compared += len(wanted) if isinstance(wanted, tuple) else 0
            _wake(runner, thread, wanted, args)
    return WOKEN * len(found) + COMPARED * compared


def _wake(runner: Runner, thread: Thread, wanted: Wanted, args: tuple[Any, ...]) -> None:
    if isinstance(wanted, tuple):
        if not _fits(wanted, args):
            return
    elif wanted:
        assert thread.top is not None, "only a call waits for an event"
        thread.top.value = padded(args, wanted)
    cancel_wait(thread)
    runner.scheduler.put(thread, 0)


def _fits(wanted: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    """Whether a notification has the values that a `waittillmatch` wants. What cannot be compared does not."""
    if len(args) < len(wanted):
        return False
    try:
        return all(equal(given, value) for value, given in zip(wanted, args, strict=False))
    except ScriptError:
        return False
