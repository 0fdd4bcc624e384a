"""Unit scripts of mods: where they are found, what is told about them, and what a save does to units."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.cob.container import write_cob
from engine.cob.machine import Machine
from engine.cob.unit import UnitProgram
from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from engine.mods.units import UnitLibrary
from engine.mods.watch import Changes
from engine.source import Diagnostic, DiagnosticError
from engine.source.paths import shown_path

GUN = """piece base, turret; static-var steps;
Walk()
{
    while (TRUE)
    {
        ++steps;
        sleep 60;
    }
}
"""


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "mine" / "units", tmp_path / "base" / "units"]
    for folder in made:
        folder.mkdir(parents=True)
    return made


def library(folders: list[Path]) -> tuple[UnitLibrary, list[Diagnostic]]:
    told: list[Diagnostic] = []
    return UnitLibrary(lambda: folders, told.append), told


def test_the_first_folder_wins_and_names_have_no_case(folders: list[Path]) -> None:
    (folders[0] / "Gun.BOS").write_text(GUN)
    (folders[1] / "gun.bos").write_text("Other() { sleep 1; }")
    (folders[1] / "tank.bos").write_text("Tank() { sleep 1; }")
    units, told = library(folders)
    gun = units.unit("GUN")
    assert gun is not None
    assert gun.cob.scripts[0].name == "Walk"
    assert units.unit("gun") is gun
    assert units.unit("nothing") is None
    assert units.unit_names() == ["gun", "tank"]
    assert told == []


def test_programs_and_headers_of_other_folders_are_read(folders: list[Path]) -> None:
    (folders[1] / "shared.h").write_text("#define PAUSE 250\n")
    (folders[0] / "gun.bos").write_text('#include "shared.h"\nF() { sleep PAUSE; }')
    units, _ = library(folders)
    gun = units.unit("gun")
    assert gun is not None
    assert 250 in gun.cob.code
    (folders[0] / "ready.cob").write_bytes(write_cob(gun.cob))
    ready = units.unit("ready")
    assert ready is not None
    assert ready.cob.code == gun.cob.code


def test_errors_and_warnings_are_told_with_their_place_once(folders: list[Path]) -> None:
    (folders[0] / "gun.bos").write_text("F()\n{\n    nothing = 1;\n}\n")
    (folders[0] / "lazy.bos").write_text("F() { var a; }")
    (folders[0] / "bad.cob").write_bytes(b"\4\0\0\0")
    units, told = library(folders)
    for _ in range(2):
        assert units.unit("gun") is None
        assert units.unit("bad") is None
        assert units.unit("lazy") is not None
        units.unit_fault("gun", "F", "DIVIDE", 0)
        units.unit_lacks("gun", "crate", "barel", ["barrel"])
    assert [(d.code, d.severity) for d in told] == [
        ("bos-unknown-name", "error"), ("bad-cob", "error"), ("bos-unused", "warning"), ("cob-fault", "runtime error"),
        ("bos-missing-piece", "warning"),
    ]  # fmt: skip
    assert (
        told[-1].message == "model 'crate' has no piece 'barel' for unit script 'gun'; did you mean barrel?"
    )
    assert told[0].span is not None
    assert told[0].span.line == 3


def reread(units: UnitLibrary) -> dict[str, UnitProgram]:
    fresh = units.read_again()
    units.take(fresh)
    return fresh.programs


def test_reading_again_takes_all_or_nothing(folders: list[Path]) -> None:
    gun, tank = folders[0] / "gun.bos", folders[0] / "tank.bos"
    gun.write_text(GUN)
    tank.write_text("F() { sleep 1; }")
    units, _ = library(folders)
    old = units.unit("gun")
    units.unit("tank")
    assert reread(units) == {}
    gun.write_text(GUN.replace("60", "90"))
    tank.write_text("F() { sleep ; }")
    with pytest.raises(DiagnosticError):
        reread(units)
    assert units.unit("gun") is old
    tank.write_text("F() { sleep 1; }")
    assert list(reread(units)) == ["gun"]
    assert units.unit("gun") is not old


SCRIPT = """
main()
{
    wait 0.05;
    level.walker = spawn("script_model", (0, 0, 0));
    level.walker setmodel("turret");
    level.walker usecob("gun");
    level.walker cobcall("Walk");
}
"""


def test_a_save_reaches_units_that_walk(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "units").mkdir(parents=True)
    (folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
    (folder / "mine.gsc").write_text(SCRIPT)
    source = folder / "units" / "gun.bos"
    source.write_text(GUN)
    session = GameSession(GameOptions(mods=(folder,), watch=False), Journal(None))

    def frames(count: int) -> int:
        for _ in range(count):
            session.frame()
        (unit,) = [e.unit for e in session.world.entities.all() if e.unit and e.unit.program.name == "gun"]
        return unit.machine.statics[0]

    def save(text: str) -> None:
        source.write_text(text)
        session.reloader.take(Changes(frozenset({source}), frozenset(), time.monotonic()))

    before = frames(20)
    assert ("units\\gun::Walk", 1) in session.inspect().threads
    assert before > 5
    save(GUN.replace("++steps", "steps = steps + 1000"))
    after = frames(4)
    assert after >= before + 1000
    save("F() { sleep ; }")
    assert frames(8) > after
    save(GUN.replace("++steps", "steps = 0 - 5"))
    assert frames(8) == -5


def test_a_fault_is_told_at_its_line_also_after_lines_have_moved(folders: list[Path]) -> None:
    source = folders[0] / "gun.bos"
    source.write_text("static-var s;\nF()\n{\n    s = 1 / s;\n}\n")
    units, told = library(folders)
    gun = units.unit("gun")
    assert gun is not None
    machine = Machine(gun.cob)

    def fault() -> Diagnostic:
        machine.start(0)
        machine.tick()
        (event,) = machine.events
        machine.events.clear()
        for _ in range(2):
            units.unit_fault("gun", event["script"], event["fault"], event["at"])
        return told.pop()

    found = fault()
    assert (str(found.span), found.message) == (
        f"{shown_path(source)}:4:11",
        "script 'F' of unit 'gun' ended with fault DIVIDE",
    )
    source.write_text("// One line more.\n" + source.read_text())
    assert reread(units) == {}
    assert str(fault().span) == f"{shown_path(source)}:5:11"
    assert told == []
    units.unit_fault("gun", "F", "PC", 99)
    assert (told[0].span, told[0].message) == (
        None,
        "script 'F' of unit 'gun' ended with fault PC at code word 99",
    )
