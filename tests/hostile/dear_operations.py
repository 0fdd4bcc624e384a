"""Which single operations take a frame longer than their budget says.

    python -m tests.hostile.dear_operations [--ratio 3] [--dialect uo]

plays a loop around every operator, conversion, statement and built-in that needs no level, with small and with the
largest operands of each type, known to the compiler and not, until the budget ends it. Printed is what took so many
times as long as a loop that does nothing: its price in `engine.vm.charges` or `engine.gsc.cost` is too low. It
takes a few minutes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import product

from engine.gsc.dialect import DIALECTS, Dialect
from engine.gsc.program import load_program
from engine.source import DiagnosticError, SourceText
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.registry import Registry
from engine.vm.strict_natives import strict_registry

LONG = 'long = "1"; for (i = 0; i < 13; i++) long += long; words = "1,2,3,4,"; for (i = 0; i < 10; i++) words += words;'
VALUES = {
    "an int": "7",
    "a float": "1.5",
    "a string": '"1.50"',
    "a long string": "long",
    "many words": "words",
    "a vector": "(1.25, -2000000000, 3)",
    "a struct": "spawnstruct()",
    "a function": "::main",
    "an array": "[]",
}
BINARY = ["+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "&", "|", "^", "&&", "||"]
UNARY = (
    "!a", "~a", "-a", "(int)a", "(float)a", "(string)a", "(bool)a", "a.size", "a[0]", "(a, a, a)", "isdefined(a)", "[]",
)  # fmt: skip
STATEMENTS = (
    "if (a) x = 1;", "switch (a) { case 1: x = 1; break; default: x = 2; }", "level.x = a;", "y[1] = a;",
    "level.y[1] = a;", "level notify(a);", 'level notify("e", a);', "x = a; x[1] = 2;", 'level["q"] = a;', "y[a] = 1;",
    "level[a] = 1;", "x = level.y[a];", "y = a; y = undefined;", "thread same(a);", "x = same(a);",
    "x = spawnstruct();",
)  # fmt: skip
EXCLUDED = frozenset({"resettimeout"})
"""What gives a new budget."""


def bodies(registry: Registry, functions: bool) -> Iterator[tuple[str, str]]:
    """What is done first, and what in the loop. `functions`: the built-ins, else the operations."""
    if functions:
        setup = "v = (1, 2, 3); y = [];"
        for name in sorted(registry.functions.keys() - EXCLUDED):
            for count in range(4):
                for args in product(("7", "long", "words", "v"), repeat=count):
                    yield setup, f"x = {name}({', '.join(args)});"
        return
    for known, a in product((True, False), VALUES.values()):
        first = f"a = {a if known else f'same({a})'}; y = []; level.y = [];"
        for expression in UNARY:
            yield first, f"x = {expression};"
        for statement in STATEMENTS:
            yield first, statement
        for b in VALUES.values():
            second = f"{first} b = {b if known else f'same({b})'};"
            for operator in BINARY:
                yield second, f"x = a {operator} b;"
            yield second, "x = a[b];"


class Scripts:
    def __init__(self, text: str) -> None:
        self.text = text

    def find(self, name: str) -> SourceText | None:
        return SourceText("dear.gsc", self.text) if name == "dear" else None


def seconds(registry: Registry, dialect: Dialect, setup: str, body: str) -> float:
    """Processor time of the frame in which the loop runs. Raises `DiagnosticError` for what does not compile."""
    vm = VM(
        registry,
        settings=Settings(),
        report=lambda _: None,
        out=lambda _: None,
        dialects={"iw4": (registry, None)} if dialect.rules.strict else {},
    )
    text = f"main() {{ {LONG} {setup} wait 0.05; wait 0.05; for (;;) {{ {body} }} }} same(value) {{ return value; }}"
    vm.link(load_program(["dear"], Scripts(text), vm.natives, dialect=dialect))
    vm.start("main")
    vm.step()
    begin = time.process_time()
    vm.step()
    vm.step()
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--ratio", type=float, default=3.0, help="print what takes so many times as long as nothing"
    )
    parser.add_argument("--dialect", choices=("uo", "iw4"), default="uo")
    options = parser.parse_args()
    dialect = DIALECTS[options.dialect]
    registry = strict_registry() if dialect.rules.strict else core_registry()
    nothing = min(seconds(registry, dialect, "", "") for _ in range(5))
    print(f"a loop that does nothing: {1000 * nothing:.1f} ms", flush=True)
    played = dear = 0
    for setup, body in (*bodies(registry, False), *bodies(registry, True)):
        try:
            least = seconds(registry, dialect, setup, body)
            # Whatever else runs on the machine makes it longer, never shorter.
            for _ in range(3):
                if least <= options.ratio * nothing:
                    break
                least = min(least, seconds(registry, dialect, setup, body))
        except DiagnosticError:
            continue
        played += 1
        if least > options.ratio * nothing:
            dear += 1
            print(f"{1000 * least:7.1f} ms  {least / nothing:5.1f} times  {body}   after {setup}", flush=True)
    print(f"{dear} of {played} are dear")


if __name__ == "__main__":
    main()
