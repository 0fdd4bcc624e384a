"""Operands as Python expressions: what the translation keeps of the operand stack."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cob.threads import int32

_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*"}
_BITWISE = {"bit-and": "&", "bit-or": "|", "bit-xor": "^", "xor": "^"}
_COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
BINARY = frozenset({*_ARITHMETIC, *_BITWISE, *_COMPARE, "and", "or"})
"""Operators of two operands that cannot fault."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An operand as Python: its value if it is constant, and a shorter form where only truth matters."""

    text: str
    value: int | None = None
    truth: str = ""
    fixed: bool = False
    """The text means the same whatever is stored meanwhile."""

    @property
    def condition(self) -> str:
        return self.truth or self.text


def constant(value: int) -> Cell:
    return Cell(str(value) if value >= 0 else f"({value})", value, fixed=True)


def truth_of(condition: str) -> Cell:
    return Cell(f"(1 if {condition} else 0)", truth=f"({condition})")


def binary(name: str, left: Cell, right: Cell) -> Cell:
    a, b = left.value, right.value
    if a is not None and b is not None:
        return constant(_folded(name, a, b))
    fixed = left.fixed and right.fixed
    if name in _ARITHMETIC:
        text = f"(({left.text} {_ARITHMETIC[name]} {right.text} + 2147483648 & 4294967295) - 2147483648)"
        return Cell(text, fixed=fixed)
    if name in _BITWISE:
        return Cell(f"({left.text} {_BITWISE[name]} {right.text})", fixed=fixed)
    if name in _COMPARE:
        condition = f"{left.text} {_COMPARE[name]} {right.text}"
    else:
        condition = f"{left.condition} {name} {right.condition}"
    return Cell(f"(1 if {condition} else 0)", truth=f"({condition})", fixed=fixed)


def _folded(name: str, a: int, b: int) -> int:
    match name:
        case "add":
            return int32(a + b)
        case "sub":
            return int32(a - b)
        case "mul":
            return int32(a * b)
        case "bit-and":
            return a & b
        case "bit-or":
            return a | b
        case "bit-xor" | "xor":
            return a ^ b
        case "lt":
            return int(a < b)
        case "le":
            return int(a <= b)
        case "gt":
            return int(a > b)
        case "ge":
            return int(a >= b)
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "and":
            return int(bool(a) and bool(b))
        case _:
            return int(bool(a) or bool(b))
