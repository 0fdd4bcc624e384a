"""The closures that a tick spends its time in: operators, parts and host calls, each with its common case inline.

What is not the common case goes to `engine.linescript.operators`, which knows all cases and every fault.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from engine.linescript.faults import Fault
from engine.linescript.functions import ANY, HostFunction
from engine.linescript.operators import BINARY, PARTS, Binary, add, multiply, part, subtract
from engine.linescript.program import Closure
from engine.linescript.values import INT_MAX, INT_MIN, Colour, Value, Vector, type_name

if TYPE_CHECKING:
    from engine.linescript.context import Frame

Place = tuple[int, int]
_Write = Callable[[Closure, Closure, Place], Closure]
_WriteConstant = Callable[[Closure, float, Place], Closure]


def constant(value: Value) -> Closure:
    return lambda frame: value


def variable(name: str, place: Place) -> Closure:
    def read(frame: Frame) -> Value:
        try:
            return frame.locals[name]
        except KeyError:
            return frame.outer(name, place)

    return read


def assignment(name: str, value: Closure) -> Closure:
    def store(frame: Frame) -> Value:
        v = value(frame)
        if name in frame.locals:
            frame.locals[name] = v
        else:
            frame.store(name, v)
        return v

    return store


# ---- operators ----------------------------------------------------------------------------------------


def binary(op: str, first: Closure, second: Closure, place: Place) -> Closure:
    """An operator on two closures."""
    write = _COMMON.get(op)
    return write(first, second, place) if write is not None else _general(BINARY[op], first, second, place)


def binary_constant(op: str, first: Closure, second: Value, place: Place) -> Closure:
    """An operator whose right operand is known: `x + 1`, `x > 0`."""
    write = _COMMON_CONSTANT.get(op)
    if write is None or second.__class__ not in (int, float):
        return binary(op, first, constant(second), place)
    return write(first, cast(float, second), place)


def _general(operate: Binary, first: Closure, second: Closure, place: Place) -> Closure:
    return lambda frame: operate(first(frame), second(frame), place)


def _plus(first: Closure, second: Closure, place: Place) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a + b
        return add(a, b, place)

    return run


def _plus_constant(first: Closure, b: float, place: Place) -> Closure:
    whole = b.__class__ is int

    def run(frame: Frame) -> Value:
        a = first(frame)
        if a.__class__ is float:
            return a + b
        if whole and a.__class__ is int and INT_MIN <= (result := a + b) <= INT_MAX:
            return result
        return add(a, b, place)

    return run


def _minus(first: Closure, second: Closure, place: Place) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a - b
        return subtract(a, b, place)

    return run


def _minus_constant(first: Closure, b: float, place: Place) -> Closure:
    whole = b.__class__ is int

    def run(frame: Frame) -> Value:
        a = first(frame)
        if a.__class__ is float:
            return a - b
        if whole and a.__class__ is int and INT_MIN <= (result := a - b) <= INT_MAX:
            return result
        return subtract(a, b, place)

    return run


def _times(first: Closure, second: Closure, place: Place) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a * b
        return multiply(a, b, place)

    return run


def _times_constant(first: Closure, b: float, place: Place) -> Closure:
    def run(frame: Frame) -> Value:
        a = first(frame)
        if a.__class__ is float:
            return a * b
        return multiply(a, b, place)

    return run


def _comparison(op: str) -> tuple[_Write, _WriteConstant]:
    """A comparison of two closures, and of one with a number. Numbers are the common case."""
    compare: Callable[[Any, Any], bool] = {
        "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    }[op]  # fmt: skip
    operate = BINARY[op]

    def write(first: Closure, second: Closure, place: Place) -> Closure:
        def run(frame: Frame) -> Value:
            a, b = first(frame), second(frame)
            if a.__class__ is float and b.__class__ is float:
                return compare(a, b)
            return operate(a, b, place)

        return run

    def write_constant(first: Closure, b: float, place: Place) -> Closure:
        def run(frame: Frame) -> Value:
            a = first(frame)
            if a.__class__ is float or a.__class__ is int:
                return compare(a, b)
            return operate(a, b, place)

        return run

    return write, write_constant


_COMPARISONS = {op: _comparison(op) for op in ("<", "<=", ">", ">=")}
_COMMON: dict[str, _Write] = {"+": _plus, "-": _minus, "*": _times}
_COMMON |= {op: pair[0] for op, pair in _COMPARISONS.items()}
_COMMON_CONSTANT: dict[str, _WriteConstant] = {
    "+": _plus_constant, "-": _minus_constant, "*": _times_constant,
}  # fmt: skip
_COMMON_CONSTANT |= {op: pair[1] for op, pair in _COMPARISONS.items()}


# ---- parts and vectors --------------------------------------------------------------------------------


def part_of(name: str, value: Closure, place: Place) -> Closure:
    kind, key = PARTS[name]
    if kind is Colour:
        return lambda frame: part(value(frame), name, place)
    index = cast(int, key)

    def component(frame: Frame) -> Value:
        v = value(frame)
        return v[index] if v.__class__ is tuple else part(v, name, place)

    return component


def make_vector(x: Value, y: Value, z: Value, places: list[Place]) -> Vector:
    for value, place in zip((x, y, z), places, strict=True):
        if value.__class__ not in (int, float):
            raise Fault(f"a component of a vector is a number, not a {type_name(value)}", place)
    return float(cast(float, x)), float(cast(float, y)), float(cast(float, z))


def vector(x: Closure, y: Closure, z: Closure, places: list[Place]) -> Closure:
    def make(frame: Frame) -> Value:
        a, b, c = x(frame), y(frame), z(frame)
        if a.__class__ is float and b.__class__ is float and c.__class__ is float:
            return (a, b, c)
        return make_vector(a, b, c, places)

    return make


def host_call(frame: Frame, name: str, args: list[Any], used: bool, place: Place) -> Any:
    """Call a function of the host as the context's scope knows it now. None only where the value is not used."""
    context = frame.context
    function: HostFunction | None = context.scope.function(name)
    if function is None:
        raise Fault(f"there is no function '{name}' here", place)
    try:
        result = function.invoke(context, args)
    except Fault as fault:
        raise Fault(fault.message, fault.place or place) from None
    if result is None and used:
        raise Fault(f"{name} gives no value", place)
    return result


def native(function: HostFunction, args: list[Closure], used: bool, place: Place) -> Closure:
    """A call of a host function whose arguments are all values."""
    if function.pure:
        return _pure(function, args, place)
    name = function.name
    if len(args) == 1:
        (only,) = args
        return lambda frame: host_call(frame, name, [only(frame)], used, place)
    return lambda frame: host_call(frame, name, [a(frame) for a in args], used, place)


def _pure(function: HostFunction, args: list[Closure], place: Place) -> Closure:
    """A call of a library function, which is known now and always gives a value."""
    call, floats = function.call, set(function.kinds[: len(args)]) == {"float"}
    takes_any = {*function.kinds, function.rest} <= {ANY, ""}

    def checked(frame: Frame, values: list[Any]) -> Any:
        try:
            return function.invoke(frame.context, values)
        except Fault as fault:
            raise Fault(fault.message, fault.place or place) from None

    def any_values(frame: Frame) -> Any:
        values = [a(frame) for a in args]
        try:
            return call(*values)
        except Fault as fault:
            raise Fault(fault.message, fault.place or place) from None

    if takes_any:
        return any_values
    if not floats:
        return lambda frame: checked(frame, [a(frame) for a in args])

    def all_floats(frame: Frame) -> Any:
        values = [a(frame) for a in args]
        for value in values:
            if value.__class__ is not float:
                return checked(frame, values)
        try:
            return call(*values)
        except Fault as fault:
            raise Fault(fault.message, fault.place or place) from None

    if len(args) != 1:
        return all_floats
    (only,) = args

    def one_float(frame: Frame) -> Any:
        value = only(frame)
        if value.__class__ is not float:
            return checked(frame, [value])
        try:
            return call(value)
        except Fault as fault:
            raise Fault(fault.message, fault.place or place) from None

    return one_float
