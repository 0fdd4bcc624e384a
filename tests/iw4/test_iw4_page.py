"""docs/iw4.md and the tables: what is refused is listed with its reason, and what is listed is there."""

from __future__ import annotations

import re
from pathlib import Path

from engine.natives.refused import FUNCTIONS, METHODS
from engine.natives.registry import dialect_registries

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "iw4.md").read_text(encoding="utf-8")
TESTS = Path(__file__).resolve().parent
REGISTRY = dialect_registries()["iw4"][0]


def test_the_page_lists_what_is_refused() -> None:
    listed = dict(re.findall(r"^\| `(?:OBJECT )?(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert listed == {**FUNCTIONS, **METHODS}


def test_nothing_that_is_there_is_refused() -> None:
    assert not REGISTRY.functions.keys() & FUNCTIONS.keys()
    assert not REGISTRY.methods.keys() & METHODS.keys()


def test_the_page_lists_only_built_ins_that_exist() -> None:
    section = PAGE.split("## Built-ins")[1].split("`getsubstr` excludes")[0]
    names = {word for group in re.findall(r"`([^`]+)`", section) for word in group.split()}
    assert len(names) > 50
    assert names <= REGISTRY.functions.keys()


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
