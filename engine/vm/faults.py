"""What becomes of errors: reported with place, stack and values, once where they come again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from engine.source import Diagnostic, Note, Span
from engine.vm.blamed import Operations
from engine.vm.budget import ERROR
from engine.vm.errors import Halted, Policy, ScriptError, Surplus
from engine.vm.misgiven import misgiven_directly, refusing
from engine.vm.objects import touched_dead
from engine.vm.operators import type_name
from engine.vm.trace import show, variables
from engine.vm.unforeseen import unforeseen

if TYPE_CHECKING:
    from engine.vm.accounts import Account
    from engine.vm.machine import VM
    from engine.vm.native import Native
    from engine.vm.threads import Thread

MAX_REPORTED = 1000
"""Errors that are kept, so that the same one again costs little."""

LOADING = 4
"""So many times as many new errors are told before the first frame, for which nobody waits."""

MAX_SHOWN = 12
"""Variables that a report of a runaway loop shows."""


class Ended(Exception):
    """Ends the running thread without a report."""


class Faults:
    """Tells a VM's errors. A frame of Python whose code is in `boundary` runs a thread: script frames below it belong
    to another one."""

    def __init__(self, vm: VM, boundary: frozenset[CodeType]) -> None:
        self._vm = vm
        self._boundary = boundary
        self._reported: dict[tuple[int, int, str], Diagnostic] = {}
        self._operations = Operations()
        self._told: Counter[Account | None] = Counter()
        """New errors of this frame, by the owners of the threads that failed."""

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
        # Telling where and how is slow, and a script can fail many times a frame in one place: that is done once. It is
        # not charged to scripts, or they would run on in another way where it was told before: there is a limit.
        innermost = (id(frames[0][0].f_code), frames[0][1], error.message) if frames else None
        known = self._reported.get(innermost) if innermost is not None else None
        self._vm.runner.budget.note(thread, ERROR)
        if known is not None:
            self._vm.reporter.report(known)
            return
        owner = thread.account if thread is not None else None
        self._told[owner] += 1
        most = self._vm.settings.max_new_errors * (LOADING if self._vm.runner.budget.loading else 1)
        if self._told[owner] > most:
            self._vm.reporter.leave_out(most, tell=self._told[owner] == most + 1)
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
            notes.append(Note(_refused(native, *error.argument)))
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
        text = linker.text_of(compiled.function) if compiled is not None else None
        if text is None or span is None or text[1] is not span.source:
            # Code that a reload has kept stands in a text that is no more.
            return []
        found = self._operations.undefined(*text, span.start, message)
        return [Note(f"{text} is undefined here") for text in found]

    def _surplus(self, surplus: Surplus) -> tuple[str, Span | None]:
        """What a function takes that was given more, and where it is declared."""
        function = surplus.function
        declared = self._vm.linker.declaration(function)
        at = f", declared at {declared.path}:{declared.line}," if declared is not None else ""
        takes = f"{function.arity} parameter" + ("s" if function.arity != 1 else "")
        given = f"{surplus.given} argument" + ("s" if surplus.given != 1 else "")
        return f"{function}{at} takes {takes} and was given {given}", declared

    def new_frame(self) -> None:
        """The clock is advanced: there is time again to tell errors."""
        self._told.clear()

    def forget(self) -> None:
        """Tell errors afresh: code may have changed."""
        self._reported.clear()
        self._vm.reporter.forget()


def _refused(native: Native, number: int, value: Any) -> str:
    """Which parameter of a built-in was given what."""
    kind, shown = type_name(value), show(value)
    given = kind if shown == kind else f"{shown} ({kind})"
    name = native.parameters[number - 1].name
    return f"parameter {number} of {native.signature.name}() is '{name}'; it was given {given}"


def _shown(values: dict[str, Any]) -> Iterator[str]:
    for number, (name, value) in enumerate(values.items()):
        if number == MAX_SHOWN:
            yield f"and {len(values) - MAX_SHOWN} more variables"
            return
        yield f"{name} = {show(value)}"
