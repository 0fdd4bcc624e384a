"""The lines of a file as the statement layer reads them: words, names, and compiled expressions.

This module alone knows which parser reads expressions: it is the one that reads those of GSC, with the table of
this language (`engine.gsc.dialect.LINES`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from engine.gsc import syntax as s
from engine.gsc.cursor import GiveUp, Recover
from engine.gsc.dialect import LINES
from engine.gsc.expressions import ExpressionParser
from engine.gsc.scanner import scan
from engine.linescript.compiler import Compiler, Refused, Signature
from engine.linescript.functions import HostFunction
from engine.linescript.program import Code
from engine.linescript.values import INT_MAX, MAX_TEXT
from engine.source import Diagnostic, Note, SourceText

_ABSENT = {
    "++": "write x = x + 1",
    "--": "write x = x - 1",
    "+=": "write x = x + ...",
    "-=": "write x = x - ...",
    "*=": "write x = x * ...",
    "/=": "write x = x / ...",
    "%=": "write x = x % ...",
    "?": "there is no ?: here, write if, else and end",
    ";": "a line ends a statement; leave the ';' out",
    "{": "a block ends with the word 'end' on a line of its own; there are no braces",
    "}": "a block ends with the word 'end' on a line of its own; there are no braces",
    "[": "there are no lists here",
}
"""What people write who come from another language, and what to write instead."""


class _LineParser(ExpressionParser):
    """The expression parser with the operands that this language has."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(scan(source, LINES), LINES)
        self.last = len(self.kinds) - 1
        """Index of the end of the file, whose kind is spelled like the keyword `end`."""
        self.operands = {
            "name": self.named,
            "int": self.int_literal,
            "float": self.float_literal,
            "string": self.string_literal,
            "true": self.truth,
            "false": self.truth,
            "(": self.parenthesised,
        }

    def expression(self, minimum: int = 1) -> s.Expr:
        """As in GSC. After a fault the depth is as before, since parsing goes on at the next line."""
        depth = self.depth
        try:
            return super().expression(minimum)
        except Recover:
            self.depth = depth
            raise

    def postfix(self) -> s.Expr:
        operand = self.operands.get(self.kinds[self.pos])
        if operand is None:
            self.no_operand()
        node = operand()
        while self.kinds[self.pos] == ".":
            self.pos += 1
            at = self.expect_name("x, y or z of a vector, or r, g, b or a of a colour")
            self.grow(self.height)
            node = s.FieldAccess(node.start, self.ends[at], node, self.name(at), self.starts[at])
        return node

    def no_operand(self) -> NoReturn:
        self.unexpected("a value")

    def named(self) -> s.Expr:
        at = self.pos
        if self.kinds[at + 1] == "(":
            return self.call(None, threaded=False)
        self.pos = at + 1
        self.height = 1
        return s.LocalVar(self.starts[at], self.ends[at], self.name(at))

    def named_target(self) -> s.NamedTarget:
        at = self.pos
        self.pos = at + 1
        return s.NamedTarget(self.starts[at], self.ends[at], None, self.name(at))

    def int_literal(self, negate: bool = False) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        value = self.values[at]
        assert isinstance(value, int)
        if value > INT_MAX:
            self.fail("this number does not fit into 64 bits", code="bad-number", pos=at)
        return s.IntLiteral(self.starts[at], self.ends[at], value)

    def float_literal(self, negate: bool = False) -> s.Expr:
        at = self.pos
        self.pos = at + 1
        self.height = 1
        value = self.values[at]
        assert isinstance(value, float)
        if value == float("inf"):
            self.fail("this number is too large", code="bad-number", pos=at)
        return s.FloatLiteral(self.starts[at], self.ends[at], value)

    def string_literal(self) -> s.Expr:
        at = self.pos
        node = super().string_literal()
        if isinstance(node, s.StringLiteral) and len(node.value) > MAX_TEXT:
            self.fail(f"this string is longer than {MAX_TEXT} characters", code="bad-string", pos=at)
        return node

    def truth(self) -> s.Expr:
        """`true` and `false` are bools, which Python has among its ints, as the node wants one."""
        at = self.pos
        self.pos = at + 1
        self.height = 1
        return s.IntLiteral(self.starts[at], self.ends[at], self.kinds[at] == "true")

    def unexpected(self, wanted: str) -> NoReturn:
        kind = self.kinds[self.pos]
        if kind in _ABSENT:
            self.fail(f"expected {wanted} but found '{kind}'", Note(_ABSENT[kind]))
        super().unexpected(wanted)

    def describe(self, pos: int) -> str:
        if self.kinds[pos] == "newline":
            return "the end of the line"
        if self.kinds[pos] == "end" and pos != self.last:
            return "the reserved word 'end'"
        return super().describe(pos)


class LineReader:
    """One file, read line by line. A fault is reported once and raises `Recover`."""

    def __init__(self, source: SourceText, natives: Mapping[str, HostFunction]) -> None:
        self._parser = _LineParser(source)
        self._natives = natives
        self._compiler = Compiler({}, natives)
        self.source = source

    def know(self, functions: Mapping[str, Signature]) -> None:
        """Say which functions the file has, before expressions are compiled."""
        self._compiler = Compiler(functions, self._natives)

    def enter(self, refs: frozenset[str]) -> None:
        """The expressions that follow are those of a function with these parameters passed by reference."""
        self._compiler.refs = refs

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found so far, in order of the file."""
        parser = self._parser
        found = [*parser.tokens.diagnostics, *parser.diagnostics]
        return sorted(found, key=lambda d: d.span.start if d.span is not None else 0)

    # ---- moving -------------------------------------------------------------------------------------

    @property
    def pos(self) -> int:
        """The place in the file; it may be set back to one that was read here."""
        return self._parser.pos

    @pos.setter
    def pos(self, value: int) -> None:
        self._parser.pos = value

    def next_line(self) -> bool:
        """Go to the first word of the next line that has one; False at the end of the file."""
        kinds = self._parser.kinds
        while kinds[self._parser.pos] == "newline":
            self._parser.pos += 1
        return self._parser.pos != self._parser.last

    def skip_line(self) -> None:
        """Leave what is on this line unread."""
        while not self.at_end():
            self._parser.pos += 1

    def at_end(self) -> bool:
        """Whether the line has been read."""
        parser = self._parser
        return parser.kinds[parser.pos] == "newline" or parser.pos == parser.last

    def finish(self) -> None:
        """Refuse what is left of the line."""
        if not self.at_end():
            self._parser.unexpected("the end of the line")

    # ---- taking -------------------------------------------------------------------------------------

    def keyword(self) -> str:
        """Take a keyword that begins a statement; "" where the line begins with something else."""
        kind = self._parser.kinds[self._parser.pos]
        if kind in LINES.keywords and kind not in ("true", "false"):
            self._parser.pos += 1
            return kind
        return ""

    def take(self, kind: str) -> bool:
        """Take a word or sign if it is next."""
        if self._parser.kinds[self._parser.pos] == kind:
            self._parser.pos += 1
            return True
        return False

    def expect(self, kind: str) -> None:
        self._parser.expect(kind)

    def name(self, what: str) -> str:
        """Take a name; `what` says what it names."""
        return self._parser.name(self._parser.expect_name(what))

    def expression(self, *, used: bool = True) -> Code:
        """Read and compile an expression; `used` is False where its value is ignored."""
        parser = self._parser
        node = parser.expression()
        try:
            return self._compiler.compile(node, used=used)
        except Refused as refused:
            self.refuse(refused)

    def bounds(self) -> Code:
        """`EXPR .. EXPR` as one expression with two values."""
        parser = self._parser
        first = parser.expression()
        parser.expect("..")
        last = parser.expression()
        try:
            return self._compiler.compile_pair(first, last)
        except Refused as refused:
            self.refuse(refused)

    # ---- places and faults --------------------------------------------------------------------------

    def start(self) -> int:
        """Offset of the next word."""
        return self._parser.starts[self._parser.pos]

    def end(self) -> int:
        """Offset behind the last word taken."""
        return self._parser.ends[self._parser.pos - 1] if self._parser.pos else 0

    def report(self, code: str, message: str, place: tuple[int, int], note: str | None = None) -> None:
        notes = () if note is None else (Note(note),)
        self._parser.report(code, message, self.source.span(*place), *notes)

    def refuse(self, refused: Refused) -> NoReturn:
        self.report(refused.code, refused.message, refused.place, refused.note)
        raise Recover

    def fail(self, message: str, note: str | None = None) -> NoReturn:
        """Refuse the next word."""
        self._parser.fail(message, *(() if note is None else (Note(note),)))


__all__ = ["GiveUp", "LineReader", "Recover"]
