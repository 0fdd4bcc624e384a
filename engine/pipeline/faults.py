"""Diagnostics about whole files, and a list that collects them while work goes on."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from engine.source import Diagnostic, DiagnosticError, Note, SourceText, Span
from engine.source.diagnostic import Severity

_LONGEST = 500


class Faults:
    """What was found wrong with one source file.

    Warnings and errors collect while something usable is left; `fatal` makes the exception with all of them.
    """

    def __init__(self, path: str) -> None:
        self.span: Span = SourceText(path, "").span(0)
        self.found: list[Diagnostic] = []

    def warn(self, code: str, message: str, *notes: str, span: Span | None = None) -> None:
        """A fault that leaves something usable; said once, however often it is met."""
        diagnostic = self._make(code, message, "warning", notes, span)
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def error(self, code: str, message: str, *notes: str, span: Span | None = None) -> None:
        """A fault that must be repaired, though the rest of the file can be used."""
        diagnostic = self._make(code, message, "error", notes, span)
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    def another(self) -> Faults:
        """A list of the same file, for `add`, where work goes on in another order than its faults are told in."""
        other = copy(self)
        other.found = []
        return other

    def add(self, others: Faults) -> None:
        """Take in what another list of the same file has found."""
        self.found += [diagnostic for diagnostic in others.found if diagnostic not in self.found]

    def fatal(self, code: str, message: str, *notes: str, span: Span | None = None) -> DiagnosticError:
        """The error to raise where nothing usable is left."""
        return DiagnosticError([*self.found, self._make(code, message, "error", notes, span)])

    def _make(
        self, code: str, message: str, severity: Severity, notes: tuple[str, ...], span: Span | None
    ) -> Diagnostic:
        shown = one_line(message, _LONGEST)
        return Diagnostic(
            code, shown, span or self.span, severity, tuple(Note(one_line(n, _LONGEST)) for n in notes)
        )


def by_place(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is about a source first, then what is about its settings, in the order of their lines."""
    return sorted(diagnostics, key=lambda d: (d.span.path, d.span.start) if d.span is not None else ("", 0))


def one_line(text: str, longest: int) -> str:
    """A text that may quote any piece of a file: its characters that can be read, in one line, and not too many."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shown if len(shown) <= longest else shown[:longest] + " ..."


def os_reason(error: OSError) -> str:
    """Why the system refused, in a few lower-case words."""
    return (error.strerror or str(error) or type(error).__name__).lower()
