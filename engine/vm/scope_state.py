"""The part of a saved state that only dialects with scoped endons have: endons of calls, the order of registrations,
threads that end with others, and what can still be read of objects that have ended (`engine.vm.scopes`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.gsc.mangle import field
from engine.vm.objects import ScriptObject
from engine.vm.packing import damaged
from engine.vm.threads import LOOSE, Bonds, Thread
from engine.vm.values import Value

if TYPE_CHECKING:
    from engine.vm.heap import HeapIn, HeapOut

MAX_ORDER = 1 << 53
MAX_LEVEL = 1 << 8

Registration = tuple[Thread, ScriptObject, str, int]
"""A thread has an endon for an event of an object, in its call of a level."""

# ---- threads ---------------------------------------------------------------------------------------------


def write_thread(out: HeapOut, thread: Thread) -> None:
    bonds = thread.bonds
    out.whole(bonds.order)
    out.flag(bonds.doomed)
    out.whole(0 if bonds.unwind is None else bonds.unwind + 1)
    children = [child for child in bonds.children or () if not child.ended]
    out.whole(len(children))
    for child in children:
        out.object(child)
    scopes = bonds.scopes or ()
    out.whole(len(scopes))
    for level, object, event in scopes:
        out.whole(level)
        out.object(object)
        out.text(event)


def read_thread(inp: HeapIn, thread: Thread) -> None:
    """Raises `Damaged` unless the levels of the endons rise and are those of calls that the thread is in."""
    bonds = Bonds()
    bonds.order = inp.whole(MAX_ORDER)
    bonds.doomed = inp.flag()
    unwind = inp.whole(MAX_LEVEL)
    bonds.unwind = unwind - 1 if unwind else None
    bonds.children = [inp.thread() for _ in range(inp.count())] or None
    scopes = [(inp.whole(MAX_LEVEL), inp.living(), inp.string()) for _ in range(inp.count(3))]
    bonds.scopes = scopes or None
    tied = bonds.order or bonds.doomed or unwind or bonds.children or scopes
    thread.bonds = bonds if tied else LOOSE
    levels = [level for level, _, _ in scopes]
    if levels != sorted(levels) or (levels and levels[-1] >= thread.depth):
        damaged("an endon belongs to a call that there is not")


# ---- objects ---------------------------------------------------------------------------------------------


def write_scopes(out: HeapOut, object: ScriptObject) -> None:
    scopes = object.scopes or {}
    out.whole(len(scopes))
    for event, owners in scopes.items():
        out.text(event)
        out.whole(len(owners))
        for thread, (level, order) in owners.items():
            out.object(thread)
            out.whole(level)
            out.whole(order)


def read_scopes(inp: HeapIn, object: ScriptObject) -> dict[str, dict[Thread, tuple[int, int]]]:
    scopes: dict[str, dict[Thread, tuple[int, int]]] = {}
    for _ in range(inp.count(3)):
        event = inp.string()
        if event in scopes:
            damaged("an object has an event twice")
        owners = scopes[event] = {}
        for _ in range(inp.count(3)):
            thread = inp.thread()
            owners[thread] = inp.whole(MAX_LEVEL), inp.whole(MAX_ORDER)
            inp.scoped.append((thread, object, event, owners[thread][0]))
    return scopes


def check(threads: list[Thread], found: list[Registration]) -> None:
    """Threads and objects must tell the same of every endon. Raises `Damaged`."""
    owned = [(thread, o, event, level) for thread in threads for level, o, event in thread.bonds.scopes or ()]
    if len({entry[:3] for entry in owned}) != len(owned) or len(owned) != len(found):
        damaged("a thread has an endon twice")
    if set(owned) != set(found):
        damaged("a thread and an object disagree about an endon")


# ---- objects that have ended -----------------------------------------------------------------------------


def write_ended(out: HeapOut, object: ScriptObject, now: int) -> None:
    """What was written to an object since it ended, and the fields that it had where this frame can still read them."""
    fields = list(object.fields())
    _write_fields(out, fields)
    kept: tuple[int, dict[str, Any]] | None = object.held.get("kept")
    _write_fields(out, list(kept[1].items()) if kept is not None and kept[0] == now else [])


def _write_fields(out: HeapOut, fields: list[tuple[str, Value]]) -> None:
    out.whole(len(fields))
    for name, value in fields:
        out.text(name)
        out.value(value)


def read_ended(inp: HeapIn, object: ScriptObject) -> Callable[[int], None]:
    """The result makes it so, at the time that it is given."""
    fields = _read_fields(inp)
    kept = _read_fields(inp)

    def change(now: int) -> None:
        object.held.update({field(name): value for name, value in fields.items()})
        if kept:
            object.held["kept"] = (now, kept)

    return change


def _read_fields(inp: HeapIn) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for _ in range(inp.count(2)):
        name = inp.string()
        if name in fields:
            damaged(f"an object has no room for a field '{name[:40]}'")
        fields[name] = inp.value()
    return fields
