"""Mods of two dialects in one game: each script by its own rules, structs of the level, and the shipped mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession
from engine.natives.players import suicide
from engine.source import DiagnosticError, SourceText
from engine.vm.errors import ScriptError
from engine.world.command import Button, UserCommand
from engine.world.levels import load_level
from engine.world.spawning import spawn_for_script
from engine.world.surfaces import SurfaceTable

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


# ---- a game that is IW4 from the ground up ---------------------------------------------------------------

MAP = """
{
"classname" "worldspawn"
"northyaw" "90"
}
{
"classname" "script_struct"
"targetname" "place"
"origin" "5 6 7"
}
{
"classname" "script_origin"
"targetname" "thing"
"origin" "1 2 3"
"angle" "90"
"count" "4"
"spawnflags" "3"
"health" "70"
"maxhealth" "80"
"dmg" "9"
"radius" "12"
"height" "13"
"speed" "2.5"
"noise" "word"
}
{
"classname" "odd_thing"
"targetname" "odd"
"mood" "blue"
}
{
"classname" "script_vehicle_mp"
"targetname" "car"
"origin" "7 8 9"
}
{
"classname" "mp_deathmatch_spawn"
"origin" "0 0 10"
}
"""
MODE = r"""
main() { level.order = level.order + " mode"; level.callbackKilled = ::killed;
    level.dvars = getdvar("mapname") + getdvar("g_gametype"); level.thing = getent("thing", "targetname");
    precacheshader("white"); game["kept"] = isdefined(game["kept"]) ? game["kept"] + 1 : 1;
    game["was"] = isdefined(game["object"]) + "" + isdefined(game["code"]);
    game["object"] = spawnstruct(); game["code"] = ::main; }
killed(attacker) { level.deaths = level.deaths + " callback"; self notify("too late"); }
"""
MAP_SCRIPT = r"""
main()
{
    level.order = level.order + " map";
    level.deaths = "";
    level.north = getnorthyaw();
    thing = getent("thing", "targetname");
    level.number = thing getentitynumber();
    level.angles = thing.angles;
    level.typed = thing.count + 1 == 5 && thing.speed * 2 == 5.0 && thing.noise == "word";
    level.worlds = getentarray("worldspawn", "classname").size;
    odd = getent("odd", "targetname");
    level.odd = odd.classname + odd.code_classname + odd.mood + odd.origin + odd.angles;
    car = getent("car", "targetname");
    level.car = car.classname + " " + car.code_classname + " " + car.origin;
    spawned = spawn("script_origin", (1, 1, 1));
    level.spawned = spawned.code_classname;
    level.places = 0;
    foreach (place in level.struct)
        if (place.targetname == "place" && place.origin == (5, 6, 7))
            level.places++;
}
"""
CALLBACKS = r"""
CodeCallback_StartGameType()
{
    level.order = level.order + " callback " + getdvar("mapname") + " " + getdvar("g_gametype");
}
CodeCallback_PlayerConnect()
{
    self waittill("begin");
    self.sessionstate = "playing";
    self spawn((0, 0, 10), (0, 0, 0));
    self thread mourns();
    self thread looks();
    self thread ends_with_death();
}
CodeCallback_PlayerDisconnect() { }
CodeCallback_PlayerDamage(a, b, amount, d, e, f, g, h, i)
{
    self finishplayerdamage(a, b, amount, d, e, f, g, h, i);
}
CodeCallback_PlayerKilled(inflictor, attacker, c, d, e, f, g) { self thread [[ level.callbackKilled ]](attacker); }
looks()
{
    wait 0.05;
    self setplayerangles((10, 20, 0));
    self disableweapons();
    level.looks = self getplayerangles() + " " + self playerads() + self adsbuttonpressed() + self jumpbuttonpressed();
    self setvelocity((0, 0, -5));
    velocity = self getvelocity();
    level.falls = velocity[2] < 0;
    level.free = "" + bullettracepassed((0, 0, 0), (0, 0, 9), 0) + sighttracepassed((0, 0, 0), (0, 0, 9), 1);
    level.end = physicstrace((0, 0, 0), (0, 0, 9)) + playerphysicstrace((0, 0, 0), (1, 0, 9));
    self setclientdvar("cg_x", 5);
}
ends_with_death()
{
    self endon("death");
    self waittill("too late");
    level.deaths = level.deaths + " too late";
}
mourns()
{
    self endon("disconnect");
    self waittill("death", attacker);
    level.deaths = level.deaths + " death of " + (attacker == self);
}
"""


@pytest.fixture
def modern(tmp_path: Path, lines: list[LogLine]) -> GameSession:
    folder = write(
        tmp_path / "game",
        mod_dot_toml='dialect = "iw4"\ngametype = "siege"\nlevel = "box"\n',
        levels__box_dot_map=MAP,
        maps__mp__box_dot_gsc=MAP_SCRIPT,
        maps__mp__gametypes__siege_dot_gsc=MODE,
        maps__mp__gametypes___callbacksetup_dot_gsc=CALLBACKS,
        codescripts__struct_dot_gsc='initstructs() { level.order = "structs"; level.early = level.struct.size + " "'
        ' + getentarray("thing", "targetname").size + "[" + getdvar("mapname") + "]"; }',
    )
    session = GameSession(GameOptions(mods=(folder,), watch=False), Journal(echo=lines.append))
    for _ in range(5):
        session.frame()
    return session


def test_09_the_order_of_a_start(modern: GameSession) -> None:
    level = modern.vm.level
    assert level.get_field("order") == "structs mode map callback box siege"
    assert level.get_field("dvars") == "boxsiege"
    assert level.get_field("thing").get_field("code_classname") == "script_origin"


def test_08_structs_are_there_before_entities_and_dvars(modern: GameSession) -> None:
    assert modern.vm.level.get_field("early") == "1 0[]"


def test_10_13_15_the_blocks_of_a_map(modern: GameSession, lines: list[LogLine]) -> None:
    level = modern.vm.level
    assert [line.text for line in lines if line.kind == "error"] == []
    assert level.get_field("north") == 90
    assert level.get_field("worlds") == 0
    assert level.get_field("places") == 1
    assert level.get_field("angles") == (0, 90, 0)
    assert level.get_field("typed") == 1
    thing = level.get_field("thing")
    keys = ("count", "spawnflags", "health", "maxhealth", "dmg", "height", "speed", "noise", "radius")
    values = [thing.get_field(key) for key in keys]
    assert values == [4, 3, 70, 80, 9, 13.0, 2.5, "word", 12]
    # A radius is an int, as in United Offensive: entities are the same for all scripts.
    assert [type(value) for value in values] == [int] * 5 + [float] * 2 + [str, int]
    assert level.get_field("number") >= 64


def test_12_14_every_block_is_an_entity_that_tells_its_class(modern: GameSession) -> None:
    level = modern.vm.level
    assert level.get_field("odd") == "odd_thingodd_thingblue(0, 0, 0)(0, 0, 0)"
    assert level.get_field("car") == "script_vehicle_mp script_vehicle (7, 8, 9)"
    assert level.get_field("spawned") == "script_origin"
    assert modern.world.players()[0].get_field("code_classname") == "player"


def test_12_a_level_of_united_offensive_holds_what_the_engine_knows() -> None:
    source = SourceText("box.map", MAP)
    with pytest.raises(DiagnosticError, match="no class 'odd_thing'"):
        load_level(source, "box", SurfaceTable())
    level = load_level(source, "box", SurfaceTable(), open_classes=True)
    assert "odd_thing" in [block.classname for block in level.blocks]


def test_77_commands_between_frames_move_the_player_and_run_no_script(modern: GameSession) -> None:
    player = modern.world.players()[0]
    ran, before = modern.vm.runner.budget.state(), player.origin
    for _ in range(4):
        modern.command(UserCommand(50, 1.0, 0.0, 0.0, Button.ATTACK))
    assert player.origin != before
    assert modern.vm.runner.budget.state() == ran


def test_names_of_its_own_for_what_the_world_has(modern: GameSession) -> None:
    level = modern.vm.level
    assert level.get_field("looks") == "(10, 20, 0) 000"
    assert level.get_field("falls") == 1
    assert level.get_field("free") == "11"
    assert level.get_field("end") == (1, 0, 18)
    assert modern.world.players()[0].cvars["cg_x"] == "5"


def test_75_a_notify_on_level_is_a_signal_that_ends_the_level(modern: GameSession) -> None:
    before = modern.world
    modern.vm.notify(modern.vm.level, "something")
    modern.frame()
    assert modern.world is before
    modern.vm.notify(modern.vm.level, "exitlevel")
    assert modern.world is before
    modern.frame()
    assert modern.world is not before


def test_75_united_offensive_hears_nothing_of_it(game: GameSession) -> None:
    before = game.world
    game.vm.notify(game.vm.level, "exitlevel")
    game.frame()
    assert game.world is before


def test_76_map_restart_keeps_the_plain_part_of_game(modern: GameSession) -> None:
    before = modern.world
    modern.world.requests.append("map_restart persist")
    for _ in range(3):
        modern.frame()
    assert modern.world is not before
    assert modern.vm.root.game["kept"] == 2
    assert modern.vm.root.game["was"] == "00"


def test_81_a_full_pool_refuses_the_new_entity(modern: GameSession) -> None:
    def fill() -> None:
        for _ in range(5000):
            spawn_for_script(modern.world, "script_origin", (0.0, 0.0, 0.0), 0)

    with pytest.raises(ScriptError, match="no free entities"):
        fill()
    modern.frame()


def test_82_death_comes_before_the_killed_callback(modern: GameSession) -> None:
    """Whoever has an endon for it is gone when the callback runs, though who waits for it runs after that."""
    player = modern.world.players()[0]
    suicide(player)
    modern.frame()
    assert modern.vm.level.get_field("deaths") == " callback death of 1"
