"""The graph of calls over many versions of a program: as if it had been drawn anew each time."""

from __future__ import annotations

from random import Random

import pytest

from engine.gsc.callgraph import CallGraph, dependencies
from engine.gsc.catalogue import Signature
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.gsc.suspension import Key
from engine.gsc.syntax import NativeFunction
from engine.source import SourceText

FILES, FUNCTIONS = 4, 5
NATIVES = ("delete", "println", "gettime")


class Natives:
    def function(self, name: str) -> Signature | None:
        return Signature(name) if name in NATIVES else None

    def method(self, name: str) -> Signature | None:
        return Signature(name) if name == "delete" else None


class Scripts:
    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def find(self, name: str) -> SourceText | None:
        text = self.texts.get(name)
        return SourceText(f"{name}.gsc", text) if text is not None else None


def pure(native: NativeFunction) -> bool:
    return native.name != "delete"


def function(random: Random, number: int) -> str:
    def other() -> str:
        return f"s{random.randrange(FILES)}::f{random.randrange(FUNCTIONS)}"

    lines = [
        random.choice(
            (
                "x = 1;",
                "wait 1;",
                "level delete();",
                f"{other()}();",
                f"level {other()}(1);",
                f"thread {other()}();",
                f"x = ::f{random.randrange(FUNCTIONS)};",
                f"println({other()}());",
                "[[ level.x ]]();",
                "level thread [[ level.x ]]();",
                'level waittill("x");',
            )
        )
        for _ in range(random.choice((0, 1, 1, 2, 3)))
    ]
    params = ", ".join("abc"[: random.choice((0, 0, 1, 2))])
    return f"f{number}({params}) {{ {' '.join(lines)} }}\n"


def script(random: Random) -> str:
    return "".join(function(random, number) for number in range(FUNCTIONS))


def facts(program: Program, graph: CallGraph) -> dict[Key, tuple[str, bool]]:
    """What the text of each function depends on."""
    behaviour = graph.behaviour
    return {
        (name, f): (dependencies((name, f), deed, behaviour), (name, f) in behaviour.suspends)
        for name, each in program.scripts.items()
        for f, deed in each.deeds.items()
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("developer", [True, False])
def test_every_version_is_as_if_it_were_the_first(seed: int, developer: bool) -> None:
    random = Random(seed)
    texts = {f"s{n}": script(random) for n in range(FILES)}
    texts["main"] = "main() { " + "".join(f"s{n}::f0();" for n in range(FILES)) + " }"
    cache = ParseCache()
    graph = CallGraph(pure)
    silent = frozenset({"println"})
    before: dict[Key, tuple[str, bool]] = {}
    scripts: dict[str, object] = {}
    for _ in range(25):
        program = load_program(["main"], Scripts(texts), Natives(), cache=cache, developer=developer)
        keys = [(n, f) for n, each in program.scripts.items() for f in each.functions]
        waiting = frozenset(random.sample(keys, random.choice((0, 0, 1, 3))))
        stale = graph.update(program.scripts, waiting, developer=developer, developer_natives=silent)
        fresh = CallGraph(pure)
        everything = fresh.update(program.scripts, waiting, developer=developer, developer_natives=silent)
        assert set(everything) == set(keys)
        assert graph.behaviour == fresh.behaviour
        after = facts(program, graph)
        for key in keys:
            same = scripts.get(key[0]) is program.scripts[key[0]]
            assert (key in stale) or (same and before[key] == after[key])
        for key in stale:
            same = scripts.get(key[0]) is program.scripts.get(key[0])
            assert not same or before[key] != after[key], "nothing is compiled again without a reason"
        before, scripts = after, dict(program.scripts)
        changed = f"s{random.randrange(FILES)}"
        number = random.randrange(FUNCTIONS)
        lines = texts[changed].splitlines(keepends=True)
        lines[number] = function(random, number)
        texts[changed] = "".join(lines)


def test_a_function_that_is_gone_and_comes_back() -> None:
    graph = CallGraph(pure)
    cache = ParseCache()

    def update(text: str) -> set[Key]:
        program = load_program(["main"], Scripts({"main": text}), Natives(), cache=cache)
        return set(graph.update(program.scripts, developer=True, developer_natives=frozenset()))

    assert update("main() { } f() { wait 1; }") == {("main", "main"), ("main", "f")}
    assert graph.behaviour.suspends == {("main", "f")}
    assert ("main", "f") in update("main() { }")
    assert graph.behaviour.suspends == frozenset()
    assert dict(graph.behaviour.arity) == {("main", "main"): 0}
    assert ("main", "f") in update("main() { f(); } f() { wait 1; }")
    assert graph.behaviour.suspends == {("main", "f"), ("main", "main")}
