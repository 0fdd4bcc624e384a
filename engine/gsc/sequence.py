"""Lines of emitted Python, and how code that can be left and entered again at a suspension site is laid out.

A `Sequence` is a list of straight lines, suspension sites and compounds (statements with sites inside). Python variable
`site` is 0 while code runs forward and the number of the site to resume at otherwise; sites are numbered in textual
order, so a range of numbers tells which compound to enter. Whoever enters a sequence guarantees that `site` is 0 or one
of the sequence's own numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Line(NamedTuple):
    """One physical line: nesting depth, text, and the offsets of the script text to blame for it."""

    depth: int
    text: str
    start: int
    end: int


def indent(lines: list[Line], by: int = 1) -> list[Line]:
    return [Line(line.depth + by, line.text, line.start, line.end) for line in lines]


@dataclass(slots=True)
class Straight:
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class Site:
    """A suspension: `issue` ends in a return when it has to wait, `restore` takes over on resumption."""

    number: int
    issue: list[Line]
    restore: list[Line]


@dataclass(slots=True)
class Compound:
    """A statement with sites `low` to `high` inside; its lines serve both ways in."""

    low: int
    high: int
    lines: list[Line]


class Sequence:
    """Code in order of execution."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Straight | Site | Compound] = []

    def add(self, lines: list[Line]) -> None:
        if not self.items or not isinstance(self.items[-1], Straight):
            self.items.append(Straight())
        last = self.items[-1]
        assert isinstance(last, Straight)
        last.lines.extend(lines)

    @property
    def low(self) -> int:
        """The first site inside, 0 for none."""
        for item in self.items:
            if isinstance(item, Site):
                return item.number
            if isinstance(item, Compound):
                return item.low
        return 0

    @property
    def high(self) -> int:
        """The last site inside, 0 for none."""
        for item in reversed(self.items):
            if isinstance(item, Site):
                return item.number
            if isinstance(item, Compound):
                return item.high
        return 0

    @property
    def empty(self) -> bool:
        return not self.items

    def render(self) -> list[Line]:
        """The lines, at depth 0, with the guards that lead a resumption to its site."""
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
            if isinstance(item, Site):
                passed = item.number
                lines += _site(straight, item, last=passed == high)
            else:
                if straight:
                    lines.append(_guard("if site == 0:", straight[0]))
                    lines += indent(straight)
                passed = item.high
                if passed == high:
                    lines += item.lines
                else:
                    lines.append(_guard(f"if site <= {passed}:", item.lines[0]))
                    lines += indent(item.lines)
            straight = []
        return lines


def _guard(text: str, like: Line) -> Line:
    return Line(0, text, like.start, like.end)


def _site(straight: list[Line], site: Site, *, last: bool) -> list[Line]:
    at = site.issue[0]
    return [
        _guard("if site == 0:", straight[0] if straight else at),
        *indent(straight),
        *indent(site.issue),
        _guard("else:" if last else f"elif site == {site.number}:", at),
        *indent(site.restore),
    ]


def block(lines: list[Line], start: int, end: int) -> list[Line]:
    """`lines` as the body of a compound statement."""
    return indent(lines) if lines else [Line(1, "pass", start, end)]
