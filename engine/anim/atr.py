"""Reader of `.atr` files: text to entries (animation facts, sections 1.2 to 1.4).

The format is line oriented and its tokens are whatever stands between blanks, so `walk{` is one bad token
and `//` opens a comment only where a token could start. A file may hold several faults; after each the reader
goes on as if the line had been written properly, so that one slip does not cause a second message.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.anim.entries import (
    EXTENDED,
    EXTENDED_PROPERTIES,
    MAX_DEPTH,
    NO_EXTRAS,
    NO_FLAGS,
    PROPERTIES,
    VALUED_PROPERTIES,
    Entry,
    Extras,
    NodeFlag,
)
from engine.anim.prune import ROOT, ClipSource, StandIn, prune
from engine.anim.tree import Tree
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean

MAX_ERRORS = 20
"""Errors reported for one file; a file with more is not an animation tree."""

_TOKEN = re.compile(
    r"[\x00-\x20]*(?:"
    r"(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)"
    r"|(?P<open>/\*)"
    r'|"(?P<quoted>[^"\n]*)"'
    r"|(?P<bare>[^\x00-\x20]+)"
    r"|(?P<end>\Z))",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"[A-Za-z0-9_]+\Z")
_BONE = re.compile(r"-?[^\s,=-][^\s,=]*\Z")
_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class TreeSource:
    """One file's entries in file order."""

    source: SourceText
    entries: tuple[Entry, ...]

    def names(self) -> set[str]:
        """Every name in it, that of the invisible root included."""
        names, pending = {ROOT}, [*self.entries]
        while pending:
            entry = pending.pop()
            names.add(entry.name)
            pending += entry.children or ()
        return names

    def prune(
        self,
        referenced: Mapping[str, Span | None],
        clips: ClipSource,
        *,
        all_names: bool = False,
        stand_in: StandIn | None = None,
    ) -> Tree:
        """The tree that a program needs; see `engine.anim.prune.prune`."""
        return prune(self.source, self.entries, referenced, clips, all_names=all_names, stand_in=stand_in)


def read(source: SourceText, *, modern: bool = False) -> TreeSource:
    """Read a file, with `modern` one of Modern Warfare 2: groups may be `additive`, siblings have different names, and
    there is something in it. Raises DiagnosticError with every fault found, in the order of the text."""
    return _Reader(source, modern).read()


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    line: int
    quoted: bool = False

    @property
    def is_name(self) -> bool:
        return _IDENTIFIER.match(self.text) is not None

    def is_mark(self, mark: str) -> bool:
        return self.text == mark and not self.quoted


@dataclass(slots=True)
class _Open:
    """A block that is being read."""

    name: str
    span: Span
    flags: NodeFlag
    brace: Span
    extras: Extras = NO_EXTRAS
    entries: list[Entry] = field(default_factory=list)
    bare: bool = False
    """Whether the last entry is a name that a block may still follow."""

    def closed(self) -> Entry:
        return Entry(self.name, self.span, self.flags, tuple(self.entries), self.extras)


class _Reader:
    def __init__(self, source: SourceText, modern: bool) -> None:
        self.source = source
        self.modern = modern
        self.diagnostics: list[Diagnostic] = []
        self.tokens = self._scan()
        self.at = 0
        self.extended = self._asks_for_more()
        top = source.span(0)
        self.stack = [_Open("", top, NO_FLAGS, top)]

    def _error(self, code: str, message: str, span: Span, *notes: str | None) -> None:
        diagnostic = Diagnostic(code, message, span)
        for note in notes:
            if note:
                diagnostic = diagnostic.with_note(note)
        self.diagnostics.append(diagnostic)

    def _span(self, token: _Token) -> Span:
        return self.source.span(token.start, token.end)

    def _scan(self) -> list[_Token]:
        text = self.source.text
        tokens: list[_Token] = []
        nul = text.find("\0")
        if nul >= 0:
            self._error(
                "bad-token",
                "bad token: a NUL byte",
                self.source.span(nul, nul + 1),
                "save the file as plain text",
            )
        at, line, counted = 0, 1, 0
        while (match := _TOKEN.match(text, at)) is not None and match.lastgroup != "end":
            kind = match.lastgroup
            at = match.end()
            if kind == "open":
                start = match.start("open")
                self._error(
                    "unterminated-comment", "this comment has no end", self.source.span(start, start + 2)
                )
                break
            if kind == "quoted":
                start, word = match.start("quoted") - 1, match["quoted"]
            elif kind == "bare":
                start, word = match.start("bare"), match["bare"]
            else:
                continue
            line += text.count("\n", counted, start)
            counted = start
            tokens.append(_Token(word, start, at, line, kind == "quoted"))
        return tokens

    def _asks_for_more(self) -> bool:
        """Whether the first line is `#extended`; it is passed over then."""
        if not self.tokens or self.tokens[0].text.lower() != EXTENDED or self.tokens[0].quoted:
            return False
        self.at = 1
        after = self._next_on(self.tokens[0].line)
        if after is not None:
            self._error(
                "bad-token",
                f"bad token '{after.text}' after '{EXTENDED}'",
                self._span(after),
                "it stands alone",
            )
            self._skip_line(self.tokens[0].line)
        return True

    # -- the token stream --

    def _next(self) -> _Token | None:
        if self.at >= len(self.tokens):
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def _peek(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next_on(self, line: int) -> _Token | None:
        """The next token if it stands on the given line."""
        token = self._peek()
        return self._next() if token is not None and token.line == line else None

    def _skip_line(self, line: int) -> None:
        while self._next_on(line) is not None:
            pass

    # -- the grammar --

    def read(self) -> TreeSource:
        while len(self.diagnostics) < MAX_ERRORS:
            token = self._next()
            if token is None:
                self._end_of_file()
                break
            if token.is_mark("{"):
                self._open_block(token)
            elif token.is_mark("}"):
                self._close_block(token)
            elif token.is_name:
                self._name_line(token)
            else:
                self._bad_first_token(token)
        if self.modern and not self.diagnostics:
            self._check_modern(self.stack[0].entries)
        if self.diagnostics:
            self.diagnostics.sort(key=lambda d: d.span.start if d.span is not None else 0)
            raise DiagnosticError(self.diagnostics)
        return TreeSource(self.source, tuple(self.stack[0].entries))

    def _check_modern(self, top: list[Entry]) -> None:
        if not top:
            self._error("empty-anim-tree", "there is no animation in this tree", self.source.span(0))
        pending = [tuple(top)]
        while pending:
            first: dict[str, Entry] = {}
            for entry in pending.pop():
                pending.append(entry.children or ())
                if entry.name not in first:
                    first[entry.name] = entry
                    continue
                text = f"'{entry.name}' stands twice in one block"
                twice = Diagnostic("duplicate-animation", text, entry.span)
                self.diagnostics.append(twice.with_note("the first is here", first[entry.name].span))

    def _end_of_file(self) -> None:
        if len(self.stack) == 1:
            return
        block = self.stack[-1]
        end = self.tokens[-1].end if self.tokens else 0
        self.diagnostics.append(
            Diagnostic(
                "unexpected-end-of-file", "unexpected end of file inside a block", self.source.span(end)
            ).with_note(f"the block of '{block.name}' begins here and needs a line with '}}'", block.brace)
        )

    def _name_line(self, token: _Token) -> None:
        """`NAME`, or `NAME : properties`; a block may follow on a later line."""
        self._add(token, token.text)
        after = self._next_on(token.line)
        if after is None:
            return
        if after.is_mark(":"):
            self._properties(token, after)
        elif after.is_name:
            self._error(
                "anim-alias",
                "aliases not yet implemented: one name a line",
                self._span(after),
                f"put '{after.text}' on a line of its own",
            )
            self._skip_line(token.line)
        else:
            if after.is_mark("{"):
                self._error(
                    "bad-token", "bad token '{'", self._span(after), "'{' stands on a line of its own"
                )
                self._push(after)
            else:
                self._error(
                    "bad-token",
                    f"bad token '{after.text}' after a name",
                    self._span(after),
                    _advice(after.text),
                )
            self._skip_line(token.line)

    def _properties(self, name: _Token, colon: _Token) -> None:
        last = self.stack[-1].entries[-1]
        while (word := self._next_on(colon.line)) is not None:
            found = PROPERTIES.get(word.text.lower())
            if found is None and (self.extended or self.modern):
                found = EXTENDED_PROPERTIES.get(word.text.lower())
            if found is not None:
                last = replace(last, flags=last.flags | found)
            elif self.extended and word.text.partition("=")[0].lower() in VALUED_PROPERTIES:
                last = replace(last, extras=self._value(word, last.extras))
            else:
                self._not_a_property(word)
                self._skip_line(colon.line)
                return
            self.stack[-1].entries[-1] = last
        following = self._peek()
        of_a_leaf = self.extended and not last.flags & ~NodeFlag.ADDITIVE and last.extras.blend is None
        if not of_a_leaf and (following is None or not following.is_mark("{")):
            self._error(
                "property-on-leaf",
                "properties cannot be applied to primitive animations",
                self.source.span(name.start, colon.end),
                f"a block has to follow '{name.text} :', with '{{' on the next line",
            )

    def _value(self, word: _Token, extras: Extras) -> Extras:
        """A property with a value, added to the others."""
        name, _, value = word.text.lower().partition("=")
        if name == "mask":
            bones = tuple(value.split(","))
            if all(_BONE.match(bone) for bone in bones):
                return replace(extras, mask=bones)
            wanted = "bones, such as mask=spine,-head"
        elif name == "blend":
            if _IDENTIFIER.match(value):
                return replace(extras, blend=value)
            wanted = "the name of a parameter, such as blend=speed"
        else:
            if _NUMBER.match(value) and math.isfinite(float(value)):
                return replace(extras, at=float(value))
            wanted = "a number, such as at=60"
        self._error(
            "anim-property-value",
            f"'{word.text}' has no value that fits",
            self._span(word),
            f"it takes {wanted}",
        )
        return extras

    def _not_a_property(self, word: _Token) -> None:
        if word.is_mark("{"):
            self._error("bad-token", "bad token '{'", self._span(word), "'{' stands on a line of its own")
            self._push(word)
            return
        self._error(
            "unknown-anim-property",
            f"unknown anim property '{word.text}'",
            self._span(word),
            self._hint(word.text.lower()),
        )

    def _hint(self, word: str) -> str:
        more = (*EXTENDED_PROPERTIES, *(f"{name}=" for name in VALUED_PROPERTIES))
        if not self.extended and word.partition("=")[0] in (*EXTENDED_PROPERTIES, *VALUED_PROPERTIES):
            return (
                f"it is not of the original game: write '{EXTENDED}' on the first line of the file to use it"
            )
        known = (*PROPERTIES, *more) if self.extended else tuple(PROPERTIES)
        if self.modern and not self.extended:
            known = (*PROPERTIES, *EXTENDED_PROPERTIES)
        return did_you_mean(word, known) or f"the properties are {', '.join(known[:-1])} and {known[-1]}"

    def _add(self, token: _Token, name: str) -> None:
        block = self.stack[-1]
        start = token.start + (1 if token.quoted else 0)
        block.entries.append(Entry(name.lower(), self.source.span(start, start + len(name))))
        block.bare = True

    def _open_block(self, brace: _Token) -> None:
        if not self.stack[-1].bare:
            self._error(
                "block-without-name",
                "no animation specified for this block",
                self._span(brace),
                "a name has to stand on the line before '{'",
            )
            self._add(brace, "")
        self._push(brace)
        self._alone(brace)

    def _push(self, brace: _Token) -> None:
        outer = self.stack[-1]
        outer.bare = False
        entry = outer.entries[-1]
        self.stack.append(_Open(entry.name, entry.span, entry.flags, self._span(brace), entry.extras))
        if len(self.stack) == MAX_DEPTH + 2:
            self._error(
                "anim-tree-too-deep", f"blocks are nested more than {MAX_DEPTH} deep", self._span(brace)
            )

    def _close_block(self, brace: _Token) -> None:
        if len(self.stack) == 1:
            self._error("bad-token", "bad token '}': no block is open here", self._span(brace))
        else:
            block = self.stack.pop()
            self.stack[-1].entries[-1] = block.closed()
        self._alone(brace)

    def _alone(self, brace: _Token) -> None:
        """Nothing else may stand on the line of a brace."""
        after = self._next_on(brace.line)
        if after is not None:
            self._error(
                "token-after-brace",
                f"token not allowed after '{brace.text}'",
                self._span(after),
                f"'{brace.text}' stands on a line of its own",
            )
            self._skip_line(brace.line)

    def _bad_first_token(self, token: _Token) -> None:
        """A line that begins with neither a name nor a lone brace; guess what was meant to stay in step."""
        self._error("bad-token", f"bad token '{token.text}'", self._span(token), _advice(token.text))
        stem = token.text.rstrip("{:")
        if token.text in ("{}", "};", "},", "}//"):
            if token.text != "{}" and len(self.stack) > 1:
                block = self.stack.pop()
                self.stack[-1].entries[-1] = block.closed()
        elif _IDENTIFIER.match(stem) and not token.quoted:
            self._add(token, stem)
            if token.text.endswith("{"):
                self._push(token)
        else:
            # Something is meant here: a block that follows has a name, even if nobody can tell which.
            self._add(token, "")
        self._skip_line(token.line)


def _advice(text: str) -> str | None:
    """What to do about a token that is none, for the slips that people make."""
    if not text or _IDENTIFIER.match(text):
        return None
    if text.rstrip("{:") != text and text.rstrip("{:"):
        mark = text[len(text.rstrip("{:")) :]
        if mark.startswith(":"):
            return "put a blank before and after ':'"
        return f"put '{mark}' on a line of its own"
    if text[:1] in "{}":
        return f"'{text[0]}' stands on a line of its own, without anything glued on"
    if text.lower() == EXTENDED:
        return f"'{EXTENDED}' stands on the first line of the file"
    if "//" in text or "/*" in text:
        return "put a blank before the comment"
    return "names are made of letters, digits and '_'"
