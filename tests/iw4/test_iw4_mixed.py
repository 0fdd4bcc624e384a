"""Two dialects in one program, whose threads notify, start and cut one another."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from iw4_kit import Run, make, program

from engine.vm.machine import VM
from engine.vm.objects import ScriptObject
from engine.vm.strict_natives import strict_registry

UO_SIDE = r"""
main()
{
    level.half = 7 / 2;
    thread waits("uo old");
    thread waits("uo new");
    level waittill("answer", array);
    println("uo has " + array[0] + " and " + level.quotient + "\n");
}
waits(name) { level waittill("go"); println(name); }
"""
IW4_SIDE = r"""
main()
{
    level.quotient = 7 / 2;
    thread waits("iw4 old");
    thread waits("iw4 new");
    wait 0.05;
    level notify("go");
    wait 0.05;
    a = [];
    a[0] = level.half;
    level notify("answer", a);
    x = 1 + undefined;
    logprint("iw4 goes on\n");
}
waits(name) { level waittill("go"); logprint(name + "\n"); }
"""


def test_each_script_keeps_its_own_rules_in_a_mixed_game() -> None:
    run = make()
    mixed = program(run, {"other\\uo": UO_SIDE, "other\\iw4": IW4_SIDE}, uo=frozenset({"other\\uo"}))
    run.vm.link(mixed)
    run.vm.start("other\\uo::main")
    run.vm.start("other\\iw4::main")
    run.frames(5)
    lines = [line for line in run.lines if line]
    assert [line for line in lines if line.startswith("uo ") and "has" not in line] == ["uo old", "uo new"]
    assert [line for line in lines if line.startswith("iw4 ") and "goes" not in line] == [
        "iw4 new",
        "iw4 old",
    ]
    assert "uo has 3 and 3.5" in lines
    assert "iw4 goes on" in lines
    assert run.messages == ["operator + cannot be applied to int and undefined"]


# ---- endons of calls in threads that go through both -----------------------------------------------------


def play_mixed(iw4: str, uo: str, frames: int = 10) -> Run:
    """Run `main` of the IW4 script, which knows the other as `other\\uo`."""
    registry = strict_registry()

    @registry.function()
    def ends(vm: VM, target: ScriptObject) -> None:
        """End an object as the world does: with a notify before."""
        vm.notify(target, "death")
        vm.free(target)

    run = make(registry)
    scripts = {"modern": iw4, "other\\uo": uo}
    run.vm.link(program(run, scripts, uo=frozenset({"other\\uo"})))
    run.vm.start("modern::main")
    run.frames(frames)
    return run


def test_a_built_in_that_notifies_cuts_the_call_that_made_it() -> None:
    run = play_mixed(
        """
        main() { level.thing = spawnstruct(); f(); logprint("main goes on"); }
        f() { level.thing endon("death"); ends(level.thing); logprint("never"); }
        """,
        "nothing() { }",
    )
    assert run.out == ["main goes on"]
    assert run.vm.stats().threads == 0


def test_a_notify_of_united_offensive_cuts_a_call_of_modern_warfare() -> None:
    run = play_mixed(
        """
        main() { f(); logprint("main goes on"); }
        f() { level endon("stop"); other\\uo::notifies(); logprint("never"); }
        """,
        """
        notifies() { level notify("stop"); level.never = 1; }
        """,
    )
    assert run.out == ["main goes on"]
    assert run.vm.level.get_field("never") is None


def test_a_thread_started_by_united_offensive_cuts_a_call_of_modern_warfare() -> None:
    run = play_mixed(
        """
        main() { f(); logprint("main goes on"); }
        f() { level endon("stop"); other\\uo::starts(); logprint("never"); }
        """,
        """
        starts() { thread notifies(); level.never = 1; }
        notifies() { level notify("stop"); level.after = 1; }
        """,
    )
    assert run.out == ["main goes on"]
    assert run.vm.level.get_field("never") is None
    assert run.vm.level.get_field("after") == 1


def test_a_child_that_runs_when_its_parent_ends_does_not_wait_again() -> None:
    run = play_mixed(
        """
        main() { thread parent(); }
        parent() { level endon("stop"); level childthread other\\uo::child(); wait 1; }
        """,
        """
        child() { wait 0.1; level notify("stop"); level.same = 1; wait 0; level.never = 1; wait 0.1; level.not = 1; }
        """,
    )
    assert run.vm.level.get_field("same") == 1
    assert run.vm.level.get_field("not") is None
    assert run.vm.stats().threads == 0


def test_a_call_that_is_cut_before_its_time_is_no_fault() -> None:
    run = play_mixed(
        """
        main() { f(); logprint("main goes on"); }
        f() { level endon("stop"); wait 5; level notify("stop"); logprint("never"); }
        """,
        "nothing() { }",
        frames=1,
    )
    [thread] = run.vm.runner.suspended
    run.vm.run_early(thread)
    run.frames(1)
    assert run.out == ["main goes on"]
    assert run.messages == []


def test_what_is_written_below_a_field_of_an_ended_object_stays() -> None:
    """However many hold the array; the fields that nobody wrote to go when the frame is over."""
    run = play_mixed(
        """
        main()
        {
            thing = spawnstruct();
            thing.own = []; thing.own[0] = 1;
            thing.lent = []; thing.lent[0] = 1; copy = thing.lent;
            thing.left = []; thing.left[0] = 1;
            ends(thing);
            thing.own[0] = 2; thing.lent[0] = 2;
            logprint(thing.own[0] + " " + thing.lent[0] + " " + thing.left[0] + " " + copy[0] + "\\n");
            wait 0.05;
            logprint(thing.own[0] + " " + thing.lent[0] + " " + isdefined(thing.left));
        }
        """,
        "nothing() { }",
    )
    assert run.lines == ["2 2 1 1", "2 2 0"]


def test_a_thread_that_waited_by_one_rule_waits_by_the_other_where_that_script_does() -> None:
    uo = """
    main() { thread waits("old"); }
    waits(name) { level waittill("go"); println(name + "\\n"); }
    """
    iw4 = """
    main()
    {
        thread crosses();
        wait 0.05;
        level notify("first");
        wait 0.05;
        thread other\\uo::waits("new");
        wait 0.05;
        level notify("go");
    }
    crosses() { level waittill("first"); other\\uo::waits("crossed"); }
    """
    run = make()
    run.vm.link(program(run, {"other\\uo": uo, "other\\iw4": iw4}, uo=frozenset({"other\\uo"})))
    run.vm.start("other\\uo::main")
    run.vm.start("other\\iw4::main")
    run.frames(6)
    assert not run.errors
    assert [line for line in run.lines if line] == ["old", "crossed", "new"]


def test_what_fits_a_waittillmatch_is_said_by_the_rules_of_who_waits() -> None:
    """ "7" and 7 are alike in United Offensive, and of two types in Modern Warfare."""
    uo = 'main() { level waittillmatch("go", 7); println("uo\\n"); }'
    iw4 = 'main() { level waittillmatch("go", 7); logprint("iw4\\n"); }'
    run = make()
    run.vm.link(program(run, {"other\\uo": uo, "other\\iw4": iw4}, uo=frozenset({"other\\uo"})))
    run.vm.start("other\\uo::main")
    run.vm.start("other\\iw4::main")
    printed = []
    for value in ("7", 7):
        run.vm.notify(run.vm.level, "go", value)
        run.frames(1)
        printed.append([line for line in run.lines if line])
    assert not run.errors
    assert printed == [["uo"], ["uo", "iw4"]]
