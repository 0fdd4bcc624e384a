"""Mistakes of a host that once were taken in silence, or told as something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.vm.arrays import Array
from engine.vm.core import core_registry
from engine.vm.heap import HeapIn, HeapOut, ObjectKind
from engine.vm.limits import Settings
from engine.vm.objects import EngineField, ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Value, wrap
from tests.vm.vm_kit import Run, make


def linked(text: str, registry: Registry | None = None) -> Run:
    run = make(registry=registry)
    run.vm.link(run.program(main=text))
    return run


@pytest.mark.parametrize("pure", [True, False])
@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_number_of_numpy_from_a_native_becomes_an_int(policy: str, pure: bool) -> None:
    registry = core_registry()

    @registry.function(pure=pure)
    def n(kind: int) -> int:
        return (np.int64(5), np.int8(5), np.uint64(2**63 + 5), True)[kind]  # type: ignore[return-value]

    run = make(policy, registry)
    run.vm.link(run.program(main="main() { for (i = 0; i < 4; i++) level.x[i] = n(i); }"))
    run.vm.start("main::main")
    assert run.messages == []
    assert [(type(v), v) for v in run.vm.level.get_field("x").values()] == [(int, 5)] * 3 + [(int, 1)]
    run.vm.restore(run.vm.snapshot())


def test_what_is_no_whole_number_does_not_wrap() -> None:
    for value in (1.5, np.float64(1), "x", None):
        with pytest.raises(TypeError):
            wrap(value)  # type: ignore[arg-type]  # the mistake that is meant


def test_a_limit_of_strings_that_nothing_looks_at_is_refused() -> None:
    with pytest.raises(ValueError, match="max_string is 511; it must be 512 or more"):
        Settings(max_string=511)
    assert Settings(max_string=512).max_string == 512


def test_a_text_that_is_too_long_to_be_read_back_is_not_written() -> None:
    registry = core_registry()

    @registry.function()
    def long() -> Value:
        return "x" * 9000

    run = linked("main() { level.q = long(); }", registry)
    run.vm.start("main::main")
    for length in (9000, 8193):
        for look in (run.vm.snapshot, run.vm.state_hash):
            with pytest.raises(TypeError, match=f"of {length} characters cannot be saved: .* at most 8192"):
                look()
        run.vm.level.set_field("q", "x" * 8193)
    run.vm.level.set_field("q", "x" * 8192)
    run.vm.restore(run.vm.snapshot())


class Lamp(ScriptObject):
    type_name = "lamp"

    @EngineField.of("int")
    def i(self) -> Any:
        return "x"

    @EngineField.of("int")
    def Power(self) -> int:  # what is tried here
        return 7


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_getter_that_gives_something_else_is_named_with_its_file(policy: str) -> None:
    run = make(policy)
    run.vm.link(run.program(main="main(lamp) { x = lamp.i; }"))
    run.vm.start("main::main", None, [Lamp()])
    (error,) = run.errors
    assert error.message.startswith("internal error of a getter of the host: field 'i' of lamp gave")
    (note,) = error.notes
    line = vars(Lamp)["i"].getter.__code__.co_firstlineno
    assert note.message.startswith("given by i, ")
    assert note.message.endswith(f"test_host_mistakes.py:{line}")


def test_a_field_that_is_declared_with_capitals_is_what_scripts_read() -> None:
    run = linked("main(lamp) { println(lamp.Power, lamp.power); }")
    lamp = Lamp()
    run.vm.start("main::main", None, [lamp])
    assert run.lines == ["77"]
    assert (lamp.Power, lamp.get_field("power")) == (7, 7)


def test_three_things_that_are_no_vector_are_told_as_such() -> None:
    run = linked("main() { }")
    with pytest.raises(TypeError, match=r"field 'v' cannot hold a Python tuple: .*its parts are no numbers"):
        run.vm.level.set_field("v", ("a", 1, 2))


def test_a_field_of_an_object_that_has_ended_is_told_as_such() -> None:
    run = linked("main() { }")
    lamp = Lamp()
    run.vm.free(lamp)
    with pytest.raises(AttributeError, match="field 'v' cannot be set: the object has ended"):
        lamp.set_field("v", 1)


@pytest.mark.parametrize("args", [Lamp(), 5, "text", Array.of([1]), None])
def test_arguments_that_are_no_list_are_told_as_such(args: Any) -> None:
    run = linked("main(a) { println(a); }")
    with pytest.raises(
        TypeError, match="the arguments of main::main are a list or a tuple of values, not one"
    ):
        run.vm.start("main::main", None, args)
    run.vm.start("main::main", None, (n for n in [3]))
    assert run.lines == ["3"]


def test_a_thread_that_has_ended_is_not_begun_again() -> None:
    run = linked("main() { level.n++; wait 1; }")
    run.vm.level.set_field("n", 0)
    thread = run.vm.start("main::main")
    fresh = run.vm.restart(thread)
    with pytest.raises(ValueError, match="has ended"):
        run.vm.restart(thread)
    run.vm.drain()
    assert run.vm.level.get_field("n") == 2
    run.vm.end(fresh)
    run.vm.end(fresh)


@pytest.mark.parametrize("inner", [True, False])
def test_a_state_host_that_returns_nothing_is_told_before_anything_changes(inner: bool) -> None:
    class Forgetful:
        def __init__(self) -> None:
            self.kinds: list[ObjectKind] = []

        def write(self, out: HeapOut) -> None:
            pass

        def read(self, inp: HeapIn) -> Any:
            return (lambda: None) if inner else None

    run = linked("main() { wait 1; level.after = 1; }")
    thread = run.vm.start("main::main")
    run.vm.state_host = Forgetful()
    state = run.vm.snapshot()
    run.vm.level.set_field("now", 5)
    with pytest.raises(TypeError, match="read of Forgetful, the state host, returns"):
        run.vm.restore(state)
    assert run.vm.level.get_field("now") == 5
    assert (thread.ended, list(run.vm.runner.suspended)) == (False, [thread])
    run.vm.state_host = type("Host", (Forgetful,), {"read": lambda self, inp: lambda: lambda: None})()
    run.vm.restore(state)
    assert run.vm.level.get_field("now") is None
