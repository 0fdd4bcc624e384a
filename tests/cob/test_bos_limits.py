"""What is too much, too deep or too long for the compiler ends in a diagnostic, and what is only long compiles."""

from __future__ import annotations

import pytest

from engine.cob.compiler import compile_bos
from engine.cob.profiles import PROFILES
from engine.source import Diagnostic, DiagnosticError, SourceText


def problems(text: str, **options) -> list[tuple[str, int]]:
    """Code and line of everything that is said about a program."""
    warnings: list[Diagnostic] = []
    try:
        compile_bos(SourceText("u.bos", text), warnings=warnings, **options)
    except DiagnosticError as error:
        warnings = list(error.diagnostics)
    return [(d.code, d.span.line) for d in warnings if d.span]


def chain(count: int) -> str:
    return "".join(f"#define M{i} M{i + 1}\n" for i in range(count))


def test_a_chain_of_macros_has_an_end() -> None:
    text = chain(2000) + "static-var s; F() { s = M0; }"
    assert ("bos-macro-depth", 2001) in problems(text)
    short = chain(150) + "#define M150 5\nstatic-var s; F() { s = M0; }"
    assert problems(short) == []


def test_macros_that_double_themselves_into_nothing_have_an_end() -> None:
    text = "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(40)) + "#define A40\nF() { A0 }"
    assert problems(text) == [("bos-too-large", 42)]


@pytest.mark.parametrize("condition", ["(" * 3000 + "1" + ")" * 3000, "!" * 3000 + "1", "- " * 3000 + "1"])
def test_conditions_nest_only_so_deep(condition: str) -> None:
    found = problems(f"#if {condition}\nF() {{}}\n#endif\n")
    assert found == [("bos-bad-directive", 1)]


def test_a_macro_may_end_in_the_name_of_one_with_arguments() -> None:
    text = "#define TWICE(x) x + x\n#define AGAIN TWICE\nstatic-var s; F() { s = AGAIN(3); }"
    code = compile_bos(SourceText("u.bos", text)).cob.code
    assert code[1:4:2] == [3, 3]


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 400 + ".5", "0x" + "F" * 60, "1" * 41])
def test_numbers_without_end(number: str) -> None:
    assert ("bos-number-range", 1) in problems(f"static-var s; F() {{ s = {number}; }}")
    assert problems(f"#if {number}\n#endif") == [("bos-bad-directive", 1)]


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("operator", ["+", "*", "OR", "AND", "|", "=="])
def test_long_expressions_need_no_deep_stack(profile: str, operator: str) -> None:
    for term in ("s", "1"):
        text = "static-var s; F() { s = " + f" {operator} ".join([term] * 1200) + "; }"
        assert problems(text, profile=PROFILES[profile]) == []


def test_a_folded_value_that_does_not_fit_is_left_to_the_machine() -> None:
    text = "static-var s; F() { s = 2000000000 * 2000000000; }"
    assert problems(text, profile=PROFILES["bos2cob"]) == []


def test_long_chains_of_else_if() -> None:
    arms = "".join(f"if (s == {i}) {{ s = 1; }} else " for i in range(500))
    unit = compile_bos(SourceText("u.bos", f"static-var s; F() {{ {arms} s = 2; }}"))
    jumps = [at for at in unit.spans if unit.cob.code[at] == 0x10064000]
    assert len(jumps) == 500
    assert len({unit.cob.code[at + 1] for at in jumps}) == 1


def test_blocks_nest_only_so_deep() -> None:
    text = "F() " + "{ " * 3000 + "}" * 3000
    assert ("bos-nesting", 1) in problems(text)


def test_every_error_of_a_function_is_told() -> None:
    text = "piece p;\nF()\n{\n  nothing = 1;\n  show q;\n  sleep ;\n  p = 2;\n  call-script G();\n}"
    assert problems(text) == [
        ("bos-unknown-name", 4),
        ("bos-unknown-piece", 5),
        ("bos-syntax", 6),
        ("bos-assign-piece", 7),
        ("bos-unknown-function", 8),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("F() { set-signal-mask 4; signal 2; sleep 1; }", "bos-signal"),
        ("F() { var a; }", "bos-unused"),
        ("static-var s; F() { }", "bos-unused"),
        ("aimprimary(h, p) { sleep h + p; return 1; }", "bos-callback-case"),
        ("Aimweapon1(h, p) { sleep h + p; return 1; }", "bos-callback-case"),
        ("static-var s; F() { if (s) { return 1; } } G() { return 1; }", "bos-runs-on"),
        ("F(a) { sleep a; } G() { call-script F(); }", "bos-arguments"),
        ("piece s; static-var s; F() { s = s; }", "bos-shadow"),
        ("piece p; F() { dont-shadow p; }", "bos-target"),
    ],
)
def test_warnings(text: str, code: str) -> None:
    assert [found for found, _ in problems(text)] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "F() { set-signal-mask 6; signal 2; }",
        "F(x) { set-signal-mask 4; signal x; }",
        "F() { set-signal-mask 0; }",
        "AimWeapon1(h, p) { sleep h + p; }",
        "F(unused) { sleep 1; }",
    ],
)
def test_no_warning_where_nothing_is_wrong(text: str) -> None:
    assert problems(text) == []


def test_pieces_that_the_model_lacks_are_named_once_each() -> None:
    text = "piece base, ghost, barrel;\nF() { show ghost; hide ghost; show barrel; }"
    assert problems(text, model_pieces=["Base", "Barrel", "host"]) == [("bos-missing-piece", 1)]
    assert problems(text) == []


def test_one_compiler_took_dont_shadow_for_dont_shade() -> None:
    text = "piece p; F() { dont-shadow p; }"
    for profile, word in (("bos2cob", 0x1000E000), ("scriptor", 0x1000A000)):
        unit = compile_bos(SourceText("u.bos", text), profile=PROFILES[profile], target="tak")
        assert unit.cob.code[0] == word


def test_a_bracket_that_a_macro_leaves_open_is_told_once_at_the_macro() -> None:
    text = (
        "#define STEP <12\npiece a;\n"
        + "F() { turn a to x-axis STEP speed <1>; turn a to x-axis STEP now; }\n" * 2
    )
    assert problems(text)[0] == ("bos-syntax", 1)
    assert [line for code, line in problems(text) if code == "bos-syntax"] == [1]
    fine = text.replace("<12", "<12>").replace("F()", "G()", 1)
    assert problems(fine) == []
