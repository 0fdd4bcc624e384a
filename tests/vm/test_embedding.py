"""The embedding page is a program, and a test runs it as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.source import DiagnosticError
from engine.vm.arrays import Array
from engine.vm.errors import NoSuchFunction, ScriptError
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.objects import EngineField, ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Function, Value, Vector
from tests.vm.vm_kit import Run, make

ROOT = Path(__file__).parents[2]


def listings(language: str) -> list[str]:
    page = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def ran(folder: Path, *command: str) -> tuple[int, str, str]:
    environment = {
        **os.environ,
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYTHONPATH": str(ROOT),
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    }
    result = subprocess.run(
        [sys.executable, *command],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return result.returncode, result.stdout, result.stderr


def test_the_page_runs(tmp_path: Path) -> None:
    program, script = listings("python")[0], listings("c")[0]
    assert len([line for line in program.splitlines() if line.strip()]) <= 25
    (tmp_path / "ball.py").write_text(program)
    (tmp_path / "ball.gsc").write_text(script)
    assert ran(tmp_path, "ball.py", "ball.gsc", "0") == (0, "done at 2000\n", "")


def test_the_imports_and_the_lamp_of_the_page_run(tmp_path: Path) -> None:
    _, imports, program, saving = listings("python")
    (tmp_path / "lamp.gsc").write_text(listings("c")[1])
    (tmp_path / "lamp.py").write_text(imports + program)
    assert ran(tmp_path, "lamp.py") == (0, "lamp 1\n0.5\n", "")
    (tmp_path / "saving.py").write_text(imports + program + saving)
    assert ran(tmp_path, "saving.py") == (0, "lamp 1\n0.5\n0.5 True False\n", "")


def test_what_the_page_says_of_time_fields_and_results() -> None:
    run, _ = embedded("main() { level.got = untrue(); level.after = 1; }")
    for ms in (0.5, 50.0, "50"):
        with pytest.raises(TypeError):
            run.vm.step(ms)  # type: ignore[arg-type]  # the mistake that is meant
    before = run.vm.time
    run.vm.step(-50)
    assert run.vm.time == before
    run.vm.start("main::main")
    assert [error.code for error in run.errors] == ["internal"]
    assert run.vm.level.get_field("after") is None


def test_a_field_takes_script_values_only() -> None:
    run, world = embedded(
        "main() { show(level.truth, level.tenth, level.big, level.place[0], level.list.size); }"
    )
    level = run.vm.level
    for value, kind in (
        ([1, 2], "list"),
        ({}, "dict"),
        ((1, 2), "tuple"),
        (("a", 0, 0), "tuple"),
        (b"", "bytes"),
    ):
        with pytest.raises(TypeError, match=rf"field 'bad' cannot hold a Python {kind}: .*, an Array, "):
            level.set_field("bad", value)
    with pytest.raises(TypeError, match=r"give Array\.of\(\.\.\.\)"):
        level.set_field("bad", [])
    with pytest.raises(TypeError, match="field 'brightness' cannot hold a Python list"):
        Lamp().set_field("brightness", [1.0])
    assert level.get_field("bad") is None
    values = {"truth": True, "tenth": 0.1, "big": 2**31, "place": (0.1, 0, 0), "list": Array.of([1])}
    for name, value in values.items():
        level.set_field(name, value)
    run.vm.start("main::main")
    assert world.seen == [1, 0.10000000149011612, -(2**31), 0.10000000149011612, 1]


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_start_with_too_many_arguments_is_told_where_the_function_is(policy: str) -> None:
    run = make(policy)
    run.vm.link(run.program(main="main() { f = ::one; thread [[f]](1, 2); [[f]](1, 2); }\n\n\none(a) { }"))
    run.vm.start("main::one", args=(1, 2, 3))
    run.vm.start("main::main")
    told = [
        (e.span and (e.span.path, e.span.line, e.span.col), [n.message for n in e.notes]) for e in run.errors
    ]
    note = "main::one, declared at main.gsc:4, takes 1 parameter and was given {} arguments"
    assert set(run.messages) == {"function called with too many parameters"}
    assert told[0] == (("main.gsc", 4, 1), [note.format(3)])
    assert told[1:] == [(("main.gsc", 1, column), [note.format(2)]) for column in (28, 41)]


def test_a_decorator_without_its_brackets_is_refused() -> None:
    registry = Registry()
    with pytest.raises(TypeError, match=r"@registry.function\(\), with brackets"):
        registry.function(len)  # type: ignore[arg-type]  # the mistake that is meant
    with pytest.raises(TypeError, match=r"@registry.method\(\), with brackets"):
        registry.method(len)  # type: ignore[arg-type]  # the mistake that is meant


def test_what_a_host_asks_for_in_vain_is_told_with_its_place(tmp_path: Path) -> None:
    run, _ = embedded("main() { }")
    (tmp_path / "bad.gsc").write_text("main()\n{\n    a = 1\n}\n")
    with pytest.raises(DiagnosticError, match=r"bad\.gsc:4:1: expected"):
        run.vm.load(tmp_path / "bad.gsc")
    with pytest.raises(NoSuchFunction) as raised:
        run.vm.start("mian")
    assert str(raised.value) == "there is no function 'mian'; did you mean main?"
    with pytest.raises(NoSuchFunction, match=r"'mani::main'; did you mean main\?"):
        run.vm.start("mani::main")
    with pytest.raises(NoSuchFunction, match="no script is loaded"):
        VM(Registry()).start("main")


class Lamp(ScriptObject):
    type_name = "lamp"

    def __init__(self) -> None:
        self.power = 1.0

    @EngineField.of("float")
    def brightness(self) -> float:
        return self.power

    @brightness.setter
    def brightness(self, value: float) -> None:
        self.power = value

    @EngineField.of("string")
    def serial(self) -> str:
        return "L1"


class World:
    def __init__(self) -> None:
        self.seen: list[object] = []


registry = Registry(services=(World,))


@registry.function()
def show(world: World, *values: Value) -> None:
    world.seen += values


@registry.function()
def typed(a: int, b: float, c: str, d: Vector, e: Function, f: Lamp | None = None) -> int:
    return 1 if f is None else 2


@registry.function(strict=True)
def exact(a: Value) -> bool:
    return a is None


@registry.function()
def pair() -> list[int]:
    return [1, 2**31]


@registry.function()
def untrue() -> int:
    return "no number"  # type: ignore[return-value]  # the mistake that is meant


@registry.method()
def lit(self: Lamp) -> float:
    return self.power


def embedded(text: str) -> tuple[Run, World]:
    world = World()
    run = make(registry=registry, services=(world,))
    run.vm.link(run.program(main=text))
    return run, world


def test_services_arguments_and_results() -> None:
    run, world = embedded(
        """
main(lamp)
{
    show(typed(1, 2, 3, (1, 2, 3), ::main), typed(1, 2.5, "s", (1, 2, 3), ::main, lamp, "surplus"));
    show(exact(undefined), pair()[1], lamp lit(), lamp.brightness, lamp.serial, lamp.size);
    lamp.brightness = 3; lamp.own = 4; lamp["own"] += 1;
    show(lamp.brightness, lamp.own, lamp["brightness"]);
}
"""
    )
    run.vm.start("main::main", None, (Lamp(),))
    assert run.messages == []
    assert world.seen == [1, 2, 1, -(2**31), 1.0, 1.0, "L1", 1, 3.0, 5, 3.0]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("typed(1.5, 2, 3, (1, 2, 3), ::main);", "parameter 1 is float, not int"),
        ("typed(1);", "parameter 2 does not exist"),
        ("typed(1, 2, level, (1, 2, 3), ::main);", "parameter 3 is struct, not string"),
        ("typed(1, 2, 3, 4, ::main);", "parameter 4 is int, not vector"),
        ("typed(1, 2, 3, (1, 2, 3), 5);", "parameter 5 is int, not function"),
        ("typed(1, 2, 3, (1, 2, 3), ::main, level);", "parameter 6 is struct, not a lamp"),
        ("exact(1, 2);", "too many arguments: at most 1 are taken"),
        ("level lit();", "struct is not a lamp"),
        ("x lit();", "undefined is not an object"),
        ('lamp.brightness = "x";', "field 'brightness' takes a value of type float, not string"),
        ("lamp.serial = 1;", "field 'serial' of lamp is read-only"),
        ("lamp.brightness = undefined;", "field 'brightness' belongs to the engine and cannot be removed"),
    ],
)
@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_refusals(statement: str, message: str, policy: str) -> None:
    run = make(policy, registry=registry, services=(World(),))
    run.vm.link(run.program(main="main(lamp) { " + statement + " }"))
    run.vm.start("main::main", None, (Lamp(),))
    assert run.messages == [message]


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize(
    ("call", "note"),
    [
        ("typed(1.5, 2, 3, (1, 2, 3), ::main);", "parameter 1 of typed() is 'a'; it was given 1.5 (float)"),
        (
            'typed(1, "no", 3, (1, 2, 3), ::main);',
            "parameter 2 of typed() is 'b'; it was given \"no\" (string)",
        ),
        ("typed(1, 2, level, (1, 2, 3), ::main);", "parameter 3 of typed() is 'c'; it was given struct"),
        ("typed(1, 2, 3, (1, 2, 3), ::main, 7);", "parameter 6 of typed() is 'f'; it was given 7 (int)"),
    ],
)
def test_an_argument_that_is_refused_is_told_with_built_in_parameter_and_value(
    call: str, note: str, policy: str
) -> None:
    run = make(policy, registry=registry, services=(World(),))
    run.vm.link(run.program(main="main() { " + call + " }"))
    run.vm.start("main::main")
    assert [[n.message for n in e.notes] for e in run.errors] == [[note]]


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_a_result_that_is_no_script_value_is_told_with_the_built_in(policy: str) -> None:
    fresh = Registry()
    for name, hint, result in (
        ("number", int, [1]), ("real", float, [1]), ("place", Vector, [1]), ("any", Value, {}), ("deep", Value, [{}])
    ):  # fmt: skip

        def made(n: int, result: object = result) -> object:
            return result

        function = eval("lambda n: made(n)", {"made": made})
        function.__annotations__ = {"n": int, "return": hint}
        fresh.function(name)(function)
    calls = {name: f"{name}(1)" for name in fresh.functions}
    run = make(policy, fresh)
    starts = " ".join(f"thread t_{name}();" for name in calls)
    rest = " ".join(f"t_{name}() {{ x = {call}; level.after = 1; }}" for name, call in calls.items())
    run.vm.link(run.program(main=f"main() {{ {starts} }} {rest}"))
    run.vm.start("main::main")
    assert run.vm.level.get_field("after") is None
    assert {e.code for e in run.errors} == {"internal"}
    given = "something else" if policy == "stop" else "a Python list"
    assert [message.removeprefix("internal error: built-in ") for message in run.messages] == [
        "'number' returned a Python list, its annotation promises an int",
        f"'real' returned {given}, its annotation promises a float",
        f"'place' returned {given}, its annotation promises a tuple of three numbers",
        "'any' returned a Python dict: dict is no script value",
        "'deep' returned a Python list: dict is no script value",
    ]


def test_bad_registrations() -> None:
    fresh = Registry()
    with pytest.raises(TypeError, match="no type that a script can pass"):

        @fresh.function()
        def a(x: dict[str, int]) -> None: ...

    with pytest.raises(TypeError, match="needs an annotation"):

        @fresh.function()
        def b(x) -> None: ...  # type: ignore[no-untyped-def]

    with pytest.raises(TypeError, match="first parameter"):

        @fresh.method()
        def c(x: int) -> None: ...

    with pytest.raises(TypeError, match="X \\| None needs the default None"):

        @fresh.function()
        def d(x: int | None) -> None: ...

    with pytest.raises(TypeError, match="'e': no script waits for a coroutine or a generator"):

        @fresh.function()
        async def e(x: int) -> int:
            return x

    with pytest.raises(TypeError, match="'f': no script waits"):

        @fresh.function()
        def f(x: int):  # type: ignore[no-untyped-def]
            yield x

    with pytest.raises(TypeError, match="registered twice"):
        registry.function("show")(a_native)
    with pytest.raises(TypeError, match="needs a World"):
        VM(registry)


def a_native(x: int) -> None: ...


def test_the_root_of_a_script_may_be_given_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.gsc").write_text("main() { }\n")
    monkeypatch.chdir(tmp_path)
    whole = tmp_path / "lib" / "a.gsc"
    for path, root in (
        ("lib/a.gsc", None),
        ("lib/a.gsc", "lib"),
        ("lib/a.gsc", whole.parent),
        (whole, "lib"),
    ):
        assert VM(Registry()).load(path, root) == "a"
    for root in (tmp_path, "."):
        assert VM(Registry()).load("lib/a.gsc", root) == "lib\\a"
    with pytest.raises(ValueError, match="is not below"):
        VM(Registry()).load("lib/a.gsc", "lib/deeper")


def test_one_step_of_an_hour() -> None:
    vm = VM(Registry())
    vm.step(3_600_000)
    assert vm.time == 3_600_000


def test_load_and_load_again(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    game, lib = tmp_path / "game.gsc", tmp_path / "lib" / "more.gsc"
    game.write_text("main() { for (;;) { println(lib\\more::name()); wait 0.05; } }")
    lib.write_text('name() { return "one"; }')
    run = make()
    assert run.vm.load(game) == "game"
    run.vm.start("main")
    lib.write_text('name() { return "two"; }')
    run.vm.load(game)
    run.vm.step()
    assert run.lines == ["one", "two"]
    lib.write_text("name( {")
    with pytest.raises(DiagnosticError):
        run.vm.load(game)
    run.vm.step()
    assert run.lines[-1] == "two"
    with pytest.raises(OSError, match="absent"):
        run.vm.load(tmp_path / "absent.gsc")
    with pytest.raises(KeyError, match="there is no function 'absent'"):
        run.vm.start("absent")


def test_host_values_become_script_values() -> None:
    run, world = embedded('main(a, b) { show(a, b[1]); level waittill("e", c); show(c, c.size); }')
    run.vm.start("main::main", None, (True, [1, 0.1]))
    run.vm.notify(run.vm.level, "e", [1, 2, 3])
    run.vm.step()
    assert world.seen[:2] == [1, 0.10000000149011612]
    assert world.seen[3] == 3
    with pytest.raises(TypeError, match="dict is no script value"):
        run.vm.notify(run.vm.level, "e", {})


def test_two_machines_share_nothing() -> None:
    first, second = make(), make()
    for run in (first, second):
        run.vm.link(
            run.program(main='main() { level.n++; setcvar("a", level.n); println(randomint(1000)); }')
        )
        run.vm.level.set_field("n", 0)
    first.vm.start("main::main")
    first.vm.start("main::main")
    second.vm.start("main::main")
    assert (first.vm.cvars, second.vm.cvars) == ({"a": "2"}, {"a": "1"})
    assert first.lines[0] == second.lines[0]


def test_random_numbers_are_part_of_the_state() -> None:
    one, other = make(), make(seed=7)
    draws = [[run.vm.random.below(100) for _ in range(50)] for run in (one, make(), other)]
    assert draws[0] == draws[1] != draws[2]
    assert all(0 <= n < 100 for n in draws[2])
    assert all(0 <= one.vm.random.unit() < 1 for _ in range(100))


def test_script_error_from_a_method_names_the_place() -> None:
    fresh = Registry()

    @fresh.function()
    def refuse() -> None:
        raise ScriptError("not today")

    run = make(registry=fresh)
    run.vm.link(run.program(main="main()\n{\n    refuse();\n}"))
    run.vm.start("main::main")
    assert (run.messages, run.places) == (["not today"], [(3, 5)])


def misuse() -> dict[str, Callable[[VM], object]]:
    """What a host may try that is wrong, with the type that is named."""
    other = started()
    endless: list[object] = []
    endless.append(endless)
    return {
        "'x' is no script object": lambda vm: vm.start("main", "x"),  # type: ignore[arg-type]
        "5 is no function": lambda vm: vm.start(5),  # type: ignore[arg-type]
        "None is no function": lambda vm: vm.start(None),  # type: ignore[arg-type]
        "function of another VM": lambda vm: vm.start(other.function("main")),
        "a list that holds itself": lambda vm: vm.start("main", None, [endless]),  # type: ignore[list-item]
        "5 is no name of an event": lambda vm: vm.notify(vm.level, 5),  # type: ignore[arg-type]
        "'level' is no script object": lambda vm: vm.notify("level", "x"),  # type: ignore[arg-type]
        "cannot be interpreted as an integer": lambda vm: vm.step(0.5),  # type: ignore[arg-type]
    }


def started() -> VM:
    run = make()
    run.vm.link(
        run.program(main="main() { for (;;) { level.n++; wait 0.05; } } other() { level.n = 0; main(); }")
    )
    run.vm.level.set_field("n", 0)
    run.vm.start("main")
    return run.vm


@pytest.mark.parametrize("says", misuse())
def test_what_a_host_gives_is_looked_at_before_anything_happens(says: str) -> None:
    """Otherwise it came to light frames later, as an exception from `step`, or in a snapshot."""
    vm = started()
    vm.step(50)
    before = vm.snapshot()
    with pytest.raises(TypeError, match=re.escape(says)):
        misuse()[says](vm)
    assert vm.snapshot() == before
    vm.step(50)
    assert (vm.stats().threads, vm.level.get_field("n")) == (1, 3)


@pytest.mark.parametrize("settings", [{"on_error": "continue"}, {"policies": {"uo": "halt"}}])
def test_a_policy_by_its_word_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Policy\.CONTINUE"):
        Settings(**settings)


def test_a_fault_in_a_built_in_of_the_host_is_told_with_its_places() -> None:
    run = make()

    def deep() -> None:
        raise KeyError("missing")

    @run.vm.registry.function()
    def boom(n: int) -> None:
        deep()

    run.vm.link(run.program(main="main() { boom(1); }"))
    run.vm.start("main")
    (told,) = run.errors
    assert told.code == "internal"
    assert told.message == "internal error of a built-in of the host: KeyError: 'missing'"
    here = Path(__file__).name
    assert [re.sub(r"\S*/", "", note.message) for note in told.notes] == [
        f"raised in deep, {here}:{deep.__code__.co_firstlineno + 1}",
        f"called in boom, {here}:{boom.__code__.co_firstlineno + 2}",
    ]
