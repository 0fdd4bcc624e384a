"""BOS to code words: each row of the compile scheme as source and the words it must become."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, read_cob, write_cob
from engine.cob.disassembler import disassemble, instructions
from engine.cob.profiles import PROFILES
from engine.cob.verifier import verify
from engine.source import Diagnostic, DiagnosticError, SourceText

HEAD = "piece base, arm; static-var s, t;\n"


def compiled(text: str, **options) -> CobFile:
    if "profile" in options:
        options["profile"] = PROFILES[options["profile"]]
    return compile_bos(SourceText("unit.bos", text), **options).cob


def listing(text: str, **options) -> list[str]:
    """The instructions of the program as `name operand ...`."""
    return [
        " ".join([i.op.name if i.op else "data", *map(str, map(int, i.operands))])
        for i in instructions(compiled(text, **options))
    ]


def body(statements: str, **options) -> str:
    """The instructions of one function body, without the implicit end, joined with semicolons."""
    words = listing(HEAD + "F() { var a; " + statements + "} G(x, y) { return 1; }", **options)
    assert words[0] == "alloc-local"
    end = words.index("alloc-local", 1) if "alloc-local" in words[1:] else len(words)
    words = words[1:end]
    return "; ".join(words[:-2] if words[-2:] == ["push-constant 0", "return"] else words)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a = 5;", "push-constant 5; pop-local 0"),
        ("s = a;", "push-local 0; pop-static 0"),
        ("++t;", "push-static 1; push-constant 1; add; pop-static 1"),
        ("--a;", "push-local 0; push-constant 1; sub; pop-local 0"),
        ("a = arm;", "push-constant 1; pop-local 0"),
        ("move arm to z-axis [2] speed [0.5];", "push-constant 81920; push-constant 327680; move 1 2"),
        ("turn base to y-axis <90> now;", "push-constant 16380; turn-now 0 1"),
        ("turn 1 to x-axis a speed <-1>;", "push-constant 4294967114; push-local 0; turn 1 0"),
        ("spin arm around y-axis speed 60;", "push-constant 0; push-constant 60; spin 1 1"),
        ("spin arm around y-axis speed 60 accelerate 3;", "push-constant 3; push-constant 60; spin 1 1"),
        ("stop-spin arm around y-axis;", "push-constant 0; stop-spin 1 1"),
        ("wait-for-turn arm around x-axis;", "wait-for-turn 1 0"),
        ("wait-for-move arm along z-axis;", "wait-for-move 1 2"),
        ("emit-sfx 256 from arm;", "push-constant 256; emit-sfx 1"),
        ("explode arm type 4 | 8;", "push-constant 4; push-constant 8; bit-or; explode 1"),
        ("call-script G(1, a);", "push-constant 1; push-local 0; call-script 1 2"),
        ("a = get 4;", "push-constant 4; get-unit-value; pop-local 0"),
        ("get 4 * 2;", None),
        (
            "a = get 16(a - 1);",
            "push-constant 16; push-local 0; push-constant 1; sub; push-constant 0; push-constant 0; "
            "push-constant 0; get; pop-local 0",
        ),
        ("get 7(1, 2, 3, 4);", "; ".join(f"push-constant {n}" for n in (7, 1, 2, 3, 4)) + "; get; discard"),
        ("a = rand(1, 6);", "push-constant 1; push-constant 6; rand; pop-local 0"),
        ("set 18 to 1;", "push-constant 18; push-constant 1; set-unit-value"),
        ("attach-unit a to arm;", "push-local 0; push-constant 1; push-constant 0; attach-unit"),
        ("drop-unit a;", "push-local 0; drop-unit"),
        ("signal 2; set-signal-mask 2; sleep 100;",
         "push-constant 2; signal; push-constant 2; set-signal-mask; push-constant 100; sleep"),
        ("if (a) s = 1;", "push-local 0; jump-if-false 9; push-constant 1; pop-static 0"),
        (
            "if (a) s = 1; else s = 2;",
            "push-local 0; jump-if-false 11; push-constant 1; pop-static 0; jump 15; "
            "push-constant 2; pop-static 0",
        ),
        ("while (TRUE) ++a;",
         "push-constant 1; jump-if-false 14; push-local 0; push-constant 1; add; pop-local 0; jump 1"),
        ("a = 1 + 2 * 3;",
         "push-constant 1; push-constant 2; push-constant 3; mul; add; pop-local 0"),
        ("a = !s == 1;", "push-static 0; not; push-constant 1; eq; pop-local 0"),
        ("a = s OR t OR a AND 1;",
         "push-static 0; push-static 1; push-local 0; push-constant 1; and; or; or; pop-local 0"),
        ("a = a -1;", "push-local 0; push-constant 1; sub; pop-local 0"),
        ("show base; hide base; cache base; dont-cache base; shade base; dont-shade base;",
         "show 0; hide 0; cache 0; dont-cache 0; shade 0; dont-shade 0"),
    ],
)  # fmt: skip
def test_scheme(source: str, words: str | None) -> None:
    if words is None:
        with pytest.raises(DiagnosticError, match="expected ';'"):
            body(source)
    else:
        assert body(source) == words


def test_the_file_of_the_documented_program() -> None:
    """One script, two pieces: 9 code words and 111 bytes, laid out without padding."""
    source = "piece base, turret; Create() { turn turret to y-axis <90> now; return (0); }"
    cob = compiled(source, profile="cavedog")
    words = [0x10021001, 0x4000, 0x1000C000, 1, 1, 0x10021001, 0, 0x10065000]
    assert cob.code == words
    data = write_cob(cob)
    assert len(data) == 44 + 4 * len(words) + 4 + 4 + 8 + 19
    again = read_cob(data)
    assert write_cob(again) == data
    assert [s.name for s in again.scripts] == ["Create"]
    assert again.pieces == ["base", "turret"]


def test_profiles_differ_where_history_did() -> None:
    empty = "Idle() {} Next() { return; }"
    assert listing(empty) == ["alloc-local", "return"]
    assert listing(empty, profile="bos2cob") == ["push-constant 0", "return"] * 2
    assert [s.entry for s in compiled(empty).scripts] == [0, 0]
    logic = HEAD + "F() { s = s AND t OR s; }"
    assert listing(logic)[3:5] == ["or", "and"]
    assert listing(logic, profile="bos2cob")[2:5] == ["and", "push-static 0", "or"]
    value = "static-var s; F() { s = [0.7]; }"
    assert listing(value)[0] == "push-constant 114688"
    assert listing("static-var s; F() { s = <50>; }", profile="cavedog")[0] == "push-constant 9102"
    assert listing("static-var s; F() { s = <0.003>; }")[0] == "push-constant 0"
    assert listing("static-var s; F() { s = <0.003>; }", profile="cobbler")[0] == "push-constant 1"
    assert listing("static-var s; F() { s = 2 * 3 + 1; }", profile="bos2cob")[0] == "push-constant 7"


def test_safe_end_gives_every_path_a_return() -> None:
    source = "static-var s; F() { if (s) { return 1; } } G() { return 2; }"
    warnings: list[Diagnostic] = []
    plain = compiled(source, warnings=warnings)
    assert [d.code for d in warnings] == ["bos-runs-on"]
    assert plain.scripts[1].entry == plain.code[3]
    warnings.clear()
    safe = compiled(source, safe_end=True, warnings=warnings)
    assert warnings == []
    assert safe.code[7:10] == [0x10021001, 0, 0x10065000]


def test_the_shipped_headers_compile_together() -> None:
    source = """
    #include "exptype.h"
    #include "sfxtype.h"
    piece base, vent;
    #define SMOKEPIECE1 vent
    #include "statechg.h"
    #define ACTIVATECMD show vent;
    #define DEACTIVATECMD hide vent;
    #include "statechg.h"
    #include "smokeunit.h"
    #include "yard.h"
    #include "hitweap.h"
    #include "rockunit.h"
    Create() { call-script InitState(); start-script SmokeUnit(); }
    Activate() { start-script RequestState(ACTIVE); }
    """
    cob = compiled(source)
    assert [d for d in verify(cob) if d.severity == "error"] == []
    assert "RequestState:" in disassemble(cob)


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("F() { s = -x; }", "bos-minus", 1),
        ("F() {\n x = call-script F();\n}", "bos-call-value", 2),
        ("F() { G(1); }", "bos-syntax", 1),
        ("F() { call-script Missing(); }", "bos-unknown-function", 1),
        ("F() { nothing = 1; }", "bos-unknown-name", 1),
        ("piece p; F() { p = 1; }", "bos-assign-piece", 1),
        ("piece p; F() { explode 1 type 32; }", "bos-piece-range", 1),
        ("F() {} F() {}", "bos-duplicate", 1),
        ("F() { var a, a; }", "bos-duplicate", 1),
        ("/* open", "bos-open-comment", 1),
        ('#include "nowhere.h"\nF() {}', "bos-missing-include", 1),
        ("#ifdef X\nF() {}", "bos-open-conditional", 1),
        ("F() { play-sound(\"a\", 1); }", "bos-target", 1),
        ("static-var s; F() { s = 99999999999; }", "bos-number-range", 1),
        ("F() { s = 5 % 2; }", "bos-operator", 1),
        ("#define A B(A)\n#define B(x) x x x x x x x x\nstatic-var s; F() { s = " + "(" * 300 + "1; }",
         "bos-nesting", 3),
    ],
)  # fmt: skip
def test_refusals(source: str, code: str, line: int) -> None:
    with pytest.raises(DiagnosticError) as caught:
        compiled(source)
    found = [(d.code, d.span.line) for d in caught.value.diagnostics if d.span]
    assert (code, line) in found


def test_a_file_may_hold_many_errors_and_all_are_told() -> None:
    with pytest.raises(DiagnosticError) as caught:
        compiled("F() { a = 1; }\nG() { show nothing; }\nH() { sleep; }")
    assert [d.span.line for d in caught.value.diagnostics if d.span] == [1, 2, 3]


def test_includes_look_beside_the_file_then_along_the_path(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "Defs.H").write_text("#define N 7\n")
    (tmp_path / "near.h").write_text('#include "DEFS.h"\n')
    source = '#include "near.h"\nstatic-var s; F() { s = N; }'
    words = listing(source, folder=tmp_path, include_path=[tmp_path / "inc"])
    assert words[0] == "push-constant 7"


def test_damaged_files_are_refused_with_the_byte() -> None:
    data = write_cob(compiled("piece base; Create() { show base; }"))
    for end in range(0, len(data), 3):
        with pytest.raises(DiagnosticError, match="byte"):
            read_cob(data[:end])
    for at in range(0, 44, 4):
        broken = bytearray(data)
        broken[at : at + 4] = b"\xff\xff\xff\x7f"
        if at == 0x28:
            read_cob(bytes(broken))  # with no trailing records their pointer leads nowhere
            continue
        with pytest.raises(DiagnosticError) as caught:
            read_cob(bytes(broken))
        assert caught.value.diagnostics[0].code == "bad-cob"
