"""What of the script's text was undefined where an operation failed, for the note of a report."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.gsc import syntax
from engine.gsc.suspension import walk
from engine.source import SourceText

MAX_TEXT = 60
"""Characters of an expression that a note repeats."""

MAX_FUNCTIONS = 64
"""Functions that are remembered."""

# The texts of the original game, which the scripts of the tests expect to the letter.
_NO_OWNER = ("undefined is not an object", "undefined cannot be indexed")
_PAIR = re.compile("pair has unmatching types '(.+)' and '(.+)'")


class Operations:
    """The operations of functions by their offset in the text. A function is searched once: a script can fail in
    thousands of places of one."""

    def __init__(self) -> None:
        self._known: dict[syntax.Function, dict[int, list[syntax.Node]]] = {}

    def undefined(self, function: syntax.Function, source: SourceText, at: int, message: str) -> list[str]:
        """Expressions that were undefined, as they stand in the text: operands of the operation at an offset, of
        which `message` says that they do not do. Those that say so by themselves are left out."""
        found: list[str] = []
        for node in self._of(function).get(at, ()):
            for part in _blamed(node, message):
                text = " ".join(source.text[part.start : part.end].split())
                if not isinstance(part, syntax.Undefined) and 0 < len(text) <= MAX_TEXT and text not in found:
                    found.append(text)
        return found

    def _of(self, function: syntax.Function) -> dict[int, list[syntax.Node]]:
        known = self._known.get(function)
        if known is None:
            if len(self._known) >= MAX_FUNCTIONS:
                self._known.clear()
            known = self._known[function] = {}
            for node in walk(function.body, lambda _: False):
                known.setdefault(getattr(node, "at", -1), []).append(node)
        return known


def _blamed(node: syntax.Node, message: str) -> Iterator[syntax.Expr]:
    if message in _NO_OWNER:
        owner = node.container if isinstance(node, syntax.Index) else getattr(node, "object", None)
        if owner is not None:
            yield owner
    elif (pair := _PAIR.fullmatch(message)) is not None:
        sides = _sides(node)
        for side, kind in zip(sides, pair.groups(), strict=False):
            if kind == "undefined":
                yield side


def _sides(node: syntax.Node) -> tuple[syntax.Expr, ...]:
    match node:
        case syntax.Binary():
            return node.left, node.right
        case syntax.CompoundAssign():
            return node.target, node.value
        case _:
            return ()
