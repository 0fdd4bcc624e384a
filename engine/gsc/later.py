"""Recognises forms of games whose grammar a dialect does not have, where the parser cannot go on.

The tables of a dialect (`Dialect.later`) say which game has them and what to write instead; here is only how a few
tokens around the place of a fault look.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.gsc.scanner import Tokens

DECLARING = frozenset({"function", "private", "autoexec", "class", "const", "var"})
"""Words that stand before the name that they declare."""


def form_at(tokens: Tokens, at: int) -> str | None:
    """The key of a form that stands at a token which the parser cannot take, or None."""
    kinds, values, starts, ends = tokens.kinds, tokens.values, tokens.starts, tokens.ends
    kind = kinds[at]

    def joined(first: int) -> bool:
        """Whether nothing stands between two tokens."""
        return ends[first] == starts[first + 1]

    if kind == "directive":
        return str(values[at])
    for word in (at - 1, at):
        if word >= 0 and kinds[word] == "name" and values[word] in DECLARING and kinds[word + 1] == "name":
            return str(values[word])
    if kind == "name" and values[at] == "call" and kinds[at + 1] in ("[", "name"):
        return "call"
    if at and kinds[at - 1] == "name" and values[at - 1] == "waitrealtime":
        return "waitrealtime"
    if kind == "-" and kinds[at + 1] == ">" and joined(at):
        return "->"
    if kind == "=" and at and kinds[at - 1] in ("==", "!=") and joined(at - 1):
        return f"{kinds[at - 1]}="
    if kind == "&" and kinds[at + 1] == "name":
        return "&"
    if kind == "." and kinds[at + 1 : at + 3] == [".", "."]:
        return "..."
    return None
