"""Who has used what in the present frame: one account for the threads of each owner, such as a mod.

A thread belongs to the owner of the thread that starts it: else a mod could use up the frame of another by starting its
functions. One that the host starts belongs to the owner of its function's script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.vm.threads import Thread


class Account:
    """What the threads of one owner have used since the clock was advanced.

    used      units of the budget
    answered  those among them that threads used when others had woken them
    lines     lines that they printed
    crowded   None as long as there is something left; then the threads that have run since
    threads   how many of them wait now
    made      variables that they made since the last census, about
    told      whether a report says that threads were ended since there is nothing left
    """

    __slots__ = ("answered", "crowded", "lines", "made", "name", "threads", "told", "used")

    def __init__(self, name: str) -> None:
        self.name = name
        self.threads = 0
        self.made = 0
        self.clear()

    def clear(self) -> None:
        """A new frame."""
        self.used = 0
        self.answered = 0
        self.lines = 0
        self.crowded: dict[Thread, None] | None = None
        self.told = False

    @property
    def touched(self) -> bool:
        return bool(self.used or self.lines or self.told or self.made) or self.crowded is not None


class Accounts:
    """All accounts by the names of their owners."""

    def __init__(self, owner_of: Callable[[str], str] | None) -> None:
        self._owner_of = owner_of
        self._by_script: dict[str, Account] = {}
        self._by_name: dict[str, Account] = {}
        self.several = False
        """Whether there are other owners than one."""
        self.common = self.named("")
        """For what no thread does, and for hosts that tell no owners."""

    def __iter__(self) -> Iterator[Account]:
        return iter(self._by_name.values())

    def named(self, name: str) -> Account:
        """The account of an owner, new if there was none."""
        found = self._by_name.get(name)
        if found is None:
            self.several = bool(self._by_name)
            found = self._by_name[name] = Account(name)
        return found

    def of(self, script: str) -> Account:
        """The account of a script by its canonical name."""
        if self._owner_of is None:
            return self.common
        found = self._by_script.get(script)
        if found is None:
            found = self._by_script[script] = self.named(self._owner_of(script))
        return found

    def forget_scripts(self) -> None:
        """Ask for the owners anew: files may have moved."""
        self._by_script.clear()

    def count_threads(self, threads: Iterable[Thread]) -> None:
        """These are all that wait."""
        for account in self:
            account.threads = 0
        for thread in threads:
            thread.account.threads += 1

    def clear(self) -> None:
        """A new frame for everybody."""
        for account in self._by_name.values():
            account.clear()

    def reset(self) -> None:
        """Nobody has done anything: a state is about to say who has."""
        for account in self._by_name.values():
            account.made = 0
            account.clear()
