"""Every limit: what is just within it runs, and one more ends the thread that is over it and no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.vm.charges import COMPARED, CONVERTED, FORMATTED, WOKEN
from engine.vm.events import end_on
from engine.vm.objects import ScriptStruct
from tests.iw4.iw4_kit import play as play_iw4
from tests.vm.vm_kit import Run, make, play

OTHER = 'other() { wait 0.1; println("other"); }\n'


def ends(text: str, code: str, **settings: int) -> list[str]:
    """The lines printed by a program in which a thread ends with an error of this code beside one that goes on."""
    run = play(OTHER + text, **settings)
    assert {d.code for d in run.errors} == {code}
    return run.lines


def fits(text: str, **settings: int) -> list[str]:
    run = play(OTHER + text, **settings)
    assert not run.errors
    return run.lines


def started(body: str) -> str:
    return "main() { thread other(); thread tries(); }\ntries() { " + body + ' println("done"); }\n'


ROUND = 8
"""What a round of `for (i = 0; i < N; i++) x = i;` costs."""


@pytest.mark.parametrize(
    ("setting", "limit", "body"),
    [
        ("max_string", 2000, 's = "x"; for (i = 1; i < {n}; i++) s = s + "x";'),
        ("max_array", 100, "for (i = 0; i < {n}; i++) list[i] = i;"),
        ("max_threads", 40, "for (i = 0; i < {n} - 1; i++) thread other();"),
        ("max_threads", 40, "for (i = 0; i < {n} - 1; i++) thread listens();"),
        ("max_endons", 30, 'for (i = 0; i < {n}; i++) self endon(i + "");'),
        ("max_log_lines", 50, "wait 0.05; for (i = 0; i < {n} - 1; i++) println(i);"),
        ("max_variables", 500, "for (i = 0; i < {n}; i++) list[i] = i;"),
    ],
)
def test_at_the_limit_and_past_it(setting: str, limit: int, body: str) -> None:
    """One more than the limit is too much, and only for the thread that asks for it."""
    text = started(body) + 'listens() { level waittill("never"); }\n'
    lines = fits(text.replace("{n}", str(limit)), **{setting: limit})
    assert {"done", "other"} <= set(lines)
    lines = ends(text.replace("{n}", str(limit + 1)), "limit", **{setting: limit})
    assert ("done" in lines, "other" in lines) == (False, True)


@pytest.mark.parametrize(
    ("body", "most"),
    [
        # The event ends nobody who runs, but it has come.
        ('for (i = 0; i < 9; i++) { self endon("e"); self notify("e"); }', 1),
        (
            'for (i = 0; i < 9; i++) { self endon("e"); self endon("f"); self notify("e"); self notify("f"); }',
            2,
        ),
        ('self endon("stays"); for (i = 0; i < 9; i++) { self endon("e"); self notify("e"); }', 2),
    ],
)
def test_an_endon_whose_event_has_come_counts_no_more(body: str, most: int) -> None:
    assert "done" in fits(started(body), max_endons=most)


def test_an_endon_on_what_is_no_more_counts_no_more() -> None:
    run = play('main() { self endon("e"); wait 10; }', frames=1, max_endons=2)
    (thread,) = run.vm.runner.suspended
    for _ in range(3):
        object = ScriptStruct()
        end_on(thread, object, "e", 2)
        run.vm.free(object)
        assert thread.endons == [(run.vm.level, "e")]


def test_a_notify_counts_those_that_it_concerns() -> None:
    run = play(
        "main() { for (i = 0; i < 40; i++) { thread w(); thread e(); } }"
        ' w() { level waittill("waiters"); wait 10; } e() { level endon("owners"); wait 10; }',
        frames=1,
    )
    told = [
        run.vm.runner.notify(run.vm.level, event, ()) for event in ("nobody", "waiters", "owners", "owners")
    ]
    assert told == [0, 40 * WOKEN, 40 * WOKEN, 0]


def test_a_notify_counts_the_values_that_it_compares() -> None:
    wanted = ", ".join(["1"] * 30)
    run = play(
        f'main() {{ thread w(); thread w(); }} w() {{ level waittillmatch("e", {wanted}); wait 10; }}',
        frames=1,
    )
    told = [run.vm.runner.notify(run.vm.level, "e", args) for args in ((2,) * 30, (1,) * 30)]
    # Neighbours that want the same, and get it, are compared once.
    assert told == [2 * (WOKEN + 30 * COMPARED), 2 * WOKEN + 30 * COMPARED]


DEAR = [
    ("a < b", "7", "1.5", CONVERTED),
    ("a * b", "7", "1.5", CONVERTED),
    ("a == b", '"1"', "(1, 2, 3)", 2 * FORMATTED),
    ("a != b", "7", '"7"', FORMATTED),
    ("a + b", '"1"', "(1, 2, 3)", FORMATTED),
    ("(string)a", "(1, 2, 3)", "0", 2 * FORMATTED),
    ("(int)a", '"12"', "0", FORMATTED),
    ("!a", "1.5", "0", 10),
    ("a && b", "1.5", "1.5", 10),
    ("(a, a, a)", '"1"', "0", 3 * FORMATTED),
    ("(a, b, 0)", "LONG", "LONG", 4000),
    ("(int)a", "LONG", "0", 4000),
    ("a.size", "LONG", "0", 30),
    ("a[5]", "LONG", "0", 30),
    ("a[b]", "spawnstruct()", "LONG", 500),
    ("[]", "0", "0", 20),
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("operation", "a", "b", "units"), DEAR)
def test_what_takes_long_is_counted_for_more(operation: str, a: str, b: str, units: int, known: bool) -> None:
    """A loop that does nothing but the dearest of operations is ended after fewer rounds, whatever the compiler knows
    of the types."""
    budget = 200_000
    text = "main() { for (i = 0; i < 13; i++) long += long; a = A; b = B; wait 0.05; for (;;) { level.n++; x = OP; } }"
    text = text.replace("main() {", 'main() { level.n = 0; long = "1";').replace("OP", operation)
    for name, value in (("A", a), ("B", b)):
        value = value.replace("LONG", "long")
        text = text.replace(f"{name};", f"{value};" if known else f"same({value});")
    run = play(text + "same(value) { return value; }", budget=budget, budget_block=100)
    assert {d.code for d in run.errors} == {"budget"}
    assert run.vm.level.get_field("n") <= budget / units + 10


@pytest.mark.parametrize("operation", ['a["KEY"]', 'a["KEY"][1]'])
def test_a_field_that_is_written_by_a_long_name_is_counted(operation: str) -> None:
    place = operation.replace('"KEY"', "long")
    text = (
        'main() { long = "k"; for (i = 0; i < 13; i++) long += long; a = spawnstruct(); level.n = 0; wait 0.05;'
        f" for (;;) {{ level.n++; {place} = 1; }} }}"
    )
    run = play(text, budget=200_000, budget_block=100)
    assert {d.code for d in run.errors} == {"budget"}
    assert run.vm.level.get_field("n") <= 200_000 / 500 + 10


HELD = {
    "endons": 'keeps() { for (i = 0; i < 100; i++) level endon("e" + i); wait 100; }',
    "wanted": f'keeps() {{ level waittillmatch("e", {", ".join(["1"] * 100)}); }}',
    "long wanted": 'keeps() { s = "x"; for (i = 0; i < 12; i++) s += s; q = s + level.n; s = ""; w(q); }'
    ' w(q) { e(q + "a", q + "b"); } e(a, b) { f(a + "c", b + "d", a + "e"); }'
    ' f(a, b, c) { level waittillmatch("e", a, b, c); }',
    "arguments": "keeps() { for (i = 0; i < 100; i++) a[i] = i; thread drops(a); }"
    " drops(a) { a = undefined; wait 100; }",
    "places": "keeps() { wait 100; " + " ".join(f"v{i} = 1;" for i in range(900)) + " }",
    "places of a callee": "keeps() { wait 0.05; deep(); } deep() { wait 100; "
    + " ".join(f"v{i} = 1;" for i in range(900))
    + " }",
}


@pytest.mark.parametrize("what", HELD)
@pytest.mark.parametrize("play", [play, play_iw4])
def test_whatever_threads_make_the_vm_keep_is_counted(what: str, play: Callable[..., Run]) -> None:
    """None of these has many variables that are set; without counting what they hold there were no end to them."""
    most = 3000
    text = "main() { level.n = 0; for (;;) { level.n++; thread keeps(); wait 0.05; } } " + HELD[what]
    run = play(text, frames=200, max_variables=most)
    assert {d.code for d in run.errors} == {"limit"}
    assert run.vm.stats().variables <= most * 1.1
    assert run.vm.stats().threads < 100


def test_a_few_endons_and_locals_cost_no_variables() -> None:
    text = "main() { for (i = 0; i < 50; i++) thread keeps(); wait 1; } keeps() { " + " ".join(
        f'level endon("{name}");' for name in "abcdefgh"
    )
    run = play(text + " wait 100; " + " ".join(f"v{i} = 1;" for i in range(60)) + " }", frames=3)
    assert run.vm.stats().variables <= 2


def test_the_budget_at_its_limit_and_a_block_past_it() -> None:
    text = started("for (i = 0; i < {n}; i++) x = i;")
    settings = {"budget": 4000 * ROUND, "budget_block": 10 * ROUND}
    assert "done" in fits(text.replace("{n}", str(4000 - 100)), **settings)
    lines = ends(text.replace("{n}", str(4000 + 10)), "budget", **settings)
    assert ("done" in lines, "other" in lines) == (False, True)


def test_before_the_first_frame_there_is_more_to_spend() -> None:
    text = "main() { for (i = 0; i < 5000; i++) x = i; wait 0.05; for (i = 0; i < 5000; i++) x = i; }"
    run = play(
        text, budget=1000 * ROUND, frame_budget=1000 * ROUND, budget_block=10, loading_budget=6000 * ROUND
    )
    assert [(d.code, d.span.col) for d in run.errors if d.span is not None] == [("budget", 55)]


def test_depth() -> None:
    text = 'main() { thread other(); thread tries(); }\ntries() { down(LEVELS); println("done"); }\n'
    down = "down(n) { if (n > 1) down(n - 1); }\n"
    assert "done" in fits(text.replace("LEVELS", "29") + down, max_depth=32)
    assert "done" not in ends(text.replace("LEVELS", "32") + down, "limit", max_depth=32)


def test_resumptions_within_one_moment() -> None:
    text = started("for (i = 0; i < COUNT; i++) wait 0;")
    assert "done" in fits(text.replace("COUNT", "90"), max_resumptions=100)
    lines = ends(text.replace("COUNT", "150"), "budget", max_resumptions=100)
    assert ("done" in lines, "other" in lines) == (False, True)


def test_a_frame_that_is_full_ends_who_goes_on() -> None:
    text = started("for (i = 0; i < 20; i++) { for (n = 0; n < 100; n++) x = n; wait 0; }")
    assert "done" in fits(text, frame_budget=5000 * ROUND, budget_block=50)
    lines = ends(text, "budget", frame_budget=1000 * ROUND, budget_block=50)
    assert ("done" in lines, "other" in lines) == (False, True)


def test_many_temporary_values_are_no_hoard() -> None:
    run = play("main() { for (i = 0; i < 3000; i++) { s = undefined; s[0] = i; } }", max_variables=50)
    assert not run.errors


LONG_NAMES = (
    "level.a[s + n] = n;",
    "level.b = spawnstruct(); level.b[s + n] = level.c; level.c = level.b;",
    "level.s = s; thread waits(n);",
    "level.s = s; thread ends(n);",
)


@pytest.mark.parametrize("statement", LONG_NAMES, ids=["keys", "fields", "events", "endons"])
def test_long_names_count_as_long_strings_do(statement: str) -> None:
    """Or a script could fill the machine's memory with names: here the room of eight small values each."""
    text = (
        'main() { s = "0123456789abcdef"; for (i = 0; i < 8; i++) s = s + s;'
        " for (n = 0; n < 200; n++) { " + statement + " } }\n"
        "waits(n) { level waittill(level.s + n); }\n"
        'ends(n) { level endon(level.s + n); level waittill("never"); }\n'
    )
    run = play(text, max_variables=4096)
    assert not run.errors
    run = play(text, max_variables=1200)
    assert {error.code for error in run.errors} == {"limit"}


def test_who_has_most_is_told() -> None:
    run = play("main() { for (i = 0; i < 900; i++) level.hoard[i] = i; }", max_variables=500)
    assert any("field 'hoard'" in note.message for d in run.errors for note in d.notes)


def test_reading_what_is_missing_takes_no_variable() -> None:
    """In the original machine it does; here a script cannot use up the table by looking."""
    text = "main() { level.a = []; for (i = 0; i < 3000; i++) { x = level.a[i]; y = level.b; z = none; } wait 1; }"
    run = make(max_variables=100)
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    assert (run.messages, run.vm.stats().threads) == ([], 1)
    assert run.vm.stats().variables < 10
