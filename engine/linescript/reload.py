"""Carrying a context over into a changed text of its program.

Lines are matched by a diff. A counter on a line that is still there stays on it; one on a changed line goes to the
line that took its place, one on a removed line to the next that is left. Variables stay. What cannot be carried
over begins its line, or its loop, again:

* an expression that is left in the middle of a changed line is evaluated anew, and the functions it had called end;
* a line that has come into a `for` that did not run begins that `for`;
* a call of a function that is gone ends, and its caller's line is run again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import Enum

from engine.linescript.context import Context, Frame
from engine.linescript.program import Do, Function, Kind, Program, Step, openers


class Fate(Enum):
    """What became of a context: nothing near its counters changed; it goes on, somewhere; it ran a line again."""

    UNTOUCHED = "untouched"
    MOVED = "moved"
    RESTARTED = "restarted"


@dataclass(frozen=True, slots=True)
class LineMap:
    """Old lines to new ones, from 1. `same` holds those whose text is as before."""

    same: Mapping[int, int]
    near: Mapping[int, int] = field(default_factory=dict)


def map_lines(old: Program, new: Program) -> LineMap:
    """The diff of two texts. Blanks around a line do not count."""
    before = [line.strip() for line in old.source.text.split("\n")]
    after = [line.strip() for line in new.source.text.split("\n")]
    same: dict[int, int] = {}
    near: dict[int, int] = {}
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for offset in range(b - a):
            line = a + offset + 1
            if tag == "equal":
                same[line] = c + offset + 1
            # A replaced line has its counterpart at the same offset; without one, what follows takes its place.
            near[line] = c + min(offset, max(0, d - c)) + 1
    return LineMap(same, near)


def carry_over(context: Context, new: Program, lines: LineMap) -> Fate:
    """Let a context go on in a new program, between two ticks."""
    context.program = new
    if context.done:
        return Fate.UNTOUCHED
    fate = Fate.UNTOUCHED
    for index, frame in enumerate(context.frames):
        function = new.functions.get(frame.function.name)
        if (
            function is None
            or function.params != frame.function.params
            or function.refs != frame.function.refs
        ):
            # Main is always there, so this call has a caller.
            _again(context, index - 1)
            return Fate.RESTARTED
        moved = _move(frame, function, lines)
        if moved is Fate.RESTARTED:
            _again(context, index)
            return moved
        if moved is Fate.MOVED:
            fate = moved
    return fate


def _again(context: Context, index: int) -> None:
    """Run the statement of a frame from its beginning; what it had called ends."""
    frame = context.frames[index]
    del context.frames[index + 1 :]
    frame.operands.clear()
    frame.at = 0
    context.due = 0


def _move(frame: Frame, function: Function, lines: LineMap) -> Fate:
    old = frame.function.code[frame.pc]
    exact = lines.same.get(old.line)
    pc = _find(function, exact if exact is not None else lines.near[old.line], old.kind, exact is not None)
    cursors = {
        frame.function.code[int(b[0])].line: b for b in frame.blocks if len(b) == 3
    }  # fmt: skip
    known = {lines.same.get(line, lines.near[line]): cursor for line, cursor in cursors.items()}
    blocks: list[list[float]] = []
    opener = function.code[pc].block
    fate = Fate.UNTOUCHED if exact is not None else Fate.MOVED
    for head in openers(function, opener):
        step = function.code[head]
        if step.kind is not Kind.FOR:
            blocks.append([head])
            continue
        cursor = known.get(step.line)
        if cursor is None:
            pc, fate = head, Fate.RESTARTED
            break
        blocks.append([head, cursor[1], cursor[2]])
    if function.code[pc].kind is Kind.WHILE and frame.blocks and _stands_in(frame):
        blocks.append([pc])
    new = function.code[pc]
    if exact is None:
        if frame.at or new.kind is not old.kind:
            fate = Fate.RESTARTED
    elif frame.at and _shape(old) != _shape(new):
        fate = Fate.RESTARTED
    frame.function, frame.pc, frame.blocks = function, pc, blocks
    return fate


def _shape(step: Step) -> list[Do]:
    """What the micro-steps of an expression do: the same text means another thing when a function it calls changed."""
    return [micro[0] for micro in step.micro or ()]


def _stands_in(frame: Frame) -> bool:
    """Whether the counter stands at the head of the loop that is its innermost block."""
    return frame.blocks[-1][0] == frame.pc


def _find(function: Function, line: int, kind: Kind, exact: bool) -> int:
    """The step of a line, or the first behind it. A line that has several is told apart by the kind."""
    for index, step in enumerate(function.code):
        if step.line == line and (step.kind is kind or not exact):
            return index
        if step.line > line:
            return index
    return len(function.code) - 1


def merge(fates: list[Fate]) -> dict[str, int]:
    """How many contexts met which fate."""
    return {fate.value: fates.count(fate) for fate in Fate}


__all__ = ["Fate", "LineMap", "carry_over", "map_lines", "merge"]
