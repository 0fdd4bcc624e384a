"""What becomes of errors: reported with place, stack and values, once where they come again and again."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from engine.source import Diagnostic, Note, Span
from engine.source.paths import shown_path
from engine.vm.blamed import Operations
from engine.vm.budget import KNOWN_ERROR, NEW_ERROR
from engine.vm.errors import Halted, Policy, ScriptError, Surplus, wording
from engine.vm.misgiven import misgiven_directly, refusing
from engine.vm.objects import Misgiven, touched_dead
from engine.vm.operators import type_name
from engine.vm.trace import show, variables

if TYPE_CHECKING:
    from engine.vm.machine import VM
    from engine.vm.threads import Thread

log = logging.getLogger("notetrack.vm")

MAX_REPORTED = 1000
"""Errors that are kept, so that the same one again costs little."""

MAX_CALLS = 3
"""Calls of Python that a report of an internal error shows."""

ENGINE = frozenset({"engine"})
NOT_OF_HOST = ENGINE | sys.stdlib_module_names

MAX_SHOWN = 12
"""Variables that a report of a runaway loop shows."""


class Ended(Exception):
    """Ends the running thread without a report."""


def unforeseen(error: Exception) -> ScriptError:
    """A fault of Python code as an error of the script that met it, with the places in that code. It is the host's
    where code of the host stands between the script and the fault: most often that asked for what cannot be."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = wording(error)
    log.debug("internal error", exc_info=error)
    calls: list[tuple[FrameType, int]] = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.endswith(".py"):
            calls.append((frame, line))
        else:
            # A script, or what stands between one and a built-in.
            calls.clear()
    calls.reverse()
    # The host's own line is what a host looks for, also where something that it called has raised.
    host = next((n for n, (frame, _) in enumerate(calls) if _is_of_host(frame)), None)
    if host is None and calls and not _is_in(calls[-1][0], ENGINE):
        host = len(calls) - 1
    words = chain(["raised"], repeat("called"))
    notes = [f"{word} in {_shown_call(*call)}" for word, call in zip(words, calls[:MAX_CALLS], strict=False)]
    if host is not None and host >= MAX_CALLS:
        between = ", through others," if host > MAX_CALLS else ""
        notes.append(f"called{between} in {_shown_call(*calls[host])}")
    whose = "the engine" if host is None else "a built-in of the host"
    code = getattr(error.getter, "__code__", None) if isinstance(error, Misgiven) else None
    if code is not None and _is_code_of_host(code, error.getter.__module__):  # type: ignore[attr-defined]
        whose, text = "a getter of the host", str(error)
        notes = [f"given by {code.co_name}, {shown_path(Path(code.co_filename))}:{code.co_firstlineno}"]
    # One object may be raised again and again, and Python would add to what it has seen so far.
    error.__traceback__ = None
    return ScriptError(f"internal error of {whose}: {text}", code="internal", notes=tuple(notes))


def _is_in(frame: FrameType, packages: frozenset[str]) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in packages


def _is_of_host(frame: FrameType) -> bool:
    """Whether code is neither of the engine nor of Python nor of a package that is installed."""
    return _is_code_of_host(frame.f_code, str(frame.f_globals.get("__name__", "")))


def _is_code_of_host(code: CodeType, module: str) -> bool:
    return module.partition(".")[0] not in NOT_OF_HOST and "site-packages" not in Path(code.co_filename).parts


def _shown_call(frame: FrameType, line: int) -> str:
    return f"{frame.f_code.co_name}, {shown_path(Path(frame.f_code.co_filename))}:{line}"


class Faults:
    """Tells a VM's errors. A frame of Python whose code is in `boundary` runs a thread: script frames below it belong
    to another one."""

    def __init__(self, vm: VM, boundary: frozenset[CodeType]) -> None:
        self._vm = vm
        self._boundary = boundary
        self._reported: dict[tuple[int, int, str], Diagnostic] = {}
        self._operations = Operations()

    def tell(self, error: BaseException, thread: Thread) -> None:
        """Report what ended a thread. Raises `Halted` where that halts the program, and what is no error."""
        if isinstance(error, Ended):
            return
        if isinstance(error, Halted) or not isinstance(error, Exception):
            raise error
        frames = self._vm.linker.codes.raised(error.__traceback__)
        if isinstance(error, ScriptError):
            told = error
        elif touched_dead(error):
            # Code reads and writes fields of its self without a look at that.
            told = ScriptError(f"{type_name(error.obj)} is not an object")  # type: ignore[attr-defined]
        else:
            direct = misgiven_directly(self._vm.registry, error, *frames[0]) if frames else None
            told = direct or unforeseen(error)
        try:
            self.report(told, frames, thread)
        finally:
            # One object may be raised again and again, and Python would add to what it has seen so far.
            error.__traceback__ = None
        if self._vm.policy(thread.root_function.rules) is Policy.HALT:
            self._vm.halted = True
            raise Halted

    def recovered(self, error: ScriptError) -> int | None:
        """Report an error after which the running code goes on; what the operation yields."""
        frames = self._vm.linker.codes.running(self._boundary, skip=2)
        try:
            self.report(error, frames, self._vm.runner.current)
        finally:
            error.__traceback__ = None
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
        message = error.message or f"{type(error).__name__} without a message"
        if frames and error.span is None:
            notes += self._undefined(frames[0][0].f_code, span, message)
        told = Diagnostic(error.code, message, span, "runtime error", tuple(notes), tuple(stack))
        if innermost is not None and not error.in_caller and error.span is None:
            if len(self._reported) >= MAX_REPORTED:
                self._reported.clear()
            self._reported[innermost] = told
        self._vm.reporter.report(told)

    def _undefined(self, code: CodeType, span: Span | None, message: str) -> list[Note]:
        """What was undefined where an operation failed."""
        linker = self._vm.linker
        compiled = linker.codes.known.get(id(code))
        program = linker.linked.program if linker.linked else None
        if compiled is None or program is None or span is None:
            return []
        at = compiled.function
        script, function = program.scripts.get(at.script), program.function(at.script, at.name)
        if function is None or script is None or script.source is not compiled.source:
            return []
        found = self._operations.undefined(function, compiled.source, span.start, message)
        return [Note(f"{text} is undefined here") for text in found]

    def _surplus(self, surplus: Surplus) -> tuple[str, Span | None]:
        """What a function takes that was given more, and where it is declared."""
        function = surplus.function
        declared = self._vm.linker.declaration(function)
        at = f", declared at {declared.path}:{declared.line}," if declared is not None else ""
        takes = f"{function.arity} parameter" + ("s" if function.arity != 1 else "")
        given = f"{surplus.given} argument" + ("s" if surplus.given != 1 else "")
        return f"{function}{at} takes {takes} and was given {given}", declared

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
