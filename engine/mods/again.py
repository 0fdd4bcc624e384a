"""Playing seconds that were played before once more, with what went into them, and saying where they go another way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.mods.trail import Step, Trail, difference
from engine.world.view import FrameView

if TYPE_CHECKING:
    from engine.mods.session import GameSession


@dataclass(frozen=True, slots=True)
class AgainReport:
    """How the second time compares with the first: from and to which game time in ms, how many frames were played, and
    the first difference with its time, None where there was none."""

    begin: int
    end: int
    frames: int
    at: int | None = None
    difference: str | None = None

    def line(self) -> str:
        seconds = f"{(self.end - self.begin) / 1000:g} s"
        if self.difference is None or self.at is None:
            return f"{seconds} played again: nothing goes another way"
        return f"{seconds} played again: another way after {(self.at - self.begin) / 1000:g} s: {self.difference}"


class Again:
    """One repetition. `feed` before each frame, `see` after it; `report` is there at the end."""

    def __init__(self, session: GameSession, steps: Sequence[Step], tell: Callable[[str], None]) -> None:
        self._session = session
        self._steps = steps
        self._tell = tell
        self._at = 0
        self._begin = session.time
        self._first: tuple[int, str] | None = None
        self.report: AgainReport | None = None

    def feed(self) -> None:
        """Put in what went into the frame that comes."""
        for given in self._steps[self._at].inputs:
            if isinstance(given, str):
                self._session.execute(given)
            elif self._session.player is not None:
                self._session.states.command(given)
                self._session.world.run_command(self._session.player, given)

    def see(self, trail: Trail, view: FrameView) -> None:
        """Compare a frame with the same one of before."""
        step = self._steps[self._at]
        self._at += 1
        found = difference(step.outcome, trail.outcome(view, self._session.vm.reporter.total))
        if found is not None and self._first is None:
            self._first = view.time, found
            self._tell(f"another way after {(view.time - self._begin) / 1000:g} s: {found}")
        if self._at == len(self._steps):
            at, text = self._first if self._first is not None else (None, None)
            self.report = AgainReport(self._begin, view.time, self._at, at, text)
