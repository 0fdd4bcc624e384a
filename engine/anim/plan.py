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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.anim.tree import Bool, Float64, Tree

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Groups:
    """Members of G blends, in the order of their rank: all first members, then the second ones of those groups that
    have two, and so on. Groups are sorted by size, the largest first, so a rank belongs to the first groups.

    nodes, rows  (M,) whose weight a member counts with
    of           (M,) the group that each belongs to
    ranks        (start, end) of each rank: member start + g is one of group g
    """

    nodes: Index
    rows: Index
    of: Index
    ranks: tuple[tuple[int, int], ...]

    def parts(self, weight: Float64) -> Float64:
        """(M,) part of the whole that each member is, from the (N, E) weights of the nodes. One alone is all of it."""
        if len(self.ranks) == 1:
            return np.ones(len(self.of))
        parts: Float64 = weight[self.nodes, self.rows]
        # Adds in the order of the members, the same on every machine.
        parts /= np.bincount(self.of, parts)[self.of]
        return parts


@dataclass(frozen=True, slots=True)
class Merge:
    """Blends of earlier results; each goes to the place of its first member.

    sources  (M,) places of the members, in the order of `groups`
    """

    groups: Groups
    sources: Index


@dataclass(frozen=True, slots=True)
class Addition:
    """Differences that are added to earlier results, each to another one.

    sources, targets  (M,) places
    nodes, rows       (M,) whose weight says how much of a difference
    """

    sources: Index
    targets: Index
    nodes: Index
    rows: Index


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do for some entities.

    leaves   (K,) leaf of each item, in the order of `groups`; group g's result goes to place g
    groups   the blends of leaves; one with a single member is that leaf by itself
    uneven   places of groups with several members that merge further, and have to be made means before
    steps    in this order, over the places
    results  (E,) place of each row's final result; 0, which is another's, for those where nothing plays
    idle     the rows in which nothing plays, ascending
    straight  result e is at place e
    """

    leaves: Index
    groups: Groups
    uneven: Index
    steps: tuple[Merge | Addition, ...]
    results: Index
    idle: Index
    straight: bool


_NONE: Index = np.zeros(0, np.intp)


class Planner:
    """Plans for the entities of a tree. What plays changes more rarely than its weights, so the last is kept.

    taking_part (N,): leaves that have anything to contribute; the others, and what leads only to them, take no
    part.
    """

    def __init__(self, tree: Tree, taking_part: Bool) -> None:
        self.tree = tree
        self._leaves = np.array([n for n in tree.leaves_in_order if taking_part[n]], np.intp)
        self._parents = np.array(tree.parents, np.intp)
        self._weighty = b""
        """Which weights were above 0 when the last plan was made. Bytes are compared faster than arrays."""
        self._plan = _nothing(0)

    def plan(self, weight: Float64) -> Plan:
        """The plan for (N, E) weights."""
        shown = weight > 0.0
        weighty = shown.tobytes()
        if weighty != self._weighty:
            self._weighty = weighty
            for nodes, parents in self.tree.levels:
                shown[nodes] &= shown[parents]
            self._plan = self._make(shown[self._leaves])
        return self._plan

    def _make(self, shown: Bool) -> Plan:
        """From (L, E) which leaves show."""
        tree = self.tree
        rows, order = np.nonzero(shown.T)
        leaves = self._leaves[order]
        if not len(leaves):
            return _nothing(shown.shape[1])
        work = _Work(tree, leaves, rows)
        for depth in range(int(tree.depths[leaves].max()), 0, -1):
            work.level(depth)
        return work.plan(shown.shape[1])


class _Work:
    """A plan in the making, level by level from the deepest up.

    at      (K,) the node that each item stands for by now
    left    items that nothing else has taken in
    whole   (K,) items that nothing has merged into and that have not merged: a leaf by itself
    heads   (K,) the first item of the group of leaves that each is in, and `weigh` whose weight counts there
    """

    def __init__(self, tree: Tree, leaves: Index, rows: Index) -> None:
        self.tree = tree
        self.parents = np.array(tree.parents, np.intp)
        self.additive = np.array([tree.is_additive(node) for node in range(len(tree))])
        self.leaves, self.rows = leaves, rows
        self.at, self.left = leaves.copy(), np.arange(len(leaves))
        self.whole = np.ones(len(leaves), np.bool_)
        self.heads, self.weigh = np.arange(len(leaves)), leaves.copy()
        self.steps: list[_Blended | _Added] = []

    def level(self, depth: int) -> None:
        """Let the items of one depth merge, and what is additive among them be added to the result."""
        deep = self.left[self.tree.depths[self.at[self.left]] == depth]
        additive = self.additive[self.at[deep]]
        added, members = deep[additive], deep[~additive]
        gone = [added]
        firsts = members
        if len(members):
            key = self._key(members)
            first = np.concatenate([[True], key[1:] != key[:-1]])
            self._merge(members, np.flatnonzero(first))
            firsts = members[first]
            gone.append(members[~first])
        if len(added):
            self._add(added, firsts)
        self.left = np.setdiff1d(self.left, np.concatenate(gone), assume_unique=True)
        self.at[firsts] = self.parents[self.at[firsts]]

    def _key(self, items: Index) -> Index:
        """The same for items of one row and one parent."""
        keys: Index = self.rows[items] * len(self.tree) + self.parents[self.at[items]]
        return keys

    def _merge(self, members: Index, starts: Index) -> None:
        sizes = np.diff(np.append(starts, len(members)))
        heads = np.repeat(members[starts], sizes)
        several = np.repeat(sizes > 1, sizes)
        plain = several & np.repeat(np.logical_and.reduceat(self.whole[members], starts), sizes)
        self.heads[members[plain]] = heads[plain]
        self.weigh[members[plain]] = self.at[members[plain]]
        mixed = several & ~plain
        if mixed.any():
            self.steps.append(_Blended(members[mixed], heads[mixed], self.at[members[mixed]]))
        self.whole[members[several]] = False

    def _add(self, added: Index, firsts: Index) -> None:
        """In the order of the file, which numbers run against. What has nothing to be added to is left out."""
        keys = self._key(firsts)
        order = np.argsort(keys)
        wanted = self._key(added)
        found = np.searchsorted(keys[order], wanted)
        found[found == len(keys)] = 0
        has = keys[order][found] == wanted if len(keys) else np.zeros(len(added), np.bool_)
        sources, targets = added[has][::-1], firsts[order][found[has]][::-1]
        self.whole[targets] = False
        while len(sources):
            _, now = np.unique(targets, return_index=True)
            self.steps.append(_Added(sources[now], targets[now], self.at[sources[now]]))
            sources, targets = np.delete(sources, now), np.delete(targets, now)

    def plan(self, count: int) -> Plan:
        """The plan for `count` entities."""
        items, groups, place = _ranked(np.arange(len(self.leaves)), self.heads, self.weigh, self.rows)
        steps: list[Merge | Addition] = []
        for step in self.steps:
            if isinstance(step, _Added):
                sources, targets = place[step.sources], place[step.targets]
                steps.append(Addition(sources, targets, step.nodes, self.rows[step.sources]))
            else:
                chosen, merged, _ = _ranked(step.members, step.heads, step.nodes, self.rows)
                steps.append(Merge(merged, place[step.members[chosen]]))
        merging = [step.sources for step in steps if isinstance(step, Merge)]
        several = groups.ranks[1][1] - groups.ranks[1][0] if len(groups.ranks) > 1 else 0
        uneven = np.unique(np.concatenate([_NONE, *merging]))
        results = np.zeros(count, np.intp)
        results[self.rows[self.left]] = place[self.left]
        idle = np.setdiff1d(np.arange(count), self.rows[self.left], assume_unique=True)
        straight = np.array_equal(results, np.arange(count))
        return Plan(
            self.leaves[items], groups, uneven[uneven < several], tuple(steps), results, idle, straight
        )


def _nothing(count: int) -> Plan:
    """The plan for entities that play nothing."""
    groups = Groups(_NONE, _NONE, _NONE, ((0, 0),))
    return Plan(_NONE, groups, _NONE, (), np.zeros(count, np.intp), np.arange(count), False)


class _Blended(NamedTuple):
    """Items that merge into the first of each one's group, and the nodes whose weights count."""

    members: Index
    heads: Index
    nodes: Index


class _Added(NamedTuple):
    """Items that are added to others, and the nodes whose weights count."""

    sources: Index
    targets: Index
    nodes: Index


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
    of = np.repeat(number, sizes)
    order = np.lexsort((of, rank))
    ranked = together[order]
    ends = np.cumsum(np.bincount(rank))
    ranks = tuple(pairwise([0, *ends.tolist()]))
    place = np.zeros(len(rows), np.intp)
    place[heads[together][starts]] = number
    return ranked, Groups(nodes[ranked], rows[members[ranked]], of[order], ranks), place
