"""The functions that every host has: printing, time, numbers, strings, vectors. Angles are in degrees."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.linescript.angles import cosine, sine, tangent
from engine.linescript.faults import Fault
from engine.linescript.functions import Caller
from engine.linescript.operators import power
from engine.linescript.scope import GlobalScope
from engine.linescript.values import Colour, Value, Vector, fits, text, type_name


def global_scope(out: Callable[[str], object], random: Callable[[], float]) -> GlobalScope:
    """A global scope with the library. `out` receives what `print` writes, `random` gives numbers from 0 to below 1."""
    scope = GlobalScope()

    def print_(*values: Value) -> None:
        out(" ".join(text(v) for v in values) + "\n")

    def random_(low: float = 0.0, high: float = 1.0) -> float:
        return _between(low, high, random())

    scope.register(print_, "print")
    scope.register(random_, "random")
    scope.register(_time, "time")
    scope.register(_error, "error")
    for name, function in _LIBRARY.items():
        scope.register(function, name, pure=True)
    return scope


def _time(caller: Caller) -> float:
    return caller.now / 1000.0


def _error(message: Value) -> None:
    raise Fault(text(message))


def _type(value: Value) -> str:
    return type_name(value)


# ---- numbers ------------------------------------------------------------------------------------------


def _number(value: Value) -> int | float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise Fault(f"a number is needed, not a {type_name(value)}")


def _abs(value: Value) -> Value:
    return fits(number) if isinstance(number := abs(_number(value)), int) else number


def _least(first: Value, *rest: Value) -> Value:
    return min([_number(first), *map(_number, rest)])


def _greatest(first: Value, *rest: Value) -> Value:
    return max([_number(first), *map(_number, rest)])


def _whole(rounding: Callable[[float], int]) -> Callable[..., Value]:
    def run(value: Value) -> Value:
        number = _number(value)
        if not math.isfinite(number):
            raise Fault(f"{number:g} is no whole number")
        return fits(rounding(number))

    return run


def _half_up(value: float) -> int:
    return math.floor(value + 0.5)


def _int(value: Value) -> Value:
    """A number without its fraction, a bool as 0 or 1, or what a string says."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return _int(_read(value))
    number = _number(value)
    if not math.isfinite(number):
        raise Fault(f"{number:g} is no whole number")
    return fits(int(number))


def _float(value: Value) -> float:
    if isinstance(value, bool):
        return float(value)
    return float(_read(value) if isinstance(value, str) else _number(value))


def _read(value: str) -> int | float:
    """The number that a string is. Raises Fault where it is none."""
    number = read_number(value)
    if number is None:
        raise Fault(f"'{value[:40]}' is no number")
    return number


def read_number(value: str) -> int | float | None:
    """The number that a text is, as a script would write it, with a sign; None where it is none."""
    stripped = value.strip()
    if not stripped.isascii() or "_" in stripped or len(stripped) > 64:
        return None
    try:
        digits = stripped.lstrip("+-")
        return fits(int(stripped, 16 if digits[:2] in ("0x", "0X") else 10))
    except ValueError:
        pass
    try:
        number = float(stripped)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _sqrt(value: float) -> float:
    if not value >= 0:
        raise Fault(f"{value:g} has no square root")
    return math.sqrt(value)


def _atan(y: float, x: float = 1.0) -> float:
    """The angle whose tangent is y / x."""
    return math.degrees(math.atan2(y, x))


def _pow(base: Value, exponent: Value) -> Value:
    return power(base, exponent)


def _clamp(value: float, low: float, high: float) -> float:
    return max(low, min(high, value))


def _mix(first: Value, second: Value, part: float) -> Value:
    """`first` at 0, `second` at 1, and what lies between; for numbers, vectors and colours."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        x, y, z = (_between(a, b, part) for a, b in zip(first, second, strict=True))
        return (x, y, z)
    if isinstance(first, Colour) and isinstance(second, Colour):
        pairs = ((first.r, second.r), (first.g, second.g), (first.b, second.b), (first.a, second.a))
        return Colour(*(_between(a, b, part) for a, b in pairs))
    return _between(float(_number(first)), float(_number(second)), part)


def _between(first: float, second: float, part: float) -> float:
    width = second - first
    # Two numbers may be further apart than the largest number.
    return first + width * part if math.isfinite(width) else first * (1.0 - part) + second * part


# ---- strings ------------------------------------------------------------------------------------------


def _str(value: Value) -> str:
    return text(value)


def _len(value: str) -> int:
    return len(value)


def _lower(value: str) -> str:
    return value.lower()


def _upper(value: str) -> str:
    return value.upper()


def _fixed(value: float, digits: int) -> str:
    """A number with so many digits behind the point."""
    if not 0 <= digits <= 9 or not math.isfinite(value):
        raise Fault("fixed takes a finite number, and 0 to 9 digits")
    return f"{value:.{digits}f}"


# ---- vectors and colours ------------------------------------------------------------------------------


def _length(value: Vector) -> float:
    return math.hypot(*value)


def _distance(first: Vector, second: Vector) -> float:
    return math.dist(first, second)


def _normalise(value: Vector) -> Vector:
    """The same direction with length 1; a vector of no length stays."""
    length = math.hypot(*value)
    return value if not 0 < length < math.inf else (value[0] / length, value[1] / length, value[2] / length)


def _dot(first: Vector, second: Vector) -> float:
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2]


def _colour(red: float, green: float, blue: float, opacity: float = 1.0) -> Colour:
    return Colour(red, green, blue, opacity)


_LIBRARY: dict[str, Callable[..., object]] = {
    "type": _type,
    "abs": _abs,
    "min": _least,
    "max": _greatest,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(_half_up),
    "int": _int,
    "float": _float,
    "sqrt": _sqrt,
    "sin": sine,
    "cos": cosine,
    "tan": tangent,
    "atan": _atan,
    "pow": _pow,
    "clamp": _clamp,
    "mix": _mix,
    "str": _str,
    "len": _len,
    "lower": _lower,
    "upper": _upper,
    "fixed": _fixed,
    "length": _length,
    "distance": _distance,
    "normalise": _normalise,
    "dot": _dot,
    "colour": _colour,
}
