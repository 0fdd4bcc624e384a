"""Swapping a program in: identity of function values, fate of threads, state that stays."""

from __future__ import annotations

import pytest

from tests.vm.vm_kit import Run, make

BASE = """
main() { level.score = 5; level.f = ::step; level thread loop("a"); level thread other(); }
loop(name) { n = 0; for (;;) { n++; println(name, step(n)); wait 0.05; } }
step(n) { return n; }
other() { for (;;) { wait 0.05; print("."); } }
"""


def start(text: str = BASE) -> Run:
    run = make()
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    return run


def test_untouched_threads_run_new_callees() -> None:
    run = start()
    report = run.vm.link(run.program(main=BASE.replace("return n;", "return n * 10;")))
    assert (report.untouched, report.restarted, report.ended) == (2, (), ())
    run.out.clear()
    run.frames(2)
    assert run.text == ".a20\na30\n."
    assert run.vm.level.get_field("score") == 5


def test_functions_keep_identity_and_see_new_code() -> None:
    run = start()
    before = run.vm.function("main::step")
    run.vm.link(
        run.program(main=BASE.replace("return n;", "return n * 10;") + "use() { println([[level.f]](4)); }")
    )
    assert run.vm.function("main::step") is before
    run.out.clear()
    run.vm.start("main::use")
    assert run.lines == ["40"]


def test_threads_with_a_changed_function_go_on_where_they_wait() -> None:
    run = start()
    run.frames(2)
    report = run.vm.link(
        run.program(main=BASE.replace("println(name, step(n));", 'println("new ", name, n);'))
    )
    assert (report.untouched, len(report.moved)) == (1, 1)
    assert report.changed == (("main", "loop"),)
    (row,) = report.rows
    assert (row.function, row.fate, row.reason) == ("main::loop", "moved", "the same place")
    run.out.clear()
    run.frames(1)
    assert "new a4" in run.lines[0]


@pytest.mark.parametrize("word", ["if", "while"])
def test_what_a_condition_asked_before_it_waited_is_no_promise_of_the_new_version(word: str) -> None:
    """A thread that waits in the second half has been through the first half of the old one: it squares 60,000."""
    text = (
        f"main() {{ i = 60000; {word} (i < 100000 && late()) {{ println(i * i); i = 500000; }} }}"
        "late() { wait 0.05; return 1; }"
    )
    run = start(text)
    run.vm.link(run.program(main=text.replace("i < 100000", "i < 5 && i > -5")))
    run.frames(4)
    assert run.lines == ["-694967296"]


def test_threads_whose_place_is_gone_begin_again_with_their_arguments() -> None:
    run = start()
    report = run.vm.link(
        run.program(main=BASE.replace("wait 0.05; } }\nstep", 'level waittill("go"); } }\nstep'))
    )
    assert (report.untouched, len(report.restarted)) == (1, 1)
    assert report.rows[0].reason == "the wait is not there any more"
    run.out.clear()
    run.vm.drain()
    assert run.lines == ["a1"]


def test_moving_code_touches_nothing_and_errors_are_at_the_new_place() -> None:
    text = "main() { wait 0.05; x = 1 + level; }"
    run = start(text)
    report = run.vm.link(run.program(main="// new\n// lines\n" + text))
    assert report.untouched == 1
    (view,) = run.vm.threads()
    assert view.frames[0].span is not None
    assert view.frames[0].span.line == 3
    run.frames(2)
    assert run.places == [(3, 27)]


def test_a_callee_that_begins_to_wait_takes_its_callers_along() -> None:
    run = start()
    report = run.vm.link(run.program(main=BASE.replace("return n;", "wait 0.05; return n;")))
    assert len(report.moved) == 1
    run.out.clear()
    run.frames(3)
    assert "a2" in run.text
    assert run.messages == []


def test_a_root_function_that_is_gone_ends_its_threads() -> None:
    run = start()
    gone = BASE.replace("level thread other();", "").replace(
        'other() { for (;;) { wait 0.05; print("."); } }', ""
    )
    report = run.vm.link(run.program(main=gone))
    assert (report.untouched, len(report.ended)) == (1, 1)
    run.vm.link(run.program(main="main() { [[level.f]](1); } loop(x) {}"))
    run.vm.start("main::main")
    assert run.messages == ["function 'main::step' is not part of the program any more"]


def test_waits_on_events_survive() -> None:
    run = start('main() { level waittill("go", n); println("got ", n); after(); } after() {}')
    run.vm.link(
        run.program(
            main='main() { level waittill("go", n); println("got ", n); after(); } after() { println(1); }'
        )
    )
    run.vm.notify(run.vm.level, "go", 7)
    run.vm.drain()
    assert run.lines == ["got 7", "1"]


def test_many_reloads_leave_no_code_behind() -> None:
    run = start()
    for number in range(20):
        run.vm.link(run.program(main=BASE.replace("return n;", f"return n + {number};")))
        run.frames(1)
    assert len(run.vm.linker.codes.known) <= 6


def test_a_new_level_keeps_the_game_array() -> None:
    run = make()
    text = 'main() { game["a"] = 1; game["o"] = level; game["f"]["g"] = ::main; level.x = 1; anim.y = 2; wait 1; }'
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    run.vm.new_level(keep_game=True)
    assert run.vm.stats().threads == 0
    assert dict(run.vm.root.game) == {"a": 1, "f": run.vm.root.game["f"]}
    assert dict(run.vm.root.game["f"]) == {}
    assert (run.vm.level.get_field("x"), run.vm.anim.get_field("y")) == (None, None)
    run.vm.new_level(keep_game=False)
    assert dict(run.vm.root.game) == {}
