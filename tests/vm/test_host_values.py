"""What a host gives to scripts: arrays are values, and what a state could not be read with is refused at once."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.vm.arrays import Array
from engine.vm.core import core_registry
from engine.vm.errors import Halted
from engine.vm.machine import VM
from engine.vm.native import facts_of
from engine.vm.objects import EngineField, ScriptObject, ScriptStruct
from engine.vm.registry import Registry
from engine.vm.values import Value
from tests.vm.vm_kit import Run, make

WAITERS = """
main() { }
hear(n) { level waittill("ev", a); a[0] = n; wait 0.05; println(n, " has ", a[0]); }
own(a, n) { a[0] = n; wait 0.05; println(n, " has ", a[0]); }
fields() { level.p[0] = 9; println(level.p[0], " ", level.q[0]); }
inner() { level.p["in"][0] = 9; println(level.p["in"][0], " ", level.q["in"][0]); }
tell() { tell_both(); }
keeps() { x = kept(); x[0] = 77; y = kept(); println(y[0]); }
"""


def linked(text: str, registry: Registry | None = None) -> Run:
    run = make(registry=registry)
    run.vm.link(run.program(main=text))
    return run


def hosted() -> tuple[Run, Array]:
    registry, kept = Registry(), Array.of([1])
    registry.include(core_registry())

    @registry.function()
    def tell_both(vm: VM) -> None:
        vm.notify(vm.level, "ev", Array.of([1]))

    @registry.function("kept")
    def keep() -> Value:
        return kept

    return linked(WAITERS, registry), kept


@pytest.mark.parametrize("given", ["list", "array", "native"])
def test_each_thread_that_hears_of_an_array_has_its_own(given: str) -> None:
    run, _ = hosted()
    for name in ("a", "b"):
        run.vm.start("main::hear", None, [name])
    if given == "native":
        run.vm.start("main::tell")
    else:
        run.vm.notify(run.vm.level, "ev", [1] if given == "list" else Array.of([1]))
    run.frames(3)
    assert sorted(run.lines) == ["a has a", "b has b"]


def test_threads_that_are_started_with_one_array_have_each_its_own() -> None:
    run, _ = hosted()
    array = Array.of([0])
    for name in ("x", "y"):
        run.vm.start("main::own", None, [array, name])
    run.frames(3)
    assert sorted(run.lines) == ["x has x", "y has y"]
    assert array[0] == 0


def test_an_array_in_two_fields_is_two_values() -> None:
    run, _ = hosted()
    for held, name in ((Array.of([1]), "fields"), (Array({"in": Array.of([1])}), "inner")):
        run.vm.level.set_field("p", held)
        run.vm.level.set_field("q", held)
        run.vm.start(f"main::{name}")
    assert run.lines == ["9 1", "9 1"]


def test_an_array_that_a_native_keeps_is_not_written_to() -> None:
    run, kept = hosted()
    run.vm.start("main::keeps")
    assert run.lines == ["1"]
    assert kept[0] == 1


LOOP = Array()
LOOP["x"] = LOOP

REFUSED: list[tuple[Any, str]] = [
    ("10 \u20ac", r"'\u20ac' is no character of a script string.*'replace'"),
    ("\ud800", "is no character of a script string"),
    (Array.of(["a", "\u0142"]), r"at \[1\]: '\u0142' is no character"),
    (Array({"\u20ac": 1}), "is no character"),
    (Array({2**40: 1}), "1099511627776 is no key of an array"),
    (Array({None: 1}), "None is no key of an array"),
    (Array({True: 1}), "True is no key of an array"),
    (Array.of([Array.of([object()])]), r"at \[0\]: at \[0\]: object is no script value"),
    (LOOP, "holds itself"),
    ((10**400, 0, 0), "beyond what floats can be"),
]


@pytest.mark.parametrize(("value", "reason"), REFUSED)
def test_what_a_state_could_not_be_read_with_is_refused_where_it_is_given(value: Any, reason: str) -> None:
    run = linked("main(a) { level waittill(a); }")
    with pytest.raises(TypeError, match=f"field 'name' cannot hold a Python .*{reason}"):
        run.vm.level.set_field("name", value)
    with pytest.raises(TypeError, match=f"argument 2 of main::main: .*{reason}"):
        run.vm.start("main::main", None, [1, value])
    with pytest.raises(TypeError, match=f"argument 1 of event 'e': .*{reason}"):
        run.vm.notify(run.vm.level, "e", value)
    assert run.vm.level.get_field("name") is None


def test_long_texts_and_events_that_no_script_can_name_are_refused() -> None:
    run = linked("main(a) { }")
    longest = run.vm.settings.max_string
    run.vm.start("main::main", None, ["x" * longest])
    with pytest.raises(TypeError, match=f"a text of {longest + 1} characters is longer than strings may be"):
        run.vm.start("main::main", None, ["x" * (longest + 1)])
    with pytest.raises(TypeError, match="is no character of a script string"):
        run.vm.notify(run.vm.level, "\u20ac")


@pytest.mark.parametrize("result", ["\u20ac", (10**400, 0, 0), ["\u20ac"]])
def test_a_result_that_no_state_could_hold_is_told_with_its_native(result: Any) -> None:
    registry = Registry()

    @registry.function()
    def wrong() -> Value:
        return result

    run = linked("main() { x = wrong(); level.after = 1; }", registry)
    run.vm.start("main::main")
    (message,) = run.messages
    assert message.startswith("internal error: built-in 'wrong' returned a Python ")
    assert run.vm.level.get_field("after") is None


def test_what_is_in_an_array_is_brought_into_the_domain_of_script_values() -> None:
    level = ScriptStruct()
    given = Array.of([True, 0.1, 2**31, (1, 2, 3), [1], "\xe9"])
    level.set_field("a", given)
    got = level.get_field("a")
    assert list(got.values())[:4] == [1, 0.10000000149011612, -(2**31), (1.0, 2.0, 3.0)]
    assert [type(part) for part in got[3]] == [float] * 3
    assert (got[0].__class__, got[4][0], got[5]) == (int, 1, "\xe9")
    assert given[2] == 2**31
    whole = Array.of([1, "x", 0.5, (1.0, 2.0, 3.0)])
    level.set_field("a", whole)
    assert level.get_field("a") is whole
    level.set_field("a", Array.of([math.nan]))
    assert math.isnan(level.get_field("a")[0])


def test_a_field_is_set_by_the_name_that_scripts_may_write_in_any_case() -> None:
    run = linked("main() { println(level.power, level.Power); }")
    run.vm.level.set_field("Power", 3)
    run.vm.start("main::main")
    assert run.lines == ["33"]
    assert run.vm.level.get_field("power") == 3
    with pytest.raises(TypeError, match="the name of a field is text, not 5"):
        run.vm.level.set_field(5, 3)  # type: ignore[arg-type]  # the mistake that is meant


class Lamp(ScriptObject):
    type_name = "lamp"
    given: Any = None
    calls = 0

    @EngineField.of("int")
    def i(self) -> Any:
        return self.given

    @EngineField.of("float")
    def f(self) -> Any:
        return self.given

    @f.setter
    def f(self, value: float) -> None:
        self.given = value

    @EngineField.of("string")
    def s(self) -> Any:
        return self.given

    @EngineField.of("vector")
    def v(self) -> Any:
        return self.given

    @EngineField.of("object")
    def o(self) -> Any:
        return self.given

    @EngineField.of("any")
    def a(self) -> Any:
        return self.given

    @EngineField.of("any")
    def broken(self) -> Any:
        Lamp.calls += 1
        return self.absent

    @broken.setter
    def broken(self, value: Value) -> None:
        Lamp.calls += 1
        self.absent.value = value


LAMP = Lamp()


@pytest.mark.parametrize(
    ("field", "given", "read"),
    [
        ("i", 5, 5), ("i", 2**40 + 7, 7), ("i", True, 1), ("i", None, None),
        ("f", 0.1, 0.10000000149011612), ("f", 3, 3.0), ("f", 16777217, 16777216.0), ("f", 1e39, math.inf),
        ("s", "x", "x"), ("v", (1, 2, 0.1), (1.0, 2.0, 0.10000000149011612)),
        ("o", LAMP, LAMP), ("o", None, None), ("a", True, 1), ("a", "\xe9", "\xe9"),
    ],
)  # fmt: skip
def test_what_a_getter_gives_is_a_script_value_of_its_kind(field: str, given: Any, read: Any) -> None:
    lamp = Lamp()
    lamp.given = given
    got = lamp.get_field(field)
    assert got == read
    assert type(got) is type(read)
    assert getattr(lamp, field) is given


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize(
    ("field", "given", "why"),
    [
        ("i", 1.5, "float, its kind is int"),
        ("i", [1], "list, its kind is int"),
        ("f", "x", "str, its kind is float"),
        ("f", 10**400, "int, its kind is float: "),
        ("s", 5, "int, its kind is string"),
        ("s", "\u20ac", "str, its kind is string: '\u20ac' is no character of a script string"),
        ("v", (1, 2), "tuple, its kind is vector: tuple is no script value"),
        ("o", 5, "int, its kind is object"),
        ("a", {}, "dict, its kind is any: dict is no script value"),
    ],
)
def test_a_getter_that_gives_something_else_is_told_with_its_field(
    field: str, given: Any, why: str, policy: str
) -> None:
    run = make(policy)
    run.vm.link(run.program(main=f"main(lamp) {{ x = lamp.{field}; level.after = 1; }}"))
    lamp = Lamp()
    lamp.given = given
    run.vm.start("main::main", None, [lamp])
    (message,) = run.messages
    assert f"field '{field}' of lamp gave a Python {why}" in message
    assert run.vm.level.get_field("after") is None


def test_what_a_script_writes_to_a_float_field_is_a_float_of_scripts() -> None:
    run = linked("main(lamp) { lamp.f = 16777217; }")
    lamp = Lamp()
    run.vm.start("main::main", None, [lamp])
    assert lamp.given == 16777216.0


def test_an_array_that_a_getter_gives_is_written_through_the_setter_only() -> None:
    run = linked("main(lamp) { x = lamp.a; x[0] = 9; }")
    lamp = Lamp()
    lamp.given = Array.of([1])
    run.vm.start("main::main", None, [lamp])
    assert lamp.given[0] == 1


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize("statement", ["x = lamp.broken;", "lamp.broken = 5;", 'x = lamp["broken"];'])
def test_an_attribute_error_inside_a_getter_or_setter_is_told_once_and_runs_it_once(
    statement: str, policy: str
) -> None:
    run = make(policy)
    run.vm.link(run.program(main=f"main(lamp) {{ {statement} level.after = 1; }}"))
    Lamp.calls = 0
    run.vm.start("main::main", None, [Lamp()])
    assert len(run.errors) == 1
    assert (
        "field 'broken' of lamp: AttributeError: 'Lamp' object has no attribute 'absent'" in run.messages[0]
    )
    assert any("in broken" in note.message for note in run.errors[0].notes)
    assert Lamp.calls == 1
    assert run.vm.level.get_field("after") is None


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_native_that_promises_an_array_may_return_a_list(policy: str) -> None:
    registry = Registry()
    registry.include(core_registry())
    kept = Array.of([3])

    @registry.function()
    def pair(n: int) -> Array:
        return [True, 2**31] if n else kept  # type: ignore[return-value]  # what everybody tries first

    @registry.function()
    def wrong(n: int) -> Array:
        return [{}] if n else None  # type: ignore[return-value, list-item]  # the mistake that is meant

    run = make(policy, registry)
    run.vm.link(
        run.program(
            main="""main() { x = pair(1); x[2] = "z"; println(x.size, x[0], x[1], x[2], pair(0)[0]); }
            none() { x = wrong(0); level.after = 1; }
            dict() { x = wrong(1); level.after = 1; }"""
        )
    )
    run.vm.start("main::main")
    assert (run.lines, run.messages) == (["31-2147483648z3"], [])
    run.vm.start("main::none")
    run.vm.start("main::dict")
    assert run.messages == [
        f"internal error: built-in 'wrong' returned a Python {kind}, "
        "its annotation promises an Array, or a list of script values"
        for kind in ("NoneType", "list")
    ]
    assert run.vm.level.get_field("after") is None


def test_an_exact_array_is_called_without_a_wrapper() -> None:
    registry = Registry()

    def empty() -> Array:
        return Array()

    registry.function("looked_at")(empty)
    registry.function("as_it_is", exact=True)(empty)
    forms = {name: facts_of(native) for name, native in registry.functions.items()}
    assert {name: facts.direct for name, facts in forms.items()} == {"looked_at": False, "as_it_is": True}


def test_halted_comes_out_of_start_drain_and_advance_but_not_of_step() -> None:
    def halting() -> Run:
        run = make("halt")
        run.vm.link(
            run.program(
                main="""main() { x = 1 + level; }
                later() { wait 0.05; x = 1 + level; }
                hears() { level waittill("e"); x = 1 + level; }"""
            )
        )
        return run

    run = halting()
    for _ in range(2):
        with pytest.raises(Halted):
            run.vm.start("main::main")
    run.vm.drain()
    run.vm.advance(50)
    assert run.vm.halted

    run = halting()
    run.vm.start("main::hears")
    run.vm.notify(run.vm.level, "e")
    with pytest.raises(Halted):
        run.vm.drain()

    run = halting()
    run.vm.start("main::later")
    with pytest.raises(Halted):
        run.vm.advance(100)

    run = halting()
    run.vm.start("main::later")
    run.vm.step(100)
    assert run.vm.halted


def test_a_running_thread_is_not_begun_again() -> None:
    registry, told = Registry(), []

    @registry.function()
    def again(vm: VM) -> None:
        try:
            vm.restart(running[0])
        except ValueError as error:
            told.append(str(error))

    run = linked("main() { wait 0.05; again(); level.after = 1; }", registry)
    running = [run.vm.start("main::main")]
    run.frames(2)
    assert told == [f"{running[0]!r} is running"]
    assert run.vm.level.get_field("after") == 1


@pytest.mark.parametrize("ms", [None, "x", 1.5])
def test_the_clock_moves_by_whole_milliseconds(ms: Any) -> None:
    run = linked("main() { wait 0.05; level.after = 1; }")
    run.vm.start("main::main")
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        run.vm.advance(ms)
    run.vm.advance(-1000)
    run.vm.advance(50)
    run.vm.drain()
    assert run.vm.level.get_field("after") == 1


def test_a_time_that_is_no_whole_number_is_told_when_it_is_saved() -> None:
    run = linked("main() { }")
    run.vm.time = 1.5  # type: ignore[assignment]  # the mistake that is meant
    for look in (run.vm.snapshot, run.vm.state_hash):
        with pytest.raises(TypeError, match=r"vm\.time is 1\.5: level time is a whole number"):
            look()


def test_a_string_that_could_not_be_read_back_is_not_written() -> None:
    """A native that is called directly may return any text."""
    registry = Registry()

    @registry.function(pure=True)
    def name() -> str:
        return "L\u00f3d\u017a"

    run = linked("main() { level.name = name(); }", registry)
    run.vm.start("main::main")
    for look in (run.vm.snapshot, run.vm.state_hash):
        with pytest.raises(TypeError, match="cannot be saved: '\u017a' is no character of a script string"):
            look()
    run.vm.level.set_field("name", "L\u00f3dz")
    run.vm.restore(run.vm.snapshot())
    assert run.vm.level.get_field("name") == "L\u00f3dz"
