"""Natives of unit scripts, as a script sees them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cob.compiler import compile_bos
from engine.cob.profiles import PROFILES
from engine.cob.unit import UnitProgram
from engine.source import SourceText
from tests.natives.natives_kit import Game, error, game

GUN = """
piece root, tag_top; static-var ready;
Create() { ready = 1; }
AimPrimary(heading, pitch) { signal 2; set-signal-mask 2; sleep 100; return heading + pitch; }
QueryPrimary(piece_) { piece_ = tag_top; }
Who(unit) { return unit; }
Forever() { set-signal-mask 4; sleep 90000; }
Activate() { hide root; }
"""


class Programs:
    def unit(self, name: str) -> UnitProgram | None:
        if name != "gun":
            return None
        unit = compile_bos(SourceText("gun.bos", GUN), profile=PROFILES["engine"], safe_end=True)
        return UnitProgram.of(name, unit.cob, unit.statics)

    def unit_names(self) -> list[str]:
        return ["gun"]

    def unit_fault(self, program: str, script: str, code: str, at: int) -> None:
        raise AssertionError((program, script, code))

    def unit_lacks(self, program: str, model: str, piece: str, known: Sequence[str]) -> None:
        raise AssertionError((program, model, piece, known))


def run(body: str, frames: int = 12) -> Game:
    """Runs a body with a gun in `gun` one frame after the start."""
    spawn = 'gun = spawn("script_model", (0, 0, 40)); gun setmodel("crate");'
    made = game("main() {\nwait 0.05;\n" + spawn + "\n" + body + "\n}")
    made.world.units_source = Programs()
    made.frames(frames)
    return made


def test_a_call_answers_under_its_name() -> None:
    made = run(
        'gun usecob("GUN"); println(gun cobcall("AimPrimary", 40, 2.9)); gun waittill("AimPrimary", v); println(v);'
    )
    assert made.messages == []
    assert made.printed == ["1", "42"]


def test_only_the_last_of_two_aims_answers() -> None:
    body = 'gun usecob("gun"); gun cobcall("AimPrimary", 1, 0); gun cobcall("AimPrimary", 2, 0);'
    assert run(body + 'for (;;) { gun waittill("AimPrimary", v); println(v); }').printed == ["2"]


def test_queries_pieces_ports_and_entities() -> None:
    body = """
    gun usecob("gun");
    println(gun cobpiece(gun cobquery("QueryPrimary", -1)));
    println(isdefined(gun cobpiece(7)));
    println(gun cobget(4));
    gun cobset(1, 1);
    println(gun cobget(1));
    gun cobcall("Who", gun);
    gun waittill("Who", number);
    println(number == gun getentitynumber() + 1);
    """
    made = run(body)
    assert made.messages == []
    assert made.printed == ["tag_top", "0", "100", "1", "1"]


def test_when_all_threads_are_taken() -> None:
    body = 'gun usecob("gun"); for (i = 0; i < 8; i++) gun cobcall("Forever"); wait 0.1;'
    body += 'println(gun cobcall("AimPrimary", 1, 1)); println(isdefined(gun cobquery("QueryPrimary")));'
    body += 'gun cobsignal(4); println(gun cobcall("AimPrimary", 1, 1));'
    assert run(body).printed == ["0", "0", "1"]


def test_what_goes_wrong_is_a_script_error() -> None:
    for body, said in (
        ('gun usecob("gum");', "there is no unit script 'gum'; did you mean gun?"),
        ('gun cobcall("Create");', "script_model has no unit script; call usecob first"),
        (
            'gun usecob("gun"); gun cobcall("aimprimary");',
            "unit 'gun' has no script 'aimprimary'; did you mean AimPrimary or QueryPrimary?",
        ),
        (
            'gun usecob("gun"); gun cobcall("Who", "me");',
            "argument 1 of a unit script must be a number or an entity",
        ),
        (
            'gun usecob("gun"); gun cobcall("Who", 1, 3000000000.0);',
            "argument 2 of a unit script does not fit 32 bits: 3e+09",
        ),
        (
            'gun usecob("gun"); gun cobcall("Who", 1, 2, 3, 4, 5);',
            "a unit script takes at most 4 arguments, not 5",
        ),
    ):
        assert said in run(body).messages[0]
    assert "call setmodel first" in error('e = spawn("script_origin", (0, 0, 0)); e usecob("gun");')
