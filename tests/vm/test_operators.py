"""Every operator on every pair of types, against a table written from the language page."""

from __future__ import annotations

import itertools

import pytest

from engine.vm.errors import ScriptError
from engine.vm.operators import float_text, to_float, to_int, to_text, truth
from tests.vm.vm_kit import body, make

# One literal of each type, with the name that error messages use.
OPERANDS = {
    "7": "int",
    "2.5": "float",
    '"abc"': "string",
    '&"KEY"': "localized string",
    "(1, 2, 3)": "vector",
    "undefined": "undefined",
    "level": "object",
    "::main": "function",
}
TEXT = {"7": "7", "2.5": "2.5", '"abc"': "abc", "(1, 2, 3)": "(1.00, 2.00, 3.00)"}
ARITHMETIC = {
    ("7", "+", "7"): "14", ("7", "-", "7"): "0", ("7", "*", "7"): "49", ("7", "/", "7"): "1", ("7", "%", "7"): "0",
    ("7", "|", "7"): "7", ("7", "^", "7"): "0", ("7", "&", "7"): "7", ("7", "<<", "7"): "896", ("7", ">>", "7"): "0",
    ("7", "+", "2.5"): "9.5", ("7", "-", "2.5"): "4.5", ("7", "*", "2.5"): "17.5", ("7", "/", "2.5"): "2.8",
    ("2.5", "+", "7"): "9.5", ("2.5", "-", "7"): "-4.5", ("2.5", "*", "7"): "17.5", ("2.5", "/", "7"): "0.357143",
    ("2.5", "+", "2.5"): "5", ("2.5", "-", "2.5"): "0", ("2.5", "*", "2.5"): "6.25", ("2.5", "/", "2.5"): "1",
    ("(1, 2, 3)", "+", "(1, 2, 3)"): "(2.00, 4.00, 6.00)", ("(1, 2, 3)", "-", "(1, 2, 3)"): "(0.00, 0.00, 0.00)",
}  # fmt: skip
BINARY = ["+", "-", "*", "/", "%", "|", "^", "&", "<<", ">>", "<", ">", "<=", ">=", "==", "!="]


def expected(a: str, op: str, b: str) -> str:
    """What `a op b` prints, or the message of its error, by the rules of the page."""
    kinds = OPERANDS[a], OPERANDS[b]
    paired = (
        kinds[0]
        if kinds[0] == kinds[1]
        else "float"
        if set(kinds) == {"int", "float"}
        else "string"
        if "string" in kinds and set(kinds) & {"int", "float", "vector"}
        else None
    )
    if paired is None:
        return f"pair has unmatching types '{kinds[0]}' and '{kinds[1]}'"
    if op in ("==", "!="):
        same = a == b
        return "1" if same == (op == "==") else "0"
    if op in ("<", ">", "<=", ">="):
        if paired in ("int", "float"):
            numbers = float(a), float(b)
            holds = {
                "<": numbers[0] < numbers[1],
                ">": numbers[0] > numbers[1],
                "<=": numbers[0] <= numbers[1],
                ">=": numbers[0] >= numbers[1],
            }[op]
            return "1" if holds else "0"
        return f"operator {op} cannot be applied to {paired}"
    if op == "+" and paired == "string":
        return TEXT[a] + TEXT[b]
    return ARITHMETIC.get((a, op, b), f"operator {op} cannot be applied to {paired}")


CASES = list(itertools.product(OPERANDS, BINARY, OPERANDS))


@pytest.mark.parametrize("form", ["literals", "locals", "fields", "condition"])
def test_operator_matrix(form: str) -> None:
    """1,024 cases through each form that the emitter treats differently."""
    lines = []
    for number, (a, op, b) in enumerate(CASES):
        match form:
            case "literals":
                lines.append(f"r = {a} {op} {b};")
            case "locals":
                lines.append(f"a = {a}; b = {b}; r = a {op} b;")
            case "fields":
                lines.append(f"anim.a = {a}; anim.b = {b}; r = anim.a; r {op}= anim.b;".replace("===", "=="))
                if op in ("<", ">", "<=", ">=", "==", "!="):
                    lines[-1] = f"anim.a = {a}; anim.b = {b}; r = anim.a {op} anim.b;"
            case _:
                lines.append(f"anim.a = {a}; anim.b = {b}; r = 0; if (anim.a {op} anim.b) r = 1;")
        lines.append(f'if (isdefined(r)) println("{number}:", r); else println("{number}:?");')
    run = body("\n".join(lines), "continue")
    got = dict(line.split(":", 1) for line in run.lines)
    errors = iter(e for e in run.errors if not e.message.startswith("cannot cast"))
    relational = ("<", ">", "<=", ">=", "==", "!=")
    wrong = []
    for number, (a, op, b) in enumerate(CASES):
        want = expected(a, op, b)
        failed = " " in want and not want.startswith("(") and "abc" not in want
        if form == "condition" and op not in relational:
            continue
        if failed:
            fault = next(errors).message if form != "condition" else want
            result = "0" if form == "condition" else "?"
            if fault != want or got[str(number)] != result:
                wrong.append((a, op, b, want, fault, got[str(number)]))
        elif got[str(number)] != want:
            wrong.append((a, op, b, want, "", got[str(number)]))
    assert not wrong


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2147483647 + 1", "-2147483648"),
        ("-2147483647 - 2", "2147483647"),
        ("65536 * 65536", "0"),
        ("1 << 35", "8"),
        ("-1 >> 40", "-1"),
        ("-7 / 2", "-3"),
        ("-7 % 3", "-1"),
        ("7 % -3", "1"),
        ("16777217 + 0.0", "1.67772e+07"),
        ("0.1 + 0.2 == 0.3", "1"),
        ("0.0000005 == 0.0", "1"),
        ("0.00001 == 0.0", "0"),
        ('"7" == 7', "1"),
        ('"7" + 7', "77"),
        ("5 && 3", "1"),
        ("0 && 3", "0"),
        ("7 || 0", "7"),
        ("0 || 7", "1"),
        ("2.5 || 0", "1"),
        ("(int)-3.9", "-3"),
        ('(int)" -12abc"', "-12"),
        ('(float)".5"', "0.5"),
        ("(string)1.5 + 1", "1.51"),
        ('(bool)"0"', "0"),
        ("(int)3000000000.0", "-2147483648"),
        ("!2.5", "0"),
        ("~0", "-1"),
        ('"abc".size', "3"),
        ('"abc"[2]', "c"),
        ("(4, 5, 6)[1]", "5"),
    ],
)
def test_exact_results(expression: str, text: str) -> None:
    assert body(f"println({expression});").lines == [text]


@pytest.mark.parametrize(
    ("statements", "message", "at"),
    [
        ("x = 1 / 0;", "divide by 0", (3, 7)),
        ("x = 1.5 / 0.0;", "divide by 0", (3, 9)),
        ("x = 1 % 0;", "divide by 0", (3, 7)),
        ('x = (int)"abc";', 'cannot cast "abc" to int: it is not a number', (3, 5)),
        ("if (undefined) x = 1;", "cannot cast undefined to bool", (3, 5)),
        ("x = undefined; x++;", "operator ++ cannot be applied to undefined", (3, 17)),
        ("x = level; x.a.b = 1;", "undefined is not an object", (3, 16)),
        ("x = 5; x[0] = 1;", "int is not an array", (3, 8)),
        ('x = "abc"; x[0] = 1;', "an element of a string cannot be changed", (3, 12)),
        ('x = "abc"; y = x[3];', "string index 3 is out of range", (3, 17)),
        ("x = (1, 2, 3); y = x[3];", "vector index 3 is out of range", (3, 21)),
        ("x = []; x[1.5] = 1;", "float is not an array index", (3, 10)),
        ("x = []; x[9000000] = 1;", "array index 9000000 is out of range (-8257536 to 8388607)", (3, 10)),
        ("x = []; y = x[9000000];", "array index 9000000 is out of range (-8257536 to 8388607)", (3, 14)),
        ('x = &"A"; y = x.size;', "size cannot be applied to localized string", (3, 16)),
        ("x = 5; [[x]]();", "int is not a function", (3, 8)),
        ('x = "s"; x thread f();', "string is not an object", (3, 19)),
        ("wait -1;", "wait of negative time", (3, 1)),
        ("wait 16777;", "wait of 16777 seconds or more", (3, 1)),
        ("level notify(5);", "the name of an event is a string, not int", (3, 7)),
        ('x = 5; x waittill("a");', "int is not an object", (3, 10)),
        ("switch (1.5) { case 1: break; }", "cannot switch on float", (3, 9)),
        ("f(1);", "function called with too many parameters", (3, 1)),
        ("randomint(0);", "randomint of 0: the bound must be positive", (3, 1)),
        ("sin();", "parameter 1 does not exist", (3, 1)),
        ('sin("a");', "parameter 1 is string, not float", (3, 1)),
    ],
)
def test_error_texts_and_places(statements: str, message: str, at: tuple[int, int]) -> None:
    run = make()
    run.vm.link(run.program(main="main()\n{\n" + statements + "\n}\nf() {}\n"))
    run.vm.start("main::main")
    assert [(run.messages, run.places)] == [([message], [at])]


def test_undefined_in_pairs() -> None:
    run = body("x = undefined + 1;")
    assert run.messages == ["pair has unmatching types 'undefined' and 'int'"]


def test_floats_as_text() -> None:
    assert [float_text(x) for x in (0.5, 100000.0, 1e6, 1e-5, 1 / 3, -0.0)] == [
        "0.5", "100000", "1e+06", "1e-05", "0.333333", "-0",
    ]  # fmt: skip
    assert to_text((1.0, -2.5, 0.125)) == "(1.00, -2.50, 0.12)"


def test_string_numbers() -> None:
    assert truth("12") == 1
    assert truth(" -0") == 0
    assert truth(".0") == 0
    assert to_int("99999999999999999999") == 2147483647
    with pytest.raises(ScriptError, match="not a number"):
        truth("")


@pytest.mark.parametrize("value", ["(3, 4, 5)", "level.v"])
def test_vectors_beyond_binary32_become_infinite(value: str) -> None:
    big = "3" + "0" * 38 + ".0"
    run = body(
        f"level.v = (3, 4, 5); a = ({big}, 0.1, -{big}); b = a + a; c = a - {value}; d = b - b;"
        " println(b, c[1], d[0] == d[0]);"
    )
    assert run.lines == ["(inf, 0.20, -inf)-3.90"]


@pytest.mark.parametrize("blanks", ["", " \t", " " * 8192])
def test_blanks_before_a_number_are_passed_over_however_many(blanks: str) -> None:
    assert (to_int(blanks + "-12x"), to_float(blanks + "+1.5e1"), to_float(blanks + "0x1p3")) == (
        -12,
        15.0,
        8.0,
    )
    for text in (blanks, blanks + "x 1"):
        with pytest.raises(ScriptError):
            to_int(text)
        with pytest.raises(ScriptError):
            to_float(text)
