"""How fast line scripts run: `notetrack bench lines [--rounds N]`.

A thousand contexts share one program. A tick is measured while all of them wait, and while each of them runs ten
statements, in three kinds: counting with ints, moving with floats, and flying with sines and vectors as a bee does.
Beside them stand the same ten statements as a Python generator for each context, as one would write them by hand.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
import tracemalloc
from collections.abc import Iterator

from engine.linescript.context import Clock, Context
from engine.linescript.library import global_scope
from engine.linescript.programs import Programs
from engine.linescript.schedule import Schedule
from engine.linescript.scope import GlobalScope, Scope
from engine.source import Diagnostic, SourceText

CONTEXTS = 1000

WAITING = """
n = 0
while true
  wait 1000
  n = n + 1
end
"""

COUNTING = """
n = 0
m = 1
while true
  n = n + 1
  m = m * 3 % 1000
  if n > 100
    n = 0
  end
  if m == 7 || n == 5
    m = m + n
  end
  n = n + m % 2
  m = m - 1
  n = max(n, 1)
  m = abs(m) + 1
  wait 0
end
"""

MOVING = """
x = 0.5
speed = 12.5
pull = 2.0
while true
  speed = speed - x * pull * 0.05
  speed = speed * 0.97
  x = x + speed * 0.05
  if x > 14.0
    x = 14.0
  end
  x = clamp(x, -14, 14)
  pull = mix(pull, 2.5, 0.01)
  speed = speed + 0.25
  if speed > 10.0 && x > 3.0
    speed = 9.0
  end
  wait 0
end
"""

FLYING = """
home = (0, 0, 60)
where = home
turn = 10.0
rise = 20.0
reach = 40.0
while true
  turn = turn + 11.5
  rise = rise + 3.2
  reach = reach + sin(rise) * 0.5
  out = (cos(turn) * reach, sin(turn * 1.3) * reach, sin(rise) * 14)
  where = home + out
  far = length(out)
  if far > 50
    reach = 40.0
  end
  where = where + (0, 0, 1)
  wait 0
end
"""


def counting() -> Iterator[None]:
    n, m = 0, 1
    while True:
        n = n + 1
        m = m * 3 % 1000
        if n > 100:
            n = 0
        if m == 7 or n == 5:
            m = m + n
        n = n + m % 2
        m = m - 1
        n = max(n, 1)
        m = abs(m) + 1
        yield


def moving() -> Iterator[None]:
    x, speed, pull = 0.5, 12.5, 2.0
    while True:
        speed = speed - x * pull * 0.05
        speed = speed * 0.97
        x = x + speed * 0.05
        if x > 14.0:
            x = 14.0
        x = max(-14.0, min(14.0, x))
        pull = pull + (2.5 - pull) * 0.01
        speed = speed + 0.25
        if speed > 10.0 and x > 3.0:
            speed = 9.0
        yield


def flying() -> Iterator[None]:
    home = (0.0, 0.0, 60.0)
    where = home
    turn, rise, reach = 10.0, 20.0, 40.0
    while True:
        turn = turn + 11.5
        rise = rise + 3.2
        reach = reach + math.sin(math.radians(rise)) * 0.5
        out = (
            math.cos(math.radians(turn)) * reach,
            math.sin(math.radians(turn * 1.3)) * reach,
            math.sin(math.radians(rise)) * 14,
        )
        where = (home[0] + out[0], home[1] + out[1], home[2] + out[2])
        far = math.hypot(*out)
        if far > 50:
            reach = 40.0
        where = (where[0], where[1], where[2] + 1)
        yield


KINDS = {"counting": (COUNTING, counting), "moving": (MOVING, moving), "flying": (FLYING, flying)}


class Crowd:
    """Contexts that share one program, under one schedule."""

    def __init__(self, text: str, count: int) -> None:
        self.faults: list[Diagnostic] = []
        self.clock = Clock()
        self.scope: GlobalScope = global_scope(lambda line: None, lambda: 0.5)
        self.programs = Programs(lambda name: SourceText(name, text), self.scope.functions or {})
        self.schedule = Schedule(self.faults.append)
        for _ in range(count):
            program = self.programs.load("crowd")
            assert program is not None
            self.schedule.add(Context(program, Scope(self.scope), self.clock))

    def tick(self) -> float:
        """Milliseconds of processor time of one tick of all."""
        began = time.thread_time()
        self.schedule.tick()
        took = time.thread_time() - began
        self.clock.advance(50)
        return took * 1000


def bytes_each(count: int) -> float:
    """What a context takes after its first tick, with its scope, frame and variables."""
    crowd = Crowd(WAITING, 1)
    program = crowd.programs.load("crowd")
    assert program is not None
    crowd.tick()
    gc.collect()
    tracemalloc.start()
    contexts = [crowd.schedule.add(Context(program, Scope(crowd.scope), crowd.clock)) for _ in range(count)]
    crowd.tick()
    gc.collect()
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return used / len(contexts)


def by_hand(make: object, count: int) -> list[Iterator[None]]:
    return [make() for _ in range(count)]  # type: ignore[operator]  # one of the generators above


def resume(generators: list[Iterator[None]]) -> float:
    began = time.thread_time()
    for generator in generators:
        next(generator)
    return (time.thread_time() - began) * 1000


def report(rounds: int, count: int = CONTEXTS) -> list[str]:
    """The lines of the report. The ways are measured by turns, so that a busy machine slows them alike."""
    waiting = Crowd(WAITING, count)
    waiting.tick()
    lines = [
        f"{count} contexts of one program ({waiting.programs.parses} parse), {bytes_each(count):.0f} bytes each",
    ]
    idle = [waiting.tick() for _ in range(rounds)]
    lines.append(f"  all wait           {statistics.median(idle):7.2f} ms a tick, {max(idle):.2f} at worst")
    for kind, (text, make) in KINDS.items():
        crowd, generators = Crowd(text, count), by_hand(make, count)
        crowd.tick()
        resume(generators)
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(crowd.tick())
            theirs.append(resume(generators))
        assert not crowd.faults, crowd.faults
        ran = crowd.schedule.profile.statements / count
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        lines.append(
            f"  {kind:9}{ran:5.0f} each {statistics.median(ours):7.2f} ms a tick, {max(ours):.2f} at worst; "
            f"generators by hand {statistics.median(theirs):.2f} ms, ratio {ratio:.1f}"
        )
    return lines
