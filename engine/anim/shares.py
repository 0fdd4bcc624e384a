"""How much each leaf counts in the blend of an entity (animation facts, section 5.6)."""

from __future__ import annotations

import numpy as np

from engine.anim.tree import Bool, Float64, Tree


def shares(tree: Tree, weight: Float64, covers: Bool) -> Float64:
    """(N, E) weights to the (N, E) part of the whole that each node contributes.

    Only siblings compare with each other, and a parent's only active child counts as a whole, whatever its
    weight. covers (N,) says which leaves have anything to contribute; the others and what leads only to them
    take no part. A column sums to 1 over the leaves, or to 0 where nothing plays.
    """
    part = np.zeros_like(weight)
    part[covers] = weight[covers]
    blends = []
    for parent in range(len(tree) - 1, -1, -1):
        children = tree.children[parent]
        if not children:
            continue
        below = slice(children[0], children[0] + len(children))
        total = part[below].sum(axis=0)
        blends.append((parent, below, total))
        np.multiply(weight[parent], total > 0.0, out=part[parent])
    part[0] = part[0] > 0.0
    for parent, below, total in reversed(blends):
        part[below] *= np.divide(part[parent], total, out=np.zeros_like(total), where=total > 0.0)
    return part
