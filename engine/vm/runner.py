"""Runs threads: starts, resumes, delivers results to callers, ends.

`drain` and `advance` follow the order of the vm facts, sections 2 and 3; the limits of a resumption and of a drain
live here.
"""

from __future__ import annotations

from itertools import repeat
from operator import length_hint
from types import CodeType
from typing import TYPE_CHECKING, Any

from engine.gsc.dialect import UO_RULES
from engine.vm.budget import STARTED_THREAD, Budget
from engine.vm.errors import Policy, ScriptError, Surplus
from engine.vm.events import cancel_endons, cancel_wait, notify
from engine.vm.faults import Faults
from engine.vm.frames import PLACES, SUSPENDED, WAITING, WIDE, Frame, Suspended
from engine.vm.scheduler import CLOCK_MASK
from engine.vm.scopes import Unwound, cut, fire, leave, notify_in_order
from engine.vm.threads import LOOSE, Origin, Thread, new_thread
from engine.vm.values import Function
from engine.vm.variables import LITTLE, RESERVE

if TYPE_CHECKING:
    from engine.vm.machine import VM
    from engine.vm.objects import ScriptObject


class Runner:
    """The part of a VM that runs code. `current` is the running thread, `pending` the frames that a suspension
    unwinds."""

    def __init__(self, vm: VM) -> None:
        self.vm = vm
        self.settings = vm.settings
        self.accounts = vm.accounts
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
        self.rest = 0
        """Milliseconds until the clock is where it is being advanced to."""
        self.marked: list[Thread] = []
        """Threads that were to be cut or ended while they ran, and may have waited before anything looked."""
        self.scoped = False
        """Whether code runs here whose endons belong to calls."""
        self._turns: repeat[None] = repeat(None, 0)
        self._last = 0
        """The number of the resumption that is the last of `_turns`."""
        self.budget = Budget(self, vm.settings)
        self.faults = Faults(vm, BOUNDARY)

    # ---- starting --------------------------------------------------------------------------------------

    def start(
        self,
        function: Function,
        self_: ScriptObject,
        args: tuple[Any, ...],
        depth: int,
        origin: Origin | None,
    ) -> Thread:
        """Start a thread for a host and run it to its first suspension. It belongs to the owner of its function. One
        that a native starts for the script of another owner is woken by that: it waits for the next frame where there
        is too much of those, and if there are too many threads the script gets a `ScriptError`."""
        budget = self.budget
        account = function.account or self.accounts.common
        called = self.current is not None and budget.owner() is not account
        if called and len(self.suspended) >= self.settings.max_threads:
            raise ScriptError(f"more than {self.settings.max_threads} threads", code="limit")
        if called and depth * 2 > self.settings.max_depth:
            # Or who calls the native could choose where the callback fails.
            raise ScriptError(
                "script stack overflow (too few calls left for what it calls back)", code="limit"
            )
        self.started += 1
        thread = new_thread(self.started, function, self_, args, origin, account)
        if not called:
            self.begin(thread, depth)
            return thread
        account.used += STARTED_THREAD
        account.answered += STARTED_THREAD
        before = budget.answering
        if not budget.answer(account):
            self.keep(thread)
            self._put_off(thread)
            budget.wake((thread,))
            return thread
        try:
            self.begin(thread, depth)
        finally:
            budget.answering = before
        return thread

    def begin(self, thread: Thread, depth: int) -> Any:
        """Run a thread from its root function."""
        parent = self.current
        budget = self.budget
        counted, used = budget.counted, budget.used
        budget.used = 0
        self.current = thread
        function = thread.root_function
        if self.scoped:
            thread.own_bonds().base = depth
        try:
            args = thread.root_args
            if args:
                if len(args) > function.arity:
                    if not function.rules.surplus:
                        self.too_many_parameters(function, len(args))
                    args = args[: function.arity]
                result = function.entry(None, thread.root_self, depth, *args)
            else:
                result = function.entry(None, thread.root_self, depth)
        except Unwound:
            self.pending.clear()
            self.end(thread)
            return None
        except BaseException as error:
            self.fault(error, thread)
            return None
        finally:
            self.current = parent
            # Its starter goes on with what it had used, if it was this resumption that counted it.
            budget.used = used if budget.counted == counted else 0
        if self.scoped:
            thread.own_bonds().base = 0
        if result is SUSPENDED:
            self.suspended[thread] = None
            thread.account.threads += 1
            pending = self.pending
            if len(pending) > 1:
                places = thread.stack(pending)
            else:
                thread.top = frame = pending.pop()
                frame.below = None
                frame.level = 0
                places = len(frame.locals) // PLACES if len(frame.locals) > WIDE else 0
            delay = self.delay[0]
            if delay is not None:
                self.delay[0] = None
                self.scheduler.put(thread, delay)
            thread.since = self.vm.time
            if places:
                self._count_places(thread, places)
            return None
        thread.result = result
        self.end(thread)
        return result

    def too_many_parameters(self, function: Function, given: int) -> None:
        """Too many arguments are an error after which, under recovery, the surplus is dropped."""
        error = ScriptError("function called with too many parameters")
        error.surplus = Surplus(function, given)
        if self.vm.policy(UO_RULES) is not Policy.CONTINUE:
            raise error
        self.faults.recovered(error)

    def keep(self, thread: Thread) -> None:
        """A thread that has not run yet is to wait."""
        self.suspended[thread] = None
        thread.account.threads += 1

    def _begin_kept(self, thread: Thread) -> None:
        """Run one of those for the first time; it counts again when it waits."""
        self.budget.answering = -1
        if self.budget.watches and self.budget.puts_off(thread):
            self._put_off(thread)
            return
        del self.suspended[thread]
        thread.account.threads -= 1
        self.begin(thread, 0)

    def _put_off(self, thread: Thread) -> None:
        """Let a thread run in the next frame, as one of the last of its first millisecond."""
        self.scheduler.put_last(thread, self.rest + 1)

    def too_many_threads(self) -> None:
        """There are as many threads as may be: refuse another, unless those are nearly all of other owners."""
        most = self.settings.max_threads
        if self.budget.owner().threads * LITTLE >= most or len(self.suspended) >= most * (1 + RESERVE):
            raise ScriptError(f"more than {most} threads", code="limit")

    # ---- resuming --------------------------------------------------------------------------------------

    @property
    def serial(self) -> int:
        """Number of the resumption; the budget counts within one."""
        return self._last - length_hint(self._turns)

    @serial.setter
    def serial(self, number: int) -> None:
        self._last = number + length_hint(self._turns)

    def _take_turns(self, turns: repeat[None]) -> repeat[None]:
        """Let the rounds of an iterator be the resumptions that come next."""
        serial = self.serial
        self._turns = turns
        self.serial = serial
        return turns

    def drain(self) -> None:
        """Run the bucket of the present clock until it is empty."""
        bucket = self.scheduler.buckets.get(self.scheduler.clock)
        if bucket is None:
            return
        outer, turns, answering = self.current, self._turns, self.budget.answering
        most = self.settings.max_resumptions
        try:
            while self._run_bucket(bucket, most):
                most = self.settings.max_resumptions // 16
        except BaseException:
            if outer is None:
                self._end_lost()
            raise
        finally:
            self.current = outer
            self.budget.answering = answering
            self._take_turns(turns)
        if self.scheduler.buckets.get(self.scheduler.clock) is bucket:
            del self.scheduler.buckets[self.scheduler.clock]

    def _end_lost(self) -> None:
        """An interrupt can come while a thread is taken from its bucket or put into another one, and leave it in none:
        end those, which nothing would ever resume."""
        self.pending.clear()
        self.delay[0] = None
        placed = {id(thread) for bucket in self.scheduler.buckets.values() for thread in bucket}
        for thread in list(self.suspended):
            if thread.waits_on is None and id(thread) not in placed:
                self.end(thread)

    def _run_bucket(self, bucket: list[Thread], most: int) -> bool:
        """Run threads until there are none left, or `most` resumptions were made: then the next thread is ended, and
        the result is true."""
        # Everything that a resumption touches is a local here: a small thread costs little more than this loop.
        now, budget, waiting, suspended = self.vm.time, self.budget, WAITING, Suspended
        alive: type | None = None
        outer = self.current
        usual: object = self
        """The result of the last that waited for a time, and `later` the bucket of that time."""
        later = bucket
        for _ in self._take_turns(repeat(None, most)):
            try:
                thread = bucket.pop()
            except IndexError:
                self._last -= 1
                if self.marked and self._settle_marked(bucket):
                    continue
                return False
            frame = thread.top
            if frame is None:
                # No resumption: its number is for the next one.
                self._last -= 1
                if not thread.ended:
                    thread.bucket = None
                    self._begin_kept(thread)
                continue
            thread.bucket = None
            if budget.watches:
                if budget.puts_off(thread):
                    self._put_off(thread)
                    continue
                why = None if budget.answering == self.serial else budget.overran(thread)
                if why is not None:
                    self._runaway(thread, why)
                    continue
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
                resume = frame.resume
                result = resume(frame, receiver, thread)
                if result is usual:
                    # Neighbours mostly wait for the same time. The clock stands still, and so do the buckets.
                    later.append(thread)
                    thread.bucket = later
                    thread.since = now
                elif result is waiting:
                    thread.since = now
                elif result.__class__ is suspended:
                    if result.ms >= 0:
                        usual, later = result, self.scheduler.bucket(result.ms)
                    self._settle(thread, result)
                else:
                    self._return(thread, result)
            except Unwound as unwound:
                self._cut(thread, unwound.level)
            except BaseException as error:
                self.current = outer
                self.fault(error, thread)
        while bucket:
            thread = bucket.pop()
            if not thread.ended:
                # Those that only stand behind it get their turn.
                thread.bucket = None
                most = self.settings.max_resumptions
                self._runaway(thread, f"more than {most} resumptions within one millisecond")
                return True
        return bool(self.marked)

    def run_early(self, thread: Thread) -> None:
        """Run a thread that waits for a time to its next suspension, before its time; nothing else runs."""
        if thread.bucket is None:
            raise ValueError(f"{thread!r} does not wait for a time")
        thread.bucket.remove(thread)
        thread.bucket = None
        self.budget.woken.pop(thread, None)
        self.serial += 1
        frame = thread.top
        if frame is None:
            self._begin_kept(thread)
            return
        if frame.self.dead and not frame.function.rules.outlives_self:
            self.end(thread)
            return
        outer, self.current = self.current, thread
        try:
            result = frame.resume(frame, frame.self, thread)
            if result.__class__ is Suspended:
                self._settle(thread, result)
            else:
                self._return(thread, result)
        except Unwound as unwound:
            self._cut(thread, unwound.level)
        except BaseException as error:
            self.current = outer
            self.fault(error, thread)
        finally:
            self.current = outer

    def _return(self, thread: Thread, result: Any) -> None:
        """Deliver results to suspended callers until one suspends again or the thread ends."""
        frame = thread.top
        alive: type | None = None
        while result.__class__ is not Suspended:
            thread.top = frame = frame.below  # type: ignore[union-attr]  # it has just returned
            if frame is None:
                thread.result = result
                self.end(thread)
                return
            receiver = frame.self
            if receiver.__class__ is not alive:
                if not receiver.dead:
                    alive = receiver.__class__
                elif not frame.function.rules.outlives_self:
                    self.end(thread)
                    return
            frame.value = result
            resume = frame.resume
            result = resume(frame, receiver, thread)
        self._settle(thread, result)

    def _settle(self, thread: Thread, result: Suspended) -> None:
        """Put a thread that has just been suspended where it waits, with the calls that wait on top of its frames."""
        places = thread.stack(self.pending) if self.pending else 0
        delay = result.ms if result.ms >= 0 else self.delay[0]
        if delay is not None:
            self.delay[0] = None
            self.scheduler.put(thread, delay)
        thread.since = self.vm.time
        if places:
            self._count_places(thread, places)

    def _count_places(self, thread: Thread, places: int) -> None:
        """A suspended thread has calls with very many locals: it ends where there are too many variables."""
        try:
            self.vm.variables.spend(places)
        except ScriptError as error:
            try:
                self.faults.report(error, [], thread)
            finally:
                self.end(thread)

    def _cut(self, thread: Thread, level: int) -> None:
        """Kill the call at `level` of the thread that runs and those above it; the one below goes on next."""
        self.pending.clear()
        if 0 < level < thread.depth:
            cut(thread, level)
            self.scheduler.put(thread, 0)
        else:
            self.end(thread)

    def doom(self, thread: Thread) -> None:
        """End a thread: one that runs, instead of letting it wait again."""
        if thread.suspended:
            self.end(thread)
        elif not thread.ended:
            thread.own_bonds().doomed = True
            self.marked.append(thread)

    def _settle_marked(self, bucket: list[Thread]) -> bool:
        """Cut and end the marked threads that wait by now; whether `bucket` has something to run after that."""
        marked, self.marked = self.marked, []
        for thread in marked:
            if thread.suspended and thread.bonds.doomed:
                self.end(thread)
            elif thread.suspended and thread.bonds.unwind is not None:
                level, thread.bonds.unwind = thread.bonds.unwind, None
                fire(self, thread, level)
        return bool(bucket)

    def _runaway(self, thread: Thread, note: str) -> None:
        """End a thread that is about to be resumed; without a word if there is no note."""
        if not note:
            self.end(thread)
            return
        message = "threads wake one another without end"
        try:
            self.faults.report(ScriptError(message, code="budget", fatal=True, notes=(note,)), [], thread)
        finally:
            self.end(thread)

    def advance(self, ms: int) -> None:
        """Move the clock on, running every millisecond's bucket on the way; the last one is left to the next drain."""
        scheduler = self.scheduler
        self.budget.new_frame()
        self.faults.new_frame()
        self.vm.variables.new_frame()
        buckets, begin = scheduler.buckets, scheduler.clock
        for clock in range(begin, begin + ms):
            if clock & CLOCK_MASK in buckets:
                scheduler.clock = clock & CLOCK_MASK
                self.rest = begin + ms - clock
                try:
                    self.drain()
                finally:
                    self.rest = 0
        scheduler.clock = begin + ms & CLOCK_MASK

    # ---- events ----------------------------------------------------------------------------------------

    def notify(self, object: ScriptObject, event: str, args: tuple[Any, ...]) -> int:
        """Queue who waits for an event and end who has an endon for it, each by the rules of its dialect. Returns what
        that took, in units of the budget."""
        asked: list[Thread] = []
        if self.accounts.several and self.current is not None and object.waiters is not None:
            owner = self.current.account
            asked = [thread for thread in object.waiters.get(event, ()) if thread.account is not owner]
        units = 0
        ordered = self.order > 0
        if ordered:
            units = notify_in_order(self, object, event, args)
        units += notify(self.scheduler, object, event, args, self.end, ordered)
        if asked:
            self.budget.wake(asked)
        return units

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
        thread.top = None
        if self.suspended.pop(thread, thread) is None:
            thread.account.threads -= 1
        if thread.bucket is not None:
            self.scheduler.forget(thread)
        if thread.waits_on is not None:
            cancel_wait(thread)
        if thread.endons is not None:
            cancel_endons(thread)
        if thread.bonds is not LOOSE:
            leave(thread, 0)
            for child in thread.bonds.children or ():
                self.doom(child)
        if thread.on_end is not None:
            thread.on_end(thread)

    def fault(self, error: BaseException, thread: Thread) -> None:
        """End a thread by an exception, also where telling it raises: `Halted`, what is no error such as
        `KeyboardInterrupt`, and what the host's `report` raises."""
        self.pending.clear()
        self.delay[0] = None
        try:
            self.faults.tell(error, thread)
        finally:
            self.end(thread)


BOUNDARY: frozenset[CodeType] = frozenset(
    {Runner.begin.__code__, Runner._run_bucket.__code__, Runner.run_early.__code__}
)
"""Python code that runs a thread: script frames below it belong to another thread."""
