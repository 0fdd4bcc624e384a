"""What an animation tree file says: entries with their properties and places, before anything is left out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from engine.source import Span

MAX_DEPTH = 64
"""Deepest nesting of blocks. The stock files go six deep; the limit keeps every walk of a tree shallow."""


class NodeFlag(IntFlag):
    """Properties of a parent (animation facts, section 1.3). The loader sets `SYNC_ROOT`; no file names it. `ADDITIVE`
    is of the extended set, and a leaf may have it too."""

    LOOPSYNC = 1
    NONLOOPSYNC = 2
    SYNC_ROOT = 4
    COMPLETE = 8
    ADDITIVE = 16


NO_FLAGS = NodeFlag(0)
SYNC = NodeFlag.LOOPSYNC | NodeFlag.NONLOOPSYNC

PROPERTIES = {
    "loopsync": NodeFlag.LOOPSYNC,
    "nonloopsync": NodeFlag.NONLOOPSYNC,
    "complete": NodeFlag.COMPLETE,
}


VOID, VOID_LOOP = "void", "void_loop"
"""Leaves that the loader puts into a block of which no animation is used (animation facts, section 2.2)."""

EXTENDED = "#extended"
"""The first line of a tree that asks for what the original game does not have."""

EXTENDED_PROPERTIES = {"additive": NodeFlag.ADDITIVE}
VALUED_PROPERTIES = ("mask", "blend", "at")
"""Properties of the extended set that are written with a value, as `blend=speed`."""


@dataclass(frozen=True, slots=True)
class Extras:
    """Properties of the extended set.

    mask   bones; with what hangs on them they are all that the node moves. `-bone` takes one out again
    blend  the parameter by which the children of the node blend
    at     where on that parameter this child stands
    """

    mask: tuple[str, ...] = ()
    blend: str | None = None
    at: float | None = None


NO_EXTRAS = Extras()


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a file, in lower case. `children` is in file order, and None for a leaf."""

    name: str
    span: Span
    flags: NodeFlag = NO_FLAGS
    children: tuple[Entry, ...] | None = None
    extras: Extras = NO_EXTRAS
