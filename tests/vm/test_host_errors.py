"""What a host's own code does wrong while a script runs: its thread ends, the report names the host's line, and the
VM is as it must be after it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.source import Diagnostic
from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.errors import Halted, ScriptError
from engine.vm.machine import VM
from engine.vm.registry import Registry
from engine.vm.values import Value
from tests.vm.vm_kit import Run, make

RAISING = """
main() { wait 0.05; inner(); println("never"); }
inner() { wait 0.05; level.x = 1 + level; raiser(); println("never"); }
other() { while (1) { wait 0.05; level.c = gettime(); } }
first() { raiser(); wait 1; }
starts() { thread first(); println("went on"); wait 1; }
"""


def raising(error: type[BaseException]) -> Registry:
    registry = core_registry()

    @registry.function()
    def raiser() -> None:
        raise error("out")

    return registry


def linked(text: str, policy: str = "stop", registry: Registry | None = None, **settings: int) -> Run:
    run = make(policy, registry, **settings)
    run.vm.link(run.program(main=text))
    return run


def assert_sound(run: Run, *functions: str) -> None:
    """Nothing runs, the state can be taken up again, and these threads are left."""
    vm = run.vm
    assert (vm.runner.current, vm.runner.pending, vm.runner.delay) == (None, [], [None])
    assert [str(thread.root_function).partition("::")[2] for thread in vm.runner.suspended] == list(functions)
    assert all(thread.suspended for thread in vm.runner.suspended)
    assert sum(account.threads for account in vm.accounts) == len(functions)
    state = vm.snapshot()
    vm.restore(state)
    assert vm.snapshot() == state


def test_the_thread_that_halts_the_program_is_ended() -> None:
    run = linked(RAISING, "halt", raising(ValueError))
    run.vm.start("main::other")
    run.vm.start("main::main")
    for _ in range(4):
        run.vm.step()
    assert run.vm.halted
    assert_sound(run, "other")
    assert run.vm.halted
    with pytest.raises(Halted):
        run.vm.start("main::other")


def test_both_threads_end_where_a_started_one_halts_the_program() -> None:
    run = linked(RAISING, "halt", raising(ValueError))
    run.vm.start("main::other")
    with pytest.raises(Halted):
        run.vm.start("main::starts")
    assert_sound(run, "other")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_what_is_no_error_ends_the_thread_and_goes_on_to_the_host(
    kind: type[BaseException], policy: str
) -> None:
    run = linked(RAISING.replace("1 + level", "1"), policy, raising(kind))
    vm = run.vm
    vm.start("main::other")
    vm.start("main::main")
    vm.start("main::other")
    vm.step()
    with pytest.raises(kind, match="out"):
        vm.step()
    assert_sound(run, "other", "other")
    with pytest.raises(kind, match="out"):
        vm.start("main::starts")
    assert_sound(run, "other", "other")
    vm.step()
    assert (vm.level.get_field("c"), run.errors, run.lines) == (vm.time, [], [])


def test_an_interrupt_between_two_threads_loses_none() -> None:
    class Interrupting(list[Any]):
        def pop(self, index: Any = -1) -> Any:
            super().pop(index)
            raise KeyboardInterrupt

    run = linked(RAISING, registry=raising(ValueError))
    vm = run.vm
    lost, kept = vm.start("main::other"), vm.start("main::other")
    buckets = vm.scheduler.buckets
    for key, bucket in list(buckets.items()):
        buckets[key] = lost.bucket = kept.bucket = Interrupting(bucket)
    with pytest.raises(KeyboardInterrupt):
        vm.step()
    assert [lost.ended, kept.ended].count(True) == 1
    assert_sound(run, "other")


def test_a_report_that_raises_leaves_no_thread_behind() -> None:
    run = linked(RAISING, registry=raising(ValueError))
    vm = run.vm

    def report(diagnostic: Diagnostic) -> None:
        raise LookupError(diagnostic.message)

    vm.reporter.deliver = report
    vm.start("main::other")
    vm.start("main::main")
    vm.step()
    with pytest.raises(LookupError, match="unmatching types"):
        vm.step()
    assert_sound(run, "other")
    vm.step()
    assert vm.level.get_field("c") == vm.time


def test_a_report_that_raises_of_a_thread_that_is_run_early() -> None:
    run = linked("main() { wait 1; level.x = 1 + level; }")
    vm = run.vm

    def report(diagnostic: Diagnostic) -> None:
        raise LookupError(diagnostic.message)

    vm.reporter.deliver = report
    thread = vm.start("main::main")
    with pytest.raises(LookupError):
        vm.run_early(thread)
    assert thread.ended
    assert_sound(run)


def test_a_report_that_raises_of_threads_that_wake_one_another() -> None:
    run = linked("main() { while (1) wait 0; }", max_resumptions=64)
    vm = run.vm

    def report(diagnostic: Diagnostic) -> None:
        raise LookupError(diagnostic.message)

    vm.reporter.deliver = report
    vm.start("main::main")
    with pytest.raises(LookupError, match="without end"):
        vm.step()
    assert_sound(run)


# ---- what errors are made of -----------------------------------------------------------------------------


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class Unmade(ScriptError):
    """Forgets to call the constructor of its base."""

    def __init__(self, balls: int) -> None:
        self.balls = balls


def told(error: Callable[[], Exception], policy: str = "stop") -> Diagnostic:
    """What is told of an error that a native raises."""
    registry = core_registry()

    @registry.function()
    def raiser() -> None:
        raise error()

    run = linked("main() { raiser(); }", policy, registry)
    run.vm.start("main::main")
    assert_sound(run)
    assert to_text(run.errors[0])
    return run.errors[0]


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (lambda: ScriptError(ValueError("no ball")), "no ball"),
        (lambda: ScriptError(5), "5"),
        (lambda: ScriptError(Wordless()), "Wordless, whose text cannot be told: ValueError"),
        (lambda: Unmade(3), "Unmade without a message"),
    ],
)
def test_the_message_of_an_error_may_be_anything(
    error: Callable[[], ScriptError], message: str, policy: str
) -> None:
    assert told(error, policy).message == message


def test_an_error_whose_text_cannot_be_had_is_told_without() -> None:
    assert told(Wordless).message == (
        "internal error of a built-in of the host: Wordless, whose text cannot be told: ValueError"
    )


def test_a_lone_text_is_one_note() -> None:
    diagnostic = told(lambda: ScriptError("x", notes="abc"))
    assert [note.message for note in diagnostic.notes] == ["abc"]
    diagnostic = told(lambda: ScriptError("x", notes=["abc", 5]))  # type: ignore[list-item]
    assert [note.message for note in diagnostic.notes] == ["abc", "5"]


def test_what_else_an_error_is_made_of_is_looked_at_where_it_is_made() -> None:
    with pytest.raises(TypeError, match="a code is a text"):
        ScriptError("x", code=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a place is a Span"):
        ScriptError("x", span=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", ["stop", "continue"])
@pytest.mark.parametrize("kind", [ScriptError, ValueError])
def test_one_error_that_is_raised_again_and_again_is_told_where_it_is_raised(
    kind: type[Exception], policy: str
) -> None:
    registry = core_registry()
    error = kind("no ball")

    @registry.function()
    def ball() -> None:
        raise error

    @registry.function()
    def kick(value: Value) -> None:
        raise error

    run = linked(
        """main() { thread one(); thread two(); wait 0.05; thread three(); thread one(); }
one() { ball(); }
two() { level.y = 1;
    kick("x"); }
three() {
    wait 0.05;

    ball();
}""",
        policy,
        registry,
    )
    run.vm.start("main::main")
    run.frames(3)
    assert [place[0] for place in run.places] == [2, 4, 8]
    assert [[entry.function for entry in e.stack] for e in run.errors] == [
        ["main::one", "main::main"],
        ["main::two", "main::main"],
        ["main::three", "main::main"],
    ]
    assert error.__traceback__ is None


# ---- whose mistake it is ---------------------------------------------------------------------------------


def collect(vm: VM) -> None:
    vm.notify(vm.level, "x", [object()])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("operation", "message", "name"),
    [
        (lambda vm: vm.snapshot(), "RuntimeError: a state can be taken between frames only", "<lambda>"),
        (lambda vm: collect(vm), "TypeError: object is no script value", "collect"),
        (lambda vm: vm.start("nosuch"), "NoSuchFunction: there is no function 'nosuch'", "<lambda>"),
        (lambda vm: vm.end(vm.runner.current), "ValueError: <thread 1 main::main> is running", "<lambda>"),
        (lambda vm: json.loads("{"), "JSONDecodeError: Expecting property name", "<lambda>"),
    ],
)
def test_a_mistake_of_the_host_is_told_with_its_line(
    operation: Callable[[VM], object], message: str, name: str
) -> None:
    registry = core_registry()

    @registry.function()
    def op(vm: VM) -> None:
        operation(vm)

    run = linked("main() { op(); }", registry=registry)
    run.vm.start("main::main")
    (error,) = run.errors
    kind, _, text = message.partition(": ")
    assert error.message.startswith(f"internal error of a built-in of the host: {kind}: ")
    assert text in error.message
    (line,) = [note.message for note in error.notes if f" in {name}, " in note.message]
    assert "test_host_errors.py:" in line
    assert len(error.notes) <= 4


def test_a_mistake_of_the_engine_is_called_so() -> None:
    run = linked('main() { setcvar("a", 1); }')
    run.vm.cvars = None  # type: ignore[assignment]
    run.vm.start("main::main")
    assert run.messages[0].startswith("internal error of the engine: TypeError: ")


@pytest.mark.parametrize(("given", "words"), [((1,), "1 argument"), ((1, 2), "2 arguments")])
def test_surplus_arguments_are_counted_in_words(given: tuple[Value, ...], words: str) -> None:
    run = linked("main() { }")
    run.vm.start("main::main", None, given)
    (note,) = run.errors[0].notes
    assert note.message.endswith(f"takes 0 parameters and was given {words}")
