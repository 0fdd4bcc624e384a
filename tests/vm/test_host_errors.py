"""What a host's own code does wrong while a script runs: its thread ends, the report names the host's line, and the
VM is as it must be after it."""

from __future__ import annotations

import pytest

from engine.source import Diagnostic
from engine.vm.core import core_registry
from engine.vm.errors import Halted
from engine.vm.registry import Registry
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
    assert vm.runner.current is None and not vm.runner.pending and vm.runner.delay == [None]
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
