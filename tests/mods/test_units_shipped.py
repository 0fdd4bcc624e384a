"""The units of the sandbox: their sources compile without a word, and their models have all pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.machine import Machine
from engine.cob.profiles import PROFILES
from engine.cob.unit import UnitProgram, carry_over
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


def test_a_save_changes_the_walkers_gait_while_it_walks() -> None:
    """The threads of the walk go on with the new version: its steps are as long as the new text says."""
    path = ROOT / "mods" / "sandbox" / "units" / "strider.bos"

    def program(text: str) -> UnitProgram:
        unit = compile_bos(
            SourceText("strider.bos", text), folder=path.parent, profile=PROFILES["engine"], safe_end=True
        )
        return UnitProgram.of("strider", unit.cob, unit.statics)

    def swing(machine: Machine) -> int:
        """How far the left thigh swings in two seconds, to both sides together."""
        thigh = machine.program.pieces.index("lthigh")
        angles = []
        for _ in range(60):
            machine.tick()
            angles.append((machine.pieces[thigh].axes[0].angle + 32768) % 65536 - 32768)
        return max(angles) - min(angles)

    text = path.read_text()
    before, after = program(text), program(text.replace("STRIDE   <26>", "STRIDE   <12>"))
    machine = Machine(before.cob)
    start = before.cob.script_index("StartMoving")
    assert start is not None
    machine.start(start)
    swing(machine)
    assert swing(machine) == pytest.approx(52 * 65536 / 360, rel=0.01)
    walking = carry_over(machine, before, after)
    swing(walking)
    assert swing(walking) == pytest.approx(24 * 65536 / 360, rel=0.01)


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
