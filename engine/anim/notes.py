"""Which notes fall into a stretch of time (animation facts, section 5.5)."""

from __future__ import annotations

import math
from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine.anim.store import NodeStore
from engine.anim.tree import Bool, Tree

EPSILON = 1e-9
"""How near to a note, as a fraction of the clip, counts as at the note. Below any frame, above rounding."""

MAX_PASSES = 64
"""Loops of one clip within one step whose notes are sent; only a rate in the thousands gets there."""


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


def passed_notes(
    tree: Tree, store: NodeStore, rows: slice, begin: float, end: float, *, standing: bool, version: int
) -> list[Passed]:
    """The notes between the mark and `end`, unsorted. `begin` and `end` are seconds into the frame.

    standing  whether the frame begins here: a clip that has already come to its end then sends `end` again
    """
    first = rows.start
    flagged = store.flagged[:, rows]
    if not flagged.any():
        return []
    nodes, cols = np.nonzero(flagged & audible(tree, store, rows))
    if not len(nodes):
        return []
    source = store.source[nodes, cols + first]
    start = store.mark_time[source, cols + first]
    speed = store.speed[source, cols + first]
    fresh = store.fresh[source, cols + first]
    looping = tree.looping[source]
    reach = start + speed * (end - begin)
    keys = tree.note_keys
    low = np.searchsorted(keys, 2.0 * source + start + np.where(fresh, -EPSILON, EPSILON), "right")
    high = np.searchsorted(keys, 2.0 * source + np.minimum(reach, 1.0) + EPSILON, "right")
    again = ~looping & (start >= 1.0) & standing & (end > begin)
    wrapping = looping & (reach > 1.0 - EPSILON)
    rows_of = cols + first
    plain = np.flatnonzero((high > low) & ~wrapping & ~again)
    found: list[Passed] = []
    if len(plain):
        count = (high - low)[plain]
        which = np.repeat(plain, count)
        order = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        number = low[which] + order
        wait = tree.note_fractions[number] - start[which]
        np.divide(wait, speed[which], out=wait, where=speed[which] > 0.0)
        moment = np.clip(begin + wait, begin, end)
        stop = np.where(moment + 0.001 <= end, moment, end)
        names = [tree.note_names[n] for n in number.tolist()]
        columns = (stop, rows_of[which], moment, nodes[which], order)
        found += map(Passed, *(column.tolist() for column in columns), names, repeat(version))
    hits = np.flatnonzero(wrapping | again)
    for hit in hits:
        leaf = int(source[hit])
        notes = tree.note_lists[leaf]
        at, rate, until = float(start[hit]), float(speed[hit]), float(reach[hit]) + EPSILON
        node, row = int(nodes[hit]), int(rows_of[hit])
        sent = at + (-EPSILON if fresh[hit] else EPSILON)
        skip = int(low[hit]) - tree.note_starts[leaf]
        if again[hit]:
            skip = len(notes) - 1
        passes = min(math.floor(until), MAX_PASSES) if looping[hit] else 0
        order = 0
        for loop in range(passes + 1):
            for note in notes[skip:] if loop == 0 else notes:
                if loop + note.fraction > until and not again[hit]:
                    break
                if loop > 0 and loop + note.fraction <= sent:
                    continue  # the clip stood a hair before its end, and this note went out with `end`
                wait = (loop + note.fraction - at) / rate if rate > 0.0 else 0.0
                moment = min(max(begin, begin + wait), end)
                stop = moment if moment + 0.001 <= end else end
                found.append(Passed(stop, row, moment, node, order, note.name, version))
                order += 1
    return found
