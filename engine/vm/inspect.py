"""What an overlay, a console or a limit wants to know about a VM: its threads, and how much of everything there is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.gsc.mangle import unlocal
from engine.source import Span
from engine.vm.arrays import Array
from engine.vm.objects import ScriptObject
from engine.vm.threads import Thread

if TYPE_CHECKING:
    from engine.vm.machine import VM
    from engine.vm.values import Value


@dataclass(frozen=True, slots=True)
class FrameView:
    """One suspended call: its function as `script::name`, where it waits, and its locals by name."""

    function: str
    span: Span | None
    locals: dict[str, Value]


@dataclass(frozen=True, slots=True)
class ThreadView:
    """One suspended thread, outermost frame first. `since` is the level time of its last suspension in ms."""

    number: int
    function: str
    self: ScriptObject
    frames: tuple[FrameView, ...]
    waits: str
    since: int


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts at one moment. `started` threads include those that never waited."""

    threads: int
    timed: int
    waiters: int
    endons: int
    variables: int
    functions: int
    compiled: int
    started: int
    errors: int


def view_thread(vm: VM, thread: Thread) -> ThreadView:
    frames = tuple(
        FrameView(
            str(frame.function),
            vm.linker.codes.site(frame.function, frame.site),
            dict(zip(frame.function.unit.locals, frame.locals, strict=False)),
        )
        for frame in thread.frames
        if frame.function.unit is not None
    )
    return ThreadView(
        thread.number, str(thread.root_function), thread.root_self, frames, _waits(vm, thread), thread.since
    )


def _waits(vm: VM, thread: Thread) -> str:
    object = thread.waits_on
    if object is not None and object.waiters is not None:
        word = "waittill" if isinstance(object.waiters[thread.event][thread], int) else "waittillmatch"
        return f'{word} "{thread.event}" on {object.type_name}'
    ms = vm.scheduler.due(thread)
    if ms is not None:
        return f"wait, {ms} ms to go" if ms else "queued"
    return "running"


def stats(vm: VM) -> Stats:
    threads = vm.runner.suspended
    cells = vm.linker.functions.values()
    return Stats(
        threads=len(threads),
        timed=sum(t.bucket is not None for t in threads),
        waiters=sum(t.waits_on is not None for t in threads),
        endons=sum(len(t.endons) for t in threads if t.endons is not None),
        variables=census(vm),
        functions=len(cells),
        compiled=sum(cell.unit is not None for cell in cells),
        started=vm.runner.started,
        errors=vm.reporter.total,
    )


LONG_STRING = 1024
"""Characters of a string for which a variable is counted beside the one that holds it."""

MAX_GROWERS = 3


def census(vm: VM) -> int:
    """Locals, fields and array entries that scripts can reach, long strings by their length."""
    return sum(holdings(vm).values())


def growers(vm: VM) -> list[str]:
    """Where most variables are, in words."""
    found = holdings(vm).most_common(MAX_GROWERS)
    return [f"{count} of them in {where}" for where, count in found if count > 1]


def holdings(vm: VM) -> Counter[str]:
    """The same count by who holds the variables: a local of a function, or a field by its name. What hangs on a
    local counts for it, but for the fields of objects."""
    counts: Counter[str] = Counter()
    seen: set[int] = set()
    late: list[tuple[Any, str]] = []
    open_values: list[tuple[Any, str]] = [(vm.level, ""), (vm.anim, ""), (vm.root.game, "'game'")]
    for thread in vm.runner.suspended:
        open_values += ((thread.root_self, ""), (thread.waits_on, ""))
        for frame in thread.frames:
            open_values.append((frame.self, ""))
            names = frame.function.unit.locals if frame.function.unit is not None else ()
            for name, value in zip(names, frame.locals, strict=False):
                _hold(counts, open_values, value, f"local '{name}' of {frame.function}")
            late += ((value, f"operands of {frame.function}") for value in frame.temps)
    for running, _ in vm.linker.codes.running(frozenset(), skip=1):
        function = vm.linker.codes.known[id(running.f_code)].function
        for name, value in running.f_locals.items():
            local = unlocal(name)
            if local is not None:
                _hold(counts, open_values, value, f"local '{local}' of {function}")
            elif isinstance(value, ScriptObject | Array):
                late.append((value, f"operands of {function}"))
    # What is visited first counts for who holds it: operands only have what nothing else has.
    open_values = late + open_values
    while open_values:
        value, where = open_values.pop()
        kind = value.__class__
        if kind is str:
            if len(value) >= LONG_STRING and id(value) not in seen:
                seen.add(id(value))
                counts[where] += len(value) // LONG_STRING
        elif kind is Array:
            if id(value) not in seen:
                seen.add(id(value))
                counts[where] += len(value)
                open_values += [(held, where) for held in value.values() if held.__class__ in _HOLDERS]
                open_values += [(held, where) for held in value.values() if isinstance(held, ScriptObject)]
        elif isinstance(value, ScriptObject) and id(value) not in seen:
            seen.add(id(value))
            for name, held in value.fields():
                _hold(counts, open_values, held, f"field '{name}'")
    return counts


_HOLDERS = (str, Array)


def _hold(counts: Counter[str], open_values: list[tuple[Any, str]], value: Any, where: str) -> None:
    if value is not None:
        counts[where] += 1
        open_values.append((value, where))
