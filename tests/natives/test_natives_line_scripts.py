"""Line scripts on entities: from GSC and back, fields as variables, the HUD, saving, and editing while they run."""

from __future__ import annotations

import pytest

from engine.natives.saving import game_state
from engine.source import DiagnosticError, SourceText
from engine.vm.objects import ScriptObject
from engine.world.lives import Lives
from tests.natives.natives_kit import Game, game


def play(gsc: str, **scripts: str) -> Game:
    """A game whose `main` is the given body, with line scripts by name, two seconds long."""
    made = start(gsc, **scripts)
    made.frames(40)
    return made


def start(gsc: str, **scripts: str) -> Game:
    # The script's `main` runs within `game`, before there is a source of line scripts: so it waits a frame.
    made = game("main() { wait 0.05; run(); }\nrun() {" + gsc + "}")
    texts = dict(scripts)

    def find(name: str) -> SourceText | None:
        return SourceText(f"scripts/{name}.script", texts[name]) if name in texts else None

    made.world.lives.connect(find, made.faults.append, made.out.append)
    made.texts = texts  # type: ignore[attr-defined]
    return made


SPAWN = 'e = spawn("script_origin", (1, 2, 3)); level.e = e; '


def test_fields_are_variables_both_ways() -> None:
    made = play(
        SPAWN + 'e.count = 4; e.word = "bee"; e runscript("s"); wait 0.2; '
        'println(e.count, " ", e.origin, " ", e.word);',
        s="count = count + 1\norigin = origin + (0, 0, count)\nword = word + 's'\nown = 3\nprint(own, origin, word)\n",
    )  # fmt: skip
    assert made.messages == []
    assert made.printed == ["3 (1, 2, 8) bees", "5 (1.00, 2.00, 8.00) bees"]


def test_a_variable_of_its_own_is_no_field() -> None:
    made = play(SPAWN + 'e runscript("s"); wait 0.2; println(isdefined(e.own));', s="own = 1\n")
    assert made.printed == ["0"]


def test_notify_goes_both_ways() -> None:
    gsc = (
        SPAWN
        + """
        e runscript("s");
        e waittill("landed", where, times);
        println("landed ", where, " ", times);
        e notify("up");
        e waittill("flies");
        println("flies");
    """
    )
    text = 'wait 0.1\nnotify("landed", origin, 2)\nwaituntil heard("up")\nprint("up", heard("up"))\nnotify("flies")\n'
    made = play(gsc, s=text)
    assert made.messages == []
    assert made.printed == ["landed (1.00, 2.00, 3.00) 2", "up false", "flies"]


def test_a_script_ends_with_its_entity_and_when_it_is_stopped() -> None:
    made = start(
        SPAWN + 'e runscript("s"); e runscript("t"); f = spawn("script_origin", (0,0,0)); f runscript("s"); '
        'wait 0.2; println(e stopscript("t")); f delete(); wait 0.3; println(e stopscript());',
        s="while true\n  wait 0.05\nend\n",
        t="wait 100\n",
    )  # fmt: skip
    made.frames(3)
    assert len(made.world.lives.lives) == 3
    made.frames(6)
    assert [life.name for life in made.world.lives.lives] == ["s"]
    made.frames(10)
    assert made.world.lives.lives == []
    assert made.printed == ["1", "1"]
    assert made.vm.scheduler.listeners == {}
    assert made.messages == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("origin = 5\n", "field 'origin'"),
        ("count = 99999999999\n", "does not fit into a field"),
        ("origin = (1e300 * 1e300, 0, 0)\n", "finite"),
        ("x = prey\n", "no type for"),
        ("word = colour(1, 1, 1)\n", "cannot hold a colour"),
        ("light((0, 0, 0), colour(1, 1, 1), -4)\n", "the radius of a light"),
        ("effect('dust', (1e300 * 10, 0, 0) * 1e300)\n", "finite"),
    ],
)
def test_what_a_field_refuses_is_told_at_its_line(text: str, message: str) -> None:
    made = play(SPAWN + 'e.count = 1; e.word = "w"; e.prey = level; e runscript("s");', s="wait 0.1\n" + text)
    assert len(made.faults) == 1
    assert message in made.messages[0]
    assert made.faults[0].span is not None
    assert made.faults[0].span.line == 2


def test_a_script_that_is_missing_or_wrong_is_an_error_of_the_caller() -> None:
    made = play(SPAWN + 'e runscript("none");')
    assert "there is no line script 'none'" in made.messages[0]
    made = play(SPAWN + 'e runscript("bad");', bad="x = 1\nx = = 2\n")
    assert "line script 'bad' has an error in scripts/bad.script:2:5" in made.messages[0]


def test_hud_fields_follow_expressions() -> None:
    made = start(
        """
        level.score = 1;
        h = newhudelem(); level.h = h;
        h bindtext("'Score ' + score * 10");
        p = newhudelem(); p setshader("white", 10, 10); p.width_of = 1;
        p bindsize("20 + score", "max(1, 5 - score)");
        wait 0.2; level.score = 7; wait 0.2; h bindtext(""); level.score = 8; wait 0.2;
        h bindtext("nowhere");
        wait 0.2; h destroy();
        """
    )
    made.frames(4)
    text, picture = made.world.picture().hud
    assert (text.text, picture.width, picture.height) == ("Score 10", 21.0, 4.0)
    made.frames(4)
    text, picture = made.world.picture().hud
    assert (text.text, picture.width, picture.height) == ("Score 70", 27.0, 1.0)
    made.frames(4)
    assert made.world.picture().hud[0].text == "Score 70"
    made.frames(10)
    assert made.messages == ["there is no variable 'nowhere'"]
    assert len(made.world.lives.bindings) == 1


@pytest.mark.parametrize("expression", ["1 +", "x = 1\\ny = 2", "while true", "unknown(1)", "(((", "'open"])
def test_an_expression_that_is_none_is_refused(expression: str) -> None:
    made = play(f'h = newhudelem(); h bindtext("{expression}");')
    assert len(made.messages) == 1
    assert "the expression has an error" in made.messages[0]


def test_editing_a_script_carries_its_lives_over() -> None:
    before = "n = 0\nwhile true\n  n = n + 1\n  wait 0.1\nend\n"
    made = start(SPAWN + 'e runscript("s");', s=before)
    made.frames(8)
    lives = made.world.lives
    n = lives.lives[0].context.scope.values["n"]
    made.texts["s"] = "# a line more\n" + before.replace("n + 1", "n + 100")  # type: ignore[attr-defined]
    fates = lives.swap(lives.changed())
    assert [fate.value for fate in fates] == ["untouched"]
    made.frames(4)
    assert lives.lives[0].context.scope.values["n"] == int(str(n)) + 200
    made.texts["s"] = "n = = 1\n"  # type: ignore[attr-defined]
    with pytest.raises(DiagnosticError):
        lives.changed()
    made.frames(2)
    assert made.messages == []


def test_lives_are_saved_and_go_on() -> None:
    text = "n = 0\nwhile true\n  n = n + 1\n  count = n\n  wait 0.1\nend\n"
    made = start(SPAWN + 'e.count = 0; e runscript("s"); h = newhudelem(); h bindtext("time()");', s=text)
    made.frames(6)
    lives = made.world.lives
    packed = lives.packed()
    before = lives.lives[0].context.scope.values["n"]
    made.frames(20)
    assert lives.lives[0].context.scope.values["n"] != before
    made.world.time -= 20 * 50
    put_back(lives, packed)
    assert len(lives.lives) == len(lives.bindings) == 1
    assert lives.lives[0].context.scope.values["n"] == before
    assert lives.packed() == packed
    made.texts["s"] = text + "\n# another text\n"  # type: ignore[attr-defined]
    lives.swap(lives.changed())
    put_back(lives, packed)
    assert lives.lives[0].context.scope.values == {}


def put_back(lives: Lives, packed: list[tuple[ScriptObject, str]]) -> None:
    put = [lives.unpack(target, text) for target, text in packed]
    lives.clear()
    for each in put:
        each()


def test_a_snapshot_of_the_game_has_its_lives() -> None:
    text = (
        "n = 0\nwhile true\n  n = n + 1\n  origin = origin + (1, 0, 0)\n  print(n, origin)\n  wait 0.1\nend\n"
    )
    made = start(SPAWN + 'e runscript("s");', s=text)
    made.vm.state_host = game_state(made.world)
    made.frames(6)
    state, digest = made.vm.snapshot(), made.vm.state_hash()
    made.frames(10)
    first = made.printed
    del made.out[:]
    made.vm.restore(state, changed=True)
    assert made.vm.state_hash() == digest
    made.frames(10)
    assert made.printed == first[-5:]
    assert made.messages == []


@pytest.mark.parametrize(
    "damage",
    [
        ("", "{}"), ('"due": 200', '"due": 1.5'), ('"pc": ', '"pc": 9'), ('"blocks": [[1]]', '"blocks": []'),
        ('"operands": []', '"operands": [1]'), ('"s"', '"t"'), ('"heard": []', '"heard": 3'),
        ('"refs": {}', '"refs": {"a": [0, "n"]}'),
    ],
)  # fmt: skip
def test_a_damaged_life_is_refused(damage: tuple[str, str]) -> None:
    made = start(SPAWN + 'e runscript("s");', s="n = 0\nwhile true\n  wait 0.1\nend\n")
    made.frames(3)
    ((target, text),) = made.world.lives.packed()
    old, new = damage
    assert old in text
    with pytest.raises(ValueError):  # noqa: PT011 - the message is whatever is wrong
        made.world.lives.unpack(target, text.replace(old, new) if old else new)
