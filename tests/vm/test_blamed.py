"""A report says which part of the text was undefined."""

from __future__ import annotations

import pytest

from engine.gsc.program import load_program
from engine.source import Diagnostic, SourceText
from engine.vm.core import core_registry
from engine.vm.errors import Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM


class One:
    def __init__(self, text: str) -> None:
        self.text = text

    def find(self, name: str) -> SourceText | None:
        return SourceText("a.gsc", self.text) if name == "a" else None


def notes(statements: str) -> list[list[str]]:
    """The notes of every report of a function of these statements, which goes on after errors."""
    told: list[Diagnostic] = []
    vm = VM(core_registry(), settings=Settings(on_error=Policy.CONTINUE), report=told.append)
    vm.link(load_program(["a"], One(f"main() {{ {statements} }} f() {{ }}"), vm.natives))
    vm.start("a::main")
    return [[note.message for note in d.notes] for d in told]


@pytest.mark.parametrize(
    ("statement", "note"),
    [
        ("x = level.nobody.origin;", "level.nobody is undefined here"),
        ("x = self.friends[3].health;", "self.friends is undefined here"),
        ("friends = []; x = friends[3].health;", "friends[3] is undefined here"),
        ("who = undefined; who.score = 5;", "who is undefined here"),
        ("who = undefined; who thread f();", "who is undefined here"),
        ("who = undefined; who f();", "who is undefined here"),
        ("level.foe notify(\"go\");", "level.foe is undefined here"),
        ("x = level.count + 1;", "level.count is undefined here"),
        ("x = 1 - f();", "f() is undefined here"),
        ("level.count += 2;", "level.count is undefined here"),
        ("if (level.high > 3) x = 1;", "level.high is undefined here"),
    ],
)  # fmt: skip
def test_the_part_that_was_undefined_is_named(statement: str, note: str) -> None:
    assert note in notes(statement)[0]


def test_what_says_so_by_itself_is_not_repeated() -> None:
    assert notes("x = 1 + undefined;") == [[]]
    assert notes('x = "a" - 1;') == [[]]


def test_a_long_expression_is_left_to_the_mark() -> None:
    long = " + ".join(["level.strength"] * 8)
    assert notes(f"level.strength = 1; x = ({long}).y;") == [[]]
