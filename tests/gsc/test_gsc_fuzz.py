"""Any bytes give diagnostics or a script, never another exception; and the work grows with the text, no faster."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.gsc.dialect import UO
from engine.gsc.facts import facts_of, packed, unpacked
from engine.gsc.parser import ParseResult, parse
from engine.gsc.scanner import scan
from engine.source import SourceText
from engine.source.render import to_text

HEALTHY = """\
#using_animtree("soldier");
main(a, b) { for (i = 0; i < a.size; i++) { if (a[i] == b) continue; else thread g(a[i], (1, 2, 3)); } }
g(x, v) { self endon("death"); while (isalive(self)) { wait 0.05; x.y["k"] += v[0] * -1; [[ x.cb ]](::g); } }
/# dbg() { switch (level.n) { case 1: println("a" + &"B"); break; default: level notify("e", %walk); } } #/
"""
FRAGMENTS = [
    *sorted({*UO.operators, *UO.composites, *UO.keywords}),
    "a", "f(", "f() {", ";\n", "}\n", '"s"', '"', "&\"L\"", "1", "0.5", "1.", "0x1", "/*", "*/", "//", "\n", r"m\a::",
    "foreach (x in y)", "%walk", "[[", "]]", "self ", "\0", "\xe4", "#include", "level waittill(\"e\", x);",
]  # fmt: skip


def parsed(data: str | bytes) -> ParseResult:
    result = parse("a", SourceText("a.gsc", data))
    for diagnostic in result.diagnostics:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(result.script.source.text)
        assert to_text(diagnostic)
    return result


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    parsed(data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60).map(" ".join))
def test_any_sequence_of_tokens(text: str) -> None:
    first, second = parsed(text), parsed(text)
    assert [to_text(d) for d in first.diagnostics] == [to_text(d) for d in second.diagnostics]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(HEALTHY)), st.integers(0, 12), st.sampled_from(["", *FRAGMENTS]))
def test_a_healthy_file_with_one_change(at: int, length: int, change: str) -> None:
    result = parsed(HEALTHY[:at] + change + HEALTHY[at + length :])
    if not result.errors:
        facts = facts_of(result, developer=True)
        assert unpacked(marshal.loads(marshal.dumps(packed(facts)))) == facts


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(HEALTHY)))
def test_a_file_cut_off_has_few_errors(at: int) -> None:
    assert sum(d.severity == "error" for d in parsed(HEALTHY[:at]).diagnostics) <= 2


def test_tokens_cover_the_text_in_order() -> None:
    tokens = scan(SourceText("a.gsc", HEALTHY))
    ends = [0, *tokens.ends]
    for at, start in enumerate(tokens.starts):
        assert ends[at] <= start <= tokens.ends[at]
        assert HEALTHY[ends[at] : start].strip() == ""


def calls(work: Callable[[], object]) -> int:
    """Python calls made by `work`: a measure of its size that does not depend on the machine."""
    count = 0

    def count_call(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def numbered(text: str, count: int) -> str:
    """`text` over and over, with a number for every #."""
    return "".join(text.replace("#", str(n)) for n in range(count))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: numbered("f#(a, b) { for (i = 0; i < a; i++) { b[i] = a + i * 2; } self f#(1, b); }\n", n),
        lambda n: "f() { " + "x = 1;\n" * n * 10 + "}",
        lambda n: "f() { x = g(" + "1, " * n * 10 + "1); }",
        lambda n: "f() { switch (x) { " + numbered("case #: y = #; ", n) + "} }",
        lambda n: "f() { " + "x = (((((((((1 + 2) * 3 + 4;\n" * n + "}",
        lambda n: numbered("f#() { if (x) { y = ;\n", n),
        lambda n: "x = 1; } " * n,
        lambda n: "/# " * n + "f() { }",
        lambda n: "f() { " + "{" * n * 10 + "}" * n * 10 + " }",
        lambda n: "f() { x = " + "(" * n * 10 + ";",
    ],
    ids=["functions", "statements", "arguments", "cases", "broken", "unclosed", "outside", "regions", "blocks",
         "parentheses"],
)  # fmt: skip
def test_the_work_grows_no_faster_than_the_text(make: Callable[[int], str]) -> None:
    small, large = SourceText("a.gsc", make(100)), SourceText("a.gsc", make(200))
    assert calls(lambda: parse("a", large)) <= 2.2 * calls(lambda: parse("a", small)) + 200


def test_a_large_file_is_read_whole() -> None:
    text = numbered('f#(a) { x[a] = "s" + #; return x[a].size; }\n', 5000)
    result = parsed(text)
    assert not result.diagnostics
    assert len(result.script.functions) == 5000
    assert len(scan(result.script.source).kinds) == 5000 * 22 + 1
