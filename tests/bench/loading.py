"""How fast scripts are read and compiled: `notetrack bench loading [--rounds N]`.

A generated program of `FILES` files in lines a second of processor time: parsing, binding and checking; the same with
every function compiled (cold); the same with compiled functions from the cache's folder (warm).
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from many_files import write

from engine.gsc.cache import UnitCache
from engine.gsc.catalogue import FolderSearch
from engine.gsc.code import Make, make_unit
from engine.gsc.program import Program, load_program
from engine.vm.core import core_registry
from engine.vm.machine import VM

FILES = 8
MOST_ROUNDS = 5


def load(folder: Path) -> tuple[Program, float]:
    """The bound program, and the seconds that it took."""
    natives = VM(core_registry()).natives
    start = time.process_time()
    program = load_program(["main"], FolderSearch(folder), natives)
    return program, time.process_time() - start


def compile_all(program: Program, make: Make) -> float:
    """Seconds for linking a program and compiling all of its functions."""
    vm = VM(core_registry(), make=make)
    start = time.process_time()
    vm.link(program)
    for function in vm.linker.functions.values():
        vm.linker.compile(function)
    return time.process_time() - start


def report(rounds: int) -> list[str]:
    times: dict[str, list[float]] = {
        "parsed, bound and checked": [],
        "compiled, cold": [],
        "compiled, warm": [],
    }
    parsed, cold, warm = times.values()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = write(folder / "scripts", FILES)
        program, _ = load(folder / "scripts")
        filled = UnitCache(folder / "cache")
        compile_all(program, filled)
        filled.flush()
        for _ in range(min(rounds, MOST_ROUNDS)):
            program, seconds = load(folder / "scripts")
            parsed.append(seconds)
            cold.append(seconds + compile_all(program, make_unit))
            warm.append(seconds + compile_all(program, UnitCache(folder / "cache")))
    return [
        f"loading {lines} lines, in thousand lines a second of processor time",
        *(f"  {what:28}{lines / statistics.median(each) / 1000:8.1f}" for what, each in times.items()),
    ]
