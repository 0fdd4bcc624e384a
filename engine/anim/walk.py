"""The order in which the matrices of a skeleton are made: every bone after its parent, and many at once.

One NumPy call does a run of bones: as many of one depth as have either one parent in common or parents that follow
one another in the same order. A body needs as many calls as its longest chain has bones, not as many as it has bones.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Run(NamedTuple):
    """Places of bones that follow one another, and those of their parents: as many, or one for all."""

    bones: slice
    parents: slice


class Walk(NamedTuple):
    """A way through the bones of a skeleton.

    order   (B,) bones by place: the `roots` first, then depth by depth
    places  (B,) place of each bone
    straight  every bone is at the place of its own number
    roots   how many bones have no parent
    runs    what to do after the roots
    """

    order: NDArray[np.intp]
    places: NDArray[np.intp]
    straight: bool
    roots: int
    runs: tuple[Run, ...]

    @classmethod
    def of(cls, parents: list[int]) -> Walk:
        """The way through bones whose parents come before them; -1 for a root."""
        order = [bone for bone, parent in enumerate(parents) if parent < 0]
        roots = len(order)
        turn = _turns(parents)
        place = {bone: at for at, bone in enumerate(order)}
        runs: list[Run] = []
        level = order
        while level:
            above = set(level)
            below = [bone for bone, parent in enumerate(parents) if parent in above]
            # All children of one parent together, or all first children, then all second ones.
            families = sorted(below, key=lambda bone: (place[parents[bone]], turn[bone]))
            births = sorted(below, key=lambda bone: (turn[bone], place[parents[bone]]))
            ways = [(_runs(way, parents, place, len(order)), way) for way in (families, births)]
            found, level = min(ways, key=lambda way: len(way[0]))
            runs += found
            place |= {bone: len(order) + at for at, bone in enumerate(level)}
            order += level
        places = [place[bone] for bone in range(len(parents))]
        return cls(
            np.array(order, np.intp), np.array(places, np.intp), order == sorted(order), roots, tuple(runs)
        )


def _turns(parents: list[int]) -> list[int]:
    """By bone how many of its parent's children come before it: those that carry the longest chains come first, so
    that the bones which have children stand together."""
    height = [0] * len(parents)
    for bone in range(len(parents) - 1, -1, -1):
        if parents[bone] >= 0:
            height[parents[bone]] = max(height[parents[bone]], height[bone] + 1)
    turn = [0] * len(parents)
    family = sorted(range(len(parents)), key=lambda bone: (parents[bone], -height[bone]))
    for _, children in groupby(family, key=lambda bone: parents[bone]):
        for number, bone in enumerate(children):
            turn[bone] = number
    return turn


def _runs(level: list[int], parents: list[int], place: dict[int, int], first: int) -> list[Run]:
    """Cut a level, whose bones get the places from `first` up, into runs."""
    above = [place[parents[bone]] for bone in level]
    runs: list[Run] = []
    start = 0
    while start < len(above):
        end = start + 1
        step = above[end] - above[start] if end < len(above) else 0
        while step in (0, 1) and end < len(above) and above[end] - above[end - 1] == step:
            end += 1
        parent = above[start]
        runs.append(Run(slice(first + start, first + end), slice(parent, above[end - 1] + 1)))
        start = end
    return runs
