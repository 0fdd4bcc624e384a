"""Which notes fall into a stretch of time (animation facts, section 5.5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.anim.store import NodeStore
from engine.anim.tree import Bool, Float64, Tree

EPSILON = 1e-9
"""How near to a note, as a fraction of the clip, counts as at the note. Below any frame, above rounding."""

STOP = 0.001
"""Seconds before the end of the frame from which on the update no longer stops for a note."""

MAX_PASSES = 64
"""Loops of one clip within one step whose notes are sent; only a rate in the thousands gets there."""


Index = NDArray[np.intp]


class Passed(NamedTuple):
    """A note that is passed `moment` seconds into the frame. Sorts in the order in which notes are sent."""

    stop: float
    """When the update stops for it: its moment, or the end of the frame when that is less than 1 ms away."""
    row: int
    moment: float
    node: int
    order: int
    name: str
    version: int


def audible(tree: Tree, store: NodeStore, rows: slice) -> Bool:
    """(N, rows): nodes that send notes, i.e. with a weight and a goal all the way up. What fades is silent."""
    heard: Bool = (store.weight[:, rows] > 0.0) & (store.goal[:, rows] > 0.0)
    for nodes, parents in tree.levels:
        heard[nodes] &= heard[parents]
    return heard


def is_audible(tree: Tree, store: NodeStore, row: int, node: int) -> bool:
    """The same for one flagged node."""
    return bool(store.flagged[node, row]) and all(
        store.weight[n, row] > 0.0 and store.goal[n, row] > 0.0 for n in (node, *tree.ancestors(node))
    )


class _Playing(NamedTuple):
    """Flagged nodes that may pass a note, as (P,) arrays.

    node, row  who; `source` is the leaf whose notes are sent
    start, speed, reach  place at the mark, passes a second, place at the end without wrapping
    low, high  which of the tree's notes lie between, as far as the end of the clip
    """

    node: Index
    row: Index
    source: NDArray[np.int32]
    start: Float64
    speed: Float64
    reach: Float64
    fresh: Bool
    low: Index
    high: Index

    def only(self, which: Index) -> _Playing:
        node, row, source, start, speed, reach, fresh, low, high = self
        return _Playing(
            node[which], row[which], source[which],
            start[which], speed[which], reach[which],
            fresh[which], low[which], high[which],
        )  # fmt: skip


def passed_notes(
    tree: Tree, store: NodeStore, rows: slice, begin: float, end: float, *, standing: bool, version: int
) -> list[Passed]:
    """The notes between the mark and `end`, unsorted. `begin` and `end` are seconds into the frame.

    standing  whether the frame begins here: a clip that has already come to its end then sends `end` again
    """
    flagged = store.flagged[:, rows]
    if not flagged.any():
        return []
    nodes, cols = np.nonzero(flagged & audible(tree, store, rows))
    if not len(nodes):
        return []
    cols += rows.start
    source = store.source[nodes, cols]
    start, speed = store.mark_time[source, cols], store.speed[source, cols]
    fresh, looping = store.fresh[source, cols], tree.looping[source]
    reach = start + speed * (end - begin)
    keys = tree.note_keys
    low = np.searchsorted(keys, 2.0 * source + start + np.where(fresh, -EPSILON, EPSILON), "right")
    high = np.searchsorted(keys, 2.0 * source + np.minimum(reach, 1.0) + EPSILON, "right")
    playing = _Playing(nodes, cols, source, start, speed, reach, fresh, low, high)
    again = ~looping & (start >= 1.0) & standing & (end > begin)
    wrapping = looping & (reach > 1.0 - EPSILON)
    plain = np.flatnonzero((high > low) & ~wrapping & ~again)
    found: list[Passed] = []
    if len(plain):
        found += _within_a_pass(tree, playing.only(plain), begin, end, version)
    for hit in np.flatnonzero(wrapping | again):
        if again[hit]:
            leaf = int(source[hit])
            order, name = len(tree.note_lists[leaf]) - 1, tree.note_lists[leaf][-1].name
            stop = begin if begin + STOP <= end else end
            found.append(Passed(stop, int(cols[hit]), begin, int(nodes[hit]), order, name, version))
        else:
            found += _over_passes(tree, playing.only(np.array([hit])), begin, end, version)
    return found


def _within_a_pass(tree: Tree, playing: _Playing, begin: float, end: float, version: int) -> Iterator[Passed]:
    """The notes of those that do not come to the end of a loop, as most do in most frames."""
    count = playing.high - playing.low
    order = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    those = playing.only(np.repeat(np.arange(len(count)), count))
    number = those.low + order
    wait = tree.note_fractions[number] - those.start
    np.divide(wait, those.speed, out=wait, where=those.speed > 0.0)
    moment = np.clip(begin + wait, begin, end)
    stop = np.where(moment + STOP <= end, moment, end)
    columns = (stop, those.row, moment, those.node, order)
    names = (tree.note_names[n] for n in number.tolist())
    return map(Passed, *(column.tolist() for column in columns), names, repeat(version))


def _over_passes(tree: Tree, one: _Playing, begin: float, end: float, version: int) -> Iterator[Passed]:
    """The notes of one looping leaf, from one pass into the next or over many."""
    leaf = int(one.source[0])
    notes = tree.note_lists[leaf]
    at, speed, until = float(one.start[0]), float(one.speed[0]), float(one.reach[0]) + EPSILON
    sent = at + (-EPSILON if one.fresh[0] else EPSILON)
    skip = int(one.low[0]) - tree.note_starts[leaf]
    order = 0
    for loop in range(min(math.floor(until), MAX_PASSES) + 1):
        for note in notes[skip:] if loop == 0 else notes:
            if loop + note.fraction > until:
                break
            if loop > 0 and loop + note.fraction <= sent:
                continue  # the clip stood a hair before its end, and this note went out with `end`
            wait = (loop + note.fraction - at) / speed if speed > 0.0 else 0.0
            moment = min(max(begin, begin + wait), end)
            stop = moment if moment + STOP <= end else end
            yield Passed(stop, int(one.row[0]), moment, int(one.node[0]), order, note.name, version)
            order += 1
