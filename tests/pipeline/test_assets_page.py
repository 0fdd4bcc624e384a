"""docs/assets.md: what it shows is read and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.pipeline import importer
from engine.pipeline.cook import cook
from engine.pipeline.settings import parse_settings
from engine.pipeline.sounds import read_aliases
from engine.source import SourceText
from engine.source.toml import TomlFile

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "assets.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_sidecar_is_read_as_it_stands() -> None:
    settings = parse_settings(TomlFile(SourceText("soldier.toml", _blocks("toml")[0])))
    assert settings.clips["soldier_walk"].root_motion == "full"
    assert settings.skins["grey"].hide == ("helmet",)


def test_the_sound_aliases_are_read_as_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "sounds.toml"
    path.write_text(_blocks("toml")[1])
    aliases, faults = read_aliases(path, {"creak_1": Path("a"), "creak_2": Path("b")})
    assert faults == []
    assert aliases["creak"].far == 1200


@pytest.mark.skipif(not importer.available(), reason="no libassimp here")
def test_the_script_makes_the_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(_blocks("python")[0], "docs/assets.md", "exec"), {})
    cooked = cook(tmp_path / "my_mod" / "assets" / "models" / "sign" / "sign.glb")
    assert cooked.diagnostics == ()
    assert cooked.meta["model"]["bones"] == ["root", "sign", "tag_lamp"]
    assert [clip["name"] for clip in cooked.meta["clips"]] == ["sign_swing"]


def test_every_code_of_the_pipeline_is_explained() -> None:
    text = "".join(path.read_text() for path in (ROOT / "engine" / "pipeline").glob("*.py"))
    calls = r"(?:\.(?:warn|error|fatal)|Diagnostic|_tell_missing|fault)"
    first = r"\(\s*(?:None,\s*|\"\w+\",\s*)?\"([a-z]+-[a-z-]+)\""
    codes = set(re.findall(calls + first, text)) - {"unreadable-file"}
    assert len(codes) > 20
    assert sorted(code for code in codes if f"`{code}`" not in PAGE) == []
