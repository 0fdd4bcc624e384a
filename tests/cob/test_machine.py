"""The machine's rules as traces: what stands where after which tick."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, Script
from engine.cob.isa import WORD
from engine.cob.machine import Machine
from engine.cob.pieces import Axis
from engine.cob.random import RandomStream
from engine.cob.threads import Options, State
from engine.cob.trace import parse_call, run_trace
from engine.source import SourceText

HEAD = "piece base, arm; static-var a, b, c;\n"


def unit(text: str, **options) -> Machine:
    return Machine(compile_bos(SourceText("u.bos", HEAD + text)).cob, options=Options(**options))


def trace(machine: Machine, ticks: int, *calls: str) -> list[dict[str, Any]]:
    return list(run_trace(machine, [parse_call(call) for call in calls], ticks))


def events(lines: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    return [(line["tick"], event) for line in lines for event in line.get("events", ())]


def test_the_remainder_of_a_speed_is_thrown_away() -> None:
    machine = unit("F() { turn arm to y-axis 16384 speed 16384; wait-for-turn arm around y-axis; a = 1; }")
    lines = trace(machine, 33, "F")
    angles = [line["pieces"].get("arm", {"rot": [0, None, 0]})["rot"][1] for line in lines]
    assert angles[0] == 546
    assert angles[29] == 546 * 30 == 16380
    assert angles[30] == 16384
    assert [line["statics"][0] for line in lines[29:33]] == [0, 0, 1, 1]


def test_twice_the_speed_takes_half_the_time() -> None:
    machine = unit("F() { turn arm to y-axis 16384 speed 32768; wait-for-turn arm around y-axis; a = 1; }")
    lines = trace(machine, 18, "F")
    assert next(line["tick"] for line in lines if line["statics"][0]) == 16


@pytest.mark.parametrize(
    ("start", "target", "speed", "first"),
    [(0, 0x8000, 30, 1), (0, 0x8000, -30, 0xFFFF), (0x8000, 0, 30, 0x7FFF), (0x8000, 0, -30, 0x8001)],
)
def test_an_exact_half_turn_keeps_its_sign(start: int, target: int, speed: int, first: int) -> None:
    axis = Axis()
    axis.turn_now(start)
    axis.turn(target, speed)
    axis.advance(1)
    assert axis.angle == first


def test_a_turn_takes_the_short_way_through_the_half_turn() -> None:
    axis = Axis()
    degree = 182
    axis.turn_now(170 * degree)
    axis.turn(-170 * degree, 30 * degree)
    passes = 0
    while axis.advance(1):
        passes += 1
    assert axis.angle == -170 * degree & 0xFFFF
    assert passes == 20


def test_negative_speeds_truncate_towards_zero() -> None:
    axis = Axis()
    axis.spin(-100, 0)
    assert axis.speed == -3


def test_spin_after_turn_ramps_from_the_turns_speed() -> None:
    axis = Axis()
    axis.turn(1000, 60)
    axis.spin(300, 30)
    axis.advance(1)
    assert axis.angle == 3


def test_stop_spin_without_deceleration_stops_a_turn() -> None:
    axis = Axis()
    axis.turn(1000, 60)
    axis.stop_spin(0)
    assert not axis.advance(1)
    assert axis.angle == 0


def test_sleep_takes_at_least_one_drain() -> None:
    for milliseconds, drains in ((0, 1), (33, 1), (66, 1), (67, 2), (100, 3), (1000, 30), (-50, 1)):
        machine = unit(f"F() {{ sleep {milliseconds}; a = 1; }}")
        lines = trace(machine, 35, "F")
        assert next(line["tick"] for line in lines if line["statics"][0]) == drains


def test_start_script_goes_on_before_the_child_and_call_script_after_it() -> None:
    child = "C() { a = a * 10 + 2; return 7; }"
    started = unit("F() { start-script C(); a = a * 10 + 1; }" + child)
    assert trace(started, 1, "F")[0]["statics"][0] == 12
    called = unit("F() { call-script C(); a = a * 10 + 1; }" + child)
    lines = trace(called, 2, "F")
    assert [line["statics"][0] for line in lines] == [2, 21]
    assert lines[0]["slots"][0]["state"] == "run"


def test_arguments_in_three_orders() -> None:
    source = "F() { start-script S(1, 2); call-script T(3, 4); } S(x, y) { a = x; } T(x, y) { b = x; }"
    for order, expected in (("natural", [1, 3]), ("spring", [2, 3]), ("reversed", [2, 4])):
        machine = unit(source, arg_order=order)
        assert trace(machine, 3, "F")[-1]["statics"][:2] == expected


def test_a_signal_ends_every_thread_that_shares_a_bit_its_sender_too() -> None:
    source = "W() { set-signal-mask 2; sleep 9000; } F() { signal 3; a = 1; }"
    lines = trace(unit(source), 2, "W", "F@1")
    assert lines[1]["slots"] == [None] * 8
    assert lines[1]["statics"][0] == 0
    spared = "W() { set-signal-mask 2; sleep 9000; } F() { set-signal-mask 0; signal 2; a = 1; }"
    assert trace(unit(spared), 2, "W", "F@1")[1]["statics"][0] == 1


def test_a_killed_aim_answers_nobody_and_the_second_answers() -> None:
    source = (
        "Aim(h) { signal 2; set-signal-mask 2; turn arm to y-axis h speed 300; "
        "wait-for-turn arm around y-axis; return 1; }"
    )
    lines = trace(unit(source), 20, "Aim:100", "Aim:50@2")
    assert [event for _, event in events(lines)] == [{"done": "Aim", "value": 1}]


def test_start_and_stop_in_one_tick_leave_exactly_one_walker() -> None:
    source = "Walk() { signal 2; set-signal-mask 2; while (1) { ++a; sleep 100; } } Stop() { signal 2; }"
    lines = trace(unit(source), 3, "Walk", "Stop", "Walk")
    assert sum(slot is not None for slot in lines[0]["slots"]) == 1


def test_waits_on_an_idle_axis_cost_one_drain_each() -> None:
    source = (
        "F() { while (1) { turn arm to y-axis <10> speed <90>; wait-for-turn arm around y-axis; "
        "turn arm to y-axis <0> now; wait-for-turn arm around y-axis; ++a; } }"
    )
    assert trace(unit(source), 60, "F")[-1]["statics"][0] >= 8


def test_the_last_command_on_an_axis_wins() -> None:
    source = (
        "A() { turn arm to x-axis <30> speed <60>; wait-for-turn arm around x-axis; a = 1; }"
        "B() { turn arm to x-axis <0> speed <60>; }"
    )
    lines = trace(unit(source), 6, "A", "B@1")
    assert lines[-1]["statics"][0] == 1
    assert [line["pieces"]["arm"]["rot"][0] for line in lines if line["pieces"]][-1] == 0


def test_eight_sleepers_leave_a_query_unanswered() -> None:
    machine = unit("F() { sleep 9000; } Query(p) { p = 1; }")
    for _ in range(8):
        assert machine.start(0)
    machine.tick()
    assert machine.query(1, [5]) is None
    machine.signal(1)
    assert machine.query(1, [5]) == (1, 0, 0, 0)


def test_a_call_that_cannot_start_blocks_until_a_signal() -> None:
    machine = unit("S() { sleep 90000; } F() { call-script S(); a = 1; }")
    for _ in range(7):
        machine.start(0)
    machine.start(1)
    machine.tick()
    assert machine.slots[7].state is State.WAIT_CALL
    assert machine.slots[7].wait_slot == -1
    machine.signal(1)
    assert all(slot.state is State.IDLE for slot in machine.slots)


def test_explode_draws_six_times_and_hides_the_piece_unless_only_a_bitmap() -> None:
    machine = unit("F() { explode arm type 4; explode base type 32; }")
    stream = RandomStream()
    for bound in (3000, 3000, 3000, 40, 10, 40):
        stream.draw(bound)
    lines = trace(machine, 1, "F")
    assert machine.random.state == stream.state
    assert lines[0]["pieces"] == {"arm": {"pos": [0, 0, 0], "rot": [0, 0, 0], "flags": 6}}


def test_rand_is_inclusive_and_a_span_of_one_draws_nothing() -> None:
    machine = unit("F() { a = rand(3, 3); b = rand(1, 2); }")
    state = machine.random.state
    expected = RandomStream()
    assert expected.state == state
    drawn = expected.draw(2)
    line = trace(machine, 1, "F")[0]
    assert line["statics"][:2] == [3, 1 + drawn]
    assert machine.random.state == expected.state


@pytest.mark.parametrize(
    ("code", "fault", "at"),
    [
        ([WORD["push-constant"], 1, WORD["push-constant"], 0, WORD["div"]], "DIVIDE", 4),
        ([WORD["push-constant"], 1 << 31, WORD["push-constant"], 0xFFFFFFFF, WORD["div"]], "DIVIDE", 4),
        ([WORD["push-constant"], 1] * 33, "WINDOW", 64),
        ([WORD["show"], 9], "PIECE", 0),
        ([WORD["stop-spin"], 0, 3], "AXIS", 0),
        ([0x10099000], "OPCODE", 0),
        ([0x10062001], "FOREIGN", 0),
        ([WORD["jump"], 99], "PC", 99),
        ([WORD["jump"], 0], "BUDGET", 0),
        ([WORD["push-static"], 7], "STATIC", 0),
        ([WORD["pop-local"], 40], "LOCAL", 0),
        ([WORD["pop-n"], 0, 5], "POP-N", 0),
        ([WORD["push-constant"]], "PC", 0),
    ],
)
def test_faults_end_the_thread_with_a_code_and_its_place(code: list[int], fault: str, at: int) -> None:
    machine = Machine(CobFile(code=code, scripts=[Script("F", 0)], pieces=["base"], statics=1))
    lines = trace(machine, 2, "F")
    assert events(lines) == [(0, {"fault": fault, "slot": 0, "script": "F", "at": at})]
    assert all(slot.state is State.IDLE for slot in machine.slots)


@pytest.mark.parametrize("translate", [False, True])
def test_threads_that_run_away_leave_the_others_their_share(translate: bool) -> None:
    """Seven endless loops use up the tick; the eighth thread still makes 30 turns of its own in each."""
    machine = unit(
        "Wild() { while (1) { ++a; } } Calm() { var i; while (1) { i = 0; while (i < 30) { ++i; ++b; } sleep 1; } }",
        translate=translate,
    )
    for tick in range(1, 12):
        for _ in range(7):
            machine.start(0)
        machine.start(1)  # There is a slot for it in the first tick only.
        machine.tick()
        faults = [event["fault"] for event in machine.events if "fault" in event]
        machine.events.clear()
        assert faults == ["BUDGET"] * 7
        assert machine.statics[1] == 30 * tick
        assert sum(slot.state is not State.IDLE for slot in machine.slots) == 1
    assert machine.spent < machine.options.share


def test_the_budget_of_a_tick_is_shared() -> None:
    machine = unit("Wild() { while (1) { ++a; } }", budget=1000, tick=1500, share=100)
    machine.start(0)
    machine.tick()
    alone = machine.statics[0]
    for _ in range(4):
        machine.start(0)
    machine.tick()
    whole, half, least, again = alone, alone // 2, alone // 10, alone // 10
    assert machine.statics[0] - alone == pytest.approx(whole + half + least + again, abs=4)
