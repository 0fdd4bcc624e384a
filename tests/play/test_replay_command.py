"""`notetrack replay`, which knows the recorded mods by their names only."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner

from engine import paths
from engine.cli.main import cli


def test_a_mod_of_the_same_name_elsewhere_is_told_of(tmp_path: Path) -> None:
    mod = tmp_path / "juggler"
    shutil.copytree(paths.mods() / "examples" / "juggler", mod)
    (mod / "cvars.toml").write_text("g_foo = 1\n")
    recording = tmp_path / "game.rec"
    played = CliRunner().invoke(
        cli, ["play", "--mod", str(mod), "--headless", "--seconds", "0.1", "--record", str(recording)]
    )
    assert played.exit_code == 0, played.output
    other = CliRunner().invoke(cli, ["replay", str(recording)])
    assert other.exit_code == 1
    assert "frame 1, at 0 s, is the first that differs" in other.output
    assert f"{Path('mods/examples/juggler')}, " in other.output
    assert "give --mod" in other.output
    same = CliRunner().invoke(cli, ["replay", str(recording), "--mod", str(mod)])
    assert (same.exit_code, same.output) == (0, "3 frames, all as recorded\n")
