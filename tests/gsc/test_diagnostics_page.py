"""docs/diagnostics.md: every code of the compiler is there, and every example gives its code alone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.gsc.catalogue import NativeCatalogue, Signature
from engine.gsc.dialect import DIALECTS
from engine.gsc.program import load_program
from engine.natives.registry import dialect_registries
from engine.source import DiagnosticError, SourceText
from engine.vm.registry import Registry, RegistryCatalogue

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
    (code, re.findall(r"^```gsc( iw4)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    for section in OURS.values()
    for code, text in re.findall(r"^### `([a-z-]+)`\n(.*?)(?=^### |\Z)", section, re.MULTILINE | re.DOTALL)
]
EXAMPLES = [(code, dialect.strip(), text) for code, examples in ENTRIES for dialect, text in examples]


class OneScript:
    """The script of an example, and two that it may include."""

    def __init__(self, text: str) -> None:
        self.texts = {"main": text, "lib\\one": "helper() { }", "lib\\two": "helper() { }"}

    def find(self, name: str) -> SourceText | None:
        return SourceText(f"{name}.gsc", self.texts[name]) if name in self.texts else None


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


def test_every_code_has_an_example() -> None:
    assert [code for code, examples in ENTRIES if not examples] == []


@pytest.mark.parametrize(("code", "dialect", "example"), EXAMPLES, ids=[code for code, _, _ in EXAMPLES])
def test_an_example_gives_its_code_alone(code: str, dialect: str, example: str) -> None:
    natives: NativeCatalogue = SomeNatives()
    if dialect:
        natives = RegistryCatalogue(Registry())
        natives.others = {"iw4": RegistryCatalogue(*dialect_registries()["iw4"])}
    try:
        diagnostics = load_program(
            ["main"], OneScript(example), natives, dialect=DIALECTS[dialect or "uo"]
        ).diagnostics
    except DiagnosticError as error:
        diagnostics = error.diagnostics
    assert [d.code for d in diagnostics] == [code]


def test_every_code_of_the_engine_is_on_a_page() -> None:
    """Whatever is passed as a code to a function that reports, anywhere in the engine."""
    reporters = {
        "Diagnostic", "Refused", "error", "fatal", "fault", "once", "refuse", "report", "warn",
        "_error", "_fail", "_fault", "_report", "_say", "_tell_missing", "_warn",
    }  # fmt: skip
    codes = set()
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [k.value for k in node.keywords if k.arg == "code"]
            if name in reporters:
                given += node.args[:2]
            values = [g.value for g in given if isinstance(g, ast.Constant)]
            codes |= {v for v in values if isinstance(v, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", v)}
    assert len(codes) > 150
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert {code for code in codes if f"`{code}`" not in pages} == set()
