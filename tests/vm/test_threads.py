"""Order of waking, events, endings: one test for each rule of the vm facts, sections 2 to 5."""

from __future__ import annotations

import pytest

from engine.vm.inspect import view_thread
from engine.vm.objects import ScriptStruct
from tests.vm.vm_kit import make, play


@pytest.mark.parametrize(
    ("rule", "text", "lines"),
    [
        (
            "2.1 notify only queues",
            'main() { thread w(); level notify("e"); println("after"); wait 0.05; } w() { level waittill("e");'
            ' println("w"); }',
            ["after", "w"],
        ),
        (
            "2.2 the oldest waiter first",
            'main() { for (i = 0; i < 3; i++) thread w(i); level notify("e"); } w(n) { level waittill("e");'
            " println(n); }",
            ["0", "1", "2"],
        ),
        (
            "2.3 the later notify first, before what is due",
            'main() { thread t(); wait 0.05; } t() { thread w("a"); thread w("b"); thread z(); wait 0.05;'
            ' level notify("a"); level notify("b"); }'
            " w(e) { level waittill(e); println(e); } z() { wait 0.05; println(0); }",
            ["b", "a", "0"],
        ),
        (
            "2.5 fewer and more values than names",
            'main() { thread w(); level notify("e", 1); thread v(); level notify("f", 1, 2); }'
            ' w() { level waittill("e", a, b); println(a, isdefined(b)); } v() { level waittill("f", a); println(a); }',
            ["1", "10"],
        ),
        (
            "2.6 a mismatch stays",
            'main() { thread w(); level notify("e", 2); level notify("e"); wait 0.05; level notify("e", 1, 5); }'
            ' w() { level waittillmatch("e", 1); println("ok"); }',
            ["ok"],
        ),
        (
            "2.7 endon of a called function holds for the thread",
            'main() { thread t(); wait 0.05; level notify("stop"); wait 0.1; println("end"); }'
            ' t() { e(); wait 0.1; println("never"); } e() { level endon("stop"); }',
            ["end"],
        ),
        (
            "2.8 a running thread is not ended and its endon is used up",
            'main() { level endon("x"); level notify("x"); println(1); wait 0.05; level notify("x"); wait 0.05;'
            " println(2); }",
            ["1", "2"],
        ),
        (
            "2.9 queued, then ended",
            'main() { thread w(); level notify("e"); wait 0.05; println("end"); }'
            ' w() { level endon("e"); level waittill("e"); println("never"); }',
            ["end"],
        ),
        (
            "2.10 parents and children live on",
            'main() { thread p(); wait 0.05; level notify("x"); wait 0.2; } p() { level endon("x"); thread c();'
            " wait 1; }"
            ' c() { wait 0.1; println("child"); }',
            ["child"],
        ),
        (
            "2.12 event names keep their case",
            'main() { thread w(); level notify("E"); level notify("e"); } w() { level waittill("e");'
            ' println("once"); }',
            ["once"],
        ),
        (
            "3.2 equal waits swap their order",
            "main() { thread t(1); thread t(2); } t(n) { for (i = 0; i < 2; i++) { wait 0.05; print(n); } }",
            ["2112"],
        ),
        (
            "3.5 waits below a frame run within it",
            'main() { for (i = 0; i < 10; i++) { wait 0.01; print(gettime() + " "); } }',
            ["50 50 50 50 50 100 100 100 100 100 "],
        ),
        (
            "3.7 wait 0 goes on in the same pass",
            'main() { thread t(); } t() { wait 0; println("b ", gettime()); }',
            ["b 0"],
        ),
        (
            "3.8 a thread runs at once",
            "main() { thread t(); println(2); } t() { println(1); wait 1; }",
            ["1", "2"],
        ),
        (
            "a thread that does not wait gives its result",
            "main() { x = thread t(4); println(x, isdefined(thread u())); } t(n) { return n * 2; } u() { wait 1;"
            " return 1; }",
            ["80"],
        ),
    ],
    ids=lambda value: value.split(" ", 1)[0] if isinstance(value, str) and "main()" not in value else "",
)
def test_rule(rule: str, text: str, lines: list[str]) -> None:
    run = play(text)
    assert (run.lines, run.messages) == (lines, []), rule


def test_clock_shows_each_millisecond() -> None:
    """3.3: every bucket on the way runs, the last one at the next drain."""
    run = make()
    run.vm.link(run.program(main="main() { thread w(0.049); thread w(0.05); } w(t) { wait t; println(t); }"))
    run.vm.start("main::main")
    run.vm.advance(50)
    assert run.lines == ["0.049"]
    run.vm.drain()
    assert run.lines == ["0.049", "0.05"]


def test_clock_wraps_at_24_bits() -> None:
    run = make()
    run.vm.link(run.program(main='main() { wait 0.1; println("woke"); }'))
    run.vm.scheduler.clock = 0xFFFFFF - 20
    run.vm.start("main::main")
    run.vm.advance(100)
    run.vm.drain()
    assert run.lines == ["woke"]


def test_time_never_runs_back() -> None:
    run = play("main() { wait 0.1; println(gettime()); }", frames=0)
    for ms in (60, -40, 0, 40):
        run.vm.step(ms)
    assert (run.lines, run.vm.time) == (["100"], 100)


def test_freed_object() -> None:
    """4.1 to 4.4: fields go, waiters on it end, endons on it are dropped, its own threads end when they would
    resume."""
    run = make()
    run.vm.link(
        run.program(
            main="""
main() { wait 1; }
waits() { self waittill("e"); println("never"); }
ends(o) { o endon("e"); wait 0.1; println("lives"); }
own() { wait 0.05; println("never"); }
calls() { inner(); println("never"); }
inner() { wait 0.05; println("never"); }
look(o) { println(isdefined(o)); println(o.x); }
"""
        )
    )
    thing = ScriptStruct()
    thing.set_field("x", 1)
    vm = run.vm
    waiting = vm.start("main::waits", thing)
    vm.start("main::ends", None, (thing,))
    vm.start("main::own", thing)
    vm.start("main::calls", thing)
    vm.free(thing)
    assert waiting.ended
    assert list(thing.fields()) == []
    vm.notify(thing, "e")
    run.frames(4)
    vm.start("main::look", None, (thing,))
    assert run.lines == ["lives", "0"]
    assert run.messages == ["dead entity is not an object"]
    assert vm.stats().threads == 0


def test_self_that_dies_in_a_call_ends_the_rest_of_the_stack() -> None:
    from engine.vm.core import core_registry
    from engine.vm.machine import VM
    from engine.vm.objects import ScriptObject

    registry = core_registry()

    @registry.method(stock=False)
    def vanish(self: ScriptObject, vm: VM) -> None:
        vm.free(self)

    run = make(registry=registry)
    run.vm.link(
        run.program(
            main='main() { } t() { inner(); println("never"); } inner() { self vanish(); println("still"); }'
        )
    )
    run.vm.start("main::t", ScriptStruct())
    assert (run.lines, run.messages) == (["still"], [])


def test_threads_view() -> None:
    run = play(
        """
main() { level.x = 1; outer("a"); }
outer(name) { n = 3; level waittill("never", who); }
""",
        frames=3,
    )
    (view,) = run.vm.threads()
    assert [(f.function, f.span.line if f.span else 0) for f in view.frames] == [
        ("main::main", 2),
        ("main::outer", 3),
    ]
    assert view.frames[1].locals == {"name": "a", "n": 3, "who": None}
    assert (view.waits, view.since) == ('waittill "never" on level', 0)
    assert (run.vm.stats().threads, run.vm.stats().waiters) == (1, 1)


def test_ended_threads_leave_nothing_behind() -> None:
    run = play(
        """
main() { for (i = 0; i < 50; i++) { thread t(); thread u(); wait 0.05; level notify("stop"); } }
t() { level endon("stop"); level endon("other"); level endon("stop"); wait 100; }
u() { level endon("stop"); level waittill("nothing"); }
""",
    )
    assert run.messages == []
    assert run.vm.stats().threads == 0
    assert not run.vm.level.waiters
    assert not run.vm.level.endons
    assert run.vm.idle


def test_places_of_ended_threads_are_swept() -> None:
    """Threads that end in the middle of a long wait leave no more places behind than there are threads, or 1,000."""
    run = play(
        'main() { while (1) { for (i = 0; i < 400; i++) thread sleeper(); wait 0.05; level notify("stop"); } }'
        ' sleeper() { level endon("stop"); wait 1000; }'
    )
    most = 0
    for _ in range(20):
        run.frames(1)
        most = max(most, sum(map(len, run.vm.scheduler.buckets.values())))
    assert run.messages == []
    assert 1000 < most < 2000


def test_a_wait_whose_length_only_the_game_knows_is_that_many_thousandths() -> None:
    run = play(
        "main() { level.long = 10; wait level.long; println(gettime());"
        " wait level.long * 1.0; println(gettime()); }",
        frames=500,
    )
    assert run.lines == ["10000", "20000"]


def test_how_long_a_thread_still_waits_is_shown() -> None:
    run = play("main() { wait 10; }", frames=3)
    (thread,) = run.vm.runner.suspended
    assert view_thread(run.vm, thread).waits == "wait, 9850 ms to go"


def test_events_of_one_object_that_many_waited_for_are_over_when_they_have_come() -> None:
    """Twenty are more than the places that an object keeps for events (`events.KEPT`)."""
    run = play(
        'main() { for (i = 0; i < 20; i++) thread w(i + ""); wait 0.05; all(); wait 0.05; all(); wait 0.05; all(); }'
        ' all() { for (i = 0; i < 20; i++) level notify(i + ""); }'
        " w(e) { level waittill(e); println(e); wait 0.2; println(e); }",
        frames=10,
    )
    assert sorted(run.lines, key=int) == [str(i // 2) for i in range(40)]
    waiting = run.vm.level.waiters
    assert waiting is not None
    assert not any(waiting.values())


def test_who_was_woken_waits_for_nothing() -> None:
    run = play(
        'main() { thread w(); wait 0.05; level notify("e"); wait 10; } w() { level waittill("e"); wait 10; }',
        frames=3,
    )
    assert sorted(view_thread(run.vm, thread).waits[:5] for thread in run.vm.runner.suspended) == [
        "wait,",
        "wait,",
    ]
    assert not any(thread.waits_on for thread in run.vm.runner.suspended)
