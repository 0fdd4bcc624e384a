"""docs/levels.md says what the engine does: classes, tool textures, weapon keys with defaults, codes."""

from __future__ import annotations

import re
from pathlib import Path

from engine.world.classes import CLASSES
from engine.world.paths import LINK_RANGE
from engine.world.surfaces import SurfaceTable
from engine.world.weapons import documented_keys

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "levels.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def test_every_class_is_described_once() -> None:
    named = [name for row in rows("Entities") for name in words(row[0])]
    assert sorted(named) == sorted(CLASSES)


def test_tool_textures_are_what_is_said() -> None:
    table = SurfaceTable()
    for row in rows("Brushes"):
        for name in words(row[0]):
            assert not table[name].drawn, name
            assert table["common/" + name] == table[name]


def test_weapon_keys_have_the_defaults_that_are_said() -> None:
    said: dict[str, str] = {}
    for row in rows("Weapons"):
        names, values = words(row[0]), words(row[1])
        said.update(zip(names, values * len(names) if len(values) == 1 else values, strict=False))
    real = {}
    for name, value in documented_keys():
        if isinstance(value, bool):
            real[name] = "true" if value else "false"
        elif isinstance(value, str):
            real[name] = f'"{value}"'
        else:
            real[name] = "{}" if value == {} else f"{value:g}"
    assert said == real


def test_every_code_of_the_room_is_listed() -> None:
    code = re.compile(r'"((?:map|weapon|surface)-[a-z]+|empty-map|no-worldspawn)"')
    used = {
        found for path in (ROOT / "engine" / "world").glob("*.py") for found in code.findall(path.read_text())
    }
    listed = {name for row in rows("When something is wrong") for name in words(row[0])}
    assert used <= listed
    assert f"{LINK_RANGE:g} units" in PAGE
