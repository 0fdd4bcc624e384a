"""What becomes of errors: reported with place, stack and values, once where they come again and again."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from engine.source import Diagnostic, Note, Span
from engine.source.paths import shown_path
from engine.vm.budget import KNOWN_ERROR, NEW_ERROR
from engine.vm.errors import Halted, Policy, ScriptError, Surplus
from engine.vm.objects import touched_dead
from engine.vm.operators import type_name
from engine.vm.trace import show, variables
from engine.vm.wrappers import misgiven_directly, refusing

if TYPE_CHECKING:
    from types import FrameType

    from engine.vm.machine import VM
    from engine.vm.threads import Thread

log = logging.getLogger("notetrack.vm")

MAX_REPORTED = 1000
"""Errors that are kept, so that the same one again costs little."""

MAX_CALLS = 3
"""Calls of Python that a report of an internal error shows."""

MAX_SHOWN = 12
"""Variables that a report of a runaway loop shows."""


class Ended(Exception):
    """Ends the running thread without a report."""


def unforeseen(error: Exception) -> ScriptError:
    """A fault of Python code as an error of the script that met it, with the places in that code. Whose it is follows
    from where it was raised: a program that embeds the VM has built-ins of its own."""
    log.debug("internal error", exc_info=error)
    frames: list[traceback.FrameSummary] = []
    module = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if not code.co_filename.endswith(".py"):
            # A script, or what stands between one and a built-in.
            frames.clear()
            continue
        frames.append(traceback.FrameSummary(code.co_filename, line, code.co_name, lookup_line=False))
        module = frame.f_globals.get("__name__", "")
    whose = "the engine" if not frames or module.partition(".")[0] == "engine" else "a built-in of the host"
    words = chain(["raised"], repeat("called"))
    notes = [
        f"{word} in {frame.name}, {shown_path(Path(frame.filename))}:{frame.lineno}"
        for word, frame in zip(words, reversed(frames[-MAX_CALLS:]), strict=False)
    ]
    return ScriptError(
        f"internal error of {whose}: {type(error).__name__}: {error}", code="internal", notes=tuple(notes)
    )


class Faults:
    """Tells a VM's errors. A frame of Python whose code is in `boundary` runs a thread: script frames below it belong
    to another one."""

    def __init__(self, vm: VM, boundary: frozenset[CodeType]) -> None:
        self._vm = vm
        self._boundary = boundary
        self._reported: dict[tuple[int, int, str], Diagnostic] = {}

    def tell(self, error: BaseException, thread: Thread) -> None:
        """Report what ended a thread. Raises `Halted` where that halts the program, and what is no error."""
        if isinstance(error, Ended):
            return
        if isinstance(error, Halted) or not isinstance(error, Exception):
            raise error
        frames = self._vm.linker.codes.raised(error.__traceback__)
        if touched_dead(error):
            # Code reads and writes fields of its self without a look at that.
            error = ScriptError(f"{type_name(error.obj)} is not an object")  # type: ignore[attr-defined]
        elif not isinstance(error, ScriptError):
            direct = misgiven_directly(self._vm.registry, error, *frames[0]) if frames else None
            error = direct or unforeseen(error)
        self.report(error, frames, thread)
        if self._vm.policy(thread.root_function.rules) is Policy.HALT:
            self._vm.halted = True
            raise Halted

    def recovered(self, error: ScriptError) -> int | None:
        """Report an error after which the running code goes on; what the operation yields."""
        frames = self._vm.linker.codes.running(self._boundary, skip=2)
        self.report(error, frames, self._vm.runner.current)
        return error.result

    def report(self, error: ScriptError, frames: list[tuple[FrameType, int]], thread: Thread | None) -> None:
        # Telling where and how is slow, and a script can fail many times a frame in one place: that is done once.
        innermost = (id(frames[0][0].f_code), frames[0][1], error.message) if frames else None
        known = self._reported.get(innermost) if innermost is not None else None
        self._vm.runner.budget.note(thread, NEW_ERROR if known is None else KNOWN_ERROR)
        if known is not None:
            self._vm.reporter.report(known)
            return
        codes = self._vm.linker.codes
        notes = [Note(text) for text in error.notes]
        if frames and error.code == "budget":
            notes += [Note(text) for text in _shown(variables(frames[0][0]))]
        if error.in_caller and frames and id(frames[0][0].f_code) in codes.known and len(frames) > 1:
            frames = frames[1:]
        elif error.in_caller:
            frames = []
        stack = codes.stack(frames, thread)
        span = error.span or (stack[0].span if stack else None)
        if error.argument is not None and (native := refusing(error)) is not None:
            number, value = error.argument
            name = native.parameters[number - 1].name
            kind = type_name(value)
            shown = kind if show(value) == kind else f"{show(value)} ({kind})"
            notes.append(
                Note(f"parameter {number} of {native.signature.name}() is '{name}'; it was given {shown}")
            )
        if error.surplus is not None:
            text, declared = self._surplus(error.surplus)
            notes.append(Note(text))
            span = span or declared
        told = Diagnostic(error.code, error.message, span, "runtime error", tuple(notes), tuple(stack))
        if innermost is not None and not error.in_caller and error.span is None:
            if len(self._reported) >= MAX_REPORTED:
                self._reported.clear()
            self._reported[innermost] = told
        self._vm.reporter.report(told)

    def _surplus(self, surplus: Surplus) -> tuple[str, Span | None]:
        """What a function takes that was given more, and where it is declared."""
        function = surplus.function
        declared = self._vm.linker.declaration(function)
        at = f", declared at {declared.path}:{declared.line}," if declared is not None else ""
        takes = f"{function.arity} parameter" + ("s" if function.arity != 1 else "")
        return f"{function}{at} takes {takes} and was given {surplus.given} arguments", declared

    def forget(self) -> None:
        """Tell errors afresh: code may have changed."""
        self._reported.clear()
        self._vm.reporter.forget()


def _shown(values: dict[str, Any]) -> Iterator[str]:
    for number, (name, value) in enumerate(values.items()):
        if number == MAX_SHOWN:
            yield f"and {len(values) - MAX_SHOWN} more variables"
            return
        yield f"{name} = {show(value)}"
