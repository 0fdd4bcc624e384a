"""What an overlay or a console wants to know about a VM: its threads, and how much of everything there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.source import Span
from engine.vm.census import census
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
    """One suspended thread, outermost frame first. `since` is the level time of its last suspension in ms;
    `self_name` is what people call its self."""

    number: int
    function: str
    self: ScriptObject
    frames: tuple[FrameView, ...]
    waits: str
    since: int
    self_name: str


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
        thread.number,
        str(thread.root_function),
        thread.root_self,
        frames,
        _waits(vm, thread),
        thread.since,
        named(vm, thread.root_self),
    )


def named(vm: VM, object: ScriptObject) -> str:
    """An object as people call it: `level`, `anim`, or by its kind, an entity with its number."""
    return "level" if object is vm.level else "anim" if object is vm.anim else object.shown_name


def _waits(vm: VM, thread: Thread) -> str:
    object = thread.waits_on
    if object is not None and object.waiters is not None:
        word = "waittill" if isinstance(object.waiters[thread.event][thread], int) else "waittillmatch"
        return f'{word} "{thread.event}" on {named(vm, object)}'
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
