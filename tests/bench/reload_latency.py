"""How long a save takes to reach the running game: from its end to the new code doing something.

    python -m tests.bench.reload_latency [--saves N] [--seed N]

Plays a copy of the sandbox with a crowd of threads beside it, `play --headless --realtime`, and saves one of its
scripts again and again at random moments, as editors do: in place, or by renaming a new file over the old one. Each
save changes a function in which a thread waits, at the top of the file, so that everything below it moves too. The
thread prints a number that stands in the text, and the clock stops when the game's event file has it. All of it is real
time.

The last line compares the longest server frame with that of the same game without saves.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from engine import paths

SCRIPTS = (
    "maps/mp/_hud", "maps/mp/_settings", "maps/mp/soldiers/_patrol", "maps/mp/soldiers/_senses", "maps/mp/yard",
)  # fmt: skip
CROWD = 190
"""Threads beside those of the sandbox, so that there are 300 and some."""
WARM_UP = 3.0

PROBE = """probe()
{{
    for (;;)
    {{
        said = {number};
        if (!isdefined(self.said) || self.said != said)
            println("probe {script} ", said);
        self.said = said;
        wait 0.05;
    }}
}}
"""
CROWD_SCRIPT = """main()
{{
    for (n = 0; n < {crowd}; n++)
        level thread idler(n);
{probes}}}

idler(n)
{{
    for (rounds = 0;; rounds++)
        wait 0.5 + n * 0.01;
}}
"""


def prepare(folder: Path) -> dict[str, str]:
    """Copy the sandbox with a probe in some scripts, and the mod with the crowd; the scripts' texts."""
    shutil.copytree(paths.mods() / "sandbox", folder / "sandbox")
    texts = {}
    for script in SCRIPTS:
        path = folder / "sandbox" / f"{script}.gsc"
        texts[script] = PROBE.replace("{script}", script) + path.read_text()
        path.write_text(filled(texts[script], 0))
    probes = "".join(
        f"    spawnstruct() thread {script.replace('/', chr(92))}::probe();\n" for script in SCRIPTS
    )
    crowd = folder / "crowd"
    crowd.mkdir()
    (crowd / "mod.toml").write_text('name = "crowd"\nrequires = ["sandbox"]\nautostart = "crowd"\n')
    (crowd / "crowd.gsc").write_text(CROWD_SCRIPT.format(crowd=CROWD, probes=probes))
    return texts


def filled(text: str, number: int) -> str:
    head, brace, rest = text.partition("probe()\n")
    end = rest.index("\n}}\n")
    body = rest[:end].replace("{number}", str(number)).replace("{{", "{").replace("}}", "}")
    return head + brace + body + "\n}\n" + rest[end + 4 :]


def save(path: Path, text: str, by_rename: bool) -> float:
    """The moment at which the save has ended."""
    if by_rename:
        other = path.with_name(path.name + ".new")
        other.write_text(text)
        os.replace(other, path)
    else:
        path.write_text(text)
    return time.monotonic()


class Game:
    """The game in a process of its own, seen through its event file."""

    def __init__(self, folder: Path, seconds: float) -> None:
        events = folder / "events.jsonl"
        events.write_text("")
        mods = ["--mod", str(folder / "crowd"), "--mod", str(folder / "sandbox")]
        command = [sys.executable, "-m", "engine", "play", "--headless", "--realtime", *mods]
        environment = {**os.environ, "NOTETRACK_CACHE": str(folder / "cache"), "NOTETRACK_STATE": str(folder)}
        self.process = subprocess.Popen(
            [*command, "--seconds", str(seconds), "--events", str(events)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._file = events.open()
        self._partial = ""
        self.frames: list[dict[str, float]] = []
        self.reloads: list[dict[str, object]] = []

    def lines(self) -> Iterator[str]:
        """What scripts have printed since the last call."""
        *whole, self._partial = (self._partial + self._file.read()).split("\n")
        for line in whole:
            event = json.loads(line)
            if event["event"] == "log":
                yield event["text"]
            elif event["event"] == "frame":
                self.frames.append(event)
            elif event["event"] == "reload":
                self.reloads.append(event)

    def wait_for(self, text: str, seconds: float) -> float:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(text in line for line in self.lines()):
                return time.monotonic()
            if self.process.poll() is not None:
                break
            time.sleep(0.001)
        raise SystemExit(f"'{text}' was never printed; the game is {self.process.poll()}")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self._file.close()


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def worst_frame(frames: list[dict[str, float]]) -> float:
    """The longest server frame once the game runs evenly: each figure is that of the last four seconds."""
    return max(frame["server_worst"] for frame in frames[6:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = prepare(folder)
        game = Game(folder, 20)
        game.wait_for(f"probe {SCRIPTS[-1]} 0", 30)
        while game.process.poll() is None:
            time.sleep(0.2)
        list(game.lines())
        quiet = worst_frame(game.frames)
        game.stop()
        game = Game(folder, 60 + options.saves)
        game.wait_for(f"probe {SCRIPTS[-1]} 0", 30)
        took: list[float] = []
        for number in range(1, options.saves + 1):
            time.sleep(choose.uniform(0.2, 0.5))
            script = choose.choice(SCRIPTS)
            path = folder / "sandbox" / f"{script}.gsc"
            ended = save(path, filled(texts[script], number), choose.random() < 0.5)
            took.append((game.wait_for(f"probe {script} {number}", 5) - ended) * 1000)
        time.sleep(1.2)
        list(game.lines())
        threads = game.frames[-1]["threads"]
        game.stop()
    print(f"{options.saves} saves, {threads} threads, load {os.getloadavg()[0]:.1f}; milliseconds")
    print(f"{'':24}{'median':>9}{'95th':>9}{'most':>9}")
    reloads = [r for r in game.reloads if r["ok"]]
    rows = {"save to new code": took}
    for what in ("ms", "build_ms", "swap_ms"):
        rows[what] = [float(str(r[what])) for r in reloads if what in r]
    for label, values in rows.items():
        if values:
            figures = (statistics.median(values), percentile(values, 0.95), max(values))
            print(f"{label:24}" + "".join(f"{each:9.1f}" for each in figures))
    print(f"longest server frame: {worst_frame(game.frames):.1f} with saves, {quiet:.1f} without")


if __name__ == "__main__":
    main()
