"""Statements with suspension sites inside: branches, loops and switches, each in the three ways of `sequence`.

Behind a site within a loop comes the rest of that round, and then the loop anew: its iterators are endless and only
count, so nothing is lost with the one that was left. A `break` or `continue` in that rest has no loop around it any
more; a round of its own catches it, and its `else` is where a `continue` gets to.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from engine.gsc.sequence import Line, Resumable, Sequence, block, indent

_T = TypeVar("_T")

MAX_FLAT = 16
"""Branches in a row. More would be looked at one after the other, each time, and CPython nests them in its compiler."""


@dataclass(slots=True)
class Branch(Resumable):
    """`if condition: then else: otherwise`."""

    condition: str
    then: Sequence
    otherwise: Sequence | None
    start: int
    end: int

    @property
    def low(self) -> int:
        return self.then.low or (self.otherwise.low if self.otherwise else 0)

    @property
    def high(self) -> int:
        return (self.otherwise.high if self.otherwise else 0) or self.then.high

    def forward(self, entry: int) -> list[Line]:
        otherwise = self.otherwise.forward(entry) if self.otherwise is not None else []
        return self._lines(self.condition, self.then.forward(entry), otherwise)

    def resumed(self, entry: int) -> list[Line]:
        if entry <= self.then.high:
            return self.then.resumed(entry)
        assert self.otherwise is not None, "a site is on one of both sides"
        return self.otherwise.resumed(entry)

    def dispatch(self) -> list[Line]:
        first = self.then.high
        if self.otherwise is None or not self.otherwise.high:
            test = f"site or {self.condition}"
        elif not first:
            test = f"site == 0 and {self.condition}"
        else:
            test = f"{self.condition} if site == 0 else site <= {first}"
        otherwise = self.otherwise.dispatch() if self.otherwise is not None else []
        return self._lines(test, self.then.dispatch(), otherwise)

    def _lines(self, test: str, then: list[Line], otherwise: list[Line]) -> list[Line]:
        start, end = self.start, self.end
        lines = [Line(0, f"if {test}:", start, end), *block(then, start, end)]
        if not otherwise:
            return lines
        first = otherwise[0]
        if first.text.startswith("if ") and all(
            line.depth or line.text.startswith(("elif ", "else:")) for line in otherwise[1:]
        ):
            return [*lines, Line(0, "el" + first.text, first.start, first.end), *otherwise[1:]]
        return [*lines, Line(0, "else:", start, end), *block(otherwise, start, end)]


@dataclass(slots=True)
class Loop(Resumable):
    """An endless loop around `inside`, which `head` counts."""

    head: Line
    inside: Sequence

    @property
    def low(self) -> int:
        return self.inside.low

    @property
    def high(self) -> int:
        return self.inside.high

    def forward(self, entry: int) -> list[Line]:
        return self._around(self.inside.forward(entry))

    def resumed(self, entry: int) -> list[Line]:
        rest, again = self.inside.resumed(entry), self.forward(entry)
        if not _escapes(rest):
            return rest + again
        at = self.head
        return [*_once(rest, at), Line(0, "else:", at.start, at.end), *indent(again)]

    def dispatch(self) -> list[Line]:
        return self._around(self.inside.dispatch())

    def _around(self, inside: list[Line]) -> list[Line]:
        return [self.head, *block(inside, self.head.start, self.head.end)]


@dataclass(slots=True)
class Groups(Resumable):
    """The groups of a switch, of which the number in `selector` chooses."""

    selector: str
    groups: list[Sequence]
    at: int

    @property
    def low(self) -> int:
        return next((low for group in self.groups if (low := group.low)), 0)

    @property
    def high(self) -> int:
        # Asked once for each group: twice would double with every switch in a switch.
        return next((high for group in reversed(self.groups) if (high := group.high)), 0)

    def forward(self, entry: int) -> list[Line]:
        return self._lines([group.forward(entry) for group in self.groups])

    def dispatch(self) -> list[Line]:
        return [
            *_selected(self.groups, self.selector, self.at),
            *self._lines([group.dispatch() for group in self.groups]),
        ]

    @abstractmethod
    def _lines(self, groups: list[list[Line]]) -> list[Line]:
        """The switch around the lines of its groups."""


@dataclass(slots=True)
class Choice(Groups):
    """A switch none of whose groups falls through: one branch each, by the number in `selector`."""

    def resumed(self, entry: int) -> list[Line]:
        return self.groups[_group_of(self.groups, entry)].resumed(entry)

    def _lines(self, groups: list[list[Line]]) -> list[Line]:
        return self._halves(groups, 0)

    def _halves(self, groups: list[list[Line]], first: int) -> list[Line]:
        """The branches of the groups from number `first` on."""
        selector, at = self.selector, self.at
        if len(groups) > MAX_FLAT:
            half = len(groups) // 2
            return [
                Line(0, f"if {selector} < {first + half}:", at, at),
                *indent(self._halves(groups[:half], first)),
                Line(0, "else:", at, at),
                *indent(self._halves(groups[half:], first + half)),
            ]
        lines: list[Line] = []
        for number, group in enumerate(groups, first):
            word = "elif" if lines else "if"
            lines.append(Line(0, f"{word} {selector} == {number}:", at, at))
            lines += block(group, at, at)
        return lines


@dataclass(slots=True)
class Cascade(Groups):
    """Any switch: a one-trip loop that a break leaves, in which a group runs if the selector is not past it."""

    def resumed(self, entry: int) -> list[Line]:
        begin = _group_of(self.groups, entry)
        rest = self.groups[begin].resumed(entry)
        for group in self.groups[begin + 1 :]:
            rest += group.forward(entry)
        selected = Line(0, f"{self.selector} = {begin}", self.at, self.at)
        # A `continue` has become a `break` with another selector.
        return [selected, *(_once(rest, selected) if _escapes(rest) else rest)]

    def _lines(self, groups: list[list[Line]]) -> list[Line]:
        inside = self._parts([block(group, self.at, self.at) for group in groups], list(range(len(groups))))
        inside.append(Line(0, "break", self.at, self.at))
        return [Line(0, "while 1:", self.at, self.at), *indent(inside)]

    def _parts(self, bodies: list[list[Line]], last: list[int]) -> list[Line]:
        """Bodies that fall into one another, each skipped by a selector past the number of its last group."""
        tested = [
            [Line(0, f"if {self.selector} <= {number}:", self.at, self.at), *body]
            for number, body in zip(last, bodies, strict=True)
        ]
        if len(tested) <= MAX_FLAT:
            return list(chain.from_iterable(tested))
        parts = [indent(list(chain.from_iterable(part))) for part in _batches(tested)]
        return self._parts(parts, [part[-1] for part in _batches(last)])


def _group_of(groups: list[Sequence], entry: int) -> int:
    return next(number for number, group in enumerate(groups) if group.high >= entry)


def _selected(groups: list[Sequence], selector: str, at: int) -> list[Line]:
    """On resumption the selector is that of the group with the site."""
    ranges = [(high, number) for number, group in enumerate(groups) if (high := group.high)]
    return [Line(0, f"if site: {selector} = {_number_of(ranges)}", at, at)]


def _number_of(ranges: list[tuple[int, int]]) -> str:
    """The number of the group with the site, from the last sites of groups."""
    if len(ranges) > MAX_FLAT:
        half = len(ranges) // 2
        first, second = _number_of(ranges[:half]), _number_of(ranges[half:])
        return f"({first}) if site <= {ranges[half - 1][0]} else ({second})"
    text = str(ranges[-1][1])
    for high, number in reversed(ranges[:-1]):
        text = f"{number} if site <= {high} else {text}"
    return text


def _batches(things: list[_T]) -> list[list[_T]]:
    return [things[at : at + MAX_FLAT] for at in range(0, len(things), MAX_FLAT)]


def _once(lines: list[Line], at: Line) -> list[Line]:
    return [Line(0, "for _ in (None,):", at.start, at.end), *indent(lines)]


def _escapes(lines: list[Line]) -> bool:
    """Whether lines leave or repeat a loop that is not among them."""
    inside: int | None = None
    for line in lines:
        if inside is not None and line.depth > inside:
            continue
        inside = None
        text = line.text
        if text.startswith(("for ", "while ")):
            inside = line.depth
        elif text in ("break", "continue") or text.endswith((": break", ": continue")):
            return True
    return False
