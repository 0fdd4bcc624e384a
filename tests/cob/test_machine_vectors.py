"""Every rule of threads and of piece motion as a small program and what stands where after which tick."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.container import MAX_STATICS, CobFile, Script
from engine.cob.machine import Machine
from engine.cob.pieces import SPIN, Axis
from engine.cob.random import RandomStream
from engine.cob.threads import NoHost, Options, State
from engine.cob.trace import parse_call, run_trace
from engine.source import SourceText

HEAD = "piece base, arm; static-var a, b, c;\n"


def unit(text: str, host: NoHost | None = None, **options) -> Machine:
    return Machine(compile_bos(SourceText("u.bos", HEAD + text)).cob, host=host, options=Options(**options))


def trace(machine: Machine, ticks: int, *calls: str) -> list[dict[str, Any]]:
    return list(run_trace(machine, [parse_call(call) for call in calls], ticks))


def statics(lines: list[dict[str, Any]], index: int = 0) -> list[int]:
    return [line["statics"][index] for line in lines]


def axis(**words: int) -> Axis:
    made = Axis()
    for name, value in words.items():
        setattr(made, name, value)
    return made


# ---- starting ------------------------------------------------------------------------------------------


def test_a_deferred_call_runs_with_the_next_drain_and_an_immediate_one_at_once() -> None:
    machine = unit("F(x) { a = x; turn arm to y-axis 10 speed 300; sleep 30; b = 1; }")
    assert machine.start(0, [5])
    assert machine.statics == [0, 0, 0]
    assert machine.wake(0, [7])
    assert machine.statics == [7, 0, 0]
    # No time passed: neither did the piece move nor the sleep get shorter.
    assert machine.pieces[1].axes[1].angle == 0
    machine.tick()
    assert machine.statics[1] == 1


def test_no_time_runs_threads_whose_timer_is_already_through() -> None:
    machine = unit("F() { sleep 10; a = 1; sleep 100; a = 2; }")
    machine.start(0)
    machine.tick()
    machine.tick(0)
    assert machine.statics[0] == 1
    for _ in range(5):
        machine.tick(0)
    assert machine.statics[0] == 1


def test_a_query_runs_only_its_own_thread_and_gives_its_cells_back() -> None:
    machine = unit("Q(p, q) { p = arm; q = q + 1; a = 9; } F() { b = 1; }")
    machine.start(1)
    assert machine.query(0, [-1, 4]) == (1, 5, 0, 0)
    assert machine.statics == [9, 0, 0]


def test_a_query_that_sleeps_keeps_its_slot_and_answers_what_it_has() -> None:
    machine = unit("Q(p) { p = 3; sleep 100; p = 4; }")
    assert machine.query(0, [0]) == (3, 0, 0, 0)
    assert machine.slots[0].state is State.SLEEP


def test_a_call_with_arguments_that_cannot_start_answers_0() -> None:
    machine = unit("S() { sleep 90000; } A(h) { return 1; }")
    for _ in range(8):
        machine.start(0)
    machine.tick()
    answers: list[int] = []
    assert not machine.start(1, [5], answers.append)
    assert answers == [0]
    assert not machine.start(0, [], answers.append)
    assert not machine.start(99)
    assert answers == [0]


def test_roots_have_mask_1_and_children_their_parents() -> None:
    lines = trace(
        unit("F() { set-signal-mask 6; start-script C(); sleep 900; } C() { sleep 900; }"), 1, "F", "C"
    )
    assert [slot["mask"] for slot in lines[0]["slots"] if slot] == [6, 1, 6]


def test_a_slot_takes_the_lowest_place_that_is_free() -> None:
    source = "L() { sleep 90000; } S() { sleep 30; }"
    lines = trace(unit(source), 4, "L", "S", "L", "S@2")
    assert [slot and slot["script"] for slot in lines[2]["slots"][:4]] == ["L", "S", "L", None]


def test_start_without_a_free_slot_leaves_the_arguments_and_goes_on() -> None:
    machine = unit("S() { sleep 90000; } F() { start-script G(5, 6); a = 1; } G(x, y) { b = x; }")
    for _ in range(7):
        machine.start(0)
    machine.start(1)
    machine.tick()
    assert machine.statics == [1, 0, 0]


# ---- drains --------------------------------------------------------------------------------------------


def test_a_waiter_in_a_higher_slot_goes_on_in_the_same_drain() -> None:
    """The child sits in slot 0, which its first owner left, and the caller in slot 1."""
    source = "Short() { sleep 30; } F() { sleep 30; call-script C(); a = a * 10 + 1; } C() { a = 2; }"
    assert statics(trace(unit(source), 4, "Short", "F")) == [0, 0, 21, 21]


def test_motion_that_ends_in_a_pass_releases_its_waiter_in_the_next_drain() -> None:
    source = "M() { move arm to x-axis 3 speed 30; } W() { wait-for-move arm along x-axis; a = 1; }"
    lines = trace(unit(source), 5, "M", "W")
    assert [line["pieces"]["arm"]["pos"][0] for line in lines[:3]] == [1, 2, 3]
    assert statics(lines) == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("order", "tick"), [(("N", "W"), 1), (("W", "N"), 2)])
def test_a_command_that_is_done_at_once_frees_only_waiters_in_higher_slots(
    order: tuple[str, str], tick: int
) -> None:
    source = (
        "N() { turn arm to y-axis 9000 speed 30; sleep 60; turn arm to y-axis 0 now; }"
        "W() { wait-for-turn arm around y-axis; a = 1; }"
    )
    machine = unit(source)
    machine.pieces[1].axes[1].turn(9000, 30)
    lines = trace(machine, 5, *order)
    assert next(line["tick"] for line in lines if line["statics"][0]) == tick


# ---- signals -------------------------------------------------------------------------------------------


def test_threads_that_a_signal_wakes_may_be_its_victims_too() -> None:
    source = "F() { set-signal-mask 2; call-script C(); a = 1; } C() { sleep 900; } K() { signal 2; }"
    lines = trace(unit(source), 3, "F", "K@1")
    assert lines[1]["slots"] == [None] * 8
    assert statics(lines) == [0, 0, 0]


def test_a_caller_with_another_mask_goes_on_when_its_child_is_killed() -> None:
    source = "F() { call-script C(); a = 1; } C() { set-signal-mask 4; sleep 900; } K() { signal 4; }"
    assert statics(trace(unit(source), 3, "F", "K@1")) == [0, 0, 1]


def test_signal_0_and_mask_0_meet_nobody() -> None:
    source = "W() { set-signal-mask 0; sleep 900; } F() { signal 0; signal 0 - 1; a = 1; }"
    lines = trace(unit(source), 2, "W", "F@1")
    assert [slot and slot["script"] for slot in lines[1]["slots"][:2]] == ["W", None]
    assert statics(lines) == [0, 0]


def test_a_freed_slot_is_free_at_once() -> None:
    source = "W() { set-signal-mask 2; sleep 900; } F() { signal 2; start-script C(); } C() { sleep 900; }"
    lines = trace(unit(source), 2, "W", "F@1")
    assert [slot and slot["script"] for slot in lines[1]["slots"][:2]] == ["C", None]


def test_the_child_of_a_fault_never_frees_its_caller() -> None:
    lines = trace(unit("F() { call-script C(); a = 1; } C() { b = 1 / b; }"), 30, "F")
    assert lines[0]["events"] == [{"fault": "DIVIDE", "slot": 1, "script": "C", "at": 14}]
    assert lines[-1]["slots"][0] == {"script": "F", "state": "wait-call", "mask": 1}


def test_only_a_return_that_is_written_answers() -> None:
    machine = unit("F(x) { if (x) { return x * 2; } signal 1; }")
    lines = trace(machine, 2, "F:21", "F:0@1")
    assert [line.get("events") for line in lines] == [[{"done": "F", "value": 42}], None]


# ---- options -------------------------------------------------------------------------------------------


def test_a_sleep_may_be_set_to_last_a_drain_longer() -> None:
    for rule, tick in (("guard", 3), ("after", 4)):
        lines = trace(unit("F() { sleep 100; a = 1; }", sleep=rule), 6, "F")
        assert next(line["tick"] for line in lines if line["statics"][0]) == tick


def test_the_community_s_remainder_may_be_the_retail_machine_s_division() -> None:
    program = CobFile(code=[0x10021001, 17, 0x10021001, 5, 0x10034001, 0x10023004, 0, 0x10065000], statics=1)
    program.scripts.append(Script("F", 0))
    for rule, value in (("remainder", 2), ("divide", 3)):
        machine = Machine(program, options=Options(modulo=rule))
        machine.start(0)
        machine.tick()
        assert machine.statics == [value]


def test_a_runaway_loop_ends_only_its_thread() -> None:
    lines = trace(unit("F() { while (1) { ++a; } } G() { b = 1; sleep 1; }"), 1, "F", "G")
    assert lines[0]["events"] == [{"fault": "BUDGET", "slot": 0, "script": "F", "at": 11}]
    assert lines[0]["statics"][1] == 1


def test_ports_read_and_write_the_host() -> None:
    class Host(NoHost):
        wrote: list[tuple[int, int]]

        def read_port(self, port: int, args: tuple[int, int, int, int]) -> int:
            return port * 1000 + sum(args)

        def write_port(self, port: int, value: int) -> None:
            self.wrote.append((port, value))

    host = Host()
    host.wrote = []
    machine = unit("F() { a = get 4; b = get 16(1, 2); c = get 7(1, 2, 3, 4); set 18 to 1; }", host)
    trace(machine, 1, "F")
    assert machine.statics == [4000, 16003, 7010]
    assert host.wrote == [(18, 1)]


def test_statics_have_a_limit_where_the_machine_is_made() -> None:
    with pytest.raises(ValueError, match="static"):
        Machine(CobFile(statics=MAX_STATICS + 1))


# ---- piece motion --------------------------------------------------------------------------------------


def test_slow_motion_is_no_motion_but_the_pass_looks_at_it() -> None:
    machine = unit(
        "F() { move arm to x-axis 10 speed 29; "
        "turn arm to y-axis 10 speed -29; wait-for-move arm along x-axis; a = 1; }"
    )
    lines = trace(machine, 2, "F")
    assert lines[0]["pieces"] == {}
    assert statics(lines) == [0, 1]


def test_a_new_target_on_the_way_overwrites_the_old() -> None:
    moving = Axis()
    moving.move(100, 300)
    assert [moving.advance(1) and moving.position for _ in range(3)] == [10, 20, 30]
    moving.move(15, 300)
    moving.advance(1)
    assert moving.position == 20
    assert not moving.advance(1)
    assert moving.position == 15


def test_lanes_of_one_axis_are_independent() -> None:
    both = Axis()
    both.spin(300, 0)
    both.move(50, 300)
    both.move_now(7)
    both.advance(1)
    assert (both.position, both.angle) == (7, 10)
    both.move(17, 150)
    both.turn_now(100)
    both.advance(1)
    assert (both.position, both.angle) == (12, 100)


def test_a_turn_with_a_negative_speed_goes_the_long_way_until_it_arrives() -> None:
    long = Axis()
    long.turn(1000, -30000)
    passes = 1
    while long.advance(1):
        passes += 1
    assert long.angle == 1000
    assert passes == -(-64536 // 1000)


def test_a_turn_to_where_it_stands_is_over_at_once() -> None:
    still = axis(angle=500, speed=40)
    still.turn(500, 3000)
    assert still.speed == 0


def test_spin_speeds_up_by_signed_steps_and_then_keeps_its_speed() -> None:
    up = Axis()
    up.spin(300, 90)
    angles = []
    for _ in range(5):
        assert up.advance(1)
        angles.append(up.angle)
    assert angles == [3, 9, 18, 28, 38]
    assert up.turn_target == SPIN
    back = Axis()
    back.spin(-300, 90)
    back.advance(1)
    assert back.angle == -10 & 0xFFFF


def test_stop_spin_brakes_by_its_deceleration() -> None:
    wheel = Axis()
    wheel.spin(300, 0)
    wheel.stop_spin(90)
    angles = []
    while wheel.advance(1):
        angles.append(wheel.angle)
    assert angles == [7, 11, 12]
    assert wheel.speed == 0


def test_longer_passes_move_as_far_as_several() -> None:
    turning = Axis()
    turning.turn(0x4000, 30000)
    turning.advance(5)
    assert turning.angle == 5000
    turning.advance(50)
    assert turning.angle == 0x4000


@pytest.mark.parametrize(("source", "arrives"), [("16384 speed 16384", 30), ("<90> speed <90.02>", 29)])
def test_the_compilers_scale_decides_when_a_quarter_turn_is_over(source: str, arrives: int) -> None:
    lines = trace(unit(f"F() {{ turn arm to y-axis {source}; }}"), 33, "F")
    last = [line["tick"] for line in lines if line["pieces"]][-1]
    assert last == arrives


# ---- randomness ----------------------------------------------------------------------------------------


def test_the_stream_is_park_and_millers() -> None:
    stream = RandomStream()
    stream.state = 1
    drawn = []
    for _ in range(10_000):
        stream.draw(2)
        drawn.append(stream.state)
    assert drawn[:2] == [16807, 282475249]
    assert drawn[-1] == 1043618065
