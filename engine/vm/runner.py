"""Runs threads: starts, resumes, delivers results to callers, ends.

`drain` and `advance` follow the order of the vm facts, sections 2 and 3; the limits of a resumption and of a drain
live here.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice, repeat
from operator import length_hint
from types import CodeType
from typing import TYPE_CHECKING, Any, NoReturn

from engine.gsc.dialect import UO_RULES
from engine.source import Diagnostic, Note
from engine.vm.errors import Halted, Policy, ScriptError
from engine.vm.events import cancel_endons, cancel_wait, notify
from engine.vm.frames import SUSPENDED, Frame
from engine.vm.scheduler import CLOCK_MASK
from engine.vm.scopes import Unwound, cut, leave, notify_in_order
from engine.vm.threads import Origin, Thread
from engine.vm.trace import show, variables
from engine.vm.values import Function

if TYPE_CHECKING:
    from types import FrameType

    from engine.vm.machine import VM
    from engine.vm.objects import ScriptObject

log = logging.getLogger("notetrack.vm")

LONGEST_BLOCK = 0.02
"""Seconds that one block of rounds counts for at most: a single slow thing, such as a model that has to be loaded, is
no reason to end anything."""

ROUNDS_OF_A_THREAD = 20
"""What starting a thread counts as in the budget."""

MAX_STARTS = 256
"""Threads that those of one function may start in a frame whose budget is spent."""

MAX_REPORTED = 1000
"""Errors that are kept, so that the same one again costs little."""

MAX_SHOWN = 12
"""Variables that a report of a runaway loop shows."""


class Ended(Exception):
    """Ends the running thread without a report."""


def unforeseen(error: Exception) -> ScriptError:
    """A fault of the host's Python code as an error of the script that met it."""
    log.debug("internal error", exc_info=error)
    return ScriptError(f"internal error of the engine: {type(error).__name__}: {error}", code="internal")


class Runner:
    """The part of a VM that runs code. `current` is the running thread, `pending` the frames that a suspension
    unwinds."""

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.settings = vm.settings
        self.scheduler = vm.scheduler
        self.current: Thread | None = None
        self.pending: list[Frame] = []
        self.delay: list[int | None] = [None]
        """The milliseconds that the thread which suspends just now has to wait; None when it waits for an event."""
        self.suspended: dict[Thread, None] = {}
        """Every thread that is alive and has waited once, in order of its first wait."""
        self.started = 0
        self.order = 0
        """Registrations so far by threads whose notifies walk them in order."""
        self.serial = 0
        """Number of the resumption; the budget of jumps and calls counts within one."""
        self._budget_serial = 0
        self._budget_used = 0
        self._reported: dict[tuple[int, int, str], Diagnostic] = {}
        self.spent = -1
        """The resumption that has used up its budget."""
        self._frame_used = 0
        """Blocks that all threads have used since the clock was advanced."""
        self._frame_seconds = 0.0
        self._running_since: float | None = None
        self.crowded: set[Thread] | None = None
        """Once a frame's budget is spent: the threads that have run since."""
        self._starts: Counter[Function] = Counter()
        self._swarms: set[Function] = set()
        self.ticks: Iterator[None] = self._fresh_ticks()

    # ---- budget ----------------------------------------------------------------------------------------

    def _fresh_ticks(self, left: int | None = None) -> Iterator[None]:
        """A new source of rounds; `left` are those until the first check, a whole block if None."""
        self._block = repeat(None, self.settings.budget_block if left is None else left)
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterator[None]]:
        """What `for _ in TICKS` draws from: each round of any loop takes one; here only once in a block."""
        block = self.settings.budget_block
        limit = max(1, -(-self.settings.budget // block))
        frame_limit = max(1, -(-self.settings.frame_budget // block))
        while True:
            yield self._block
            self._block = repeat(None, block)
            if self._budget_serial != self.serial:
                self._budget_serial = self.serial
                self._budget_used = 0
            self._budget_used += 1
            self._frame_used += 1
            if self.crowded is None and (self._frame_used >= frame_limit or self._out_of_time()):
                self.crowded = set()
            if self._budget_used >= limit or (self.crowded is not None and self._budget_used > 1):
                self.ticks = self._fresh_ticks()
                self.vm.linker.set_global("TICKS", self.ticks)
                self.over_budget()

    def charge(self, rounds: int) -> None:
        """Count something as so many rounds, one at least."""
        next(islice(self.ticks, rounds - 1, None), None)

    def _out_of_time(self) -> bool:
        limit, clock, since = self.settings.frame_seconds, self.vm.clock, self._running_since
        if limit is None or clock is None or since is None:
            return False
        self._running_since = now = clock()
        self._frame_seconds += min(now - since, LONGEST_BLOCK)
        return self._frame_seconds > limit

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Let the host's clock, if it has one, run while threads do."""
        clock = self.vm.clock
        if clock is not None:
            self._running_since = clock()
        try:
            yield
        finally:
            if self._out_of_time() and self.crowded is None:
                self.crowded = set()
            self._running_since = None

    def _overran(self, thread: Thread) -> bool:
        """In a frame whose budget is spent each thread runs once more; one that comes again is ended, and so are those
        whose function starts thread after thread."""
        crowded = self.crowded
        if crowded is None:
            return False
        if thread.root_function in self._swarms:
            self.end(thread)
            return True
        if thread in crowded:
            self._runaway(thread, "all threads together have used up what one frame can do")
            return True
        crowded.add(thread)
        return False

    def starts_another(self) -> None:
        """The running thread is about to start one: refused to whom has none left of its budget."""
        if self.spent == self.serial:
            self.over_budget()
        if self.crowded is not None and self.current is not None:
            function = self.current.root_function
            self._starts[function] += 1
            if self._starts[function] > MAX_STARTS:
                self._swarms.add(function)
                self.over_budget()
        next(islice(self.ticks, ROUNDS_OF_A_THREAD - 1, None), None)

    def budget_state(self) -> tuple[int, int, int, int, int]:
        """How far the counting of rounds is; what `set_budget_state` takes."""
        left = length_hint(self._block)
        return self.serial, self._budget_serial, self._budget_used, left, self._frame_used

    def set_budget_state(self, serial: int, counted: int, used: int, left: int, frame: int) -> None:
        """Count on from a state of another run."""
        self.serial, self._budget_serial, self._budget_used = serial, counted, used
        self._frame_used = frame
        self.ticks = self._fresh_ticks(min(left, self.settings.budget_block))
        self.vm.linker.set_global("TICKS", self.ticks)

    def refill(self) -> None:
        """Give the running thread its whole budget again."""
        self._budget_serial = self.serial
        self._budget_used = 0
        self.spent = -1

    def over_budget(self) -> NoReturn:
        """End the running thread, under any policy; the threads around it in the same resumption end when they start
        another."""
        self.spent = self.serial
        if self.crowded is not None:
            note = (
                "all threads together have used up what one frame can do, and this one goes on without a wait"
            )
        else:
            note = f"more than {self.settings.budget} rounds and calls without a wait"
        raise ScriptError("potential infinite loop in script", code="budget", fatal=True, notes=(note,))

    # ---- starting --------------------------------------------------------------------------------------

    def start(
        self,
        function: Function,
        self_: ScriptObject,
        args: tuple[Any, ...],
        depth: int,
        origin: Origin | None,
    ) -> tuple[Thread, Any]:
        """Start a thread and run it to its first suspension. Returns it with its result (None while it waits)."""
        self.started += 1
        thread = Thread(self.started, function, self_, args, origin)
        return thread, self.begin(thread, depth)

    def begin(self, thread: Thread, depth: int) -> Any:
        """Run a thread from its root function."""
        parent = self.current
        self.current = thread
        function = thread.root_function
        thread.base = depth
        try:
            args = thread.root_args
            if len(args) > function.arity:
                if not function.rules.surplus:
                    self.too_many_parameters()
                args = args[: function.arity]
            if args:
                result = function.entry(None, thread.root_self, depth, *args)
            else:
                result = function.entry(None, thread.root_self, depth)
        except Unwound:
            self.pending.clear()
            self.end(thread)
            return None
        except Exception as error:
            self.fault(error, thread)
            self.end(thread)
            return None
        finally:
            self.current = parent
        thread.base = 0
        if result is SUSPENDED:
            self.suspended[thread] = None
            self._settle(thread)
            return None
        thread.result = result
        self.end(thread)
        return result

    def too_many_parameters(self) -> None:
        """Too many arguments are an error after which, under recovery, the surplus is dropped."""
        error = ScriptError("function called with too many parameters")
        if self.vm.policy(UO_RULES) is not Policy.CONTINUE:
            raise error
        self.recovered(error)

    # ---- resuming --------------------------------------------------------------------------------------

    def drain(self) -> None:
        """Run the bucket of the present clock until it is empty."""
        if self.scheduler.clock in self.scheduler.buckets:
            with self._timed():
                self._run_bucket()

    def _run_bucket(self) -> None:
        scheduler = self.scheduler
        buckets, clock = scheduler.buckets, scheduler.clock
        bucket = buckets[clock]
        # Everything that a resumption touches is a local here: a small thread costs little more than this loop.
        pending, wanted, now = self.pending, self.delay, self.vm.time
        alive: type | None = None
        outer = self.current
        serial = self.serial
        last = serial + self.settings.max_resumptions
        ms, later = 0, bucket
        while bucket:
            thread = bucket.pop()
            frames = thread.frames
            if not frames:
                if not thread.ended:
                    thread.bucket = None
                    self.begin(thread, 0)
                continue
            thread.bucket = None
            serial += 1
            self.serial = serial
            if self.crowded is not None and self._overran(thread):
                continue
            if serial > last:
                self._runaway(
                    thread, f"more than {self.settings.max_resumptions} resumptions within one millisecond"
                )
                # Those that only stand behind it get their turn.
                last = serial + self.settings.max_resumptions // 16
                continue
            # The frame stays where it is while it runs: most often it waits again.
            frame = frames[-1]
            receiver = frame.self
            if receiver.__class__ is not alive:
                # An object that ends changes its class, and neighbours mostly have the same.
                if not receiver.dead:
                    alive = receiver.__class__
                elif not frame.function.rules.outlives_self:
                    self.end(thread)
                    continue
            self.current = thread
            try:
                result = frame.function.entry(frame, receiver, len(frames) - 1)
                if result is SUSPENDED:
                    delay = wanted[0]
                    if delay is not None:
                        wanted[0] = None
                        if delay != ms:
                            # Neighbours mostly wait for the same time. The clock stands still, and so do the buckets.
                            ms, later = delay, scheduler.bucket(delay)
                        later.append(thread)
                        thread.bucket = later
                    if pending:
                        self._stack(thread)
                    thread.since = now
                else:
                    self._return(thread, result)
            except Unwound as unwound:
                self._cut(thread, unwound.level)
            except Exception as error:
                self.current = outer
                self.fault(error, thread)
                self.end(thread)
        self.current = outer
        if buckets.get(clock) is bucket:
            del buckets[clock]

    def run_early(self, thread: Thread) -> None:
        """Run a thread that waits for a time to its next suspension, before its time; nothing else runs."""
        if thread.bucket is None:
            raise ValueError(f"{thread!r} does not wait for a time")
        thread.bucket.remove(thread)
        thread.bucket = None
        self.serial += 1
        if not thread.frames:
            self.begin(thread, 0)
            return
        frame = thread.frames[-1]
        if frame.self.dead:
            self.end(thread)
            return
        outer, self.current = self.current, thread
        try:
            result = frame.function.entry(frame, frame.self, len(thread.frames) - 1)
            if result is SUSPENDED:
                self._settle(thread)
            else:
                self._return(thread, result)
        except Exception as error:
            self.current = outer
            self.fault(error, thread)
            self.end(thread)
        self.current = outer

    def _return(self, thread: Thread, result: Any) -> None:
        """Deliver results to suspended callers until one suspends again or the thread ends."""
        frames = thread.frames
        while result is not SUSPENDED:
            frames.pop()
            if not frames:
                thread.result = result
                self.end(thread)
                return
            frame = frames[-1]
            if frame.self.dead and not frame.function.rules.outlives_self:
                self.end(thread)
                return
            frame.value = result
            result = frame.function.entry(frame, frame.self, len(frames) - 1)
        self._settle(thread)

    def _settle(self, thread: Thread) -> None:
        """Put a thread that has just been suspended where it waits."""
        self._stack(thread)
        delay = self.delay[0]
        if delay is not None:
            self.delay[0] = None
            self.scheduler.put(thread, delay)
        thread.since = self.vm.time

    def _stack(self, thread: Thread) -> None:
        """Stack the new frames that a suspension unwound, innermost last."""
        pending = self.pending
        if thread.frames:
            thread.frames.extend(reversed(pending))
        else:
            thread.frames = pending[::-1]
        pending.clear()

    def _cut(self, thread: Thread, level: int) -> None:
        """Kill the call at `level` of the thread that runs and those above it; the one below goes on next."""
        self.pending.clear()
        if 0 < level < len(thread.frames):
            cut(thread, level)
            self.scheduler.put(thread, 0)
        else:
            self.end(thread)

    def _runaway(self, thread: Thread, note: str) -> None:
        message = "threads wake one another without end"
        self.report(ScriptError(message, code="budget", fatal=True, notes=(note,)), [], thread)
        self.end(thread)

    def advance(self, ms: int) -> None:
        """Move the clock on, running every millisecond's bucket on the way; the last one is left to the next drain."""
        scheduler = self.scheduler
        self._frame_used = 0
        self._frame_seconds = 0.0
        if self.crowded is not None:
            self.crowded = None
            self._starts.clear()
            self._swarms.clear()
        for _ in range(ms):
            if scheduler.clock in scheduler.buckets:
                self.drain()
            scheduler.clock = (scheduler.clock + 1) & CLOCK_MASK

    # ---- events ----------------------------------------------------------------------------------------

    def notify(self, object: ScriptObject, event: str, args: tuple[Any, ...]) -> None:
        """Queue who waits for an event and end who has an endon for it, each by the rules of its dialect."""
        if self.order:
            notify_in_order(self, object, event, args)
        notify(self.scheduler, object, event, args, self.end)

    def next_order(self) -> int:
        """A number for a registration that a notify walks in order."""
        self.order += 1
        return self.order

    # ---- ending ----------------------------------------------------------------------------------------

    def end(self, thread: Thread) -> None:
        """End a thread that is not running: all its frames, its wait and its endons go. Others are not touched."""
        if thread.ended:
            return
        thread.ended = True
        thread.frames.clear()
        self.suspended.pop(thread, None)
        if thread.bucket is not None:
            self.scheduler.forget(thread)
        if thread.waits_on is not None:
            cancel_wait(thread)
        if thread.endons is not None:
            cancel_endons(thread)
        if thread.scopes:
            leave(thread, 0)
        for child in thread.children or ():
            if child.suspended:
                self.end(child)
            else:
                child.doomed = True
        if thread.on_end is not None:
            thread.on_end(thread)

    # ---- errors ----------------------------------------------------------------------------------------

    def fault(self, error: Exception, thread: Thread) -> None:
        """Deal with what ended a thread."""
        self.pending.clear()
        if isinstance(error, Ended):
            return
        if isinstance(error, Halted):
            raise error
        frames = self.vm.linker.codes.raised(error.__traceback__)
        if not isinstance(error, ScriptError):
            error = unforeseen(error)
        self.report(error, frames, thread)
        if self.vm.policy(thread.root_function.rules) is Policy.HALT:
            self.vm.halted = True
            raise Halted

    def recovered(self, error: ScriptError) -> int | None:
        """Report an error after which the running code goes on; what the operation yields."""
        frames = self.vm.linker.codes.running(BOUNDARY, skip=2)
        self.report(error, frames, self.current)
        return error.result

    def report(self, error: ScriptError, frames: list[tuple[FrameType, int]], thread: Thread | None) -> None:
        # Telling where and how is slow, and a script can fail many times a frame in one place: that is done once.
        innermost = (id(frames[0][0].f_code), frames[0][1], error.message) if frames else None
        known = self._reported.get(innermost) if innermost is not None else None
        if known is not None:
            self.vm.reporter.report(known)
            return
        codes = self.vm.linker.codes
        notes = [Note(text) for text in error.notes]
        if frames and error.code == "budget":
            notes += [Note(text) for text in _shown(variables(frames[0][0]))]
        if error.in_caller and frames and id(frames[0][0].f_code) in codes.known and len(frames) > 1:
            frames = frames[1:]
        elif error.in_caller:
            frames = []
        stack = codes.stack(frames, thread)
        span = error.span or (stack[0].span if stack else None)
        told = Diagnostic(error.code, error.message, span, "runtime error", tuple(notes), tuple(stack))
        if innermost is not None and not error.in_caller and error.span is None:
            if len(self._reported) >= MAX_REPORTED:
                self._reported.clear()
            self._reported[innermost] = told
        self.vm.reporter.report(told)

    def forget_reports(self) -> None:
        """Tell errors afresh: code may have changed."""
        self._reported.clear()
        self.vm.reporter.forget()


def _shown(values: dict[str, Any]) -> Iterator[str]:
    for number, (name, value) in enumerate(values.items()):
        if number == MAX_SHOWN:
            yield f"and {len(values) - MAX_SHOWN} more variables"
            return
        yield f"{name} = {show(value)}"


BOUNDARY: frozenset[CodeType] = frozenset(
    {Runner.begin.__code__, Runner._run_bucket.__code__, Runner.run_early.__code__}
)
"""Python code that runs a thread: script frames below it belong to another thread."""
