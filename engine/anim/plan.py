"""Who blends with whom (animation facts, section 5.6): what plays, as lists over all entities.

An item is one active leaf of one entity. Items below the same parent merge, level by level from the deepest up; an
item that is alone passes on unchanged, whatever its weight. So only siblings compare with each other, and the work
depends on what plays and not on the size of the tree.

Where all of a merge's members are leaves, it needs none of them by itself: it is one weighted sum over their
frames. So a plan begins with groups of items, most of them a whole blend, and merges the results of these where the
tree has more levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.anim.tree import Bool, Float64, Tree

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Groups:
    """Members of G blends, in the order of their rank: all first members, then the second ones of those groups that
    have two, and so on. Groups are sorted by size, the largest first, so a rank belongs to the first groups.

    nodes, rows  (M,) whose weight a member counts with
    ranks        (start, end) of each rank: member start + g is one of group g
    """

    nodes: Index
    rows: Index
    ranks: tuple[tuple[int, int], ...]

    def parts(self, weight: Float64) -> Float64:
        """(M,) part of the whole that each member is, from the (N, E) weights of the nodes. One alone is all of it."""
        start, end = self.ranks[0]
        if len(self.ranks) == 1:
            return np.ones(end - start)
        parts: Float64 = weight[self.nodes, self.rows]
        total = parts[start:end].copy()
        for first, last in self.ranks[1:]:
            total[: last - first] += parts[first:last]
        several = self.ranks[1][1] - self.ranks[1][0]
        for first, last in self.ranks[1:]:
            parts[first:last] /= total[: last - first]
        parts[start : start + several] /= total[:several]
        parts[start + several : end] = 1.0
        return parts


@dataclass(frozen=True, slots=True)
class Merge:
    """Blends of earlier results; each goes to the place of its first member.

    sources  (M,) places of the members, in the order of `groups`
    """

    groups: Groups
    sources: Index


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do for some entities.

    leaves   (K,) leaf of each item, in the order of `groups`; group g's result goes to place g
    groups   the blends of leaves; one with a single member is that leaf by itself
    merges   in this order, over the places
    results  (R,) place of each row's final result, and `rows` (R,) these rows, ascending
    straight  result r is at place r and of row r
    """

    leaves: Index
    groups: Groups
    merges: tuple[Merge, ...]
    results: Index
    rows: Index
    straight: bool


_NONE: Index = np.zeros(0, np.intp)
_EMPTY = Plan(_NONE, Groups(_NONE, _NONE, ((0, 0),)), (), _NONE, _NONE, False)


class Planner:
    """Plans for the entities of a tree. What plays changes more rarely than its weights, so the last is kept.

    taking_part (N,): leaves that have anything to contribute; the others, and what leads only to them, take no
    part.
    """

    def __init__(self, tree: Tree, taking_part: Bool) -> None:
        self.tree = tree
        self._leaves = np.array([n for n in tree.leaves_in_order if taking_part[n]], np.intp)
        self._parents = np.array(tree.parents, np.intp)
        self._shown: Bool = np.zeros((0, 0), np.bool_)
        self._plan = _EMPTY

    def plan(self, weight: Float64) -> Plan:
        """The plan for (N, E) weights."""
        shown = weight > 0.0
        for nodes, parents in self.tree.levels:
            shown[nodes] &= shown[parents]
        if shown.shape != self._shown.shape or not np.array_equal(shown, self._shown):
            self._shown = shown
            self._plan = self._make(shown[self._leaves])
        return self._plan

    def _make(self, shown: Bool) -> Plan:
        """From (L, E) which leaves show."""
        tree, parents = self.tree, self._parents
        rows, order = np.nonzero(shown.T)
        leaves = self._leaves[order]
        count = len(leaves)
        if not count:
            return _EMPTY
        # The merges by depth: for each item that is still there the node that it stands for, and who is first in
        # its group. An item is `whole` as long as nothing has merged into it or it into another.
        at, left, whole = leaves.copy(), np.arange(count), np.ones(count, np.bool_)
        group = np.arange(count)
        weigh = leaves.copy()
        later: list[tuple[Index, Index, Index]] = []
        for depth in range(int(tree.depths[leaves].max()), 0, -1):
            deep = np.flatnonzero(tree.depths[at[left]] == depth)
            members = left[deep]
            key = rows[members] * len(tree) + parents[at[members]]
            first = np.concatenate([[True], key[1:] != key[:-1]])
            starts = np.flatnonzero(first)
            sizes = np.diff(np.append(starts, len(members)))
            heads = np.repeat(members[starts], sizes)
            several = np.repeat(sizes > 1, sizes)
            plain = several & np.repeat(np.logical_and.reduceat(whole[members], starts), sizes)
            group[members[plain]] = heads[plain]
            weigh[members[plain]] = at[members[plain]]
            mixed = several & ~plain
            if mixed.any():
                later.append((members[mixed], heads[mixed], at[members[mixed]]))
            whole[members[several]] = False
            left = np.delete(left, deep[~first])
            at[members[first]] = parents[at[members[first]]]
        items, groups, place = _ranked(np.arange(count), group, weigh, rows)
        merges = []
        for members, heads, nodes in later:
            chosen, merged, _ = _ranked(members, heads, nodes, rows)
            merges.append(Merge(merged, place[members[chosen]]))
        results, playing = place[left], rows[left]
        straight = bool(np.array_equal(results, playing) and np.array_equal(results, np.arange(len(results))))
        return Plan(leaves[items], groups, tuple(merges), results, playing, straight)


def _ranked(members: Index, heads: Index, nodes: Index, rows: Index) -> tuple[Index, Groups, Index]:
    """Put members in the order of `Groups`. `heads` is the first member of each one's group, `nodes` whose weight
    counts. Members of a group stand in ascending order, not always together.

    Returns the order, the groups, and by head its group's number (for heads in 0..K).
    """
    together = np.argsort(heads, kind="stable")
    first = np.concatenate([[True], heads[together][1:] != heads[together][:-1]])
    starts = np.flatnonzero(first)
    sizes = np.diff(np.append(starts, len(members)))
    by_size = np.argsort(-sizes, kind="stable")
    number = np.empty(len(starts), np.intp)
    number[by_size] = np.arange(len(starts))
    rank = np.arange(len(members)) - np.repeat(starts, sizes)
    ranked = together[np.lexsort((np.repeat(number, sizes), rank))]
    ends = np.cumsum(np.bincount(rank))
    ranks = tuple(pairwise([0, *ends.tolist()]))
    place = np.zeros(len(rows), np.intp)
    place[heads[together][starts]] = number
    return ranked, Groups(nodes[ranked], rows[members[ranked]], ranks), place
