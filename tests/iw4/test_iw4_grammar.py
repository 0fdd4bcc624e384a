"""Generated programs of every form that IW4 scripts are known to use: all of them parse, and none does as UO."""

from __future__ import annotations

import random

import pytest

from engine.gsc.dialect import DIALECTS, IW4, UO
from engine.gsc.parser import parse
from engine.source import SourceText

VALUES = (
    "1", "-2", "2.5", "-.5", '"text"', '&"KEY"', "(1, 2, 3)", "(x, -y, z + 1)", "undefined", "true", "[]", "self",
    "level", "game", "anim", "x", "x.y.z", "x[0]", 'x["k"].y[1]', "x.size", "::f", "a\\b::f", "%anim_name",
    "#animtree", "f()", "f(1, x)", "self f()", "a\\b::f(x)", "level a\\b::f()", "[[ x ]]()", "self [[ x.y ]](1)",
    "[[ x[0] ]]()[1]", "call [[ x ]](1)", "self call [[ x ]]()", "thread f()", "self thread [[ x ]]()",
    "spawnstruct().x",
)  # fmt: skip
BINARY = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "&&", "||")
COMPOUND = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=")
TARGETS = ("x", "x.y", "x[0]", 'self.x["k"]', "level.a.b[1][2]", 'game["x"]')
STATEMENTS = (
    "wait 0.05;", "wait 1;", "wait(0.5);", "waittillframeend;", "wait randomfloat(2);", "f();", "self f();",
    "thread f();", "self thread f(1);", "childthread f();", "self childthread a\\b::f();",
    "self childthread [[ x ]]();",
    "[[ x ]]();", "call [[ x ]]();", 'self waittill("e");', 'level waittill("e", a, b);',
    'self waittillmatch("e", "m");', 'self notify("e", 1, x);', 'self endon("e");', "x++;", "x.y--;", "return;",
    "return x;", ";", 'prof_begin("p");', "/# println(x); #/", "/# wait 1; #/", "self thread a\\b::f(1, x);",
    "level a\\b::f();", "thread a\\b::f();", "[[ ::f ]]();", "[[ a\\b::f ]](1);", "level thread [[ x.y ]](self);",
    "x = (1, 2, 3)[0];", "x = f()[0];", "x = f().y;", "a = x.size - 1;", 'game["a"]["b"] = [];', "if (x) return;",
    "while (1) wait 0.05;", "for (;;) waittillframeend;", 'level notify("a" + x);', 'x = "text"[0];',
    'self waittillmatch("notetrack");', "if (!isdefined(x)) x = 1; else x++;", "x = ::f; y = ::logprint;",
    "self.x[self.x.size] = y;", "x = -1 - -y;", "x = a ? b ? 1 : 2 : 3;", "wait (x.y + 1) * 2;",
    "foreach (p in f()) p g();",
)  # fmt: skip


class Writer:
    """Writes random programs; `depth` bounds what is nested."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def value(self, depth: int = 3) -> str:
        pick = self.random.randrange(8) if depth else 0
        if pick < 3:
            return self.random.choice(VALUES)
        if pick < 5:
            return f"{self.value(depth - 1)} {self.random.choice(BINARY)} {self.value(depth - 1)}"
        if pick == 5:
            return f"({self.value(depth - 1)} ? {self.value(depth - 1)} : {self.value(depth - 1)})"
        if pick == 6:
            return f"{self.random.choice(('!', '~', '-'))}({self.value(depth - 1)})"
        return f"({self.value(depth - 1)})"

    def statement(self, depth: int = 3) -> str:
        pick = self.random.randrange(12) if depth else 0
        if pick < 3:
            return self.random.choice(STATEMENTS)
        if pick < 5:
            return f"{self.random.choice(TARGETS)} {self.random.choice(COMPOUND)} {self.value()};"
        inner, value = self.block(depth - 1), self.value()
        return {
            5: f"if ({value}) {inner} else if ({self.value()}) {inner} else {self.statement(0)}",
            6: f"while ({value}) {{ if (x) break; else continue; }}",
            7: f"for (i = 0; i < {value}; i++) {inner}",
            8: f"foreach (v in {value}) {inner}",
            9: f"foreach (k, v in {value}) {inner}",
            10: f'switch ({value}) {{ case 1: case -2: {self.statement(0)} break; case "a": default: f(); }}',
            11: f"for (;;) {inner}",
        }[pick]

    def block(self, depth: int) -> str:
        return "{ " + " ".join(self.statement(depth) for _ in range(self.random.randrange(4))) + " }"

    def program(self) -> str:
        head = '#include a\\b;\n#include common_scripts\\utility;\n#using_animtree("tree");\n'
        constants = "#define ONE 1\nTWO = 2;\nPLACE = (1, 2, 3);\n"
        functions = "\n".join(f"f{n}(a, b) {self.block(3)}" for n in range(4))
        return (
            f"{head}{constants}main() {{ x = ONE + TWO; {self.statement()} }}\n{functions}\n/# d() {{ }} #/\n"
        )


LATER = (
    ("#using lib\\x;\nmain() { }", "Black Ops 3"),
    ("#namespace x;\nmain() { }", "Black Ops 3"),
    ("#insert lib\\x;\nmain() { }", "Black Ops 3"),
    ('#precache("fx", "a");\nmain() { }', "Black Ops 3"),
    ("const X = 1;\nmain() { }", "Black Ops 2"),
    ("main() { const x = 1; }", "Black Ops 2"),
    ("function main() { }", "Black Ops 3"),
    ("function private main() { }", "Black Ops 3"),
    ("function autoexec main() { }", "Black Ops 3"),
    ("private main() { }", "Black Ops 3"),
    ("autoexec main() { }", "Black Ops 3"),
    ("class c { }\nmain() { }", "Black Ops 3"),
    ("var x;\nmain() { }", "Black Ops 3"),
    ("main() { x->f(); }", "Black Ops 3"),
    ("main() { [[ x ]]->f(); }", "Black Ops 3"),
    ("main() { x = y === 1; }", "Black Ops 3"),
    ("main() { x = y !== 1; }", "Black Ops 3"),
    ("main() { x = &f; } f() { }", "Black Ops 3"),
    ("f(...) { }", "Black Ops 3"),
    ("f(a, ...) { }", "Black Ops 3"),
    ("f(a = 1) { }", "Black Ops 3"),
    ('main() { x = #"hash"; }', "Black Ops 3"),
    ("main() { waitrealtime 1; }", "Black Ops 3"),
)
"""Forms that no dialect here has, with the game that has them."""


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize(("text", "game"), LATER)
def test_a_form_of_a_later_game_is_refused_with_its_name(text: str, game: str, dialect: str) -> None:
    result = parse("main", SourceText("main.gsc", text), DIALECTS[dialect])
    first = result.diagnostics[0]
    assert first.code == "later-dialect", first
    assert first.message.endswith(f"(it came with {game})")


@pytest.mark.parametrize(
    "word", ["function", "class", "const", "var", "new", "call", "private", "foreach", "in"]
)
def test_words_of_later_games_are_names_like_any_other(word: str) -> None:
    """Where nothing of a later game is meant, a fault is told as what it is."""
    whole = f"main() {{ {word} = 1; self.{word} = {word} + 1; {word}(); x = {word}.y; }} {word}() {{ }}"
    torn = f"main() {{ x = 1\n{word} = 2; }}"
    for dialect in DIALECTS.values():
        assert not parse("main", SourceText("main.gsc", whole), dialect).errors
        [fault] = parse("main", SourceText("main.gsc", torn), dialect).diagnostics
        assert fault.message.startswith("expected ';'")


@pytest.mark.parametrize("seed", range(150))
def test_a_generated_program_parses(seed: int) -> None:
    text = Writer(seed).program()
    result = parse("main", SourceText("main.gsc", text), IW4)
    assert not result.errors, "\n".join([str(result.diagnostics[0]), text])
    assert parse("main", SourceText("main.gsc", text), UO).errors
