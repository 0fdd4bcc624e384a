"""How threads go on: by code of each site or by one function for all, and what is kept at hand for them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from unittest.mock import patch

import pytest

from engine.gsc import emitter
from engine.vm.core import core_registry
from engine.vm.events import KEPT
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject, ScriptStruct
from tests.vm.vm_kit import make, play

LAYOUTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "as usual": nullcontext,
    "one function": lambda: patch.object(emitter, "MAX_TAILS", 0),
    "all apart": lambda: patch.multiple(emitter, MAX_TAILS=1 << 20, SHORT=1 << 20),
}

WAYS = """
main()
{
    for (i = 0; i < 6; i++)
    {
        wait 0.05;
        if (i == 1)
            continue;
        if (i == 4)
            break;
        n = 0;
        while (1)
        {
            n++;
            if (n == 2) { wait 0.05; continue; }
            if (n == 3) { slow(n); break; }
        }
        println("i ", i, " n ", n);
    }
    println("left at ", i);
    for (k = 0; k < 5; k++)
    {
        switch (k)
        {
            case 0: wait 0.05; println("zero");
            case 1: println("one"); wait 0.05; break;
            case 2: wait 0.05; continue;
            case 3: if (slow(k) == 3) { println("three"); break; } println("never");
            default: wait 0.05; println("other ", k);
        }
        println("after ", k);
    }
    do { wait 0.05; k--; if (k == 3) continue; println("down ", k); } while (slow(k) > 2);
    if (slow(0)) println("never"); else if (slow(1)) { wait 0.05; println("second"); } else println("never");
    println("end");
}
slow(v) { wait 0.05; return v; }
"""

TOLD = [
    "i 0 n 3", "i 2 n 3", "i 3 n 3", "left at 4", "zero", "one", "after 0", "one", "after 1", "three", "after 3",
    "other 4", "after 4", "down 4", "down 2", "second", "end",
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_goes_on_alike(layout: str) -> None:
    with LAYOUTS[layout]():
        run = play(WAYS)
    assert run.messages == []
    assert run.lines == TOLD


def test_code_of_its_own_is_for_functions_of_which_it_is_short() -> None:
    run = make()
    many = "".join(f"x = x + y * {n}; wait {n};" for n in range(1, 40))
    run.vm.link(
        run.program(main=f"main() {{ wait 1; few(); }} few() {{ wait 1; wait 2; }} many() {{ {many} }}")
    )
    units = {name: run.vm.linker.compile(run.vm.function(f"main::{name}")) for name in ("few", "many")}
    assert (len(units["few"].sites), len(units["few"].tails)) == (2, 2)
    assert (len(units["many"].sites), len(units["many"].tails)) == (39, 0)


def test_places_for_waiters_stay_but_for_few_events() -> None:
    run = play(
        """
main() { for (i = 0; i < 60; i++) { thread t("e" + i); level notify("e" + i); wait 0.05; } thread u(); }
t(name) { level waittill(name); }
u() { level waittill("e3"); println("again"); }
"""
    )
    level = run.vm.level
    assert level.waiters is not None
    assert len(level.waiters) <= KEPT + 1
    before = run.vm.state_hash()
    run.vm.restore(run.vm.snapshot())
    assert run.vm.state_hash() == before
    run.vm.notify(level, "e3")
    run.frames(1)
    assert (run.lines, run.vm.stats().waiters) == (["again"], 0)


def test_an_object_that_was_looked_at_has_a_dict_of_its_own() -> None:
    thing = ScriptStruct()
    thing.set_field("x", 1)
    assert list(thing.fields()) == [("x", 1)]
    held = thing.held
    assert held is thing.__dict__
    thing.set_field("y", 2)
    assert thing.held is held
    thing.remove_field("x")
    assert list(thing.fields()) == [("y", 2)]
    assert thing.get_field("x") is None


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize(
    "use", ["y = self.x;", "self.x = 2;", "self.x++;", "self.never = 1;", "y = self.never;"]
)
def test_a_field_of_a_self_that_has_ended(use: str, policy: str) -> None:
    registry = core_registry()

    @registry.function()
    def free(vm: VM, target: ScriptObject) -> None:
        vm.free(target)

    run = make(policy, registry)
    text = (
        f"main() {{ a = spawnstruct(); a.x = 1; a thread t(); }}\nt() {{ free(self);\n{use}\nprintln(1); }}"
    )
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    assert run.messages[0] == "dead entity is not an object"
    assert run.errors[0].span is not None
    assert run.errors[0].span.line == 3
    assert run.lines == (["1"] if policy == "continue" else [])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_deep_nests_of_switches_and_branches_around_waits_compile(layout: str) -> None:
    """Work for a site must not double with every switch around it: sixty of them would never be done."""
    depth = 60
    opened = "".join("if (w(1)) { " if n % 2 else "switch (w(1)) { case 1: " for n in range(depth))
    text = f'main() {{ {opened} println("in"); {"}" * depth} }} w(n) {{ wait 0.05; return n; }}'
    with LAYOUTS[layout]():
        run = play(text)
    assert (run.lines, run.messages) == (["in"], [])
