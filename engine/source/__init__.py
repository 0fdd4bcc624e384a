"""What every language of the engine shares: source text, positions, diagnostics and how they are shown."""

from engine.source.diagnostic import Diagnostic, DiagnosticError, Note, Severity, StackEntry
from engine.source.text import SourceText, Span

__all__ = ["Diagnostic", "DiagnosticError", "Note", "Severity", "SourceText", "Span", "StackEntry"]
