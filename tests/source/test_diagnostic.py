"""The exception that carries diagnostics, for whoever prints it as it is."""

from __future__ import annotations

from engine.source import Diagnostic, DiagnosticError, SourceText


def test_its_text_is_of_what_ended_the_work_and_not_of_warnings_about_other_files() -> None:
    warning = Diagnostic(
        "argument-count", "takes 1 argument", SourceText("fine.gsc", "f();\n").span(0), "warning"
    )
    fault = Diagnostic("syntax", "expected a value", SourceText("bad.gsc", "f() {\n").span(4))
    error = DiagnosticError([warning, fault])
    assert str(error) == "bad.gsc:1:5: expected a value"
    assert error.diagnostics == (warning, fault)
    assert str(DiagnosticError([warning])) == "fine.gsc:1:1: takes 1 argument"
