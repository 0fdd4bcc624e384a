"""Policies, call stacks, reports once per place, and every limit at its edge and past it."""

from __future__ import annotations

import pytest

from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.errors import Halted
from engine.vm.machine import VM
from tests.vm.vm_kit import make, play

FAULTY = """
main() { thread bad(); thread good(); wait 0.1; println("main"); }
bad() { x = 1 + level; println("bad ", isdefined(x)); wait 0.05; println("bad again"); }
good() { wait 0.05; println("good"); }
"""


def test_stop_ends_only_the_thread() -> None:
    run = play(FAULTY)
    assert run.lines == ["good", "main"]
    assert run.messages == ["pair has unmatching types 'int' and 'object'"]


def test_continue_yields_undefined_and_goes_on() -> None:
    run = play(FAULTY, "continue")
    assert run.lines == ["bad 0", "good", "bad again", "main"]
    assert run.messages == ["pair has unmatching types 'int' and 'object'"]


def test_halt_ends_the_program() -> None:
    run = make("halt")
    run.vm.link(run.program(main=FAULTY))
    with pytest.raises(Halted):
        run.vm.start("main::main")
    run.vm.step()
    assert (run.lines, len(run.errors), run.vm.halted) == ([], 1, True)


def test_continue_results_of_each_kind_of_failure() -> None:
    run = play(
        """
main()
{
    println(1 / 0, 1.5 / 0, 5 % 0);
    if (undefined) println("never");
    x = 5; x[0] = 1; println(x);
    x.y = 2;
    println(isdefined(x.y), isdefined(level.nothing[3]), isdefined(sin()));
    wait -1;
    println("no wait ", gettime());
    undefined notify("e");
    undefined waittill("e", a);
    y = undefined f(); println(isdefined(y));
    z = [[5]](); println(isdefined(z));
    switch (1.5) { case 1: println("never"); default: println("never"); }
    println(f(1, 2));
    s = "abc"; println(isdefined(s[9]));
    q = undefined; q["rads"] += 1; println(q.size);
}
f(a) { return a; }
""",
        "continue",
    )
    assert run.lines == ["000", "5", "000", "no wait 0", "0", "0", "1", "0", "1"]
    assert run.messages[:3] == ["divide by 0", "divide by 0", "divide by 0"]
    assert run.messages[-1] == "pair has unmatching types 'undefined' and 'int'"


def test_missing_entry_stays_missing_under_stop() -> None:
    run = play('main() { thread t(); println(level.p.size); } t() { level.p = []; level.p["rads"] += 1; }')
    assert run.lines == ["0"]
    assert len(run.errors) == 1


def test_call_stack_across_threads() -> None:
    run = play(
        """
main() { first(); }
first() { wait 0.05; thread second(1); }
second(n) { wait 0.05; third(); }
third() { fourth(); }
fourth() { x = undefined.y; }
"""
    )
    (error,) = run.errors
    assert to_text(error).splitlines() == [
        "main.gsc:6:26: runtime error: undefined is not an object [runtime]",
        "    fourth() { x = undefined.y; }",
        "                             ^",
        "  in main::fourth (main.gsc:6:26)",
        "  called from main::third (main.gsc:5:11)",
        "  called from main::second (main.gsc:4:24)",
        "  started by main::first (main.gsc:3:29)",
    ]


def test_suspended_callers_are_on_the_stack() -> None:
    run = play(
        """
main() { a(); }
a() { x = 1 + b(); }
b() { wait 0.05; return 1 + level; }
"""
    )
    assert [(e.relation, e.function, e.span.line) for e in run.errors[0].stack if e.span] == [
        ("in", "main::b", 4), ("called from", "main::a", 3), ("called from", "main::main", 2),
    ]  # fmt: skip


def test_reported_once_for_each_place_and_message_then_counted() -> None:
    run = play(
        "main() { for (i = 0; i < 10; i++) thread t(i); } t(n) { if (n < 5) x = n + level; y = level + n; }"
    )
    assert len(run.errors) == 2
    assert run.vm.stats().errors == 10


def test_messages_that_differ_every_time_do_not_flood() -> None:
    run = play('main() { for (i = 0; i < 500; i++) { s = "abc"; x = s[i]; } }', "continue")
    assert len(run.errors) == 10
    assert run.vm.stats().errors == 497


def test_internal_error_of_a_native_ends_the_thread_with_a_report() -> None:
    registry = core_registry()

    @registry.function(stock=False)
    def broken(vm: VM) -> int:
        raise ZeroDivisionError("oops")

    run = make(registry=registry)
    run.vm.link(run.program(main='main() { thread t(); println("on"); } t() { broken(); println("never"); }'))
    run.vm.start("main::main")
    assert (run.lines, run.messages) == (
        ["on"],
        ["internal error of a built-in of the host: ZeroDivisionError: oops"],
    )


# ---- limits ----------------------------------------------------------------------------------------------


def recursion(depth: int) -> str:
    return f"main() {{ println(f(1)); }} f(n) {{ if (n < {depth}) return f(n + 1); return n; }}"


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_call_depth(policy: str) -> None:
    """32 nested frames, main included."""
    assert play(recursion(31), policy).lines == ["31"]
    run = play(recursion(32), policy)
    assert run.messages[0] == "script stack overflow (too many embedded function calls)"
    assert run.places[0] == (1, 53)


def test_call_depth_counts_thread_starts() -> None:
    text = "main() { f(1); } f(n) { level.n = n; if (n < DEPTH) thread f(n + 1); }"
    assert play(text.replace("DEPTH", "31")).messages == []
    run = play(text.replace("DEPTH", "40"))
    assert run.messages == ["script stack overflow (too many embedded function calls)"]
    assert run.vm.level.get_field("n") == 31


@pytest.mark.parametrize("call", ["leaf();", "thread leaf();", "level thread leaf();", "[[ ::leaf ]]();"])
def test_call_depth_counts_functions_that_call_no_other(call: str) -> None:
    """They do not look at the depth themselves."""
    text = f"main() {{ f(1); }} f(n) {{ if (n < DEPTH) f(n + 1); else {call} }} leaf() {{ level.leaf = 1; }}"
    fits, over = play(text.replace("DEPTH", "30")), play(text.replace("DEPTH", "31"))
    assert (fits.messages, fits.vm.level.get_field("leaf")) == ([], 1)
    assert over.messages == ["script stack overflow (too many embedded function calls)"]
    assert over.vm.level.get_field("leaf") is None


def test_call_depth_counts_suspended_frames() -> None:
    text = "main() { f(1); } f(n) { if (n == 20) wait 0.05; if (n < DEPTH) f(n + 1); }"
    assert play(text.replace("DEPTH", "31")).messages == []
    assert play(text.replace("DEPTH", "32")).messages == [
        "script stack overflow (too many embedded function calls)"
    ]


def test_budget_ends_the_loop_and_shows_its_variables() -> None:
    run = play(
        """
main() { thread spin(); println("on"); }
spin()
{
    done = 0;
    while (!done) { if (!isdefined(p)) continue; wait 1; }
}
""",
        budget=4000,
        budget_block=1000,
    )
    assert run.lines == ["on"]
    (error,) = run.errors
    assert error.message == "potential infinite loop in script"
    assert error.span is not None
    assert (error.span.line, error.span.col) == (6, 5)
    assert "done = 0" in [note.message for note in error.notes]


@pytest.mark.parametrize(
    "text",
    [
        "main() { for (i = 0; i < 100; i++) { for (j = 0; j < 100; j++) { for (k = 0; k < 100; k++) {} } }"
        " println(1); }",
        "main() { f(20); println(1); } f(n) { if (n) { f(n - 1); f(n - 1); } }",
        "main() { for (;;) thread spin(); println(1); } spin() { for (;;) {} }",
        "main() { a(); println(1); }"
        + "".join(
            f" {x}() {{ {y}(); {y}(); {y}(); {y}(); }}" for x, y in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + " i() {}",
    ],
    ids=["nested loops", "recursion", "spawning", "calls alone"],
)
@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_budget_cannot_be_got_round(text: str, policy: str) -> None:
    run = play(text, policy, budget=20_000, budget_block=1000)
    assert run.lines == []
    assert set(run.messages) == {"potential infinite loop in script"}


def test_budget_is_for_one_resumption() -> None:
    text = "main() { for (i = 0; i < 10; i++) { for (j = 0; j < 3000; j++) {} wait 0.05; } println(1); }"
    assert play(text, budget=30_000, budget_block=1000).lines == ["1"]
    text = text.replace("wait 0.05", "resettimeout()")
    assert play(text, budget=30_000, budget_block=1000).lines == ["1"]
    assert play(text, budget=30_000, budget_block=1000, frame_budget=100_000).lines == []


def test_a_thread_has_a_budget_of_its_own() -> None:
    text = """
main() { for (i = 0; i < 3; i++) { thread spin(); println("on"); } for (i = 0; i < 100; i++) x = i; println("end"); }
spin() { for (i = 0; ; i++) x = i; }
"""
    run = play(text, budget=20_000, budget_block=1000)
    assert (run.lines, run.vm.reporter.total) == (["on", "on", "on", "end"], 3)


def test_threads_that_wake_one_another_for_ever() -> None:
    run = play(
        """
main() { thread a(); thread b(); level notify("x"); wait 0.05; println("on"); }
a() { for (;;) { level waittill("x"); level notify("y"); } }
b() { for (;;) { level waittill("y"); level notify("x"); } }
""",
        max_resumptions=500,
    )
    assert run.lines == ["on"]
    assert run.messages == ["threads wake one another without end"]


def test_endless_wait_0() -> None:
    run = play(
        'main() { thread t(); wait 0.05; println("on"); } t() { for (;;) wait 0; }', max_resumptions=500
    )
    assert (run.lines, run.messages) == (["on"], ["threads wake one another without end"])


def test_variables() -> None:
    text = "main() { thread t(); println(1); } t() { for (i = 0; i < COUNT; i++) level.a[i] = i; }"
    assert play(text.replace("COUNT", "900"), max_variables=1000).messages == []
    run = play(text.replace("COUNT", "2000"), max_variables=1000)
    assert (run.lines, run.messages) == (["1"], ["exceeded maximum number of script variables"])
    assert 1000 <= run.vm.stats().variables <= 1010


def test_variables_that_are_removed_are_free_again() -> None:
    run = play(
        """
main()
{
    for (i = 0; i < 20000; i++) { a["k" + i] = 1; a["k" + i] = undefined; }
    for (i = 0; i < 5000; i++) { s = spawnstruct(); s.x = 1; }
    println(a.size);
}
""",
        max_variables=1000,
    )
    assert (run.lines, run.messages) == (["0"], [])


@pytest.mark.parametrize("form", ["s = s + s;", "s += s;", 's = "" + s + s + 1;'])
def test_string_length(form: str) -> None:
    run = play('main() { s = "abcd"; for (i = 0; i < 40; i++) { ' + form + " } }", max_string=1000)
    assert run.messages == ["a string would become longer than 1000 characters"]


def test_number_of_threads() -> None:
    run = play("main() { for (i = 0; i < 20; i++) thread t(); } t() { wait 1; }", max_threads=10)
    assert run.messages == ["more than 10 threads"]
    assert run.vm.stats().threads == 0


def test_native_callbacks_count_as_depth() -> None:
    registry = core_registry()

    @registry.function(stock=False)
    def callback(vm: VM) -> None:
        vm.start("main::main")

    run = make(registry=registry)
    run.vm.link(run.program(main="main() { level.n++; callback(); }"))
    run.vm.level.set_field("n", 0)
    run.vm.start("main::main")
    assert run.messages == ["script stack overflow (too many embedded function calls)"]
    assert run.vm.level.get_field("n") == 32


MOST = 20


def test_a_frame_with_very_many_new_errors_tells_some_and_the_next_one_more() -> None:
    """To tell one takes long, and scripts are not charged for it."""
    calls = "".join(f"thread f{n}(); " for n in range(MOST + 3))
    functions = "".join(f"f{n}() {{ x = 1 + level; }}\n" for n in range(MOST + 3))
    run = play(
        "main() { wait 0.01; " + calls + "wait 0.05; " + calls + "}\n" + functions, max_new_errors=MOST
    )
    assert [d.code for d in run.errors] == ["runtime"] * MOST + ["limit"] + ["runtime"] * 3
    assert run.messages[MOST] == f"more than {MOST} new errors in one frame, the others are not told"
    assert run.vm.reporter.total == 2 * (MOST + 3)
