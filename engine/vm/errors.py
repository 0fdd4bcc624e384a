"""Run-time errors: what is raised, and how each is reported once and then counted.

`ScriptError` is raised by operators and natives. What happens then is the policy's choice (`engine.vm.support`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from engine.source import Diagnostic, Span

if TYPE_CHECKING:
    from engine.vm.values import Function


class Policy(Enum):
    """What a run-time error does."""

    STOP = "stop"
    """It is reported and its thread ends; everything else goes on."""
    CONTINUE = "continue"
    """It is reported, the operation yields undefined (0 for a division), and the thread goes on."""
    HALT = "halt"
    """It is reported and the whole program ends."""


@dataclass(frozen=True, slots=True)
class Surplus:
    """A function that was given more arguments than it takes."""

    function: Function
    given: int


def wording(value: object) -> str:
    """The text of what a host gives for one, such as the exception that it caught. Raises nothing."""
    try:
        return str(value)
    except Exception as error:
        return f"{type(value).__name__}, whose text cannot be told: {type(error).__name__}"


class ScriptError(Exception):
    """A run-time error of a script.

    `message` is a text, or what has one, such as an exception. `result` is what the failing operation yields under
    `continue`. `fatal` ends the thread under any policy. `span` is the place to blame where no running code is;
    `in_caller` blames the call instead of the function that noticed the fault. What only a report needs to look up is
    left to `engine.vm.faults`: a script can fail many times a frame in one place.
    """

    # A subclass may forget to call the constructor.
    message: str = ""
    code: str = "runtime"
    result: int | None = None
    fatal: bool = False
    in_caller: bool = False
    notes: tuple[str, ...] = ()
    span: Span | None = None
    surplus: Surplus | None = None
    argument: tuple[int, Any] | None = None
    """Number, from 1, and value of the argument that a built-in refused."""

    def __init__(
        self,
        message: object,
        *,
        code: str = "runtime",
        result: int | None = None,
        fatal: bool = False,
        in_caller: bool = False,
        notes: Iterable[str] = (),
        span: Span | None = None,
    ) -> None:
        if not isinstance(code, str):
            raise TypeError(f"{type(code).__name__} is no code of an error: a code is a text")
        if span is not None and not isinstance(span, Span):
            raise TypeError(f"{type(span).__name__} is no place of an error: a place is a Span")
        text = wording(message)
        super().__init__(text)
        self.message = text
        self.code = code
        self.result = result
        self.fatal = fatal
        self.in_caller = in_caller
        self.notes = tuple(map(wording, [notes] if isinstance(notes, str) else notes)) if notes else ()
        self.span = span


class NoSuchFunction(KeyError):
    """What a host asks for by name is no function of the program."""

    def __init__(self, name: str, hint: str | None) -> None:
        super().__init__(name)
        self.message = f"there is no function '{name}'" + (f"; {hint}" if hint else "")

    def __str__(self) -> str:
        return self.message


class Halted(Exception):
    """Raised through everything that runs when the program is halted."""


MAX_MESSAGES = 10
"""Different messages that are reported for one place; a message with a value in it could differ every time."""


class Reporter:
    """Passes each error on once per place and message, and counts the rest."""

    def __init__(self, deliver: Callable[[Diagnostic], None] | None) -> None:
        self.deliver = deliver
        self.counts: dict[tuple[str, int, int], dict[str, int]] = {}
        """How often each message came, by place."""
        self.total = 0

    def report(self, diagnostic: Diagnostic) -> None:
        self.total += 1
        seen = self.counts.setdefault(_place(diagnostic.span), {})
        message = diagnostic.message
        if message in seen:
            seen[message] += 1
        elif len(seen) < MAX_MESSAGES:
            seen[message] = 1
            if self.deliver is not None:
                self.deliver(replace(diagnostic, severity="runtime error"))

    def leave_out(self, most: int, *, tell: bool) -> None:
        """Count an error of a frame with too many new ones; `tell` says that there are more, which is said once."""
        self.total += 1
        if tell and self.deliver is not None:
            message = f"more than {most} new errors in one frame, the others are not told"
            self.deliver(Diagnostic("limit", message, severity="runtime error"))

    def forget(self) -> None:
        """Report everything afresh, as after a reload."""
        self.counts.clear()


def _place(span: Span | None) -> tuple[str, int, int]:
    return (span.path, span.start, span.end) if span is not None else ("", 0, 0)
