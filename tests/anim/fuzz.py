"""Long runs of the comparison and of damaged sources: `python -m tests.anim.fuzz KIND [--count N] [--seed S]`.

rules   the batch beside the plain rules, in float64
wild    weights, times and rates of any size
trees   damaged tree files
models  damaged skeletons and clips

Prints every seed that fails, and in the end what was seen.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable

from tests.anim.cases import Tally, check_case, check_wild
from tests.anim.damage import check_damaged_model, check_damaged_tree


def run(kind: str, first: int, count: int) -> int:
    """Run the seeds from `first` on; returns how many failed."""
    tally, outcomes = Tally(), Counter[str]()
    kinds: dict[str, Callable[[int], object]] = {
        "rules": lambda seed: check_case(seed, tally),
        "wild": check_wild,
        "trees": check_damaged_tree,
        "models": check_damaged_model,
    }
    began = time.process_time()
    for seed in range(first, first + count):
        try:
            outcomes[str(kinds[kind](seed) or "agrees")] += 1
        except Exception:
            outcomes["fails"] += 1
            print(f"seed {seed}\n{traceback.format_exc(limit=-3)}", flush=True)
    seen = ", ".join(f"{number} {what}" for what, number in outcomes.most_common())
    print(f"{kind}: seeds {first} to {first + count - 1}: {seen}; {time.process_time() - began:.0f} s")
    if tally.poses:
        print(
            f"{tally.poses} poses, the worst {tally.worst:.1e} of the model's size away; "
            f"{tally.undecided} left out because rotations were opposite to within rounding"
        )
    return outcomes["fails"]


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("kind", choices=("rules", "wild", "trees", "models"))
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    warnings.simplefilter("error")
    sys.exit(run(given.kind, given.seed, given.count) > 0)
