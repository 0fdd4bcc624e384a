"""What each form of the language becomes. Trees are compared as short text: (node field field ...)."""

from __future__ import annotations

from dataclasses import fields

import pytest

from engine.gsc import syntax as s
from engine.gsc.parser import parse, parse_or_raise
from engine.source import DiagnosticError, SourceText

_POSITIONS = {"start", "end", "at", "written", "bound"}


def short(value: object) -> str:
    """A node as text, without positions."""
    if isinstance(value, s.IntLiteral | s.FloatLiteral):
        return str(value.value)
    if isinstance(value, s.StringLiteral):
        return f'"{value.value}"'
    if isinstance(value, s.LocalVar | s.Predefined):
        return value.name
    if isinstance(value, s.CallStatement):
        return short(value.call)
    if isinstance(value, s.Call):
        parts = [short(value.object) if value.object else "-", "thread" if value.threaded else "call"]
        parts += [short(value.target), *map(short, value.args)]
        return f"({' '.join(parts)})"
    if isinstance(value, s.NamedTarget | s.FunctionRef):
        name = f"{value.script}::{value.name}" if value.script else value.name
        return name if isinstance(value, s.NamedTarget) else f"&{name}"
    if isinstance(value, s.Node):
        parts = [short(getattr(value, f.name)) for f in fields(value) if f.name not in _POSITIONS]
        return f"({' '.join([type(value).__name__, *parts])})"
    if isinstance(value, list):
        return f"[{' '.join(map(short, value))}]"
    return "_" if value is None else str(value)


def script(text: str) -> s.Script:
    return parse_or_raise("a", SourceText("a.gsc", text))


def body(text: str) -> str:
    function = script(f"f() {{ {text} }}").functions["f"]
    return short(function.body.body)[1:-1]


def value(text: str) -> str:
    return body(f"x = {text};").removeprefix("(Assign x ").removesuffix(")")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1", "1"),
        ("-1", "-1"),
        ("- 1", "-1"),
        ("-0.5", "-0.5"),
        ("-2147483648", "-2147483648"),
        ("true", "1"),
        ("false", "0"),
        ("undefined", "(Undefined)"),
        ('"a\\n"', '"a\n"'),
        ('&"KEY"', "(LocalizedLiteral KEY)"),
        ("[]", "(EmptyArray)"),
        ("(1, 2, 3)", "(VectorLiteral 1 2 3)"),
        ("((1))", "1"),
        ("::Go", "&go"),
        (r"Maps\MP\A::Go", r"&maps\mp\a::go"),
        ("util::go", "&util::go"),
        ("self", "self"),
        ("Self", "self"),
        ("a.Wait", "(FieldAccess a wait)"),
        ("a . size", "(FieldAccess a size)"),
        ("a.size", "(Size a)"),
        ("a.b.c[1].size", "(Size (Index (FieldAccess (FieldAccess a b) c) 1))"),
        ('"abc"[0]', '(Index "abc" 0)'),
        ("(1, 2, 3)[0]", "(Index (VectorLiteral 1 2 3) 0)"),
        ("a[b[0]]", "(Index a (Index b 0))"),
        ("a[0][1]", "(Index (Index a 0) 1)"),
        ("(int)a", "(Cast int a)"),
        ("(bool)(float)(string)a.b", "(Cast bool (Cast float (Cast string (FieldAccess a b))))"),
        ("!a", "(Unary ! a)"),
        ("!~a", "(Unary ! (Unary ~ a))"),
        ("!a == b", "(Binary == (Unary ! a) b)"),
        ("(int)a + b", "(Binary + (Cast int a) b)"),
    ],
)
def test_operands(text: str, tree: str) -> None:
    assert value(text) == tree


def test_case_of_predefined_objects_counts() -> None:
    function = script("f() { x = Self; }").functions["f"]
    assign = function.body.body[0]
    assert isinstance(assign, s.Assign)
    assert isinstance(assign.value, s.LocalVar)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a - b - c", "(Binary - (Binary - a b) c)"),
        ("a -1", "(Binary - a 1)"),
        ("a-1", "(Binary - a 1)"),
        ("a - -1", "(Binary - a -1)"),
        ("a * -1 + b", "(Binary + (Binary * a -1) b)"),
        ("a %b", "(Binary % a b)"),
        ("a + b * c", "(Binary + a (Binary * b c))"),
        ("a << b + c", "(Binary << a (Binary + b c))"),
        ("a < b << c", "(Binary < a (Binary << b c))"),
        ("a == b < c", "(Binary == a (Binary < b c))"),
        ("a & b == c", "(Binary & a (Binary == b c))"),
        ("a ^ b & c", "(Binary ^ a (Binary & b c))"),
        ("a | b ^ c", "(Binary | a (Binary ^ b c))"),
        ("a && b | c", "(Logical && a (Binary | b c))"),
        ("a || b && c", "(Logical || a (Logical && b c))"),
        ("a && b || c", "(Logical || (Logical && a b) c)"),
        ("(a || b) && c", "(Logical && (Logical || a b) c)"),
        ("a / b % c", "(Binary % (Binary / a b) c)"),
        ("a >= b != c <= d", "(Binary != (Binary >= a b) (Binary <= c d))"),
        ("a >> 1 > 2", "(Binary > (Binary >> a 1) 2)"),
    ],
)
def test_operators_by_precedence_and_from_the_left(text: str, tree: str) -> None:
    assert value(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("f();", "(- call f)"),
        ("F(1, a);", "(- call f 1 a)"),
        (r"maps\a::f(1);", r"(- call maps\a::f 1)"),
        (r"rules\default::f();", r"(- call rules\default::f)"),
        ("self f();", "(self call f)"),
        ("a.b[0] f(1);", "((Index (FieldAccess a b) 0) call f 1)"),
        (r"self maps\a::f();", r"(self call maps\a::f)"),
        ("self util::f();", "(self call util::f)"),
        ("thread f();", "(- thread f)"),
        ("self thread f();", "(self thread f)"),
        (r"self thread maps\a::f();", r"(self thread maps\a::f)"),
        ("[[ g ]](1);", "(- call (PointerTarget g) 1)"),
        ("self [[g]]();", "(self call (PointerTarget g))"),
        ("self thread [[g]]();", "(self thread (PointerTarget g))"),
        ("thread [[g]]();", "(- thread (PointerTarget g))"),
        ('self thread [[w["cb"]]](e, r);', '(self thread (PointerTarget (Index w "cb")) e r)'),
        ("self [[[[g]]()]]();", "(self call (PointerTarget (- call (PointerTarget g))))"),
        ("x = a[[[g]]()];", "(Assign x (Index a (- call (PointerTarget g))))"),
        ("x = f()[0].size;", "(Assign x (Size (Index (- call f) 0)))"),
        ("x = self f() g();", "(Assign x ((self call f) call g))"),
        ("x = !self f();", "(Assign x (Unary ! (self call f)))"),
        ("x = self thread f();", "(Assign x (self thread f))"),
        ("x = 1 + self f();", "(Assign x (Binary + 1 (self call f)))"),
        ('f(/*"a",*/1); x[/*i*/0]=2; [[ /*fn*/ g ]]();',
         "(- call f 1) (Assign (Index x 0) 2) (- call (PointerTarget g))"),
    ],
)  # fmt: skip
def test_calls(text: str, tree: str) -> None:
    assert body(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (";;", "(Empty) (Empty)"),
        ("{ a = 1; }", "(Block [(Assign a 1)])"),
        ("a.b = 1;", "(Assign (FieldAccess a b) 1)"),
        ('a["k"].c[1] = 1;', '(Assign (Index (FieldAccess (Index a "k") c) 1) 1)'),
        ('game["k"] = 1;', '(Assign (Index game "k") 1)'),
        ("f().x = 1;", "(Assign (FieldAccess (- call f) x) 1)"),
        ("a = undefined;", "(Assign a (Undefined))"),
        ("a += 1;", "(CompoundAssign a + 1)"),
        ("a <<= 1; a >>= 2; a |= 3; a ^= 4; a &= 5;",
         "(CompoundAssign a << 1) (CompoundAssign a >> 2) (CompoundAssign a | 3) (CompoundAssign a ^ 4)"
         " (CompoundAssign a & 5)"),
        ("a -= 1; a *= 2; a /= 3; a %= 4;",
         "(CompoundAssign a - 1) (CompoundAssign a * 2) (CompoundAssign a / 3) (CompoundAssign a % 4)"),
        ("a++; b.c--;", "(Increment a 1) (Increment (FieldAccess b c) -1)"),
        ("return;", "(Return _)"),
        ("return 1;", "(Return 1)"),
        ("wait 0.5;", "(Wait 0.5)"),
        ("wait(a);", "(Wait a)"),
        ("if (a) b = 1;", "(If a (Assign b 1) _)"),
        ("if (a) ; else ;", "(If a (Empty) (Empty))"),
        ("if (a) if (b) ; else c();", "(If a (If b (Empty) (- call c)) _)"),
        ("if (a) ; else if (b) ; else ;", "(If a (Empty) (If b (Empty) (Empty)))"),
        ("while (a) { break; }", "(While a (Block [(Break)]))"),
        ("do a(); while (b);", "(DoWhile (- call a) b)"),
        ("for (;;) continue;", "(For _ _ _ (Continue))"),
        ("for (i = 0; i < 3; i++) a();", "(For (Assign i 0) (Binary < i 3) (Increment i 1) (- call a))"),
        ("for (a(); ; i += 2) ;", "(For (- call a) _ (CompoundAssign i + 2) (Empty))"),
        ('switch (a) { case 1: case "b": break; default: c(); case -5: }',
         "(Switch a [(Case 1) (Case b) (Break) (Default) (- call c) (Case -5)])"),
        ("while (1) switch (a) { default: continue; }", "(While 1 (Switch a [(Default) (Continue)]))"),
        ("switch (a) { }", "(Switch a [])"),
        ('level waittill("e");', '(WaitTill level "e" [])'),
        ('level waittill("e", A, b);', '(WaitTill level "e" [a b])'),
        ('a.b waittillmatch("e", 1, c);', '(WaitTillMatch (FieldAccess a b) "e" [1 c])'),
        ('self notify("e" + a, 1);', '(Notify self (Binary + "e" a) [1])'),
        ('self endon("e");', '(EndOn self "e")'),
        ("/# a(); #/", "(DeveloperBlock [(- call a)])"),
        ("if (a) /# b(); #/", "(If a (DeveloperBlock [(- call b)]) _)"),
        ("/# while (1) { break; } #/", "(DeveloperBlock [(While 1 (Block [(Break)]))])"),
        ("if (self.Wait > 0) wait(self.Wait);",
         "(If (Binary > (FieldAccess self wait) 0) (Wait (FieldAccess self wait)) _)"),
    ],
)  # fmt: skip
def test_statements(text: str, tree: str) -> None:
    assert body(text) == tree


def test_functions_in_order_with_their_parameters() -> None:
    parsed = script("Main(A, b) { } /# dbg() { wait 1; } dbg2() { } #/ last() { }")
    assert {n: (f.params, f.developer) for n, f in parsed.functions.items()} == {
        "main": (["a", "b"], False),
        "dbg": ([], True),
        "dbg2": ([], True),
        "last": ([], False),
    }


def test_a_tree_governs_the_functions_after_it() -> None:
    parsed = script(
        'a() { x = #animtree; } #using_animtree("One"); b() { x = %Walk; } '
        '#using_animtree("two"); c() { x = %2run; }'
    )
    assert [d.tree for d in parsed.directives] == ["one", "two"]
    assert [short(f.body.body[0]) for f in parsed.functions.values()] == [
        "(Assign x (AnimTreeRef _))",
        "(Assign x (AnimationRef walk one))",
        "(Assign x (AnimationRef 2run two))",
    ]


@pytest.mark.parametrize("name", ["root", "wait", "default", "Walk_1"])
def test_animation_names_may_be_any_word(name: str) -> None:
    assert value(f"%{name}") == f"(AnimationRef {name.lower()} _)"
    assert value(f"a + %{name}") == f"(Binary + a (AnimationRef {name.lower()} _))"


def test_settings_in_the_comments_directly_above_a_function() -> None:
    parsed = script(
        "// notetrack: lost=1\n\n"
        "// notetrack: reload=keep, budget = 10\n// words\n// notetrack: x=2\nf() { }\n"
        "g() { }\n"
    )
    assert parsed.functions["f"].comment_directives == {"reload": "keep", "budget": "10", "x": "2"}
    assert parsed.functions["g"].comment_directives == {}


def test_settings_that_are_none_get_a_warning() -> None:
    result = parse("a", SourceText("a.gsc", "// notetrack: keep this\nf() { }\n"))
    assert [(d.code, d.severity, str(d.span)) for d in result.diagnostics] == [
        ("bad-directive", "warning", "a.gsc:1:1")
    ]


def test_an_empty_first_argument_is_undefined_with_a_warning() -> None:
    result = parse("a", SourceText("a.gsc", "f() { self g(,level.x[0]); }"))
    assert [(d.code, d.severity, str(d.span)) for d in result.diagnostics] == [
        ("empty-argument", "warning", "a.gsc:1:14")
    ]
    statement = result.script.functions["f"].body.body[0]
    assert isinstance(statement, s.CallStatement)
    first = statement.call.args[0]
    assert isinstance(first, s.Undefined)
    assert not first.written
    assert len(statement.call.args) == 2


@pytest.mark.parametrize(
    ("text", "stored", "message"),
    [
        ("10000000000", "1410065408", "this number does not fit into 32 bits and becomes 1410065408"),
        ("2147483648", "-2147483648", "this number does not fit into 32 bits and becomes -2147483648"),
        ("-2147483649", "2147483647", "this number does not fit into 32 bits and becomes 2147483647"),
        ("9" * 39 + ".0", "inf", "this number is too large for a float and becomes infinite"),
    ],
)
def test_numbers_that_do_not_fit(text: str, stored: str, message: str) -> None:
    result = parse("a", SourceText("a.gsc", f"f() {{ x = {text}; }}"))
    assert [(d.severity, d.message) for d in result.diagnostics] == [("warning", message)]
    assert short(result.script.functions["f"].body.body[0]) == f"(Assign x {stored})"


def test_positions_of_nodes() -> None:
    text = "f() { a.b = self g(1) + c[2]; }"
    source = SourceText("a.gsc", text)
    assign = parse_or_raise("a", source).functions["f"].body.body[0]
    assert isinstance(assign, s.Assign)
    assert text[assign.start : assign.end] == "a.b = self g(1) + c[2];"
    target, total = assign.target, assign.value
    assert isinstance(target, s.FieldAccess)
    assert text[target.at] == "b"
    assert isinstance(total, s.Binary)
    assert text[total.start : total.end] == "self g(1) + c[2]"
    assert text[total.at] == "+"
    assert isinstance(total.left, s.Call)
    assert text[total.left.at] == "g"
    assert isinstance(total.right, s.Index)
    assert text[total.right.at] == "["


def test_an_empty_file_and_one_of_comments_are_scripts_without_functions() -> None:
    assert script("").functions == {}
    assert script("// nothing\n/* here */").functions == {}


def test_the_same_text_gives_the_same_tree() -> None:
    text = 'main(a) { for (;;) { level waittill("x", a); if (a) break; } }'
    first, second = script(text), script(text)
    assert short(first.functions["main"]) == short(second.functions["main"])


def test_parse_or_raise_carries_everything_that_is_wrong() -> None:
    with pytest.raises(DiagnosticError) as caught:
        script("f() { x = ; y = ; }")
    assert len(caught.value.diagnostics) == 2
