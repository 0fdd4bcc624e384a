"""What is known of the locals at one place of a function, while `inference` walks over it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.gsc.kinds import ANY, INT, UNDEFINED
from engine.gsc.spans import WHOLE, Span, hull, widened


class Environment:
    """The types of each local as a bit set, and the bounds of those that are surely ints; a local that is not among
    `types` is undefined. Where no way leads to, `dead` holds, and the rest means nothing."""

    __slots__ = ("dead", "spans", "types")

    def __init__(self, types: dict[str, int], spans: dict[str, Span] | None = None) -> None:
        self.types = types
        self.spans: dict[str, Span] = spans or {}
        self.dead = False

    def copy(self) -> Environment:
        other = Environment(dict(self.types), dict(self.spans))
        other.dead = self.dead
        return other

    def take(self, other: Environment) -> None:
        """Hold what another holds, which is given away."""
        self.types, self.spans, self.dead = other.types, other.spans, other.dead

    def same(self, other: Environment) -> bool:
        return self.types == other.types and self.spans == other.spans and self.dead == other.dead

    def type(self, name: str) -> int:
        return self.types.get(name, UNDEFINED)

    def span(self, name: str) -> Span:
        return self.spans.get(name, WHOLE)

    def set(self, name: str, mask: int, span: Span = WHOLE) -> None:
        self.types[name] = mask
        if mask == INT and span != WHOLE:
            self.spans[name] = span
        else:
            self.spans.pop(name, None)

    def forget(self, names: Iterable[str]) -> None:
        """Believe nothing of these locals any more."""
        self.types.update(dict.fromkeys(names, ANY))
        self.spans.clear()

    def merge(self, other: Environment) -> None:
        """Hold what either holds: two ways meet here."""
        if other.dead:
            return
        if self.dead:
            self.types, self.spans, self.dead = dict(other.types), dict(other.spans), False
            return
        mine, theirs = self.types, other.types
        for name in mine.keys() | theirs.keys():
            mine[name] = mine.get(name, UNDEFINED) | theirs.get(name, UNDEFINED)
        both = self.spans.keys() & other.spans.keys()
        self.spans = {name: hull(self.spans[name], other.spans[name]) for name in both}

    def widen(self, before: Environment) -> None:
        """Let the bounds that have changed since `before`, the round of a loop earlier, go as far as they may."""
        if before.dead:
            return
        spans = {n: widened(before.spans[n], s) for n, s in self.spans.items() if n in before.spans}
        self.spans = {name: span for name, span in spans.items() if span != WHOLE}


def join(one: Environment | None, other: Environment) -> Environment:
    """What holds where one of two ways has come, either of which may not be there yet."""
    result = other.copy()
    if one is not None:
        result.merge(one)
    return result
