"""Plays a hostile mod over the sandbox and watches what it does to the game.

    python -m tests.hostile.hostile_run [NAME ...]

prints the worst frame, the growth of memory and the errors of each.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from engine import paths
from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from tests.hostile.made import MADE

FOLDER = Path(__file__).parent
FRAMES = {"natives": 360}
"""Frames that a mod needs until it has done all that it does; 100 are enough for the others."""

NAMES = sorted([*(path.parent.name for path in FOLDER.glob("*/mod.toml")), *MADE])

WITNESS = """
main()
{
    level.beats = 0;
    level.work = 0;
    level.answers = 0;
    thread beat();
    thread loops();
    thread answers();
}

beat()
{
    for (;;)
    {
        level.beats++;
        wait 0.05;
    }
}

// Some work in every frame, and sleepers that others wake.
loops()
{
    for (;;)
    {
        work();
        wait 0.05;
        level notify("witness_turn");
    }
}

work()
{
    for (i = 0; i < 200; i++)
        level.work++;
}

// Whoever calls is answered.
answers()
{
    for (;;)
    {
        level waittill("witness_call");
        for (i = 0; i < 10; i++)
            work();
        level.answers++;
        level notify("witness_answer");
    }
}
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did: the longest frame in seconds of processor time, growth of the process in MiB, how often the
    witness ran, frames played, whether it still answers, and the codes of the errors."""

    worst: float
    grown: float
    beats: int
    frames: int
    answers: bool
    codes: list[str]
    lines: list[str]
    reached: bool


def play(mods: list[Path], witness: Path, frames: int = 60) -> Outcome:
    """Play mods with a witness beside them. `witness` is a folder to make the witness's mod in."""
    (witness / "witness").mkdir(parents=True, exist_ok=True)
    (witness / "mod.toml").write_text('autostart = "witness/watch"\n')
    (witness / "witness" / "watch.gsc").write_text(WITNESS)
    journal = Journal()
    game = GameSession(GameOptions(mods=(witness, *mods, paths.mods() / "sandbox"), watch=False), journal)
    lines: list[str] = []
    codes: list[str] = []

    def collect() -> None:
        for line in game.drain_log():
            lines.append(line.text)
            if line.diagnostic is not None:
                codes.append(line.diagnostic.code)

    # As the client does, or the collector looks through the whole game again and again.
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    before = peak = _memory()
    worst = 0.0
    for _ in range(frames):
        start = time.thread_time()
        game.frame()
        worst = max(worst, time.thread_time() - start)
        peak = max(peak, _memory())
        collect()
    beats = game.vm.level.get_field("beats")
    reached = game.vm.level.get_field("escaped") == 1
    before_call = game.vm.level.get_field("answers")
    game.vm.notify(game.vm.level, "witness_call")
    game.frame()
    answers = game.vm.level.get_field("answers") > before_call
    game.close()
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    return Outcome(worst, peak - before, beats, frames, answers, codes, lines, reached)


def find(name: str, made: Path) -> Path:
    """The folder of a hostile mod; one that is not written but made is put into `made`."""
    return MADE[name](made / name) if name in MADE else FOLDER / name


def _memory() -> float:
    """MiB that the process holds now; 0 where that cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    import tempfile

    for name in sys.argv[1:] or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            found = play([find(name, Path(folder))], Path(folder) / "witness", FRAMES.get(name, 100))
        print(
            f"{name:16} worst frame {found.worst * 1000:7.1f} ms  grown {found.grown:6.1f} MiB  "
            f"witness {found.beats}/{found.frames}  answers {found.answers}  reached {found.reached}  "
            f"{sorted(set(found.codes))}",
            flush=True,
        )


if __name__ == "__main__":
    main()
