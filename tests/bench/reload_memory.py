"""How much a long session of saves leaves behind.

    python -m tests.bench.reload_memory [--reloads N] [--broken]

The sandbox with a crowd of threads is reloaded N times, each time with another text of one of its scripts; what Python
holds at the end, after a collection, is compared with what it held once the history of programs was full. With --broken
each save is made once with an error in it first.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from engine.mods.history import KEPT
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes
from tests.bench.reload_latency import SCRIPTS, filled, prepare


def held() -> int:
    """Bytes that Python objects take."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def grown(folder: Path, reloads: int, every: int, *, broken: bool = False) -> Iterator[tuple[int, int]]:
    """Reload so often; after every so many how many there were, and by how many bytes the game has grown. `broken`: as
    many saves with an error come between."""
    texts = prepare(folder)
    mods = (folder / "crowd", folder / "sandbox")
    tracemalloc.start()
    try:
        game = GameSession(GameOptions(mods=mods, watch=False))
        before = 0
        for number in range(-2 * KEPT, reloads + 1):
            script = SCRIPTS[number % len(SCRIPTS)]
            path = folder / "sandbox" / f"{script}.gsc"
            text = filled(texts[script], number + 1000)
            if broken:
                path.write_text(text.replace("wait", "wait (", 1))
                refused = game.reloader.take(Changes(frozenset({path}), frozenset(), time.monotonic()))
                assert refused is not None
                assert not refused.ok
            path.write_text(text)
            report = game.reloader.take(Changes(frozenset({path}), frozenset(), time.monotonic()))
            assert report is not None
            assert report.ok, report.line()
            assert sum(report.threads.values()) == len(game.vm.runner.suspended)
            game.frame()
            game.drain_log()
            # What is kept to go back to, and of the last seconds, has budgets of its own, which take a while to fill.
            game.states.rewind_buffer.clear()
            game.trail.clear()
            if number == 0:
                before = held()
            elif number > 0 and number % every == 0:
                yield number, held() - before
        game.close()
    finally:
        tracemalloc.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reloads", type=int, default=1000)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for number, size in grown(Path(name), options.reloads, 100, broken=options.broken):
            print(f"{number:6} reloads: {size / 1024:9.1f} KiB more", flush=True)


if __name__ == "__main__":
    main()
