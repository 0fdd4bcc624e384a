"""The units of the sandbox: their sources compile without a word, and their models have all pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.machine import Machine
from engine.cob.profiles import PROFILES
from engine.cob.verifier import verify
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, SourceText

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "mods" / "sandbox" / "units").glob("*.bos"))


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_compiles_fits_its_model_and_runs(path: Path) -> None:
    library = AssetLibrary([ROOT / "assets"], None, lambda problem: pytest.fail(problem.message))
    warnings: list[Diagnostic] = []
    unit = compile_bos(
        SourceText.read(path),
        folder=path.parent,
        profile=PROFILES["engine"],
        safe_end=True,
        model_pieces=library.model(path.stem).skeleton.names,
        warnings=warnings,
    )
    assert warnings == []
    assert verify(unit.cob) == []
    machine = Machine(unit.cob)
    for index, script in enumerate(unit.cob.scripts):
        if script.name != "Killed":
            assert machine.start(index, [4000, 1000][: 2 if script.name.startswith("Aim") else 0])
        for _ in range(40):
            machine.tick()
        machine.signal(-1)
    assert not any("fault" in event for event in machine.events)


def test_the_walk_cycle_brings_every_joint_back() -> None:
    """One round of the walk ends as it began, so that the gait neither drifts nor limps."""
    path = ROOT / "mods" / "sandbox" / "units" / "strider.bos"
    program = compile_bos(
        SourceText.read(path), folder=path.parent, profile=PROFILES["engine"], safe_end=True
    ).cob
    walk = program.script_index("Walk")
    assert walk is not None
    machine = Machine(program)
    machine.start(walk)
    poses = []
    for _ in range(260):
        machine.tick()
        poses.append(tuple(piece.placement() for piece in machine.pieces))
    period = next(n for n in range(1, 60) if poses[100:140] == poses[100 + n : 140 + n])
    assert 15 <= period <= 45
    assert len(set(poses[100 : 100 + period])) > 10
