"""Damaged files and damaged code: nothing but coded refusals and faults, and no slot in two minds.

    python -m tests.cob.fuzz [--files N] [--code N] [--seed S] [--first N]

reads as many damaged files, and runs as many damaged programs, as wanted, and prints what became of them and how long
the longest tick took. Case N of a seed is always the same, so a failure is repeated with `--first N`. The tests of
`test_fuzz.py` run a few of each.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, read_cob, write_cob
from engine.cob.disassembler import disassemble
from engine.cob.image import load_image, save_image
from engine.cob.isa import OPS
from engine.cob.machine import Machine
from engine.cob.threads import SLOTS, WINDOW, Options, State
from engine.cob.verifier import verify
from engine.source import DiagnosticError, SourceText
from tests.cob.programs import Writer

CODES = frozenset(
    ["PC", "OPCODE", "FOREIGN", "WINDOW", "PIECE", "AXIS", "LOCAL", "STATIC", "POP-N", "DIVIDE", "SOUND", "BUDGET"]
)  # fmt: skip
"""Every fault that a thread may end with."""

WORDS = tuple(op.word for op in OPS)
SAMPLES = 8
TICKS = 5
WHOLE = 10
"""One case in so many has the game's own budgets, and its ticks are timed; the others end their loops sooner."""
SMALL = Options(budget=600, tick=1200, share=100)
SUSPECT = 10.0
"""Milliseconds of a tick above which its processor time is looked at. Asking for that always would cost more than
most ticks do."""


@cache
def sample(seed: int, target: str = "ta") -> CobFile:
    return compile_bos(SourceText("s.bos", Writer(seed).program()), target=target).cob


@cache
def sample_bytes(number: int) -> bytes:
    return write_cob(sample(number // 2, ("ta", "tak")[number % 2]))


# ---- damage -------------------------------------------------------------------------------------------


def damaged(pick: random.Random, data: bytes) -> bytes:
    """Flipped bytes, words replaced by large and small numbers, parts cut out and repeated."""
    out = bytearray(data)
    for _ in range(pick.randint(1, 5)):
        at = pick.randrange(len(out))
        kind = pick.randrange(5)
        if kind == 0:
            out[at] ^= 1 << pick.randrange(8)
        elif kind == 1:
            word = pick.choice((0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, len(out), len(out) - 4))
            at &= ~3
            out[at : at + 4] = word.to_bytes(4, "little")
        elif kind == 2:
            at = 4 * pick.randrange(min(13, len(out) // 4))
            out[at : at + 4] = pick.randrange(2 * len(out)).to_bytes(4, "little")
        elif kind == 3 and len(out) > 60:
            del out[at : at + pick.randrange(1, 9)]
        else:
            out[at:at] = out[at : at + 8]
    return bytes(out)


def damaged_code(pick: random.Random, whole: CobFile) -> CobFile:
    """Instructions, jumps and operands replaced; the version may be another."""
    code = list(whole.code)
    for _ in range(pick.randint(1, 4)):
        at = pick.randrange(len(code))
        code[at] = pick.choice(
            (
                code[pick.randrange(len(code))],
                pick.getrandbits(32),
                code[at] ^ 0x1000,
                pick.choice(WORDS),
                pick.randrange(len(code)),
            )
        )
    return CobFile(pick.choice((4, 4, 6)), code, whole.scripts, whole.pieces, whole.statics, ["boom"])


# ---- what must hold -----------------------------------------------------------------------------------


def try_file(data: bytes) -> CobFile | None:
    """The program, which is written back to the same bytes; None when it was refused as it should be."""
    try:
        cob = read_cob(data)
    except DiagnosticError as refused:
        codes = [d.code for d in refused.diagnostics]
        if codes != ["bad-cob"]:
            raise AssertionError(codes) from refused
        return None
    assert write_cob(cob) == data
    return cob


def whole(machine: Machine) -> None:
    """Every slot is in one mind, and the machine can be saved and restored as it is."""
    assert len(machine.slots) == SLOTS
    for slot in machine.slots:
        assert isinstance(slot.state, State)
        assert len(slot.window) == WINDOW
        assert -1 <= slot.top < WINDOW
        assert min(slot.window) >= -(2**31)
        assert max(slot.window) < 2**31
        if slot.state is State.WAIT_CALL and slot.wait_slot >= 0:
            assert slot.wait_slot < SLOTS
    for cell in machine.statics:
        assert -(2**31) <= cell < 2**31


@dataclass(slots=True)
class Found:
    """What became of the cases; `longest` is the time of the longest tick in ms, and its case."""

    fates: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    longest_case: int = -1

    def add(self, other: Found) -> None:
        self.fates += other.fates
        if other.longest > self.longest:
            self.longest, self.longest_case = other.longest, other.longest_case


def try_code(
    cob: CobFile,
    ticks: int = TICKS,
    options: Options | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[Counter[str], float]:
    """Start scripts while slots are free, run some ticks, and look at all slots after each; the faults, and the
    longest tick in seconds."""
    machine = Machine(cob, options=options)
    fates: Counter[str] = Counter()
    longest = 0.0
    for tick in range(ticks):
        for script in range(len(cob.scripts)):
            machine.start(script, [tick, 5])
        began = clock()
        machine.tick()
        longest = max(longest, clock() - began)
        for event in machine.events:
            code = event.get("fault")
            if code is not None:
                assert code in CODES, code
                fates[code] += 1
        machine.events.clear()
        machine.flights.clear()
        whole(machine)
    image = save_image(machine)
    load_image(machine, image)
    assert save_image(machine) == image
    return fates, longest


def run_files(count: int, seed: int, first: int = 0) -> Found:
    """Read damaged files. One in twenty of those that are taken is also listed, verified and run."""
    found = Found()
    for case in range(first, first + count):
        pick = random.Random(f"file {seed} {case}")
        data = damaged(pick, sample_bytes(pick.randrange(2 * SAMPLES)))
        try:
            cob = try_file(data)
            found.fates["refused" if cob is None else "read"] += 1
            if cob is not None and case % 20 == 0:
                disassemble(cob)
                verify(cob)
                try_code(cob, 2)
        except Exception as error:
            raise AssertionError(f"file {case} of seed {seed}: {type(error).__name__}: {error}") from error
    return found


def run_code(count: int, seed: int, first: int = 0) -> Found:
    """Run damaged programs."""
    found = Found()
    for case in range(first, first + count):
        pick = random.Random(f"code {seed} {case}")
        cob = damaged_code(pick, sample(pick.randrange(SAMPLES)))
        try:
            timed = case % WHOLE == 0
            fates, longest = try_code(cob, options=None if timed else SMALL)
            if not timed:
                longest = 0.0
            if longest * 1000 > SUSPECT:
                # Others may have had the processor meanwhile; the same case again, and only its own time.
                longest = try_code(cob, clock=time.thread_time)[1]
        except Exception as error:
            raise AssertionError(f"code {case} of seed {seed}: {type(error).__name__}: {error}") from error
        found.add(Found(Counter({"clean" if not fates else "faulted": 1}) + fates, longest * 1000, case))
    return found


def main() -> int:
    arguments = argparse.ArgumentParser(description="Damaged files and programs; prints what became of them.")
    arguments.add_argument("--files", type=int, default=0, metavar="N")
    arguments.add_argument("--code", type=int, default=0, metavar="N")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0, metavar="N", help="The first case.")
    chosen = arguments.parse_args()
    for kind, run, step in (("files", run_files, 20_000), ("code", run_code, 1_000)):
        count, total, began = getattr(chosen, kind), Found(), time.process_time()
        for start in range(0, count, step):
            total.add(run(min(step, count - start), chosen.seed, chosen.first + start))
            told = ", ".join(f"{number} {fate}" for fate, number in sorted(total.fates.items()))
            slowest = (
                f"; longest tick {total.longest:.1f} ms (case {total.longest_case})" if total.longest else ""
            )
            done = start + min(step, count - start)
            print(f"{done} {kind}: {told}{slowest}; {time.process_time() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
