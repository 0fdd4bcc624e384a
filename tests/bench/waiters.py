"""Whether threads cost more where many others wait: `notetrack bench waiters [--rounds N]`.

Two games beside each other, one with a hundred threads that wait and one with a hundred thousand. In each the same
hundred threads are notified, resumed and ended, in turn in the one and in the other. Half of them wait on objects of
their own, half on `level`. Of the others one half waits for events of the same name on other objects, one half for
events of their own on `level`; all have an endon as well.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from engine.gsc.dialect import DIALECTS, Dialect
from engine.gsc.program import load_program
from engine.source import SourceText
from engine.vm.core import core_registry
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.vm.strict_natives import strict_registry

FEW, MANY = 100, 100_000
WORKERS = 100
PARTS = ("notify", "resume", "end")

Place = tuple[ScriptObject, str, str]
"""Where a thread waits: an object, and what wakes and what ends it."""

SCRIPT = """
waits(go, stop) { self endon(stop); for (;;) self waittill(go); }
"""


class Scripts:
    """The one script."""

    def find(self, name: str) -> SourceText | None:
        return SourceText("waiters.gsc", SCRIPT) if name == "waiters" else None


class Game:
    """A VM with so many threads that wait, beside the workers."""

    def __init__(self, dialect: Dialect, others: int) -> None:
        self.vm = VM(
            core_registry(),
            settings=Settings(max_threads=2 * MANY, max_variables=10 * MANY),
            report=lambda error: None,
            dialects={"iw4": (strict_registry(), None)},
        )
        program = load_program(["waiters"], Scripts(), self.vm.natives, dialect=dialect)
        self.vm.link(program)
        level = self.vm.level
        self.places: list[Place] = [
            (ScriptStruct(), "go", "stop") if number % 2 else (level, f"go {number}", f"stop {number}")
            for number in range(WORKERS)
        ]
        for number in range(others):
            event = f"other {number}"
            self.wait((ScriptStruct(), "go", "stop") if number % 2 else (level, event, event + " stops"))

    def wait(self, place: Place) -> None:
        """Start a thread that waits there."""
        object, go, stop = place
        self.vm.start("waiters::waits", object, (go, stop))

    def round(self) -> dict[str, float]:
        """Seconds of processor time of each part, for all workers together."""
        vm, places = self.vm, self.places
        for place in places:
            self.wait(place)

        def notify() -> None:
            for object, go, _ in places:
                vm.notify(object, go)

        def end() -> None:
            for object, _, stop in places:
                vm.notify(object, stop)

        return {"notify": timed(notify), "resume": timed(vm.drain), "end": timed(end)}


def timed(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def report(rounds: int, few: int = FEW, many: int = MANY) -> list[str]:
    """Microseconds for one thread in the best round, and the ratio, for each dialect with rules of its own."""
    lines = [
        f"{'others that wait':22}{few:>12,}{many:>12,}{'ratio':>8}   microseconds for one thread, best round"
    ]
    for name in ("uo", "iw4"):
        games = Game(DIALECTS[name], few), Game(DIALECTS[name], many)
        times: dict[str, tuple[list[float], list[float]]] = {part: ([], []) for part in PARTS}
        # The collector walks over everything that there is whenever it runs, which is not what is measured here.
        gc.collect()
        gc.disable()
        try:
            for _ in range(rounds * 20):
                for side, game in enumerate(games):
                    for part, seconds in game.round().items():
                        times[part][side].append(seconds * 1e6 / WORKERS)
        finally:
            gc.enable()
        for part in PARTS:
            one, other = (min(found) for found in times[part])
            lines.append(f"{name + ' ' + part:22}{one:12.2f}{other:12.2f}{other / one:8.2f}")
    return lines
