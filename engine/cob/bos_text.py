"""Expressions and values as BOS text: the inverse of what a profile's compiler does with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from engine.cob.profiles import Profile

Unit = Literal["linear", "angular"]

SIGNS = {
    "mul": "*", "div": "/", "mod": "%", "add": "+", "sub": "-", "lt": "<", "gt": ">", "le": "<=", "ge": ">=",
    "eq": "==", "ne": "!=", "bit-and": "&", "bit-xor": "^", "bit-or": "|", "and": "AND", "or": "OR", "xor": "XOR",
}  # fmt: skip
_LEVELS = {
    "mul": 1, "div": 1, "mod": 1, "add": 2, "sub": 2, "lt": 3, "gt": 3, "le": 3, "ge": 3, "eq": 4, "ne": 4,
    "bit-and": 5, "bit-xor": 6, "bit-or": 7, "and": 8, "or": 8, "xor": 8,
}  # fmt: skip
"""From tight to loose. The logical operators count as one level: they never stand in each other unbracketed."""

FOLDABLE = frozenset({"add", "sub", "mul", "div"})
"""What a compiler that folds computes with constants."""

_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Constant:
    value: int


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands, or only `right` for `not`."""

    op: str
    left: Value | None
    right: Value


@dataclass(frozen=True, slots=True)
class Read:
    """`get port`, or with arguments `get port(args)`."""

    port: Value
    args: tuple[Value, ...] | None


@dataclass(frozen=True, slots=True)
class Draw:
    low: Value
    high: Value


Value = Constant | Variable | Operation | Read | Draw


class ValueText:
    """Writes values under one profile. `names` are words for constants by what they stand for: ports, kinds of
    explosion, kinds of effect; its `piece` names are used where a number would be folded away."""

    def __init__(self, profile: Profile, names: dict[str, dict[int, str]]) -> None:
        self._profile = profile
        self._names = names

    def of(self, value: Value, unit: Unit | None = None, words: str = "") -> str:
        """The text. `unit` allows brackets, `words` the names of that kind."""
        match value:
            case Constant():
                return self._constant(value.value, unit, words)
            case Variable():
                return value.name
            case Read():
                port = self._term(value.port, None, "port")
                if value.args is None:
                    return f"get {port}"
                return f"get {port}({', '.join(self.of(arg) for arg in value.args)})"
            case Draw():
                return f"rand({self.of(value.low)}, {self.of(value.high)})"
            case Operation():
                return self._operation(value, unit, words)

    def _term(self, value: Value, unit: Unit | None = None, words: str = "") -> str:
        """In parentheses unless it is one word."""
        text = self.of(value, unit, words)
        return text if isinstance(value, Constant | Variable) else f"({text})"

    def _operation(self, value: Operation, unit: Unit | None, words: str) -> str:
        if value.left is None:
            simple = isinstance(value.right, Read | Draw)
            return f"!{self.of(value.right) if simple else self._term(value.right)}"
        level = _LEVELS[value.op]
        # A bracket keeps its meaning through sums only; names through the bits of a set.
        unit = unit if value.op in ("add", "sub") else None
        words = words if value.op == "bit-or" else ""

        plain = isinstance(value.left, Constant) and isinstance(value.right, Constant)
        if self._profile.fold and plain and value.op in FOLDABLE:
            # This compiler computes with numbers itself. What it did not compute held a piece, which is none.
            pieces = self._names.get("piece", {})
            for first, second in ((value.left, value.right), (value.right, value.left)):
                assert isinstance(first, Constant)
                if first.value in pieces:
                    named = {id(first): pieces[first.value], id(second): self.of(second)}
                    return f"{named[id(value.left)]} {SIGNS[value.op]} {named[id(value.right)]}"

        def side(operand: Value, tight: int) -> str:
            # `0 - x` is how the language negates: its 0 has no unit.
            text = self.of(operand, None if operand == Constant(0) else unit, words)
            if not isinstance(operand, Operation) or operand.left is None:
                return text
            chain = value.op in ("and", "or", "xor") and _LEVELS[operand.op] == level
            if chain:
                free = self._profile.logic == "right" and operand is value.right
            else:
                free = _LEVELS[operand.op] <= tight
            return text if free else f"({text})"

        left = side(value.left, level)
        right = side(value.right, level - 1)
        sign = "?" if value.op == "bit-and" and not self._profile.modern_operators else SIGNS[value.op]
        return f"{left} {sign} {right}"

    def _constant(self, value: int, unit: Unit | None, words: str) -> str:
        named = self._names.get(words, {}).get(value)
        if named is not None:
            return named
        if unit is None:
            return str(value)
        open_, close = "[]" if unit == "linear" else "<>"
        scale = self._profile.linear if unit == "linear" else self._profile.angular
        for decimals in range(_DECIMALS + 1):
            number = round(value / scale, decimals)
            if self._rounded(number * scale) == value:
                text = f"{number:.{decimals}f}"
                return f"{open_}{text}{close}"
        return str(value)

    def _rounded(self, value: float) -> int:
        return math.floor(value + 0.5) if self._profile.rounding == "nearest" else math.trunc(value)
