"""docs/diagnostics.md: every code of the compiler is there, and every example gives its code alone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.gsc.catalogue import Signature
from engine.gsc.program import load_program
from engine.source import DiagnosticError, SourceText

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
COMPILER = (
    "binder", "cursor", "expressions", "parser", "program", "scanner", "simple", "statements",
)  # fmt: skip

SECTIONS = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
OURS = {
    title: text
    for title, text in zip(SECTIONS[1::2], SECTIONS[2::2], strict=True)
    if title.startswith("Scripts: ")
}
ENTRIES = [
    (code, re.findall(r"^```gsc\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    for section in OURS.values()
    for code, text in re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL)
]
EXAMPLES = [(code, example) for code, examples in ENTRIES for example in examples]


class OneScript:
    def __init__(self, text: str) -> None:
        self.text = text

    def find(self, name: str) -> SourceText | None:
        return SourceText("main.gsc", self.text) if name == "main" else None


class SomeNatives:
    def function(self, name: str) -> Signature | None:
        known = {
            "println": Signature("println"),
            "randomint": Signature("randomint", 1, 1),
            "playfx": Signature("playfx", 2, 4, implemented=False),
        }
        return known.get(name)

    def method(self, name: str) -> Signature | None:
        return None


def codes_in_source() -> set[str]:
    """Every code that the compiler's modules pass on as a literal."""
    found = {"syntax"}
    for module in COMPILER:
        tree = ast.parse((ROOT / "engine" / "gsc" / f"{module}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [k.value for k in node.keywords if k.arg == "code"]
            if name in ("report", "warn", "Diagnostic"):
                given += node.args[:1]
            found |= {g.value for g in given if isinstance(g, ast.Constant) and isinstance(g.value, str)}
    return found


def test_the_page_lists_exactly_the_codes_of_the_compiler() -> None:
    assert {code for code, _ in ENTRIES} == codes_in_source()


@pytest.mark.parametrize(("code", "example"), EXAMPLES, ids=[code for code, _ in EXAMPLES])
def test_an_example_gives_its_code_alone(code: str, example: str) -> None:
    try:
        diagnostics = load_program(["main"], OneScript(example), SomeNatives()).diagnostics
    except DiagnosticError as error:
        diagnostics = error.diagnostics
    assert [d.code for d in diagnostics] == [code]
