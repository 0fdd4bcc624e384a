"""Natives about players, weapons, HUD, sounds and messages; and the engine's callbacks."""

from __future__ import annotations

import pytest

from engine.vm.core_state import MAX_CVAR, MAX_CVARS
from engine.world.command import Button, UserCommand
from engine.world.hits import Hit
from tests.natives.natives_kit import error, game
from tests.world.world_kit import block

CALLBACKS = """
CodeCallback_PlayerConnect() { self waittill("begin"); level.player = self; println("begin ", self.name); }
CodeCallback_PlayerDisconnect() { println("bye"); }
CodeCallback_PlayerDamage(inflictor, attacker, damage, flags, mod, weapon, point, dir, loc)
{
    println("damage ", damage, mod, loc);
    if (damage < 1000)
        self finishplayerdamage(inflictor, attacker, damage * 2, flags, mod, weapon, point, dir, loc);
}
CodeCallback_PlayerKilled(inflictor, attacker, damage, mod, weapon, dir, loc) { println("killed ", mod); }
"""


def test_callbacks_in_order_and_damage_by_the_script() -> None:
    made = game("main() {}", callbacks=CALLBACKS)
    player = made.world.connect("joe")
    assert made.printed == []
    made.frames(1)
    assert made.printed == ["begin joe"]
    player.set_state("playing")
    player.spawn((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    player.damage(Hit(20, None, None, "MOD_RIFLE_BULLET", location="head"))
    assert player.hit_points == 60
    player.damage(Hit(2000, None, None))
    assert player.hit_points == 60
    player.damage(Hit(30, player, player, "MOD_FALLING"))
    assert not player.alive()
    made.world.disconnect(player)
    assert made.printed[1:] == [
        "damage 20MOD_RIFLE_BULLEThead", "damage 2000MOD_UNKNOWNnone", "damage 30MOD_FALLINGnone",
        "killed MOD_FALLING", "bye",
    ]  # fmt: skip
    assert made.messages == []


def test_test_clients_begin_one_a_frame() -> None:
    """A gametype does much for a player who begins, at its own expense."""
    made = game("main() { for (i = 0; i < 3; i++) println(addtestclient().name); }", callbacks=CALLBACKS)
    assert made.printed == ["bot0", "bot1", "bot2"]
    # What the engine raises while entities think is heard in the next frame.
    for begun in (0, 1, 2, 3, 3):
        made.frames(1)
        assert made.printed[3:] == [f"begin bot{i}" for i in range(begun)]
    assert made.messages == []


def script_of(body: str) -> str:
    return 'main() { level waittill("go", p); ' + body + " }"


def run(body: str, *, commands: tuple[UserCommand, ...] = (), frames: int = 3) -> tuple[object, list[str]]:
    made = game(script_of(body))
    player = made.player()
    for command in commands:
        made.world.run_command(player.number, command)
    made.vm.notify(made.vm.level, "go", player)
    made.frames(frames)
    assert made.messages == []
    return made, made.printed


def test_weapons() -> None:
    _, out = run(
        'p giveweapon("rifle"); println(p getcurrentweapon(), p hasweapon("Rifle"));'
        'println(p getweaponslotclipammo("primary"), " ", p getweaponslotammo("primary"));'
        'p setweaponslotclipammo("primary", 99); p setweaponslotammo("primary", 3);'
        'println(p getweaponslotclipammo("primary"), " ", p getweaponslotammo("primary"));'
        'p givemaxammo("rifle"); println(p getfractionmaxammo("rifle"), getfullclipammo("rifle"));'
        'p takeweapon("rifle"); println(p getcurrentweapon(), p getweaponslotweapon("primary"));'
    )
    assert out == ["rifle1", "5 20", "5 3", "15", "nonenone"]


def test_keys_stance_and_places() -> None:
    held = UserCommand(50, buttons=Button.USE | Button.ATTACK | Button.CROUCH)
    _, out = run(
        "println(p usebuttonpressed(), p attackbuttonpressed(), p meleebuttonpressed(), p getstance(), p isonground());"
        "p setorigin((50, 0, 1)); p setplayerangles((0, 90, 0)); println(p.origin);"
        "println(p isads(), p isinvehicle(), isplayer(p), isalive(p), isai(p), issentient(p));",
        commands=(held, held),
    )
    assert out == ["110crouch1", "(50.00, 0.00, 1.00)", "001101"]


def test_a_linked_player_is_carried_and_looks_freely() -> None:
    made, _ = run(
        'o = spawn("script_origin", (0, 0, 50)); p playerlinkto(o); o movex(100, 0.2); level.o = o;'
    )
    world = made.world  # type: ignore[attr-defined]
    (player,) = world.players()
    for _ in range(6):
        world.run_command(player.number, UserCommand(50, 1.0, angles=(0.0, 45.0, 0.0)))
        world.frame()
    assert player.position == pytest.approx((100.0, 0.0, 0.5))
    assert player.body.view[1] == 45.0


def test_freezing_and_dying() -> None:
    made, _ = run("p freezecontrols(true);")
    world = made.world  # type: ignore[attr-defined]
    (player,) = world.players()
    for _ in range(20):
        world.run_command(player.number, UserCommand(50, 1.0))
    assert player.position[0] == 0.0
    _, out = run("p suicide(); println(p.sessionstate, p.health, p.deaths);")
    assert out == ["dead01"]


def test_spectators_are_placed_but_not_embodied() -> None:
    _, out = run(
        'p.sessionstate = "spectator"; p spawn((9, 9, 9), (0, 0, 0)); println(p.origin, isalive(p));'
        'p.sessionstate = "playing"; p spawn((1, 2, 3), (0, 0, 0)); println(p.health, isalive(p));'
    )
    assert out == ["(9.00, 9.00, 9.00)0", "1001"]


def test_hud_elements_reach_the_view() -> None:
    made, _ = run(
        'h = newhudelem(); h.x = 320; h.y = 20.5; h.alignx = "center"; h.fontscale = 2; h.color = (1, 0, 0);'
        'h.label = &"SCORE "; h setvalue(12); c = newclienthudelem(p); c settimer(90); c.sort = -1;'
        'd = newhudelem(); d settext("x"); d destroy();',
    )
    view = made.frames(1)  # type: ignore[attr-defined]
    shown = [(e.text, e.x, e.align_x, e.player) for e in view.hud]
    assert shown == [("1:30", 0.0, "left", 0), ("SCORE 12", 320.0, "center", None)]


def test_messages_sounds_and_effects_reach_the_view() -> None:
    body = (
        'iprintln("a ", 1, &"KEY"); p iprintlnbold("b"); p sayall("hi"); p playlocalsound("Tick"); p playsound("pain");'
        'fx = loadfx("fx/dust.efx"); println(fx, loadfx("other"), loadfx("dust")); playfx(fx, (1,2,3), (0,0,5));'
        "earthquake(0.5, 1, (0,0,0), 100); bullettracer((0,0,0), (10,0,0)); setcullfog(0, 100, 1, 1, 1, 0);"
        'obituary(p, p, "rifle", "MOD"); ambientplay("wind");'
    )
    made = game(script_of(body))
    player = made.player()
    made.world.picture()
    made.vm.notify(made.vm.level, "go", player)
    view = made.world.frame()
    assert made.messages == []
    assert made.printed == ["121"]
    assert [(m.kind, m.text, m.player) for m in view.messages] == [
        ("line", "a 1KEY", None), ("bold", "b", 0), ("line", "joe: hi", None), ("line", "joe died", None),
    ]  # fmt: skip
    assert [(s.alias, s.player, s.entity, s.loop) for s in view.sounds] == [
        ("tick", 0, None, False), ("pain", None, 0, False), ("wind", None, None, True),
    ]  # fmt: skip
    assert [(e.effect, e.forward) for e in view.effects] == [
        ("dust", (0.0, 0.0, 1.0)),
        ("tracer", (1.0, 0.0, 0.0)),
    ]
    assert len(view.shakes) == 1
    assert view.atmosphere is not None
    assert view.atmosphere.fog_end == 100.0


def test_sounddone_comes_after_the_sound() -> None:
    made = game(script_of('p playsound("x", "done"); p waittill("done"); println(gettime());'))
    made.world.sound_seconds = lambda alias: 0.4
    player = made.player()
    made.vm.notify(made.vm.level, "go", player)
    made.frames(12)
    assert made.printed == ["500"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('p giveweapon("rifel");', "there is no weapon 'rifel'"),
        ('p setweaponslotammo("hat", 1);', "no weapon slot"),
        ('p givemaxammo("rifle");', "has no 'rifle'"),
        ('p.sessionteam = "red";', "no sessionteam"),
        ("p delete();", "cannot be deleted"),
        ("p finishplayerdamage();", "parameter 3"),
        ("p iprintln(level);", "parameter 1"),
        ("iprintln();", "parameter 1 does not exist"),
    ],
)
def test_refusals(body: str, words: str) -> None:
    made = game(script_of(body))
    player = made.player()
    made.vm.notify(made.vm.level, "go", player)
    made.frames(2)
    assert len(made.messages) == 1
    assert words in made.messages[0]


LIMITS = [
    ('for (i = 0; i < 5000; i++) p setclientcvar("v" + i, "x");', f"more than {MAX_CVARS} cvars"),
    (f'p setclientcvar("v", long({MAX_CVAR + 1}));', f"a cvar holds at most {MAX_CVAR} characters"),
    (f'p setclientcvar(long({MAX_CVAR + 1}), "v");', "cannot be the name of a cvar"),
]


@pytest.mark.parametrize(("body", "words"), LIMITS)
def test_what_a_client_is_set_has_the_limits_of_cvars(body: str, words: str) -> None:
    texts = []
    for variant in (body, body.replace("p setclientcvar", "setcvar")):
        long = 'long(size) { text = ""; while (text.size < size) text += "x"; return text; }'
        made = game(script_of(variant) + long)
        player = made.player()
        made.vm.notify(made.vm.level, "go", player)
        made.frames(2)
        (message,) = made.messages
        assert words in message
        texts.append(message)
        held = sum(len(name) + len(text) for name, text in player.cvars.items())
        assert len(player.cvars) <= MAX_CVARS
        assert held < 100_000
    assert (
        texts[0].splitlines()[0].partition("error: ")[2] == texts[1].splitlines()[0].partition("error: ")[2]
    )


def test_a_client_that_has_as_many_as_it_may_is_still_set_those() -> None:
    body = f'for (i = 0; i < {MAX_CVARS}; i++) p setclientcvar("v" + i, "x"); p setclientcvar("V1", long({MAX_CVAR}));'
    long = 'long(size) { text = ""; while (text.size < size) text += "x"; return text; }'
    made = game(script_of(body) + long)
    player = made.player()
    made.vm.notify(made.vm.level, "go", player)
    made.frames(2)
    assert made.messages == []
    assert (len(player.cvars), len(player.cvars["v1"])) == (MAX_CVARS, MAX_CVAR)


# --- actors -----------------------------------------------------------------------------------------------------

SPAWNER = block("actor_soldier_grey", origin="-300 0 0", targetname="spawner", count="2")
NODES = block("node_path", origin="-300 200 0", targetname="a") + block(
    "node_path", origin="0 200 0", targetname="b"
)


def test_an_actor_from_spawner_to_goal() -> None:
    script = """main() {
        man = getent("spawner", "targetname") dospawn("bob");
        println(man.targetname, man.team, man.weapon, isai(man), getaiarray().size, getaiarray("allies").size);
        man useanimtree(#animtree); man setanimknob(%walk, 1, 0);
        man.goalradius = 20; man setgoalnode(getnode("a", "targetname"));
        man waittill("goal"); println("there ", distance(man.origin, (-300, 200, 0)) < 21);
        man setanimknob(%stand, 1, 0);
        println(man cansee(man), man canshoot((0, 200, 40)), man maymovetopoint((-250, 200, 0)));
        man orientmode("face angle", 90); man animmode("none"); man aimatpos((0,0,0)); man setlookat(man, 1);
        man.health = 1; man dodamage(5, (0,0,0)); wait 0.1;
        println(isalive(man), getaiarray().size); flushcorpses(); wait 0.3; println(isdefined(man));
    }"""
    made = game(script, SPAWNER, NODES)
    made.frames(90)
    assert made.messages == []
    assert made.printed == ["bobaxisrifle110", "there 1", "111", "00", "0"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('man orientmode("face up");', "no orientmode"),
        ('man orientmode("face angle");', "needs an angle"),
        ('man animmode("fly");', "no animmode"),
        ('man.team = "red";', "no team"),
        ("man.goalradius = -1;", "negative"),
        ("man setgoalnode(man);", "parameter 1"),
        ('man allowedstances("lying");', "parameter 1"),
        ('man.weapon = "x"; man shoot();', "no weapon"),
    ],
)
def test_actor_refusals(body: str, words: str) -> None:
    assert words in error('man = getent("spawner", "targetname") dospawn(); ' + body, SPAWNER)
