"""How long a save takes to reach the running game: from its end to the new code doing something.

    python -m tests.bench.reload_latency [--saves N] [--seed N]

Plays a copy of the sandbox with a crowd of threads beside it, `play --headless --realtime`, and saves one of its
scripts again and again at random moments, as editors do: in place, or by renaming a new file over the old one. Each
save changes a function in which a thread waits, at the top of the file, so that everything below it moves too. The
thread prints a number that stands in the text, and the clock stops when the game's event file has it. All of it is real
time. A table tells where the time went: until the game had heard of the save, until the new code was in (the settling
time, compiling and waiting for the frame among it), and until it ran. What this process was kept waiting by the
machine, while it only slept, and for how long the game's thread wanted a processor and had none (Linux tells it),
say how much of the worst is the machine's.

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
        self.reloaded = 0.0
        """When the last reload was heard of."""
        self.kept_waiting = 0.0
        """The longest time between two looks at the event file, which are to be a millisecond apart."""

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
        """The moment at which scripts have printed a text."""
        now = time.monotonic()
        end = now + seconds
        while now < end:
            heard = len(self.reloads)
            found = any(text in line for line in self.lines())
            now, before = time.monotonic(), now
            self.kept_waiting = max(self.kept_waiting, now - before)
            if len(self.reloads) > heard:
                self.reloaded = now
            if found:
                return now
            if self.process.poll() is not None:
                break
            time.sleep(0.001)
        raise SystemExit(f"'{text}' was never printed; the game is {self.process.poll()}")

    def without_processor(self) -> float:
        """Seconds for which the game's main thread has waited for a processor; 0 where the system does not tell."""
        pid = self.process.pid
        try:
            return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9
        except OSError:
            return 0.0

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self._file.close()


def one_save(game: Game, text: str, ended: float, waited: float) -> dict[str, float]:
    """Where the milliseconds went from the end of a save until its code printed a text. `waited` is for how long the
    game had been without a processor before it."""
    ran = game.wait_for(text, 5)
    reload = game.reloads[-1]
    ms, build_ms, swap_ms = (float(str(reload[name])) for name in ("ms", "build_ms", "swap_ms"))
    return {
        "save to new code": (ran - ended) * 1000,
        "until it was heard of": (game.reloaded - ended) * 1000 - ms,
        "heard of to swapped in": ms,
        "  of it compiling": build_ms,
        "  of it the swap": swap_ms,
        "until the code ran": (ran - game.reloaded) * 1000,
        "this process waited": game.kept_waiting * 1000,
        "game without processor": (game.without_processor() - waited) * 1000,
    }


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
        saves: list[dict[str, float]] = []
        for number in range(1, options.saves + 1):
            time.sleep(choose.uniform(0.2, 0.5))
            script = choose.choice(SCRIPTS)
            path = folder / "sandbox" / f"{script}.gsc"
            list(game.lines())
            game.kept_waiting = 0.0
            waited = game.without_processor()
            ended = save(path, filled(texts[script], number), choose.random() < 0.5)
            saves.append(one_save(game, f"probe {script} {number}", ended, waited))
        time.sleep(1.2)
        list(game.lines())
        threads = game.frames[-1]["threads"]
        game.stop()
    print(f"{options.saves} saves, {threads} threads, load {os.getloadavg()[0]:.1f}; milliseconds")
    print(f"{'':24}{'median':>9}{'95th':>9}{'most':>9}")
    for what in saves[0]:
        values = [row[what] for row in saves]
        figures = (statistics.median(values), percentile(values, 0.95), max(values))
        print(f"{what:24}" + "".join(f"{each:9.1f}" for each in figures))
    worst = max(saves, key=lambda row: row["save to new code"])
    print("the longest: " + ", ".join(f"{what} {value:.1f}" for what, value in worst.items()))
    print(f"longest server frame: {worst_frame(game.frames):.1f} with saves, {quiet:.1f} without")


if __name__ == "__main__":
    main()
