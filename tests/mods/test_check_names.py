"""What `check` finds doubtful in scripts that would run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import paths
from engine.mods.check import Checker
from engine.mods.check_names import MODEL, NAMING, SOUND, WEAPON
from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession
from engine.natives.registry import dialect_registries, game_catalogue, game_registry

Doubts = Callable[[str], list[str]]


@pytest.fixture
def doubts(tmp_path: Path) -> Doubts:
    """Line, code and message of each warning about a script, with the first note."""

    def check(text: str) -> list[str]:
        file = tmp_path / "mine.gsc"
        file.write_text(text)
        checker = Checker(
            game_catalogue(game_registry(), dialect_registries()),
            assets=[paths.assets()],
            shelves=[paths.mods()],
        )
        found = checker.check([file]).diagnostics
        assert all(d.severity == "warning" and d.span is not None for d in found), found
        return [
            " | ".join((f"{d.span.line} {d.code}: {d.message}", *(n.message for n in d.notes)))
            for d in found
            if d.span is not None
        ]

    return check


def test_names_that_nobody_has(doubts: Doubts) -> None:
    assert doubts("""main()
{
    self setmodel("xmodel/solider");
    self playsound("bel");
    self playsound("Bell");
    self giveweapon("riffle");
    self setweaponslotweapon("primary", "riffle");
    self setweaponslotweapon("pistol", "none");
    self attach("*3", "tag_weapon_right");
    self setmodel("");
    name = "nosuch";
    self setmodel(name);
    musicplay("no" + "thing");
}
""") == [
        "3 missing-model: there is no model `solider` | did you mean soldier, strider or soldier_grey?",
        "4 missing-sound: there is no sound `bel` | did you mean bell?",
        "6 missing-weapon: there is no weapon `riffle` | did you mean rifle?"
        " | it is named at one other place of this file too",
    ]


def test_a_function_of_that_name_names_nothing(doubts: Doubts) -> None:
    assert doubts('main() { giveweapon("riffle"); }\ngiveweapon(name) { }') == []


def test_variables_that_nothing_sets(doubts: Doubts) -> None:
    assert doubts("""main(given)
{
    iprintln(given, cuont, cuont);
    if (isdefined(never) || isdefined(self.never))
        return;
    count = 1;
    number++;
    list["a"] = 1;
    level waittill("shot", who, how);
    for (i = 0; i < count; i++)
        iprintln(list[i], who, how, number, some.field);
}
""") == [
        "3 unset-variable: nothing in 'main' sets 'cuont'; it is undefined | did you mean count?",
        "11 unset-variable: nothing in 'main' sets 'some'; it is undefined",
    ]


def test_variables_that_nothing_reads(doubts: Doubts) -> None:
    assert doubts("""main(given)
{
    count = 1;
    cuont = count + 1;
    number = 0;
    number++;
    entry = undefined;
    list[0] = 1;
    object = spawnstruct();
    object.field = 1;
    level waittill("shot", who);
    for (i = 0; i < 3; i++)
        wait 0.05;
    given = 3;
}
""") == [
        "4 unread-variable: nothing in 'main' reads 'cuont', which is set here | did you mean count?",
        "5 unread-variable: nothing in 'main' reads 'number', which is set here",
    ]


def test_a_misspelt_variable_is_told_once(doubts: Doubts) -> None:
    assert doubts("main() { speeed = 5; level.a = speed; }") == [
        "1 unset-variable: nothing in 'main' sets 'speed'; it is undefined | did you mean speeed?",
    ]


def test_a_variable_with_another_number_is_not_meant(doubts: Doubts) -> None:
    assert doubts("main() { way = 1; level.a = way; way2 = 2; }") == [
        "1 unread-variable: nothing in 'main' reads 'way2', which is set here"
    ]


def test_two_calls_that_a_missing_semicolon_makes_one(doubts: Doubts) -> None:
    assert doubts("""main()
{
    a()
    b();
    thread a()
    thread b();
    level
        b();
    a() b();
    level.q = level.r
    [[level.f]]();
}
a() { }
b() { }
""") == [
        "4 split-call: 'b' is called on what the line before it gives; is a ';' missing there?",
        "6 split-call: 'b' is called on what the line before it gives; is a ';' missing there?",
        "11 split-call: this is called on what the line before it gives; is a ';' missing there?",
    ]


def test_what_a_loop_fills_may_go_unread(doubts: Doubts, tmp_path: Path) -> None:
    (tmp_path / "mod.toml").write_text('name = "mine"\ndialect = "iw4"\n')
    assert (
        doubts("""main(list)
{
    n = 0;
    foreach (key, value in list)
        n++;
    foreach (value in list)
        n--;
    return n;
}
""")
        == []
    )


def test_code_that_is_never_reached(doubts: Doubts) -> None:
    assert doubts("""main(a)
{
    switch (a)
    {
        case 1:
            return;
            break;
        case 2:
            break;
            a = 3;
            a = 4;
        default:
            break;
    }
    for (;;)
    {
        if (a)
            break;
        continue;
        a = 5;
    }
    return;
    a = 6;
}
""") == [
        "10 unreachable: this is never reached: the 'break' before it leaves",
        "20 unreachable: this is never reached: the 'continue' before it leaves",
        "23 unreachable: this is never reached: the 'return' before it leaves",
    ]


def test_every_built_in_that_takes_a_name_is_known() -> None:
    registry = game_registry()
    named = {"model": MODEL, "alias": SOUND, "weapon": WEAPON}
    others = {("obituary", False)}  # its weapon may be any word
    for method, natives in (
        (False, [[native] for native in registry.functions.values()]),
        (True, list(registry.methods.values())),
    ):
        for native in (native for each in natives for native in each):
            name = native.signature.name, method
            for at, parameter in enumerate(native.parameters):
                kind = named.get(parameter.name)
                if (
                    kind is not None
                    and parameter.kind is str
                    and not parameter.optional
                    and name not in others
                ):
                    assert NAMING.get(name) == (at, kind), name
    for (known, method), (at, _) in NAMING.items():
        found = registry.methods[known][0] if method else registry.functions[known]
        assert found.parameters[at].name in (*named, "name"), known


def test_a_missing_sound_is_told_where_nobody_hears_it(tmp_path: Path) -> None:
    (tmp_path / "mod.toml").write_text('name = "mine"\nautostart = "mine"\n')
    (tmp_path / "mine.gsc").write_text(
        'main() { spot = spawn("script_model", (0, 0, 0)); spot playsound("bel"); wait 0.1; spot playsound("bel");'
        ' spot playloopsound("wnd"); }'
    )
    lines: list[LogLine] = []
    session = GameSession(GameOptions(mods=(tmp_path,), watch=False), Journal(echo=lines.append))
    for _ in range(6):
        session.frame()
    session.close()
    told = [line.diagnostic.message for line in lines if line.diagnostic is not None]
    assert told == ["there is no sound `bel`", "there is no sound `wnd`"]
