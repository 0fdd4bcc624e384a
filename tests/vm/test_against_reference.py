"""Random programs through the engine and through the slow implementation: same output, same errors, same places."""

from __future__ import annotations

from random import Random

import pytest

from tests.vm.reference import Reference
from tests.vm.vm_kit import make

PROGRAMS_EACH = 4


class Writer:
    """Writes a random program: every loop ends, every kind of value meets every operator."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.loops = 0
        self.names = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def leaf(self) -> str:
        return self.pick(
            "0", "1", "2", "-3", "7", "2147483647", "0.5", "2.0", "-1.5", '"s"', '"12"', '"0"',
            "(1, 2, 3)", "undefined",
            "a", "b", "c", "a", "b", "c", "level.x", "level.y", "level.z", "d[0]", "d[1]",
            'd["k"]', "level.t[1]", "([])", "level",
        )  # fmt: skip

    def expression(self, depth: int = 3) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf()
        e = lambda: self.expression(depth - 1)  # noqa: E731
        kind = self.random.randrange(14)
        if kind < 5:
            return f"({e()} {self.pick('+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>')} {e()})"
        if kind < 8:
            return f"({e()} {self.pick('==', '!=', '<', '>', '<=', '>=')} {e()})"
        if kind < 10:
            return f"({e()} {self.pick('&&', '||')} {e()})"
        if kind == 10:
            return f"{self.pick('!', '~', '(int)', '(float)', '(bool)', '(string)')}{self.leaf()}"
        if kind == 11:
            return self.pick(
                f"({e()}, {e()}, {e()})", "d.size", "a.size", f"isdefined({e()})", f"d[{e()}]", f"a[{e()}]"
            )
        return self.pick(f"slow({e()})", f"quick({e()}, {e()})", f"quick({e()})", f"array({e()})")

    def target(self) -> str:
        return self.pick(
            "a",
            "b",
            "c",
            "level.x",
            "level.y",
            "d[0]",
            "d[1]",
            'd["k"]',
            "level.t[1]",
            "d[2][1]",
            "d[quick(1, 1)]",
        )

    def block(self, depth: int, loop: bool) -> str:
        return "{ " + " ".join(self.statement(depth, loop) for _ in range(self.random.randrange(1, 4))) + " }"

    def statement(self, depth: int, loop: bool) -> str:
        kind = self.random.randrange(20) if depth else self.random.randrange(9)
        if kind < 5:
            return f"{self.target()} = {self.expression()};"
        if kind < 6:
            return f"{self.target()} {self.pick('+', '-', '*', '/', '|', '<<')}= {self.expression(1)};"
        if kind == 6:
            return f"{self.pick('a', 'b', 'level.x', 'd[0]')}{self.pick('++', '--')};"
        if kind == 7:
            return self.pick(
                "wait 0.05;", f'println("p ", {self.expression(2)});', 'level notify("e", a, b);'
            )
        if kind == 8:
            if loop:
                return f"if ({self.expression(2)}) {self.pick('break', 'continue', 'break')};"
            return self.pick(
                "d = undefined;", "d[1] = undefined;", "level.x = undefined;", "if (a == 5) return b;"
            )
        if kind < 13:
            other = f" else {self.block(depth - 1, loop)}" if self.random.random() < 0.5 else ""
            return f"if ({self.expression()}) {self.block(depth - 1, loop)}{other}"
        if kind < 17:
            self.loops += 1
            i = f"i{self.loops}"
            body = self.block(depth - 1, True)
            return self.pick(
                f"for ({i} = 0; {i} < 3; {i}++) {body}",
                f"{i} = 0; while ({i} < 3) {{ {i}++; {body} }}",
                f"{i} = 0; do {{ {i}++; {body} }} while ({i} < quick(3, 0));",
                f"for ({i} = 0; {i} < slow(2); {i} = {i} + slow(1)) {body}",
            )
        parts = []
        for label in self.random.sample(
            ["case 0:", "case 1:", 'case "s":', "default:", "case 2: case 7:"], 3
        ):
            inner = " ".join(self.statement(depth - 1, loop) for _ in range(2))
            parts.append(f"{label} {inner} {self.pick('break;', 'break;', '')}")
        return f"switch ({self.expression(1)}) {{ {' '.join(parts)} }}"

    def program(self) -> str:
        body = "\n    ".join(self.statement(3, False) for _ in range(14))
        second = "\n    ".join(self.statement(2, False) for _ in range(5))
        return f"""
main()
{{
    a = {self.leaf()}; b = 1; c = 0.5; d[0] = 1; level.x = 1; level.y = "y"; level.t[1] = 4;
    thread listener(); thread second(a, b);
    {body}
    println("end ", a, " ", b, " ", c, " ", d, " ", level.x, " ", level.y, " ", d[0], " ", level.t[1]);
}}
second(a, b)
{{
    {second}
    return a;
}}
slow(n) {{ wait 0.05; return n; }}
quick(n, m) {{ if (isdefined(m)) return n; return 1; }}
array(v) {{ r[0] = v; r[1] = 2; level.t = r; return r; }}
listener() {{ for (n = 0; n < 20; n++) {{ level waittill("e", p, q, r); println("heard ", p, q, r); }} }}
"""


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize("batch", range(4))
def test_random_programs(policy: str, batch: int) -> None:
    for number in range(PROGRAMS_EACH):
        text = Writer(batch * 1000 + number).program()
        run = make(policy)
        program = run.program(main=text)
        run.vm.link(program)
        run.vm.start("main::main")
        run.vm.drain()
        run.frames(60)
        reference = Reference(program, policy == "continue")
        reference.play(3000)
        assert run.lines == reference.out, text
        places = [(e.message, e.span.start) for e in run.errors if e.span]
        assert list(dict.fromkeys(places)) == list(dict.fromkeys(reference.errors)), text
