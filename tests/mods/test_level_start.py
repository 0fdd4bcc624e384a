"""What runs when a level starts, in which order, and what of the state is kept when it starts again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mods.printed import MOST_LINES
from engine.vm.arrays import Array
from tests.mods.test_reload_history import Table

SAYS = 'main() { println("%s ", gettime(), " ", isdefined(game["kept"])); }\n'
CALLBACKS = """codecallback_startgametype()
{
    println("start ", gettime());
    precachemodel("crate_small");
    thread late();
}

codecallback_playerconnect()
{
    println("connect");
}

late()
{
    wait 0.2;
    println("late");
    precachemodel("crate_small");
}
"""
MINE = """main()
{
    println("autostart");
    game["kept"] = "text";
    game["list"][0] = 1;
    game["list"][1] = level;
    game["object"] = spawnstruct();
    game["entity"] = spawn("script_origin", (0, 0, 0));
    game["function"] = ::main;
    level.kept = 1;
    anim.kept = 1;
    wait 0.3;
    println("never: the level has started again");
}
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    scripts = table.folder / "maps" / "mp"
    (scripts / "gametypes" / "mine.gsc").write_text(SAYS % "gametype")
    (scripts / "gametypes" / "_callbacksetup.gsc").write_text(CALLBACKS)
    (scripts / "tiny.gsc").write_text(SAYS % "map")
    table.script.write_text(MINE)
    table.session.execute("reload")
    table.says()
    table.session.restart()
    yield table
    table.session.close()


ORDER = ["start 0", "autostart", "connect"]


def test_the_order_of_a_start(table: Table) -> None:
    """The game type, the map, the callback, what the mods start, the player; then frames, without precaching."""
    assert table.says() == ["gametype 0 0", "map 0 0", *ORDER]
    table.run(5)
    late, refused = table.says()
    assert late == "late"
    assert "precachemodel must be called while the level loads" in refused


@pytest.mark.parametrize(("persist", "kept"), [("persist", 1), ("", 0)])
def test_what_a_start_keeps(table: Table, persist: str, kept: int) -> None:
    """With `persist` what is plain in `game` is there for the first script of the new start; all else is new."""
    table.run(1)
    table.says()
    old = table.session.vm
    table.session.execute(f"map_restart {persist}")
    said = table.says()
    assert said[-5:] == [f"gametype 0 {kept}", f"map 0 {kept}", *ORDER]
    vm = table.session.vm
    assert vm is not old
    table.run(2)
    assert (vm.level.get_field("kept"), vm.anim.get_field("kept")) == (1, 1)


def test_what_of_game_is_plain(table: Table) -> None:
    """Text, numbers and arrays stay; functions, structs, entities and `level` do not, wherever they stand."""
    table.script.write_text("main()\n{\n}\n")
    table.run(1)
    table.session.execute("reload")
    table.session.execute("map_restart persist")
    vm = table.session.vm
    game = vm.root.game
    inner = game["list"]
    assert isinstance(inner, Array)
    assert (sorted(game), dict(inner)) == (["kept", "list"], {0: 1})
    assert (vm.level.get_field("kept"), vm.anim.get_field("kept")) == (None, None)


@pytest.mark.parametrize(
    ("title", "shown"), [("The Tiny House", "The Tiny House"), ("Mine", "Mine - tiny"), ("", "mine - tiny")]
)
def test_the_window_names_the_level_where_the_title_does_not(table: Table, title: str, shown: str) -> None:
    name, rest = table.manifest.read_text().split("\n", 1)
    rest = "\n".join(line for line in rest.split("\n") if not line.startswith("title"))
    table.save(f"{name}\n{f'title = {title!r}' if title else ''}\n{rest}", table.manifest)
    assert table.session.title == shown


@pytest.mark.parametrize("call", ["println", "iprintln"])
def test_what_is_printed_while_a_level_loads_has_an_end(table: Table, call: str) -> None:
    """The VM counts no lines then. Messages on the screen are told with the first frame."""
    table.script.write_text(f"main()\n{{\n    for (i = 0; i < 6000; i++)\n        {call}(i);\n}}\n")
    table.session.execute("reload")
    table.run(1)
    table.says()
    table.session.execute("map_restart")
    table.run(1)
    said = table.says()
    assert MOST_LINES - 5 <= sum(line.isdigit() for line in said) <= MOST_LINES
    (left_out,) = [line for line in said if "left out" in line]
    assert 1900 <= int(left_out.split()[0]) <= 1910
    table.session.execute("map_restart")
    table.run(1)
    assert sum(line.isdigit() for line in table.says()) >= MOST_LINES - 5
