"""How much scripts may run: units that are counted, so that the same program ends at the same place everywhere.

Emitted code counts the rounds of its loops and the entries of its functions by drawing from iterators, one for each
weight (`engine.gsc.cost`), which cost nothing but the drawing: only at the end of a block does anything look. What
depends on values is counted by `charge`. A thread has a budget for each resumption; the threads of one owner have one
for each frame. Once that is spent, those that run on for long, come a second time or start others are ended.

An owner's threads may be woken by others, who could use up its frame so; and who wakes knows nothing of those that
listen, so it cannot be the one to pay. For what others wake there is a part of each frame, and what is beyond it waits
for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from operator import length_hint
from typing import TYPE_CHECKING

from engine.gsc import mangle
from engine.vm.errors import ScriptError

if TYPE_CHECKING:
    from engine.vm.accounts import Account
    from engine.vm.limits import Settings
    from engine.vm.runner import Runner
    from engine.vm.threads import Thread

STARTED_THREAD = 300
"""Units of starting a thread, beside what it runs."""

ERROR = 600
"""Units of an error. One that was told before costs as much as a new one: what was told is no part of a state."""

HEAVY = 32
"""Units of a round, such as a call or a turn of a loop, above which a block has more units than `budget_block`."""

ANSWERS = 1 / 4
"""What part of its frame an owner's threads may use when others have woken them."""

OVERDRAFT = 5 / 4
"""How much of a frame's budget may be used before threads end without having run."""


class Budget:
    """Counts for a runner. `serial` is the number of the resumption, `current` the running thread."""

    def __init__(self, runner: Runner, settings: Settings) -> None:
        self._runner = runner
        self.block = settings.budget_block
        self._settings = settings
        self.loading = True
        """Until the clock is first advanced: scripts prepare a level then, and nobody waits for a frame."""
        self.watches = False
        """Whether resumptions need a look: an owner has used up the frame's budget, or threads of others were woken."""
        self.woken: dict[Thread, None] = {}
        """Threads that those of other owners have woken, or whose callbacks they are, and that have not run since."""
        self.answering = -1
        """The resumption whose units are answers."""
        self._limits()
        self.counted = 0
        """The resumption that `used` belongs to; in any other nothing was used yet."""
        self.used = 0
        """Units of the running thread. Whoever starts one inside another puts it aside."""
        self._loose = 0
        self._lefts: dict[int, repeat[None]] = {}
        self._ticks: dict[int, Iterator[None]] = {}

    def _limits(self) -> None:
        settings = self._settings
        least = settings.loading_budget if self.loading else 0
        self._limit = max(settings.budget, least)
        self._frame_limit = max(settings.frame_budget, least)

    # ---- rounds ----------------------------------------------------------------------------------------

    def ticks(self, weight: int) -> Iterator[None]:
        """What code draws from for something that costs `weight` units."""
        found = self._ticks.get(weight)
        return found if found is not None else self._renew(weight)

    def _renew(self, weight: int, left: int | None = None) -> Iterator[None]:
        """A fresh iterator; `left` are the rounds until something looks, a whole block if None."""
        self._lefts[weight] = repeat(None, self._rounds(weight) if left is None else left)
        fresh = self._ticks[weight] = chain.from_iterable(self._blocks(weight))
        return fresh

    def _rounds(self, weight: int) -> int:
        """How many rounds of a weight pass between two looks. To look costs as much as ten calls of a function: heavy
        code is not looked at more often than code of the weight `HEAVY`."""
        return max(1, self.block // min(weight, HEAVY))

    def _blocks(self, weight: int) -> Iterator[Iterator[None]]:
        rounds = self._rounds(weight)
        units = rounds * weight
        runner, lefts = self._runner, self._lefts
        left = lefts[weight]
        while True:
            yield left
            left = lefts[weight] = repeat(None, rounds)
            # `_take` without its calls: code of great weight comes here every few rounds.
            if self.counted != runner.serial:
                self.counted = runner.serial
                self.used = 0
            self.used += units
            thread = runner.current
            account = thread.account if thread is not None else runner.vm.accounts.common
            account.used += units
            if self.answering == self.counted:
                account.answered += units
            if self.used < self._limit and account.used < self._frame_limit and account.crowded is None:
                continue
            error = self._over(account, max(self.block, units))
            if error is not None:
                # Raised by a block and not here, or the iterator would be done with, and with it the loops of others.
                yield _raising(error)

    # ---- counting --------------------------------------------------------------------------------------

    def charge(self, units: int) -> None:
        """Count something that was not seen in the text. Raises `ScriptError` for a thread over its budget."""
        self._loose += units
        if self._loose >= self.block:
            units, self._loose = self._loose, 0
            self.spend(units)

    def note(self, thread: Thread | None, units: int) -> None:
        """Count something against a thread's owner, but end nothing for it now."""
        account = thread.account if thread is not None else self._runner.vm.accounts.common
        account.used += units

    def spend(self, units: int) -> None:
        """Take units from the running thread and its owner. Raises `ScriptError` when there are none left."""
        error = self._take(units)
        if error is not None:
            raise error

    def _take(self, units: int) -> ScriptError | None:
        self._begin_resumption()
        self.used += units
        account = self.owner()
        account.used += units
        if self.answering == self.counted:
            account.answered += units
        return self._over(account, self.block)

    def _over(self, account: Account, block: int) -> ScriptError | None:
        """What ends the running thread, if there is nothing left for it or its owner. block: units that it may have
        used, for whoever runs when a block ends is charged with all of it."""
        if account.crowded is None and account.used >= self._frame_limit:
            account.crowded = {}
            self.watches = True
        if self.used >= self._limit:
            return _too_much(f"more than {self._limit} units of work without a wait")
        if account.crowded is not None and self.used > block:
            return _too_much(f"{_spent(account)}, and this one goes on without a wait")
        return None

    def _begin_resumption(self) -> None:
        if self.counted != self._runner.serial:
            self.counted = self._runner.serial
            self.used = 0

    def owner(self) -> Account:
        """Whose thread runs now."""
        thread = self._runner.current
        return thread.account if thread is not None else self._runner.vm.accounts.common

    def start_another(self) -> None:
        """The running thread is about to start one: refused in a frame whose budget is spent."""
        if self.watches and self.owner().crowded is not None:
            raise _too_much(f"{_spent(self.owner())}, and this one starts others")
        # `charge` without the call: scripts start threads by the thousand.
        self._loose += STARTED_THREAD
        if self._loose >= self.block:
            units, self._loose = self._loose, 0
            self.spend(units)

    def line(self) -> None:
        """The running thread is about to print a line. Raises `ScriptError` when its owner has printed enough."""
        if self.loading:
            return
        account = self.owner()
        if account.lines >= self._settings.max_log_lines:
            raise ScriptError(
                f"more than {self._settings.max_log_lines} lines printed in one frame",
                code="limit",
                fatal=True,
            )
        account.lines += 1

    def refill(self) -> None:
        """Give the running thread its whole budget again, but not that of its owner's frame."""
        if self.watches and self.owner().crowded is not None:
            return
        self.counted = self._runner.serial
        self.used = 0

    def wake(self, threads: Iterable[Thread]) -> None:
        """The running thread was to wake threads of others; those that it has woken are on their owners' answers."""
        for thread in threads:
            if thread.bucket is not None:
                self.woken[thread] = None
                self.watches = True

    def answer(self, account: Account) -> bool:
        """Whether there is something left of what an owner's threads may do when others have woken them. What comes now
        is taken from that."""
        if account.crowded is not None or account.answered >= self._frame_limit * ANSWERS:
            return False
        self.answering = self._runner.serial
        return True

    def puts_off(self, thread: Thread) -> bool:
        """Whether a thread that is to run, and that others woke, has to wait for the next frame."""
        if thread not in self.woken:
            return False
        if not self.answer(thread.account):
            return True
        del self.woken[thread]
        return False

    def overran(self, thread: Thread) -> str | None:
        """Why a thread that is to be resumed cannot run in a frame whose budget is spent; "" once that was told. Each
        runs once more, unless far too much was used already."""
        account = thread.account
        crowded = account.crowded
        if crowded is None:
            return None
        if thread not in crowded and account.used < self._frame_limit * OVERDRAFT:
            crowded[thread] = None
            return None
        told, account.told = account.told, True
        return "" if told else _spent(account)

    def new_frame(self) -> None:
        """The clock is advanced: everybody has a whole frame's budget again."""
        self._runner.vm.accounts.clear()
        self.woken = {thread: None for thread in self.woken if not thread.ended}
        self.watches = bool(self.woken)
        if self.loading:
            self.loading = False
            self._limits()

    # ---- state -----------------------------------------------------------------------------------------

    def state(self) -> BudgetState:
        """How far the counting is; what `set_state` takes."""
        lefts = {weight: length_hint(left) for weight, left in sorted(self._lefts.items())}
        begun = tuple((weight, left) for weight, left in lefts.items() if left != self._rounds(weight))
        return self.loading, self._runner.serial, self.counted, self.used, self._loose, begun

    def set_state(self, state: BudgetState) -> None:
        """Count on from a state of another run."""
        self.loading, self._runner.serial, self.counted, self.used, self._loose, begun = state
        self._limits()
        self.answering = -1
        self.watches = bool(self.woken) or any(a.crowded is not None for a in self._runner.vm.accounts)
        lefts = dict(begun)
        for weight in {*self._ticks, *lefts}:
            left = min(lefts.get(weight, self.block), self._rounds(weight))
            self._runner.vm.linker.set_global(mangle.ticks(weight), self._renew(weight, left))


BudgetState = tuple[bool, int, int, int, int, tuple[tuple[int, int], ...]]
"""Loading, the resumption, the one that is counted and its units, units not yet taken from anybody, and the rounds
left of the blocks of each weight that was begun."""


def _raising(error: ScriptError) -> Iterator[None]:
    for fault in (error,):
        raise fault
    yield None


def _spent(account: Account) -> str:
    whose = f"all threads of the mod '{account.name}'" if account.name else "all threads"
    return f"{whose} together have used up what one frame can do"


def _too_much(note: str) -> ScriptError:
    return ScriptError("potential infinite loop in script", code="budget", fatal=True, notes=(note,))
