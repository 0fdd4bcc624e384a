"""Long runs of "an edit without meaning changes no trace": `python -m tests.reload.fuzz --count N --seed S`.

Prints the seed of every program whose trace is another, or one of whose threads did not move. `--any` makes edits of
any kind instead, for which only the engine has to stay whole; `--optimised` edits that change what the compiler knows,
which must go the same way without one of its optimisations.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.reference.compare import deep_recursion
from tests.reload.property import fault_of_any_edits, fault_of_empty_edits, fault_of_optimised_edits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--any", action="store_true")
    kind.add_argument("--optimised", action="store_true")
    options = parser.parse_args()
    check = fault_of_any_edits if options.any else fault_of_empty_edits
    if options.optimised:
        check = fault_of_optimised_edits
    faults = reloads = moved = 0
    start = time.process_time()
    with deep_recursion():
        for number, seed in enumerate(range(options.seed, options.seed + options.count), 1):
            try:
                run = check(seed)
            except Exception as error:
                print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
                faults += 1
                continue
            reloads += run.reloads
            moved += run.moved
            if run.fault:
                faults += 1
                print(f"seed {seed}: {run.fault}", flush=True)
            if number % 500 == 0:
                print(f"{number} programs, {time.process_time() - start:.0f} s", flush=True)
    seconds = time.process_time() - start
    print(
        f"{options.count} programs from seed {options.seed}: {faults} faults; {reloads} reloads while threads waited, "
        f"{moved} calls moved, {seconds:.0f} s of processor time"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
