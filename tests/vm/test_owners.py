"""Whose a thread is, and who pays for what it does: one mod cannot use up what another may do in a frame."""

from __future__ import annotations

import pytest

from engine.gsc.dialect import IW4, UO, Dialect
from engine.gsc.program import load_program
from engine.vm.census import holdings
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.snapshot import restore, snapshot, state_hash
from engine.vm.strict_natives import strict_registry
from engine.vm.variables import COUNTED
from tests.vm.test_vm_limits import ROUND
from tests.vm.vm_kit import Run, Scripts

WORK = "for (n = 0; n < 300; n++) x = n;"
"""A part of a frame that is spent in twenty times."""
FRAME = 5000 * ROUND

HONEST = (
    "main() { level.beats = 0; for (;;) { " + WORK + " thread nothing(); level.beats++; wait 0.05; } }\n"
    "nothing() { }\n"
    "fill() { for (i = 0; i < 1500; i++) level.world[i] = i; }\n"
    'answers() { for (;;) { level waittill("call"); ' + WORK + " thread nothing(); level.answers++; "
    'level notify("answer"); } }\n'
    'tells() { for (;;) { level notify("news"); wait 0.05; } }\n'
    "struck() { level.struck++; " + WORK + " wait 0.1; thread nothing(); level.after++; }\n"
    "fails() { wait 0.02; x = 1 + level; }\n"
    "work() { " + WORK + " wait 1; }\n"
)


def owned(greedy: str, dialect: Dialect = UO, **settings: int) -> Run:
    """A VM in which each script is of an owner of its name, with an honest one and one that is greedy."""
    run: Run
    registry = core_registry()

    @registry.function()
    def strike(vm: VM) -> None:
        """As an engine does that calls back when somebody is hit."""
        vm.start("honest::struck")

    vm = VM(
        registry,
        settings=Settings(**{"budget_block": 50, "loading_budget": 0, **settings}),  # type: ignore[arg-type]
        report=lambda d: run.errors.append(d),
        out=lambda text: run.out.append(text),
        owner_of=lambda script: script,
        dialects={IW4.name: (strict_registry(), None)},
    )
    run = Run(vm)
    scripts = Scripts(greedy=greedy, honest=HONEST)
    vm.link(load_program(["greedy", "honest"], scripts, vm.natives, dialect=dialect))
    for name in ("answers", "struck", "after"):
        vm.level.set_field(name, 0)
    return run


def places(run: Run) -> set[str]:
    """Where errors were told."""
    return {str(error.span and error.span.path) for error in run.errors}


def beats(run: Run) -> object:
    return run.vm.level.get_field("beats")


def test_owners_have_frames_of_their_own() -> None:
    """A mod that uses all of its time costs the threads of another nothing."""
    run = owned(
        "main() { for (;;) { for (n = 0; n < 1000; n++) x = n; thread nothing(); wait 0; } }\nnothing() { }",
        frame_budget=FRAME,
    )
    run.vm.start("honest::main")
    run.vm.start("greedy::main")
    for _ in range(5):
        run.vm.step()
    assert (beats(run), places(run)) == (6, {"greedy.gsc"})


@pytest.mark.parametrize("dialect", [UO, IW4], ids=lambda dialect: str(dialect.name))
def test_who_starts_functions_of_another_pays_for_them(dialect: Dialect) -> None:
    crowd = "for (i = 0; i < 40; i++) level thread honest::work();"
    run = owned("main() { for (;;) { " + crowd + " wait 0.05; } }", dialect, frame_budget=FRAME)
    run.vm.start("honest::main")
    run.vm.start("greedy::main")
    for _ in range(5):
        run.vm.step()
    assert beats(run) == 6
    assert run.errors
    assert all("all threads of the mod 'greedy'" in str(error.notes) for error in run.errors)
    assert run.vm.accounts.named("honest").threads == 1


def test_threads_that_others_start_count_for_these() -> None:
    run = owned(
        "main() { for (i = 0; i < 30; i++) level thread honest::work(); }",
        max_threads=16,
        frame_budget=100 * FRAME,
    )
    run.vm.start("greedy::main")
    run.vm.start("honest::main")
    run.vm.step()
    assert (beats(run), places(run)) == (2, {"greedy.gsc"})


def test_what_threads_hold_is_of_their_owner() -> None:
    """What is in calls of a function of another mod is no hoard of that one."""
    run = owned("main() { level thread honest::work(); }")
    run.vm.start("greedy::main")
    assert [h.account and h.account.name for h in holdings(run.vm) if h.name == "x"] == ["greedy"]


CALLS_AGAIN = 'for (;;) { level notify("call"); level waittill("answer"); }'


def test_who_wakes_threads_of_another_gets_a_part_of_its_frame() -> None:
    """What is beyond it is put off to the next frame; nobody ends for it."""
    run = owned("main() { " + CALLS_AGAIN + " }", frame_budget=FRAME)
    for function in ("honest::main", "honest::answers", "greedy::main"):
        run.vm.start(function)
    before = 0
    for _ in range(5):
        run.vm.step()
        answers = run.vm.level.get_field("answers")
        assert 3 <= answers - before <= 8
        before = answers
    assert (beats(run), run.errors, run.vm.stats().threads) == (6, [], 3)


def test_who_listens_to_another_does_it_at_its_own_cost() -> None:
    listens = (
        'listens() { for (;;) { level waittill("news"); for (i = 0; i < 50; i++) thread burns(); burns(); } }'
    )
    run = owned(
        "main() { for (i = 0; i < 10; i++) thread listens(); }\n"
        + listens
        + "\nburns() { "
        + 9 * WORK
        + " }",
        frame_budget=FRAME,
    )
    for function in ("greedy::main", "honest::main", "honest::tells"):
        run.vm.start(function)
    for _ in range(5):
        run.vm.step()
        assert run.vm.accounts.named("greedy").used < 2 * FRAME
    assert (beats(run), places(run), run.vm.accounts.named("honest").threads) == (6, {"greedy.gsc"}, 2)


def test_callbacks_that_another_brings_about_are_put_off_where_there_are_too_many() -> None:
    run = owned("main() { for (i = 0; i < 30; i++) strike(); }", frame_budget=FRAME)
    run.vm.start("honest::main")
    run.vm.start("greedy::main")
    struck = [run.vm.level.get_field("struck")]
    for _ in range(15):
        run.vm.step()
        struck.append(run.vm.level.get_field("struck"))
    assert struck[0] < struck[1] < struck[-1] == 30
    assert (run.vm.level.get_field("after"), beats(run), run.errors) == (30, 16, [])


def test_callbacks_that_another_brings_about_have_the_limit_of_threads() -> None:
    run = owned("main() { for (i = 0; i < 30; i++) strike(); }", max_threads=20)
    run.vm.start("honest::main")
    run.vm.start("greedy::main")
    assert ([error.code for error in run.errors], places(run)) == (["limit"], {"greedy.gsc"})
    assert run.vm.stats().threads == 20


def test_a_callback_has_half_of_the_calls_whoever_brings_it_about() -> None:
    run = owned("main() { deep(10); deep(20); }\ndeep(n) { if (n > 0) deep(n - 1); else strike(); }")
    run.vm.start("greedy::main")
    assert (run.vm.level.get_field("struck"), places(run)) == (1, {"greedy.gsc"})


def test_errors_of_one_hide_none_of_another() -> None:
    names = [f"f{n}" for n in range(30)]
    functions = "".join(f"{name}() {{ x = 1 + level; }}\n" for name in names)
    run = owned(
        "main() { wait 0.01; " + "".join(f"thread {name}(); " for name in names) + "}\n" + functions,
        max_new_errors=20,
    )
    run.vm.start("greedy::main")
    run.vm.start("honest::fails")
    run.vm.step()
    assert [error.code for error in run.errors if error.span and error.span.path == "honest.gsc"] == [
        "runtime"
    ]


def test_what_was_put_off_keeps_its_turn() -> None:
    """The oldest comes first, and before it those that are due then."""
    run = owned("main() { for (i = 0; i < 40; i++) strike(); level.list = []; }", frame_budget=FRAME)
    run.vm.start("greedy::main")
    late = [thread.number for thread in run.vm.runner.budget.woken]
    (bucket,) = {id(thread.bucket): thread.bucket for thread in run.vm.runner.budget.woken}.values()
    assert [thread.number for thread in reversed(bucket or []) if thread.number in late] == sorted(late)


def test_a_thread_that_begins_again_keeps_its_owner() -> None:
    run = owned("main() { level thread honest::work(); wait 1; }")
    run.vm.start("greedy::main")
    (thread, _) = run.vm.runner.suspended
    assert run.vm.restart(thread).account.name == "greedy"
    assert run.vm.accounts.named("greedy").threads == 2
    run.vm.step()
    assert run.vm.accounts.named("greedy").threads == 2


def test_owners_who_hold_little_get_what_is_kept_in_reserve() -> None:
    run = owned(
        "main() { for (i = 0; i < 640; i++) level.hoard[i] = i; }\nmore() { level.hoard[-1] = 1; }",
        max_variables=640,
    )
    for function in ("greedy::main", "honest::main", "greedy::more"):
        run.vm.start(function)
        run.vm.step()
    assert (beats(run), places(run)) == (3, {"greedy.gsc"})


def test_who_makes_garbage_pays_for_the_census() -> None:
    """And not who holds most of what it counts."""
    run = owned(
        "main() { for (i = 0; i < 500; i++) a[i] = i; for (;;) { for (k = 0; k < 9; k++) { b = a; b[0] = 1; } b = 0;"
        " wait 0.05; } }",
        max_variables=4096,
    )
    run.vm.start("honest::fill")
    run.vm.start("honest::main")
    run.vm.start("greedy::main")
    used = {"honest": 0, "greedy": 0}
    for _ in range(5):
        run.vm.step()
        for name in used:
            used[name] = max(used[name], run.vm.accounts.named(name).used)
    assert not run.errors
    assert used["honest"] < 300 * ROUND * 2
    assert used["greedy"] > COUNTED * 1500


def test_a_state_keeps_owners() -> None:
    text = "main() { for (;;) { level thread honest::work(); wait 0.1; } }"
    run, other = owned(text), owned(text)
    for function in ("honest::main", "greedy::main"):
        run.vm.start(function)
    restore(other.vm, snapshot(run.vm))
    owners = [thread.account.name for thread in other.vm.runner.suspended]
    assert owners == [thread.account.name for thread in run.vm.runner.suspended]
    assert sorted(owners) == ["greedy", "greedy", "honest"]
    for _ in range(5):
        for vm in (run.vm, other.vm):
            vm.step()
        assert state_hash(run.vm) == state_hash(other.vm)
        assert [(a.name, a.used, a.threads) for a in run.vm.accounts] == [
            (a.name, a.used, a.threads) for a in other.vm.accounts
        ]


def test_a_state_keeps_who_was_woken_and_how_much_was_answered() -> None:
    text = 'main() { for (;;) { strike(); level notify("call"); wait 0.001; } }'
    run, other = owned(text, frame_budget=FRAME), owned(text, frame_budget=FRAME)
    for function in ("honest::main", "honest::answers", "greedy::main"):
        run.vm.start(function)
    for _ in range(4):
        run.vm.step()
        assert run.vm.runner.budget.woken
        restore(other.vm, snapshot(run.vm))
        again = owned(text, frame_budget=FRAME)
        restore(again.vm, snapshot(other.vm))
        run.vm.step()
        again.vm.step()
        assert state_hash(run.vm) == state_hash(again.vm)
    assert run.vm.level.get_field("answers")
    assert not run.errors


def test_who_was_told_of_an_error_before_runs_on_as_who_was_not() -> None:
    """What an error costs is the same in a VM that takes a state up, and has told nobody yet."""
    text = "main() { for (;;) { thread fails(); wait 0.05; } }\nfails() { " + WORK + " x = 1 + level; }"
    run, other = owned(text), owned(text)
    run.vm.start("greedy::main")
    run.vm.step()
    restore(other.vm, snapshot(run.vm))
    for _ in range(3):
        for vm in (run.vm, other.vm):
            vm.step()
        assert state_hash(run.vm) == state_hash(other.vm)
    assert len(other.errors) == len(run.errors) == 1
