"""Where a thread that waits in one version of a function stands in another.

The marks of both versions are aligned in order, with the greatest sum of likenesses: equal statements first, equal
but for the names of locals next, and last statements that wait for the same thing in another way. A site that finds no
partner so may still be found elsewhere, by an equal statement beside an equal neighbour: whole blocks get moved. No
site enters or leaves a loop that both versions have.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engine.gsc import syntax
from engine.gsc.inference import local_names
from engine.gsc.sites import Mark, Outline, Shape, Site, shape_of
from engine.gsc.suspension import Behaviour, Key

MAX_CELLS = 60_000
"""Beyond so many pairs of marks only equal ones are aligned: functions of hundreds of changed statements."""


@dataclass(frozen=True, slots=True)
class Match:
    """A site with its partner. `retarget`: it waits for something else now, which has to be told to the thread."""

    new: Site
    retarget: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a site has no partner; `line` is the one of the new text that is in the way, if any."""

    reason: str
    offset: int | None = None


class Alignment:
    """Two versions of a function. `renamed` gives functions of the old program their names in the new one."""

    def __init__(self, old: Outline, new: Outline, behaviour: Behaviour, renamed: Mapping[Key, Key]) -> None:
        self.old = old
        self.new = new
        self.renamed = renamed
        self.pairs: dict[int, int] = dict(_aligned(old.marks, new.marks, renamed))
        """Mark of the old version to mark of the new one."""
        old_names = local_names(old.function, behaviour)
        new_names = local_names(new.function, behaviour)
        self.locals = self._renamed_locals(old_names, new_names)
        """New local to the old one that its value comes from."""
        self._matches: dict[Site, Match] = {}
        self._refused: dict[Site, Refusal] = {}
        self._match_sites(set(old_names))

    def partner(self, site: Site) -> Match | Refusal:
        found = self._matches.get(site)
        if found is not None:
            return found
        return self._refused.get(site) or Refusal(f"the {site.word} is not there any more")

    # ---- locals ----------------------------------------------------------------------------------------

    def _renamed_locals(self, old_names: tuple[str, ...], new_names: tuple[str, ...]) -> dict[str, str]:
        votes: Counter[tuple[str, str]] = Counter()
        whole = len(self.pairs) == len(self.old.marks) == len(self.new.marks)
        for at, there in self.pairs.items():
            before, after = self.old.marks[at], self.new.marks[there]
            if before.shape == after.shape:
                votes.update(zip(after.names, before.names, strict=True))
            else:
                whole = False
        # Parameters have no mark; their places speak for them.
        votes.update(zip(self.new.function.params, self.old.function.params, strict=False))
        pairs = set(votes)
        if whole and len({n for n, _ in pairs}) == len({o for _, o in pairs}) == len(pairs):
            # The same function but for names: each local is the one in its place, whatever it is called.
            return dict(pairs)
        result = {name: name for name in new_names if name in old_names}
        taken = set(result.values())
        for (new, old), _ in votes.most_common():
            if new not in result and new not in old_names and old not in taken and old not in new_names:
                result[new] = old
                taken.add(old)
        return result

    # ---- sites -----------------------------------------------------------------------------------------

    def _match_sites(self, known: set[str]) -> None:
        taken: set[Site] = set()
        left: list[Site] = []
        for number, mark in enumerate(self.old.marks):
            partner = self.pairs.get(number)
            new_sites = self.new.marks[partner].sites if partner is not None else []
            same = partner is not None and self.new.marks[partner].shape == mark.shape
            for old, match in _within(mark.sites, new_sites, same, self.renamed):
                if match is not None and self._fits(old, match.new, known):
                    self._matches[old] = match
                    taken.add(match.new)
                else:
                    left.append(old)
        for old in left:
            best = self._elsewhere(old, taken)
            if best is not None and self._fits(old, best, known):
                self._refused.pop(old, None)
                self._matches[old] = Match(best)
                taken.add(best)

    def _elsewhere(self, old: Site, taken: set[Site]) -> Site | None:
        """A site that no one is matched with, in an equal statement with an equal neighbour."""
        mark = self.old.marks[old.mark]
        best: tuple[int, int] | None = None
        found: Site | None = None
        for number, other in enumerate(self.new.marks):
            if old.order >= len(other.sites) or other.shape != mark.shape:
                continue
            site = other.sites[old.order]
            if site in taken:
                continue
            beside = _beside(self.old.marks, old.mark, self.new.marks, number)
            rank = (beside, sum(a == b for a, b in zip(mark.names, other.names, strict=True)))
            if beside and (best is None or rank > best):
                best, found = rank, site
        return found

    def _fits(self, old: Site, new: Site, known: set[str]) -> bool:
        """Whether a thread may stand there: in the same of the loops that both versions have, and in no new loop that
        counts with variables which the thread does not have."""
        old_loops, new_loops = self.old.marks[old.mark].loops, self.new.marks[new.mark].loops
        kept = {self.pairs[loop] for loop in old_loops if loop in self.pairs}
        both = set(self.pairs.values())
        for loop in new_loops:
            node = self.new.marks[loop].node
            if loop in both:
                if loop not in kept:
                    self._refused[old] = Refusal("it is inside another loop now", node.start)
                    return False
            elif isinstance(node, syntax.For) and isinstance(node.init, syntax.Assign):
                target = node.init.target
                if isinstance(target, syntax.LocalVar) and self.locals.get(target.name) not in known:
                    reason = f"it is inside a new loop over '{target.name}', which this thread has not begun"
                    self._refused[old] = Refusal(reason, node.start)
                    return False
        if not kept <= set(new_loops):
            self._refused[old] = Refusal("it is outside its loop now", new.node.start)
            return False
        return True


def likeness(old: Outline, new: Outline) -> float:
    """From 0 to 1: how much of two functions is the same but for names."""
    matcher = difflib.SequenceMatcher(
        None, [m.shape for m in old.marks], [m.shape for m in new.marks], autojunk=False
    )
    return matcher.ratio()


# ---- aligning marks --------------------------------------------------------------------------------------


def _aligned(old: list[Mark], new: list[Mark], renamed: Mapping[Key, Key]) -> list[tuple[int, int]]:
    """Pairs of marks, in order."""
    first = 0
    while first < min(len(old), len(new)) and _equal(old[first], new[first]):
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and _equal(old[-1 - last], new[-1 - last]):
        last += 1
    pairs = [(n, n) for n in range(first)]
    a, b = old[first : len(old) - last], new[first : len(new) - last]
    if len(a) == len(b) and all(x.shape == y.shape for x, y in zip(a, b, strict=True)) and _consistent(a, b):
        inner = [(n, n) for n in range(len(a))]
    elif len(a) * len(b) > MAX_CELLS:
        matcher = difflib.SequenceMatcher(
            None, [(m.shape, m.names) for m in a], [(m.shape, m.names) for m in b], autojunk=False
        )
        inner = [(x + n, y + n) for x, y, size in matcher.get_matching_blocks() for n in range(size)]
    else:
        inner = _best_order(a, b, renamed)
    pairs += [(first + x, first + y) for x, y in inner]
    pairs += [(len(old) - n, len(new) - n) for n in range(last, 0, -1)]
    return pairs


def _equal(a: Mark, b: Mark) -> bool:
    return a.shape == b.shape and a.names == b.names


def _consistent(a: list[Mark], b: list[Mark]) -> bool:
    """Whether every local stands for one other all through."""
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for x, y in zip(a, b, strict=True):
        for one, other in zip(x.names, y.names, strict=True):
            if there.setdefault(one, other) != other or back.setdefault(other, one) != one:
                return False
    return True


def _best_order(a: list[Mark], b: list[Mark], renamed: Mapping[Key, Key]) -> list[tuple[int, int]]:
    """The alignment with the greatest sum of likenesses (dynamic programming); of equal ones the earliest."""
    width = len(b) + 1
    best = [[0.0] * width for _ in range(len(a) + 1)]
    likes = [[_like(x, y, renamed) for y in b] for x in a]
    for row in range(len(a) - 1, -1, -1):
        for column in range(len(b) - 1, -1, -1):
            like = likes[row][column]
            both = like + best[row + 1][column + 1] if like else 0.0
            best[row][column] = max(both, best[row + 1][column], best[row][column + 1])
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < len(a) and column < len(b):
        like = likes[row][column]
        if like and best[row][column] == like + best[row + 1][column + 1]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _like(a: Mark, b: Mark, renamed: Mapping[Key, Key]) -> float:
    """How much one wants two marks to be partners; numbers that add up exactly in binary."""
    if a.leaf != b.leaf:
        return 0.0
    if a.shape == b.shape:
        if not a.leaf:
            return 0.5
        return (4.0 if a.names == b.names else 3.0) + (2.0 if a.sites else 0.0)
    if a.sites and b.sites:
        return max(_alike(x, y, renamed) for x in a.sites for y in b.sites) / 2
    return 0.0


def _beside(a: list[Mark], at: int, b: list[Mark], there: int) -> int:
    """How many of the two neighbours are equal but for names."""
    count = 0
    for step in (-1, 1):
        inside = 0 <= at + step < len(a) and 0 <= there + step < len(b)
        if inside and a[at + step].leaf and a[at + step].shape == b[there + step].shape:
            count += 1
    return count


# ---- sites in two statements -----------------------------------------------------------------------------


def _alike(old: Site, new: Site, renamed: Mapping[Key, Key]) -> float:
    """3 for the same wait or call, less for one that a thread can be told to wait for instead, 0 for another one."""

    def same(a: syntax.Node, b: syntax.Node) -> bool:
        return _shape(a, renamed) == _shape(b, renamed)

    match old.node, new.node:
        case syntax.Wait(), syntax.Wait():
            return 3.0 if same(old.node, new.node) else 2.0
        case syntax.WaitTill(), syntax.WaitTill():
            alike = same(old.node.object, new.node.object) + same(old.node.event, new.node.event)
            return 3.0 if alike == 2 else float(alike and _simple(new.node.object, new.node.event))
        case syntax.WaitTillMatch(), syntax.WaitTillMatch():
            if not same(old.node.object, new.node.object) or not same(old.node.event, new.node.event):
                return 0.0
            if len(old.node.matches) == len(new.node.matches) and all(
                map(same, old.node.matches, new.node.matches)
            ):
                return 3.0
            return float(_simple(new.node.object, new.node.event, *new.node.matches))
        case syntax.Call(), syntax.Call():
            return 3.0 if same(old.node.target, new.node.target) else 0.0
        case _:
            return 0.0


def _shape(node: syntax.Node, renamed: Mapping[Key, Key]) -> Shape:
    return shape_of(node, renamed)[0]


def _simple(*nodes: syntax.Expr) -> bool:
    """Whether expressions can be evaluated without running anything."""
    simple = (
        syntax.StringLiteral | syntax.IntLiteral | syntax.FloatLiteral | syntax.LocalVar | syntax.Predefined
    )
    return all(isinstance(node, simple) for node in nodes)


def _within(
    old: list[Site], new: list[Site], same: bool, renamed: Mapping[Key, Key]
) -> list[tuple[Site, Match | None]]:
    """Partners in two statements: by position in equal ones, else in order and by what is waited for."""
    if same and len(old) == len(new):
        return [(a, Match(b)) for a, b in zip(old, new, strict=True)]
    result: list[tuple[Site, Match | None]] = []
    begin = 0
    for site in old:
        likes = [(_alike(site, other, renamed), -n) for n, other in enumerate(new[begin:])]
        like, place = max(likes, default=(0.0, 0))
        if not like:
            result.append((site, None))
            continue
        begin += 1 - place
        result.append((site, Match(new[begin - 1], retarget=like == 1.0)))
    return result
