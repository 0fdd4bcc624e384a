"""What a command writes never replaces what somebody has written."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli

UNIT = "piece p;\nF() { sleep 10; }\n"


@pytest.mark.parametrize("name", ["a.bos", "mine.gsc", "mod.toml"])
def test_bos_writes_over_no_source(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.bos").write_text(UNIT)
    target = tmp_path / name
    target.write_text(UNIT)
    result = CliRunner().invoke(cli, ["bos", str(tmp_path / "a.bos"), "-o", str(target)])
    assert result.exit_code == 2
    assert name in result.output
    assert target.read_text() == UNIT


def test_bos_does_not_write_two_programs_to_one_file(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "u.bos").write_text(UNIT)
    files = [str(tmp_path / folder / "u.bos") for folder in ("one", "two")]
    result = CliRunner().invoke(cli, ["bos", *files, "-o", f"{tmp_path}/out/"])
    assert result.exit_code == 2
    assert "u.cob" in result.output
    assert not (tmp_path / "out").exists()


def test_asm_keeps_its_listing(tmp_path: Path) -> None:
    listing = tmp_path / "l.txt"
    listing.write_text("anything")
    result = CliRunner().invoke(cli, ["cob", "asm", str(listing), "-o", str(listing)])
    assert result.exit_code == 2
    assert listing.read_text() == "anything"


@pytest.mark.parametrize("option", ["--record", "--events"])
def test_play_writes_over_no_script(tmp_path: Path, option: str) -> None:
    script = tmp_path / "mine.gsc"
    script.write_text("main() {}")
    result = CliRunner().invoke(cli, ["play", "--headless", "--seconds", "0.1", option, str(script)])
    assert result.exit_code == 2
    assert script.read_text() == "main() {}"
