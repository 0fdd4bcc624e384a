"""The operators of the reference interpreter: first the pair conversion, then the operation (language page)."""

from __future__ import annotations

import math
from typing import Any

from tests.reference.values import (
    KEYS,
    MAX_STRING,
    NEARLY,
    Fault,
    Localized,
    Pointer,
    Table,
    Thing,
    Vector,
    as_bool,
    as_float,
    as_string,
    as_vector,
    described,
    int32,
    kind_of,
    single,
    toward_zero,
)


def truth(value: Any) -> int:
    """A condition: 0 or 1."""
    return as_bool(value)


def vector_of(x: Any, y: Any, z: Any) -> Vector:
    """`(x, y, z)`."""
    return as_vector(x, y, z)


def paired(left: Any, right: Any) -> tuple[Any, Any]:
    """The implicit pair conversion. It comes before any check of the operator."""
    kinds = kind_of(left), kind_of(right)
    if kinds[0] == kinds[1]:
        return left, right
    if set(kinds) == {"int", "float"}:
        return single(left), single(right)
    if "string" in kinds and set(kinds) <= {"string", "int", "float", "vector"}:
        return as_string(left), as_string(right)
    raise Fault(f"pair has unmatching types '{kinds[0]}' and '{kinds[1]}'")


def binary(op: str, left: Any, right: Any) -> Any:
    """Any binary operator but && and ||."""
    if op == "!=":
        return 1 - equal(left, right)
    if op == "==":
        return equal(left, right)
    left, right = paired(left, right)
    kind = kind_of(left)
    if op in ("<", ">", "<=", ">=") and kind in ("int", "float"):
        order = {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}
        return int(order[op])
    if kind == "int":
        return of_ints(op, left, right)
    if kind == "float" and op in ("+", "-", "*", "/"):
        return of_floats(op, left, right)
    if kind == "vector" and op in ("+", "-"):
        parts = zip(left.parts, right.parts, strict=True)
        return Vector(*(single(a + b if op == "+" else a - b) for a, b in parts))
    if kind == "string" and op == "+":
        if len(left) + len(right) > MAX_STRING:
            raise Fault(f"a string would become longer than {MAX_STRING} characters")
        return left + right
    raise Fault(f"operator {op} cannot be applied to {kind}")


def of_ints(op: str, a: int, b: int) -> int:
    if op in ("/", "%"):
        if b == 0:
            raise Fault("divide by 0", result=0)
        return int32(toward_zero(a, b)[op == "%"])
    count = b % 32
    results = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "<<": a * 2**count,
        ">>": a // 2**count,
    }  # fmt: skip
    return int32(results[op])


def of_floats(op: str, a: float, b: float) -> float:
    if op == "/":
        if b == 0:
            raise Fault("divide by 0", result=0)
        return single(a / b)
    return single(a + b if op == "+" else a - b if op == "-" else a * b)


def equal(left: Any, right: Any) -> int:
    """Equality after the pair conversion (language page, "Equality and comparison")."""
    left, right = paired(left, right)
    if isinstance(left, float):
        return int(abs(left - right) < NEARLY)
    if isinstance(left, Vector):
        return int(all(a == b for a, b in zip(left.parts, right.parts, strict=True)))
    if isinstance(left, Table) and isinstance(right, Table):
        return int(left.mark is right.mark)
    if isinstance(left, Table | Thing):
        return int(left is right)
    return int(left == right)


def complement(value: Any) -> int:
    if not isinstance(value, int):
        raise Fault(f"operator ~ cannot be applied to {described(value)}")
    return -value - 1


def stepped(value: Any, delta: int) -> int:
    """`++` and `--`."""
    if not isinstance(value, int):
        raise Fault(f"operator {'++' if delta > 0 else '--'} cannot be applied to {described(value)}")
    return int32(value + delta)


# ---- parts of values -----------------------------------------------------------------------------------


def size(value: Any) -> int:
    if isinstance(value, Table):
        return len(value.entries)
    if isinstance(value, str):
        return len(value.split("\0")[0])
    if isinstance(value, Thing) and not value.dead:
        return 1
    raise Fault(f"size cannot be applied to {described(value)}")


def array_key(key: Any) -> Any:
    if isinstance(key, str) or (isinstance(key, int) and key in KEYS):
        return key
    if isinstance(key, int):
        raise Fault(f"array index {key} is out of range ({KEYS[0]} to {KEYS[-1]})")
    raise Fault(f"{described(key)} is not an array index")


def field_name(key: Any, owner: Any) -> str:
    if not isinstance(key, str):
        raise Fault(f"{described(key)} is not a field name of {described(owner)}")
    return key


def element(container: Any, key: Any) -> Any:
    """`container[key]`, read."""
    if isinstance(container, Table):
        return container.entries.get(array_key(key))
    if isinstance(container, Thing) and not container.dead:
        return container.fields.get(field_name(key, container))
    if not isinstance(container, str | Vector):
        raise Fault(f"{described(container)} cannot be indexed")
    kind = kind_of(container)
    if not isinstance(key, int):
        raise Fault(f"{described(key)} is not a {kind} index")
    parts: Any = container.parts if isinstance(container, Vector) else container[: size(container)]
    if key not in range(len(parts)):
        raise Fault(f"{kind} index {key} is out of range")
    return parts[key]


def field(owner: Any, name: str) -> Any:
    """`owner.name`, read: arrays and objects share the domain of names."""
    if isinstance(owner, Table):
        return owner.entries.get(name)
    return living(owner).fields.get(name)


def put_field(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`."""
    if isinstance(owner, Table):
        owner.write(name, value)
    else:
        living(owner).fields[name] = value


def take_field(owner: Any, name: str) -> None:
    """`owner.name = undefined`."""
    if isinstance(owner, Table):
        owner.remove(name)
    else:
        living(owner).fields.pop(name, None)


def living(value: Any) -> Thing:
    if not isinstance(value, Thing) or value.dead:
        raise Fault(f"{described(value)} is not an object")
    return value


def receiver(value: Any) -> Thing:
    """The object before a call."""
    return living(value)


def script_function(value: Any) -> Pointer:
    if not isinstance(value, Pointer):
        raise Fault(f"{described(value)} is not a function")
    return value


def selector(value: Any) -> Any:
    """The value of a switch (facts 5.4)."""
    if isinstance(value, str) or (isinstance(value, int) and value in KEYS):
        return value
    if isinstance(value, int):
        raise Fault(f"switch value {value} is out of range ({KEYS[0]} to {KEYS[-1]})")
    raise Fault(f"cannot switch on {described(value)}")


def same_label(label: int | str, value: Any) -> bool:
    return type(label) is type(value) and label == value


def shown(value: Any) -> str:
    """A value as `print` writes it."""
    if isinstance(value, Localized):
        return value.key
    return as_string(value) if isinstance(value, str | int | float | Vector) else described(value)


def milliseconds(seconds: Any) -> int:
    """The delay of a `wait` (facts 3.1)."""
    number = as_float(seconds)
    if math.isnan(number):
        raise Fault("wait of a value that is not a number")
    if number < 0:
        raise Fault("wait of negative time")
    if number >= 16777:
        raise Fault("wait of 16777 seconds or more")
    return round(number * 1000)
