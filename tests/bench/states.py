"""What the state of a program with 1,000 threads costs: `notetrack bench states [--rounds N]`.

Milliseconds of processor time for the snapshot, the hash alone, and restoring into a VM that runs the same program.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from engine.gsc.program import load_program
from engine.source import SourceText
from engine.vm.core import core_registry
from engine.vm.machine import VM

THREADS = 1000
SCRIPT = """
main()
{
    for (i = 0; i < THREADS; i++)
        thread lives(i);
}

lives(n)
{
    place = (n, n * 0.5, 64);
    names[0] = "thread " + n;
    names[1] = n;
    self endon("over");
    for (i = 0; ; i++)
    {
        walks(place, n);
        if (n % 2)
            wait 0.05;
        else
            level waittill("turn" + n, who);
    }
}

walks(place, n)
{
    level.places[n % 100] = place;
    wait 0.05 * (1 + n % 3);
}
""".replace("THREADS", str(THREADS))


class One:
    def find(self, name: str) -> SourceText | None:
        return SourceText("main.gsc", SCRIPT) if name == "main" else None


def fresh() -> VM:
    vm = VM(core_registry())
    vm.link(load_program(["main"], One(), vm.natives))
    return vm


def timed(run: Callable[[], object], rounds: int) -> float:
    """The median in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def report(rounds: int) -> list[str]:
    vm, other = fresh(), fresh()
    vm.start("main::main")
    for _ in range(20):
        vm.step()
    state = vm.snapshot()
    other.restore(state)
    assert other.state_hash() == vm.state_hash()
    return [
        f"the state of {len(vm.threads())} threads, {len(state)} bytes, in milliseconds of processor time",
        f"  {'snapshot':12}{timed(vm.snapshot, rounds):8.1f}",
        f"  {'hash':12}{timed(vm.state_hash, rounds):8.1f}",
        f"  {'restore':12}{timed(lambda: other.restore(state), rounds):8.1f}",
    ]
