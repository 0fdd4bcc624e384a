"""Includes, macros and conditionals of BOS.

A file may be included twice on purpose, so nothing is included only once; the depth is limited instead.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.cob.tokens import NUMBER_TOO_LONG, Token, tokenize, whole_number
from engine.pipeline.texts import read_text
from engine.source import Diagnostic, Note, SourceText
from engine.source.nearest import did_you_mean

MAX_INCLUDE_DEPTH = 10
MAX_MACRO_DEPTH = 200
MAX_CONDITION_DEPTH = 40
MAX_TOKENS = 250_000
"""Tokens read while macros expand: those that double themselves end here and not in all of the memory."""

HEADERS = Path(__file__).parent / "headers"


@dataclass(frozen=True, slots=True)
class Macro:
    """`params` is None for an object-like macro."""

    name: str
    params: tuple[str, ...] | None
    body: tuple[Token, ...]


class _TooMuch(Exception):
    """The token limit was reached; the diagnostic is already recorded."""


class Preprocessor:
    """Turns one file into the tokens that the parser sees. Faults collect in `problems`."""

    def __init__(self, include_path: Sequence[Path], problems: list[Diagnostic]) -> None:
        self._include_path = list(include_path)
        self._problems = problems
        self._out: list[Token] = []
        self._steps = 0
        self.macros: dict[str, Macro] = {}
        one = SourceText("<predefined>", "1 0")
        self._predefine("TRUE", (Token("number", "1", one.span(0, 1)),))
        self._predefine("FALSE", (Token("number", "0", one.span(2, 3)),))
        # The name stands for nothing, so that `get UNKNOWN_UNIT_VALUE(74)(x)` reads `get (74)(x)`.
        self._predefine("UNKNOWN_UNIT_VALUE", ())

    def _predefine(self, name: str, body: tuple[Token, ...]) -> None:
        self.macros[name] = Macro(name, None, body)

    def run(self, source: SourceText, folder: Path | None) -> list[Token]:
        """All tokens after preprocessing, ended by an `end` token."""
        try:
            self._file(source, folder, 0)
        except _TooMuch:
            self._out.clear()  # what was cut off in its middle would only cause errors that are none
        self._out.append(Token("end", "", source.span(len(source.text))))
        return self._out

    # ---- lines --------------------------------------------------------------------------------------

    def _error(self, code: str, message: str, token: Token, *notes: Note) -> None:
        self._problems.append(Diagnostic(code, message, token.span, notes=notes))

    def _file(self, source: SourceText, folder: Path | None, depth: int) -> None:
        tokens = tokenize(source, self._problems)
        taken: list[bool] = []
        """One entry an open conditional: whether its current branch is read."""
        done: list[bool] = []
        opened: list[Token] = []
        at = 0
        while tokens[at].kind != "end":
            token = tokens[at]
            if token.first and token.is_op("#"):
                end = at + 1
                while not tokens[end].first:
                    end += 1
                line = tokens[at + 1 : end]
                self._directive(token, line, taken, done, opened, folder, depth)
                at = end
            elif not all(taken):
                at += 1
            else:
                at = self._expand(tokens, at, self._out)
        for token in opened:
            self._error("bos-open-conditional", "this conditional has no #endif", token)

    def _directive(
        self,
        hash_token: Token,
        line: list[Token],
        taken: list[bool],
        done: list[bool],
        opened: list[Token],
        folder: Path | None,
        depth: int,
    ) -> None:
        if not line:
            return
        name, rest = line[0].text.lower(), line[1:]
        active = all(taken)
        if name in ("ifdef", "ifndef", "if"):
            opened.append(hash_token)
            value = active and self._condition(name, line[0], rest)
            taken.append(value)
            done.append(value or not active)
        elif name in ("else", "elif", "endif"):
            if not opened:
                self._error("bos-stray-conditional", f"#{name} without #if", hash_token)
            elif name == "endif":
                opened.pop()
                taken.pop()
                done.pop()
            else:
                outer = all(taken[:-1])
                value = outer and not done[-1] and (name == "else" or self._condition("if", line[0], rest))
                taken[-1] = value
                done[-1] = done[-1] or value
        elif not active:
            return
        elif name == "include":
            self._include(line[0], rest, folder, depth)
        elif name == "define":
            self._define(line[0], rest)
        elif name == "undef":
            if len(rest) == 1 and rest[0].kind == "name":
                self.macros.pop(rest[0].text, None)
            else:
                self._error("bos-bad-directive", "#undef takes one name", line[0])
        else:
            known = ("include", "define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif")
            hint = did_you_mean(name, known)
            self._error(
                "bos-bad-directive", f"unknown directive #{name}" + (f"; {hint}" if hint else ""), line[0]
            )

    # ---- includes and definitions -------------------------------------------------------------------

    def _include(self, at: Token, rest: list[Token], folder: Path | None, depth: int) -> None:
        if len(rest) == 1 and rest[0].kind == "string":
            name = rest[0].text[1:-1]
        elif rest and rest[0].is_op("<") and rest[-1].is_op(">"):
            name = "".join(token.text for token in rest[1:-1])
        else:
            self._error("bos-bad-directive", 'write #include "file.h"', at)
            return
        if depth >= MAX_INCLUDE_DEPTH:
            self._error(
                "bos-include-depth", f"includes are nested more than {MAX_INCLUDE_DEPTH} deep", rest[0]
            )
            return
        folders = [*([folder] if folder else []), *self._include_path, HEADERS]
        for place in folders:
            path = _find(place, name)
            if path is None:
                continue
            try:
                source = read_text(path)
            except OSError as error:
                self._error("bos-missing-include", f"cannot read '{path}': {error.strerror}", rest[0])
                return
            self._file(source, path.parent, depth + 1)
            return
        shown = ", ".join(str(f) for f in folders[:-1]) or "nowhere"
        note = Note(f"looked in {shown} and the headers that come with the engine; add a folder with -I")
        self._error("bos-missing-include", f"there is no file '{name}'", rest[0], note)

    def _define(self, at: Token, rest: list[Token]) -> None:
        if not rest or rest[0].kind != "name":
            self._error("bos-bad-directive", "#define takes a name and what it stands for", at)
            return
        name, body = rest[0], rest[1:]
        params: tuple[str, ...] | None = None
        # Only a parenthesis that touches the name makes a macro with parameters.
        if body and body[0].is_op("(") and body[0].span.start == name.span.end:
            names: list[str] = []
            i = 1
            while i < len(body) and not body[i].is_op(")"):
                if body[i].kind == "name":
                    names.append(body[i].text)
                elif not body[i].is_op(","):
                    self._error("bos-bad-directive", "a macro's parameters are names", body[i])
                    return
                i += 1
            params, body = tuple(names), body[i + 1 :]
        self.macros[name.text] = Macro(name.text, params, tuple(body))

    # ---- expansion ----------------------------------------------------------------------------------

    def _spend(self, token: Token) -> None:
        """Count one token looked at: macros that double themselves may well leave none behind."""
        self._steps += 1
        if self._steps > MAX_TOKENS:
            text = f"the program has more than {MAX_TOKENS} tokens while its macros expand"
            self._error("bos-too-large", text, token)
            raise _TooMuch

    def _expand(self, tokens: Sequence[Token], at: int, out: list[Token]) -> int:
        """Put the token at `at`, or what it expands to, into `out`. Returns the index behind it.

        A macro's body goes in front of what follows it and is read again, so a body may end in the name of a
        macro whose arguments stand behind.
        """
        pending = [tokens[at]]
        """What is still to read before `tokens[at]`, in reverse."""
        at += 1
        while pending:
            token = pending.pop()
            self._spend(token)
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or macro.name in token.hidden:
                out.append(token)
                continue
            if len(token.hidden) >= MAX_MACRO_DEPTH:
                text = f"macros are nested more than {MAX_MACRO_DEPTH} deep where '{macro.name}' expands"
                self._error("bos-macro-depth", text, token)
                continue
            arguments: dict[str, list[Token]] = {}
            if macro.params is not None:
                following = pending[-1] if pending else tokens[at] if at < len(tokens) else None
                if following is None or not following.is_op("("):
                    out.append(token)
                    continue
                values, at = self._arguments(token, pending, tokens, at)
                if len(values) != len(macro.params) and not (not macro.params and values == [[]]):
                    text = f"macro '{macro.name}' takes {len(macro.params)} arguments, not {len(values)}"
                    self._error("bos-macro-arguments", text, token)
                arguments = dict(zip(macro.params, values, strict=False))
            hidden = token.hidden | {macro.name}
            body: list[Token] = []
            for part in macro.body:
                given = arguments.get(part.text) if part.kind == "name" else None
                for piece in given if given is not None else (replace(part, made=part.span),):
                    self._spend(token)
                    body.append(replace(piece, span=token.span, first=False, hidden=piece.hidden | hidden))
            pending.extend(reversed(body))
        return at

    def _arguments(
        self, name: Token, pending: list[Token], tokens: Sequence[Token], at: int
    ) -> tuple[list[list[Token]], int]:
        """The arguments of a macro call whose opening parenthesis comes next, and the index behind it."""
        values: list[list[Token]] = [[]]
        depth = 0
        while pending or (at < len(tokens) and tokens[at].kind != "end"):
            if pending:
                token = pending.pop()
            else:
                token = tokens[at]
                at += 1
            if token.is_op("("):
                depth += 1
                if depth == 1:
                    continue
            elif token.is_op(")"):
                depth -= 1
                if depth == 0:
                    return values, at
            elif token.is_op(",") and depth == 1:
                values.append([])
                continue
            values[-1].append(token)
        self._error("bos-macro-arguments", "the arguments of this macro have no closing parenthesis", name)
        return values, at

    # ---- conditions ---------------------------------------------------------------------------------

    def _condition(self, kind: str, at: Token, rest: list[Token]) -> bool:
        if kind != "if":
            if len(rest) != 1 or rest[0].kind != "name":
                self._error("bos-bad-directive", f"#{kind} takes one name", at)
                return False
            return (rest[0].text in self.macros) == (kind == "ifdef")
        resolved: list[Token] = []
        i = 0
        while i < len(rest):
            if rest[i].is_word("defined"):
                names = [t for t in rest[i + 1 : i + 4] if t.kind == "name"][:1]
                step = 4 if i + 1 < len(rest) and rest[i + 1].is_op("(") else 2
                value = "1" if names and names[0].text in self.macros else "0"
                resolved.append(replace(rest[i], kind="number", text=value))
                i += step
            else:
                i = self._expand(rest, i, resolved)
        return _Condition(resolved, self._problems, at).value() != 0


_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="),
    ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip


class _Condition:
    """The integer expression of an `#if`."""

    def __init__(self, tokens: list[Token], problems: list[Diagnostic], at: Token) -> None:
        self._tokens = tokens
        self._problems = problems
        self._where = at
        self._at = 0
        self._depth = 0
        self._bad_already = False

    def value(self) -> int:
        result = self._level(0)
        if self._at < len(self._tokens):
            self._bad(self._tokens[self._at])
        return result

    def _bad(self, token: Token, text: str = "an #if takes an expression of whole numbers") -> int:
        if not self._bad_already:
            self._problems.append(Diagnostic("bos-bad-directive", text, token.span))
        self._bad_already = True
        self._at = len(self._tokens)
        return 0

    def _level(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self._at < len(self._tokens) and self._tokens[self._at].is_op(*_LEVELS[level]):
            op = self._tokens[self._at]
            self._at += 1
            left = self._apply(op, left, self._level(level + 1))
        return left

    def _apply(self, op: Token, a: int, b: int) -> int:
        match op.text:
            case "||":
                return int(bool(a) or bool(b))
            case "&&":
                return int(bool(a) and bool(b))
            case "|":
                return a | b
            case "^":
                return a ^ b
            case "&":
                return a & b
            case "==":
                return int(a == b)
            case "!=":
                return int(a != b)
            case "<":
                return int(a < b)
            case ">":
                return int(a > b)
            case "<=":
                return int(a <= b)
            case ">=":
                return int(a >= b)
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return (a * b) & 0xFFFFFFFF
            case _:
                if b == 0:
                    return self._bad(op)
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                return quotient if op.text == "/" else a - b * quotient

    def _unary(self) -> int:
        if self._at >= len(self._tokens):
            return self._bad(self._where)
        token = self._tokens[self._at]
        if self._depth >= MAX_CONDITION_DEPTH:
            return self._bad(token, f"an #if may nest {MAX_CONDITION_DEPTH} parentheses and signs, no more")
        self._depth += 1
        self._at += 1
        value = self._primary(token)
        self._depth -= 1
        return value

    def _primary(self, token: Token) -> int:
        if token.is_op("!"):
            return int(self._unary() == 0)
        if token.is_op("-"):
            return -self._unary()
        if token.is_op("("):
            value = self._level(0)
            if self._at < len(self._tokens) and self._tokens[self._at].is_op(")"):
                self._at += 1
                return value
            return self._bad(token)
        if token.kind == "number" and "." not in token.text:
            number = whole_number(token.text)
            return number if number is not None else self._bad(token, NUMBER_TOO_LONG)
        if token.kind == "name":
            return 0  # an undefined name counts as 0, as in C
        return self._bad(token)


def _find(folder: Path, name: str) -> Path | None:
    """A file by relative name, whatever its case: the sources come from a system that ignores case."""
    at = folder
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    for index, part in enumerate(parts):
        if part == "..":
            at = at.parent
            continue
        last = index == len(parts) - 1
        exact = at / part
        if os.path.isfile(exact) if last else os.path.isdir(exact):
            at = exact
            continue
        try:
            same = sorted(p for p in at.iterdir() if p.name.lower() == part.lower())
        except OSError:
            return None
        if not same:
            return None
        at = same[0]
    return at if parts and os.path.isfile(at) else None
