"""Random line scripts: whatever is written, a value or a diagnostic comes of it.

    python -m tests.linescript.fuzz [--expressions N] [--programs N] [--noise N] [--seed S] [--first N]

runs as many cases as wanted and prints what became of them. Case N of a seed is always the same text, so a failure
is repeated with `--first N`. The tests of `test_line_fuzz.py` run a few of each kind.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache

from engine.linescript.context import Clock, Context
from engine.linescript.library import global_scope
from engine.linescript.parser import parse
from engine.linescript.runner import tick
from engine.linescript.scope import Scope
from engine.linescript.state import describe, restore, save
from engine.linescript.values import is_value
from engine.source import DiagnosticError, SourceText

BUDGET = 100

ATOMS = [
    "0", "1", "2", "3", "7", "0.5", "1e3", "1e308", "9223372036854775807", "0x1f", "5.", ".5", "true",
    "false", "'a'", '"b\\n"', "''", "x", "y", "z", "v", "c", "(1,2,3)", "(x,y,1)", "colour(1,0,0)",
    "nowhere", "f(x)", "g(1,y)", "f(f(2))", "sqrt(x)", "sin(y)", "time()", "min(x,y,1)", "len('abc')",
    "str(v)", "int('12')", "type(x)", "random()", "length(v)", "mix(v,v,0.5)", "fixed(x,2)", "error('e')",
    "v.x", "v.y", "c.r", "x.x",
]  # fmt: skip
OPERATORS = [
    "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||",
    "=",
]  # fmt: skip
JUNK = [
    "(", ")", ",", ".", "..", ";", "[", "]", "{", "}", "?", ":", "!", "~", "=", "==", "#", "//", "/*", "*/",
    '"', "'", "\\", "$", "@", "end", "if", "while", "for", "in", "function", "ref", "local", "try", "catch",
    "wait", "waituntil", "yield", "return", "break", "continue", "else", "elseif", "\u00e4", "\x00",
    "99999999999999999999", "1e999", "0x", "++", "+=", "__class__",
]  # fmt: skip
PIECES = [*JUNK, *ATOMS, *OPERATORS, "\n", "\n", "\r\n", "\t"]

VARIABLES = {"x": "3", "y": "2.5", "z": "'text'", "v": "(1, 2, 3)", "c": "colour(0, 1, 0)"}
START = "".join(f"{name} = {value}\n" for name, value in VARIABLES.items())
CALLS = {
    "f(": "function f(a)\n  if a == 2\n    yield\n  end\n  return a\nend\n",
    "g(": "function g(a, ref b)\n  b = a\n  return b\nend\n",
}
FUNCTIONS = "".join(CALLS.values())


# ---- texts --------------------------------------------------------------------------------------------


def expression(r: random.Random, depth: int) -> str:
    pick = r.random()
    if depth <= 0 or pick < 0.3:
        return r.choice(ATOMS)
    if pick < 0.75:
        return f"{expression(r, depth - 1)} {r.choice(OPERATORS)} {expression(r, depth - 1)}"
    if pick < 0.85:
        return f"{r.choice('-+!~')}{expression(r, depth - 1)}"
    if pick < 0.97:
        return f"({expression(r, depth - 1)})"
    return f"{expression(r, depth - 1)} {r.choice(JUNK)} {r.choice(ATOMS)}"


def statement(r: random.Random, depth: int) -> list[str]:
    pick = r.randrange(16)
    some = expression(r, 2)
    body = [line for _ in range(r.randrange(3)) for line in statement(r, depth - 1)] if depth > 0 else []
    if pick < 5:
        return [f"{r.choice('xyzvc')} = {some}"]
    if pick == 5:
        return [f"if {some}", *body, *(["else", *body] if r.random() < 0.3 else []), "end"]
    if pick == 6:
        return [f"while {some}", *body, "end"]
    if pick == 7:
        return [f"for {r.choice('xyi')} in {r.choice(ATOMS)} .. {r.choice(ATOMS)}", *body, "end"]
    if pick == 8:
        return ["try", *body, some, "catch e", *body, "end"]
    if pick == 9:
        return [f"wait {some}"]
    if pick == 10:
        return [f"waituntil {some}"]
    if pick == 11:
        return [r.choice(["yield", "break", "continue", "return", f"return {some}", f"local x = {some}"])]
    if pick == 12:
        return [" ".join(r.choice(JUNK + ATOMS) for _ in range(r.randrange(1, 5)))]
    return [some]


def expression_text(r: random.Random) -> str:
    """An expression, after what it may need: reading the same lines a million times would be most of the work."""
    some = expression(r, 4)
    needed = [f"{name} = {value}\n" for name, value in VARIABLES.items() if name in some]
    needed += [text for call, text in CALLS.items() if call in some]
    return f"{''.join(needed)}x = {some}\n"


def program_text(r: random.Random) -> str:
    lines = [line for _ in range(r.randrange(1, 6)) for line in statement(r, 3)]
    return START + FUNCTIONS + "\n".join(lines) + "\n"


def noise_text(r: random.Random) -> str:
    """Words of the language in any order, or any bytes."""
    if r.random() < 0.75:
        return " ".join(r.choice(PIECES) for _ in range(r.randrange(40)))
    return "".join(chr(r.randrange(256)) for _ in range(r.randrange(60)))


KINDS: dict[str, tuple[Callable[[random.Random], str], int]] = {
    "expressions": (expression_text, 3),
    "programs": (program_text, 4),
    "noise": (noise_text, 2),
}
"""What is written, and for how many frames it runs."""


def text_of(kind: str, seed: int, case: int) -> str:
    return KINDS[kind][0](random.Random(f"{kind} {seed} {case}"))


FATES = ("refused", "fault", "ended", "runs")
"""What may become of a text: diagnostics with a place, a run-time error with one, its end, or it goes on."""


# ---- what must hold -----------------------------------------------------------------------------------


_SHARED = global_scope(lambda line: None, lambda: 0.5)
"""One global scope for all cases: scripts cannot change it, which `untouched` looks at."""
_BEFORE = dict(_SHARED.functions or {})


def attempt(text: str, frames: int) -> str:
    """Parse and run: one of FATES, or what they do not know. Raises AssertionError for what no text may do."""
    scope = _SHARED
    try:
        program = parse("fuzz", SourceText("fuzz.script", text), _BEFORE)
    except DiagnosticError as refused:
        told = refused.diagnostics
        return "refused" if told and all(d.span is not None and d.message for d in told) else "refused badly"
    clock = Clock()
    context = Context(program, Scope(scope), clock)
    for _ in range(frames):
        assert tick(context, BUDGET) <= BUDGET
        clock.advance(50)
        if context.done:
            break
        saved = save(context)
        copy = Context(program, Scope(scope), clock)
        restore(copy, saved)
        assert save(copy) == saved
        assert describe(context)
    for value in context.scope.values.values():
        assert is_value(value)
    if context.fault is not None:
        return "fault" if context.fault.span is not None else "fault without a place"
    return "ended" if context.done else "runs"


class Watch:
    """Listens to the interpreter itself while cases run: files, imports and compiled code have no place there."""

    FORBIDDEN = frozenset({"open", "import", "compile", "exec", "os.system", "object.__getattr__"})

    def __init__(self) -> None:
        self.armed = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)  # It cannot be taken away again, so there is one for the process.

    def _hear(self, event: str, args: object) -> None:
        if self.armed and event in self.FORBIDDEN:
            self.seen.append(event)


@cache
def watch() -> Watch:
    attempt(START + FUNCTIONS, 1)  # What is imported when it is first needed is imported now.
    return Watch()


def untouched() -> bool:
    """Whether no script has changed the global scope."""
    return not _SHARED.values and _SHARED.functions == _BEFORE


def run(kind: str, count: int, seed: int, first: int = 0) -> Counter[str]:
    """What became of so many cases. Raises AssertionError naming the case and its text."""
    fates: Counter[str] = Counter()
    frames, listening = KINDS[kind][1], watch()
    for case in range(first, first + count):
        text = text_of(kind, seed, case)
        listening.armed = True
        try:
            fate = attempt(text, frames)
            assert fate in FATES, fate
            fates[fate] += 1
            assert not listening.seen, listening.seen
        except Exception as error:
            listening.armed = False
            told = f"case {case} of {kind}, seed {seed}: {type(error).__name__}: {error}\n{text}"
            raise AssertionError(told) from error
        finally:
            listening.armed = False
    assert untouched()
    return fates


def main() -> int:
    arguments = argparse.ArgumentParser(description="Random line scripts; prints what became of them.")
    for kind in KINDS:
        arguments.add_argument(f"--{kind}", type=int, default=0, metavar="N")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0, metavar="N", help="The first case.")
    chosen = arguments.parse_args()
    for kind in KINDS:
        count, total, began = getattr(chosen, kind), Counter[str](), time.process_time()
        for start in range(0, count, 10_000):
            total += run(kind, min(10_000, count - start), chosen.seed, chosen.first + start)
            told = ", ".join(f"{number} {fate}" for fate, number in sorted(total.items()))
            print(f"{sum(total.values())} {kind}: {told}; {time.process_time() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
