"""What a console line answers where it cannot be done: always text, soon, and the game goes on."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.mods.session import LONGEST_LINE
from engine.source import Diagnostic, DiagnosticError
from tests.mods.test_reload_history import Table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("NOTETRACK_STATE", str(tmp_path / "state"))
    table = Table(tmp_path)
    yield table
    table.session.close()


def _gone(path: Path) -> None:
    path.unlink()


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _damaged(path: Path) -> None:
    path.write_bytes(b"{\n\xff\n")


@pytest.mark.parametrize("spoil", [_gone, _folder, _damaged])
@pytest.mark.parametrize("line", ["map_restart", "map_restart persist"])
def test_a_level_that_cannot_be_read_again_is_told_and_played_on(
    table: Table, spoil: Callable[[Path], None], line: str
) -> None:
    session, level = table.session, table.folder / "levels" / "tiny.map"
    session.surfaces_changed = True
    before, geometry = table.rounds(), session.geometry
    spoil(level)
    assert "error: " in session.execute(line)
    table.run(2)
    assert table.rounds() == before + 2
    assert session.geometry is geometry
    assert session.surfaces_changed, "it is asked for again once the level is back"


@pytest.mark.parametrize(
    "error",
    [
        DiagnosticError([Diagnostic("bad-save", "it went wrong")]),
        OSError(errno.EIO, "it went wrong", "somewhere"),
        OSError("it went wrong"),
        PermissionError(errno.EACCES, "it went wrong"),
    ],
)
def test_whatever_a_command_raises_for_files_is_text(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(table.session.commands_table, "execute", fails)
    said = table.session.execute("anything")
    assert said.startswith("error: ")
    assert "it went wrong" in said


def test_a_line_that_is_too_long_is_refused_before_it_is_split_or_kept(table: Table) -> None:
    session = table.session
    recording = table.folder.parent / "played.jsonl"
    session.execute(f"record {recording}")
    longest = "set kept " + "x" * (LONGEST_LINE - len("set kept "))
    assert session.execute(longest).startswith("kept is ")
    for count in (LONGEST_LINE + 1, 4_000_000):
        began = time.monotonic()
        said = session.execute("set lost " + "y" * (count - len("set lost ")))
        assert said == f"a console line has at most {LONGEST_LINE} characters, and this one {count}"
        assert time.monotonic() - began < 5
    assert "lost" not in session.variables()
    table.run(2)
    session.execute("record stop")
    assert "xxxx" in recording.read_text()
    assert "yyyy" not in recording.read_text()


def _halves(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.suffix != ".ntsave")


def test_a_game_that_cannot_be_saved_leaves_no_half_and_the_old_one(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on a full disk."""
    saves = tmp_path / "state" / "saves"
    assert "error" not in table.session.execute("save here")
    before = (saves / "here.ntsave").read_bytes()
    table.run(3)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        patch.setattr(Path, "replace", full)
        assert "(No space left on device)" in table.session.execute("save here")
    assert (saves / "here.ntsave").read_bytes() == before
    assert _halves(saves) == []


def test_the_half_that_another_game_is_writing_is_left_alone(table: Table, tmp_path: Path) -> None:
    half = tmp_path / "state" / "saves" / "here.part"
    half.parent.mkdir(parents=True)
    half.write_text("half of another")
    assert "error" not in table.session.execute("save here")
    assert half.read_text() == "half of another"
    assert _halves(half.parent) == [half.name]


STRANGE = (
    *("", "a\0b", "\ud800", "\u0665", "1_0", "1 2", "\n", "'", "\\", ".", "a/b", "/dev/null/x"),
    *("nan", "inf", "1e999", "-1", "9" * 5_000, "-" + "9" * 5_000, "x" * 4_000),
)


def test_every_command_answers_whatever_is_behind_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`record` writes where it is told to, so this happens in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    session = table.session
    for name in (*session.commands(), "set a", "mods remove", "mods add", "reload undo", "nosuch"):
        for strange in STRANGE:
            assert isinstance(session.execute(f"{name} {strange}"), str)
        session.debugger.go()
        session.frame()
    session.execute("record stop")
