"""States that were damaged on the way, or forged by somebody who knows the format: refused, or harmless.

    python -m tests.vm.damaged_states [--count N] [--forged N] [--seed S]

N states of a VM and as many saved games of the sandbox have some bytes changed, which their checksum tells. Forged ones
have a right checksum over parts that were changed; what they hold may be nonsense, but nothing of Python comes out.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from engine.mods.savefile import pack, unpack
from engine.mods.session import GameOptions, GameSession
from engine.source import DiagnosticError
from engine.vm.packing import Damaged
from tests.vm.snapshot_kit import Played, fresh, mutated, parts_of, played, seal


def refused_damaged(run: Played, count: int, seed: int) -> int:
    """How many of so many are refused; the others are as they were. A VM that refuses one is what it was before."""
    random = Random(seed)
    found = fresh()
    found.vm.restore(run.states[10])
    refused = 0
    for _ in range(count):
        damaged = mutated(run.states[40], random)
        if damaged != run.states[40]:
            try:
                found.vm.restore(damaged)
            except DiagnosticError:
                refused += 1
            else:
                raise AssertionError("a damaged state was taken up")
    assert found.vm.state_hash() == run.hashes[10]
    return refused


def refused_forged(run: Played, count: int, seed: int) -> int:
    """How many of so many are refused; the others run on."""
    random = Random(seed)
    found = fresh()
    refused = 0
    for _ in range(count):
        parts = parts_of(run.states[40])
        which = random.choice([1, 1, 1, 2, 3])
        parts[which] = mutated(parts[which], random)
        found.vm.restore(run.states[10])
        try:
            found.vm.restore(seal(parts))
        except DiagnosticError:
            refused += 1
            assert found.vm.state_hash() == run.hashes[10]
        else:
            found.frames(3)
            found.vm.state_hash()
            # Nor where nothing is compiled yet.
            fresh().vm.restore(seal(parts))
    return refused


def refused_files(good: bytes, count: int, seed: int) -> int:
    """How many of so many changed saved games are refused; the others are as they were."""
    random = Random(seed)
    refused = 0
    for _ in range(count):
        data = mutated(good, random)
        if data != good:
            try:
                unpack(data)
            except Damaged:
                refused += 1
            else:
                raise AssertionError("a damaged saved game was read")
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--forged", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    run, count, seed = played(), options.count, options.seed
    print(f"{count} damaged states: {refused_damaged(run, count, seed)} refused, the others were as before")
    session = GameSession(GameOptions(watch=False))
    for _ in range(20):
        session.frame()
    good = pack(session.states.take())
    session.close()
    print(
        f"{count} damaged saved games: {refused_files(good, count, seed)} refused, the others were as before"
    )
    forged = refused_forged(run, options.forged, seed)
    print(f"{options.forged} forged states: {forged} refused, {options.forged - forged} ran without harm")
    print(f"seed {seed}, {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
