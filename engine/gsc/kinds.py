"""The types of values as bit sets, and those that operators give."""

from __future__ import annotations

INT, FLOAT, STRING, VECTOR, UNDEFINED, ARRAY, OTHER = (1 << n for n in range(7))
ANY = 127
NUMBER = INT | FLOAT


def binary_type(op: str, a: int, b: int, recovers: bool, strict: bool = False) -> int:
    """The types that `a op b` can have. `recovers`: a failing operation yields undefined instead of ending the
    thread. `strict`: the dialect converts no pairs and divides into floats."""
    if op in ("==", "!=", "<", ">", "<=", ">="):
        sure = a in (INT, FLOAT) and b in (INT, FLOAT)
        return INT if sure or not recovers else INT | UNDEFINED
    if op in ("|", "^", "&", "<<", ">>", "%"):
        return INT if (a == b == INT) or not recovers else INT | UNDEFINED
    if strict:
        return _strict_type(op, a, b)
    result = 0
    if a & INT and b & INT:
        result |= INT
    if (a & FLOAT and b & NUMBER) or (a & INT and b & FLOAT):
        result |= FLOAT
    if op in ("+", "-") and a & VECTOR and b & VECTOR:
        result |= VECTOR
    if op == "+" and (a & STRING or b & STRING):
        result |= STRING
    if op == "/" and recovers:
        result |= INT
    certain = a in (INT, FLOAT) and b in (INT, FLOAT)
    if (recovers and not certain) or not result:
        result |= UNDEFINED
    return result


def _strict_type(op: str, a: int, b: int) -> int:
    """The same for arithmetic of a strict dialect, which also takes a vector with a number."""
    result = 0
    if a & INT and b & INT:
        result |= FLOAT if op == "/" else INT
    if (a & FLOAT and b & NUMBER) or (a & INT and b & FLOAT):
        result |= FLOAT
    if (a | b) & VECTOR:
        result |= VECTOR
    if op == "+" and (a | b) & STRING:
        result |= STRING
    certain = a in (INT, FLOAT) and b in (INT, FLOAT)
    return result if certain else result | UNDEFINED


def increment_type(old: int, recovers: bool, strict: bool) -> int:
    """The types that a variable of the types `old` can have after `++` or `--`."""
    if strict and old != INT:
        return INT | FLOAT | UNDEFINED
    return INT if old == INT or not recovers else INT | UNDEFINED
