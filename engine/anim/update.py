"""The passing of time, for all entities at once: weights, speeds and places in the clips (animation facts, 5.4).

Every function works in place on some rows, so that one entity that a script has touched in the middle of a
frame goes through the very same rules as all of them at its start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.anim.goals import SMALL
from engine.anim.store import NodeStore
from engine.anim.tree import Float64, Tree

TINY = 1e-6
"""A weight that has come below this on its way counts as just started."""

CHUNK = 256
"""Rows whose speeds are worked out at a time, so that what lies between stays in the processor's cache."""

MAX_SPEED = 1e6
"""Passes a second beyond which nothing goes faster, whatever the rates; it keeps counters within their range."""


Rows = slice | NDArray[np.intp]


CYCLES = 1 << 30
"""Loops are counted up to this and then from 0 again; only their differences within a frame matter."""


def update_weights(tree: Tree, store: NodeStore, dt: float) -> None:
    """Move every weight towards its goal by `dt` seconds; what has faded out altogether starts over at time 0."""
    rows = np.flatnonzero(store.fading[: store.rows])
    if not len(rows):
        return
    store.fading[rows] = False
    nodes, cols = np.nonzero(store.weight[:, rows] != store.goal[:, rows])
    if not len(nodes):
        return
    cols = rows[cols]
    store.fading[cols] = store.stale[cols] = True
    now, target, remain = store.weight[nodes, cols], store.goal[nodes, cols], store.remain[nodes, cols]
    done = remain < dt + SMALL
    moved = now + (target - now) * (dt / np.where(done, 1.0, remain))
    moved = np.where(moved < TINY, target * SMALL, moved)
    moved = np.where(done, target, moved)
    store.weight[nodes, cols] = moved
    store.remain[nodes, cols] = np.where(done, 0.0, remain - dt)
    faded = moved == 0.0
    if faded.any():
        _free(tree, store, nodes[faded], cols[faded])


def _free(tree: Tree, store: NodeStore, nodes: NDArray[np.intp], rows: NDArray[np.intp]) -> None:
    """Forget the time of subtrees in which nothing has a weight or a goal any more."""
    for node in np.unique(nodes):
        at = rows[nodes == node]
        below = np.array(tree.subtrees[node])[:, None]
        idle = ~((store.weight[below, at] != 0.0) | (store.goal[below, at] != 0.0)).any(axis=0)
        at = at[idle]
        # The members of a sync group share one time, and the group may still be playing without this one.
        own = below if tree.sync_roots[node] in (-1, node) else below[:0]
        store.time[own, at] = 0.0
        store.cycle[own, at] = 0


def mark(store: NodeStore, rows: slice) -> None:
    """Begin a stretch of time at the present place."""
    store.mark_time[:, rows] = store.time[:, rows]
    store.mark_cycle[:, rows] = store.cycle[:, rows]


def update_speeds(tree: Tree, store: NodeStore, rows: Rows) -> None:
    """Work out how fast each node runs with the present weights and rates.

    A leaf runs at its frequency times its rate and the rates above it. A sync group runs as one: the weighted
    mean of what its active members would do alone, so that a long and a short stride stay in step.
    """
    store.stale[rows] = False
    weight, rate = store.weight[:, rows], store.rate[:, rows]
    # The product of the rates from the top down; 0 below anything that has no weight.
    scale = rate * (weight != 0.0)
    for nodes, parents in tree.levels:
        scale[nodes] = np.minimum(scale[nodes] * scale[parents], MAX_SPEED)
    frequencies = tree.frequencies[:, None]
    free = tree.free_leaves
    if len(free) == len(tree.leaves):
        speed = scale * frequencies
    else:
        speed = np.zeros(scale.shape)
        speed[free] = scale[free] * frequencies[free]
    for root, parents_up, members in tree.sync_groups:
        alone = np.zeros((len(tree), scale.shape[1]))
        alone[members] = frequencies[members]
        reach = weight.copy()
        for parent in parents_up:
            first = tree.children[parent][0]
            children = slice(first, first + len(tree.children[parent]))
            shares = reach[children]
            total = shares.sum(axis=0)
            playing = total > 0.0
            summed = (shares * rate[children] * alone[children]).sum(axis=0)
            np.divide(summed, total, out=alone[parent], where=playing)
            reach[parent] *= playing
        speed[members] = alone[root] * scale[root]
    store.speed[:, rows] = np.minimum(speed, MAX_SPEED, out=speed)


def update_stale_speeds(tree: Tree, store: NodeStore) -> None:
    """The same for all rows that need it."""
    rows = np.flatnonzero(store.stale[: store.rows])
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        first, last = int(part[0]), int(part[-1])
        gapless = last - first == len(part) - 1
        update_speeds(tree, store, slice(first, last + 1) if gapless else part)


def advance(tree: Tree, store: NodeStore, row: int, seconds: float) -> None:
    """Put every node of a row where it is `seconds` after the mark."""
    at = store.speed[:, row] * seconds + store.mark_time[:, row]
    loops = np.floor(at) * tree.looping
    store.time[:, row] = np.minimum(at - loops, 1.0)
    store.cycle[:, row] = (store.mark_cycle[:, row] + loops.astype(np.int32)) & (CYCLES - 1)


def advance_all(tree: Tree, store: NodeStore, seconds: Float64) -> None:
    """The same for all rows; `seconds` has one number for each."""
    width = store.capacity
    moving = np.flatnonzero(store.speed.reshape(-1) > 0.0)
    nodes = moving // width
    at = store.speed.reshape(-1)[moving]
    at *= seconds[moving - nodes * width]
    at += store.mark_time.reshape(-1)[moving]
    loops = np.floor(at)
    loops *= tree.looping[nodes]
    at -= loops
    store.time.reshape(-1)[moving] = np.minimum(at, 1.0, out=at)
    cycle = store.mark_cycle.reshape(-1)[moving] + loops.astype(np.int32)
    store.cycle.reshape(-1)[moving] = np.bitwise_and(cycle, CYCLES - 1, out=cycle)
