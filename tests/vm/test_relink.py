"""What a link leaves as it is: code that would be the same again, and what only moved in its file."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest

from engine.gsc.cache import UnitCache
from engine.gsc.code import Unit, make_unit
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.source import Diagnostic
from engine.vm.core import core_registry
from engine.vm.epochs import KeptFunction
from engine.vm.machine import VM
from tests.vm.vm_kit import Scripts

MAIN = """main()
{
    level.n = 1;
    for (;;)
    {
        level.sum = lib::add(1, lib::two());
        other::tick();
        wait 0.05;
    }
}
"""
LIB = """add(a, b)
{
    return a + b;
}
two() { switch (level.n) { case 1: return 2; default: return 3; } }
loop()
{
    x = 1 + idle(2) * 3; level waittill("go", y); return x + y;
}
idle(n) { wait n; return n; }
"""
OTHER = "tick() { level.ticks = 1; }\n"
TEXTS = {"main": MAIN, "lib": LIB, "other": OTHER}


class Game:
    """A VM over scripts that change, as a session has it."""

    def __init__(self, make: UnitCache | None = None) -> None:
        self.errors: list[Diagnostic] = []
        self.vm = VM(core_registry(), report=self.errors.append, make=make or make_unit)
        self.cache = ParseCache()

    def link(self, **texts: str) -> Program:
        program = load_program(["main"], Scripts(**texts), self.vm.natives, cache=self.cache)
        self.vm.link(program)
        return program

    def units(self) -> dict[str, Unit]:
        return {f"{script}::{name}": unit for (script, name), unit in self.vm.linker.units.items()}

    def frame(self) -> None:
        self.vm.step(50)


def playing(make: UnitCache | None = None) -> Game:
    game = Game(make)
    game.link(**TEXTS)
    game.vm.start("main::main")
    game.frame()
    assert not game.errors
    return game


def same(before: dict[str, Unit], after: dict[str, Unit]) -> set[str]:
    return {name for name, unit in after.items() if before.get(name) is unit}


def test_only_what_changed_is_compiled_again() -> None:
    game = playing()
    before = game.units()
    assert set(before) == {"main::main", "lib::add", "lib::two", "other::tick"}
    calling = LIB.replace("a + b", "a + b + two()")
    game.link(**{**TEXTS, "lib": calling})
    game.frame()
    before = game.units()
    game.link(**{**TEXTS, "lib": calling.replace("a + b", "a + b + 10")})
    assert same(before, game.units()) == {"main::main", "other::tick"}
    game.frame()
    assert game.vm.level.get_field("sum") == 15
    assert set(game.units()) == set(before)


def test_callers_of_a_function_without_calls_know_what_it_gives() -> None:
    game = playing()
    before = game.units()
    game.link(**{**TEXTS, "lib": "// It only moves.\n" + LIB})
    game.frame()
    assert same(before, game.units()) == {"main::main", "other::tick"}
    game.link(**{**TEXTS, "lib": LIB.replace("a + b", '"<" + a + b + ">"')})
    game.frame()
    assert "main::main" not in same(before, game.units())
    assert game.vm.level.get_field("sum") == "<12>"
    game.link(**{**TEXTS, "lib": LIB})
    game.frame()
    assert game.vm.level.get_field("sum") == 3
    assert not game.errors


def test_an_error_in_what_callers_know_is_where_it_is_now() -> None:
    game = playing()
    broken = LIB.replace("return a + b;", "return a + b + level;")
    for lib, line in ((broken, 3), ("\n\n" + broken, 5), ("\n\n\n" + broken, 6)):
        game.link(**{**TEXTS, "lib": lib})
        game.errors.clear()
        game.vm.start("main::main")
        assert [error.span.line for error in game.errors if error.span] == [line]
        assert [entry.function for entry in game.errors[0].stack] == ["lib::add", "main::main"]


def test_callers_are_compiled_again_when_a_callee_begins_to_wait() -> None:
    game = playing()
    before = game.units()
    game.link(**{**TEXTS, "other": "tick() { wait 0.05; level.ticks = 2; }"})
    game.frame()
    after = game.units()
    assert after["main::main"] is not before["main::main"]
    assert after["lib::add"] is before["lib::add"]
    for _ in range(3):
        game.frame()
    assert game.vm.level.get_field("ticks") == 2
    assert not game.errors


def test_callers_are_compiled_again_when_a_callee_takes_fewer_arguments() -> None:
    game = playing()
    game.link(**{**TEXTS, "lib": LIB.replace("add(a, b)", "add(a)").replace("a + b", "a")})
    game.frame()
    assert game.errors, "the call gives one too many now, which is a fault when it runs"


@pytest.mark.parametrize("above", ["", "\n\n// a remark\n", "more() { return 1; }\n", "  /* x */\n"])
def test_a_function_that_moved_has_the_code_that_it_would_be_compiled_to(tmp_path: Path, above: str) -> None:
    make = UnitCache(tmp_path)
    game = Game(make)
    names = ("add", "two", "loop", "idle")
    game.link(**TEXTS)
    first = {name: game.vm.linker.compile(game.vm.function(f"lib::{name}")) for name in names}
    misses = make.misses
    program = game.link(**{**TEXTS, "lib": above + LIB})
    for name in names:
        unit = game.vm.linker.compile(game.vm.function(f"lib::{name}"))
        assert game.vm.linker.linked is not None
        fresh = make_unit(program, ("lib", name), game.vm.linker.linked.behaviour, False)
        assert list(unit.code.co_positions()) == list(fresh.code.co_positions())
        assert unit.code.co_code == fresh.code.co_code
        assert (unit.sites, unit.spills, unit.digest) == (fresh.sites, fresh.spills, fresh.digest)
        assert (unit.code is first[name].code) == (not above)
    assert make.misses == misses


@pytest.mark.parametrize(
    "lib",
    [
        LIB.replace("two() {", " two() {"),
        LIB.replace("wait n;", ""),
        LIB.replace("return a + b", "return a - b"),
    ],
    ids=["another column", "a callee that waits no more", "another text"],
)
def test_what_is_not_as_it_was_is_compiled(tmp_path: Path, lib: str) -> None:
    make = UnitCache(tmp_path)
    game = Game(make)
    for text in (LIB, lib):
        program = game.link(**{**TEXTS, "lib": text})
        for name in ("add", "two", "loop", "idle"):
            unit = game.vm.linker.compile(game.vm.function(f"lib::{name}"))
            assert game.vm.linker.linked is not None
            fresh = make_unit(program, ("lib", name), game.vm.linker.linked.behaviour, False)
            assert unit.code == fresh.code
            assert list(unit.code.co_positions()) == list(fresh.code.co_positions())
            assert unit.sites == fresh.sites
    assert make.misses > 4


def test_an_error_in_moved_code_is_shown_where_it_is_now(tmp_path: Path) -> None:
    game = playing(UnitCache(tmp_path))
    text = LIB.replace("return a + b;", "return a + b.x;")
    game.link(**{**TEXTS, "lib": text})
    game.frame()
    assert [str(error.span) for error in game.errors] == ["lib.gsc:3:18"]
    game.errors.clear()
    game.link(**{**TEXTS, "lib": "\n\n" + text})
    game.vm.start("main::main")
    assert [str(error.span) for error in game.errors] == ["lib.gsc:5:18"]


def test_reloads_leave_nothing_behind(tmp_path: Path) -> None:
    make = UnitCache(tmp_path)
    game = Game(make)
    game.link(**TEXTS)
    game.vm.start("main::main")

    def reload(count: int) -> None:
        for number in range(count):
            # Both a function that is called and one that nobody calls change, and what is below them moves.
            lib = LIB.replace("a + b", f"a + b + {number}").replace("y;", f"y + {number};")
            game.link(**{**TEXTS, "lib": lib, "main": "\n" * (number % 3) + MAIN})
            game.frame()

    tracemalloc.start()
    try:
        reload(30)
        held = []
        for _ in range(3):
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
            reload(200)
    finally:
        tracemalloc.stop()
    # One script left behind by each reload would be a megabyte. Python's table of names may get larger once meanwhile.
    assert min(after - before for before, after in pairwise(held)) < 60_000
    assert not game.errors


def test_old_code_is_forgotten_when_nothing_is_inside_of_it_any_more(tmp_path: Path) -> None:
    text = "main() { level.n = 1; wait 0.1; level.done = lib::two(); }"
    game = Game(UnitCache(tmp_path))
    game.link(**{**TEXTS, "main": text})
    game.vm.start("main::main")
    changed = text.replace("wait 0.1;", "")
    program = load_program(["main"], Scripts(**{**TEXTS, "main": changed}), game.vm.natives, cache=game.cache)
    assert len(game.vm.link(program, policy=lambda key: "keep").kept) == 1
    for _ in range(4):
        game.frame()
    assert game.vm.level.get_field("done") == 2
    known = game.vm.linker.codes.known
    assert any(isinstance(compiled.function, KeptFunction) for compiled in known.values())
    game.link(**{**TEXTS, "main": changed + "\n"})
    assert not any(isinstance(compiled.function, KeptFunction) for compiled in known.values())
    gc.collect()
    assert not list(game.vm.linker.epochs), "the last one is that of the last link, which nobody keeps"
