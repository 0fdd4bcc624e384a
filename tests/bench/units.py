"""How fast unit scripts run: `notetrack bench units [--rounds N]`.

Three ways beside each other in every round: a plain loop over decoded instructions as one would write it first, the
interpreter, and translated code. The instruction mix is that of community units (constants 45 %, or 10 %, turn 5 %,
explode 5 % ...). Then a thousand units with three live threads each, a tick at a time. What counts is the best round:
another program on the machine only ever makes it slower.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile
from engine.cob.disassembler import instructions, signed
from engine.cob.machine import Machine
from engine.cob.threads import Options, State
from engine.cob.translation import Translation
from engine.source import SourceText

MIX = """
piece base, arm, leg, gun;
static-var a, b, c;

Mix(n)
{
    var i, h;
    i = 0;
    while (i < n)
    {
        explode arm type 32 | 256 | 2;
        explode leg type 32 | 512 | 4 | 8 | 16;
        turn arm to y-axis <45> speed <90>;
        turn gun to x-axis 0 - a speed <60>;
        turn leg to x-axis <-30> speed <120>;
        move base to y-axis [1] speed [2];
        turn arm to z-axis <10> now;
        h = get 4;
        if (h < 66)
        {
            emit-sfx 256 | 1 from gun;
            b = (1 | 2 | 4 | 8) * 3 / 2;
        }
        if (a == 2)
        {
            c = b;
        }
        a = 1 | 32;
        ++i;
    }
}
"""

CROWD = """
piece base, arm, gun;
static-var steps, aims;

Walk()
{
    while (TRUE)
    {
        turn arm to x-axis <30> speed <60>;
        sleep 300;
        turn arm to x-axis <-30> speed <60>;
        ++steps;
        sleep 300;
    }
}

Smoke()
{
    var health;
    while (TRUE)
    {
        health = get 4;
        if (health < 66)
        {
            emit-sfx 256 | 2 from base;
        }
        sleep 200;
    }
}

Aim()
{
    while (TRUE)
    {
        turn gun to y-axis <45> speed <90>;
        wait-for-turn gun around y-axis;
        turn gun to y-axis <0> speed <90>;
        wait-for-turn gun around y-axis;
        ++aims;
    }
}
"""

TURNS = 60
UNITS = 1000
TICKS = 60


def compiled(text: str) -> CobFile:
    return compile_bos(SourceText("bench.bos", text)).cob


def executed(program: CobFile, turns: int) -> int:
    """Instructions of one run of the mix: what the plain loop counts."""
    return plain(program, turns)[1]


def plain(program: CobFile, turns: int) -> tuple[list[int], int]:
    """A dispatch loop over decoded instructions without threads, limits or pieces: the least that anybody writes."""
    decoded = {
        i.at: (i.op.name if i.op else "", *map(signed, i.operands), i.end) for i in instructions(program)
    }
    binary = {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.floordiv,
        "bit-or": operator.or_, "lt": operator.lt, "eq": operator.eq,
    }  # fmt: skip
    stack: list[int] = []
    window, statics = [turns, 0, 0, 0], [0] * program.statics
    effects = 0
    pc = count = 0
    while True:
        name, *operands, after = decoded[pc]
        count += 1
        pc = after
        if name == "push-constant":
            stack.append(operands[0])
        elif name in binary:
            right = stack.pop()
            stack[-1] = int(binary[name](stack[-1], right))
        elif name == "push-local":
            stack.append(window[operands[0]])
        elif name == "push-static":
            stack.append(statics[operands[0]])
        elif name == "pop-local":
            window[operands[0]] = stack.pop()
        elif name == "pop-static":
            statics[operands[0]] = stack.pop()
        elif name in ("turn", "move"):
            effects += stack.pop() + stack.pop()
        elif name in ("explode", "emit-sfx", "turn-now"):
            effects += stack.pop()
        elif name == "jump":
            pc = operands[0]
        elif name == "jump-if-false":
            if not stack.pop():
                pc = operands[0]
        elif name == "get-unit-value":
            stack[-1] = 0
        elif name == "return":
            return statics, count


def machine_run(program: CobFile, translation: Translation, turns: int, translate: bool) -> list[int]:
    """One run of the mix in a machine; the statics afterwards."""
    options = Options(budget=1 << 30, translate=translate)
    unit = Machine(program, options=options, translation=translation)
    unit.start(0, [turns])
    unit.tick()
    return unit.statics


def crowd(count: int) -> list[Machine]:
    """Units that share a program, each with three threads that never end, past the visits before translation."""
    program = compiled(CROWD)
    shared = Translation(program)
    units = [Machine(program, translation=shared) for _ in range(count)]
    for number, unit in enumerate(units):
        for script in range(3):
            unit.start(script)
        for _ in range(number % 20 + 1):  # so that they do not all wake in one tick
            unit.tick()
        unit.events.clear()
    return units


def crowd_tick(units: list[Machine]) -> float:
    """Seconds of processor time that one tick of all units takes."""
    start = time.thread_time()
    for unit in units:
        unit.tick()
        unit.events.clear()
    return time.thread_time() - start


def alive(units: list[Machine]) -> int:
    return sum(slot.state is not State.IDLE for unit in units for slot in unit.slots)


def best(rounds: int, run: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return min(times)


def report(rounds: int) -> list[str]:
    """The lines of the report."""
    program = compiled(MIX)
    translation = Translation(program)
    count = executed(program, TURNS)
    for _ in range(5):
        machine_run(program, translation, 3, True)
    lines = [f"instruction mix, {count} instructions a run, best of {rounds} rounds"]
    for name, run in (
        ("plain dispatch loop", lambda: plain(program, TURNS)),
        ("interpreter", lambda: machine_run(program, translation, TURNS, False)),
        ("translated", lambda: machine_run(program, translation, TURNS, True)),
    ):
        seconds = best(rounds, run)
        lines.append(f"  {name:20} {count / seconds / 1e6:7.2f} million instructions a second")
    units = crowd(UNITS)
    times = sorted(crowd_tick(units) * 1000 for _ in range(TICKS))
    lines.append(f"{UNITS} units with {alive(units) // UNITS} live threads each, {TICKS} ticks")
    lines.append(
        f"  a tick               {sum(times) / TICKS:7.2f} ms on average, {times[-1]:.2f} ms at worst"
    )
    return lines
