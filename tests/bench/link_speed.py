"""How long a generated program of many files takes to link: cold, warm, and again with one file changed.

    python -m tests.bench.link_speed [FILES ...] [--rounds N]

Cold is a process with nothing in its cache folder, warm one that finds there what the cold one has left, facts and
compiled functions, as a game does; both come down to parsing or reading, binding, checking and linking everything.
Then a file of 500 lines is saved N times, and each time the program is loaded and linked again: the figure is the
median, and the slowest. All times are processor time, in milliseconds. Emission is lazy in all three; every compile
error is found.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.gsc.cache import UnitCache
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import load_program
from engine.mods.manifest import Manifest
from engine.mods.search import Mod, ModSearch
from engine.vm.core import core_registry
from engine.vm.machine import VM
from tests.bench.many_files import function, write

EDITED = 1
LINES = 500


class Bench:
    """One process with one program."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.search = ModSearch([Mod(folder, ".", Manifest("many"))])
        self.units, self.cache = UnitCache(cache), ParseCache(cache)
        self.vm = VM(core_registry(), out=lambda text: None, make=self.units)

    def link(self) -> float:
        """Load and link; milliseconds of processor time."""
        start = time.process_time()
        now = self.search.now()
        program = load_program(["main"], now, self.vm.natives, dialect=now.dialect, cache=self.cache)
        self.vm.link(program)
        return (time.process_time() - start) * 1000

    def flush(self) -> None:
        self.cache.flush()
        self.units.flush()


def edited_text(files: int, round_: int) -> str:
    """A file of 500 lines; in each round another function waits, so that what its callers can do changes too."""
    text = f"// Sector {EDITED}.\n"
    number = 0
    while text.count("\n") < LINES - 10:
        part = function(EDITED, number, files)
        if number == round_ % 10:
            part = part.replace("self.heat = 0.5", f"wait {round_ + 1}; self.heat = 0.5")
        text += part
        number += 1
    return text


def first(folder: Path, cache: Path) -> dict[str, object]:
    bench = Bench(folder, cache)
    ms = bench.link()
    bench.flush()
    return {"ms": ms, "parses": bench.cache.parses}


def again(folder: Path, cache: Path, files: int, rounds: int) -> dict[str, object]:
    bench = Bench(folder, cache)
    bench.link()
    # What the first link has made is looked through once by the collector, at the start of a game.
    gc.collect()
    path = folder / "sectors" / f"s{EDITED}.gsc"
    before = path.read_text()
    times = []
    for round_ in range(rounds):
        path.write_text(edited_text(files, round_))
        times.append(bench.link())
    path.write_text(before)
    return {"ms": statistics.median(times), "most": max(times)}


def child(*args: object) -> dict[str, object]:
    """The same file in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.link_speed", "--child", *map(str, args)]
    found: dict[str, object] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=int, default=[100, 300, 1000])
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    print(f"{'files':>6}{'lines':>9}{'cold':>9}{'warm':>9}{'again':>9}{'most':>9}")
    for files in options.files:
        with tempfile.TemporaryDirectory() as name:
            folder, cache = Path(name) / "scripts", Path(name) / "cache"
            lines = write(folder, files)
            cold = child("first", folder, cache)
            warm = child("first", folder, cache)
            assert (cold["parses"], warm["parses"]) == (files + 1, 0)
            one = child("again", folder, cache, files, options.rounds)
        figures = "".join(f"{each:9.1f}" for each in (cold["ms"], warm["ms"], one["ms"], one["most"]))
        print(f"{files:6}{lines:9}{figures}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        what, folder_, cache_, *rest = sys.argv[2:]
        if what == "first":
            result = first(Path(folder_), Path(cache_))
        else:
            result = again(Path(folder_), Path(cache_), int(rest[0]), int(rest[1]))
        print(json.dumps(result))
    else:
        main()
