"""A place in the tokens of a file, and what the parser says when the next one is not what it should be.

A fault is reported once and raises `Recover`; whoever can go on catches it. Nothing is said about a line on
which the scanner has already found something, since what follows there is a consequence.
"""

from __future__ import annotations

from typing import NoReturn

from engine.gsc.dialect import Dialect
from engine.gsc.later import form_at
from engine.gsc.scanner import Tokens
from engine.source import Diagnostic, Note, Span
from engine.source.diagnostic import MISSING_HERE

MAX_ERRORS = 50
"""Errors reported for one file; the rest is most likely a consequence."""


class Recover(Exception):
    """Something was reported: unwind to the next place that can go on."""


class GiveUp(Exception):
    """Nothing more can be learned from this file."""


class Cursor:
    """`pos` is the index of the next token. `depth` counts expressions within one another as written."""

    def __init__(self, tokens: Tokens, dialect: Dialect) -> None:
        self.tokens = tokens
        self.source = tokens.source
        self.dialect = dialect
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.pos = 0
        self.depth = 0
        self.diagnostics: list[Diagnostic] = []
        self.errors = 0
        self.refused_lines = {d.span.line for d in tokens.diagnostics if d.span is not None}
        self.last_error_at = -1

    # ---- looking ----------------------------------------------------------------------------------

    def span(self, pos: int | None = None) -> Span:
        """The place of a token, by default the next."""
        at = self.pos if pos is None else pos
        return self.source.span(self.starts[at], self.ends[at])

    def spelling(self, pos: int) -> str:
        return self.source.text[self.starts[pos] : self.ends[pos]]

    def name(self, pos: int) -> str:
        """The lower-cased value of a name or the canonical one of a path."""
        value = self.values[pos]
        assert isinstance(value, str)
        return value

    def describe(self, pos: int) -> str:
        """A token in words."""
        kind = self.kinds[pos]
        if kind == "end":
            return "the end of the file"
        if kind == "string":
            return "a string"
        if kind == "localized":
            return "a localized string"
        shown = f"'{self.spelling(pos)}'"
        return f"the reserved word {shown}" if kind in self.dialect.keywords else shown

    def on_new_line(self) -> bool:
        """Whether the next token begins a line after the last one."""
        return self.pos == 0 or "\n" in self.source.text[self.ends[self.pos - 1] : self.starts[self.pos]]

    # ---- reporting --------------------------------------------------------------------------------

    def report(self, code: str, message: str, span: Span, *notes: Note) -> None:
        """Report an error, unless it follows from one already reported."""
        if self.refused_lines and span.line in self.refused_lines:
            return
        if span.start == self.last_error_at:
            return
        self.last_error_at = span.start
        if self.errors == MAX_ERRORS:
            last = self.diagnostics.pop()
            self.diagnostics.append(last.with_note("there are more errors in this file; they are not shown"))
            raise GiveUp
        self.errors += 1
        self.diagnostics.append(Diagnostic(code, message, span, notes=notes))

    def warn(self, code: str, message: str, span: Span) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, "warning"))

    def fail(self, message: str, *notes: Note, code: str = "syntax", pos: int | None = None) -> NoReturn:
        """Report an error at a token, by default the next, and unwind."""
        at = self.pos if pos is None else pos
        if code == "syntax":
            form = form_at(self.tokens, at)
            if form is not None and form in self.dialect.later:
                self.fail_later(form, pos)
        if self.kinds[at] != "bad":
            self.report(code, message, self.span(at), *notes)
        raise Recover

    def fail_later(self, key: str, pos: int | None = None) -> NoReturn:
        """Refuse something that a later dialect has."""
        later = self.dialect.later[key]
        message = f"{later.what} is not part of {self.dialect.title} GSC (it came with {later.game})"
        self.fail(message, Note(f"{later.instead} instead"), code="later-dialect", pos=pos)

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse the next token, with what helps to mend it."""
        kind = self.kinds[self.pos]
        if kind in self.dialect.later:
            self.fail_later(kind)
        notes: list[Note] = []
        if kind == "=" and wanted.endswith(("')'", "']'")):
            notes.append(Note("to compare two values, write =="))
        elif kind == "." and self.source.text.startswith("..\\", self.starts[self.pos]):
            notes.append(
                Note("a script is named from the folder of all scripts, and nothing leads out of it")
            )
        elif kind == "(" and self.pos > 1 and self.kinds[self.pos - 1] == ".size":
            notes.append(Note(".size is a value and no call: write it without ()"))
        elif kind == "(" and self.pos > 1 and self.kinds[self.pos - 2] == ".":
            notes.append(
                Note(
                    "a field cannot be called: a function is called as OBJECT name(), a value as OBJECT [[ value ]]()"
                )
            )
        elif kind == "." and wanted == "'::'":
            notes.append(Note("a script is named without .gsc; the loader adds it"))
        elif kind == "::" and self.pos > 2 and self.values[self.pos - 1] == "gsc":
            self.pos -= 2
            self.unexpected("'::'")
        elif self.pos and wanted == "';'" and self.on_new_line():
            end = self.ends[self.pos - 1]
            notes.append(Note(MISSING_HERE, self.source.span(end - 1, end)))
        self.fail(f"expected {wanted} but found {self.describe(self.pos)}", *notes)

    # ---- taking -----------------------------------------------------------------------------------

    def expect(self, kind: str) -> int:
        """Take a token of one kind and give its index."""
        at = self.pos
        if self.kinds[at] != kind:
            self.unexpected(f"'{kind}'")
        self.pos = at + 1
        return at

    def expect_name(self, what: str) -> int:
        """Take a name. `what` says what it names, such as "a field name"."""
        at = self.pos
        if self.kinds[at] != "name":
            if self.kinds[at] in self.dialect.keywords:
                word = self.spelling(at)
                self.fail(
                    f"expected {what} but '{word}' is a reserved word",
                    Note(f"only the lower-case spelling is reserved: {word.capitalize()} is a name"),
                )
            self.unexpected(what)
        self.pos = at + 1
        return at
