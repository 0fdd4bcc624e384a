"""Text to tokens (language page, "Lexical structure").

One regular expression finds every token together with the blanks and comments before it. Keywords are matched
by exact spelling before names are lower-cased, so that a field may be called `Wait`. A script path such as
`maps\\mp\\util` is one token and may contain reserved words. Escapes are resolved and floats rounded to
binary32 here; integers keep their full value, because the sign before them decides whether they fit.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from engine.gsc.dialect import UO, Dialect, Lexis
from engine.source import Diagnostic, SourceText
from engine.source.paths import canonical

TokenValue = int | float | str | None

_BINARY32 = struct.Struct("<f")
_MAX_DIGITS = 32
"""Digits of an integer literal that matter to its low 32 bits: ten to this power is a multiple of 2**32."""
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_INT = re.compile(r"\d+\Z", re.ASCII)
_FLOAT = re.compile(r"\d*\.\d+\Z", re.ASCII)
_EXPONENT = re.compile(r"(?:\d*\.)?\d+[eE]\d*\Z", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]+\Z", re.ASCII)
_DOUBLE = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_MAX_WIDE = 64
"""Digits of an integer literal of a dialect with wide numbers; what is longer fits into no integer of it."""


@dataclass(slots=True)
class Tokens:
    """The tokens of one file as parallel lists; the last is of kind "end" and empty.

    A kind is the exact spelling for keywords, operators and composite tokens, and otherwise "name" (value:
    lower-cased), "path" (value: canonical), "int", "float", "string", "localized", "animation" (a `%name`
    that begins with a digit), "directive" (an unknown `#word`), "newline" where lines count, or "bad" for what
    has been reported.
    """

    source: SourceText
    kinds: list[str] = field(default_factory=list)
    values: list[TokenValue] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def binary32(value: float) -> float:
    """`value` rounded to binary32; beyond its range the infinity of that sign."""
    try:
        rounded: float = _BINARY32.unpack(_BINARY32.pack(value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded


def unescape(text: str, keep: bool = False) -> str:
    """The value of a string's inside: `\\n`, `\\r` and `\\t` are controls, any other backslash is dropped.

    With `keep` it is dropped only before a quote or another backslash."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[0] if keep and m[1] not in "\"'\\" else m[1]), text)


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    """Blanks and comments, then one token in group 1. It matches everywhere; at the end group 1 is empty."""
    words = [re.escape(c) + (r"(?!\w)" if c[-1].isalnum() else "") for c in dialect.composites]
    operators = [re.escape(o) for o in sorted(dialect.operators, key=len, reverse=True)]
    if dialect.lexis.lines:
        return _line_pattern(dialect.lexis, operators)
    token = [
        r"[A-Za-z_]\w*(?:\\+\w+)*",  # name, keyword or path
        r"\\+\w+(?:\\+\w+)*",  # path with a leading separator
        r'&?"[^"\\\n\0]*(?:\\[^\n\0][^"\\\n\0]*)*"',
        r"\d*\.\d+\w*",
        r"\d+\w*(?:\.(?!\d|size\b))?",  # the tail is only there to be refused
        r"%\d+[A-Za-z_]\w*",
        r"/\*",  # not closed, or the comment above would have taken it
        *words,
        *operators,
        r"#\w+",
        r"\Z",
        r"[\s\S]",
    ]
    ends = r"|\0+\Z" if dialect.lexis.terminators else ""
    blanks = rf"(?:[ \t\r\n]+|//[^\n]*|/\*[\s\S]*?\*/{ends})*"
    return re.compile(blanks + "(" + "|".join(token) + ")", re.ASCII)


def _line_pattern(lexis: Lexis, operators: list[str]) -> re.Pattern[str]:
    """The same for a language in which a line feed is a token."""
    token = [
        r"[A-Za-z_]\w*",
        *(rf"{q}[^{q}\\\n\0]*(?:\\[^\n\0][^{q}\\\n\0]*)*{q}" for q in lexis.quotes),
        r"0[xX]\w*",
        r"(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?\w*",  # `1..3` is a range from 1
        r"/\*",
        *operators,
        r"\n",
        r"\Z",
        r"[\s\S]",
    ]
    comment = r"(?://|#)[^\n]*" if lexis.hash_comments else r"//[^\n]*"
    blanks = rf"(?:[ \t\r]+|{comment}|/\*[\s\S]*?\*/)*"
    return re.compile(blanks + "(" + "|".join(token) + ")", re.ASCII)


def scan(
    source: SourceText, dialect: Dialect = UO, pieces: Iterable[tuple[int, int]] | None = None
) -> Tokens:
    """All tokens of a file, or of some pieces of it from offset to offset, each of whole tokens and in order. Never
    raises; faults are in `diagnostics`, in order of their place."""
    return _Scanner(source, dialect).run(pieces if pieces is not None else ((0, len(source.text)),))


class _Scanner:
    """One run over one text. `known` remembers what each spelling means."""

    def __init__(self, source: SourceText, dialect: Dialect) -> None:
        self.source = source
        self.text = source.text
        self.find = _pattern(dialect).finditer
        self.dialect = dialect
        self.lexis = dialect.lexis
        self.tokens = Tokens(source)
        self.known: dict[str, tuple[str, TokenValue]] = {
            **{o: (o, None) for o in dialect.operators + dialect.composites},
            **{k: (k, k) for k in dialect.keywords},
        }
        if self.lexis.lines:
            self.known["\n"] = ("newline", None)
        self.resume_at = -1
        self.bad_line_end = -1

    def run(self, pieces: Iterable[tuple[int, int]]) -> Tokens:
        tokens = self.tokens
        entries: list[tuple[str, TokenValue]] = []
        for at, end in pieces:
            self.piece(at, end, entries)
        tokens.kinds = [e[0] for e in entries]
        tokens.values = [e[1] for e in entries]
        tokens.kinds.append("end")
        tokens.values.append(None)
        tokens.starts.append(len(self.text))
        tokens.ends.append(len(self.text))
        return tokens

    def piece(self, at: int, end: int, entries: list[tuple[str, TokenValue]]) -> None:
        tokens = self.tokens
        add, add_start, add_end = entries.append, tokens.starts.append, tokens.ends.append
        known, classify = self.known.get, self.classify
        while at >= 0:
            self.resume_at = -1
            for match in self.find(self.text, at, end):
                spelling = match[1]
                entry = known(spelling)
                if entry is None:
                    if not spelling:
                        break
                    entry = classify(spelling, match.start(1))
                add(entry)
                add_start(match.start(1))
                add_end(match.end())
                if self.resume_at >= 0:
                    break
            at = self.resume_at

    def classify(self, spelling: str, start: int) -> tuple[str, TokenValue]:
        """What a spelling seen for the first time is. Faults are reported and not remembered."""
        first = spelling[0]
        entry: tuple[str, TokenValue]
        if self.lexis.lines:
            of_lines = self.classify_wide(spelling)
            if of_lines is None:
                return self.refuse(spelling, start)
            entry = of_lines
        elif first.isascii() and (first.isalpha() or first == "_" or (first == "\\" and len(spelling) > 1)):
            lowered = canonical(spelling)
            entry = ("path" if "\\" in lowered else "name", lowered)
        elif first == '"' and len(spelling) > 1:
            entry = ("string", unescape(spelling[1:-1]))
        elif first == "&":
            entry = ("localized", unescape(spelling[2:-1]))
        elif _INT.match(spelling):
            digits = spelling.lstrip("0") or "0"
            excess = 1 << 40 if len(digits) > _MAX_DIGITS else 0
            entry = ("int", int(digits[-_MAX_DIGITS:]) + excess)
        elif _FLOAT.match(spelling):
            entry = ("float", binary32(float(spelling)))
        elif first == "%":
            entry = ("animation", spelling[1:].lower())
        elif first == "#" and len(spelling) > 1:
            entry = ("directive", spelling.lower())
        else:
            return self.refuse(spelling, start)
        self.known[spelling] = entry
        return entry

    def classify_wide(self, spelling: str) -> tuple[str, TokenValue] | None:
        """The same for a language of lines; None for what must be refused."""
        first = spelling[0]
        if first.isascii() and (first.isalpha() or first == "_"):
            return "name", spelling
        if first in self.lexis.quotes and len(spelling) > 1:
            return "string", unescape(spelling[1:-1], self.lexis.kept_escapes)
        if _INT.match(spelling) and len(spelling) <= _MAX_WIDE:
            return "int", int(spelling)
        if _HEXADECIMAL.match(spelling) and len(spelling) <= _MAX_WIDE:
            return "int", int(spelling, 16)
        if _DOUBLE.match(spelling) and not _INT.match(spelling):
            return "float", float(spelling)
        return None

    def refuse(self, spelling: str, start: int) -> tuple[str, TokenValue]:
        first = spelling[0]
        if first in self.lexis.quotes:
            self.report("unterminated-string", "this string is not closed on its line", start, start + 1)
            self.resume_at = self.line_end(start)
        elif spelling == "/*":
            self.report(
                "unterminated-comment", "this comment is never closed: */ is missing", start, start + 2
            )
        elif first.isdigit() or (first == "." and len(spelling) > 1):
            return self.refuse_number(spelling, start)
        else:
            self.refuse_byte(spelling, start)
        if spelling == "/*":
            self.resume_at = len(self.text)
        return "bad", None

    def refuse_number(self, spelling: str, start: int) -> tuple[str, TokenValue]:
        """A malformed number still counts as one, so that nothing else is said about its line."""
        end = start + len(spelling)
        if self.lexis.wide_numbers:
            shown = spelling if len(spelling) <= 40 else spelling[:40] + "..."
            self.report(
                "bad-number", f"{shown} is no number: write 12, 1.5, 1e6 or 0x1F, up to 64 bits", start, end
            )
        elif spelling[:2] in ("0x", "0X"):
            digits = spelling[2:]
            value = (
                int(digits, 16)
                if digits and len(digits) <= 8 and not digits.strip("0123456789abcdefABCDEF")
                else None
            )
            instead = f"write {value}" if value is not None else "write the number in decimal"
            self.report(
                "bad-number", f"numbers are decimal here: {spelling} is not one; {instead}", start, end
            )
        elif spelling[-1] == ".":
            self.report("bad-number", f"a number cannot end in a point: write {spelling}0", start, end)
        elif _EXPONENT.match(spelling):
            self.report(
                "bad-number", f"{spelling} is not a number: there is no exponent notation", start, end
            )
        else:
            self.report("bad-number", f"{spelling} is neither a number nor a name", start, end)
        return "float", 0.0

    def refuse_byte(self, spelling: str, start: int) -> None:
        """One report a line: text in foreign quotes would give one for each of them."""
        if start <= self.bad_line_end:
            return
        self.bad_line_end = self.line_end(start)
        if self.text.startswith('#"', start) and '#"' in self.dialect.later:
            later = self.dialect.later['#"']
            message = f"{later.what} is not part of {self.dialect.title} GSC (it came with {later.game})"
            span = self.source.span(start, start + 2)
            fault = Diagnostic("later-dialect", message, span).with_note(f"{later.instead} instead")
            self.tokens.diagnostics.append(fault)
            return
        code = ord(spelling)
        shown = f"{spelling!r} " if 32 < code < 127 else ""
        hint = "; outside strings and comments only plain ASCII is understood" if code > 127 else ""
        self.report("stray-byte", f"the byte {shown}0x{code:02X} means nothing here{hint}", start, start + 1)

    def line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return end if end >= 0 else len(self.text)

    def report(self, code: str, message: str, start: int, end: int) -> None:
        self.tokens.diagnostics.append(Diagnostic(code, message, self.source.span(start, end)))
