"""What an animation tree file may say (animation facts, sections 1.2 to 1.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.anim import atr
from engine.anim.entries import MAX_DEPTH, Entry, NodeFlag
from engine.source import Diagnostic, DiagnosticError, SourceText


def read(text: str | bytes) -> tuple[Entry, ...]:
    return atr.read(SourceText("animtrees/test.atr", text)).entries


def outline(entries: tuple[Entry, ...]) -> list[object]:
    return [e.name if e.children is None else (e.name, int(e.flags), outline(e.children)) for e in entries]


def faults(text: str | bytes) -> list[tuple[str, int, int]]:
    with pytest.raises(DiagnosticError) as caught:
        read(text)
    return [(d.code, d.span.line, d.span.col) for d in caught.value.diagnostics if d.span]


def test_leaves_and_blocks_nest() -> None:
    text = "a\nb\n{\n\tc\n\td : loopsync\n\t{\n\t\te\n\t}\n}\nf\n"
    assert outline(read(text)) == ["a", ("b", 0, ["c", ("d", 1, ["e"])]), "f"]


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("p :", 0),
        ("p : loopsync", NodeFlag.LOOPSYNC),
        ("p : nonloopsync", NodeFlag.NONLOOPSYNC),
        ("p : complete", NodeFlag.COMPLETE),
        ("p : COMPLETE LoopSync", NodeFlag.COMPLETE | NodeFlag.LOOPSYNC),
        ("p : complete complete", NodeFlag.COMPLETE),
        ("p\t:\tnonloopsync // why", NodeFlag.NONLOOPSYNC),
    ],
)
def test_properties(line: str, flags: int) -> None:
    assert outline(read(line + "\n{\n\tx\n}\n")) == [("p", int(flags), ["x"])]


def test_names_are_lower_case_may_begin_with_a_digit_and_be_quoted() -> None:
    assert outline(read('Walk_01\n2nd\n"Run"\n_\n')) == ["walk_01", "2nd", "run", "_"]


def test_the_brace_may_follow_after_blank_and_comment_lines() -> None:
    assert outline(read("p\n\n// one\n/* two\nlines */\n{\n}\n")) == [("p", 0, [])]


@pytest.mark.parametrize("text", ["", "\n\n", "// only a comment", "/* only */", "\t \r\n"])
def test_a_file_may_be_empty(text: str) -> None:
    assert read(text) == ()


def test_bom_and_line_ends() -> None:
    assert outline(read(b"\xef\xbb\xbfp\r\n{\r\n\tx\r\n}\r\ny")) == [("p", 0, ["x"]), "y"]


def test_comments_begin_only_where_a_token_could() -> None:
    assert outline(read("/* a */walk // run\nidle /**/\n")) == ["walk", "idle"]
    assert faults("walk//run\n") == [("bad-token", 1, 1)]
    assert faults("walk/*run*/\n") == [("bad-token", 1, 1)]


def test_a_name_points_at_its_place() -> None:
    (entry,) = read('\n\t"walk"\n')
    assert (entry.span.line, entry.span.col, entry.span.end - entry.span.start) == (2, 3, 4)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("walk run", ("anim-alias", 1, 6)),
        ("walk {\n}", ("bad-token", 1, 6)),
        ("walk{\n}", ("bad-token", 1, 1)),
        ("walk: loopsync\n{\n}", ("bad-token", 1, 1)),
        ("walk.fast", ("bad-token", 1, 1)),
        ("walk a.b", ("bad-token", 1, 6)),
        ("walk , run", ("bad-token", 1, 6)),
        ("a,b", ("bad-token", 1, 1)),
        (": loopsync\n{\n}", ("bad-token", 1, 1)),
        ("}", ("bad-token", 1, 1)),
        ("walk\n{\n};\n", ("bad-token", 3, 1)),
        ("walk\n{}\n", ("bad-token", 2, 1)),
        ("walk : fast\n{\n}", ("unknown-anim-property", 1, 8)),
        ("walk : additive\n{\n}", ("unknown-anim-property", 1, 8)),
        ("walk : loopsync {\n}", ("bad-token", 1, 17)),
        ("walk : loopsync\n", ("property-on-leaf", 1, 1)),
        ("walk :\nrun\n", ("property-on-leaf", 1, 1)),
        ("walk\n{ run\n}", ("token-after-brace", 2, 3)),
        ("walk\n{\n} run", ("token-after-brace", 3, 3)),
        ("{\n}", ("block-without-name", 1, 1)),
        ("walk\n{\n}\n{\n}", ("block-without-name", 4, 1)),
        ("walk\n{\nrun\n", ("unexpected-end-of-file", 3, 4)),
        ("walk\n{\nrun\n{\n", ("unexpected-end-of-file", 4, 2)),
        ("walk\n/* run", ("unterminated-comment", 2, 1)),
        ('"walk', ("bad-token", 1, 1)),
        ('""', ("bad-token", 1, 1)),
        ("w\xe4lk", ("bad-token", 1, 1)),
    ],
)
def test_one_slip_is_one_diagnostic(text: str, fault: tuple[str, int, int]) -> None:
    assert faults(text) == [fault]


def test_a_nul_byte_is_named_once() -> None:
    assert faults(b"w\0a\0l\0k\0")[0] == ("bad-token", 1, 2)
    assert [f[0] for f in faults(b"walk\n\0\n\0")] == ["bad-token"]


def test_several_faults_of_a_file_are_found_in_order() -> None:
    text = "walk run\nidle\n{\n\tstand : quick\n\t{\n\t\ta\n\t}\n\tsit{\n\t}\n}\n} x\n"
    assert faults(text) == [
        ("anim-alias", 1, 6),
        ("unknown-anim-property", 4, 10),
        ("bad-token", 8, 2),
        ("bad-token", 11, 1),
        ("token-after-brace", 11, 3),
    ]


def test_a_property_that_is_nearly_right_gets_a_hint() -> None:
    with pytest.raises(DiagnosticError) as caught:
        read("p : loopsinc\n{\n}\n")
    assert caught.value.diagnostics[0].notes[0].message == "did you mean loopsync or nonloopsync?"


def test_faults_are_capped() -> None:
    assert len(faults("a b\n" * 1000)) == atr.MAX_ERRORS


def test_nesting_has_a_limit_and_no_depth_is_a_crash() -> None:
    at_limit = "p\n{\n" * MAX_DEPTH + "}\n" * MAX_DEPTH
    assert len(read(at_limit)) == 1
    beyond = MAX_DEPTH + 1
    assert [f[0] for f in faults("p\n{\n" * beyond + "}\n" * beyond)] == ["anim-tree-too-deep"]
    assert [f[0] for f in faults("p\n{\n" * 20_000)] == ["anim-tree-too-deep", "unexpected-end-of-file"]


@given(st.text(alphabet='ab{}:/*" \n\tx_,\xff\0', max_size=60))
def test_any_text_gives_entries_or_diagnostics(text: str) -> None:
    found: tuple[Diagnostic, ...] = ()
    try:
        read(text)
    except DiagnosticError as error:
        found = error.diagnostics
    assert all(d.span is not None and d.code and d.message for d in found)
