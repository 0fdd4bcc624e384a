"""Statements that begin with a value: assignments, increments, calls and the event statements."""

from __future__ import annotations

from typing import Literal, NoReturn

from engine.gsc import syntax as s
from engine.gsc.cursor import Recover
from engine.gsc.dialect import Dialect
from engine.gsc.expressions import ExpressionParser
from engine.gsc.scanner import Tokens
from engine.source import Note

_COMPOUND: dict[str, s.BinaryOp] = {
    f"{op}=": op for op in ("|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%")
}
_EVENTS = frozenset({"waittill", "waittillmatch", "notify", "endon"})


class SimpleParser(ExpressionParser):
    """`developer` says in which kind of developer code the statement at hand stands, if in any."""

    def __init__(self, tokens: Tokens, dialect: Dialect) -> None:
        super().__init__(tokens, dialect)
        self.developer: Literal["function", "region"] | None = None

    def simple(self) -> s.Stmt:
        """Assignment, increment, call or event statement, without its ';'."""
        at = self.pos
        kind = self.kinds[at]
        if kind == "else":
            self.fail("this 'else' has no 'if': one statement, or one block, stands between them")
        if kind in ("#using_animtree", "#include", "#define"):
            self.fail(f"'{kind}' stands between functions, not within one")
        if kind in _EVENTS:
            self.fail(f"'{kind}' needs an object before it, as in: level {kind}(...)")
        node = self.postfix()
        start = node.start
        kind = self.kinds[self.pos]
        op_at = self.pos
        if kind == "=":
            target = self.reference(node)
            self.pos += 1
            value = self.expression()
            return s.Assign(start, value.end, target, value)
        if kind in _COMPOUND:
            if kind in self.dialect.later:
                self.fail_later(kind)
            target = self.reference(node)
            self.pos += 1
            value = self.expression()
            return s.CompoundAssign(start, value.end, target, _COMPOUND[kind], value, self.starts[op_at])
        if kind in ("++", "--"):
            target = self.reference(node)
            self.pos += 1
            delta: Literal[1, -1] = 1 if kind == "++" else -1
            return s.Increment(start, self.ends[op_at], target, delta, self.starts[op_at])
        if kind in _EVENTS:
            return self.event(node)
        if not isinstance(node, s.Call):
            self.no_statement(node, at)
        return s.CallStatement(start, node.end, node)

    def no_statement(self, node: s.Expr, at: int) -> NoReturn:
        """Refuse a value that does nothing."""
        kind = self.kinds[self.pos]
        if isinstance(node, s.LocalVar) and node.name in self.dialect.later:
            self.fail_later(node.name, pos=at)
        if isinstance(node, s.LocalVar) and node.name in self.dialect.keywords:
            message = f"'{self.spelling(at)}' is a name here, and a name alone is no statement"
            self.fail(message, Note(f"reserved words are lower-case: {node.name}"), pos=at)
        if kind == "==":
            self.fail("a comparison is no statement", Note("to assign a value, write ="))
        if kind in (";", "}", "end") or self.on_new_line():
            self.fail("this value is not used: a statement assigns, calls, or begins with a keyword", pos=at)
        self.unexpected("an assignment or a call")

    def reference(self, node: s.Expr) -> s.Reference:
        """Check that a value can be assigned to; an element's container must be assignable in turn."""
        inner = node
        while isinstance(inner, s.Index):
            inner = inner.container
        if isinstance(node, s.LocalVar | s.FieldAccess) or (
            isinstance(node, s.Index) and isinstance(inner, s.LocalVar | s.FieldAccess | s.Predefined)
        ):
            return node
        text = self.source.text[node.start : node.end].split("\n")[0]
        if isinstance(node, s.Size):
            message = "'.size' cannot be assigned: add or remove entries instead"
        elif isinstance(node, s.Index):
            message = "an element can be assigned only in a variable or a field"
        else:
            message = f"'{text}' cannot be assigned: only variables, fields and elements can"
            if text.lower() in self.constants:
                message = f"'{text}' cannot be assigned: it is the name of a constant, whatever its case"
        self.report("bad-target", message, self.source.span(node.start, node.end))
        raise Recover

    def event(self, obj: s.Expr) -> s.Stmt:
        """`object waittill(...)` and its kin."""
        at = self.pos
        kind = self.kinds[at]
        offset = self.starts[at]
        if kind in ("waittill", "waittillmatch"):
            self.no_waiting()
        self.pos += 1
        self.expect("(")
        if self.kinds[self.pos] == ")":
            self.unexpected(f'the name of an event, as in {kind}("name"),')
        event = self.expression()
        if kind == "waittill":
            names = self.names_to_fill()
            return s.WaitTill(obj.start, self.ends[self.pos - 1], obj, event, names, offset)
        rest: list[s.Expr] = []
        while self.kinds[self.pos] == ",":
            self.pos += 1
            rest.append(self.expression())
        if self.kinds[self.pos] != ")":
            self.unexpected("',' or ')'")
        end = self.ends[self.pos]
        self.pos += 1
        if kind == "notify":
            return s.Notify(obj.start, end, obj, event, rest, offset)
        if kind == "endon":
            if rest:
                self.report(
                    "syntax", "endon takes the event alone", self.source.span(rest[0].start, rest[-1].end)
                )
            return s.EndOn(obj.start, end, obj, event, offset)
        limit = self.dialect.limits.match_args
        if len(rest) > limit:
            self.report(
                "too-many-arguments",
                f"waittillmatch compares at most {limit} values, these are {len(rest)}",
                self.source.span(obj.start, end),
            )
        return s.WaitTillMatch(obj.start, end, obj, event, rest, offset)

    def names_to_fill(self) -> list[str]:
        """The locals that a waittill fills, up to and with the ')'."""
        names: list[str] = []
        while self.kinds[self.pos] == ",":
            self.pos += 1
            at = self.expect_name("the name of a local variable that waittill fills")
            names.append(self.name(at))
        if self.kinds[self.pos] != ")":
            if names:
                self.fail(
                    f"expected ',' or ')' but found {self.describe(self.pos)}",
                    Note("after its event waittill takes names of local variables, no values"),
                )
            self.unexpected("',' or ')'")
        self.pos += 1
        return names

    def no_waiting(self) -> None:
        """Refuse a statement that suspends, directly in a developer region."""
        if self.developer == "region" and self.dialect.developer:
            self.report(
                "developer-block",
                f"'{self.kinds[self.pos]}' cannot stand directly in '/# ... #/'",
                self.span(),
                Note("put it in a function of its own and start that as a thread"),
            )
