"""What the engine says when something is wrong with a user's file: one value for every language and phase."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from engine.source.text import Span

Severity = Literal["error", "warning", "runtime error"]


@dataclass(frozen=True, slots=True)
class Note:
    """A further sentence under a diagnostic: a hint, a value, or another place."""

    message: str
    span: Span | None = None


MISSING_HERE = "it is missing here"
"""The note at the place where something was left out; the diagnostic itself is at what was found instead, which may
be a line further down."""


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One script frame of a call stack, innermost first. `relation` tells how it got here."""

    function: str
    span: Span | None
    relation: Literal["in", "called from", "started by"] = "called from"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault: what it is (`code`, stable and documented), where, and what to do about it.

    `message` is one line without a final full stop. `span` is None only where no file is to blame.
    """

    code: str
    message: str
    span: Span | None = None
    severity: Severity = "error"
    notes: tuple[Note, ...] = ()
    stack: tuple[StackEntry, ...] = field(default=())

    def with_note(self, message: str, span: Span | None = None) -> Diagnostic:
        return Diagnostic(
            self.code, self.message, self.span, self.severity, (*self.notes, Note(message, span)), self.stack
        )


class DiagnosticError(Exception):
    """Raised where a fault ends the work at hand; carries every diagnostic found so far."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        # Warnings are of any file that was looked at; what ended the work is to be read first.
        faults = [d for d in self.diagnostics if d.severity != "warning"] or self.diagnostics
        super().__init__("; ".join(map(_in_short, faults)))


def _in_short(diagnostic: Diagnostic) -> str:
    """Place and message, for whoever prints the exception instead of what it carries."""
    return f"{diagnostic.span}: {diagnostic.message}" if diagnostic.span else diagnostic.message
