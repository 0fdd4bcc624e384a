"""docs/iw4.md and the tables: what is refused is listed with its reason, and what is listed is there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import Scripts

from engine.gsc.dialect import IW4
from engine.gsc.program import load_program
from engine.natives.refused import FUNCTIONS, METHODS, REFUSALS
from engine.natives.registry import dialect_registries
from engine.source import DiagnosticError
from engine.vm.registry import Registry, RegistryCatalogue

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "iw4.md").read_text(encoding="utf-8")
TESTS = Path(__file__).resolve().parent
REGISTRY = dialect_registries()["iw4"][0]


def test_the_page_lists_what_is_refused() -> None:
    section = PAGE.split("## Refused, with the reason")[1].split("## Beside United Offensive")[0]
    functions: dict[str, str] = {}
    methods: dict[str, str] = {}
    for group in section.split("\n**")[1:]:
        why, _, lists = group.partition("**")
        for names in re.findall(r"`([^`]+)`", lists):
            first, *others = names.split()
            table, words = (methods, others) if first == "OBJECT" else (functions, [first, *others])
            table.update(dict.fromkeys(words, why[0].lower() + why[1:]))
    assert functions == FUNCTIONS
    assert methods == METHODS


def test_no_name_is_refused_for_two_reasons() -> None:
    names = [name for refusal in REFUSALS for name in refusal.functions.split()]
    methods = [name for refusal in REFUSALS for name in refusal.methods.split()]
    assert len(names) == len(set(names))
    assert len(methods) == len(set(methods))


@pytest.mark.parametrize(("call", "names"), [("{}();", FUNCTIONS), ("level {}();", METHODS)])
def test_every_refused_name_is_an_error_at_load_with_its_reason(call: str, names: dict[str, str]) -> None:
    text = "main() { " + " ".join(call.format(name) for name in names) + " }"
    catalogue = RegistryCatalogue(Registry())
    catalogue.others = {"iw4": RegistryCatalogue(*dialect_registries()["iw4"])}
    with pytest.raises(DiagnosticError) as error:
        load_program(["main"], Scripts({"main": text}), catalogue, dialect=IW4)
    found = {d.message for d in error.value.diagnostics}
    assert found == {
        f"'{name}' is a built-in of Modern Warfare 2 that this engine does not have: {why}"
        for name, why in names.items()
    }


def test_nothing_that_is_there_is_refused() -> None:
    assert not REGISTRY.functions.keys() & FUNCTIONS.keys()
    assert not REGISTRY.methods.keys() & METHODS.keys()


def test_the_page_lists_only_built_ins_that_exist() -> None:
    section = PAGE.split("## Built-ins")[1].split("`getsubstr` excludes")[0]
    names = {word for group in re.findall(r"`([^`]+)`", section) for word in group.split()}
    assert len(names) > 50
    assert names <= REGISTRY.functions.keys() | REGISTRY.methods.keys()


def test_every_difference_has_a_program_and_every_program_its_difference() -> None:
    section = PAGE.split("## Beside United Offensive")[1].split("## The checklist")[0]
    named = re.findall(r"\| `(\w+)` \|$", section, re.MULTILINE)
    assert sorted(named) == sorted(path.stem.removeprefix("pair_") for path in TESTS.glob("pair_*.gsc"))


def test_at_most_six_statements_have_no_test() -> None:
    section = PAGE.split("## The checklist")[1]
    excused = re.findall(r"^\| (\d+(?:, \d+)*) ", section, re.MULTILINE)
    assert sum(len(numbers.split(",")) for numbers in excused) <= 6


def test_every_statement_of_the_checklist_has_a_test_or_a_reason() -> None:
    with_script = {
        number
        for path in TESTS.glob("facts_*.gsc")
        for number in re.findall(r"\d+", path.read_text("latin-1").split(":")[0])
    }
    in_python = {
        number
        for path in TESTS.glob("test_*.py")
        for name in re.findall(r"def test_((?:\d+_)+)", path.read_text())
        for number in name.split("_")
    }
    excused = set(re.findall(r"\b\d+\b", " ".join(re.findall(r"^\| (\d+(?:, \d+)*) ", PAGE, re.MULTILINE))))
    known = {int(n) for n in with_script | in_python | excused if n}
    assert set(range(1, 83)) - known == set()
