"""Control flow, arrays, objects and calls, as programs with their output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vm.vm_kit import body, play

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("policy", ["stop", "continue", "halt"])
def test_everything_program(policy: str) -> None:
    """One program with every construct; its output was checked by hand. It has no error, so policies agree."""
    run = play((PROGRAMS / "everything.gsc").read_text("latin-1"), policy)
    assert run.messages == []
    assert run.text == (PROGRAMS / "everything.out").read_text("latin-1")


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        # a break in a switch leaves only the switch
        (
            "n = 0; for (i = 0; i < 2; i++) { switch (i) { case 0: break; default: n++; break; } n++; } println(n);",
            ["3"],
        ),
        # default may share a body and stand anywhere
        (
            'for (v = 1; v < 4; v++) { switch (v) { case 1: default: r = "d"; break; case 2: r = "2"; } println(r); }',
            ["d", "2", "d"],
        ),
        ('switch ("b") { case "a": println(1); case "b": println(2); case "c": println(3); }', ["2", "3"]),
        ("switch (7) { case 1: println(1); } println(9);", ["9"]),
        ("x = 0; do x++; while (x < 5); println(x);", ["5"]),
        ("for (;;) { break; } println(1);", ["1"]),
        ("i = 5; while (i) { i--; if (i == 2) break; } println(i);", ["2"]),
    ],
)
def test_control_flow(statements: str, lines: list[str]) -> None:
    run = body(statements)
    assert (run.lines, run.messages) == (lines, [])


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ("a[0] = 1; b = a; b[0] = 2; println(a[0], b[0]);", ["12"]),
        ("a[0][1] = 1; b = a; b[0][1] = 2; println(a[0][1], b[0][1]);", ["12"]),
        ("a[0] = 1; f(a); println(a[0]);", ["9", "1"]),
        ("level.a[0] = 1; b = level.a; level.a[0] = 2; println(b[0], level.a[0]);", ["12"]),
        ("a[0] = 1; a[1] = a; a[0] = 5; b = a[1]; println(a.size, b.size, b[0]);", ["211"]),
        ('a["1"] = "s"; a[1] = "i"; println(a["1"], a[1], a.size);', ["si2"]),
        ("a[0] = 1; a[1] = 2; a[0] = undefined; println(a.size, isdefined(a[0]));", ["10"]),
        ("a[0] = 1; u = a[7]; a[1] = u; println(a.size);", ["2"]),
        ("a[0] = 3; a[0]++; a[0] += 4; a[0] *= 2; println(a[0]);", ["16"]),
        ("s = spawnstruct(); a[0] = s; b = a; b[0].x = 4; println(s.x);", ["4"]),
        ("s = spawnstruct(); s.list[3] = 1; t = s.list; s.list[3]++; println(t[3], s.list[3]);", ["12"]),
        ("a.x = 1; println(a.x);", []),
        ('a["x"] = 1; a.y = 2; b = a; a.x = 3; println(a["y"], a.x, b.x);', ["231"]),
        ("level.q.z = 1;", []),
        ('game["a"]["b"] = 1; g = game["a"]; game["a"]["b"] = 2; println(g["b"], game["a"]["b"]);', ["12"]),
        ("r = g2(); r[0] = 5; println(r[0], level.kept[0]);", ["51"]),
    ],
)
def test_arrays_are_values(statements: str, lines: list[str]) -> None:
    run = play(
        "main() { "
        + statements
        + " } f(x) { x[0] = 9; println(x[0]); } g2() { level.kept[0] = 1; return level.kept; }"
    )
    assert run.lines == lines


def test_compound_walks_a_path_with_calls_once() -> None:
    run = play(
        'main() { a[3] = 1; level.a = a; level.a[k()] += 5; println(level.a[3]); } k() { println("k");'
        " return 3; }"
    )
    assert run.lines == ["k", "6"]


def test_names_cannot_reach_python() -> None:
    run = body(
        "lambda = 1; None = 2; __class__ = 3; x = spawnstruct(); x.__class__ = 5; x.__dict__ = 6; x.self_ = 7;"
        " println(lambda, None, __class__, x.__class__, x.__dict__);"
    )
    assert (run.lines, run.messages) == (["12356"], [])


def test_waits_inside_expressions_keep_operands() -> None:
    run = play(
        """
main() { println(a(1) + b(2) * a(3), " ", f(b(4), a(5), b(6)), " ", (b(1), a(2), b(3)), " ", b(0) || b(7)); }
a(n) { return n; }
b(n) { wait 0.05; return n; }
f(x, y, z) { return x * 100 + y * 10 + z; }
"""
    )
    assert run.lines == ["7 456 (1.00, 2.00, 3.00) 1"]
    assert run.vm.time == 350


def test_waits_in_every_kind_of_statement() -> None:
    run = play(
        """
main()
{
    for (i = w(0); i < w(3); i = i + w(1))
    {
        if (w(i) == 1) { println("one"); continue; }
        else if (w(i) == 2) println("two ", w(2)); else { w(0); println("other ", i); }
        do { i2 = w(i); } while (w(0));
        while (w(i2)) { i2--; if (w(i2) == 0) break; }
        println("i2 ", i2);
    }
    a[w(1)] = w(5); a[w(1)] += w(2); a[w(1)]++;
    println(a[w(1)]);
    return;
}
w(n) { wait 0.05; return n; }
"""
    )
    assert run.messages == []
    assert run.lines == ["other 0", "i2 0", "one", "two 2", "i2 0", "8"]


def test_else_if_chains_and_operator_chains_of_any_length() -> None:
    chain = "if (x == 0) println(0);" + "".join(f" else if (x == {n}) println({n});" for n in range(1, 190))
    waits = chain.replace("println(150);", "{ wait 0.05; println(150); }")
    total = " + ".join(["1"] * 190)
    truth = " && ".join(["x"] * 190)
    run = body(f"x = 150; {chain} {waits} else println(-1); println({total}); if ({truth}) println(1);")
    assert (run.lines, run.messages) == (["150", "150", "190", "1"], [])


def test_a_function_nested_too_deeply_is_reported_at_its_name() -> None:
    deep = "while (1) { switch (1) { case 1: x = 1; case 2: " * 12 + "}}" * 12
    run = play("main() { println(1); f(); } f() { " + deep + " }")
    assert run.lines == ["1"]
    assert run.messages == ["function 'f' is nested too deeply to be compiled"]
    assert run.places == [(1, 29)]


def test_developer_code_is_left_out() -> None:
    text = 'main() { /# level.dev = 1; #/ print("x"); setcvar("seen", isdefined(level.dev)); }'
    assert play(text).vm.cvars == {"seen": "1"}
    run = play(text, developer=False)
    assert (run.vm.cvars, run.text) == ({"seen": "0"}, "")
