"""Every way to write below a variable with that variable in the key or in the value, through engine and reference.

    python -m tests.reference.assignments [--every N]

Random programs seldom do this, and it is where what a statement reads and what it writes are the same thing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import islice

from engine.gsc.dialect import IW4, UO, Dialect
from tests.reference.compare import OPTIMISATIONS, Difference, compare

BEFORE = (
    "", "a = [];", "a = 1;", 'a = "s";', "a = spawnstruct();", 'a["k"] = 5;', 'a[0]["k"] = 5;', "a = undefined;",
    "a = level.nothing;", "a = level.list;",
)  # fmt: skip
TARGETS = (
    "a[K]", 'a[K]["m"]', "a[K][a]", "a.f[K]", "a[K].f", "a.f", "level.z[K]", "b[K]", 'a[K]["m"]["n"]',
)  # fmt: skip
KEYS = ("a", '"k"', "0", 'a["k"]', "a.size", "nothing", "b")
VALUES = ("a", 'a["k"]', "nothing", "b", "a.size", "1", "(isdefined(a))", "[]", "same(a)")
DEEDS = ("T = V;", "T += V;", "T++;", "T = undefined;")
TOGETHER = 60
"""Statements in one program, each in a function of its own."""

_PROGRAM = """main()
{
    level.list["k"] = 3; level.list["w"][1] = 4;
    CALLS
}
same(x) { return x; }
tell(x)
{
    if (!isdefined(x)) { trace("undefined"); return; }
    trace(x);
    trace(x.size);
    trace(x["k"]);
    if (isdefined(x[0])) trace("has 0");
    if (isdefined(x["m"])) trace("has m");
    if (isdefined(x.f)) trace("has f");
}
"""

Statement = tuple[str, str]
"""What stands before, and the assignment."""


def statements() -> Iterator[Statement]:
    for before in BEFORE:
        for target in TARGETS:
            for key in KEYS if "K" in target else ("",):
                for deed in DEEDS:
                    for value in VALUES if "V" in deed else ("",):
                        place = target.replace("K", key)
                        yield before, deed.replace("T", place).replace("V", value)


def program(some: list[Statement]) -> dict[str, str]:
    calls = " ".join(f"thread t{number}();" for number in range(len(some)))
    functions = [
        f't{number}()\n{{\n    b["k"] = 2; {before}\n    {statement}\n'
        '    tell(a); tell(b); tell(a["k"]); tell(a[0]); tell(level.z);\n}\n'
        for number, (before, statement) in enumerate(some)
    ]
    return {"main": _PROGRAM.replace("CALLS", calls) + "".join(functions)}


def differences(
    some: list[Statement], dialect: Dialect = UO
) -> Iterator[tuple[str, str, Statement, Difference]]:
    """Policy, what the compiler was left without, the statement, and what the two disagree on."""
    for policy in ("stop", "continue"):
        for without in OPTIMISATIONS:
            if compare(program(some), policy, without=without, dialect=dialect) is None:
                continue
            for one in some:
                found = compare(program([one]), policy, without=without, dialect=dialect)
                if found is not None:
                    yield policy, without, one, found


def chunks() -> list[list[Statement]]:
    walk = statements()
    return list(iter(lambda: list(islice(walk, TOGETHER)), []))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each Nth part only")
    options = parser.parse_args()
    start, count, bad = time.perf_counter(), 0, 0
    for some in chunks()[:: options.every]:
        count += len(some)
        for dialect in (UO, IW4):
            for found in differences(some, dialect):
                bad += 1
                print(dialect.name, *found, flush=True)
    print(f"{count} assignments in two dialects: {bad} differ, {time.perf_counter() - start:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
