"""Who blends with whom (animation facts, section 5.6): what plays, as lists over all entities.

An item is one active leaf of one entity. Level by level from the deepest up, the items below the same parent
merge into the first of them; an item that is alone passes on unchanged, whatever its weight. So only siblings
compare with each other, and the work depends on what plays and not on the size of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.anim.tree import Bool, Float64, Tree

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Merge:
    """Groups of two or more items of one level; each goes into its first.

    items  (G, width), a shorter group is filled up with its first item
    nodes  (G, width), whose weights count
    rows   (G, 1)
    there  (G, width), False for what only fills up
    """

    items: Index
    nodes: Index
    rows: Index
    there: Bool

    def weights(self, weight: Float64) -> Float64:
        """(G, width) parts of the whole, from the (N, E) weights of the nodes."""
        parts = weight[self.nodes, self.rows] * self.there
        parts /= parts.sum(axis=1, keepdims=True)
        return parts


@dataclass(frozen=True, slots=True)
class Plan:
    """nodes, rows (K,) of the items; the merges in order; by row that plays, the item that holds its result.

    pure  those results that no merge has touched
    """

    nodes: Index
    rows: Index
    merges: tuple[Merge, ...]
    results: Index
    pure: Index


class Planner:
    """Plans for the entities of a tree. What plays changes more rarely than its weights, so the last is kept.

    taking_part (N,): leaves that have anything to contribute; the others, and what leads only to them, take no
    part.
    """

    def __init__(self, tree: Tree, taking_part: Bool) -> None:
        self.tree = tree
        self._leaves = np.array([n for n in tree.leaves_in_order if taking_part[n]], np.intp)
        self._shown: Bool = np.zeros((0, 0), np.bool_)
        self._plan = Plan(*(np.zeros(0, np.intp),) * 2, (), *(np.zeros(0, np.intp),) * 2)

    def plan(self, weight: Float64) -> Plan:
        """The plan for (N, E) weights."""
        shown = weight > 0.0
        for nodes, parents in self.tree.levels:
            shown[nodes] &= shown[parents]
        shown = shown[self._leaves]
        if shown.shape != self._shown.shape or not np.array_equal(shown, self._shown):
            self._shown = shown
            self._plan = self._make(shown)
        return self._plan

    def _make(self, shown: Bool) -> Plan:
        tree = self.tree
        parents, depths = np.array(tree.parents, np.intp), tree.depths
        rows, order = np.nonzero(shown.T)
        nodes = self._leaves[order]
        at, left = nodes.copy(), np.arange(len(nodes))
        touched = np.zeros(len(nodes), np.bool_)
        merges: list[Merge] = []
        for depth in range(int(depths[nodes].max(initial=0)), 0, -1):
            deep = np.flatnonzero(depths[at[left]] == depth)
            members = left[deep]
            key = rows[members] * len(tree) + parents[at[members]]
            first = np.concatenate([[True], key[1:] != key[:-1]])
            starts = np.flatnonzero(first)
            sizes = np.diff(np.append(starts, len(members)))
            several = sizes > 1
            if several.any():
                merge = _merge(members, starts[several], sizes[several], at, rows)
                merges.append(merge)
                touched[merge.items[:, 0]] = True
                left = np.delete(left, deep[~first])
            heads = members[first]
            at[heads] = parents[at[heads]]
        return Plan(nodes, rows, tuple(merges), left, left[~touched[left]])


def _merge(members: Index, starts: Index, sizes: Index, at: Index, rows: Index) -> Merge:
    ranks = np.arange(int(sizes.max()))
    there: Bool = ranks < sizes[:, None]
    items = members[np.where(there, starts[:, None] + ranks, starts[:, None])]
    return Merge(items, at[items], rows[items[:, :1]], there)
