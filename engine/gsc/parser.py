"""Tokens to a syntax tree: functions and directives of a file (language page, "Compact syntax reference").

Parsing goes on after an error: after a broken statement at the next one, after a broken function at the next
function, so that one run reports every fault of a file and no consequence of one. What needs only this file
is checked here; names of other scripts and of built-ins are the binder's.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NoReturn

from engine.gsc import syntax as s
from engine.gsc.cursor import GiveUp, Recover
from engine.gsc.dialect import UO, Dialect
from engine.gsc.scanner import Tokens, scan
from engine.gsc.statements import NextFunction, StatementParser
from engine.source import Diagnostic, DiagnosticError, Note, SourceText
from engine.source.paths import canonical

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_SETTINGS = re.compile(r"//\s*notetrack:(.*)", re.ASCII)
RELOAD_POLICIES = ("restart", "keep", "end")
"""What the directive `reload` may ask for a function's threads."""

_TOP_LEVEL = ("#using_animtree", "#include", "#define", "/#")
_SETTING = re.compile(r"\s*([\w.-]+)\s*=\s*([^\s,]+)\s*(?:,|\Z)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ParseResult:
    """`script` is whole only if no diagnostic is an error."""

    script: s.Script
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


def parse(name: str, source: SourceText, dialect: Dialect = UO) -> ParseResult:
    """Parse a file under its canonical name. Never raises; diagnostics are in order of their place."""
    return Parser(name, scan(source, dialect), dialect).run()


def parse_or_raise(name: str, source: SourceText, dialect: Dialect = UO) -> s.Script:
    """Parse a file; raises `DiagnosticError` with everything that is wrong with it."""
    result = parse(name, source, dialect)
    if result.errors:
        raise DiagnosticError(result.diagnostics)
    return result.script


def parse_body(
    name: str,
    source: SourceText,
    dialect: Dialect,
    context: Iterable[tuple[int, int]],
    function: s.Function,
    functions: Container[str],
) -> s.Block:
    """The body of one function of a file without errors. `context` and `functions` are those of its `Script`: what it
    says between functions, and their names."""
    pieces = [*(piece for piece in context if piece[1] <= function.start), (function.start, function.end)]
    return Parser(name, scan(source, dialect, pieces), dialect).one(function, functions)


def constant_value(node: s.Expr) -> bool:
    """Whether a constant may have this value: it is the same wherever it is written."""
    if isinstance(node, s.VectorLiteral):
        return all(isinstance(part, s.IntLiteral | s.FloatLiteral) for part in (node.x, node.y, node.z))
    plain = (s.IntLiteral, s.FloatLiteral, s.StringLiteral, s.LocalizedLiteral)
    return isinstance(node, plain) or (isinstance(node, s.Undefined) and node.written)


class Parser(StatementParser):
    """One run over one file."""

    def __init__(self, name: str, tokens: Tokens, dialect: Dialect) -> None:
        super().__init__(tokens, dialect)
        self.script = s.Script(name, tokens.source, {}, [], dialect)

    # ---- the file ---------------------------------------------------------------------------------

    def run(self) -> ParseResult:
        try:
            while self.kinds[self.pos] != "end":
                before = self.pos
                try:
                    self.top_level()
                except Recover:
                    self.to_next_function(before)
        except GiveUp:
            pass
        self.settle_candidates(self.script.functions)
        found = [*self.tokens.diagnostics, *self.diagnostics]
        found.sort(key=lambda d: d.span.start if d.span is not None else 0)
        return ParseResult(self.script, tuple(found))

    def one(self, function: s.Function, functions: Container[str]) -> s.Block:
        """The body of a function, after what stands before it."""
        while self.starts[self.pos] < function.start:
            self.top_level()
        self.developer = "function" if function.developer else None
        self.function(self.pos)
        self.settle_candidates(functions)
        return self.script.functions[function.name].body

    def settle_candidates(self, functions: Container[str]) -> None:
        for statement in self.candidates:
            target = statement.call.target
            if isinstance(target, s.NamedTarget):
                statement.vanishes = target.name not in functions

    def top_level(self) -> None:
        kind = self.kinds[self.pos]
        if kind == "name":
            if self.kinds[self.pos + 1] == "path" and self.values[self.pos] == "include":
                self.include_without_mark()
            if self.kinds[self.pos + 1] == "=" and "constants" in self.features:
                self.named_constant()
            else:
                self.function(self.pos)
        elif kind == "#include":
            self.include()
        elif kind == "#define":
            self.define()
        elif kind == "#using_animtree":
            self.using_animtree()
        elif kind == "/#":
            self.developer_functions()
        elif kind == "#/":
            self.fail("this '#/' closes nothing", code="developer-block")
        elif kind == "}":
            self.fail("this '}' closes nothing: the function before it has already ended")
        elif kind == ";":
            self.fail("expected a function but found ';': nothing follows the '}' of a function")
        else:
            if kind in self.statements:
                self.fail(f"{self.describe(self.pos)} stands outside any function: statements belong in one")
            self.unexpected("a function")

    def to_next_function(self, before: int, ends: tuple[str, ...] = _TOP_LEVEL) -> None:
        """Skip to what looks like the beginning of a function, or to a token of `ends`, past `before`."""
        kinds, values = self.kinds, self.values
        at = max(self.pos, before + 1)
        while kinds[at] not in ("end", *ends) and not self.is_heading(at):
            if kinds[at] == "directive" and values[at] in self.dialect.later:
                break
            at += 1
        self.pos = min(at, len(kinds) - 1)

    # ---- what not every dialect has

    def include_without_mark(self) -> NoReturn:
        """`include path;`, a slip for `#include`."""
        if "include" in self.features:
            self.fail("expected a function but found 'include': write #include")
        self.fail_later("#include")

    def include(self) -> None:
        """`#include path;`"""
        start = self.starts[self.pos]
        self.pos += 1
        if self.on_new_line() or self.kinds[self.pos] == "end":
            self.fail("'#include' names no script on its line", pos=self.pos - 1)
        at = self.pos
        if self.kinds[at] not in ("path", "name"):
            self.unexpected("the name of a script")
        self.pos += 1
        if self.kinds[self.pos] == ".":
            self.unexpected("'::'")
        end = self.ends[self.expect(";")]
        if any(known.script == self.name(at) for known in self.script.includes):
            self.warn("duplicate-include", f"'{self.name(at)}' is included twice", self.span(at))
            return
        self.script.includes.append(s.Include(start, end, self.name(at)))

    def define(self) -> None:
        """`#define NAME value`, to the end of the line or with a ';'."""
        start = self.starts[self.pos]
        self.pos += 1
        if self.on_new_line() or self.kinds[self.pos] == "end":
            self.fail("'#define' has no name and no value on its line", pos=self.pos - 1)
        at = self.expect_name("the name of a constant")
        if self.on_new_line():
            self.fail(f"the constant '{self.spelling(at)}' has no value", pos=at)
        # The value ends with the line: what begins the next one is no part of it.
        after = self.pos
        line = self.source.text.find("\n", self.starts[at])
        while self.kinds[after] != "end" and (line < 0 or self.starts[after] < line):
            after += 1
        kind, self.kinds[after] = self.kinds[after], "end"
        try:
            self.keep_constant(at)
            if self.kinds[self.pos] == ";":
                self.pos += 1
            if self.pos < after:
                self.unexpected("the end of the line")
            self.script.context.append((start, self.ends[self.pos - 1]))
        finally:
            self.kinds[after] = kind

    def named_constant(self) -> None:
        """`NAME = value;` between functions."""
        at = self.pos
        self.pos += 2
        self.keep_constant(at)
        self.script.context.append((self.starts[at], self.ends[self.expect(";")]))

    def keep_constant(self, at: int) -> None:
        """Read a constant's value and let its name stand for it from here on."""
        value = self.expression()
        if not constant_value(value):
            self.report(
                "bad-constant",
                f"the constant '{self.spelling(at)}' is no plain value: a number, a string, a vector of numbers "
                "or undefined",
                self.source.span(value.start, value.end),
            )
        if self.name(at) in self.constants:
            self.report(
                "duplicate-constant", f"the constant '{self.spelling(at)}' is given twice", self.span(at)
            )
        self.constants[self.name(at)] = value

    def using_animtree(self) -> None:
        start = self.starts[self.pos]
        self.pos += 1
        self.expect("(")
        at = self.pos
        if self.kinds[at] != "string":
            self.unexpected("the name of a tree in quotes")
        self.pos += 1
        text = self.name(at)
        if not _IDENTIFIER.match(text):
            self.fail(
                f"a tree is named by a plain word, not {self.spelling(at)}: letters, digits and underscores",
                code="bad-tree-name",
                pos=at,
            )
        self.expect(")")
        end = self.ends[self.expect(";")]
        self.tree = canonical(text)
        self.script.directives.append(s.TreeDirective(start, end, self.tree))
        self.script.context.append((start, end))

    def developer_functions(self) -> None:
        """`/# functions #/`."""
        open_at = self.pos
        self.pos += 1
        while self.kinds[self.pos] != "#/":
            kind = self.kinds[self.pos]
            before = self.pos
            try:
                if kind == "end":
                    self.fail(
                        "this '/#' is never closed: '#/' is missing", code="developer-block", pos=open_at
                    )
                if kind == "/#":
                    self.fail("'/#' cannot stand within another '/#'", code="developer-block")
                if kind != "name":
                    found = self.describe(before)
                    self.fail(f"expected a function or '#/' but found {found}", code="developer-block")
                self.developer = "function"
                self.function(before)
            except Recover:
                if kind == "end":
                    raise
                self.to_next_function(before, ("#/",))
            self.developer = None
        self.pos += 1

    def function(self, name_at: int) -> None:
        """`name(parameters) { ... }`. One without a closing brace ends where the next function begins."""
        self.pos = name_at + 1
        self.function_name_at = name_at
        self.hidden = 0
        developer = self.developer
        if self.kinds[self.pos] != "(":
            name = self.spelling(name_at)
            # Capitals are how constants are written; anything else is a statement that has lost its function.
            if self.kinds[self.pos] == "=" and name.isupper() and "constant" in self.dialect.later:
                self.fail_later("constant", name_at)
            self.fail(
                f"expected a function but '{name}' is followed by {self.describe(self.pos)}",
                Note(f"a function begins with {name}(...); statements belong in one"),
            )
        self.pos += 1
        params = self.parameters()
        self.depth = self.blocks = self.loops = self.breakable = self.continuable = 0
        self.labels = None
        body_start = self.starts[self.expect("{")]
        self.blocks = 1
        try:
            statements = self.statement_list("}", self.pos - 1)
            self.pos += 1
        except NextFunction:
            statements = []
            self.developer = developer
        body = s.Block(body_start, self.ends[self.pos - 1], statements)
        start, name = self.starts[name_at], self.name(name_at)
        node = s.Function(start, body.end, name, params, body, self.developer == "function", start)
        node.comment_directives = self.settings_above(start)
        node.rules = self.dialect.rules
        if node.developer and not self.dialect.developer:
            return
        first = self.script.functions.get(name)
        if first is not None:
            at = first.name_start
            self.report(
                "duplicate-function",
                f"the function '{name}' is defined twice in this file",
                self.span(name_at),
                Note("the first one is here", self.source.span(at, at + len(name))),
            )
            return
        self.script.functions[name] = node

    def parameters(self) -> list[str]:
        params: list[str] = []
        if self.kinds[self.pos] == ")":
            self.pos += 1
            return params
        while True:
            at = self.expect_name("the name of a parameter")
            if self.values[at] in params:
                self.report(
                    "duplicate-parameter", f"the parameter '{self.name(at)}' occurs twice", self.span(at)
                )
            params.append(self.name(at))
            if self.kinds[self.pos] == ")":
                self.pos += 1
                return params
            if self.kinds[self.pos] == "=" and "default" in self.dialect.later:
                self.fail_later("default")
            if self.kinds[self.pos] != ",":
                self.unexpected("',' or ')'")
            self.pos += 1

    def settings_above(self, start: int) -> dict[str, str]:
        """The settings of `// notetrack: key=value` comments on the lines directly above an offset."""
        text = self.source.text
        settings: dict[str, str] = {}
        end = text.rfind("\n", 0, start)
        while end > 0:
            begin = text.rfind("\n", 0, end) + 1
            line = text[begin:end].strip()
            if not line.startswith("//"):
                break
            match = _SETTINGS.match(line)
            if match:
                rest, at = match[1].rstrip(), 0
                while at < len(rest):
                    setting = _SETTING.match(rest, at)
                    if setting is None:
                        self.warn(
                            "bad-directive",
                            "expected settings of the form key=value after 'notetrack:'",
                            self.source.span(begin, end),
                        )
                        break
                    key, value = setting[1].lower(), setting[2]
                    at = setting.end()
                    if key == "reload" and value not in RELOAD_POLICIES:
                        known = ", ".join(RELOAD_POLICIES)
                        self.warn(
                            "bad-directive", f"'reload' is one of {known}", self.source.span(begin, end)
                        )
                        continue
                    settings.setdefault(key, value)
            end = begin - 1
        return settings
