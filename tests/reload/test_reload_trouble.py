"""Long sessions and odd moments: nothing is lost, and the fates add up to the threads."""

from __future__ import annotations

import gc
import sys

from engine.vm.fates import PolicyOf
from tests.vm.vm_kit import Run, make

BASE = """main()
{
    level.total = 0;
    for (n = 0; n < 20; n++)
        level thread walker(n);
    level thread listener();
}
walker(n)
{
    level endon("stop");
    for (rounds = 0;; rounds++)
    {
        level.total += helper(n);
        wait 0.05 + n * 0.01;
    }
}
helper(n) { if (n == 3) wait 0.05; return 1; }
listener() { for (;;) { level waittill("go", x); level.heard = x; } }
"""

POLICIES: dict[str, PolicyOf] = {"restart": lambda key: "restart", "keep": lambda key: "keep"}


def start(text: str = BASE, frames: int = 4) -> Run:
    run = make()
    run.vm.link(run.program(main=text))
    run.vm.start("main::main")
    run.frames(frames)
    return run


def test_the_fates_add_up_over_many_reloads_of_every_kind() -> None:
    texts = [
        BASE,
        BASE.replace("return 1;", "return 2;"),
        BASE.replace("for (rounds", "level.x = 1; for (rounds"),
        BASE.replace("if (n == 3) wait 0.05;", ""),
        BASE.replace("wait 0.05 + n * 0.01;", 'level waittill("go");'),
        BASE.replace("walker(n)", "runner(n)"),
        BASE.replace("level.heard = x;", "level.heard = x; wait 0.1;"),
        BASE.replace("walker(n)\n{", "walker(n)\n{\n    level.begun = 1;").replace("helper(n);", "n;"),
    ]
    run = start()
    programs = [run.program(main=text) for text in texts]
    for number in range(120):
        threads = run.vm.stats().threads
        policy = ("restart", "keep", "restart")[number % 3]
        program = programs[number * 5 % len(texts)]
        report = run.vm.link(program, policy=POLICIES[policy])
        assert sum(report.counts().values()) == threads
        run.vm.notify(run.vm.level, "go", number)
        run.frames(1)
        assert run.vm.stats().threads == threads - len(report.ended)
    assert run.messages == []


SMALL = """main() { level thread walker(); level thread listener(); wait 1000; }
walker() { for (;;) { level.n = helper(); wait 0.05; } }
helper() { return 1; }
listener() { for (;;) { level waittill("go", x); level.heard = x; } }
"""


def test_memory_stays_flat_over_many_reloads() -> None:
    run = start(SMALL)
    texts = [
        SMALL.replace("return 1;", f"return {n};").replace("level.heard", f"level.h{n}") for n in range(4)
    ]
    texts[3] = texts[3].replace("wait 0.05;", "wait 0.05; level.more = 1; wait 0.01;")
    programs = [run.program(main=text) for text in texts]

    def reload(count: int) -> None:
        for number in range(count):
            policy = "keep" if number % 2 else "restart"
            run.vm.link(programs[number % 4], policy=POLICIES[policy])
            run.frames(1)

    reload(20)
    gc.collect()
    before = sys.getallocatedblocks()
    reload(500)
    gc.collect()
    # Blocks of 64 bytes or so: a reload that left a frame, a code object or a namespace behind would leave hundreds.
    assert sys.getallocatedblocks() - before < 10_000
    assert run.messages == []


def test_a_thread_that_is_queued_takes_its_values_along() -> None:
    run = start('main() { level waittill("go", a); println("a", a); }', 1)
    run.vm.notify(run.vm.level, "go", 1, 2)
    run.vm.link(run.program(main='main() { level waittill("go", b, c); println("b", b, "c", c); }'))
    run.vm.drain()
    assert run.lines == ["b1cundefined"]


def test_a_dead_self_ends_the_thread_after_a_move_too() -> None:
    text = (
        'main() { s = spawnstruct(); level.s = s; s thread t(); wait 1; } t() { wait 0.2; println("never"); }'
    )
    run = start(text, 1)
    run.vm.link(run.program(main=text.replace('println("never")', 'println("never again")')))
    run.vm.free(run.vm.level.get_field("s"))
    run.frames(10)
    assert (run.lines, run.messages) == ([], [])


def test_endons_and_starters_stay() -> None:
    run = start()
    before = len(run.vm.runner.suspended)
    run.vm.link(run.program(main=BASE.replace('level endon("stop");', "level.x = 1;")))
    run.vm.notify(run.vm.level, "stop")
    run.frames(2)
    assert before - len(run.vm.runner.suspended) == 20


def test_old_code_goes_on_with_old_callees() -> None:
    text = "main() { for (n = 0; n < 4; n++) { println(step()); wait 0.05; } } step() { return 1; }"
    run = start(text, 1)
    new = text.replace("wait 0.05;", "").replace("return 1", "wait 5; return 2")
    report = run.vm.link(run.program(main=new), policy=lambda key: "keep")
    assert len(report.kept) == 1
    run.out.clear()
    run.frames(10)
    assert run.lines == ["1", "1"]
    assert run.messages == []


def test_a_runaway_beside_old_code_ends_itself_alone() -> None:
    text = "main() { level thread spin(); for (n = 0; n < 6; n++) { println(n); wait 0.05; } } spin() { wait 0.1; }"
    run = start(text, 1)
    new = text.replace("println(n); wait 0.05;", "").replace("wait 0.1;", "wait 0.1; for (;;) {}")
    run.vm.link(run.program(main=new), policy=lambda key: "keep")
    run.frames(10)
    assert run.lines == ["0", "1", "2", "3", "4", "5"]
    assert run.messages == ["potential infinite loop in script"]
