"""State as bytes: a VM that goes on from any frame runs as the one that was never interrupted; bytes that are no such
state are refused."""

from __future__ import annotations

import pytest

from engine.source import DiagnosticError
from engine.vm.objects import DeadEntity, DeadObject, ScriptObject, ScriptStruct
from engine.vm.registry import Registry
from engine.vm.snapshot import MAGIC, VERSION, fingerprint
from tests.vm.damaged_states import refused_damaged, refused_forged
from tests.vm.snapshot_kit import Played, fresh, played, seal
from tests.vm.vm_kit import Run, make


@pytest.fixture(scope="module")
def uninterrupted() -> Played:
    return played()


def test_every_frame_can_be_gone_on_from(uninterrupted: Played) -> None:
    states, hashes, printed = uninterrupted
    for start in range(0, 80, 6):
        run = fresh()
        run.vm.restore(states[start])
        assert run.vm.snapshot() == states[start]
        for frame in range(start + 1, min(80, start + 25)):
            run.frames(1)
            assert run.vm.state_hash() == hashes[frame]
            assert printed[start] + run.text == printed[frame]


def test_the_state_can_move_on_at_every_frame(
    uninterrupted: Played,
) -> None:
    states, hashes, _ = uninterrupted
    one, other = fresh(), fresh()
    one.vm.restore(states[0])
    for frame in range(1, 80):
        one.frames(1)
        assert one.vm.state_hash() == hashes[frame]
        other.vm.restore(one.vm.snapshot())
        one, other = other, one


def test_threads_keep_their_stack_where_they_were_started_and_when_they_wait(
    uninterrupted: Played,
) -> None:
    before, after = fresh(start=True), fresh()
    before.frames(20)
    after.vm.restore(before.vm.snapshot())

    def shown(run: Run) -> list[object]:
        views = [
            (v.number, v.function, v.waits, v.since, [(f.function, str(f.span)) for f in v.frames])
            for v in run.vm.threads()
        ]
        codes = run.vm.linker.codes
        stacks = [
            [(e.function, str(e.span), e.relation) for e in codes.stack([], t)]
            for t in run.vm.runner.suspended
        ]
        return [views, stacks]

    assert shown(after) == shown(before)
    assert "fails" in str(shown(after))
    before.frames(3)
    after.frames(3)
    assert [str(e) for e in after.errors] == [str(e) for e in before.errors]
    assert after.errors[0].stack[-1].relation == "started by"


def test_what_is_one_object_stays_one_and_what_is_shared_stays_apart() -> None:
    text = """
main()
{
    level.a = [];
    level.a[0] = "same";
    level.b = level.a;
    level.s = spawnstruct();
    level.t = level.s;
    level.f = ::main;
    level.v = (0.1, 0, 1);
    wait 1;
    level.b[0] = "other";
    level.s.x = 5;
    println(level.a[0] + " " + level.t.x + " " + (level.f == ::main) + " " + (level.v == (0.1, 0, 1)));
}
"""
    run, next_run = fresh(text, start=True), fresh(text)
    run.frames(2)
    next_run.vm.restore(run.vm.snapshot())
    next_run.frames(30)
    assert next_run.lines == ["same 5 1 1"]


def test_a_long_chain_of_objects_needs_no_deep_stack() -> None:
    text = """
main()
{
    level.head = undefined;
    for (i = 0; i < 5000; i++)
    {
        node = spawnstruct();
        node.next = level.head;
        level.head = node;
        level.nest[0] = level.nest;
    }
    wait 100;
}
"""
    run, next_run = fresh(text, start=True), fresh(text)
    next_run.vm.restore(run.vm.snapshot())
    node, count = next_run.vm.level.get_field("head"), 0
    while isinstance(node, ScriptObject):
        node, count = node.get_field("next"), count + 1
    assert count == 5000


def test_an_endless_loop_ends_at_the_same_round() -> None:
    text = """
main()
{
    level.rounds = 0;
    level thread spins();
    for (;;)
    {
        wait 0.05;
        for (i = 0; i < 777; i++)
            level.rounds++;
    }
}
spins()
{
    wait 0.5;
    for (;;)
        level.rounds++;
}
"""
    run, next_run = (fresh(text, start=start, budget=20_000, budget_block=1_000) for start in (True, False))
    run.frames(5)
    next_run.vm.restore(run.vm.snapshot())
    run.frames(10)
    next_run.frames(10)
    assert run.messages == next_run.messages == ["potential infinite loop in script"]
    assert run.vm.level.get_field("rounds") == next_run.vm.level.get_field("rounds")
    assert run.vm.state_hash() == next_run.vm.state_hash()


def test_what_the_vm_had_before_is_gone() -> None:
    run = fresh(start=True)
    run.frames(10)
    state = run.vm.snapshot()
    run.frames(30)
    run.vm.level.set_field("extra", 1)
    old = list(run.vm.runner.suspended)
    run.vm.cvars["later"] = "1"
    run.vm.restore(state)
    assert run.vm.snapshot() == state
    assert run.vm.level.get_field("extra") is None
    assert all(thread.ended for thread in old)


def test_dead_objects_stay_dead_and_the_same() -> None:
    text = """
main() { level.o = spawnstruct(); level.p = level.o; level.q = spawnstruct(); level.q.o = level.o; wait 10; }
"""
    run, next_run = fresh(text, start=True), fresh(text)
    held = run.vm.level.get_field("o")
    assert isinstance(held, ScriptObject)
    run.vm.free(held)
    next_run.vm.restore(run.vm.snapshot())
    level = next_run.vm.level
    dead = level.get_field("o")
    assert isinstance(dead, ScriptObject)
    assert dead.dead
    assert dead is level.get_field("p")
    assert dead is level.get_field("q").get_field("o")


def test_another_program_is_refused_or_its_changed_threads_begin_again() -> None:
    text = "main() { level thread stays(); level thread moves(); }\nstays() { for (;;) { wait 0.05; level.n++; } }\n"
    text = text.replace("main() {", "main() { level.n = 0;")
    old = text + 'moves() { wait 1; println("old"); }\n'
    new = text + 'moves() { println("new"); wait 1; println("end"); }\n'
    run, next_run = fresh(old, start=True), fresh(new)
    run.frames(5)
    state = run.vm.snapshot()
    with pytest.raises(DiagnosticError) as refusal:
        next_run.vm.restore(state)
    assert refusal.value.diagnostics[0].code == "state-of-other-scripts"
    assert next_run.vm.idle
    report = next_run.vm.restore(state, changed=True)
    assert (report.threads, len(report.restarted)) == (2, 1)
    next_run.frames(30)
    assert next_run.lines == ["new", "end"]
    assert next_run.vm.level.get_field("n") == 35


EDITED = (
    ('main() { x = "a"; for (i = 0; i < 5; i++) { wait 0.05; println(x); } }',
     "main() { x = 1; for (i = 0; i < 5; i++) { wait 0.05; println(x); x = x + 1; } }"),
    # A value that is put aside while a call waits.
    ('main() { x = "a"; y = x + f(); println(y); } f() { wait 0.3; return 1; }',
     "main() { x = 1; y = x + f(); println(y); } f() { wait 0.3; return 1; }"),
)  # fmt: skip


@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize(("before", "after"), EDITED)
def test_a_state_after_an_edit_goes_on_in_any_vm(before: str, after: str, changed: bool) -> None:
    """A thread brought a value into a new text that would have another type there; the code that allows for that is the
    state's, not the VM's: one that links the new text goes on too, and one that had brought other values."""
    edited = fresh(before, start=True)
    edited.frames(2)
    edited.vm.link(edited.program(main=after))
    state, told = edited.vm.snapshot(), edited.vm.state_hash()
    edited.out.clear()
    edited.frames(8)
    wanted = list(edited.lines)
    other = fresh(before, start=True)
    other.frames(1)
    other.vm.link(other.program(main=after))
    for run in (fresh(after), fresh(after, start=True), other, edited):
        run.out.clear()
        assert run.vm.restore(state, changed=changed).restarted == ()
        assert run.vm.state_hash() == told
        run.frames(8)
        assert (run.lines, run.errors) == (wanted, [])
    # ... and back: a state without such values, into a VM that has them.
    plain = fresh(after, start=True)
    plain.frames(1)
    edited.vm.restore(plain.vm.snapshot())
    edited.out.clear()
    plain.out.clear()
    for run in (plain, edited):
        run.frames(8)
    assert edited.lines == plain.lines
    assert edited.vm.state_hash() == plain.vm.state_hash()


def test_no_state_is_taken_while_a_thread_runs() -> None:
    run = make(registry=Registry())
    caught: list[str] = []

    def take() -> None:
        for deed in (run.vm.snapshot, run.vm.state_hash, lambda: run.vm.restore(b"")):
            with pytest.raises(RuntimeError):
                deed()
            caught.append("refused")

    run.vm.registry.function("take")(take)
    run.vm.link(run.program(main="main() { take(); }"))
    run.vm.start("main::main")
    assert caught == ["refused"] * 3
    assert run.errors == []


def test_objects_that_no_host_answers_for_are_named() -> None:
    class Lamp(ScriptObject):
        type_name = "lamp"

    run = fresh()
    run.vm.level.set_field("lamp", Lamp())
    with pytest.raises(TypeError, match="Lamp"):
        run.vm.snapshot()


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (b"", "does not begin"),
        (b"NTSAVE\x00" + bytes(40), "does not begin"),
        (MAGIC, "version 0"),
        (MAGIC + b"\xff\x00" + bytes(16), "version 255"),
        (MAGIC + VERSION.to_bytes(2, "little") + bytes(16), "incomplete or was changed"),
        (seal([b"", b"", b"", b"", b""]), "other scripts"),
    ],
)
def test_other_bytes_are_refused(state: bytes, says: str) -> None:
    with pytest.raises(DiagnosticError, match=says):
        fresh().vm.restore(state)


def test_a_damaged_state_is_refused_and_changes_nothing(uninterrupted: Played) -> None:
    assert refused_damaged(uninterrupted, 500, 1) >= 490


def test_a_forged_state_is_refused_or_runs(uninterrupted: Played) -> None:
    assert 100 < refused_forged(uninterrupted, 250, 4) < 250


def test_a_state_over_the_limits_is_refused() -> None:
    text = "main() { for (i = 0; i < 40; i++) level thread waits(); }\nwaits() { wait 9; }\n"
    run = fresh(text, start=True)
    with pytest.raises(DiagnosticError, match="more than 30 threads"):
        fresh(text, max_threads=30).vm.restore(run.vm.snapshot())
    run.vm.level.set_field("text", "x" * 2000)
    with pytest.raises(DiagnosticError, match="longer than strings may be"):
        fresh(text, max_string=1000).vm.restore(run.vm.snapshot())


def test_the_fingerprint_is_of_all_text() -> None:
    first = fresh("main() {}").vm.program
    second = fresh("main() { }").vm.program
    assert fingerprint(first) == fingerprint(fresh("main() {}").vm.program)
    assert len({fingerprint(first), fingerprint(second), fingerprint(None)}) == 3


@pytest.mark.parametrize("kind", [DeadEntity, DeadObject])
def test_a_level_that_has_ended_is_so_in_every_vm(kind: type[DeadObject]) -> None:
    text = 'main() { level.x = 1; anim.x = level; anim waittill("go"); println(isdefined(anim.x)); }'

    def begun() -> Run:
        run = make()
        run.vm.link(run.program(main=text))
        run.vm.start("main::main", run.vm.anim)
        return run

    ended, living, both = begun(), begun(), begun()
    alive = living.vm.snapshot()
    ended.vm.free(ended.vm.level, kind)
    both.vm.free(both.vm.level, kind)
    state = ended.vm.snapshot()
    for run in (living, both):
        run.vm.restore(state)
        assert type(run.vm.level) is kind
        assert run.vm.snapshot() == state
        run.vm.notify(run.vm.anim, "go")
        run.frames(1)
        assert run.lines == ["0"]
    for run in (living, both, ended):
        run.vm.restore(alive)
        assert (type(run.vm.level), run.vm.level.get_field("x")) == (ScriptStruct, 1)
        assert run.vm.snapshot() == alive
        run.vm.notify(run.vm.anim, "go")
        run.frames(1)
        assert run.lines[-1] == "1"
