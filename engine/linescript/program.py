"""A parsed program: immutable, and shared by any number of contexts.

A function is a flat list of steps, and where a context stands is an index into it. Nothing else decides where
execution is: blocks that are open are named by the index of the step that opened them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.linescript.values import Value
from engine.source import SourceText

if TYPE_CHECKING:
    from engine.linescript.context import Frame

Closure: TypeAlias = "Callable[[Frame], Value]"
"""A compiled expression: called with the frame it is evaluated in."""


class Do(IntEnum):
    """What a micro-step of an expression does. Such an expression calls script functions, so it may be left in the
    middle; what it has computed so far lies on its frame's `operands`."""

    PUSH = auto()
    """(PUSH, closure): evaluate and push."""
    APPLY = auto()
    """(APPLY, function(frame, *operands), count): pop operands, push the result."""
    CALL = auto()
    """(CALL, call): pop the arguments and push a frame."""
    DECIDE = auto()
    """(DECIDE, value, target, place): pop; if its truth is `value`, push that and go on at `target`."""


Micro: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """A call of a function of the program. `refs` are (index of the parameter, variable of the caller)."""

    function: str
    count: int
    refs: tuple[tuple[int, str], ...]
    used: bool
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Code:
    """A compiled expression: one closure, or micro-steps where it calls functions of the program."""

    value: Closure | None
    micro: tuple[Micro, ...] | None


class Kind(IntEnum):
    """What a step does. Most frequent first: the loop that runs steps asks in this order."""

    EVAL = auto()
    WHILE = auto()
    IF = auto()
    JUMP = auto()
    NEXT = auto()
    FOR = auto()
    WAIT = auto()
    RETURN = auto()
    LOCAL = auto()
    WAITUNTIL = auto()
    YIELD = auto()
    BREAK = auto()
    CONTINUE = auto()
    TRY = auto()
    CATCH = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """One statement, or the hidden end of a block.

    line    where it stands, from 1
    place   offsets of the statement in the source
    value, micro  its expression; neither for a statement without one
    target  index of the step to go on at: past the block, back to its head, or to the catch
    keep    for break and continue: how many open blocks stay
    name    the variable of `for`, `local` and `catch`
    block   index of the step that opened the innermost block around it, or -1
    """

    kind: Kind
    line: int
    place: tuple[int, int]
    value: Closure | None = None
    micro: tuple[Micro, ...] | None = None
    target: int = -1
    keep: int = 0
    name: str = ""
    block: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """`refs` are the indices of the parameters passed by reference."""

    name: str
    params: tuple[str, ...]
    refs: frozenset[int]
    code: tuple[Step, ...]


def openers(function: Function, innermost: int) -> list[int]:
    """The steps that opened the blocks around one whose innermost block is given, outermost first."""
    found: list[int] = []
    while innermost >= 0:
        found.append(innermost)
        innermost = function.code[innermost].block
    return found[::-1]


MAIN = ""
"""Name of the function that the lines outside all functions make."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """`fingerprint` tells whether a saved state belongs to this text."""

    name: str
    source: SourceText
    functions: Mapping[str, Function]
    fingerprint: str

    @property
    def main(self) -> Function:
        return self.functions[MAIN]
