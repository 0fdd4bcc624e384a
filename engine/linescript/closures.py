"""The closures that a tick spends its time in: operators, parts and host calls, each with its common case inline.

What is not the common case goes to `engine.linescript.operators`, which knows all cases and every fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engine.linescript.faults import Fault
from engine.linescript.functions import HostFunction
from engine.linescript.operators import BINARY, PARTS, part
from engine.linescript.program import Closure
from engine.linescript.values import Colour, Value, Vector, type_name

if TYPE_CHECKING:
    from engine.linescript.context import Frame

Place = tuple[int, int]


def constant(value: Value) -> Closure:
    return lambda frame: value


def variable(name: str, place: Place) -> Closure:
    def read(frame: Frame) -> Value:
        value = frame.locals.get(name)
        return frame.outer(name, place) if value is None else value

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


def binary(op: str, first: Closure, second: Closure, place: Place) -> Closure:
    """An operator on two closures. Two floats are the common case of arithmetic."""
    operate = BINARY[op]

    def plus(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a + b
        return operate(a, b, place)

    def minus(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a - b
        return operate(a, b, place)

    def times(frame: Frame) -> Value:
        a, b = first(frame), second(frame)
        if a.__class__ is float and b.__class__ is float:
            return a * b
        return operate(a, b, place)

    def other(frame: Frame) -> Value:
        return operate(first(frame), second(frame), place)

    return {"+": plus, "-": minus, "*": times}.get(op, other)


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


def native(name: str, args: list[Closure], used: bool, place: Place) -> Closure:
    """A call of a host function whose arguments are all values."""
    if len(args) == 1:
        (only,) = args
        return lambda frame: host_call(frame, name, [only(frame)], used, place)
    return lambda frame: host_call(frame, name, [a(frame) for a in args], used, place)
