"""The whole state of a VM as bytes, and back (docs/snapshots.md).

A snapshot is taken between frames. It holds the state itself, the digest of the code of every function that a frame
stands in, where threads were started, and what is kept aside. Only the first part says what happens next, and only it
makes the state's hash. Reading checks everything; nothing changes in the VM before all of it was read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING, Any, Protocol

from engine.gsc import mangle
from engine.gsc.code import Unit
from engine.gsc.program import Program
from engine.source import Diagnostic, DiagnosticError
from engine.vm import scope_state
from engine.vm.budget import BudgetState
from engine.vm.errors import ScriptError
from engine.vm.frames import Frame
from engine.vm.framing import now
from engine.vm.heap import HeapIn, HeapOut, Key, ObjectKind
from engine.vm.linkage import gone
from engine.vm.objects import ScriptObject
from engine.vm.packing import Damaged, In, Out, damaged, sealed, unsealed
from engine.vm.scheduler import CLOCK_MASK
from engine.vm.threads import Origin, Thread
from engine.vm.values import Animation, Function

if TYPE_CHECKING:
    from engine.vm.machine import VM

MAGIC = b"NTSTATE\x00"
VERSION = 4
MAX_TIME = 1 << 53
MAX_WEIGHT = 1 << 40


class StateHost(Protocol):
    """The part of a state that lies outside the VM: its objects, and what it holds of them."""

    kinds: list[ObjectKind]

    def write(self, out: HeapOut) -> None:
        """Everything that is not in an object of `kinds`."""

    def read(self, inp: HeapIn) -> Callable[[], Callable[[], None]]:
        """Read it. The objects that it mentions are still empty; the result is called once they are full, may raise
        `Damaged`, and returns what makes the state that of the host."""


class NoHost:
    """For a VM whose objects are all its own."""

    def __init__(self) -> None:
        self.kinds: list[ObjectKind] = []

    def write(self, out: HeapOut) -> None:
        pass

    def read(self, inp: HeapIn) -> Callable[[], Callable[[], None]]:
        return lambda: lambda: None


def fingerprint(program: Program | None) -> bytes:
    """16 bytes of all script text: a state belongs to a program with the same ones."""
    digest = hashlib.blake2b(digest_size=16)
    for name, script in sorted(program.scripts.items()) if program is not None else ():
        text = script.source.text.encode("latin-1")
        digest.update(f"{name}\0{len(text)}\0".encode("latin-1") + text)
    return digest.digest()


# ---- writing -----------------------------------------------------------------------------------------------


def state_hash(vm: VM) -> str:
    """The state as 16 hexadecimal digits: equal states have equal ones, on every machine. Call it between frames."""
    return hashlib.blake2b(_Writer(vm).state(), digest_size=8).hexdigest()


def snapshot(vm: VM) -> bytes:
    """The state between two frames. Raises `RuntimeError` while a thread runs, `TypeError` for an object whose host
    says nothing about its class, and for a string that is too long or has characters that are no bytes."""
    writer = _Writer(vm)
    state = writer.state()
    whole = Out()
    whole.blob(fingerprint(vm.program))
    whole.blob(state)
    whole.blob(writer.code_digests())
    whole.blob(writer.origins())
    whole.blob(bytes(writer.out.aside.data))
    return sealed(whole.data, MAGIC, VERSION)


class _Writer:
    def __init__(self, vm: VM) -> None:
        if vm.runner.current is not None or vm.runner.pending:
            raise RuntimeError("a state can be taken between frames only")
        self.vm = vm
        self.codes: dict[Function, int] = {}
        """Functions that frames stand in. One that a reload kept alive differs from the cell of its name."""
        kinds = {kind.type: (number, kind) for number, kind in enumerate(vm.state_host.kinds)}
        self.out = HeapOut([vm.level, vm.anim], kinds, self._thread, now(vm), vm.settings.max_string)

    def state(self) -> bytes:
        vm, out = self.vm, self.out
        runner, scheduler = vm.runner, vm.scheduler
        out.whole(scheduler.clock)
        out.whole(vm.time)
        out.whole(vm.start_time)
        out.flag(vm.halted)
        out.whole(vm.random.state)
        out.whole(runner.started)
        out.whole(runner.order)
        self._counts()
        out.whole(len(vm.cvars))
        for name, text in vm.cvars.items():
            out.text(name)
            out.text(text)
        out.object(vm.root.game)
        out.whole(len(runner.suspended))
        for thread in runner.suspended:
            out.object(thread)
        due = [
            ((key - scheduler.clock) & CLOCK_MASK, [t for t in bucket if not t.ended])
            for key, bucket in scheduler.buckets.items()
        ]
        due = sorted((delay, bucket) for delay, bucket in due if bucket)
        out.whole(len(due))
        for delay, bucket in due:
            out.whole(delay)
            out.whole(len(bucket))
            for thread in bucket:
                out.object(thread)
        vm.state_host.write(out)
        out.drain()
        return bytes(out.data)

    def _counts(self) -> None:
        """How far the limits have counted."""
        vm, out = self.vm, self.out
        variables = vm.variables
        for number in (variables.made, variables.noted, variables.full, variables.due, variables.censuses):
            out.whole(number)
        loading, *numbers, begun = vm.runner.budget.state()
        out.flag(loading)
        for number in numbers:
            out.whole(number)
        out.whole(len(begun))
        for weight, left in begun:
            out.whole(weight)
            out.whole(left)
        touched = sorted((account for account in vm.accounts if account.touched), key=lambda a: a.name)
        out.whole(len(touched))
        for account in touched:
            out.text(account.name)
            out.whole(account.used)
            out.whole(account.answered)
            out.whole(account.lines)
            out.whole(account.made)
            out.flag(account.told)
            out.flag(account.crowded is not None)
            # Those that have ended since run no more.
            threads = [thread for thread in account.crowded or () if not thread.ended]
            out.whole(len(threads))
            for thread in threads:
                out.object(thread)

    def _thread(self, out: HeapOut, thread: Thread) -> None:
        out.function(thread.root_function)
        out.object(thread.root_self)
        out.values(thread.root_args)
        out.account(thread.account)
        out.flag(thread in self.vm.runner.budget.woken and thread.bucket is not None)
        out.whole(thread.since)
        out.whole(thread.depth)
        for frame in thread.frames:
            out.whole(self.codes.setdefault(frame.function, len(self.codes)))
            out.function(frame.function)
            out.object(frame.self)
            out.whole(frame.site)
            out.values(frame.locals)
            out.values(frame.temps)
            # The values of a notification, or one value; three reals are a vector either way.
            out.flag(frame.value.__class__ is tuple)
            if frame.value.__class__ is tuple:
                out.values(frame.value)
            else:
                out.value(frame.value)
        out.flag(thread.waits_on is not None)
        if thread.waits_on is not None:
            out.object(thread.waits_on)
            out.text(thread.event)
        endons = thread.endons or []
        out.whole(len(endons))
        for object, event in endons:
            out.object(object)
            out.text(event)
        scope_state.write_thread(out, thread)

    def code_digests(self) -> bytes:
        """The digest of the code of each function that frames stand in; then, where there are any, by the function's
        number those of its locals of which no types are believed."""
        out = Out()
        out.whole(len(self.codes))
        for function in self.codes:
            out.blob(function.unit.digest if function.unit is not None else b"")
        loose = self.vm.linker.loose
        for number, function in enumerate(self.codes):
            names = loose.get((function.script, function.name))
            if names:
                out.whole(number)
                out.whole(len(names))
                for name in sorted(names):
                    out.text(name)
        return bytes(out.data)

    def origins(self) -> bytes:
        """Where each thread was started, as places in script text: instructions differ between Pythons."""
        known = self.vm.linker.codes.known
        out, links = Out(), Out()
        numbers: dict[Origin, int] = {}

        def number(origin: Origin | None) -> int:
            if origin is None or id(origin.code) not in known:
                return 0
            found = numbers.get(origin)
            if found is None:
                parent = number(origin.parent)
                compiled = known[id(origin.code)]
                span = compiled.positions.span(origin.instruction)
                found = numbers[origin] = len(numbers) + 1
                for text in (compiled.function.script, compiled.function.name):
                    links.text(text)
                for place in (span.start, span.end, parent):
                    links.whole(place)
            return found

        starts = [number(thread.origin) for thread in self.out.threads]
        out.whole(len(numbers))
        out.blob(bytes(links.data))
        for start in starts:
            out.whole(start)
        return bytes(out.data)


# ---- reading -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What became of the threads of a state. `restarted` ones stood in a function that is another one now; they
    begin again from their root function at the next drain."""

    threads: int
    restarted: tuple[Thread, ...] = field(default=())


def refuse(message: str, code: str = "bad-state", note: str = "") -> DiagnosticError:
    diagnostic = Diagnostic(code, message)
    return DiagnosticError([diagnostic.with_note(note) if note else diagnostic])


def restore(vm: VM, data: bytes, *, changed: bool = False) -> RestoreReport:
    """Go on from a state. Everything that the VM had is dropped without notice: no event, no callback.

    The VM must run the program that the state was taken from; with `changed` another version of it will do, and threads
    that stand in changed functions begin again. Raises `DiagnosticError` where the bytes are no such state; the VM is
    as it was then.
    """
    if vm.runner.current is not None:
        raise RuntimeError("a state can be restored between frames only")
    try:
        return _restore(vm, data, changed)
    except Damaged as error:
        raise refuse(f"this is no state that can be restored: {error}") from None


def _restore(vm: VM, data: bytes, changed: bool) -> RestoreReport:
    whole = In(unsealed(data, MAGIC, VERSION))
    if whole.blob(16) != fingerprint(vm.program) and not changed:
        raise refuse(
            "this state belongs to other scripts",
            "state-of-other-scripts",
            "it needs the scripts as they were",
        )
    state, digests, origins, aside = whole.blob(), whole.blob(), whole.blob(), whole.blob()
    whole.end()
    reader = _Reader(vm, state, aside, digests, changed)
    reader.read()
    links = _read_origins(origins, reader.threads)
    vm_state = reader.checked()
    reader.commit(vm_state, links)
    return RestoreReport(len(vm_state.suspended), tuple(reader.restarted))


@dataclass(slots=True)
class _Counts:
    """How far the limits have counted: of variables, of the budget, and by account (name, units, those of answers,
    lines, variables made, whether it was told, whether it is crowded and by whom)."""

    variables: tuple[int, int, int, int, int]
    budget: BudgetState
    accounts: list[tuple[str, int, int, int, int, bool, bool, list[Thread]]]


@dataclass(slots=True)
class _State:
    """Plain numbers and the order of things, before they are put in place."""

    clock: int
    time: int
    start_time: int
    halted: bool
    random: int
    started: int
    order: int
    counts: _Counts
    cvars: dict[str, str]
    suspended: dict[Thread, None]
    buckets: dict[int, list[Thread]]


class _Reader:
    def __init__(self, vm: VM, state: bytes, aside: bytes, digests: bytes, changed: bool) -> None:
        self.vm = vm
        self.changed = changed
        host = vm.state_host
        self.inp = HeapIn(
            state,
            [vm.level, vm.anim],
            host.kinds,
            self._thread,
            self._function,
            self._animation,
            vm.linker.builtin,
            vm.linker.tree,
            vm.settings.max_string,
            aside,
        )
        table = In(digests)
        self.digests = [table.blob(64) for _ in range(table.count())]
        self.loose: dict[int, frozenset[str]] = {}
        while table.at < len(digests):
            number = table.whole(len(self.digests) - 1)
            self.loose[number] = frozenset(table.text() for _ in range(table.count()))
        self.codes: dict[tuple[int, Function], Unit | None] = {}
        """What a function is in the present program where it has the code of a number."""
        self.units: dict[Function, tuple[Unit, frozenset[str]]] = {}
        """What functions have to be, with those of their locals of which no types are believed."""
        self.stale: dict[Thread, None] = {}
        self.restarted: list[Thread] = []
        self.waits: dict[Thread, tuple[ScriptObject, str]] = {}
        self.threads: list[Thread] = []
        self.owners: dict[Thread, str] = {}
        self.woken: dict[Thread, None] = {}

    def _function(self, key: Key) -> Function:
        found = self.vm.linker.functions.get(key)
        if found is None:
            # A reload can leave a value of a function that is not in the program any more.
            found = Function(*key)
            found.entry = gone(found)
        return found

    def _animation(self, key: Key) -> Animation:
        found = self.vm.linker.namespace.get(mangle.animation(*key))
        return found if isinstance(found, Animation) else Animation(*key)

    # ---- the parts -------------------------------------------------------------------------------------

    def read(self) -> None:
        inp = self.inp
        clock = inp.whole(CLOCK_MASK)
        time, start_time = inp.whole(MAX_TIME), inp.whole(MAX_TIME)
        halted = inp.flag()
        random, started = inp.whole(), inp.whole(MAX_TIME)
        order = inp.whole(scope_state.MAX_ORDER)
        counts = self._counts()
        cvars = {inp.text(): inp.text() for _ in range(inp.count(2))}
        self.game = inp.array()
        suspended = dict.fromkeys(inp.thread() for _ in range(inp.count()))
        buckets: dict[int, list[Thread]] = {}
        delay = -1
        for _ in range(inp.count(2)):
            later = inp.whole(CLOCK_MASK)
            if later <= delay:
                damaged("what is due is not in order")
            delay = later
            buckets[clock + delay & CLOCK_MASK] = [inp.thread() for _ in range(inp.count())]
        self.host = self._promised(self.vm.state_host.read(inp), "returns no function to be called")
        inp.drain()
        inp.end()
        inp.aside.end()
        self.state = _State(
            clock, time, start_time, halted, random, started, order, counts, cvars, suspended, buckets
        )
        self.threads = [object for object in inp.objects if object.__class__ is Thread]

    def _promised(self, function: Any, otherwise: str) -> Any:
        """What the host's reader has to return. Raises `TypeError` for anything else, before something is changed."""
        if not callable(function):
            raise TypeError(
                f"read of {type(self.vm.state_host).__name__}, the state host, {otherwise} once all objects are full"
            )
        return function

    def _counts(self) -> _Counts:
        inp = self.inp
        made, noted, full, due, censuses = (inp.whole(MAX_TIME) for _ in range(5))
        variables = made, min(made, noted), full, due, censuses
        loading = inp.flag()
        serial, counted, used, loose = (inp.whole(MAX_TIME) for _ in range(4))
        begun = []
        for _ in range(inp.count(2)):
            weight, left = inp.whole(MAX_WEIGHT), inp.whole(MAX_TIME)
            if not weight:
                damaged("something costs nothing")
            begun.append((weight, left))
        accounts = [
            (
                inp.text(), inp.whole(MAX_TIME), inp.whole(MAX_TIME), inp.whole(MAX_TIME), inp.whole(MAX_TIME),
                inp.flag(), inp.flag(), [inp.thread() for _ in range(inp.count())],
            )
            for _ in range(inp.count(8))
        ]  # fmt: skip
        return _Counts(variables, (loading, serial, counted, used, loose, tuple(begun)), accounts)

    def _thread(self, inp: HeapIn, thread: Thread) -> None:
        thread.root_function = inp.function()
        thread.root_self = inp.script_object()
        thread.root_args = inp.values()
        self.owners[thread] = inp.account()
        if inp.flag():
            self.woken[thread] = None
        thread.since = inp.whole(MAX_TIME)
        depth = inp.whole(self.vm.settings.max_depth + 1)
        frames = [self._frame(inp, thread) for _ in range(depth)]
        thread.stack(frames[::-1])
        if inp.flag():
            self.waits[thread] = (inp.living(), inp.string())
        thread.endons = [(inp.living(), inp.string()) for _ in range(inp.count(2))] or None
        scope_state.read_thread(inp, thread)

    def _frame(self, inp: HeapIn, thread: Thread) -> Frame:
        code = inp.whole(len(self.digests) - 1)
        function = inp.function()
        frame = Frame()
        frame.function, frame.self = function, inp.script_object()
        frame.site = inp.whole()
        frame.locals = inp.values()
        frame.temps = inp.values()
        frame.value = inp.values() if inp.flag() else inp.value()
        unit = self._unit(code, function)
        if unit is None:
            self.stale[thread] = None
            return frame
        if not (0 < frame.site <= len(unit.sites) and len(frame.locals) == len(unit.locals)):
            damaged(f"a call of {function} stands where none can wait")
        if len(frame.temps) != len(unit.spills[frame.site - 1]):
            damaged(f"a call of {function} has the wrong number of values")
        return frame

    def _unit(self, code: int, function: Function) -> Unit | None:
        if (code, function) in self.codes:
            return self.codes[code, function]
        linker = self.vm.linker
        loose = self.loose.get(code, frozenset())
        unit: Unit | None = None
        with suppress(ScriptError):
            unit = linker.variant(function, loose) if linker.exists(function) else None
        if unit is not None and unit.digest != self.digests[code]:
            unit = None
        if unit is None and not self.changed:
            raise refuse(
                f"this state belongs to other code of {function}", "state-of-other-scripts",
                "it was saved by another version of the engine, or while an edited script kept running",
            )  # fmt: skip
        if unit is not None and self.units.setdefault(function, (unit, loose))[0] is not unit:
            damaged(f"{function} has two codes")
        self.codes[code, function] = unit
        return unit

    # ---- checks ----------------------------------------------------------------------------------------

    def checked(self) -> _State:
        """Every thread must wait in exactly one way, and both sides must agree about it."""
        state, settings = self.state, self.vm.settings
        if len(state.suspended) > settings.max_threads:
            damaged(f"it has more than {settings.max_threads} threads")
        if set(state.suspended) != set(self.threads):
            damaged("it mentions a thread that does not wait")
        queued = [thread for bucket in state.buckets.values() for thread in bucket]
        if len(queued) != len(set(queued)):
            damaged("a thread is due twice")
        if not self.woken.keys() <= set(queued):
            damaged("a thread was woken that is not due")
        if set(queued) & set(self.waits) or len(queued) + len(self.waits) != len(self.threads):
            damaged("a thread waits in no way, or in two")
        waiting = {thread: (object, event) for thread, object, event in self.inp.waiting}
        if len(waiting) != len(self.inp.waiting) or waiting != self.waits:
            damaged("a thread waits for what does not know it")
        owned = {(t, o, e) for t in self.threads for o, e in t.endons or ()}
        if owned != set(self.inp.ending) or len(owned) != sum(len(t.endons or ()) for t in self.threads):
            damaged("a thread and an object disagree about an endon")
        scope_state.check(self.threads, self.inp.scoped)
        if any(thread.top is None and thread in self.waits for thread in self.threads):
            damaged("a thread waits for an event without a call that could")
        self.host_change = self._promised(self.host(), "returns a function that returns none to be called")
        return state

    # ---- taking it up ----------------------------------------------------------------------------------

    def commit(self, state: _State, origins: Origins) -> None:
        vm = self.vm
        runner, scheduler = vm.runner, vm.scheduler
        for thread in list(runner.suspended):
            thread.ended = True
            thread.top = None
        vm.time, vm.start_time, vm.halted = state.time, state.start_time, state.halted
        vm.random.state = state.random
        variables = vm.variables
        variables.made, variables.noted, variables.full, variables.due, variables.censuses = (
            state.counts.variables
        )
        vm.accounts.reset()
        for name, used, answered, lines, made, told, crowded, threads in state.counts.accounts:
            account = vm.accounts.named(name)
            account.used, account.answered, account.lines = used, answered, lines
            account.made, account.told = made, told
            account.crowded = dict.fromkeys(threads) if crowded else None
        for thread, name in self.owners.items():
            thread.account = vm.accounts.named(name)
        vm.accounts.count_threads(state.suspended)
        vm.cvars.clear()
        vm.cvars.update(state.cvars)
        vm.root.game = self.game
        scheduler.clock = state.clock
        self.inp.commit(now(vm))
        scheduler.listeners.clear()
        # The code of scripts knows the table of buckets, so it is filled anew and not replaced.
        scheduler.buckets.clear()
        scheduler.sweep()
        scheduler.buckets.update(state.buckets)
        for bucket in state.buckets.values():
            for thread in bucket:
                thread.bucket = bucket
        for thread, object, event in self.inp.waiting:
            thread.waits_on, thread.event = object, event
        for function, (unit, loose) in self.units.items():
            vm.linker.adopt(function, unit, loose)
        for thread, origin in zip(self.threads, origins.found(vm), strict=True):
            thread.origin = origin
            if thread not in self.stale:
                for frame in thread.frames:
                    frame.stand()
        runner.pending.clear()
        runner.marked = [t for t in self.threads if t.bonds.doomed or t.bonds.unwind is not None]
        runner.suspended.clear()
        runner.suspended.update(state.suspended)
        runner.started, runner.order = state.started, state.order
        runner.budget.woken = self.woken
        runner.budget.set_state(state.counts.budget)
        self.host_change()
        for thread in self.stale:
            if thread.ended:
                # With another one, to which it belongs.
                continue
            if vm.linker.exists(thread.root_function):
                self.restarted.append(vm.restart(thread))
            else:
                runner.end(thread)


@dataclass(frozen=True, slots=True)
class Origins:
    """Where threads were started: places in functions, each with the number of the one before it (from 1), and for each
    thread of the table the number of its own."""

    links: list[tuple[Key, int, int, int]]
    starts: list[int]

    def found(self, vm: VM) -> list[Origin | None]:
        """One origin for each thread, None where its place is not in the program any more."""
        origins: list[Origin | None] = [None]
        for key, start, end, parent in self.links:
            place = next(_places(vm, key, start, end), None)
            origins.append(Origin(*place, origins[parent]) if place is not None else None)
        return [origins[start] for start in self.starts]


def _read_origins(data: bytes, threads: list[Thread]) -> Origins:
    inp = In(data)
    count = inp.count()
    table = In(inp.blob())
    links: list[tuple[Key, int, int, int]] = []
    for number in range(count):
        key = table.text(), table.text()
        links.append((key, table.whole(1 << 32), table.whole(1 << 32), table.whole(number)))
    table.end()
    starts = [inp.whole(count) for _ in threads]
    inp.end()
    return Origins(links, starts)


def _places(vm: VM, key: Key, start: int, end: int) -> Iterator[tuple[CodeType, int]]:
    """Code and instruction of a place in the text of a function."""
    function = vm.linker.functions.get(key)
    if function is None or not vm.linker.exists(function):
        return
    try:
        codes = vm.linker.compile(function).codes
    except ScriptError:
        return
    source = vm.linker.codes.known[id(codes[0])].source
    try:
        top, left = source.line_col(start)
        bottom, right = source.line_col(end)
    except (IndexError, ValueError):
        return
    wanted = (top, bottom, left - 1, right - 1)
    for code in codes:
        table = vm.linker.codes.known[id(code)].positions.table
        yield from ((code, 2 * at) for at, place in enumerate(table) if place == wanted)
