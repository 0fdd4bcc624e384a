"""How long a saved model, clip or tree takes to be in the running level.

    python -m tests.bench.swap_latency [--rounds N]

Plays the sandbox with a soldier of its own and saves what he is made of again and again: his model's settings, those
of his clips, his tree, and all three at once. The clock runs from the change, as the watcher hands it over, until
everybody who wears it has the new one. After each, what plays on every soldier has to be the same nodes at the same
weights and times.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import paths
from tests.mods.yard import Yard


class Swap(NamedTuple):
    """One save of `what`: milliseconds until it was in, and on how many soldiers everything went on as it was."""

    what: str
    took: float
    soldiers: int
    kept: int


def swaps(folder: Path, rounds: int) -> Iterator[Swap]:
    yard = Yard(folder)
    model = yard.models / "soldier_olive" / "soldier_olive.toml"
    clips = yard.models / "soldier" / "soldier.toml"
    tree = yard.folder / "animtrees" / "soldier.atr"
    tree.parent.mkdir()
    texts = {file: file.read_text() for file in (model, clips)}
    texts[tree] = (paths.animtrees() / "soldier.atr").read_text()
    kinds = {"model": (model,), "clips": (clips,), "tree": (tree,), "all three": (model, clips, tree)}
    for number in range(rounds):
        for what, files in kinds.items():
            for file in files:
                first = (
                    f"// version {number}\n"
                    if file is tree
                    else f"scale = {1.0 + number % 7 / 10 + len(what) / 100}\n"
                )
                file.write_text(first + texts[file])
            yard.run(5)
            before, start = yard.playing(), time.perf_counter()
            event = yard.save(*files)
            took = (time.perf_counter() - start) * 1000.0
            assert event["ok"], event
            after = yard.playing()
            yield Swap(what, took, len(before), sum(before[n] == after.get(n) for n in before))
    yard.session.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(swaps(Path(folder), options.rounds))
    for what in dict.fromkeys(swap.what for swap in found):
        times = [swap.took for swap in found if swap.what == what]
        print(f"{what:10} median {statistics.median(times):4.0f} ms, most {max(times):4.0f} ms")
    kept, soldiers = sum(swap.kept for swap in found), sum(swap.soldiers for swap in found)
    print(f"what played went on as it was on {kept} of {soldiers} soldiers in {len(found)} saves")
    return 0 if kept == soldiers else 1


if __name__ == "__main__":
    sys.exit(main())
