"""One random program, edited while it runs: what is wrong with the outcome, if anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from engine.gsc.program import Program
from engine.source import Diagnostic, DiagnosticError
from engine.vm.fates import PolicyOf
from engine.vm.machine import VM
from tests.reference.compare import FRAMES, load, new_vm
from tests.reference.generate import LADDERS, program
from tests.reload.meaning import anything, edited, promises

POLICIES: tuple[PolicyOf, ...] = (lambda key: "restart", lambda key: "keep", lambda key: "end")


@dataclass
class Outcome:
    """Of one program. `reloads` are those in which some thread waited, `moved` the calls that went over; `fault` is
    empty where all was well."""

    reloads: int = 0
    moved: int = 0
    fault: str = ""


@dataclass
class Trace:
    """What a program prints, the errors that it raises, and which calls did not go over in its reloads."""

    output: str = ""
    errors: int = 0
    lost: list[str] = field(default_factory=list)
    reloads: int = 0
    moved: int = 0


def trace(texts: dict[str, str], policy: str, frames: set[int], seed: int) -> Trace:
    """Run a program. At the beginning of each of `frames` it is edited without changing what it means."""
    out: list[str] = []
    errors: list[Diagnostic] = []
    found = Trace()
    random = Random(seed)
    vm = new_vm(policy, True, errors, out)
    vm.link(load(texts, vm))
    vm.start("main::main")
    vm.drain()
    for frame in range(FRAMES):
        if vm.idle:
            break
        if frame in frames:
            assert vm.program is not None
            threads = vm.stats().threads
            report = vm.link(load(edited(vm.program, random), vm))
            counts = report.counts()
            if sum(counts.values()) != threads:
                found.lost.append(f"{threads} threads, but the fates are {counts}")
            found.lost += [f"{r.function} {r.fate}: {r.reason}" for r in report.rows if r.fate != "moved"]
            found.reloads += threads > 0
            found.moved += sum(r.fate == "moved" for r in report.rows)
        vm.time += 50
        vm.advance(50)
        vm.drain()
    found.output, found.errors = "".join(out), vm.reporter.total
    return found


def fault_of_empty_edits(seed: int) -> Outcome:
    """Edits in up to three random frames; the trace has to be that without them, and every call has to go over."""
    random = Random(seed)
    policy = random.choice(("stop", "continue"))
    frames = {random.randrange(0, 12) for _ in range(3)}
    texts = program(seed)
    plain = trace(texts, policy, set(), seed)
    again = trace(texts, policy, frames, seed)
    outcome = Outcome(again.reloads, again.moved)
    if again.lost:
        outcome.fault = "; ".join(again.lost)
    elif (again.output, again.errors) != (plain.output, plain.errors):
        outcome.fault = f"{again.output!r} and {again.errors} errors, not {plain.output!r} and {plain.errors}"
    return outcome


def fault_of_any_edits(seed: int) -> Outcome:
    """Edits of any kind every third frame: the fates have to add up, and no error may be the engine's own."""
    random = Random(seed)
    errors: list[Diagnostic] = []
    outcome = Outcome()
    vm = new_vm(random.choice(("stop", "continue")), True, errors, [])
    texts = program(seed)
    vm.link(load(texts, vm))
    vm.start("main::main")
    vm.drain()
    for frame in range(40):
        fresh = anything(texts, random)
        new = _compiled(fresh, vm) if frame % 3 == 1 else None
        if new is not None:
            texts = fresh
            threads = vm.stats().threads
            report = vm.link(new, policy=random.choice(POLICIES))
            outcome.reloads += threads > 0
            outcome.moved += len(report.moved)
            if sum(report.counts().values()) != threads:
                outcome.fault = f"{threads} threads, but the fates are {report.counts()}"
        vm.time += 50
        vm.advance(50)
        vm.drain()
    internal = [error.message for error in errors if error.code == "internal"]
    if internal:
        outcome.fault = internal[0]
    return outcome


OPTIMISATIONS = ("bounds", "tails", "short tails", "versions", "direct", "vectors")
"""Without them a reload goes the same way. Without the inference of types threads go over that else stay on their old
code."""


def fault_of_optimised_edits(seed: int) -> Outcome:
    """Edits that change what the code may believe, every other frame: with all optimisations and without one of them
    the trace is the same."""
    random = Random(seed)
    policy = random.choice(("stop", "continue"))
    outcome, with_all = changing(seed, policy, "")
    without = random.choice(OPTIMISATIONS)
    _, plain = changing(seed, policy, without)
    if with_all != plain:
        place = next(n for n, (a, b) in enumerate(zip([*with_all, ""], [*plain, ""], strict=False)) if a != b)
        outcome.fault = f"{with_all[place : place + 1]}, without {without} {plain[place : place + 1]}"
    return outcome


def changing(seed: int, policy: str, without: str) -> tuple[Outcome, list[str]]:
    """Run a program that is edited in this way; what it prints and what is reported, line by line."""
    random = Random(seed + 1)
    out: list[str] = []
    errors: list[Diagnostic] = []
    outcome = Outcome()
    vm = new_vm(policy, True, errors, out, without)
    texts = program(LADDERS + seed)
    vm.link(load(texts, vm))
    vm.start("main::main")
    vm.drain()
    for frame in range(40):
        if vm.idle:
            break
        if frame % 2:
            fresh = promises(texts, random) if random.random() < 0.8 else anything(texts, random)
            new = _compiled(fresh, vm)
            if new is not None:
                texts = fresh
                outcome.reloads += 1
                outcome.moved += len(vm.link(new, policy=POLICIES[1]).moved)
        vm.time += 50
        vm.advance(50)
        vm.drain()
    return outcome, [*"".join(out).split("\n"), *(error.message for error in errors)]


def _compiled(texts: dict[str, str], vm: VM) -> Program | None:
    try:
        return load(texts, vm)
    except DiagnosticError:
        return None
