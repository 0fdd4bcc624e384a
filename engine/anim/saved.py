"""The state of tree instances as plain data that can be written down, and instances made from it.

Node numbers are those of the tree, so the data fits one tree only; `tree_digest` tells trees apart.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.anim.errors import AnimationError
from engine.anim.infos import InfoBudget
from engine.anim.overrides import Quaternion
from engine.anim.parameters import SavedParameter
from engine.anim.sampler import Binding
from engine.anim.state import TreeInstances
from engine.anim.store import MAX_ROWS, NodeStore
from engine.anim.tree import Tree
from engine.anim.update import CYCLES

MAX_RATE = 1e6
MAX_CYCLE = CYCLES - 1


@dataclass(frozen=True, slots=True)
class SavedInstances:
    """`rows` rows that were ever used; `alive` (rows,) says which still are, `free` in which order the others are used
    again (the last first). `arrays` has (nodes, rows) by name of the store's array. `notify` is (row, node, name),
    `turns` (row, bone, quaternion), `parameters` (row, name, value, goal, seconds to it)."""

    rows: int
    alive: NDArray[np.bool_]
    free: tuple[int, ...]
    arrays: dict[str, NDArray[Any]]
    notify: tuple[tuple[int, int, str], ...]
    turns: tuple[tuple[int, int, Quaternion], ...]
    parameters: tuple[SavedParameter, ...] = ()


ARRAYS: tuple[tuple[str, np.dtype[Any]], ...] = tuple(
    (name, np.dtype(kind).newbyteorder("<")) for name, kind in NodeStore.TYPES
)
"""Names and little-endian types of the arrays, in the order of `NodeStore`."""


def tree_digest(tree: Tree) -> bytes:
    """Eight bytes of the names and the shape of a tree."""
    text = "\n".join(
        f"{name} {parent} {int(flag)}"
        for name, parent, flag in zip(tree.names, tree.parents, tree.flags, strict=True)
    )
    for node, mask in tree.masks.items():
        text += f"\nmask {node} {' '.join(mask)}"
    for node, blend in tree.blends.items():
        text += f"\nblend {node} {blend.parameter} {blend.children} {blend.places}"
    return hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest()


def save_instances(instances: TreeInstances) -> SavedInstances:
    """Between two steps."""
    store = instances.store
    rows = store.rows
    return SavedInstances(
        rows,
        store.alive[:rows].copy(),
        store.free_rows,
        {name: getattr(store, name)[:, :rows].astype(kind, order="C") for name, kind in ARRAYS},
        tuple((row, node, name) for (row, node), name in store.notify.items()),
        tuple((row, bone, turn) for (row, bone), turn in instances.overrides.turns.items()),
        instances.parameters.saved() if instances.parameters is not None else (),
    )


def load_instances(
    tree: Tree, binding: Binding, saved: SavedInstances, infos: InfoBudget | None = None
) -> TreeInstances:
    """New instances with this state. Raises AnimationError for values that no state can have."""
    _check(tree, len(binding.skeleton), saved)
    store = NodeStore(len(tree), max(16, saved.rows))
    store.rows = saved.rows
    store.alive[: saved.rows] = saved.alive
    store.free_rows = saved.free
    for name, _ in ARRAYS:
        getattr(store, name)[:, : saved.rows] = saved.arrays[name]
    store.notify = {(row, node): name for row, node, name in saved.notify}
    instances = TreeInstances(tree, binding, store, infos)
    instances.overrides.turns.update({(row, bone): turn for row, bone, turn in saved.turns})
    if instances.parameters is not None:
        instances.parameters.load(saved.parameters)
    elif saved.parameters:
        raise AnimationError("parameters of a tree that has none")
    return instances


def _check(tree: Tree, bones: int, saved: SavedInstances) -> None:
    rows, nodes, arrays = saved.rows, len(tree), saved.arrays
    shapes = all(arrays[name].shape == (nodes, rows) for name, _ in ARRAYS)
    if not (0 <= rows <= MAX_ROWS and saved.alive.shape == (rows,) and shapes):
        raise AnimationError("animation state of the wrong size")
    if sorted(saved.free) != np.flatnonzero(~saved.alive).tolist():
        raise AnimationError("animation rows that are neither used nor free")
    for name in ("weight", "goal", "remain", "rate", "speed"):
        _within(arrays[name], 0.0, MAX_RATE, name)
    for name in ("time", "mark_time"):
        _within(arrays[name], 0.0, 1.0, name)
    for name in ("cycle", "mark_cycle"):
        _within(arrays[name], 0, MAX_CYCLE, name)
    _within(arrays["source"], 0, nodes - 1, "source")
    for name in ("flagged", "fresh"):
        # NumPy takes any byte for a bool.
        _within(arrays[name].view(np.uint8), 0, 1, name)
    flagged = {(int(row), int(node)) for node, row in zip(*np.nonzero(arrays["flagged"]), strict=True)}
    if flagged != {(row, node) for row, node, _ in saved.notify}:
        raise AnimationError("animation notes without a name")
    for row, bone, turn in saved.turns:
        unit = math.isfinite(sum(turn)) and abs(sum(c * c for c in turn) - 1.0) < 1e-3
        if not (0 <= row < rows and 0 <= bone < bones and unit):
            raise AnimationError("an impossible turn of a bone")


def _within(array: NDArray[Any], low: float, high: float, name: str) -> None:
    # A value that is no number is not within either.
    if not bool(((array >= low) & (array <= high)).all()):
        raise AnimationError(f"animation state with an impossible {name}")
