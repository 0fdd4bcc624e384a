"""What the parser refuses: code, line, column, message and notes of every fault, by exact text."""

from __future__ import annotations

import pytest

from engine.gsc.cursor import MAX_ERRORS
from engine.gsc.parser import ParseResult, parse
from engine.source import SourceText

Fault = tuple[str | int, ...]
Table = list[tuple[str, list[Fault]]]


def result(text: str) -> ParseResult:
    return parse("a", SourceText("a.gsc", text))


def faults(text: str) -> list[Fault]:
    found: list[Fault] = []
    for diagnostic in result(text).diagnostics:
        assert diagnostic.severity == "error"
        assert diagnostic.span is not None
        place = diagnostic.span.line, diagnostic.span.col
        found.append((diagnostic.code, *place, diagnostic.message, *(n.message for n in diagnostic.notes)))
    return found


def lines(text: str) -> list[int]:
    return [d.span.line for d in result(text).diagnostics if d.span is not None]


# fmt: off
SHIPPED: Table = [
    ("main() {\n x = 1\n y = 2;\n}",
     [("syntax", 3, 2, "expected ';' but found 'y'", "it is missing here")]),
    ("main() {\n x = 1;\n /* abc\n y = 2;\n}",
     [("unterminated-comment", 3, 2, "this comment is never closed: */ is missing")]),
    ("include maps\\mp\\_utility;\nmain() { }",
     [("later-dialect", 1, 1,
       "#include is not part of United Offensive GSC (it came with Call of Duty 2)",
       "name the script at the call: path\\file::function() instead")]),
    ("main() { }\n\x00",
     [("stray-byte", 2, 1, "the byte 0x00 means nothing here")]),
    ("f() { maps\\mp\\x.gsc::go(); }",
     [("syntax", 1, 16,
       "expected '::' but found '.'",
       "a script is named without .gsc; the loader adds it")]),
    ("f() { util.gsc::go(); }",
     [("syntax", 1, 11,
       "expected '::' but found '.'",
       "a script is named without .gsc; the loader adds it")]),
    ('f() { if (1) g("A")\n}',
     [("syntax", 2, 1, "expected ';' but found '}'", "it is missing here")]),
    ("f() { if (self.wait > 0) x = 1; }",
     [("syntax", 1, 16,
       "expected a field name but 'wait' is a reserved word",
       "only the lower-case spelling is reserved: Wait is a name")]),
]
"""Faults found in shipped scripts: each is one error and no consequence of it."""

LATER: Table = [
    ("#include maps\\mp\\_utility;\nf() { }",
     [("later-dialect", 1, 1,
       "#include is not part of United Offensive GSC (it came with Call of Duty 2)",
       "name the script at the call: path\\file::function() instead")]),
    ("#define A 1\nf() { }",
     [("later-dialect", 1, 1,
       "#define is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "write the value, or keep it in a field of level instead")]),
    ("f() { x = a ? b : c; }",
     [("later-dialect", 1, 13,
       "the conditional operator ?: is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "use if and else instead")]),
    ("f() { foreach (x in y) { break; } }",
     [("later-dialect", 1, 7,
       "foreach is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "count with for over keys that you know instead")]),
    ("f() { foreach (k, v in y) g(v); }",
     [("later-dialect", 1, 7,
       "foreach is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "count with for over keys that you know instead")]),
    ("f() { x = -y; }",
     [("later-dialect", 1, 11,
       "unary minus on a value is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "write 0 - value instead")]),
    ("f() { x = -(1); }",
     [("later-dialect", 1, 11,
       "unary minus on a value is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "write 0 - value instead")]),
    ("f() { waittillframeend; }",
     [("later-dialect", 1, 7,
       "waittillframeend is not part of United Offensive GSC (it came with Call of Duty 2)",
       "use wait 0 instead")]),
    ("f() { self childthread g(); }",
     [("later-dialect", 1, 12,
       "childthread is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "use thread, with endon for the ending instead")]),
    ("f() { childthread g(); }",
     [("later-dialect", 1, 7,
       "childthread is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "use thread, with endon for the ending instead")]),
    ("f() { self call g(); }",
     [("later-dialect", 1, 12,
       "call is not part of United Offensive GSC (it came with Modern Warfare 2)",
       "call the function without the word instead")]),
]
"""What scripts of later games contain."""

VALUES: Table = [
    ("f() { x = ; }",
     [("syntax", 1, 11, "expected a value but found ';'")]),
    ("f() { x = 1 + ; }",
     [("syntax", 1, 15, "expected a value but found ';'")]),
    ("f() { x = +1; }",
     [("syntax", 1, 11, "there is no unary plus: leave it out")]),
    ("f() { ++x; }",
     [("syntax", 1, 7, "++ stands after a variable, as a statement of its own: write x++;")]),
    ("f() { x = --y; }",
     [("syntax", 1, 11, "-- stands after a variable, as a statement of its own: write x--;")]),
    ("f() { x = (); }",
     [("syntax", 1, 12, "expected a value but found ')'")]),
    ("f() { x = (1, 2); }",
     [("syntax", 1, 11, "a vector has three components, not 2: write (x, y, z)")]),
    ("f() { x = (1, 2, 3, 4); }",
     [("syntax", 1, 11, "a vector has three components, not 4: write (x, y, z)")]),
    ("f() { x = [1]; }",
     [("syntax", 1, 11, "only the empty array [] can be written: assign the entries one by one")]),
    ("f() { x = a[; }",
     [("syntax", 1, 13, "expected a value but found ';'")]),
    ("f() { x = a[1; }",
     [("syntax", 1, 14, "expected ']' but found ';'")]),
    ("f() { x = a.; }",
     [("syntax", 1, 13, "expected a field name but found ';'")]),
    ("f() { x = a.1; }",
     [("syntax", 1, 12, "expected ';' but found '.1'")]),
    ("f() { x = a.self; }",
     [("syntax", 1, 13,
       "expected a field name but 'self' is a reserved word",
       "only the lower-case spelling is reserved: Self is a name")]),
    ("f() { x = ::g(1); }",
     [("syntax", 1, 14, "'::' makes a function value; to call the function write g(...)")]),
    ("f() { x = ::; }",
     [("syntax", 1, 13, "expected a function name but found ';'")]),
    ("f() { x = maps\\a::; }",
     [("syntax", 1, 19, "expected a function name but found ';'")]),
    ("f() { x = maps\\a; }",
     [("syntax", 1, 17, "expected '::' but found ';'")]),
    ("f() { x = thread; }",
     [("syntax", 1, 17, "expected the function to call but found ';'")]),
    ("f() { x = thread self g(); }",
     [("syntax", 1, 18, "the object stands before 'thread': write self thread f()")]),
    ("f() { [[g]]; }",
     [("syntax", 1, 12, "expected '(' and the arguments of the call but found ';'")]),
    ("f() { x = [[g; }",
     [("syntax", 1, 14, "expected ']' but found ';'")]),
    ("f() { x = %; }",
     [("syntax", 1, 12, "expected the name of an animation but found ';'")]),
    ("f() { g(a,,b); }",
     [("syntax", 1, 11, "expected a value but found ','")]),
    ("f() { g(a,); }",
     [("syntax", 1, 11, "expected a value but found ')'")]),
    ("f() { g(a b); }",
     [("syntax", 1, 11, "expected ',' or ')' but found 'b'")]),
    ("f() { g(a; }",
     [("syntax", 1, 10, "expected ',' or ')' but found ';'")]),
    ("f() { x = (a; }",
     [("syntax", 1, 13, "expected ')' but found ';'")]),
    ("f() { x = a b; }",
     [("syntax", 1, 13, "expected ';' but found 'b'")]),
    ("f() { x = if; }",
     [("syntax", 1, 11, "expected a value but found the reserved word 'if'")]),
]
"""Expressions."""

STATEMENTS: Table = [
    ("f() { self = 1; }",
     [("bad-target", 1, 7, "'self' cannot be assigned: only variables, fields and elements can")]),
    ("f() { g() = 2; }",
     [("bad-target", 1, 7, "'g()' cannot be assigned: only variables, fields and elements can")]),
    ("f() { x.size = 3; }",
     [("bad-target", 1, 7, "'.size' cannot be assigned: add or remove entries instead")]),
    ("f() { g()[0] = 2; }",
     [("bad-target", 1, 7, "an element can be assigned only in a variable or a field")]),
    ('f() { "a" = 1; }',
     [("bad-target", 1, 7, '\'"a"\' cannot be assigned: only variables, fields and elements can')]),
    ("f() { 1++; }",
     [("bad-target", 1, 7, "'1' cannot be assigned: only variables, fields and elements can")]),
    ("f() { g() += 1; }",
     [("bad-target", 1, 7, "'g()' cannot be assigned: only variables, fields and elements can")]),
    ("f() { a == 2; }",
     [("syntax", 1, 9, "a comparison is no statement", "to assign a value, write =")]),
    ("f() { a; }",
     [("syntax", 1, 7, "this value is not used: a statement assigns, calls, or begins with a keyword")]),
    ("f() { a.b; }",
     [("syntax", 1, 7, "this value is not used: a statement assigns, calls, or begins with a keyword")]),
    ("f() { 5; }",
     [("syntax", 1, 7, "this value is not used: a statement assigns, calls, or begins with a keyword")]),
    ("f() { a b; }",
     [("syntax", 1, 9, "expected an assignment or a call but found 'b'")]),
    ("f() { a + b; }",
     [("syntax", 1, 9, "expected an assignment or a call but found '+'")]),
    ("f() { While (x) { g(); } }",
     [("syntax", 1, 17,
       "expected ';' but found '{': 'While' is a name here",
       "reserved words are lower-case: while")]),
    ("f() { Return 1; }",
     [("syntax", 1, 7,
       "'Return' is a name here, and a name alone is no statement",
       "reserved words are lower-case: return")]),
    ("f() { else g(); }",
     [("syntax", 1, 7, "this 'else' has no 'if': one statement, or one block, stands between them")]),
    ('f() { waittill("x"); }',
     [("syntax", 1, 7, "'waittill' needs an object before it, as in: level waittill(...)")]),
    ('f() { self waittill("x", 1); }',
     [("syntax", 1, 26, "expected the name of a local variable that waittill fills but found '1'")]),
    ('f() { self waittill("x", y.z); }',
     [("syntax", 1, 27,
       "expected ',' or ')' but found '.'",
       "after its event waittill takes names of local variables, no values")]),
    ('f() { self waittill("x", self); }',
     [("syntax", 1, 26,
       "expected the name of a local variable that waittill fills but 'self' is a reserved word",
       "only the lower-case spelling is reserved: Self is a name")]),
    ('f() { self endon("x", 1); }',
     [("syntax", 1, 23, "endon takes the event alone")]),
    ("f() { self notify; }",
     [("syntax", 1, 18, "expected '(' but found ';'")]),
    ("f() { self notify(); }",
     [("syntax", 1, 19, "expected the name of an event, as in notify(\"name\"), but found ')'")]),
    ("f() { self waittill(); }",
     [("syntax", 1, 21, "expected the name of an event, as in waittill(\"name\"), but found ')'")]),
    ("f() { x = self.list.size(); }",
     [("syntax", 1, 25, "expected ';' but found '('", ".size is a value and no call: write it without ()")]),
    ("f() { self.run(1); }",
     [("syntax", 1, 15, "expected an assignment or a call but found '('",
       "a field cannot be called: a function is called as OBJECT name(), a value as OBJECT [[ value ]]()")]),
    ("f() { if x { } }",
     [("syntax", 1, 10, "expected '(' but found 'x'")]),
    ("f() { if (x = 1) { } }",
     [("syntax", 1, 13, "expected ')' but found '='", "to compare two values, write ==")]),
    ("f() { if (x == 1 { g(); } }",
     [("syntax", 1, 18, "expected ')' but found '{'")]),
    ("f() { while (g(1) { break; } }",
     [("syntax", 1, 19, "expected ')' but found '{'")]),
    ("f() { for (i = 0; i < 3; i++ { break; } }",
     [("syntax", 1, 30, "expected ')' but found '{'")]),
    ("f() { for (a b; c; d) { continue; } }",
     [("syntax", 1, 14, "expected an assignment or a call but found 'b'")]),
    ("f() { for (i = 0, j = 0; ; ) { } }",
     [("syntax", 1, 17, "expected ';' but found ','")]),
    ("f() { do g(); while (1) }",
     [("syntax", 1, 25, "expected ';' but found '}'")]),
    ("f() { do g(); }",
     [("syntax", 1, 15, "expected 'while' and the condition of the loop but found '}'")]),
    ("f() { return  }",
     [("syntax", 1, 15, "expected ';' but found '}'")]),
    ("f() { wait; }",
     [("syntax", 1, 11, "expected a value but found ';'")]),
    ("f() { x = 1 }",
     [("syntax", 1, 13, "expected ';' but found '}'")]),
    ("f() { int x = 5; }",
     [("syntax", 1, 11, "expected an assignment or a call but found 'x'")]),
    ("f() { h(a) { x = 1; } }",
     [("syntax", 1, 12, "expected ';' but found '{': a function cannot be defined within another")]),
]
"""Statements."""

PLACES: Table = [
    ("f() { break; }",
     [("misplaced", 1, 7, "'break' must stand in a loop or a switch")]),
    ("f() { continue; }",
     [("misplaced", 1, 7, "'continue' must stand in a loop")]),
    ("f() { switch (x) { case 1: continue; } }",
     [("misplaced", 1, 28, "'continue' must stand in a loop")]),
    ("f() { case 1: }",
     [("misplaced", 1, 7, "'case' must stand directly in the block of a switch")]),
    ("f() { default: }",
     [("misplaced", 1, 7, "'default' must stand directly in the block of a switch")]),
    ("f() { switch (x) { case 1: { case 2: } } }",
     [("misplaced", 1, 30, "'case' must stand directly in the block of a switch")]),
    ("f() { switch (x) { case 1: if (y) case 2: } }",
     [("misplaced", 1, 35, "'case' must stand directly in the block of a switch")]),
    ("f() { switch (x) { case y: } }",
     [("bad-case", 1, 25, "a case label is an integer or a string, not 'y'")]),
    ('f() { switch (x) { case &"A": } }',
     [("bad-case", 1, 25, "a case label is an integer or a string, not a localized string")]),
    ("f() { switch (x) { case 1.5: } }",
     [("bad-case", 1, 25, "a case label is an integer or a string, not '1.5'")]),
    ("f() { switch (x) { case true: } }",
     [("bad-case", 1, 25, "a case label is an integer or a string, not the reserved word 'true'")]),
    ("f() { switch (x) { case 8388608: } }",
     [("bad-case", 1, 25, "a case label lies between -8257536 and 8388607")]),
    ("f() { switch (x) { case -8257537: } }",
     [("bad-case", 1, 25, "a case label lies between -8257536 and 8388607")]),
    ("f() { switch (x) { case 1 g(); } }",
     [("syntax", 1, 27, "expected ':' but found 'g'")]),
    ("f() { switch (x) { case 1: case 2: case 1: } }",
     [("duplicate-case", 1, 41, "the case 1 occurs twice in this switch", "the first one is here")]),
    ('f() { switch (x) { case "a": case 1: case "a": } }',
     [("duplicate-case", 1, 43, 'the case "a" occurs twice in this switch', "the first one is here")]),
    ("f() { switch (x) { default: g(); default: } }",
     [("duplicate-case", 1, 34, "this switch has a second 'default'", "the first one is here")]),
    ("f() { switch (x) g(); }",
     [("syntax", 1, 18, "expected '{' but found 'g'")]),
]
"""Statements in the wrong place, and labels."""

FILES: Table = [
    ("f() { }\nF() { }",
     [("duplicate-function", 2, 1,
       "the function 'f' is defined twice in this file",
       "the first one is here")]),
    ("f(a, b, A) { }",
     [("duplicate-parameter", 1, 9, "the parameter 'a' occurs twice")]),
    ("f(a b) { }",
     [("syntax", 1, 5, "expected ',' or ')' but found 'b'")]),
    ("f(1) { }",
     [("syntax", 1, 3, "expected the name of a parameter but found '1'")]),
    ("f(self) { }",
     [("syntax", 1, 3,
       "expected the name of a parameter but 'self' is a reserved word",
       "only the lower-case spelling is reserved: Self is a name")]),
    ("f { }",
     [("syntax", 1, 3,
       "expected a function but 'f' is followed by '{'",
       "a function begins with f(...); statements belong in one")]),
    ("f()",
     [("syntax", 1, 4, "expected '{' but found the end of the file")]),
    ("f() { if (1) {",
     [("syntax", 1, 15, "the file ends inside the function 'f': '}' is missing", "'{' was opened here")]),
    ("f() {\n if (1) {\n}\ng(a)\n{ x = 1; }\nh() { }",
     [("syntax", 4, 1, "expected '}' before the function 'g': 'f' is not closed", "'f' begins here")]),
    ("f() { g(); } x = 1; while (1) { g(); } }\nh() { }",
     [("syntax", 1, 16,
       "expected a function but 'x' is followed by '='",
       "a function begins with x(...); statements belong in one")]),
    ("x = 1;",
     [("syntax", 1, 3,
       "expected a function but 'x' is followed by '='",
       "a function begins with x(...); statements belong in one")]),
    ("if (1) { }",
     [("syntax", 1, 1, "the reserved word 'if' stands outside any function: statements belong in one")]),
    ("};",
     [("syntax", 1, 1, "this '}' closes nothing: the function before it has already ended")]),
    ("f() { };",
     [("syntax", 1, 8, "expected a function but found ';': nothing follows the '}' of a function")]),
    ("wait() { }",
     [("syntax", 1, 1, "the reserved word 'wait' stands outside any function: statements belong in one")]),
    ('#using_animtree("a b");',
     [("bad-tree-name", 1, 17,
       'a tree is named by a plain word, not "a b": letters, digits and underscores')]),
    ('#using_animtree("a/b");',
     [("bad-tree-name", 1, 17,
       'a tree is named by a plain word, not "a/b": letters, digits and underscores')]),
    ("#using_animtree(x);",
     [("syntax", 1, 17, "expected the name of a tree in quotes but found 'x'")]),
    ('#using_animtree("a")\nf() { }',
     [("syntax", 2, 1, "expected ';' but found 'f'", "it is missing here")]),
    ('f() { #using_animtree("a"); }',
     [("syntax", 1, 7, "'#using_animtree' stands between functions, not within one")]),
    ("#foo\nf() { }",
     [("syntax", 1, 1, "expected a function but found '#foo'")]),
    ("maps\\a::f() { }",
     [("syntax", 1, 1, "expected a function but found 'maps\\a'")]),
]
"""Functions and directives."""

DEVELOPER: Table = [
    ("f() { /# wait 1; #/ }",
     [("developer-block", 1, 10,
       "'wait' cannot stand directly in '/# ... #/'",
       "put it in a function of its own and start that as a thread")]),
    ('f() { /# level waittill("x"); #/ }',
     [("developer-block", 1, 16,
       "'waittill' cannot stand directly in '/# ... #/'",
       "put it in a function of its own and start that as a thread")]),
    ('f() { /# level waittillmatch("x", 1); #/ }',
     [("developer-block", 1, 16,
       "'waittillmatch' cannot stand directly in '/# ... #/'",
       "put it in a function of its own and start that as a thread")]),
    ("f() { /# /# g(); #/ #/ }",
     [("developer-block", 1, 10, "'/#' cannot stand within another '/#'")]),
    ("/# f() { /# g(); #/ } #/",
     [("developer-block", 1, 10, "'/#' cannot stand within a developer function")]),
    ("f() { while (1) { /# break; #/ } }",
     [("misplaced", 1, 22,
       "'break' must stand in a loop or a switch; '/#' and '#/' cannot cut through one")]),
    ("f() { while (1) { /# continue; #/ } }",
     [("misplaced", 1, 22, "'continue' must stand in a loop; '/#' and '#/' cannot cut through one")]),
    ("f() { switch (x) { /# case 1: #/ } }",
     [("misplaced", 1, 23,
       "'case' must stand directly in the block of a switch; '/#' and '#/' cannot cut through one")]),
    ("f() { /# g(); } #/  }",
     [("developer-block", 1, 15, "expected '#/' but found '}'", "'/#' was opened here")]),
    ("f() { /# g(); }\nh() { }",
     [("developer-block", 1, 15, "expected '#/' but found '}'", "'/#' was opened here")]),
    ("f() { /# if (x) { g(); #/  }",
     [("developer-block", 1, 24, "expected '}' but found '#/'", "'{' was opened here")]),
    ("f() { g(); #/  }",
     [("developer-block", 1, 12, "this '#/' closes nothing")]),
    ("/# f() { }",
     [("developer-block", 1, 1, "this '/#' is never closed: '#/' is missing")]),
    ("/# x = 1; #/",
     [("syntax", 1, 6,
       "expected a function but 'x' is followed by '='",
       "a function begins with x(...); statements belong in one")]),
    ('/# #using_animtree("a"); #/',
     [("developer-block", 1, 4, "expected a function or '#/' but found '#using_animtree'")]),
    ("#/ f() { }",
     [("developer-block", 1, 1, "this '#/' closes nothing")]),
    ("f() { ..\\x::g(); }",
     [("syntax", 1, 7,
       "expected a value but found '.'",
       "a script is named from the folder of all scripts, and nothing leads out of it")]),
]
"""Developer code."""

# fmt: on


@pytest.mark.parametrize(
    ("text", "expected"), [*SHIPPED, *LATER, *VALUES, *STATEMENTS, *PLACES, *FILES, *DEVELOPER]
)
def test_refusals(text: str, expected: list[Fault]) -> None:
    assert faults(text) == expected


def test_one_run_finds_every_fault_and_no_consequence() -> None:
    text = """\
first()
{
    x = ;
    y = 1
    if (x = 2)
    {
        z = 1 +;
        foreach (a in b) { w = [1]; }
    }
    while (x { break; }
    for (i = 0; i < ; i++) { continue; }
    println("never closed);
    switch (x) { case 1: case 1: v = 0x1; }
}

second()
{
    a b c;
}

third(1)
{
}

first() { }
"""
    assert lines(text) == [3, 5, 5, 7, 8, 8, 10, 11, 12, 13, 18, 21, 25]


def test_what_follows_a_fault_is_still_parsed() -> None:
    script = result("f() { x = ; y = 1; } g(1) { } h() { }").script
    assert list(script.functions) == ["f", "h"]
    assert len(script.functions["f"].body.body) == 1


def test_errors_are_capped_and_the_last_says_so() -> None:
    found = result("f() { " + "x = ;\n" * 200 + "}").diagnostics
    assert len(found) == MAX_ERRORS
    assert [n.message for n in found[-1].notes] == ["there are more errors in this file; they are not shown"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = " + "(" * 10_000 + "1" + ")" * 10_000 + ";",
         "this expression is nested too deeply: 80 is the limit; split it into several"),
        ("x = " + "f(" * 10_000 + ")" * 10_000 + ";",
         "this expression is nested too deeply: 80 is the limit; split it into several"),
        ("x = " + "[[" * 10_000 + "a" + "]]()" * 10_000 + ";",
         "this expression is nested too deeply: 80 is the limit; split it into several"),
        ("x = " + "a[" * 10_000 + "1" + "]" * 10_000 + ";",
         "this expression is nested too deeply: 80 is the limit; split it into several"),
        ("x = " + "!" * 10_000 + "1;",
         "this expression has too many parts in a row: 200 is the limit; split it into several"),
        ("x = 1" + " + 1" * 10_000 + ";",
         "this expression has too many parts in a row: 200 is the limit; split it into several"),
        ("x = a" + ".b" * 10_000 + ";",
         "this expression has too many parts in a row: 200 is the limit; split it into several"),
        ("x = a" + "[0]" * 10_000 + ";",
         "this expression has too many parts in a row: 200 is the limit; split it into several"),
        ("self" + " f()" * 10_000 + ";",
         "this expression has too many parts in a row: 200 is the limit; split it into several"),
        ("{" * 10_000 + "}" * 10_000, "statements are nested too deeply: 64 is the limit"),
        ("if (1) " * 10_000 + ";", "statements are nested too deeply: 64 is the limit"),
        ("while (1) {" * 10_000 + "}" * 10_000, "loops are nested too deeply: 20 is the limit"),
        ("if (1) { " * 63 + "while (1) " * 20 + "x = 1;" + "}" * 63,
         "statements are nested too deeply: 64 is the limit"),
        ("switch (1) { default: " * 10_000 + "}" * 10_000,
         "statements are nested too deeply: 64 is the limit"),
        ("if (1) ; else " * 10_000 + ";", "too many 'else if' in a row: 200 is the limit; use a switch"),
    ],
    ids=["parentheses", "calls", "pointers", "keys", "not", "sum", "fields", "elements", "objects", "blocks",
         "if", "while", "if and while", "switch", "else if"],
)  # fmt: skip
def test_nesting_has_a_limit_and_no_consequences(text: str, message: str) -> None:
    found = faults(f"f() {{ {text}\n x = ; }}")
    assert [(f[0], f[3]) for f in found] == [
        ("nesting", message),
        ("syntax", "expected a value but found ';'"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 78 + "1" + ")" * 78 + ";",
        "x = 1" + " + 1" * 198 + ";",
        "{" * 63 + "}" * 63,
        "if (1) { " * 63 + "x = " + "(" * 78 + "1" + ")" * 78 + ";" + "}" * 63,
        "for (;;) " * 20 + ";",
        "for (;;) { /# while (1) " + "while (1) " * 18 + "; #/ }",
        "if (a) ; " + "else if (b) ; " * 199 + "else ;",
        "f(" + "1, " * 999 + "1);",
    ],
)
def test_up_to_the_limit_all_is_well(text: str) -> None:
    assert faults(f"f() {{ {text} }}") == []


def test_waittillmatch_takes_127_values() -> None:
    assert faults('f() { self waittillmatch("e"' + ", 1" * 127 + "); }") == []
    assert faults('f() { self waittillmatch("e"' + ", 1" * 128 + "); }") == [
        ("too-many-arguments", 1, 7, "waittillmatch compares at most 127 values, these are 128")
    ]
