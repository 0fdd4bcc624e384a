"""Mods of two dialects in one game: each script by its own rules, structs of the level, and the shipped mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession

IW4_MOD = r"""
#include lib\tools;
main()
{
    level.quotient = half(7);
    level.structs = level.struct.size;
    level.cell = tablelookup("mp/t.csv", 0, "KEY", 1);
    level thread waits("old");
    level thread waits("new");
    level waittill("from_uo", array);
    level.heard = array[1] + " " + level.uo_quotient;
    x = 1 + undefined;
    level.after_error = 1;
}
waits(name) { level waittill("go"); level.order = isdefined(level.order) ? level.order + name : name; }
"""
UO_MOD = r"""
main()
{
    level.uo_quotient = 7 / 2;
    wait 0.1;
    level notify("go");
    a[1] = "array";
    level notify("from_uo", a);
    level thread fails();
}
fails() { x = 1 + undefined; level.never = 1; }
"""


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def lines() -> list[LogLine]:
    return []


@pytest.fixture
def game(tmp_path: Path, lines: list[LogLine]) -> GameSession:
    iw4 = write(
        tmp_path / "modern",
        mod_dot_toml='dialect = "iw4"\nautostart = "modern_main"\n',
        modern_main_dot_gsc=IW4_MOD,
        lib__tools_dot_gsc="half(n) { return n / 2; }",
        codescripts__struct_dot_gsc="initstructs() { level.inits = level.struct.size; wait 1; level.never_init = 1; }",
        mp__t_dot_csv="key,value\n",
    )
    uo = write(
        tmp_path / "older",
        mod_dot_toml='autostart = "older_main"\non_error = "stop"\n',
        older_main_dot_gsc=UO_MOD,
    )
    session = GameSession(GameOptions(mods=(uo, iw4), watch=False), Journal(echo=lines.append))
    for _ in range(10):
        session.frame()
    return session


def test_each_mod_keeps_its_rules(game: GameSession) -> None:
    level = game.vm.level
    assert level.get_field("quotient") == 3.5
    assert level.get_field("uo_quotient") == 3
    assert level.get_field("order") == "newold"
    assert level.get_field("heard") == "array 3"
    assert level.get_field("after_error") == 1
    assert level.get_field("never") is None
    assert level.get_field("cell") == "value"


def test_08_11_structs_come_first_and_their_init_must_not_wait(
    game: GameSession, lines: list[LogLine]
) -> None:
    level = game.vm.level
    assert level.get_field("structs") == level.get_field("inits")
    assert level.get_field("never_init") is None
    assert any("must not wait" in line.text for line in lines)


def test_the_shipped_mode_plays_beside_the_sandbox(lines: list[LogLine]) -> None:
    session = GameSession(GameOptions(mods=(Path("holdout"),), watch=False), Journal(echo=lines.append))
    vm = session.vm
    flag = vm.level.get_field("holdout").get_field("flags")["well"]
    player = session.world.players()[0]
    for frame in range(20 * 8):
        if frame == 40:
            player.origin = flag.get_field("origin")
        session.frame()
    assert [d.message for line in lines if (d := line.diagnostic) is not None] == []
    assert flag.get_field("held") == 1
    assert vm.level.get_field("holdout").get_field("points") > 0
