"""Long runs of the comparison: `python -m tests.reference.fuzz --count N --seed S`.

Prints every difference with its seed. `--dialect iw4` writes programs of Modern Warfare 2, `--shrink` cuts each one
down to a small program, `--parser` runs damaged sources through the compiler instead.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from random import Random

from engine.gsc.dialect import DIALECTS, UO, Dialect
from engine.source import DiagnosticError
from engine.source.render import to_text
from tests.reference.compare import Difference, compare
from tests.reference.damage import Damager, try_one
from tests.reference.generate import program
from tests.reference.generate_strict import strict_program
from tests.reference.shrink import shrink
from tests.reference.values import GivenUp

WITHOUT = (
    "", "types", "", "bounds", "tails", "versions", "",
    "whole vectors", "short tails", "direct", "", "vectors", "tails",
)  # fmt: skip
"""A prime number of them, so that they meet every policy and setting."""


def variant(seed: int) -> tuple[str, bool, frozenset[int], str]:
    """Policy, developer setting, the frames in which the state is saved and restored, and the optimisation that is left
    out, of a seed."""
    random = Random(seed)
    saves = frozenset(random.sample(range(20), 2)) if seed % 3 == 0 else frozenset()
    without = WITHOUT[seed // 2 % len(WITHOUT)]
    return ("stop", "continue")[seed % 2], seed % 8 != 7, saves, without


def check(seed: int, dialect: Dialect = UO) -> Difference | None:
    """Compare one program. Raises `GivenUp`."""
    return compare(texts(seed, dialect), *variant(seed), dialect)


def texts(seed: int, dialect: Dialect) -> dict[str, str]:
    """The scripts of one program of a dialect."""
    return strict_program(seed) if dialect.rules.strict else program(seed)


def run(first: int, count: int, dialect: Dialect = UO, *, small: bool = False) -> tuple[int, int]:
    """Compare programs; returns how many differed and how many were given up. `small`: show each one cut down."""
    different = skipped = 0
    for seed in range(first, first + count):
        try:
            difference = check(seed, dialect)
        except GivenUp:
            skipped += 1
            continue
        except DiagnosticError as error:
            print(
                f"seed {seed} does not compile: {to_text(next(d for d in error.diagnostics if d.severity == 'error'))}",
                flush=True,
            )
            different += 1
            continue
        except Exception as error:
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
            different += 1
            continue
        if difference is not None:
            different += 1
            print(f"seed {seed} {variant(seed)}: {difference}", flush=True)
            if small:
                for name, text in shrink(texts(seed, dialect), *variant(seed), dialect).items():
                    print(f"---- {name}\n{text}", flush=True)
    return different, skipped


def run_damaged(first: int, count: int, dialect: Dialect = UO) -> int:
    """Compile damaged sources; returns how many were answered with something else than diagnostics."""
    damager = Damager()
    bad = 0
    for seed in range(first, first + count):
        try:
            try_one(damager.text(seed), dialect)
        except Exception as error:
            bad += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", choices=("uo", "iw4"), default="uo")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--parser", action="store_true")
    options = parser.parse_args()
    # A program leaves little behind: to look for it after every thousand objects is a sixth of the time.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    start = time.perf_counter()
    if options.parser:
        dialect = DIALECTS[options.dialect]
        bad = run_damaged(options.seed, options.count, dialect)
        seconds = time.perf_counter() - start
        what = f"{options.count} damaged sources of {dialect.name} from seed {options.seed}"
        print(f"{what}: {bad} bad answers, {seconds:.0f} s")
        return 1 if bad else 0
    dialect = DIALECTS[options.dialect]
    different, skipped = run(options.seed, options.count, dialect, small=options.shrink)
    seconds = time.perf_counter() - start
    print(
        f"{options.count} programs of {dialect.name} from seed {options.seed}: {different} differ, "
        f"{skipped} given up, {seconds:.0f} s"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
