"""What is known of a script without its syntax, and functions that are read by themselves."""

from __future__ import annotations

import dataclasses
import marshal
from pathlib import Path
from typing import Any

import pytest

from engine import paths
from engine.gsc import syntax as s
from engine.gsc.dialect import IW4, UO, Dialect
from engine.gsc.facts import facts_of, packed, unpacked
from engine.gsc.parser import parse, parse_body
from engine.source import SourceText

SHIPPED = sorted(paths.mods().rglob("*.gsc"))
CONTEXT = """#using_animtree("one");
first(a) { x = %walk; /# println(a); #/ assert(a); own(); println("gone"); }
#using_animtree("two");
/#
debug() { x = %walk; y = #animtree; }
#/
own() { return %run; }
"""
CONSTANTS = """#include maps\\util;
#define LIMIT 5 // five
SPEED = 1.5;
#define PLACE (1, 2, 3)
first(a) { return LIMIT + SPEED; }
#define LATE "late"
println(x) { }
second() { x = PLACE; foreach (n in x) { println(n); wait LIMIT; } y = LATE; print3d(LATE); }
"""


def plain(node: Any) -> Any:
    """A piece of syntax with all its places as comparable values."""
    if isinstance(node, list):
        return [plain(part) for part in node]
    if isinstance(node, s.Node):
        return type(node), [plain(getattr(node, field.name)) for field in dataclasses.fields(node)]
    return node


def check_bodies(name: str, text: str | bytes, dialect: Dialect) -> int:
    source = SourceText(name, text)
    result = parse(name, source, dialect)
    assert not result.errors
    script = result.script
    for function in script.functions.values():
        body = parse_body(name, source, dialect, script.context, function, script.functions)
        assert plain(body) == plain(function.body), function.name
    return len(script.functions)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(paths.mods()).as_posix())
def test_a_function_by_itself_is_the_one_in_its_file(path: Path) -> None:
    strict = "holdout" in path.parts
    check_bodies(path.stem, path.read_bytes(), IW4 if strict else UO)


def test_trees_and_developer_code_count_for_what_stands_below_them() -> None:
    assert check_bodies("a", CONTEXT, UO) == 3


def test_constants_count_for_what_stands_below_them() -> None:
    assert check_bodies("a", CONSTANTS, IW4) == 3


@pytest.mark.parametrize("developer", [True, False])
@pytest.mark.parametrize("text", [CONTEXT, "f( { } g() { x = ; }", "f() { q::r(); q::s(); } f() { }"])
def test_facts_are_plain_values(text: str, developer: bool) -> None:
    source = SourceText("a.gsc", text)
    result = parse("a", source)
    facts = facts_of(result, developer)
    again = unpacked(marshal.loads(marshal.dumps(packed(facts))))
    assert again == facts
    assert again.diagnostics(source) == list(result.diagnostics)
    assert again.broken == result.errors


def test_developer_code_that_is_left_out_is_known_by_name_only() -> None:
    source = SourceText("a.gsc", CONTEXT)
    whole, less = (facts_of(parse("a", source), developer) for developer in (True, False))
    assert [f.name for f in whole.functions] == [f.name for f in less.functions] == ["first", "debug", "own"]
    assert [f.kept for f in less.functions] == [True, False, True]
    assert [c.name for c in whole.functions[0].sites] == ["println", "assert", "own", "println"]
    assert [c.name for c in less.functions[0].sites] == ["assert", "own", "println"]
    assert less.functions[1].animations == ()


def test_mentions_are_in_order_with_their_first_places() -> None:
    text = "f() { q::r(); x = lib\\a::b; q::s(); }"
    facts = facts_of(parse("a", SourceText("a.gsc", text)), True)
    assert [(name, text[start:end]) for name, start, end in facts.mentions] == [
        ("q", "q"),
        ("lib\\a", "lib\\a"),
    ]
