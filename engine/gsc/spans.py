"""What is known of the values of ints: from where to where they can lie.

A span is a pair of bounds, both of them possible. It tells which results fit 32 bits without a look, that a dividend is
not negative, and what a comparison that has held says about the local in it.
"""

from __future__ import annotations

from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

LOWEST, HIGHEST = -(2**31), 2**31 - 1
WHOLE: Span = (LOWEST, HIGHEST)
"""Any int."""
TRUTH: Span = (0, 1)


def hull(a: Span, b: Span) -> Span:
    """The smallest span with both inside."""
    return min(a[0], b[0]), max(a[1], b[1])


def fits(span: Span) -> bool:
    return span[0] >= LOWEST and span[1] <= HIGHEST


def exact(op: str, a: Span, b: Span) -> Span | None:
    """The bounds of `a op b` before it is reduced to 32 bits, None where nothing better than any int is known."""
    (low, high), (other_low, other_high) = a, b
    match op:
        case "+":
            return low + other_low, high + other_high
        case "-":
            return low - other_high, high - other_low
        case "*":
            corners = (low * other_low, low * other_high, high * other_low, high * other_high)
            return min(corners), max(corners)
        case "/" if other_low > 0:
            return -(-low // other_low) if low < 0 else 0, high // other_low if high > 0 else 0
        case "%" if other_low > 0:
            most = other_high - 1
            return max(low, -most) if low < 0 else 0, min(high, most) if high > 0 else 0
        case "&" if low >= 0 or other_low >= 0:
            return 0, min(top for bottom, top in (a, b) if bottom >= 0)
        case "|" | "^" if low >= 0 and other_low >= 0:
            return 0, (1 << max(high, other_high).bit_length()) - 1
        case ">>" if other_low == other_high:
            return low >> (other_low & 31), high >> (other_low & 31)
        case "==" | "!=" | "<" | ">" | "<=" | ">=":
            return TRUTH
        case _:
            return None


def result(op: str, a: Span, b: Span) -> Span:
    """The bounds of `a op b` for two ints."""
    found = exact(op, a, b)
    return found if found is not None and fits(found) else WHOLE


NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def narrowed(op: str, a: Span, b: Span) -> Span:
    """What is left of `a` where `a op b` holds. Where it never can, `a` as it was: such code does not run."""
    low, high = a
    match op:
        case "==":
            low, high = max(low, b[0]), min(high, b[1])
        case "<":
            high = min(high, b[1] - 1)
        case "<=":
            high = min(high, b[1])
        case ">":
            low = max(low, b[0] + 1)
        case ">=":
            low = max(low, b[0])
    return (low, high) if low <= high else a


def widened(before: Span, now: Span) -> Span:
    """`now`, which grew from `before` in one round of a loop, as far as it may grow in more of them."""
    low = LOWEST if now[0] < before[0] else now[0]
    high = HIGHEST if now[1] > before[1] else now[1]
    return low, high
