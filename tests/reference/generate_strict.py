"""Random programs of Modern Warfare 2: those of `generate` with the forms that only this game has, and without those
that it lacks."""

from __future__ import annotations

from collections.abc import Mapping

from tests.reference.generate import EVENTS, OPERATORS, PROLOGUE, Writer

ARITHMETIC = ("+", "-", "*", "/")


class StrictWriter(Writer):
    """Writes one program."""

    cvar = "dvar"
    casts: Mapping[str, str] = {"int": "int", "bool": "!", "float": "float", "string": '"" + '}
    compound: Mapping[str, tuple[str, ...]] = {
        **OPERATORS,
        "int": tuple(op for op in OPERATORS["int"] if op not in ("<<", ">>")),
        "vector": ARITHMETIC,
    }
    vector_operators = ARITHMETIC

    # ---- expressions -----------------------------------------------------------------------------------

    def expression(self, kind: str, depth: int = 3) -> str:
        if depth > 0 and self.chance(0.06):
            one, other = super().expression(kind, depth - 1), self.expression(kind, depth - 1)
            return f"({self.test(depth - 1)} ? {one} : {other})"
        return super().expression(kind, depth)

    def test(self, depth: int) -> str:
        return self.expression(self.pick(("int", "int", "float")), min(depth, 1))

    def int_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(30)
        if r == 0:
            return f"-({e('int', depth)})"
        if r == 1:
            return self.pick((f"isstring({e('any', depth)})", f"isarray({e('any', depth)})"))
        if r == 2:
            return f"{self.pick(('min', 'max'))}({e('int', depth)}, {e(self.pick(('int', 'float')), depth)})"
        if r == 3:
            return f"abs({e('int', depth)})"
        if r == 4:
            return f"issubstr({e('string', depth)}, {self.leaf('string')})"
        if r == 5:
            return f"(call [[ {self.pick(('::isdefined', '::gettime', 'f0', '::isarray'))} ]]({e('any', depth)}))"
        if r == 6:
            return f"({e('vector', depth)} == {e(self.pick(('int', 'float', 'vector')), depth)})"
        if r == 7:
            return "(ONE + TWO)"
        return super().int_expression(depth)

    def float_expression(self, depth: int) -> str:
        r = self.random.randrange(8)
        if r == 0:
            return f"-({self.expression('float', depth)})"
        if r == 1:
            return f"({self.expression('int', depth)} / {self.expression('int', depth)})"
        return super().float_expression(depth)

    def string_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(10)
        if r == 0:
            more = f", {e('int', depth)}" if self.chance(0.5) else ""
            return f"getsubstr({e('string', depth)}, {self.pick(('0', '1', '-1', 'i0'))}{more})"
        if r == 1:
            return f"strtok({e('string', depth)}, {self.leaf('string')})[{self.pick(('0', '1', 'i0'))}]"
        if r == 2:
            return f"toupper({e('string', depth)})"
        if r == 3:
            return f"getdvar({self.leaf('string')}, {e('any', depth)})"
        return super().string_expression(depth)

    def vector_expression(self, depth: int) -> str:
        e = self.expression
        r = self.random.randrange(8)
        if r == 0:
            return f"-({e('vector', depth)})"
        if r < 3:
            pair = [e("vector", depth), e(self.pick(("int", "float")), depth)]
            self.random.shuffle(pair)
            return f"({pair[0]} {self.pick(ARITHMETIC)} {pair[1]})"
        return super().vector_expression(depth)

    def function_value(self) -> str:
        return self.pick(("::isdefined", "::gettime")) if self.chance(0.05) else super().function_value()

    def starting(self) -> str:
        return self.pick(("thread", "thread", "childthread"))

    # ---- statements ------------------------------------------------------------------------------------

    def statement(self, depth: int, loop: bool) -> str:
        r = self.random.randrange(60)
        if r == 0 and not self.region:
            return "waittillframeend;"
        if r == 1:
            return f'prof_begin("p", {self.expression("any", 1)});'
        if r == 2 and not self.region:
            return f"{self.pick(('level', 'o0', 'self'))} endon({self.pick(EVENTS)});"
        if r == 3:
            return f"setdvarifuninitialized({self.leaf('string')}, {self.expression('any', 1)});"
        if r == 4:
            return f"{self.target('float')}{self.pick(('++', '--'))};"
        return super().statement(depth, loop)

    def mark(self) -> str:
        return (
            f"thread walk({self.array()});" if self.chance(0.1) and self.script == "main" else super().mark()
        )

    def control(self, depth: int, loop: bool) -> str:
        if self.looped < 2 and self.chance(0.25):
            return self.foreach(depth)
        return super().control(depth, loop)

    def foreach(self, depth: int) -> str:
        self.looped += 1
        array = self.pick((self.array(), self.variable("array"), "level.a", self.expression("array", 1)))
        names = self.pick(("n0", "n1", "i0, n0", "s0, n1", "n0, a0"))
        shown = f'trace("each ", {names}); ' if self.chance(0.5) else ""
        text = f"foreach ({names} in {array}) {{ {shown}{self.block(depth - 1, True)} }}"
        self.looped -= 1
        return text

    def late_test(self, c: str, body: str, condition: str) -> str:
        return f"{c} = 0; for (;;) {{ {c}++; {body} if (!({condition})) break; }}"

    # ---- programs --------------------------------------------------------------------------------------

    def parts(self) -> int:
        return self.random.choice((1, 1, 2, 2, 3, 4))

    def prologue(self) -> str:
        return "#include base;\n#include lib;\n#define ONE 1\nTWO = 2;\n"


STRICT_PROLOGUE = """
nest(n)
{
    if (n == 3 && self == level.o) level endon("hit");
    if (n == 0) { level endon("hit"); childthread tick("c"); waittillframeend; wait 0.1; level notify("stop"); wait 1; }
    else { if (n == 2) level endon("go"); nest(n - 1); trace("back in ", n); wait 0.05; }
    return n;
}
after()
{
    asks(); wait 0.4; trace("after ", 1 / 0, 1.5 / 0, 7 % 0, (1, 2, 3) / 0);
    asks(); waittillframeend; trace("end");
}
asks() { level endon("go"); level endon("hit"); }
walk(v) { foreach (k, p in v) trace("walk ", k, " ", p); }
tick(name) { for (t = 0; t < 5; t++) { trace("tick ", name, t); wait 0.05; } }
"""
"""What every program has beside: calls within calls that wait and end by notifies, with a thread of their own, calls
whose endons are over, and arrays that are walked."""


STARTS = "thread deep(20);"
BASE = (
    PROLOGUE.replace(
        STARTS, f"{STARTS} thread nest(3); level.o thread nest(1); level.o thread nest(3); thread after();"
    )
    + STRICT_PROLOGUE
)
"""A script that all programs include, so that it is parsed and compiled once."""


def strict_program(seed: int) -> dict[str, str]:
    """The scripts of one program by name."""
    return {**StrictWriter(seed).program(), "base": BASE}
