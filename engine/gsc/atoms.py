"""Evaluated operands as the emitter names them, and the inline forms that need no more than their types."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.gsc import spans, syntax
from engine.gsc.kinds import ARRAY, FLOAT, INT, STRING, UNDEFINED, VECTOR

ONE_DIGIT = 2**30 - 1
"""Ints up to here are one digit in CPython, and comparing with one digit is what its interpreter specialises;
larger results go to `WRAP`, which returns those within 32 bits unchanged."""

CLASSES = {INT: "INT", FLOAT: "FLOAT", STRING: "STR", VECTOR: "TUPLE", ARRAY: "ARRAY"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A value that was evaluated: its text, the types it can have, and whether another variable may hold it too.

    `borrowed` matters for arrays: a borrowed one must be marked as shared before it is stored. `span` holds if it is an
    int. `parts` are the components of a vector where they stand by themselves."""

    text: str
    mask: int
    borrowed: bool = False
    constant: int | float | str | None = None
    span: spans.Span = spans.WHOLE
    parts: tuple[str, ...] = ()

    @property
    def components(self) -> tuple[str, ...]:
        """The three components of what is a vector."""
        return self.parts or tuple(f"{self.text}[{n}]" for n in range(3))


NONE = Atom("None", UNDEFINED)


def int_atom(value: int) -> Atom:
    return Atom(str(value), INT, constant=value, span=(value, value))


@dataclass(slots=True, eq=False)
class Held(syntax.Node):
    """A part of an assignment's target that was evaluated already; it stands in the tree in place of its source."""

    atom: Atom


def tuple_text(texts: list[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def float_atom(value: float) -> Atom:
    if math.isinf(value):
        return Atom("INFINITY" if value > 0 else "-INFINITY", FLOAT, constant=value)
    return Atom(repr(value), FLOAT, constant=value)


def as_float(atom: Atom) -> Atom | None:
    """`atom` as text that surely is a float, or None."""
    if atom.mask == FLOAT:
        return atom
    if isinstance(atom.constant, int):
        return float_atom(float_constant(atom.constant))
    return None


def vector_atom(parts: tuple[str, ...]) -> Atom:
    return Atom(f"({', '.join(parts)})", VECTOR, parts=parts)


def float_side(atom: Atom) -> Atom | None:
    """`atom` where the other operand is a float: an int literal is converted here, an int variable is left to the
    helper."""
    if isinstance(atom.constant, int):
        return float_atom(float_constant(atom.constant))
    return atom if atom.mask & FLOAT else None


def float_constant(value: int | float) -> float:
    rounder = memoryview(bytearray(4)).cast("f")
    rounder[0] = value
    return rounder[0]


def guards(*wanted: tuple[Atom, int]) -> str | None:
    """A Python condition that every atom has one of the wanted types: "" if that is sure, None if it cannot be."""
    parts: list[str] = []
    for atom, mask in wanted:
        if not atom.mask & mask:
            return None
        if atom.mask & ~mask:
            tests = [
                f"{atom.text}.__class__ is {name}"
                for kind, name in CLASSES.items()
                if kind & mask & atom.mask
            ]
            parts.append(tests[0] if len(tests) == 1 else f"({' or '.join(tests)})")
    return " and ".join(parts)


def int_text(op: str, a: Atom, b: Atom) -> str | None:
    """An operator on two ints as an expression, or None where the helper does it. For `+`, `-` and `*` it is the result
    before it is reduced to 32 bits."""
    if op in ("+", "-", "*", "&", "|", "^"):
        return f"{a.text} {op} {b.text}"
    if op == ">>" and isinstance(b.constant, int):
        return f"{a.text} >> {b.constant & 31}"
    if op in ("/", "%") and isinstance(b.constant, int) and b.constant > 0:
        word = "//" if op == "/" else "%"
        plain = f"{a.text} {word} {b.text}"
        return plain if a.span[0] >= 0 else f"{plain} if {a.text} >= 0 else -(-{a.text} {word} {b.text})"
    return None


def overflow(op: str, a: Atom, b: Atom, name: str) -> str:
    """A condition under which the result of `int_text` in `name` may not fit, "" where it always does."""
    bounds = spans.exact(op, a.span, b.span) if op in ("+", "-", "*") else None
    if bounds is None:
        return ""
    upper = f"{name} > {ONE_DIGIT}" if bounds[1] > spans.HIGHEST else ""
    lower = f"{name} < -{ONE_DIGIT}" if bounds[0] < spans.LOWEST else ""
    return f"{upper} or {lower}" if upper and lower else upper or lower


def int_lines(op: str, a: Atom, b: Atom, name: str) -> list[str] | None:
    """An operator on two ints into `name`, or None where the helper does it."""
    text = int_text(op, a, b)
    if text is None:
        return None
    test = overflow(op, a, b, name)
    return [f"{name} = {text}", *([f"if {test}: {name} = WRAP({name})"] if test else [])]
