"""`notetrack cook`: what it writes, says and exits with."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.cook import cook
from engine.pipeline import batch, cache, importer
from tests.pipeline.gltf_writer import strip
from tests.pipeline.threedo_writer import tank, write

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    gltf = strip()
    gltf.clip("wave", (1, "translation", [0, 1], [[0, 1, 0], [0, 1, 0.1]]))
    gltf.write(tmp_path / "assets" / "models" / "man" / "man.glb", "[clips.wave]\nloop = true\n")
    strip().write(tmp_path / "assets" / "models" / "crate" / "crate.glb")
    return tmp_path / "assets"


def _run(assets: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cook, ["--assets", str(assets), "--jobs", "1", *arguments])


def test_cooks_what_is_stale_and_then_nothing(assets: Path) -> None:
    first = _run(assets)
    assert (first.exit_code, first.stdout) == (0, "")
    assert "2 cooked, 0 up to date" in first.stderr
    assert "0 cooked, 2 up to date" in _run(assets).stderr
    assert "1 cooked, 0 up to date" in _run(assets, "man", "--force").stderr


def test_ships_into_the_asset_folder(assets: Path) -> None:
    assert _run(assets, "--ship").exit_code == 0
    shipped = {path.name: path.read_bytes() for path in (assets / "cooked").iterdir()}
    assert sorted(shipped) == ["crate.ntk", "man.ntk"]
    assert "0 cooked, 2 up to date" in _run(assets, "--ship").stderr
    _run(assets, "--ship", "--force")
    assert {path.name: path.read_bytes() for path in (assets / "cooked").iterdir()} == shipped


def test_over_several_processes(assets: Path) -> None:
    result = CliRunner().invoke(cook, ["--assets", str(assets), "--jobs", "2"])
    assert result.exit_code == 0, result.output
    assert "2 cooked" in result.stderr


def test_faults_are_shown_and_counted(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text("scale = 0\nzzz = 1\n")
    result = _run(assets)
    assert result.exit_code == 1
    assert "man.toml:1:1: error: `scale` must be a number" in result.stderr
    assert "man.toml:2:1: error: unknown setting `zzz`" in result.stderr
    assert "1 cooked, 0 up to date, 1 failed" in result.stderr
    assert '"line": 1' in _run(assets, "--format", "json").stdout


def test_faults_are_told_again_by_a_run_that_need_not_cook(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text("\n[clips.wav]\nloop = true\n")
    first, second = _run(assets), _run(assets)
    assert (first.exit_code, second.exit_code) == (1, 1)
    assert "2 up to date" in second.stderr
    for text in (first.stderr, second.stderr):
        assert "man.toml:2:2: error: the source has no animation `wav`" in text
        assert "did you mean wave?" in text


def test_unknown_names_and_folders_are_wrong_usage(assets: Path) -> None:
    result = _run(assets, "mann")
    assert result.exit_code == 2
    assert "there is no asset `mann`; did you mean man?" in result.stderr
    told = json.loads(_run(assets, "mann", "--format", "json").stdout)
    assert (told["code"], told["message"]) == ("usage", "there is no asset `mann`; did you mean man?")
    assert _run(assets.parent / "nowhere").exit_code == 2
    (assets.parent / "empty").mkdir()
    assert "nothing to cook" in _run(assets.parent / "empty").stderr


def test_lists_what_is_inside(assets: Path) -> None:
    assert "not cooked yet" in _run(assets, "--list").stderr
    _run(assets)
    result = _run(assets, "--list")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["asset", "bones", "triangles", "skins", "clip", "seconds", "frames", "notes"],
        ["crate", "2", "2"],
        ["man", "2", "2", "wave", "loop", "1.03", "32"],
    ]


def test_without_the_library_it_says_so(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise importer.LibraryMissing("libassimp was not found")

    monkeypatch.setattr(importer, "library", missing)
    result = _run(assets)
    assert result.exit_code == 2
    assert "pip install cmeel-assimp" in result.stderr


def test_units_need_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise importer.LibraryMissing("libassimp was not found")

    monkeypatch.setattr(importer, "library", missing)
    monkeypatch.setenv("NOTETRACK_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "assets" / "models" / "tank" / "tank.3do"
    source.parent.mkdir(parents=True)
    source.write_bytes(write(tank()))
    result = _run(tmp_path / "assets")
    assert result.exit_code == 0, result.output
    assert "1 cooked" in result.stderr


def test_an_interrupt_keeps_what_is_done(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = batch.cook_one

    def interrupted(order: batch.Order) -> batch.Result:
        if order.source.name == "man":
            raise KeyboardInterrupt
        return whole(order)

    monkeypatch.setattr(batch, "cook_one", interrupted)
    result = _run(assets)
    assert result.exit_code == 130
    assert "stopped; 1 of 2 assets" in result.stderr
    assert [path.suffix for path in (assets.parent / "cache").rglob("*.*")] == [".ntk"]


def _no_room(path: Path, data: bytes) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", f"{path}.part")


@pytest.mark.parametrize("ship", [False, True])
def test_a_folder_that_cannot_be_written_is_told_once_by_name(
    assets: Path, monkeypatch: pytest.MonkeyPatch, ship: bool
) -> None:
    """It is no fault of a source, of which there are two."""
    (assets / "models" / "man" / "man.toml").write_text(
        "[clips.wave]\nnotes = [{ name = 'a', frame = 99 }]\n"
    )
    for module in (batch, cache):
        monkeypatch.setattr(module, "write_atomically", _no_room)
    result = _run(assets, *(["--ship"] if ship else []))
    assert result.exit_code == 1
    folder = assets / "cooked" if ship else assets.parent / "cache" / "assets"
    said = f"error: cooked assets cannot be kept in {folder} (no space left on device) [no-cache]"
    assert result.stderr.count(said) == 1
    assert "unreadable-file" not in result.stderr
    assert "[note-outside]" in result.stderr
    assert "0 cooked, 0 up to date, 2 failed" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="files have no limit there")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_limit_of_the_size_of_files_is_told_by_folder(assets: Path, jobs: str) -> None:
    """As the system says it, in processes of their own."""
    command = [sys.executable, "-m", "engine", "cook", "--assets", str(assets)]
    result = subprocess.run(
        ["sh", "-c", f'ulimit -f 1; "$@" --jobs {jobs} 2>&1 | cat', "sh", *command],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((os.getcwd(), *filter(None, sys.path)))},
        capture_output=True,
        text=True,
    )
    assert result.stdout.count("[no-cache]") == 1
    assert f"cannot be kept in {assets.parent / 'cache' / 'assets'} (file too large)" in result.stdout
    assert not [path for path in (assets.parent / "cache").rglob("*") if path.is_file()]


def test_a_cache_that_is_no_folder(assets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (assets.parent / "file").write_text("")
    monkeypatch.setenv("NOTETRACK_CACHE", str(assets.parent / "file"))
    result = _run(assets)
    assert (result.exit_code, result.stderr.count("[no-cache]")) == (1, 1)
    assert "unreadable-file" not in result.stderr


def test_a_name_with_a_dot_is_the_one_that_is_listed(assets: Path) -> None:
    strip().write(assets / "models" / "a.b" / "a.b.glb")
    assert "1 cooked" in _run(assets, "a.b").stderr
    assert "1 up to date" in _run(assets, "A.b.glb").stderr
    assert "a.b" in _run(assets, "a.b", "--list").stdout


BAD = """unit = "km"
root = "nobone"
[clips.wave]
bones = ["jnt"]
[skins.red]
hide = ["striip"]
[skins.red.materials.pain]
colour = [1, 0, 0]
[clips.wav]
"""


def test_every_fault_of_a_settings_file_is_told_at_once_by_its_line(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text(BAD)
    result = _run(assets, "man", "--format", "json")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["line"], each["code"]) for each in told] == [
        (1, "bad-setting"),
        (2, "unknown-bone"),
        (4, "unknown-bone"),
        (6, "unknown-mesh"),
        (7, "unknown-material"),
        (8, "unknown-setting"),
        (9, "unknown-source-animation"),
    ]
    assert "1 failed, 7 errors" in result.stderr


def test_names_that_another_fault_makes_unknown_are_not_told(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text('pieces = 1\nroot = "strip"\n')
    result = _run(assets, "man")
    assert "man.toml:1:1: error: `pieces` must be true or false" in result.stderr
    assert "unknown-bone" not in result.stderr


def test_faults_of_settings_and_of_a_source_that_cannot_be_read(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text('unit = "km"\n')
    (assets / "models" / "man" / "man.glb").write_bytes(b"glTF")
    result = _run(assets, "man")
    assert "man.toml:1:1: error: `unit`" in result.stderr
    assert "[bad-source]" in result.stderr


def test_errors_that_leave_something_are_counted(assets: Path) -> None:
    (assets / "models" / "man" / "man.toml").write_text("[clips.wave]\nframes = [10, 900]\n")
    result = _run(assets, "man")
    assert result.exit_code == 1
    assert "1 cooked, 0 up to date, 1 error; " in result.stderr


def _at(*arguments: str) -> Result:
    return CliRunner().invoke(cook, [*arguments, "--jobs", "1"])


def test_a_source_is_cooked_by_its_path_for_the_game_that_finds_it_by_name(
    assets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = assets / "models" / "man" / "man.glb"
    assert "1 cooked" in _at(str(path)).stderr
    assert "1 up to date" in _run(assets, "man").stderr
    monkeypatch.chdir(path.parent)
    assert "1 up to date" in _at("man.glb").stderr
    alone = assets.parent / "alone.glb"
    alone.write_bytes(path.read_bytes())
    assert "1 cooked" in _at(str(alone)).stderr
    missing = _at(str(assets / "models" / "man" / "men.glb"))
    assert (missing.exit_code, "there is no file" in missing.stderr) == (2, True)
    assert "man.toml is no source of a model or clips" in _at(str(path.with_suffix(".toml"))).stderr


def test_a_mod_is_cooked_and_its_folder_in_another_place_is_understood(assets: Path) -> None:
    mod = str(assets.parent)
    assert "2 cooked" in _at("--mod", mod).stderr
    for arguments in (("man", "--assets", mod), ("--assets", mod)):
        result = _at(*arguments)
        assert (result.exit_code, f"but {assets} is" in result.stderr) == (2, True)
    assert f"all of a mod is cooked with --mod {mod}" in _at(mod).stderr
    assert "is found with --mod FOLDER, or by its path" in _at("mann").stderr
    assert f"there is no folder `assets` in {assets}" in _at("--mod", str(assets)).stderr
