"""Lines of emitted Python, and how code that can be left and entered again at a suspension site is laid out.

A `Sequence` is a list of straight lines, suspension sites and compounds (statements with sites inside). It can be
written in three ways:

    forward   from the beginning, without a thought for resumptions
    resumed   what is left of it behind one site, for a function of its own to which the frame points
    dispatch  both in one, for functions in which the second would be long: Python variable `site` is 0 while code runs
              forward and the number of the site to resume at otherwise

Sites are numbered in textual order, so a range of numbers tells which compound to enter. Whoever enters a sequence
guarantees that `site` is 0 or one of the sequence's own numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.gsc import mangle

FRESH = 0
"""In the place of a site's number: the code of a call that has not waited yet, and so has no frame."""


class Line(NamedTuple):
    """One physical line: nesting depth, text, and the offsets of the script text to blame for it."""

    depth: int
    text: str
    start: int
    end: int


def indent(lines: list[Line], by: int = 1) -> list[Line]:
    return [Line(line.depth + by, line.text, line.start, line.end) for line in lines]


def block(lines: list[Line], start: int, end: int) -> list[Line]:
    """`lines` as the body of a compound statement."""
    return indent(lines) if lines else [Line(1, "pass", start, end)]


@dataclass(slots=True)
class Straight:
    lines: list[Line] = field(default_factory=list)


class Resumable(ABC):
    """What has sites inside, `low` to `high`."""

    __slots__ = ()

    @property
    @abstractmethod
    def low(self) -> int:
        """Its first site."""

    @property
    @abstractmethod
    def high(self) -> int:
        """Its last site."""

    @abstractmethod
    def forward(self, entry: int) -> list[Line]:
        """The whole of it, in the code that goes on at the site `entry`, or in that of a call from its beginning
        (`FRESH`)."""

    @abstractmethod
    def resumed(self, entry: int) -> list[Line]:
        """What is left of it behind its site `entry`."""

    @abstractmethod
    def dispatch(self) -> list[Line]:
        """The lines that serve both ways in. Those of a `Site` only leave: its sequence has the way back."""


@dataclass(slots=True)
class Site(Resumable):
    """A suspension. It runs `issue`, lines with their depths, and leaves if `waits` holds, always when that is "".

    made     lines that make the frame of a call that has none
    save     lines that put into it what has to be kept
    resume   the name of the code that goes on here
    ms       how long it waits, where that is known; -1 where something else tells, None for an event
    restore  lines that take over on resumption
    needs_thread  whether `issue` uses `TH`, the running thread
    """

    number: int
    issue: list[tuple[int, str]]
    waits: str
    made: list[str]
    save: list[str]
    resume: str
    ms: int | None
    restore: list[str]
    start: int
    end: int
    needs_thread: bool = False

    @property
    def low(self) -> int:
        return self.number

    @property
    def high(self) -> int:
        return self.number

    def forward(self, entry: int) -> list[Line]:
        if entry == FRESH:
            leave = [*self._made(0), *self._moved(), *self._told(), (0, "return SUSPENDED")]
            return [*self._thread(), *self._left(leave)]
        # Mostly a loop comes back to where it waited before, and the frame stands there already.
        moved = self._moved() if entry != self.number else self._saved()
        if self.ms is None:
            return self._left([*moved, (0, "return WAITING")])
        return self._left(
            [*moved, (0, f"return {mangle.later(self.ms)}" if self.ms >= 0 else "return SUSPENDED")]
        )

    def resumed(self, entry: int) -> list[Line]:
        return self._lines([(0, text) for text in self.restore])

    def dispatch(self) -> list[Line]:
        # One function goes on behind all sites.
        made = [(0, "if FR is None:"), *self._made(1), (1, f"FR.resume = {self.resume}")]
        here = [(0, f"FR.site = {self.number}"), *self._saved()]
        return [*self._thread(), *self._left([*made, *here, *self._told(), (0, "return SUSPENDED")])]

    def _thread(self) -> list[Line]:
        return self._lines([(0, "TH = RUNNER.current")]) if self.needs_thread else []

    def _made(self, depth: int) -> list[tuple[int, str]]:
        return [(depth, text) for text in (*self.made, "UNWIND(FR)")]

    def _moved(self) -> list[tuple[int, str]]:
        return [(0, f"FR.resume = {self.resume}"), (0, f"FR.site = {self.number}"), *self._saved()]

    def _saved(self) -> list[tuple[int, str]]:
        return [(0, text) for text in self.save]

    def _told(self) -> list[tuple[int, str]]:
        """A call that may have callers, which do not know how long it waits."""
        return [(0, f"DELAY[0] = {self.ms}")] if self.ms is not None and self.ms >= 0 else []

    def _left(self, leave: list[tuple[int, str]]) -> list[Line]:
        if not self.waits:
            return self._lines([*self.issue, *leave])
        return self._lines([*self.issue, (0, f"if {self.waits}:"), *((d + 1, text) for d, text in leave)])

    def _lines(self, texts: list[tuple[int, str]]) -> list[Line]:
        return [Line(depth, text, self.start, self.end) for depth, text in texts]


class Sequence:
    """Code in order of execution."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Straight | Resumable] = []

    def add(self, lines: list[Line]) -> None:
        if not self.items or not isinstance(self.items[-1], Straight):
            self.items.append(Straight())
        last = self.items[-1]
        assert isinstance(last, Straight)
        last.lines.extend(lines)

    @property
    def low(self) -> int:
        """The first site inside, 0 for none."""
        return next((item.low for item in self.items if isinstance(item, Resumable)), 0)

    @property
    def high(self) -> int:
        """The last site inside, 0 for none."""
        return next((item.high for item in reversed(self.items) if isinstance(item, Resumable)), 0)

    @property
    def empty(self) -> bool:
        return not self.items

    def forward(self, entry: int = FRESH) -> list[Line]:
        """The lines, at depth 0."""
        return _forward(self.items, entry)

    def resumed(self, entry: int) -> list[Line]:
        """The lines behind the site `entry`, which is one of its own."""
        for number, item in enumerate(self.items):
            if isinstance(item, Resumable) and item.low <= entry <= item.high:
                lines = item.resumed(entry)
                return lines if _leaves(lines) else lines + _forward(self.items[number + 1 :], entry)
        raise ValueError(entry)

    def dispatch(self) -> list[Line]:
        """The lines, with the guards that lead a resumption to its site."""
        high = self.high
        lines: list[Line] = []
        straight: list[Line] = []
        passed = 0
        for item in self.items:
            if isinstance(item, Straight):
                if passed == high:
                    lines += item.lines
                else:
                    straight = item.lines
                continue
            passed = item.high
            if isinstance(item, Site):
                lines += _site(straight, item, last=passed == high)
            else:
                if straight:
                    lines.append(_guard("if site == 0:", straight[0]))
                    lines += indent(straight)
                if passed == high:
                    lines += item.dispatch()
                else:
                    inside = item.dispatch()
                    lines.append(_guard(f"if site <= {passed}:", inside[0]))
                    lines += indent(inside)
            straight = []
        return lines


def _forward(items: list[Straight | Resumable], entry: int) -> list[Line]:
    lines: list[Line] = []
    for item in items:
        lines += item.lines if isinstance(item, Straight) else item.forward(entry)
        if _leaves(lines):
            break
    return lines


def _leaves(lines: list[Line]) -> bool:
    """Whether what comes next is never reached from these lines; behind a site only its own code gets there."""
    last = lines[-1] if lines else None
    return last is not None and not last.depth and last.text.startswith(("return ", "break", "continue"))


def _guard(text: str, like: Line) -> Line:
    return Line(0, text, like.start, like.end)


def _site(straight: list[Line], site: Site, *, last: bool) -> list[Line]:
    leave, back = site.dispatch(), site.resumed(site.number)
    at = leave[0]
    return [
        _guard("if site == 0:", straight[0] if straight else at),
        *indent(straight),
        *indent(leave),
        _guard("else:" if last else f"elif site == {site.number}:", at),
        *indent([_guard("site = 0", at), *back]),
    ]
