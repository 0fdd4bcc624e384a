"""Generated programs of every form that IW4 scripts are known to use: all of them parse, and none does as UO."""

from __future__ import annotations

import random

import pytest

from engine.gsc.dialect import IW4, UO
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
    "return x;", ";", 'prof_begin("p");', "/# println(x); #/", "/# wait 1; #/",
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


@pytest.mark.parametrize("seed", range(150))
def test_a_generated_program_parses(seed: int) -> None:
    text = Writer(seed).program()
    result = parse("main", SourceText("main.gsc", text), IW4)
    assert not result.errors, "\n".join([str(result.diagnostics[0]), text])
    assert parse("main", SourceText("main.gsc", text), UO).errors
