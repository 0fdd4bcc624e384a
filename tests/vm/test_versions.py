"""Versions of functions for the types of arguments, and ints whose bounds are known: what they may not change."""

from __future__ import annotations

import pytest

from tests.vm.test_emitted import emitted
from tests.vm.vm_kit import Run, body, make, play

SUM = """
main() { println(sum(4), " ", sum(2.5)); }
sum(n) { if (n <= 0) return n; return n + sum(n - 1); }
"""
DOWN = "main() { println(down(%d)); }\ndown(n) { if (n == 0) return 0;\nreturn 1 + down(n - 1); }\n"


def named(run: Run, prefix: str) -> list[str]:
    return sorted(name for name in run.vm.linker.namespace if name.startswith(prefix))


def test_each_type_of_an_argument_gets_its_version() -> None:
    run = play(SUM)
    assert run.lines == ["10 4"]
    assert named(run, "V_") == ["V_f_qmain_qsum", "V_i_qmain_qsum"]


def test_a_version_for_ints_looks_at_no_types() -> None:
    (main, version) = emitted("main() { return twice(3) + 1; } twice(n) { return n * 2; }")
    assert "V_i_qmain_qtwice" in main.text
    assert "__class__" not in main.text
    assert version.name == "C_main_qtwice"


def test_only_functions_that_cannot_wait_and_call_no_other_have_versions() -> None:
    texts = {
        "plain": "f(n) { return n; }",
        "waits": "f(n) { wait 1; return n; }",
        "calls": "f(n) { return g(n); } g(n) { return n; }",
        "value": "f(n) { return [[ level.h ]](n); }",
        "starts": "f(n) { thread g(n); return n; } g(n) { }",
    }
    found = {k: "V_" in emitted("main() { f(1); } " + text)[0].text for k, text in texts.items()}
    assert found == {"plain": True, "waits": False, "calls": False, "value": False, "starts": True}


def test_missing_arguments_are_undefined_in_a_version() -> None:
    run = play("main() { println(f(1)); }\nf(a, b) { if (isdefined(b)) return a + b; return a; }\n")
    assert (run.lines, run.messages) == (["1"], [])
    assert named(run, "V_") == ["V_iu_qmain_qf"]


def test_a_version_may_do_nothing() -> None:
    run = play("main() { f(1); f(2, undefined); println(isdefined(f(3))); }\nf(a, b) { }\n")
    assert (run.lines, run.messages) == (["0"], [])


@pytest.mark.parametrize("policy", ["stop", "continue"])
def test_depth_in_versions(policy: str) -> None:
    """The main function is one call, so that the last of 31 below it is the deepest."""
    at, past = play(DOWN % 30, policy), play(DOWN % 31, policy)
    assert (at.lines, at.messages) == (["30"], [])
    assert past.messages[0] == "script stack overflow (too many embedded function calls)"
    assert past.places[0] == (3, 12)
    assert len(past.errors[0].stack) == 32


def test_calls_count_in_versions() -> None:
    run = play(
        "main() { f(25); println(1); }\nf(n) { if (n < 2) return n; return f(n - 1) + f(n - 2); }\n",
        budget=9000,
    )
    assert run.lines == []
    assert run.errors[0].code == "budget"


def test_a_version_that_is_replaced_is_not_called_any_more() -> None:
    text = "main() { for (;;) { println(f(2)); wait 0.05; } }\nf(n) { return n; }\n"
    run = make()
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    # Another type of result: what waits was compiled for ints.
    run.vm.link(run.program(main=text.replace("return n;", 'return "<" + n + ">";')))
    run.frames(1)
    assert run.lines == ["2", "<2>"]


def test_kept_code_calls_kept_versions() -> None:
    text = "main() { for (;;) { println(f(2)); wait 0.05; } }\nf(n) { return n; }\n"
    run = make()
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    changed = text.replace("wait 0.05;", "").replace("return n;", "return n * 10;").replace("for (;;)", "")
    report = run.vm.link(run.program(main=changed), policy=lambda key: "keep")
    assert len(report.kept) == 1
    run.vm.start("main::main")
    run.frames(1)
    assert run.lines == ["2", "20", "2"]


def test_an_error_in_a_version_of_another_script_is_in_that_script() -> None:
    run = make()
    run.vm.link(run.program(main="main() { lib::f(1); }", lib="f(n)\n{\n    return n + level;\n}\n"))
    run.vm.start("main::main")
    (error,) = run.errors
    assert error.span is not None
    assert (error.span.source.path, error.span.line, error.span.col) == ("lib.gsc", 3, 14)


# ---- bounds ----------------------------------------------------------------------------------------------


def test_counting_loops_check_no_results() -> None:
    (function,) = emitted("main() { for (i = 0; i < 10; i++) x = (i * 2) % 7; println(x); }")
    assert "WRAP" not in function.text
    assert ">= 0" not in function.text


def test_what_leaves_32_bits_still_wraps() -> None:
    run = body(
        """
        i = 2147483645; for (n = 0; n < 4; n++) i++;
        j = -2147483646; for (n = 5; n > 0; n--) j = j - 1;
        k = 65536; k = k * k; m = 46341; m *= m;
        println(i, " ", j, " ", k, " ", m);
        x = 2147483646; while (x > 0) x = x + 1; println(x);
        a = -7; b = a % 4; if (a < 0) println(b, " ", a / 2);
        """
    )
    assert run.lines == ["-2147483647 2147483645 0 -2147479015", "-2147483648", "-3 -3"]


def test_bounds_hold_on_every_way() -> None:
    run = body(
        """
        n = 0; i = 0;
        for (;;) { i++; if (i == 3) continue; if (i > 5) break; n = n + i; }
        println(n, " ", i % 4);
        s = 1; switch (n) { case 12: s = -9; break; case 13: s = 2; default: s = s - 8; }
        println(s % 4, " ", s / 2);
        do { s = s + 3; } while (s < 0); println(s % 2);
        """
    )
    assert run.lines == ["12 2", "-1 -4", "0"]


def test_bounds_are_forgotten_where_a_thread_waits() -> None:
    """It may come from another version of the function, with a value that this one never has there."""
    text = "main() { i = %s; wait 0.05; println(i %% 4); }"
    run = make()
    run.vm.link(run.program(main=text % "-7"))
    run.vm.start("main::main")
    run.vm.link(run.program(main=text % "7"))
    run.frames(1)
    assert run.lines == ["-3"]


# ---- vectors ---------------------------------------------------------------------------------------------

FALL = """
main()
{
    p = (0, 8, 0.1); down = (0, 0, -0.3);
    for (i = 0; i < 3; i++) { p = p + down; p += (1, 0, 0); q = (p[1], p[0], p[2]); }
    println(p, " ", q[2] - 0.5, " ", q);
}
"""


def test_vectors_in_parts() -> None:
    (function,) = emitted(FALL)
    assert "M[0] = z_p + -0.3" in function.text
    assert "v_p" not in function.text
    run = play(FALL)
    assert (run.lines, run.messages) == (["(3.00, 8.00, -0.80) -1.3 (8.00, 3.00, -0.80)"], [])


def test_what_may_be_no_vector_stays_whole() -> None:
    texts = {
        "undefined before": "if (level.x) p = (1, 2, 3); println(p[0]);",
        "a string later": 'p = (1, 2, 3); println(p[0]); p = "abc"; println(p[0]);',
        "an element set": "p = (1, 2, 3); println(p[0]); p[1] = 2;",
        "a parameter": "",
    }
    for name, text in texts.items():
        (function,) = emitted("main(p) { println(p[1]); }" if not text else f"main() {{ {text} }}")
        assert "x_p" not in function.text, name


def test_a_report_shows_vectors_whole() -> None:
    run = body("p = (1, 2, 3); for (;;) p = p + (p[0], 0, 0);", budget=100_000)
    notes = [note.message for note in run.errors[0].notes]
    assert notes[1:] == ["p = (inf, 2, 3)"]
