"""Where an error happened: from Python frames to script positions and the script call stack.

Frames of emitted code are recognised by their code objects. A stack goes on past the running frames with the suspended
ones of the same thread, and past those to where the thread was started.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Literal

from engine.gsc.code import Positions
from engine.gsc.mangle import COMPONENTS, components, unlocal
from engine.source import Span, StackEntry
from engine.vm.operators import float_text, type_name
from engine.vm.threads import Origin, Thread

if TYPE_CHECKING:
    from engine.source import SourceText
    from engine.vm.values import Function, Value

MAX_ENTRIES = 40
"""Longest call stack shown."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a code object of emitted code belongs to."""

    function: Function
    source: SourceText
    code: CodeType
    positions: Positions


@dataclass(frozen=True, slots=True)
class Place:
    """Where script code stood at some moment. It stays right when the script is reloaded: it names the text of then."""

    compiled: Compiled
    instruction: int

    @property
    def function(self) -> str:
        """As `script::name`."""
        return str(self.compiled.function)

    @property
    def span(self) -> Span | None:
        return self.compiled.positions.span(self.instruction)


class CodeMap:
    """All emitted code by code object."""

    def __init__(self) -> None:
        # By identity: hashing a code object means hashing all its constants.
        self.known: dict[int, Compiled] = {}
        self._origin: Origin | None = None
        self._origin_parent: Origin | None = None

    def add(self, code: CodeType, function: Function, source: SourceText) -> None:
        self.known[id(code)] = Compiled(function, source, code, Positions(code, source))

    def span(self, code: CodeType, instruction: int) -> Span | None:
        compiled = self.known.get(id(code))
        return compiled.positions.span(instruction) if compiled is not None else None

    # ---- running frames --------------------------------------------------------------------------------

    def raised(self, traceback: TracebackType | None) -> list[tuple[FrameType, int]]:
        """The script frames between the handler and the fault, innermost first, with their instructions."""
        found: list[tuple[FrameType, int]] = []
        while traceback is not None:
            if id(traceback.tb_frame.f_code) in self.known:
                found.append((traceback.tb_frame, traceback.tb_lasti))
            traceback = traceback.tb_next
        return found[::-1]

    def running(self, boundary: frozenset[CodeType], skip: int = 1) -> list[tuple[FrameType, int]]:
        """The script frames of the current thread, innermost first; a frame with a `boundary` code started the
        thread."""
        found: list[tuple[FrameType, int]] = []
        frame: FrameType | None = sys._getframe(skip)
        while frame is not None and frame.f_code not in boundary:
            if id(frame.f_code) in self.known:
                found.append((frame, frame.f_lasti))
            frame = frame.f_back
        return found

    def depth(self) -> int:
        """How many calls of script code are on the Python stack."""
        count = 0
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if id(frame.f_code) in self.known:
                count += 1
            frame = frame.f_back
        return count

    def here(self, skip: int) -> Place | None:
        """Where the innermost script code stands."""
        frame: FrameType | None = sys._getframe(skip)
        while frame is not None:
            compiled = self.known.get(id(frame.f_code))
            if compiled is not None:
                return Place(compiled, frame.f_lasti)
            frame = frame.f_back
        return None

    def origin(self, skip: int, parent: Thread | None) -> Origin | None:
        """Where the innermost script code stands, as the origin of a thread that it starts."""
        frame: FrameType | None = sys._getframe(skip)
        last, above = self._origin, parent.origin if parent is not None else None
        while frame is not None:
            code = frame.f_code
            if (
                last is not None
                and last.code is code
                and last.instruction == frame.f_lasti
                and self._origin_parent is above
            ):
                # The threads that one statement starts in a row share it.
                return last
            if id(code) in self.known:
                self._origin = last = Origin(code, frame.f_lasti, above)
                self._origin_parent = above
                return last
            frame = frame.f_back
        return None

    # ---- stacks ----------------------------------------------------------------------------------------

    def stack(self, frames: list[tuple[FrameType, int]], thread: Thread | None) -> list[StackEntry]:
        """The script call stack, innermost first: running `frames`, suspended callers, and where the thread came
        from."""
        entries: list[StackEntry] = []

        def add(
            function: Function, span: Span | None, relation: Literal["called from", "started by"]
        ) -> None:
            entries.append(StackEntry(str(function), span, relation if entries else "in"))

        for frame, instruction in frames:
            add(self.known[id(frame.f_code)].function, self.span(frame.f_code, instruction), "called from")
        if thread is not None:
            # A resumed frame stays in the list while it runs, and is among the running ones then.
            callers = thread.frames[:-1] if frames else thread.frames
            for suspended in reversed(callers):
                add(suspended.function, self.site(suspended.function, suspended.site), "called from")
            for origin in _chain(thread.origin):
                add(
                    self.known[id(origin.code)].function,
                    self.span(origin.code, origin.instruction),
                    "started by",
                )
        return entries[:MAX_ENTRIES]

    def site(self, function: Function, site: int) -> Span | None:
        """The place of a suspension site of a function."""
        unit = function.unit
        if unit is None or not site:
            return None
        start, end = unit.sites[site - 1]
        return Span(self.known[id(unit.code)].source, start, end)


def _chain(origin: Origin | None) -> Iterator[Origin]:
    while origin is not None:
        yield origin
        origin = origin.parent


# ---- values for people -----------------------------------------------------------------------------------


def show(value: Value, limit: int = 60) -> str:
    """A value as an overlay or a note shows it, on one line."""
    if value is None:
        return "undefined"
    kind = value.__class__
    if kind is str:
        text = f'"{value}"'
    elif kind is int:
        text = str(value)
    elif kind is float:
        text = float_text(value)
        text = text if any(c in text for c in ".eni") else text + ".0"
    elif kind is tuple:
        text = "(" + ", ".join(float_text(c) for c in value) + ")"
    elif type_name(value) == "array":
        text = f"array of {len(value)}"
    elif type_name(value) in ("function", "animation", "localized string"):
        text = repr(value)
    else:
        text = type_name(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def variables(frame: FrameType) -> dict[str, Value]:
    """The script locals of a running frame of emitted code."""
    found: dict[str, Value] = {}
    held = frame.f_locals
    for python, value in held.items():
        name = unlocal(python)
        if name is not None:
            found[name] = value
        elif python.startswith(COMPONENTS[0]):
            # A vector in three parts.
            parts = tuple(held.get(part) for part in components(python[len(COMPONENTS[0]) :]))
            found[python[len(COMPONENTS[0]) :]] = None if None in parts else parts
    return found
