"""Which small faults of the VM no test notices: `python -m tests.mutation.run MODULE ... [--every N]`.

Each mutant of a module (`tests.mutation.mutants`) meets the tests in a process of its own, until the first that fails.
Those that pass them all are printed: either the fault changes nothing, or a test is missing.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, ModuleType

import pytest

from tests.mutation.mutants import mutants

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "engine.vm.operators",
    "engine.vm.strict",
    "engine.vm.scheduler",
    "engine.vm.events",
    "engine.vm.scopes",
)
JUDGES = (
    "tests/vm/test_operator_helpers.py",
    "tests/iw4/test_iw4_operator_helpers.py",
    "tests/vm/test_operators.py",
    "tests/scripts",
    "tests/vm/test_threads.py",
    "tests/vm/test_language.py",
    "tests/vm/test_vm_snapshot.py",
    "tests/vm/test_vm_limits.py",
    "tests/vm/test_against_reference.py",
    "tests/iw4/test_iw4_mixed.py",
    "tests/iw4/test_iw4_scripts.py",
    "tests/iw4/test_iw4_host.py",
    "tests/reference/test_reference_programs.py::test_random_programs[0]",
    "tests/reference/test_reference_programs.py::test_random_programs_of_modern_warfare[0]",
    "tests/vm/test_embedding.py",
)
"""The tests in the order in which a mutant meets them: quick and searching ones first."""
QUIET = ("-q", "-p", "no:cacheprovider", "-p", "no:faulthandler")
"""Options of pytest, for runs that leave nothing behind."""


class Swap(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from a changed tree."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        path = str(source_of(name)) if name == self.name else None
        return importlib.util.spec_from_file_location(name, path, loader=self) if path else None

    def get_code(self, _: str) -> CodeType:
        return self.code

    def get_source(self, _: str) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def source_of(name: str) -> Path:
    return ROOT / (name.replace(".", "/") + ".py")


def apart(folder: str) -> dict[str, str]:
    """What the environment must say so that what faulty code has compiled is not found by the next one."""
    return {"NOTETRACK_CACHE": f"{folder}/cache", "NOTETRACK_STATE": f"{folder}/state"}


def judge(name: str, tree: ast.Module, seconds: float, judges: Sequence[str] = JUDGES) -> str:
    """`killed`, `slow` (no answer within so many seconds, which somebody would notice) or `survived`."""
    with TemporaryDirectory() as folder:
        child = os.fork()
        if not child:
            signal.alarm(int(seconds) + 1)
            os.environ.update(apart(folder))
            os._exit(run_tests(Swap(name, compile(tree, str(source_of(name)), "exec")), judges))
        _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "slow" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
    return "killed" if os.WEXITSTATUS(status) else "survived"


def run_tests(swap: Swap, judges: Sequence[str]) -> int:
    """pytest's exit code, without a word."""
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    sys.meta_path.insert(0, swap)
    try:
        return int(pytest.main(["-x", *QUIET, *judges]))
    except BaseException:
        return 1


def examine(name: str, every: int, seconds: float) -> tuple[int, int]:
    """How many mutants of a module there were, and how many passed all tests; prints those at once."""
    tree = ast.parse(source_of(name).read_text("utf-8"))
    met = left = 0
    for mutant in islice(mutants(tree), 0, None, every):
        met += 1
        if judge(name, tree, seconds) == "survived":
            left += 1
            print(f"{name} {mutant}", flush=True)
    return met, left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES, help="names of modules (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, help="take each Nth mutant only")
    parser.add_argument(
        "--seconds", type=float, default=0, help="longest time for one (default: ten times a sound run)"
    )
    options = parser.parse_args()
    for name in options.modules:
        start = time.perf_counter()
        if judge(name, ast.parse(source_of(name).read_text("utf-8")), 600) != "survived":
            print(f"{name}: the tests fail without any fault; nothing to learn", file=sys.stderr)
            return 1
        between = time.perf_counter()
        met, left = examine(name, options.every, options.seconds or 10 * (between - start))
        print(f"{name}: {met} mutants, {left} survived, {time.perf_counter() - between:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
