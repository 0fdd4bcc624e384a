"""BOS text as tokens. A hyphen is an operator here; the parser joins hyphenated words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from engine.source import Diagnostic, SourceText, Span

TokenKind = Literal["name", "number", "string", "op", "end"]

_TOKEN = re.compile(
    r"""
    (?P<skip>(?:[ \t\r\f\v\x00]|\\\r?\n|//[^\n]*|/\*.*?\*/)+)
  | (?P<newline>\n)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>0[xX][0-9A-Fa-f]+|\d+\.\d*|\.\d+|\d+)
  | (?P<string>"[^"\n]*")
  | (?P<op>&&|\|\||\^\^|<=|>=|==|!=|\+\+|--|/(?!\*)|[-+*%&|^!<>=?(){}\[\],;:#.])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """`span` is where the user wrote it: for what a macro produced, the place that used the macro.

    first is True for the first token of a line, where a directive may begin; hidden names the macros whose
    expansion made the token, so that none expands inside itself; made is its place in the last of their definitions.
    """

    kind: TokenKind
    text: str
    span: Span
    first: bool = False
    hidden: frozenset[str] = frozenset()
    made: Span | None = None

    def is_op(self, *texts: str) -> bool:
        return self.kind == "op" and self.text in texts

    def is_word(self, *texts: str) -> bool:
        return self.kind == "name" and self.text.lower() in texts


MAX_DIGITS = 40
NUMBER_TOO_LONG = f"a number has at most {MAX_DIGITS} digits"


def whole_number(text: str) -> int | None:
    """The value of a decimal or hexadecimal token; None when it is longer than any that could be meant."""
    if len(text) > MAX_DIGITS:
        return None
    return int(text, 16) if text[:2].lower() == "0x" else int(text)


def tokenize(source: SourceText, problems: list[Diagnostic]) -> list[Token]:
    """All tokens of a file, ended by an `end` token. Faults go to `problems`; the bad byte is skipped."""
    text = source.text
    tokens: list[Token] = []
    at, first = 0, True
    match = _TOKEN.match
    while at < len(text):
        found = match(text, at)
        if found is None:
            span = source.span(at, at + 1)
            if text.startswith("/*", at):
                problems.append(Diagnostic("bos-open-comment", "this comment is never closed", span))
                break
            if text[at] == '"':
                problems.append(
                    Diagnostic("bos-open-string", "this string has no closing quote on its line", span)
                )
                at = text.find("\n", at) if "\n" in text[at:] else len(text)
                continue
            problems.append(Diagnostic("bos-bad-character", f"a BOS file has no use for {text[at]!r}", span))
            at += 1
            continue
        kind = found.lastgroup
        if kind == "newline":
            first = True
        elif kind == "skip":
            # A block comment over several lines begins a new line as well.
            comment = re.sub(r"\\\r?\n", "", found[0])
            first = first or "\n" in comment
        else:
            tokens.append(Token(kind, found[0], source.span(at, found.end()), first))  # type: ignore[arg-type]  # group names
            first = False
        at = found.end()
    tokens.append(Token("end", "", source.span(len(text)), True))
    return tokens
