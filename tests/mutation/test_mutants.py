"""What the mutation tests change, and that they tell a fault which a test notices from one that none does."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.mutation.mutants import mutants
from tests.mutation.run import ROOT, source_of

SAMPLE = '''
def clamp(value: int, most: int = 3) -> int:
    """Not more than `most`."""
    if value > most and not most < 0:
        raise ValueError(f"{value} is too much")
    return value - 1
'''


def test_each_place_gets_each_of_its_faults_in_turn() -> None:
    tree = ast.parse(SAMPLE)
    assert [str(mutant) for mutant in mutants(tree)] == [
        "line 2: 3  ->  4",
        "line 4: if value > most and (not most < 0): raise ValueError(f'{value} is too much')  ->  "
        "if not (value > most and (not most < 0)): raise ValueError(f'{value} is too much')",
        "line 4: value > most and (not most < 0)  ->  value > most or not most < 0",
        "line 4: value > most  ->  value >= most",
        "line 4: not most < 0  ->  most < 0",
        "line 4: most < 0  ->  most <= 0",
        "line 4: 0  ->  1",
        "line 5: raise ValueError(f'{value} is too much')  ->  pass",
        "line 6: return value - 1  ->  return None",
        "line 6: value - 1  ->  value + 1",
        "line 6: 1  ->  2",
    ]


def test_a_module_is_left_as_it_was() -> None:
    tree = ast.parse(source_of("engine.vm.scheduler").read_text("utf-8"))
    sound = ast.dump(tree)
    for mutant in mutants(tree):
        assert ast.dump(tree) != sound, mutant
        compile(tree, "scheduler", "exec")
    assert ast.dump(tree) == sound


def test_a_fault_that_a_test_notices_is_killed_and_another_survives(tmp_path: Path) -> None:
    judge = tmp_path / "test_arrays.py"
    judge.write_text(
        "def test_lookup():\n    from engine.vm.arrays import Array\n    assert Array()[1] is None\n"
    )
    program = f"""
import ast
from tests.mutation.run import judge, source_of
name = "engine.vm.arrays"
sound = ast.parse(source_of(name).read_text("utf-8"))
broken = ast.parse("class Array(list): pass")
print(*(judge(name, tree, 60, [{str(judge)!r}]) for tree in (sound, broken)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["survived", "killed"]
