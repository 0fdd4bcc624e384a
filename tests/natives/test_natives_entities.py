"""Natives about entities, the level and movers, called from scripts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.vm.errors import Policy
from tests.natives.natives_kit import error, game, printed
from tests.world.world_kit import block, brush

CRATE = block("script_model", origin="100 0 10", model="crate", targetname="crate")
TWO = block("script_origin", origin="1 0 0", targetname="o") + block(
    "script_origin", origin="2 0 0", targetname="o"
)
SOLDIER = block("actor_soldier_grey", origin="-300 0 0", targetname="spawner", count="5")
ZONE = block("trigger_use", brush((-50, -50, 0), (50, 50, 90), "trigger"), targetname="zone")


def test_getent_and_getentarray() -> None:
    script = """main() {
        e = getent("crate", "targetname"); println(e.origin);
        println(isdefined(getent("none", "targetname")));
        a = getentarray("o", "targetname"); println(a.size); println(a[0].origin[0] + a[1].origin[0]);
        println(getentarray().size);
    }"""
    assert printed(script, CRATE, TWO) == ["(100.00, 0.00, 10.00)", "0", "2", "3", "3"]


def test_getent_with_several_is_an_error() -> None:
    assert "found 2 entities" in error('getent("o", "targetname");', TWO)


def test_a_spawned_entity_lives_until_it_is_deleted() -> None:
    script = """main() {
        e = spawn("script_model", (5, 6, 7));
        e setmodel("xmodel/Crate");
        println(e.model, " ", e.classname, " ", e getentitynumber());
        level.e = e;
        e thread mourn();
        wait 0.05;
        e delete();
        println(isdefined(e));
        wait 0.2;
        println(isdefined(level.e));
    }
    mourn() { self waittill("death"); println("dead"); }"""
    assert printed(script, frames=10) == ["crate script_model 64", "1", "dead", "0"]


def test_use_of_a_deleted_entity_is_an_error() -> None:
    made = game(
        'main() { e = spawn("script_origin", (0,0,0)); e delete(); wait 0.5; x = e.origin; println("no"); }'
    )
    made.frames(14)
    assert made.printed == []
    assert len(made.faults) == 1


def test_script_fields_and_engine_fields() -> None:
    script = """main() {
        e = getent("crate", "targetname");
        e.mood = "calm"; e.health = 50; e.angles = (0, 90, 0);
        println(e.mood, e.health, e.angles);
        e.origin = (1, 2, 3);
        println(e.origin, " ", e getorigin(), " ", e geteye());
    }"""
    assert printed(script, CRATE) == [
        "calm50(0.00, 90.00, 0.00)", "(1.00, 2.00, 3.00) (1.00, 2.00, 3.00) (1.00, 2.00, 43.00)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('e = getent("crate", "targetname"); e.classname = "x";', "read-only"),
        ('e = getent("crate", "targetname"); e.origin = 5;', "vector"),
        ('e = spawn("trigger_use", (0,0,0));', "cannot be spawned"),
        ('e = getent("crate", "targetname"); e moveto((0,0,0), 0);', "greater than 0"),
        ('e = getent("crate", "targetname"); e moveto((0,0,0), 1, 0.7, 0.7);', "whole time"),
        ('e = getent("crate", "targetname"); e moveto("a", 1);', "parameter 1 is string, not vector"),
        ('e = getent("crate", "targetname"); e moveto();', "parameter 1 does not exist"),
        ('e = getent("zone", "targetname"); e movex(5, 1);', "cannot be moved"),
        ('e = getent("crate", "targetname"); e attach("hat", "tag_hat");', "no tag 'tag_hat'"),
        ('e = getent("crate", "targetname"); e attach("hat"); e attach("hat");', "already attached"),
        ('e = getent("crate", "targetname"); e detach("hat");', "not attached"),
        ('e = getent("crate", "targetname"); e linkto(e);', "linked to itself"),
        ('e = getent("crate", "targetname"); e gettagorigin("tag_x");', "no tag 'tag_x'"),
        ('e = getent("crate", "targetname"); e sethintstring("x");', "trigger_use"),
        ('e = getent("crate", "targetname"); e lockdoor();', "no door"),
        ('e = getent("crate", "targetname"); e giveweapon("rifle");', "is not a"),
        ('e = getent("crate", "targetname"); e getspeedmph();', "getspeedmph"),
        ('getweaponmodel("rifel");', "did you mean rifle"),
        ('objective_add(16, "active");', "objective 16"),
        ('objective_add(1, "busy");', "no state"),
        ("playfx(3, (0,0,0));", "loadfx"),
        ("earthquake(0, 1, (0,0,0), 10);", "greater than 0"),
        ('newteamhudelem("red");', "no team"),
        ("h = newhudelem(); h fadeovertime(0);", "greater than 0"),
        ('h = newhudelem(); h.alignx = "up";', "one of left"),
        ("h = newhudelem(); h.fontscale = 0;", "greater than 0"),
        ("h = newhudelem(); h destroy(); h.x = 1;", "dead object"),
        ('getnodearray(level, "x");', "not string"),
    ],
)
def test_wrong_use_is_one_error_with_a_place(body: str, words: str) -> None:
    assert words in error(body, CRATE, ZONE)


def test_what_exists_elsewhere_is_told_by_name() -> None:
    message = error('spawnvehicle("a", "b", "c", (0,0,0), (0,0,0));')
    assert "spawnvehicle" in message


def test_movers_by_script() -> None:
    script = """main() {
        e = getent("crate", "targetname");
        e movez(40, 0.2); e waittill("movedone"); println(e.origin);
        e rotateyaw(90, 0.2); e waittill("rotatedone"); println(e.angles);
        e moveto((0, 0, 0), 0.2, 0.1, 0.1); e waittill("movedone"); println(e.origin);
        e rotatevelocity((0, 100, 0), 0.5); e waittill("rotatedone"); println(e.angles);
    }"""
    assert printed(script, CRATE, frames=60) == [
        "(100.00, 0.00, 50.00)", "(0.00, 90.00, 0.00)", "(0.00, 0.00, 0.00)", "(0.00, 140.00, 0.00)",
    ]  # fmt: skip


def test_movedone_is_heard_in_the_next_frame() -> None:
    script = """main() {
        e = getent("crate", "targetname"); start = gettime();
        e movex(10, 0.1); e waittill("movedone"); println(gettime() - start);
    }"""
    assert printed(script, CRATE, frames=10) == ["150"]


def test_attachments_links_and_tags() -> None:
    script = """main() {
        e = getent("crate", "targetname");
        e attach("Hat", "tag_top"); e attach("bag");
        println(e getattachsize(), e getattachmodelname(0), e getattachtagname(0));
        e detach("hat", "tag_top"); println(e getattachsize());
        println(e gettagorigin("tag_top"));
        o = spawn("script_origin", (0,0,0)); o linkto(e, "tag_top", (0,0,1), (0,0,0));
        wait 0.1; println(o.origin);
        o unlink(); e.origin = (0,0,500); wait 0.1; println(o.origin);
        e detachall(); println(e getattachsize());
    }"""
    assert printed(script, CRATE, frames=8) == [
        "2hattag_top", "1", "(100.00, 0.00, 42.00)", "(100.00, 0.00, 43.00)", "(100.00, 0.00, 43.00)", "0",
    ]  # fmt: skip


def test_show_hide_solid_and_contents() -> None:
    script = """main() {
        e = getent("crate", "targetname");
        e hide(); println(bullettrace((0,0,20), (200,0,20), true, undefined)["fraction"] < 1);
        e notsolid(); println(bullettrace((0,0,20), (200,0,20), true, undefined)["fraction"] < 1);
        e solid(); t = bullettrace((0,0,20), (200,0,20), true, undefined);
        println(t["entity"] == e, " ", t["surfacetype"], " ", t["normal"]);
        println(bullettrace((0,0,20), (200,0,20), true, e)["fraction"]);
        e setcontents(0); println(bullettrace((0,0,20), (200,0,20), true, undefined)["surfacetype"]);
    }"""
    made = game(script, CRATE)
    assert made.printed == ["1", "0", "1 wood (-1.00, 0.00, 0.00)", "1", "none"]
    view = made.frames(1)
    (crate,) = (e for e in view.entities.values() if e.model == "crate")
    assert not crate.visible


def test_damage_and_death_events() -> None:
    # Of two notifies the waiters of the later one run first (vm facts, 2.3).
    script = """main() {
        e = getent("crate", "targetname"); e.health = 100; e settakedamage(true); e thread hurt();
        wait 0.05; e dodamage(30, (0,0,0)); wait 0.05; e dodamage(80, (0,0,0), e); wait 0.1;
        println(e getnormalhealth() < 0, isalive(e));
        radiusdamage((100, 0, 10), 50, 10, 5);
    }
    hurt() { self thread dies(); for (;;) { self waittill("damage", amount, who); println(amount, isdefined(who)); } }
    dies() { self waittill("death", who); println("death ", isdefined(who)); }"""
    assert printed(script, CRATE, frames=10) == ["300", "death 1", "801", "10", "100"]


def test_triggers_notify_scripts() -> None:
    script = """main() {
        t = getent("zone", "targetname"); t sethintstring("press ", 2, " times");
        t waittill("trigger", who); println(isplayer(who), who.name);
        t useby(who); t waittill("trigger", who); println("again");
    }"""
    made = game(script, ZONE)
    player = made.player()
    view = made.frames(2)
    assert view.players[player.number].usable == "press 2 times"
    (zone,) = made.world.entities.by_key("targetname", "zone")
    zone.used_by(player)
    made.frames(14)
    assert made.printed == ["1joe"]
    zone.used_by(player)
    made.frames(2)
    assert made.printed == ["1joe", "again"]
    assert made.messages == []


def test_structs_of_the_map_are_found() -> None:
    script = 'main() { s = getent("spot", "targetname"); println(s.origin, s.size_); s.x = 5; println(s.x); }'
    struct = block("script_struct", origin="1 2 3", targetname="spot", size_="4")
    assert printed(script, struct) == ["(1.00, 2.00, 3.00)4", "5"]


def test_traces_ignore_characters_when_asked() -> None:
    made = game("main() {}", SOLDIER)
    made.vm.start(made.vm.function("game::main"))
    script = """main() {
        s = getent("spawner", "targetname") dospawn(); wait 0.05;
        println(bullettrace((-400,0,30), (-200,0,30), true, undefined)["fraction"] < 1);
        println(bullettrace((-400,0,30), (-200,0,30), false, undefined)["fraction"] < 1);
    }"""
    assert printed(script, SOLDIER, frames=3) == ["1", "0"]


def test_policies_of_errors_in_natives() -> None:
    script = 'main() { x = getentarray("a"); println(isdefined(x)); }'
    made = game(script, policy=Policy.CONTINUE)
    assert made.printed == ["0"]
    made = game(script)
    assert made.printed == []


def test_precaching_is_for_loading() -> None:
    script = """main() {
        precachemodel("crate"); precacheitem("rifle"); precacheshader("x"); wait 0.2; precachemodel("x");
    }"""
    made = game(script)
    made.frames(6)
    assert [m for m in made.messages if "while the level loads" in m] == made.messages
    assert len(made.messages) == 1


def test_teams_objectives_and_requests() -> None:
    script = """main() {
        setteamscore("axis", 5); println(getteamscore("axis"), getteamscore("allies"));
        objective_add(2, "current", "take the hill", (1,2,3)); objective_position(2, (4,5,6));
        objective_current(2); map_restart(true);
        setwinningteam("allies"); println(worldentnumber());
    }"""
    made = game(script)
    assert made.printed == ["50", "1022"]
    assert made.world.requests == ["map_restart persist"]
    objective = made.world.objectives[2]
    assert (objective.text, objective.position, objective.state) == (
        "take the hill",
        (4.0, 5.0, 6.0),
        "current",
    )
    assert made.world.winner == "allies"


def test_a_model_in_one_of_its_skins() -> None:
    script = """main() {
        wait 0.05;
        e = getent("crate", "targetname");
        e setskin("Red"); wait 0.05;
        e setskin(); wait 0.05;
        e setskin("blue");
    }"""
    made = game(script, CRATE)
    crate = replace(made.world.models.model("crate"), skins={"red": (0,)})
    made.world.models.model = lambda name: crate  # type: ignore[method-assign]
    shown = [
        [state.skin for state in made.frames(1).entities.values() if state.model == "crate"] for _ in range(4)
    ]
    assert ["red"] in shown
    assert shown[-1] == [""]
    assert made.messages == ["model 'crate' has no skin 'blue'; it has red"]
