"""Contexts, clocks, sharing and state. The numbers in the names are those of the language's checklist."""

from __future__ import annotations

import dataclasses
import gc
import json
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

import engine.linescript as room
from engine.linescript.context import Clock, Context, Persistence
from engine.linescript.parser import parse
from engine.linescript.programs import Programs
from engine.linescript.runner import tick
from engine.linescript.schedule import Schedule
from engine.linescript.scope import Scope
from engine.linescript.state import StateError, describe, restore, same, save
from engine.source import Diagnostic, SourceText
from tests.linescript.linescript_kit import Bench

BEE = """
angle = 0
while true
  angle = angle + 5
  if angle > 360
    angle = angle - 360
  end
  wait 0.1
end
"""


@pytest.fixture
def bench() -> Bench:
    return Bench()


# ---- programs -----------------------------------------------------------------------------------------


def test_03_05_06_a_text_is_parsed_once_for_all_contexts(bench: Bench) -> None:
    programs = Programs(lambda name: SourceText(name, BEE), bench.scope.functions or {})
    first = programs.load("bee")
    assert first is not None
    contexts = [bench.context(first) for _ in range(100)]
    for _ in range(20):
        for context in contexts:
            tick(context)
        bench.clock.advance(50)
    assert programs.load("bee") is first
    assert programs.parses == 1


def test_04_the_statement_layer_sees_only_the_facade() -> None:
    """Only the front end, and the compiler it hands trees to, know the parser."""
    for path in sorted(Path(room.__path__[0]).glob("*.py")):
        if path.name not in ("front.py", "compiler.py"):
            imports = [
                line for line in path.read_text().split("\n") if "engine.gsc" in line and "import" in line
            ]
            assert imports in ([], ["from engine.gsc.dialect import LINES"]), path.name


def test_06_a_context_takes_less_than_a_kilobyte(bench: Bench) -> None:
    program = bench.program(BEE)
    gc.collect()
    tracemalloc.start()
    contexts = [bench.context(program) for _ in range(1000)]
    for context in contexts:
        tick(context)
    gc.collect()
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert used / len(contexts) < 1000


def test_07_programs_cannot_be_changed(bench: Bench) -> None:
    program = bench.program("function f()\nend\nf()\n")
    with pytest.raises(dataclasses.FrozenInstanceError):
        program.name = "other"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        program.main.code[0].line = 7  # type: ignore[misc]
    with pytest.raises(TypeError):
        program.functions["g"] = program.main  # type: ignore[index]


# ---- state --------------------------------------------------------------------------------------------

WANDER = """
function half(n, ref sum)
  for k in 1 .. 2
    wait 0.07
    sum = sum + n / 2
  end
  return n / 2
end
total = 0
pos = (1, 2, 3)
tint = colour(1, 0, 0)
for i in 1 .. 4
  try
    while total < i * 100
      total = total + 1 + half(i, total) * 10 + half(i, total)
      pos = pos + (i, 0, 0)
    end
    if i == 3
      error("enough")
    end
  catch e
    print(e)
  end
  print(i, total, pos, time())
end
"""


def test_09_a_state_saved_at_any_time_goes_on_identically(bench: Bench) -> None:
    program = bench.program(WANDER)
    whole = bench.context(program)
    bench.frames(whole, 2000)
    expected = bench.lines[:]
    assert whole.done
    assert len(expected) == 5

    other = Bench()
    context = other.context(program, Persistence.PERSISTENT)
    context.scope.parent = other.scope
    tick(context)
    while not context.done:
        saved = json.loads(json.dumps(save(context)))
        fresh = Context(program, Scope(other.scope), other.clock)
        restore(fresh, saved)
        assert same(fresh, context)
        context = fresh
        other.clock.advance(50)
        tick(context)
    assert other.lines == expected


def test_09_contexts_compare_and_print(bench: Bench) -> None:
    program = bench.program("function f(n)\n  for i in 1 .. 3\n    wait 1\n  end\nend\nx = 2\nf(x)\n")
    a, b = bench.context(program), bench.context(program)
    tick(a)
    assert not same(a, b)
    tick(b)
    assert same(a, b)
    assert describe(a) == (
        "test: waits until 1 s\n"
        "  the script at line 7\n"
        "    x = 2\n"
        "  f at line 3 in for of line 2, i = 1 of 3\n"
        "    n = 2, i = 1"
    )
    bench.frames(b, 25)
    assert not same(a, b)
    bench.frames(b, 60)
    assert describe(b) == "test: ended"


@pytest.mark.parametrize(
    "damage",
    [
        {"fingerprint": "other"},
        {"due": "soon"},
        {"frames": [{}]},
        {"frames": [{"function": "", "pc": 99, "at": 0, "blocks": [], "operands": [], "locals": {}, "refs": {}}]},
        {"frames": [{"function": "", "pc": 0, "at": 0, "blocks": [[0]], "operands": [], "locals": {}, "refs": {}}]},
        {"scope": {"x": None}},
        {"scope": {"x": {"vector": [1, 2]}}},
        {"scope": {"x": [1]}},
    ],
)  # fmt: skip
def test_09_a_damaged_state_is_refused_and_changes_nothing(bench: Bench, damage: dict[str, object]) -> None:
    context = bench.context("x = 1\nwait 1\nprint(x)\n")
    tick(context)
    before = save(context)
    with pytest.raises(StateError):
        restore(context, {**before, **damage})
    assert save(context) == before


# ---- time ---------------------------------------------------------------------------------------------


def test_16_a_waiting_context_stays_on_its_line(bench: Bench) -> None:
    context = bench.context("wait 1\nprint(1)\n")
    tick(context)
    for _ in range(19):
        bench.clock.advance(50)
        assert tick(context) == 0
        assert context.frames[0].pc == 0
    bench.clock.advance(50)
    assert tick(context) == 1
    assert bench.lines == ["1"]


def test_20_waits_need_one_number(bench: Bench) -> None:
    timing = {"clock", "due", "fault", "frames", "persistence", "program", "scope"}
    assert set(Context.__slots__) == timing
    for text in ("wait 1\n", "wait 0\n", "yield\n", "waituntil false\n"):
        context = bench.context(text)
        tick(context)
        assert context.due != 0
        assert context.due.__class__ is int


def test_21_what_suspends_stops_and_what_completes_goes_on(bench: Bench) -> None:
    for text, counts in {
        "a = 1\nwait 0.1\nb = 1\n": [2, 0, 1],
        "a = 1\nyield\nb = 1\nyield\n": [2, 2, 0],
        "wait 0\nwait 0\n": [1, 1, 0],
        "waituntil time() > 0.05\na = 1\na = 2\n": [1, 1, 3],
        "a = 1\na = 2\n": [2, 0, 0],
    }.items():
        context = bench.context(text)
        bench.clock.now = 0
        found = []
        for _ in counts:
            found.append(tick(context))
            bench.clock.advance(50)
        assert found == counts, text


def test_23_a_context_may_have_a_clock_of_its_own(bench: Bench) -> None:
    program = bench.program("wait 1\nprint(time())\n")
    slow = Clock(rate=0.3)
    context = Context(program, Scope(bench.scope), slow)
    tick(context)
    frames = 0
    while not context.done:
        slow.advance(50)
        tick(context)
        frames += 1
    assert frames == 67
    assert bench.lines == ["1.005"]


def test_34_double_steps_skipped_frames_and_pauses_leave_a_wait_alone(bench: Bench) -> None:
    text = "wait 0.2\nprint(time())\nwait 0\nprint(time())\n"
    context = bench.context(text)
    for _ in range(4):
        tick(context)
        tick(context)
        bench.clock.advance(50)
    bench.clock.paused = True
    bench.clock.now -= 1
    for _ in range(10):
        bench.clock.advance(50)
        tick(context)
    assert bench.lines == []
    bench.clock.paused = False
    bench.clock.now += 1
    tick(context)
    tick(context)
    assert bench.lines == ["0.2"]
    bench.clock.advance(700)
    tick(context)
    assert bench.lines == ["0.2", "0.9"]


def test_34_skipped_frames_do_not_lengthen_what_follows(bench: Bench) -> None:
    context = bench.context("for i in 1 .. 10\n  wait 0.1\n  print(i, time())\nend\n")
    tick(context)
    bench.clock.advance(450)
    tick(context)
    assert bench.lines == [f"{i} 0.45" for i in (1, 2, 3, 4)]
    bench.clock.advance(50)
    tick(context)
    assert bench.lines[-1] == "5 0.5"


def test_36_a_large_clock_is_exact(bench: Bench) -> None:
    bench.clock.now = 10**12
    context = bench.context("wait 0.001\nprint(1)\n")
    tick(context)
    assert context.due == 10**12 + 1
    bench.clock.advance(1)
    tick(context)
    assert bench.lines == ["1"]


@pytest.mark.parametrize(
    "value",
    ["-1", "-0.0001", "'soon'", "(1, 2, 3)", "true", "1e300", "1e300 * 1e300", "1e300*1e300 - 1e300*1e300"],
)
def test_15_what_is_no_time_is_refused(bench: Bench, value: str) -> None:
    context = bench.context(f"wait {value}\n")
    tick(context)
    assert context.fault is not None
    assert "'wait' takes" in context.fault.message


# ---- scopes -------------------------------------------------------------------------------------------


def test_28_a_scope_cannot_hide_the_library(bench: Bench) -> None:
    """Calls of the library are bound when a program is compiled; other functions are looked up by each call."""
    inner = Scope(bench.scope)
    with pytest.raises(ValueError, match="'sin' is a function of the library"):
        inner.register(lambda: None, "sin")
    inner.register(lambda: None, "print")
    assert inner.function("sin") is bench.scope.function("sin")
    assert inner.function("print") is not bench.scope.function("print")


def test_28_a_scope_names_its_parent() -> None:
    with pytest.raises(TypeError):
        Scope()  # type: ignore[call-arg]


def test_14_29_functions_and_variables_are_found_outwards(bench: Bench) -> None:
    middle = Scope(bench.scope)
    middle.values["x"] = 1

    def shout(word: str) -> str:
        return word + "!"

    middle.register(shout)
    natives = {**(bench.scope.functions or {}), **(middle.functions or {})}
    text = SourceText("t.script", "x = x + 1\ny = 5\nprint(shout('x'), x)\n")
    context = Context(parse("t", text, natives), Scope(middle), bench.clock)
    tick(context)
    assert bench.lines == ["x! 2"]
    assert middle.values == {"x": 2}
    assert context.scope.values == {"y": 5}


def test_30_a_volatile_scope_goes_with_its_context(bench: Bench) -> None:
    program = bench.program("x = 1\nwait 0.1\n")
    one_shot = bench.context(program, Persistence.VOLATILE)
    behaviour = bench.context(program)
    bench.frames(one_shot, 3)
    bench.frames(behaviour, 3)
    assert one_shot.done
    assert behaviour.done
    assert one_shot.scope.values == {}
    assert behaviour.scope.values == {"x": 1}


# ---- many contexts ------------------------------------------------------------------------------------


class Told:
    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def __call__(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)


def test_31_a_fault_stops_only_its_context_and_is_told_once(bench: Bench) -> None:
    told = Told()
    schedule = Schedule(told)
    bad = bench.program("wait 0.1\nprint(1 / 0)\n", "bad")
    good = bench.program("while true\n  wait 0.1\nend\n", "good")
    for program in (bad, good, bad, good):
        schedule.add(bench.context(program))
    for _ in range(5):
        schedule.tick()
        bench.clock.advance(50)
    assert [c.program.name for c in schedule.contexts] == ["good", "good"]
    assert schedule.errors == 2
    (fault,) = told.diagnostics
    assert (fault.span is not None and str(fault.span)) == "bad.script:2:7"
    assert fault.message == "division by zero"


def test_32_exactly_the_budget_runs_and_others_run_too(bench: Bench) -> None:
    told = Told()
    schedule = Schedule(told, budget=200)
    tight = schedule.add(bench.context("n = 0\nwhile true\n  n = n + 1\nend\n"))
    calm = schedule.add(bench.context("n = 0\nwhile true\n  n = n + 1\n  wait 0\nend\n"))
    for _ in range(10):
        schedule.tick()
        bench.clock.advance(50)
    # 2,000 statements: the first line, and then the loop's head and its line by turns.
    assert tight.scope.values["n"] == 999
    assert calm.scope.values["n"] == 10
    assert [d.code for d in told.diagnostics] == ["statement-budget"]
    assert told.diagnostics[0].severity == "warning"


def test_33_a_cap_for_all_is_shared_and_profiled(bench: Bench) -> None:
    schedule = Schedule(Told(), budget=100, cap=250)
    program = bench.program("n = 0\nwhile true\n  n = n + 1\nend\n", "tight")
    contexts = [schedule.add(bench.context(program)) for _ in range(10)]
    for _ in range(40):
        schedule.tick()
        assert schedule.profile.statements == 250
        bench.clock.advance(50)
    assert schedule.profile.contexts == 10
    assert schedule.profile.by_program == Counter({"tight": 250})
    assert schedule.profile.over == 3
    ran = [int(str(c.scope.values["n"])) for c in contexts]
    assert sum(ran) > 4900
    assert max(ran) - min(ran) <= 50


def test_35_a_loop_around_a_fault_has_a_budget_too(bench: Bench) -> None:
    context = bench.context(
        "n = 0\nwhile true\n  try\n    error('x')\n  catch e\n    n = n + 1\n  end\nend\n"
    )
    assert tick(context, 400) == 400
    assert 90 < int(str(context.scope.values["n"])) < 140
