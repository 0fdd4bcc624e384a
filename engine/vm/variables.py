"""The limit of variables, kept without counting every one: what is made is counted, what is freed is found by a census.

The census is exact and slow, so it is made when so much was made since the last one that there could be too many. Where
there is much to count it is made once a frame only: there may be twice too many then, until it is made again. It is at
the cost of those who made what it was made for, each by its part: who holds much has not caused it, and who happens to
ask for the last variable made only one.
Who asks for more than there may be is ended, unless others hold nearly everything: then there is a reserve.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.vm.census import Holder, growers, holdings
from engine.vm.errors import ScriptError

if TYPE_CHECKING:
    from engine.vm.accounts import Account
    from engine.vm.machine import VM

MAX_CENSUSES = 1
"""Censuses in a frame that find more than half of the limit, which takes a third of it; any more are at the cost of who
asks."""

RESERVE = 1 / 4
"""What part of the limit is there beside it, for owners that hold little when others hold too much."""

COUNTED = 60
"""Units of the budget for a variable that a census counts."""

STEP = 1024
"""After so many variables somebody is taken for their maker: whoever made the last one."""

LITTLE = 4
"""An owner holds little when another one holds more than so many times as much."""


class VariableBudget:
    """How many variables there can be at most since the last census, against the limit."""

    def __init__(self, vm: VM) -> None:
        self._vm = vm
        self.limit = vm.settings.max_variables
        self.made = 0
        """No fewer than there are, fields that were given to old objects apart."""
        self.noted = 0
        """How many of them have a maker."""
        self.full = self.limit
        """The census is due when more than so many could be there."""
        self.due = min(STEP, self.limit)
        """When to look next, for a maker or for the census."""
        self.censuses = 0

    def spend(self, count: int = 1) -> None:
        """Account for new variables. Raises `ScriptError` when there are too many."""
        self.made += count
        if self.made > self.due:
            self._note_maker()
            if self.made > self.full:
                try:
                    self._review(count)
                finally:
                    self._plan()

    def new_frame(self) -> None:
        """The clock is advanced: there may be censuses again."""
        self.censuses = 0
        self.full = self.limit
        self._plan()

    def _plan(self) -> None:
        self.due = min(self.full, self.noted + STEP)

    def _note_maker(self) -> None:
        self._vm.runner.budget.owner().made += self.made - self.noted
        self.noted = self.made
        self._plan()

    def _review(self, count: int) -> None:
        asked = self.censuses >= MAX_CENSUSES
        if asked and self.made <= 2 * self.limit:
            return
        held = holdings(self._vm)
        found = sum(held.values())
        self.made = self.noted = found + count
        self.censuses += found > self.limit // 2
        self._charge(COUNTED * found)
        shares = self._shares(held)
        budget = self._vm.runner.budget
        mine = budget.owner()
        owner, most = max(shares.items(), key=lambda share: share[1], default=(mine, found))
        if self.made <= self.limit:
            return
        if self.made <= self.limit * (1 + RESERVE) and owner is not mine and most > LITTLE * shares[mine]:
            self.full = self.made + self.limit // 16
            return
        raise ScriptError(
            "exceeded maximum number of script variables",
            code="limit",
            fatal=True,
            notes=(f"there are {found} of {self.limit}", *growers(held)),
        )

    def _charge(self, units: int) -> None:
        """Let those pay for a census who have made so much since the last one."""
        accounts = self._vm.accounts
        made = sum(account.made for account in accounts) or 1
        for account in accounts:
            account.used += units * account.made // made
            account.made = 0

    def _shares(self, held: Counter[Holder]) -> Counter[Account]:
        """How much there is of each owner, small things and what may be of several left out."""
        shares: Counter[Account] = Counter()
        for holder, count in held.items():
            owner = self._owner(holder) if count > self.limit // 64 else None
            if owner is not None:
                shares[owner] += count
        return shares

    def _owner(self, holder: Holder) -> Account | None:
        """The only owner who can have filled a holder; None if there are several."""
        if holder.account is not None:
            return holder.account
        program = self._vm.program
        if program is None or not holder.name:
            return None
        accounts = self._vm.accounts
        found = {
            accounts.of(script.name): None
            for script in program.scripts.values()
            if holder.name in script.source.text.lower()
        }
        return next(iter(found)) if len(found) == 1 else None
