"""Random programs that are edited while they run. An edit that changes no meaning changes no trace, whenever it comes;
any other leaves the engine whole. `NOTETRACK_RELOAD_PROGRAMS` asks for more."""

from __future__ import annotations

import os
from random import Random

import pytest

from engine.gsc.program import Program
from engine.source import Diagnostic, DiagnosticError
from engine.vm.fates import PolicyOf
from engine.vm.machine import VM
from tests.reference.compare import FRAMES, deep_recursion, load, new_vm
from tests.reference.generate import program
from tests.reload.meaning import anything, edited

PROGRAMS = int(os.environ.get("NOTETRACK_RELOAD_PROGRAMS", "48"))
BATCH = 12


def trace(texts: dict[str, str], policy: str, frames: set[int], seed: int) -> tuple[str, int, list[str]]:
    """What a program prints, how many errors it raises, and which of its threads did not move. At the beginning of
    each of `frames` it is edited."""
    out: list[str] = []
    errors: list[Diagnostic] = []
    lost: list[str] = []
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
            assert sum(report.counts().values()) == threads
            lost += [f"{r.function} {r.fate}: {r.reason}" for r in report.rows if r.fate != "moved"]
        vm.time += 50
        vm.advance(50)
        vm.drain()
    return "".join(out), vm.reporter.total, lost


@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_the_trace_stays(first: int) -> None:
    with deep_recursion():
        for seed in range(first, min(first + BATCH, PROGRAMS)):
            random = Random(seed)
            policy = random.choice(("stop", "continue"))
            frames = {random.randrange(0, 12) for _ in range(3)}
            texts = program(seed)
            plain = trace(texts, policy, set(), seed)
            again = trace(texts, policy, frames, seed)
            assert again[2] == [], seed
            assert again[:2] == plain[:2], seed


POLICIES: tuple[PolicyOf, ...] = (lambda key: "restart", lambda key: "keep", lambda key: "end")


def compiled(texts: dict[str, str], vm: VM) -> Program | None:
    try:
        return load(texts, vm)
    except DiagnosticError:
        return None


@pytest.mark.parametrize("first", range(0, PROGRAMS // 3, BATCH // 3))
def test_no_edit_confuses_the_engine(first: int) -> None:
    with deep_recursion():
        for seed in range(first, first + BATCH // 3):
            random = Random(seed)
            errors: list[Diagnostic] = []
            vm = new_vm(random.choice(("stop", "continue")), True, errors, [])
            texts = program(seed)
            vm.link(load(texts, vm))
            vm.start("main::main")
            vm.drain()
            for frame in range(40):
                fresh = anything(texts, random)
                new = compiled(fresh, vm) if frame % 3 == 1 else None
                if new is not None:
                    texts = fresh
                    threads = vm.stats().threads
                    report = vm.link(new, policy=random.choice(POLICIES))
                    assert sum(report.counts().values()) == threads
                vm.time += 50
                vm.advance(50)
                vm.drain()
            assert [e.message for e in errors if e.code == "internal"] == [], seed
