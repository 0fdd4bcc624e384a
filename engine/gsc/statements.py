"""Statements with statements inside, lists of them, and how parsing goes on after a broken one.

The end of a broken statement is its `;`, the end of a block in it, or the end of the list around it. A broken
header of a loop or a condition ends at its parenthesis, so that the body is still read as what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeVar, cast

from engine.gsc import syntax as s
from engine.gsc.cursor import GiveUp, Recover
from engine.gsc.dialect import Dialect
from engine.gsc.expressions import wrap_int
from engine.gsc.scanner import Tokens
from engine.gsc.simple import SimpleParser
from engine.source import Note

T = TypeVar("T")

_State = tuple[int, int, int, int, int, "_Labels | None", Literal["function", "region"] | None]
"""What a statement is in: see the fields of `StatementParser`."""

_Clauses = tuple[s.Stmt | None, s.Expr | None, s.Stmt | None]
"""Beginning, condition and step of a for."""

_Walk = tuple[list[int], s.Expr]
"""Tokens of the names that a foreach fills, and what it walks."""


class NextFunction(Exception):
    """A function begins where the one before is still open; `pos` is at its name."""


@dataclass(slots=True)
class _Labels:
    """Labels of one switch, with the token index of each."""

    cases: dict[tuple[str, int | str], int]
    default: int | None = None


class StatementParser(SimpleParser):
    """The fields say what the statement at hand is in: blocks, loops, and of those what can be broken from or
    continued; developer regions and labels. They are set back when a statement within fails."""

    def __init__(self, tokens: Tokens, dialect: Dialect) -> None:
        super().__init__(tokens, dialect)
        self.blocks = 0
        self.loops = 0
        self.breakable = 0
        self.continuable = 0
        self.labels: _Labels | None = None
        self.function_name_at = 0
        self.statements: dict[str, Callable[[], s.Stmt]] = {
            ";": self.empty,
            "{": self.block,
            "/#": self.developer_region,
            "if": self.if_statement,
            "while": self.while_statement,
            "for": self.for_statement,
            "switch": self.switch_statement,
            "case": self.case_label,
            "default": self.default_label,
            "break": self.break_statement,
            "continue": self.continue_statement,
            "return": self.return_statement,
            "wait": self.wait_statement,
            **({"do": self.do_statement} if "do" in self.features else {}),
            **({"waittillframeend": self.frame_end} if "frame-end" in self.features else {}),
        }
        self.hidden = 0
        """Locals of the function that no script can name, so far."""
        self.candidates: list[s.CallStatement] = []
        """Statements that may turn out to mean nothing, once all functions of the file are known."""

    # ---- lists of statements ----------------------------------------------------------------------

    def statement_list(self, close: str, open_at: int) -> list[s.Stmt]:
        """Statements up to the token `close`, which is left. `open_at` is what it closes."""
        body: list[s.Stmt] = []
        kinds = self.kinds
        while True:
            kind = kinds[self.pos]
            if kind == close:
                return body
            if kind in ("end", "}", "#/"):
                self.unclosed(close, open_at)
                continue
            before = self.pos
            state = self.state()
            try:
                body.append(self.statement())
            except Recover:
                self.set_back(state)
                self.to_next_statement(before)

    def state(self) -> _State:
        return (
            self.depth, self.blocks, self.loops, self.breakable, self.continuable, self.labels, self.developer,
        )  # fmt: skip

    def set_back(self, state: _State) -> None:
        (
            self.depth, self.blocks, self.loops, self.breakable, self.continuable, self.labels, self.developer,
        ) = state  # fmt: skip

    def unclosed(self, close: str, open_at: int) -> None:
        """Something else than `close` ends the list. Returns when it can be passed over."""
        at = self.pos
        kind = self.kinds[at]
        opened = Note(f"'{self.kinds[open_at]}' was opened here", self.span(open_at))
        if kind == "end":
            if not self.refused_at_end():
                message = f"the file ends inside the function '{self.spelling(self.function_name_at)}'"
                self.report("syntax", f"{message}: '{close}' is missing", self.span(), opened)
            raise GiveUp
        if kind == "#/" and self.developer != "region":
            self.report("developer-block", "this '#/' closes nothing", self.span())
            self.pos = at + 1
            return
        self.report("developer-block", f"expected '{close}' but found '{kind}'", self.span(), opened)
        if kind == "}" and self.region_ends_after(at):
            self.pos = at + 1
            return
        raise Recover

    def region_ends_after(self, at: int) -> bool:
        """Whether a '#/' follows before anything that cannot be in the same region."""
        at += 1
        while self.kinds[at] not in ("end", "/#", "#/") and not self.is_heading(at):
            at += 1
        return self.kinds[at] == "#/"

    def is_heading(self, at: int) -> bool:
        """Whether `name ( names ) {` begins at a token."""
        kinds = self.kinds
        if kinds[at] != "name" or kinds[at + 1] != "(":
            return False
        at += 2
        while kinds[at] in ("name", ","):
            at += 1
        return kinds[at] == ")" and kinds[at + 1] == "{"

    def refused_at_end(self) -> bool:
        """Whether a comment that is never closed took the rest of the file."""
        return self.pos > 0 and self.kinds[self.pos - 1] == "bad"

    def to_next_statement(self, before: int) -> None:
        """Skip past the end of a broken statement that began at `before`: a ';', a closed block, or the end
        of the list around it."""
        kinds = self.kinds
        at = self.pos
        braces = kinds[before:at].count("{") - kinds[before:at].count("}")
        braces = max(braces, 0)
        while True:
            kind = kinds[at]
            if kind == "end" or (kind == "}" and braces == 0):
                break
            if kind == "#/" and (braces == 0 or self.developer == "region"):
                break
            at += 1
            if kind == "{":
                braces += 1
            elif kind == "}":
                braces -= 1
                if braces == 0:
                    break
            elif kind == ";" and braces == 0:
                break
        self.pos = at

    def semicolon(self, node: s.Stmt) -> s.Stmt:
        """Take the ';' after a statement. A missing one at the end of a line is reported and passed over."""
        at = self.pos
        if self.kinds[at] == ";":
            self.pos = at + 1
            node.end = self.ends[at]
            return node
        if self.kinds[at] == "{" and isinstance(node, s.CallStatement):
            self.block_after_call(node)
        if self.kinds[at] == "end":
            return node
        try:
            self.unexpected("';'")
        except Recover:
            if self.kinds[at] != "bad" and (self.on_new_line() or self.kinds[at] == "}"):
                return node
            raise

    def block_after_call(self, node: s.CallStatement) -> None:
        """`name(...) {` among statements: a function after one that is not closed, or a misspelt keyword."""
        target = node.call.target
        if not isinstance(target, s.NamedTarget) or target.script is not None:
            return
        if target.name in self.dialect.keywords:
            word = self.source.text[target.start : target.end]
            self.fail(
                f"expected ';' but found '{{': '{word}' is a name here",
                Note(f"reserved words are lower-case: {target.name}"),
            )
        start = node.start
        if (
            node.call.object is not None
            or node.call.threaded
            or any(not isinstance(a, s.LocalVar) for a in node.call.args)
        ):
            return
        if start > 0 and self.source.text[start - 1] != "\n":
            self.fail("expected ';' but found '{': a function cannot be defined within another")
        name = self.source.text[target.start : target.end]
        before = self.spelling(self.function_name_at)
        opened = self.span(self.function_name_at)
        self.report(
            "syntax",
            f"expected '}}' before the function '{name}': '{before}' is not closed",
            self.source.span(target.start, target.end),
            Note(f"'{before}' begins here", opened),
        )
        while self.starts[self.pos] > start:
            self.pos -= 1
        raise NextFunction

    # ---- statements -------------------------------------------------------------------------------

    def statement(self) -> s.Stmt:
        handler = self.statements.get(self.kinds[self.pos])
        if handler is not None:
            return handler()
        if self.values[self.pos] == "foreach" and self.at_foreach():
            return self.foreach()
        node = self.semicolon(self.simple())
        if isinstance(node, s.CallStatement):
            self.may_vanish(node)
        return node

    def may_vanish(self, node: s.CallStatement) -> None:
        """Note a call of something that the dialect may compile to nothing."""
        target = node.call.target
        if (
            isinstance(target, s.NamedTarget)
            and target.script is None
            and not node.call.threaded
            and target.name in self.dialect.never
        ):
            self.candidates.append(node)

    def nested(self) -> s.Stmt:
        """The statement of a loop or condition; it counts as a block, once if it is one."""
        kind = self.kinds[self.pos]
        if kind == "{":
            return self.block()
        self.enter()
        if kind in ("case", "default"):
            self.misplaced(f"'{kind}' must stand directly in the block of a switch")
        labels, self.labels = self.labels, None
        node = self.statement()
        self.labels = labels
        self.blocks -= 1
        return node

    def loop_body(self) -> s.Stmt:
        self.loops += 1
        limit = self.dialect.limits.loops
        if self.loops > limit:
            self.fail(f"loops are nested too deeply: {limit} is the limit", code="nesting")
        self.breakable += 1
        self.continuable += 1
        node = self.nested()
        self.continuable -= 1
        self.breakable -= 1
        self.loops -= 1
        return node

    def enter(self) -> None:
        self.blocks += 1
        limit = self.dialect.limits.blocks
        if self.blocks > limit:
            self.fail(f"statements are nested too deeply: {limit} is the limit", code="nesting")

    def empty(self) -> s.Stmt:
        at = self.pos
        self.pos = at + 1
        return s.Empty(self.starts[at], self.ends[at])

    def block(self) -> s.Block:
        open_at = self.pos
        self.enter()
        self.pos += 1
        labels, self.labels = self.labels, None
        body = self.statement_list("}", open_at)
        self.labels = labels
        self.blocks -= 1
        end = self.ends[self.pos]
        self.pos += 1
        return s.Block(self.starts[open_at], end, body)

    def developer_region(self) -> s.Stmt:
        """`/# statements #/`. One within another is refused and read all the same."""
        open_at = self.pos
        around = self.developer
        if around is not None:
            where = "a developer function" if around == "function" else "another '/#'"
            self.report("developer-block", f"'/#' cannot stand within {where}", self.span())
        self.enter()
        self.pos += 1
        self.developer = "region"
        outside = self.breakable, self.continuable, self.labels
        self.breakable, self.continuable, self.labels = 0, 0, None
        body = self.statement_list("#/", open_at)
        self.breakable, self.continuable, self.labels = outside
        self.developer = around
        self.blocks -= 1
        end = self.ends[self.pos]
        self.pos += 1
        if not self.dialect.developer:
            return s.Empty(self.starts[open_at], end)
        return s.DeveloperBlock(self.starts[open_at], end, body)

    def header(self, what: Callable[[], T], broken: T) -> T:
        """`( ... )` after a keyword. When it is broken but its end can be told, `broken` stands for it."""
        open_at = self.expect("(")
        try:
            value = what()
            if self.kinds[self.pos] != ")":
                self.unexpected("')'")
            self.pos += 1
            return value
        except Recover:
            if not self.end_of_header(open_at):
                raise
            self.depth = 0
            return broken

    def end_of_header(self, open_at: int) -> bool:
        """Go past the ')' that closes a broken header, or to the '{' after it."""
        kinds = self.kinds
        is_for = kinds[open_at - 1] == "for"
        open_count = kinds[open_at : self.pos].count("(") - kinds[open_at : self.pos].count(")")
        at = self.pos
        while True:
            kind = kinds[at]
            if kind == "{":
                self.pos = at
                return True
            if kind in ("end", "}", "#/") or (kind == ";" and not is_for):
                return False
            at += 1
            if kind == "(":
                open_count += 1
            elif kind == ")":
                open_count -= 1
                if open_count == 0:
                    self.pos = at
                    return True

    def condition(self) -> s.Expr:
        broken: s.Expr = s.Undefined(self.starts[self.pos], self.ends[self.pos])
        return self.header(lambda: self.expression(), broken)

    def if_statement(self) -> s.Stmt:
        """The whole chain of `else if` in a loop: a long one must not nest."""
        chain: list[s.If] = []
        limit = self.dialect.limits.height
        while True:
            start = self.starts[self.pos]
            self.pos += 1
            condition = self.condition()
            then = self.nested()
            node = s.If(start, then.end, condition, then, None)
            if chain:
                chain[-1].otherwise = node
            chain.append(node)
            if self.kinds[self.pos] != "else":
                break
            self.pos += 1
            if self.kinds[self.pos] != "if":
                node.otherwise = self.nested()
                break
            if len(chain) == limit:
                message = f"too many 'else if' in a row: {limit} is the limit; use a switch"
                self.report("nesting", message, self.span())
        end = self.ends[self.pos - 1]
        for node in chain:
            node.end = end
        return chain[0]

    def while_statement(self) -> s.Stmt:
        start = self.starts[self.pos]
        self.pos += 1
        condition = self.condition()
        body = self.loop_body()
        return s.While(start, body.end, condition, body)

    def do_statement(self) -> s.Stmt:
        start = self.starts[self.pos]
        self.pos += 1
        body = self.loop_body()
        if self.kinds[self.pos] != "while":
            self.unexpected("'while' and the condition of the loop")
        self.pos += 1
        condition = self.condition()
        return self.semicolon(s.DoWhile(start, self.ends[self.pos - 1], body, condition))

    def for_statement(self) -> s.Stmt:
        start = self.starts[self.pos]
        self.pos += 1
        broken: _Clauses = (None, None, None)
        init, condition, step = self.header(self.for_clauses, broken)
        body = self.loop_body()
        return s.For(start, body.end, init, condition, step, body)

    def for_clauses(self) -> _Clauses:
        init = self.simple() if self.kinds[self.pos] != ";" else None
        self.expect(";")
        condition = self.expression() if self.kinds[self.pos] != ";" else None
        self.expect(";")
        step = self.simple() if self.kinds[self.pos] != ")" else None
        return init, condition, step

    def switch_statement(self) -> s.Stmt:
        start = self.starts[self.pos]
        self.pos += 1
        value = self.condition()
        open_at = self.expect("{")
        self.enter()
        labels, self.labels = self.labels, _Labels({})
        self.breakable += 1
        body = self.statement_list("}", open_at)
        self.breakable -= 1
        self.labels = labels
        self.blocks -= 1
        end = self.ends[self.pos]
        self.pos += 1
        return s.Switch(start, end, value, body)

    def case_label(self) -> s.Stmt:
        case_at = self.pos
        if self.labels is None:
            self.misplaced("'case' must stand directly in the block of a switch")
        self.pos += 1
        at = self.pos
        label = self.label_value()
        key = (type(label).__name__, label)
        first = self.labels.cases.setdefault(key, at)
        if first != at:
            self.report(
                "duplicate-case",
                f"the case {self.spelling(self.pos - 1)} occurs twice in this switch",
                self.span(at),
                Note("the first one is here", self.span(first)),
            )
        end = self.ends[self.expect(":")]
        return s.Case(self.starts[case_at], end, label)

    def label_value(self) -> int | str:
        at = self.pos
        kind = self.kinds[at]
        if kind == "string":
            self.pos = at + 1
            return self.name(at)
        negate = kind == "-"
        number = at + negate
        if self.kinds[number] != "int":
            if kind == "bad":
                raise Recover
            self.fail(f"a case label is an integer or a string, not {self.describe(at)}", code="bad-case")
        value = cast(int, self.values[number])
        self.pos = number + 1
        label = wrap_int(-value if negate else value)
        limits = self.dialect.limits
        if not limits.key_min <= (-value if negate else value) <= limits.key_max:
            self.fail(
                f"a case label lies between {limits.key_min} and {limits.key_max}", code="bad-case", pos=at
            )
        return label

    def default_label(self) -> s.Stmt:
        at = self.pos
        if self.labels is None:
            self.misplaced("'default' must stand directly in the block of a switch")
        self.pos += 1
        if self.labels.default is not None:
            self.report(
                "duplicate-case",
                "this switch has a second 'default'",
                self.span(at),
                Note("the first one is here", self.span(self.labels.default)),
            )
        self.labels.default = at
        return s.Default(self.starts[at], self.ends[self.expect(":")])

    def misplaced(self, message: str) -> NoReturn:
        if self.developer == "region":
            message += "; '/#' and '#/' cannot cut through one"
        self.fail(message, code="misplaced")

    def break_statement(self) -> s.Stmt:
        at = self.pos
        self.pos += 1
        if not self.breakable:
            self.pos = at
            self.misplaced("'break' must stand in a loop or a switch")
        return self.semicolon(s.Break(self.starts[at], self.ends[at]))

    def continue_statement(self) -> s.Stmt:
        at = self.pos
        self.pos += 1
        if not self.continuable:
            self.pos = at
            self.misplaced("'continue' must stand in a loop")
        return self.semicolon(s.Continue(self.starts[at], self.ends[at]))

    def return_statement(self) -> s.Stmt:
        at = self.pos
        self.pos += 1
        value = None
        if self.kinds[self.pos] not in (";", "}"):
            value = self.expression()
        return self.semicolon(s.Return(self.starts[at], self.ends[self.pos - 1], value))

    def wait_statement(self) -> s.Stmt:
        at = self.pos
        self.no_waiting()
        self.pos += 1
        seconds = self.expression()
        return self.semicolon(s.Wait(self.starts[at], self.ends[self.pos - 1], seconds))

    def frame_end(self) -> s.Stmt:
        at = self.pos
        self.no_waiting()
        self.pos += 1
        return self.semicolon(s.WaitTillFrameEnd(self.starts[at], self.ends[at]))

    # ---- foreach ----------------------------------------------------------------------------------

    def at_foreach(self) -> bool:
        """Whether `foreach (x in` or `foreach (k, x in` begins here; any other use of the name is a call."""
        kinds, at = self.kinds, self.pos
        rest = at + 3
        if kinds[at + 1] != "(" or kinds[at + 2] != "name":
            return False
        if kinds[rest] == "," and kinds[rest + 1] == "name":
            rest += 2
        return kinds[rest] == "name" and self.values[rest] == "in"

    def foreach(self) -> s.Stmt:
        """A foreach as the loop that it stands for, over a copy of the array and of its keys in locals that no
        script can name:

            1a = ARRAY; 1k = keys of 1a; for (1i = 0; 1i < 1k.size; 1i++) { KEY = 1k[1i]; VALUE = 1a[KEY]; ... }

        Where the dialect has none it is refused, and its body read as that of a loop."""
        at = self.pos
        if "foreach" not in self.features:
            try:
                self.fail_later("foreach")
            except Recover:
                if not self.end_of_header(at + 1):
                    raise
                return self.loop_body()
        self.pos += 1
        broken: _Walk = ([], s.Undefined(self.starts[at], self.ends[at]))
        names, array = self.header(self.foreach_header, broken)
        body = self.loop_body()
        self.hidden += 1
        start, end = array.start, array.end

        def local(suffix: str) -> s.LocalVar:
            return s.LocalVar(start, end, f"{self.hidden}{suffix}")

        def assign(target: s.LocalVar, value: s.Expr) -> s.Stmt:
            return s.Assign(start, end, target, value)

        def name(position: int) -> s.LocalVar:
            return s.LocalVar(
                self.starts[names[position]], self.ends[names[position]], self.name(names[position])
            )

        key = s.Index(start, end, local("k"), local("i"), start)
        before: list[s.Stmt] = []
        if len(names) == 2:
            before.append(assign(name(0), key))
            key = s.Index(start, end, local("k"), local("i"), start)
        if names:
            before.append(assign(name(-1), s.Index(start, end, local("a"), key, start)))
        walk = s.For(
            self.starts[at],
            body.end,
            assign(local("i"), s.IntLiteral(start, end, 0)),
            s.Binary(start, end, "<", local("i"), s.Size(start, end, local("k"), start), start),
            s.Increment(start, end, local("i"), 1, start),
            s.Block(body.start, body.end, [*before, body]),
        )
        copies = [assign(local("a"), array), assign(local("k"), s.Keys(start, end, local("a")))]
        return s.Block(self.starts[at], body.end, [*copies, walk])

    def foreach_header(self) -> _Walk:
        """`key, value in array` or `value in array`: the tokens of the names, and the array."""
        names = [self.expect_name("the name of a local variable")]
        if self.kinds[self.pos] == ",":
            self.pos += 1
            names.append(self.expect_name("the name of a local variable"))
        self.pos += 1  # at_foreach has seen the `in`
        return names, self.expression()
