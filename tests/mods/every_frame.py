"""A long run of the sandbox whose state is saved and restored in every frame, beside one that is left alone.

    python -m tests.mods.every_frame [--frames N] [--threads N] [--fresh N] [--plain]

prints a digest of all frames' hashes, the same on every machine, Python and PYTHONHASHSEED. `--plain` only plays.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import sys
import tempfile
import time
from pathlib import Path

from engine import paths
from engine.mods.session import GameOptions, GameSession

SCRIPT = """
main()
{
    for (i = 0; i < THREADS; i++)
        thread lives(i);
}

lives(n)
{
    for (i = 0; ; i++)
    {
        self.total[n % 7] = i;
        text = "turn " + i;
        wait 0.05 + (n % 5) * 0.03;
        if (randomint(4) == 0)
            level notify("turn" + (n % 10), n, text);
        else if (n % 3 == 0)
            hears(n);
    }
}

hears(n)
{
    thread stops(n % 10);
    level waittill("turn" + (n % 10), who, text);
    level.last = who;
}

stops(n)
{
    wait 0.5;
    level notify("turn" + n, n, "late");
}
"""


def session(mod: Path) -> GameSession:
    return GameSession(GameOptions(mods=(mod, paths.mods() / "sandbox"), watch=False))


def move_on(one: GameSession, other: GameSession, fresh: bool) -> None:
    """Let `other` be where `one` is; with `fresh` in a VM and a world that have just been made."""
    state, player = one.vm.snapshot(), one.player
    if fresh:
        other.restart()
    other.vm.restore(state)
    other.take_up(other.world.entities.get(player) if player is not None else None)
    other.frames = one.frames


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument(
        "--fresh", type=int, default=100, help="frames from one new VM to the next (a second each)"
    )
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    start = time.process_time()
    digest = hashlib.blake2b(digest_size=8)
    with tempfile.TemporaryDirectory() as folder:
        mod = Path(folder) / "many"
        (mod / "many").mkdir(parents=True)
        (mod / "mod.toml").write_text('autostart = "many/many"\n')
        (mod / "many" / "many.gsc").write_text(SCRIPT.replace("THREADS", str(options.threads)))
        stays = session(mod)
        moves = [] if options.plain else [session(mod), session(mod)]
        for frame in range(options.frames):
            stays.frame()
            wanted = stays.vm.state_hash()
            digest.update(wanted.encode())
            if moves:
                moves[0].frame()
                if moves[0].vm.state_hash() != wanted:
                    print(f"frame {frame}: the run that is saved and restored is another one")
                    return 1
                move_on(moves[0], moves[1], frame % options.fresh == 0)
                moves.reverse()
        threads = len(stays.vm.threads())
        for one in (stays, *moves):
            one.close()
    how = "played" if options.plain else "saved and restored in every frame"
    print(
        f"{options.frames} frames with {threads} threads {how}: {digest.hexdigest()}, "
        f"Python {platform.python_version()}, {time.process_time() - start:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
