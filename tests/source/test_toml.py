"""Whatever stands in a TOML file is values or one diagnostic with its place."""

from __future__ import annotations

import pytest

from engine.source import DiagnosticError, SourceText
from engine.source.toml import parse_toml


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, 1),
        ("a = 1\nb = " + "9" * 5000 + "\n", 2),
        ("a = 1\nb = \n", 2),
        ("a = \xff\n", 1),
    ],
)
def test_what_cannot_be_read_is_a_diagnostic(text: str, line: int) -> None:
    source = SourceText("mod.toml", text)
    with pytest.raises(DiagnosticError) as caught:
        parse_toml(source)
    (problem,) = caught.value.diagnostics
    assert problem.code == "bad-toml"
    assert problem.span is not None
    assert source.line_col(problem.span.start)[0] == line
