"""Why a node plays: the command that set it, for panels and editors. Nothing in a game depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Cause:
    """`place` is what the caller of a command knows its own place by, such as a line of a script; None is nothing.

    command  its name, as scripts write it
    time     level time in ms
    """

    command: str
    time: int
    place: Any = None
