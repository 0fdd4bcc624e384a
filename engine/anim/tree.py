"""An animation tree as the runtime uses it: numbered nodes with their clips. Immutable, shared by entities.

Node 0 is the invisible root of the file. The children of a node are numbered consecutively, in the reverse of
the file's order, and then the subtree of each (animation facts, section 2.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip, ClipNote
from engine.anim.entries import NodeFlag
from engine.anim.errors import AnimationError

MAX_NODES = 65_536
"""Nodes of one tree, the root included (animation facts, section 2.5)."""

END = ClipNote(1.0, "end")

Int32 = NDArray[np.int32]
Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Blend:
    """A group of the extended set whose children blend by a parameter instead of by commands.

    children, places  each child and where it stands on the parameter, ascending
    """

    parameter: str
    children: tuple[int, ...]
    places: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Tree:
    """`N` nodes. Every parent has a smaller number than its children.

    name      the tree's canonical name, for messages
    names     lower case; node 0 is `root`
    parents   -1 for node 0
    flags     properties; `SYNC_ROOT` marks the node that carries loopsync or nonloopsync, the nodes below it
              have only the bit that they inherit
    clips     the clip of a leaf, None for a parent

    Of the extended set only, by node:

    masks     bones that are with what hangs on them all that a node moves; `-bone` is taken out again
    blends    groups whose children blend by a parameter
    """

    name: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    flags: tuple[NodeFlag, ...]
    clips: tuple[Clip | None, ...]
    masks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    blends: Mapping[int, Blend] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        """The first node of each name. Names that scripts mention are unique."""
        found: dict[str, int] = {}
        for node, name in enumerate(self.names):
            found.setdefault(name, node)
        return found

    def node(self, name: str) -> int | None:
        return self.index.get(name.lower())

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        lists: list[list[int]] = [[] for _ in self.names]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                lists[parent].append(node)
        return tuple(tuple(found) for found in lists)

    def is_leaf(self, node: int) -> bool:
        return self.clips[node] is not None

    def clip(self, node: int) -> Clip:
        """The clip of a leaf; a parent is an AnimationError."""
        clip = self.clips[node]
        if clip is None:
            raise AnimationError(f"'{self.names[node]}' is not a primitive animation")
        return clip

    def ancestors(self, node: int) -> Iterator[int]:
        """The parent, its parent and so on; ends with node 0."""
        while (node := self.parents[node]) >= 0:
            yield node

    def rivals(self, node: int) -> Iterator[int]:
        """The siblings that a knob fades out. What is added is no rival of what it is added to."""
        if self.parents[node] >= 0:
            beside = self.children[self.parents[node]]
            added = self.is_additive(node)
            yield from (other for other in beside if other != node and self.is_additive(other) == added)

    def is_additive(self, node: int) -> bool:
        return bool(self.flags[node] & NodeFlag.ADDITIVE)

    @cached_property
    def added(self) -> tuple[bool, ...]:
        """Nodes that are additive or below one that is: their poses are differences."""
        found: list[bool] = []
        for node, parent in enumerate(self.parents):
            found.append(self.is_additive(node) or (parent >= 0 and found[parent]))
        return tuple(found)

    @cached_property
    def following(self) -> dict[int, int]:
        """Children of blends, whose weights follow a parameter, and their group."""
        return {child: group for group, blend in self.blends.items() for child in blend.children}

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, sorted."""
        return tuple(sorted({blend.parameter for blend in self.blends.values()}))

    @cached_property
    def subtrees(self) -> tuple[tuple[int, ...], ...]:
        """Each node and everything below it, parents before their children."""
        found: list[tuple[int, ...]] = [()] * len(self)
        for node in range(len(self) - 1, -1, -1):
            below = [n for child in self.children[node] for n in found[child]]
            found[node] = (node, *below)
        return tuple(found)

    @cached_property
    def sync_roots(self) -> tuple[int, ...]:
        """For each node the sync root at or above it, or -1."""
        found: list[int] = []
        for node, parent in enumerate(self.parents):
            if self.flags[node] & NodeFlag.SYNC_ROOT:
                found.append(node)
            else:
                found.append(found[parent] if parent >= 0 else -1)
        return tuple(found)

    def has_time(self, node: int) -> bool:
        """Whether a node has a time of its own: a leaf, or a node at or below a sync root."""
        return self.is_leaf(node) or self.sync_roots[node] >= 0

    def is_looping(self, node: int) -> bool:
        clip = self.clips[node]
        return clip.looping if clip is not None else bool(self.flags[node] & NodeFlag.LOOPSYNC)

    def notes(self, node: int) -> tuple[ClipNote, ...]:
        """The notes of a leaf, sorted, `end` at 1.0 last; a parent has `end` only (sections 4 and 5.5)."""
        clip = self.clips[node]
        if clip is None:
            return (END,)
        inner = [note for note in clip.notes if not (note.name == END.name and note.fraction >= 1.0)]
        return (*sorted(inner, key=lambda note: note.fraction), END)

    def path(self, node: int) -> tuple[str, ...]:
        """Names from below the root down to the node; what keeps its place when a tree is read again."""
        return tuple(self.names[n] for n in reversed((node, *self.ancestors(node))))[1:]

    # -- the same as arrays, for work on all entities at once --

    @cached_property
    def levels(self) -> tuple[tuple[Int32, Int32], ...]:
        """By depth from 1 down: the nodes and their parents."""
        by_depth: list[list[int]] = []
        depth = [0] * len(self)
        for node in range(1, len(self)):
            depth[node] = depth[self.parents[node]] + 1
            if depth[node] > len(by_depth):
                by_depth.append([])
            by_depth[depth[node] - 1].append(node)
        parents = np.array(self.parents, np.int32)
        return tuple((np.array(nodes, np.int32), parents[nodes]) for nodes in by_depth)

    @cached_property
    def leaves(self) -> Int32:
        return np.array([n for n in range(len(self)) if self.is_leaf(n)], np.int32)

    @cached_property
    def depths(self) -> Int32:
        """(N,) how far below the root each node is."""
        return np.array([sum(1 for _ in self.ancestors(n)) for n in range(len(self))], np.int32)

    @cached_property
    def leaves_in_order(self) -> Int32:
        """The leaves such that those below any node stand together."""
        return np.array([n for n in self.subtrees[0] if self.is_leaf(n)], np.int32)

    @cached_property
    def free_leaves(self) -> Int32:
        """Leaves that belong to no sync group: each has its own speed."""
        return np.array([n for n in self.leaves if self.sync_roots[n] < 0], np.int32)

    @cached_property
    def frequencies(self) -> Float64:
        """(N,) passes a second of the leaves, 0 for parents."""
        return np.array([clip.frequency if clip is not None else 0.0 for clip in self.clips])

    @cached_property
    def looping(self) -> Bool:
        return np.array([self.is_looping(node) for node in range(len(self))])

    @cached_property
    def sync_groups(self) -> tuple[tuple[int, tuple[int, ...], Int32], ...]:
        """For each sync root: the node, the parents of its group from the deepest up, and the whole group."""
        groups = []
        for root in range(len(self)):
            if self.flags[root] & NodeFlag.SYNC_ROOT:
                nodes = self.subtrees[root]
                inner = sorted((n for n in nodes if not self.is_leaf(n)), reverse=True)
                groups.append((root, tuple(inner), np.array(nodes, np.int32)))
        return tuple(groups)

    @cached_property
    def note_keys(self) -> Float64:
        """All notes of all nodes as one sorted list: node * 2 + fraction. See `note_starts`."""
        return np.array(
            [node * 2.0 + note.fraction for node in range(len(self)) for note in self.notes(node)]
        )

    @cached_property
    def note_starts(self) -> tuple[int, ...]:
        """Where in `note_keys` each node's notes begin."""
        starts, at = [], 0
        for node in range(len(self)):
            starts.append(at)
            at += len(self.notes(node))
        return tuple(starts)

    @cached_property
    def note_fractions(self) -> Float64:
        """As `note_keys`, the fractions alone; and `note_names`."""
        return np.array([note.fraction for notes in self.note_lists for note in notes])

    @cached_property
    def note_names(self) -> tuple[str, ...]:
        return tuple(note.name for notes in self.note_lists for note in notes)

    @cached_property
    def note_lists(self) -> tuple[tuple[ClipNote, ...], ...]:
        return tuple(self.notes(node) for node in range(len(self)))
