"""The operators of Modern Warfare 2 for the reference interpreter, from the IW4 page and docs/iw4.md.

The same names as in `operators`. Values are taken as they are: numbers alone are converted into one another.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from tests.reference import operators
from tests.reference.operators import complement, field_name, living, same_label, selector, size
from tests.reference.values import (
    MAX_STRING,
    Builtin,
    Fault,
    Localized,
    Pointer,
    Table,
    Thing,
    Vector,
    described,
    int32,
    single,
    toward_zero,
)

__all__ = ["complement", "living", "same_label", "selector", "size"]

MAX_SECONDS = 16777


def number(value: Any) -> bool:
    return isinstance(value, int | float)


# ---- text ----------------------------------------------------------------------------------------------


def real_text(value: float) -> str:
    """`%g` of the Microsoft library: an exponent has three digits, and infinities have names of their own."""
    if math.isnan(value):
        return "-1.#IND"
    if math.isinf(value):
        return "1.#INF" if value > 0 else "-1.#INF"
    mantissa, mark, exponent = format(value, "g").partition("e")
    return mantissa + (f"e{exponent[0]}{int(exponent[1:]):03d}" if mark else "")


def text_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return format(value, "d")
    if isinstance(value, float):
        return real_text(value)
    if isinstance(value, Vector):
        return "(" + ", ".join(real_text(part) for part in value.parts) + ")"
    raise Fault(f"{described(value)} has no text")


def shown(value: Any) -> str:
    """A value as the comparison's `trace` writes it."""
    if isinstance(value, Localized):
        return value.key
    return text_of(value) if isinstance(value, str | int | float | Vector) else described(value)


# ---- truth and comparison ------------------------------------------------------------------------------


def truth(value: Any) -> int:
    if not number(value):
        raise Fault(f"{described(value)} is neither true nor false")
    return int(value != 0)


def logical_not(value: Any) -> int:
    return 1 - truth(value)


def equal(left: Any, right: Any) -> int:
    """Two numbers, two of one type, or a vector with a number for each of its components; nothing else."""
    if number(left) and number(right):
        if type(left) is not type(right):
            left, right = single(left), single(right)
        return int(left == right)
    vectors = [v for v in (left, right) if isinstance(v, Vector)]
    if len(vectors) == 2:
        return int(all(a == b for a, b in zip(left.parts, right.parts, strict=True)))
    if vectors and (number(left) or number(right)):
        other = right if isinstance(left, Vector) else left
        return int(all(part == single(other) for part in vectors[0].parts))
    if isinstance(left, Table) and isinstance(right, Table):
        return int(left.mark is right.mark)
    if isinstance(left, Thing) and isinstance(right, Thing):
        return int(left is right)
    if type(left) is not type(right):
        raise incomparable(left, right)
    return int(left == right)


def incomparable(left: Any, right: Any) -> Fault:
    return Fault(f"{described(left)} and {described(right)} cannot be compared")


def ordered(op: str, left: Any, right: Any) -> int:
    if not (number(left) and number(right)):
        raise incomparable(left, right)
    if type(left) is not type(right):
        left, right = single(left), single(right)
    return int({"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[op])


# ---- arithmetic ----------------------------------------------------------------------------------------


def binary(op: str, left: Any, right: Any) -> Any:
    """Any binary operator but && and ||."""
    if op in ("==", "!="):
        return equal(left, right) if op == "==" else 1 - equal(left, right)
    if op in ("<", ">", "<=", ">="):
        return ordered(op, left, right)
    if isinstance(left, int) and isinstance(right, int):
        return of_ints(op, left, right)
    if op in ("+", "-", "*", "/"):
        if number(left) and number(right):
            return of_reals(op, single(left), single(right))
        if isinstance(left, Vector) and isinstance(right, Vector):
            pairs = zip(left.parts, right.parts, strict=True)
            return Vector(*(of_reals(op, a, b) for a, b in pairs))
        if op != "+" and isinstance(left, Vector) and number(right):
            return Vector(*(of_reals(op, part, single(right)) for part in left.parts))
        if op != "+" and number(left) and isinstance(right, Vector):
            return Vector(*(of_reals(op, single(left), part) for part in right.parts))
    if op == "+" and (isinstance(left, str) or isinstance(right, str)):
        texts = (str, int, float, Vector)
        if isinstance(left, texts) and isinstance(right, texts):
            return joined(text_of(left), text_of(right))
    raise Fault(f"operator {op} cannot be applied to {described(left)} and {described(right)}")


def joined(left: str, right: str) -> str:
    if len(left) + len(right) > MAX_STRING:
        raise Fault(f"a string would become longer than {MAX_STRING} characters")
    return left + right


def of_ints(op: str, a: int, b: int) -> int | float:
    if op == "/":
        return single(a / b) if b else 0.0
    if op == "%":
        return int32(toward_zero(a, b)[1]) if b else 0
    return operators.of_ints(op, a, b)


def of_reals(op: str, a: float, b: float) -> float:
    if op == "/":
        return single(a / b) if b else 0.0
    return single(a + b if op == "+" else a - b if op == "-" else a * b)


def negated(value: Any) -> Any:
    if isinstance(value, int):
        return int32(-value)
    if isinstance(value, float):
        return -value
    if isinstance(value, Vector):
        return Vector(*(-part for part in value.parts))
    raise Fault(f"operator - cannot be applied to {described(value)}")


def stepped(value: Any, delta: int) -> Any:
    if isinstance(value, int):
        return int32(value + delta)
    if isinstance(value, float):
        return single(value + delta)
    raise Fault(f"operator {'++' if delta > 0 else '--'} cannot be applied to {described(value)}")


def vector_of(x: Any, y: Any, z: Any) -> Vector:
    for part in (z, y, x):
        if not number(part):
            raise Fault(f"a component of a vector is {described(part)}, not a number")
    return Vector(single(x), single(y), single(z))


# ---- parts of values -----------------------------------------------------------------------------------


def element(container: Any, key: Any) -> Any:
    """`container[key]`, read; beyond the end of a string is undefined."""
    if isinstance(container, Thing):
        return field(container, field_name(key, container))
    if isinstance(container, str) and isinstance(key, int):
        text = container[: size(container)]
        return text[key] if key in range(len(text)) else None
    return operators.element(container, key)


def field(owner: Any, name: str) -> Any:
    """`owner.name`, read. An object that has ended keeps its fields until the frame is over."""
    if isinstance(owner, Thing) and owner.dead:
        return owner.fields.get(name, owner.kept.get(name))
    return operators.field(owner, name)


def put_field(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, Thing):
        owner.fields[name] = value
    else:
        operators.put_field(owner, name, value)


def take_field(owner: Any, name: str) -> None:
    if isinstance(owner, Thing):
        owner.fields.pop(name, None)
        owner.kept.pop(name, None)
    else:
        operators.take_field(owner, name)


def keys(array: Any) -> Table:
    """The keys of an array in the order of a foreach, as an array."""
    if not isinstance(array, Table):
        raise Fault(f"foreach walks an array, not {described(array)}")
    ints = sorted(key for key in array.entries if isinstance(key, int))
    texts = sorted(key for key in array.entries if isinstance(key, str))
    return Table(dict(enumerate([*ints, *texts])))


# ---- calls and time ------------------------------------------------------------------------------------


def receiver(value: Any) -> Thing:
    """The object before a call; one that has ended will do."""
    if not isinstance(value, Thing):
        raise Fault(f"{described(value)} is not an object")
    return value


def script_function(value: Any) -> Pointer:
    if isinstance(value, Builtin):
        raise Fault(f"'{value.name}' is a built-in: write call [[ ... ]]()")
    return operators.script_function(value)


def milliseconds(seconds: Any) -> int:
    """The delay of a `wait`: whole server frames of 50 ms, twenty for a second, at least one unless it is 0."""
    if not number(seconds):
        raise Fault(f"wait takes a number, not {described(seconds)}")
    if math.isnan(seconds):
        raise Fault("wait of a value that is not a number")
    if seconds < 0:
        raise Fault("wait of negative time")
    if isinstance(seconds, int):
        frames = 20 * seconds
    elif math.isinf(seconds):
        frames = 20 * MAX_SECONDS
    else:
        nearest = math.floor(rounded(rounded(seconds * 20) + 0.5))
        frames = max(nearest, 1) if seconds else 0
    if frames >= 20 * MAX_SECONDS:
        raise Fault(f"wait of {MAX_SECONDS} seconds or more")
    return 50 * frames


def rounded(value: float) -> float:
    """To binary32; what does not fit is as large as a float can be, which is too long a wait anyway."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return 3e38
