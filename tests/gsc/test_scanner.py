"""Tokens: what each spelling is, what is refused, and where."""

from __future__ import annotations

import struct

import pytest

from engine.gsc.dialect import UO
from engine.gsc.scanner import Tokens, binary32, scan, unescape
from engine.source import SourceText


def tokens_of(text: str | bytes) -> Tokens:
    return scan(SourceText("a.gsc", text))


def kinds(text: str | bytes) -> list[str]:
    return tokens_of(text).kinds[:-1]


def values(text: str) -> list[int | float | str | None]:
    return tokens_of(text).values[:-1]


def faults(text: str | bytes) -> list[tuple[str, int, int]]:
    found = []
    for diagnostic in tokens_of(text).diagnostics:
        assert diagnostic.span is not None
        found.append((diagnostic.code, diagnostic.span.line, diagnostic.span.col))
    return found


@pytest.mark.parametrize("spelling", sorted({*UO.operators, *UO.composites, *UO.keywords}))
def test_every_exact_spelling_is_one_token_of_its_own_kind(spelling: str) -> None:
    tokens = tokens_of(f" {spelling} ")
    assert tokens.kinds == [spelling, "end"]
    assert (tokens.starts[0], tokens.ends[0]) == (1, 1 + len(spelling))
    assert not tokens.diagnostics


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("( int )x", ["(", "name", ")", "name"]),
        ("a . size", ["name", ".", "name"]),
        ("a.size", ["name", ".size"]),
        ("a.sizes", ["name", ".", "name"]),
        ("a.Size", ["name", ".", "name"]),
        ("1.size", ["int", ".size"]),
        ("# animtree", ["bad", "name"]),
        ("a<<=b", ["name", "<<=", "name"]),
        ("a< <=b", ["name", "<", "<=", "name"]),
        ("a&&b&c", ["name", "&&", "name", "&", "name"]),
        ('a&&"x"', ["name", "&&", "string"]),
        ('a & &"x"', ["name", "&", "localized"]),
        ("a]]]", ["name", "]", "]", "]"]),
        ("a[[b", ["name", "[", "[", "name"]),
        ("a%b", ["name", "%", "name"]),
        ("%2walk", ["animation"]),
        ("a-1", ["name", "-", "int"]),
        ("a---1", ["name", "--", "-", "int"]),
        ("If WAIT Self", ["name", "name", "name"]),
        ("wait_ _wait wait2", ["name", "name", "name"]),
        (r"maps\mp\_util::f", ["path", "::", "name"]),
        (r"rules\default::wait", ["path", "::", "wait"]),
        ("a//b\nc", ["name", "name"]),
        ("a/**/b/*x\n*/c", ["name", "name", "name"]),
        ("/* a /* b */ c", ["name"]),
        ("/# a #/ b", ["/#", "name", "#/", "name"]),
        ('/*"*/a//"\nb', ["name", "name"]),
        ("#include", ["directive"]),
        ("", []),
        (" \t\r\n", []),
    ],
)
def test_kinds(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Foo BAR_1 _x", ["foo", "bar_1", "_x"]),
        (r"Maps\MP\X", [r"maps\mp\x"]),
        (r"maps\\mp\\\x", [r"maps\mp\x"]),
        (r"\maps\x", [r"maps\x"]),
        ("0 7 007 2147483647", [0, 7, 7, 2147483647]),
        ("0.5 .5 1.25 00.5", [0.5, 0.5, 1.25, 0.5]),
        ("%2Walk", ["2walk"]),
        (r'"a\nb\rc\td"', ["a\nb\rc\td"]),
        (r'"\"\\\_\l\'"', ["\"\\_l'"]),
        ('&"MENU_OK" ""', ["MENU_OK", ""]),
        ('"\xe4\xff"', ["\xe4\xff"]),
    ],
)
def test_values(text: str, expected: list[object]) -> None:
    assert values(text) == expected


def test_floats_are_rounded_to_binary32() -> None:
    assert values("0.1 16777217.0") == [struct.unpack("f", struct.pack("f", 0.1))[0], 16777216.0]
    assert binary32(1e300) == float("inf")
    assert binary32(-1e300) == float("-inf")


def test_only_the_low_digits_of_a_huge_integer_matter() -> None:
    exact = pow(10, 5000, 2**32) - 1
    (value,) = values("9" * 5000)
    assert isinstance(value, int)
    assert value > 2**31
    assert value % 2**32 == exact % 2**32


def test_unescape_keeps_a_character_after_any_other_backslash() -> None:
    assert unescape(r"a\qb") == "aqb"
    assert unescape("plain") == "plain"


def test_a_byte_order_mark_is_dropped_and_not_counted() -> None:
    tokens = tokens_of(b"\xef\xbb\xbfmain(){}")
    assert tokens.kinds[0] == "name"
    assert tokens.starts[0] == 0


def test_line_ends_of_both_kinds() -> None:
    tokens = tokens_of("a\r\nb // c\r\nd")
    assert [tokens.source.line_col(s) for s in tokens.starts[:-1]] == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = "abc;\ny', [("unterminated-string", 1, 5)]),
        ('x = "abc\\', [("unterminated-string", 1, 5)]),
        ('x = &"abc\ny', [("unterminated-string", 1, 6)]),
        ('"a\0b"', [("unterminated-string", 1, 1)]),
        ("a /* b\nc", [("unterminated-comment", 1, 3)]),
        ("a /* b */ /*", [("unterminated-comment", 1, 11)]),
        ("x = 0x10;", [("bad-number", 1, 5)]),
        ("x = 1.;", [("bad-number", 1, 5)]),
        ("x = 1.e;", [("bad-number", 1, 5)]),
        ("x = 1e5;", [("bad-number", 1, 5)]),
        ("x = .5e3;", [("bad-number", 1, 5)]),
        ("x = 1.5f;", [("bad-number", 1, 5)]),
        ("x = 1name;", [("bad-number", 1, 5)]),
        ("a\0", [("stray-byte", 1, 2)]),
        ("a $ b", [("stray-byte", 1, 3)]),
        ("a\x0bb", [("stray-byte", 1, 2)]),
        ("a \\ b", [("stray-byte", 1, 3)]),
        ("x = \xe2\x80\x9chi\xe2\x80\x9d;\n\xe4", [("stray-byte", 1, 5), ("stray-byte", 2, 1)]),
    ],
)
def test_refusals_are_reported_once_and_in_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x1F", "numbers are decimal here: 0x1F is not one; write 31"),
        ("0x", "numbers are decimal here: 0x is not one; write the number in decimal"),
        ("0xFFFFFFFFFF", "numbers are decimal here: 0xFFFFFFFFFF is not one; write the number in decimal"),
        ("1.", "a number cannot end in a point: write 1.0"),
        ("1e5", "1e5 is not a number: there is no exponent notation"),
        ("2x", "2x is neither a number nor a name"),
        ('"a', "this string is not closed on its line"),
        ("/*", "this comment is never closed: */ is missing"),
        ("\0", "the byte 0x00 means nothing here"),
        ("@", "the byte '@' 0x40 means nothing here"),
        (
            "\xe4",
            "the byte 0xE4 means nothing here; outside strings and comments only plain ASCII is understood",
        ),
    ],
)
def test_messages(text: str, message: str) -> None:
    assert [d.message for d in tokens_of(text).diagnostics] == [message]


def test_scanning_goes_on_after_a_string_that_is_not_closed() -> None:
    assert kinds('a("b);\nc;') == ["name", "(", "bad", "name", ";"]
