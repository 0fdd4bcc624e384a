"""What became of the threads when a program was swapped in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from engine.gsc.suspension import Key
from engine.source import Span
from engine.vm.threads import Thread

Fate = Literal["untouched", "moved", "restarted", "kept", "ended"]
FATES: tuple[Fate, ...] = ("untouched", "moved", "restarted", "kept", "ended")

ReloadPolicy = Literal["restart", "keep", "end"]
"""What happens to a thread that waits at a place which the new text does not have."""

PolicyOf = Callable[[Key], ReloadPolicy]


@dataclass(frozen=True, slots=True)
class FrameFate:
    """One line of the table behind a report: a suspended call whose function changed.

    thread   its number (before a restart)
    old      where it waited, in the old text
    new      where it waits now, None when it does not stand in the new text
    dropped  locals that held something and that the new text does not have
    """

    thread: int
    function: str
    old: Span | None
    new: Span | None
    fate: Fate
    reason: str
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkReport:
    """What became of the suspended threads; the five counts add up to all of them."""

    untouched: int
    """No function on their stack has changed."""
    moved: tuple[Thread, ...] = ()
    """They go on at the same place in the new text."""
    restarted: tuple[Thread, ...] = ()
    """Ended, and replaced by these, which begin again at the next drain."""
    kept: tuple[Thread, ...] = ()
    """A function on their stack goes on with its old code until it returns."""
    ended: tuple[Thread, ...] = ()
    changed: tuple[Key, ...] = ()
    """Functions that are new, gone or different."""
    rows: tuple[FrameFate, ...] = field(default=(), repr=False)

    def counts(self) -> dict[Fate, int]:
        return {
            "untouched": self.untouched,
            "moved": len(self.moved),
            "restarted": len(self.restarted),
            "kept": len(self.kept),
            "ended": len(self.ended),
        }


def fate_dict(row: FrameFate) -> dict[str, object]:
    """A row of the table for programs."""
    return {
        "thread": row.thread,
        "function": row.function,
        "old_line": row.old.line if row.old is not None else None,
        "new_line": row.new.line if row.new is not None else None,
        "fate": row.fate,
        "reason": row.reason,
        "lost": list(row.dropped),
    }
