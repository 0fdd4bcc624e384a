"""The shipped mods: every script parses without a remark, and every setting is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.gsc.dialect import DIALECTS
from engine.gsc.parser import parse
from engine.mods.manifest import read_manifest
from engine.source import SourceText

MODS = Path(__file__).parents[2] / "mods"
SCRIPTS = sorted(MODS.rglob("*.gsc"))
SETTINGS = MODS / "sandbox/maps/mp/_settings.gsc"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(MODS).as_posix())
def test_a_script_parses_without_a_remark(path: Path) -> None:
    mod = next(folder for folder in path.parents if (folder / "mod.toml").is_file())
    dialect = DIALECTS[read_manifest(mod).dialect]
    assert parse(path.stem, SourceText.read(path), dialect).diagnostics == ()


def test_every_setting_is_read_by_some_script() -> None:
    names = set(re.findall(r"level\.(\w+)", SETTINGS.read_text()))
    others = " ".join(path.read_text() for path in SCRIPTS if path != SETTINGS)
    assert len(names) > 25
    assert {name for name in names if f"level.{name}" not in others} == set()


def test_routes_and_nodes_agree() -> None:
    from assets.tools.yard.route import NODES

    text = (MODS / "sandbox/maps/mp/soldiers/_routes.gsc").read_text()
    named = {word for call in re.findall(r"path\((\".*?\")\)", text) for word in re.findall(r'"(\w+)"', call)}
    assert len(named) > 20
    assert named - set(NODES) == set()


def test_an_example_mod_is_short() -> None:
    for path in (MODS / "examples").rglob("*.gsc"):
        assert len(path.read_text().splitlines()) < 60
