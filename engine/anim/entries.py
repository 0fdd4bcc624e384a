"""What an animation tree file says: entries with their properties and places, before anything is left out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from engine.source import Span

MAX_DEPTH = 64
"""Deepest nesting of blocks. The stock files go six deep; the limit keeps every walk of a tree shallow."""


class NodeFlag(IntFlag):
    """Properties of a parent (animation facts, section 1.3). The loader sets `SYNC_ROOT`; no file names it."""

    LOOPSYNC = 1
    NONLOOPSYNC = 2
    SYNC_ROOT = 4
    COMPLETE = 8


NO_FLAGS = NodeFlag(0)
SYNC = NodeFlag.LOOPSYNC | NodeFlag.NONLOOPSYNC

PROPERTIES = {
    "loopsync": NodeFlag.LOOPSYNC,
    "nonloopsync": NodeFlag.NONLOOPSYNC,
    "complete": NodeFlag.COMPLETE,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a file, in lower case. `children` is in file order, and None for a leaf."""

    name: str
    span: Span
    flags: NodeFlag = NO_FLAGS
    children: tuple[Entry, ...] | None = None
