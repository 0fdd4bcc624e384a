"""Decompiling a program gives source that the same compiler makes the same bytes of."""

from __future__ import annotations

import pytest

from engine.cob.assembler import assemble
from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, Script, read_cob, write_cob
from engine.cob.decompiler import decompile
from engine.cob.disassembler import disassemble
from engine.cob.isa import BANNER_MARKER, WORD
from engine.cob.profiles import PROFILES
from engine.source import DiagnosticError, SourceText
from tests.cob.fuzz import damaged, try_file
from tests.cob.programs import Writer


def compiled(text: str, profile: str = "scriptor", target: str = "ta") -> CobFile:
    return compile_bos(SourceText("u.bos", text), profile=PROFILES[profile], target=target).cob


def again(cob: CobFile, profile: str) -> CobFile:
    result = decompile(cob, PROFILES[profile])
    assert result.problems == []
    return compile_bos(SourceText("again.bos", result.text), profile=PROFILES[profile]).cob


@pytest.mark.parametrize("target", ["ta", "tak"])
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_random_programs_come_back_byte_for_byte(profile: str, target: str) -> None:
    for seed in range(70):
        text = Writer(seed, modern=PROFILES[profile].modern_operators).program()
        cob = compiled(text, profile, target)
        assert write_cob(again(cob, profile)) == write_cob(cob), f"seed {seed}"
        assembled = assemble(SourceText("x.asm", disassemble(read_cob(write_cob(cob)))))
        assert write_cob(assembled) == write_cob(cob)


ROWS = (
    "", "return;", "return (0);", "return (1);", "var a;", "var a; a = 1; return (a);",
    "if (s) { return (1); }", "if (s) { return (0); }", "if (s) { hide p; } else { }", "if (s) { }",
    "if (s) { if (t) { hide p; } else { } }", "if (s) { if (t) { hide p; } } else { show p; }",
    "if (s) { while (t) { --t; } }", "if (s) { while (t) { --t; } } else { show p; }",
    "while (s) { if (t) { hide p; } else { show p; } }", "while (TRUE) { }", "while (s) { while (t) { --t; } }",
    "while (s) { if (t) { return (1); } }", "for (s = 0; s < 5; ++s) { show p; }",
    "if (s) { hide p; } else if (t) { show p; } else if (s == t) { cache p; } else { shade p; }",
    "if (s) { hide p; } else { if (t) { show p; } shade p; }", "if (s) { return (1); } return (0);",
    "if (s) { return (1); } else { return (2); }", "s = t AND s OR t;", "s = (t AND s) OR t;", "s = t AND (s OR t);",
    "s = s - (t - s);", "s = s - t - s;", "s = s * (t + 1) / 2;", "s = !(s == t) + !t;", "s = !get 4;",
    "s = get 7(p); s = get 16(get 7(q));", "get 4; get 7(1, 2);", "s = rand(0 - 3, 3);", "s = (s < t) < (t < s);",
    "s = s | t ? 7;", "s = -7 - -8;", "turn p to y-axis 0 - t speed <45>; move q to x-axis [1.25] now;",
    "spin p around z-axis speed <90>; spin p around z-axis speed <90> accelerate <1.5>; stop-spin p around z-axis;",
    "emit-sfx 257 from q; explode p type 32 | 256; explode q type 4 + t;",
    "attach-unit s to q; attach-unit s to 0 - 1;",
    "set 18 to TRUE; set s + 1 to t;", "start-script G(1, s); call-script G(s, t);", "signal 2; set-signal-mask 2;",
    "sleep 100; drop-unit s; --s; ++t;", "var a; if (s) { var b; b = a; } var c; c = 5;", "sleep 1; return;",
)  # fmt: skip


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("row", ROWS)
def test_each_construct_comes_back(row: str, profile: str) -> None:
    text = f"piece p, q; static-var s, t; F() {{ {row} }} G(x, y) {{ s = x; t = y; }}"
    cob = compiled(text, profile)
    assert write_cob(again(cob, profile)) == write_cob(cob)


def test_the_text_is_what_a_person_would_write() -> None:
    source = """
    #include "exptype.h"
    piece base, barrel, flare;
    AimPrimary(heading, pitch)
    {
        signal 2; set-signal-mask 2;
        turn barrel to y-axis heading speed <90>;
        turn barrel to x-axis 0 - pitch speed <45.5>;
        while (get HEALTH < 50 AND !get BUSY) { sleep 100; }
        return (1);
    }
    QueryPrimary(piecenum) { piecenum = flare; }
    Killed(severity, corpsetype) { explode barrel type FALL | SMOKE | BITMAP1; return (corpsetype); }
    """
    assert decompile(compiled(source)).text.split("\n\n", 1)[1] == (
        "piece base, barrel, flare;\n\n"
        "AimPrimary(heading, pitch)\n{\n"
        "    signal 2;\n    set-signal-mask 2;\n"
        "    turn barrel to y-axis heading speed <90>;\n"
        "    turn barrel to x-axis 0 - pitch speed <45.5>;\n"
        "    while (get HEALTH < 50 AND !get BUSY)\n    {\n        sleep 100;\n    }\n"
        "    return (1);\n}\n\n"
        "QueryPrimary(piecenum)\n{\n    piecenum = flare;\n}\n\n"
        "Killed(severity, corpsetype)\n{\n"
        "    explode barrel type FALL | SMOKE | BITMAP1;\n    return (corpsetype);\n}\n"
    )


def test_the_banner_of_an_unregistered_compiler_is_left_out() -> None:
    cob = compiled("static-var s; F() { s = 1; } G() { s = 2; }")
    split = cob.scripts[1].entry
    banner = [BANNER_MARKER, *[0x20202020] * 36]
    with_banner = CobFile(
        code=[*cob.code[:split], *banner, *cob.code[split:]],
        scripts=[cob.scripts[0], Script("G", split + 37)],
        statics=1,
    )
    result = decompile(with_banner)
    assert [d.code for d in result.problems] == ["cob-banner"]
    assert compiled(result.text).code == cob.code
    text = disassemble(with_banner)
    assert "Buil" in text
    assert write_cob(assemble(SourceText("x.asm", text))) == write_cob(with_banner)


@pytest.mark.parametrize(
    ("cob", "code"),
    [
        (CobFile(code=[WORD["jump"], 0], scripts=[Script("F", 0)]), "cob-structure"),
        (CobFile(code=[WORD["return"]], scripts=[Script("F", 0)]), "cob-structure"),
        (
            CobFile(code=[WORD["carrier-identity"], WORD["discard"]], scripts=[Script("F", 0)]),
            "cob-structure",
        ),
        (CobFile(code=[5, 6], scripts=[Script("F", 0)]), "cob-structure"),
        (CobFile(pieces=["wheel 1"]), "cob-name"),
        (CobFile(scripts=[Script("F", 0), Script("f", 0)]), "cob-name"),
        (
            CobFile(code=[WORD["alloc-local"], WORD["return"]], scripts=[Script("F", 2), Script("G", 0)]),
            "cob-order",
        ),
    ],
)
def test_what_no_source_can_say_is_told(cob: CobFile, code: str) -> None:
    assert code in [d.code for d in decompile(cob).problems]


def test_damaged_programs_disassemble_and_decompile_without_a_fault() -> None:
    import random

    pick = random.Random(4)
    for seed in range(30):
        data = write_cob(compiled(Writer(seed).program(), target="tak" if seed % 2 else "ta"))
        for _ in range(25):
            cob = try_file(damaged(pick, data))
            if cob is not None:
                assert write_cob(assemble(SourceText("x.asm", disassemble(cob)))) == write_cob(cob)
                decompile(cob)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (".version 5", 1),
        (".piece a\n.piece a", 2),
        ("\nadd 5", 2),
        ("show nothing", 1),
        ("turn #0 sideways", 1),
        ("jump L9", 1),
        ("ad", 1),
        (".script F", 1),
        ("push-constant 99999999999", 1),
        ('.sound s "\\u1234"', 1),
        (".layout 10 1 1 1 1 1 1", 1),
        (".layout 10", 1),
    ],
)
def test_assembler_errors_have_their_line(text: str, line: int) -> None:
    with pytest.raises(DiagnosticError) as caught:
        assemble(SourceText("x.asm", text))
    (problem,) = caught.value.diagnostics
    assert problem.span is not None
    assert (problem.code, problem.span.line) == ("asm-syntax", line)


def test_an_edited_listing_moves_its_jumps_along() -> None:
    text = disassemble(compiled("static-var s; F() { while (s) { --s; } } G() { s = 1; }"))
    edited = text.replace("F:\n", "F:\nL0b:\n  push-constant 7\n  pop-static 0\n", 1)
    cob = assemble(SourceText("x.asm", edited))
    assert (
        cob.scripts[1].entry
        == compiled("static-var s; F() { s = 7; while (s) { --s; } } G() { }").scripts[1].entry
    )
