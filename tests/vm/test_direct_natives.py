"""Built-ins that are called without their wrapper: whoever can see the difference has found a fault."""

from __future__ import annotations

import pytest

from engine.gsc.emitter import emit
from engine.vm.arrays import Array
from engine.vm.core import core_registry
from engine.vm.linkage import Linker
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from tests.vm.vm_kit import Run, make


class Host:
    """A service."""

    number = 40


class Crate(ScriptObject):
    type_name = "crate"
    mass = 0.1


class Barrel(Crate):
    type_name = "barrel"


def make_registry() -> Registry:
    registry = Registry(services=(Host,))
    registry.include(core_registry())

    @registry.function()
    def big(n: int) -> int:
        return n * 3

    @registry.function()
    def is_two(n: int) -> bool:
        return n == 2

    @registry.function()
    def lies(n: int) -> int:
        return n > 1

    @registry.function()
    def tenth(x: float, y: float | None = None) -> float:
        return x / 10 if y is None else x / y

    @registry.function()
    def thirds(v: Vector) -> Vector:
        return (v[0] / 3, v[1] / 3, v[2] / 3)

    @registry.function()
    def joined(a: str, b: str) -> str:
        return a + b

    @registry.function()
    def count(items: Array) -> int:
        return len(items)

    @registry.function()
    def same(value: Value) -> Value:
        return value

    @registry.function()
    def quiet(host: Host, n: int) -> None:
        host.number = n

    @registry.function()
    def served(vm: VM, host: Host, n: int) -> int:
        return host.number + n + vm.time

    @registry.function(exact=True)
    def as_it_is(n: int) -> int:
        return n

    @registry.function()
    def crate() -> Crate:
        return Crate()

    @registry.function()
    def barrel() -> Crate:
        return Barrel()

    @registry.function()
    def crush(vm: VM, crate: Crate) -> None:
        vm.free(crate)

    @registry.method()
    def weigh(crate: Crate, times: int) -> float:
        return crate.mass * times

    @registry.method()
    def move(crate: Crate, host: Host, by: Vector) -> Vector:
        return (by[0] + host.number, by[1], by[2])

    return registry


CALLS = [
    "big(5)", "big(1000000000)", 'big("5")', "big(2.5)", "big()", "big(1, 2)", "big(undefined)", "is_two(2)",
    "is_two(3)", "lies(2) + 1", "tenth(1)", "tenth(1.0)", "tenth(7, 3)", "tenth(7.5, 2.0)", 'tenth("x")',
    "tenth(1, undefined)", "tenth(n)", "tenth(x)", "thirds((1, 2, 3))", "thirds(n)", "thirds(v)[0]",
    'joined("a", "b")', 'joined("a", 5)', "joined(x, v)", "joined(undefined, s)",
    "count(list)", "count(n)", "same(list).size", "same(undefined)", "same(v)",
    "quiet(3)", "served(2)", "served(x)", "as_it_is(7)", "crate() weigh(3)", "barrel() weigh(3)", "level weigh(3)",
    "n weigh(3)", 'crate() weigh("x")', "crate() move((1, 2, 3))", "barrel() move(v)", "crate() move(n)",
    "gone weigh(1)", "undefined weigh(1)", "big(f(2))", "big(f(x))", "served(f(1)) % 7", "(int)(tenth(f(3)) * 100)",
]  # fmt: skip
PROGRAM = """
main()
{{
    n = 6; x = 2.5; v = (1, 0.5, 0.25); s = "s"; list[0] = 1; list[1] = 2; gone = crate(); crush(gone);
    r = {call};
    println("=", r, "=");
    if ({call}) println("true");
    println("end");
}}
f(a) {{ return a; }}
"""


def outcome(call: str, policy: str) -> tuple[list[str], list[str], list[tuple[int, int]]]:
    run: Run = make(policy, make_registry(), (Host(),))
    run.vm.link(run.program(main=PROGRAM.format(call=call)))
    run.vm.start("main::main")
    return run.lines, run.messages, run.places


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize("call", CALLS)
def test_like_through_the_wrapper(call: str, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = outcome(call, policy)
    monkeypatch.setattr(Linker, "_built_in", lambda self, native: None)
    assert direct == outcome(call, policy)


def emitted(call: str) -> str:
    run = make("stop", make_registry(), (Host(),))
    program = run.program(main=PROGRAM.format(call=call))
    run.vm.link(program)
    linked = run.vm.linker.linked
    assert linked is not None
    script = program.scripts["main"]
    return emit("main", script.functions["main"], linked.behaviour, recovers=False).text


def test_known_arguments_need_no_wrapper() -> None:
    assert "N_big" not in emitted("big(5)")
    assert "N_big" in emitted("big(level.n)")
    assert "G_big(T1)" in emitted("big(level.n)")
    assert "G_tenth(7.0, None)" in emitted("tenth(7)")
    assert "G_count" not in emitted("count(5)")


def test_what_a_built_in_gives_is_known() -> None:
    text = emitted("tenth(1) + 1")
    assert "ADD" not in text
    assert "M[0]" in text


def test_exact_results_are_not_looked_at() -> None:
    assert "G_as_it_is(7)\n" in emitted("as_it_is(7)")
    registry = Registry()

    @registry.function(exact=True)
    def raw() -> float:
        return 0.1

    run = make("stop", registry)
    assert run.vm.linker.native("raw", False)() == 0.1
