"""What the text of a function lets one guess about the types of fields. A guess only says which of several guarded
forms of an operator comes first."""

from __future__ import annotations

from collections.abc import Callable

from engine.gsc import syntax
from engine.gsc.suspension import walk


def float_fields(function: syntax.Function, strips: Callable[[object], bool]) -> frozenset[str]:
    """The names of fields that meet float literals, and no int literals, in assignments and operators."""
    floats: set[str] = set()
    ints: set[str] = set()
    for node in walk(function.body, strips):
        pair: tuple[syntax.Expr, syntax.Expr]
        match node:
            case syntax.Assign() | syntax.CompoundAssign():
                pair = node.target, node.value
            case syntax.Binary():
                pair = node.left, node.right
            case _:
                continue
        for one, other in (pair, pair[::-1]):
            if isinstance(one, syntax.FieldAccess):
                literal = other.operand if isinstance(other, syntax.Unary) else other
                if isinstance(literal, syntax.FloatLiteral):
                    floats.add(one.name)
                elif isinstance(literal, syntax.IntLiteral):
                    ints.add(one.name)
    return frozenset(floats - ints)
