"""An object as a line script sees it: its fields are variables, and what is notified on it can be heard."""

from __future__ import annotations

import math
from typing import cast

from engine.linescript.faults import Fault
from engine.linescript.scope import Scope
from engine.linescript.values import Colour, Value, Vector, type_name
from engine.vm.errors import ScriptError
from engine.vm.objects import EngineField, ScriptObject
from engine.vm.values import INT_MAX, INT_MIN, Localized, f32, vector
from engine.vm.values import Value as ScriptValue

MAX_HEARD = 32
"""Events that are remembered for a script that does not ask for them; the oldest is forgotten first."""


class ObjectScope(Scope):
    """The fields of an object as variables. `heard` are the events that came since the script last asked."""

    __slots__ = ("heard", "target")

    def __init__(self, parent: Scope, target: ScriptObject) -> None:
        super().__init__(parent)
        self.target = target
        self.heard: dict[str, None] = {}

    def own(self, name: str) -> Value | None:
        if self.target.dead:
            return None
        value = self.target.get_field(name.lower())
        return None if value is None else to_lines(value)

    def put(self, name: str, value: Value) -> bool:
        target, lowered = self.target, name.lower()
        if target.dead or not _has_field(target, lowered):
            return False
        try:
            target.set_field(lowered, from_lines(value))
        except ScriptError as error:
            raise Fault(error.message) from None
        return True

    def hear(self, event: str) -> None:
        self.heard[event] = None
        if len(self.heard) > MAX_HEARD:
            del self.heard[next(iter(self.heard))]


def _has_field(target: ScriptObject, name: str) -> bool:
    if isinstance(getattr(type(target), name, None), EngineField):
        return True
    return target.get_field(name) is not None


def to_lines(value: ScriptValue) -> Value:
    """A GSC value in a line script. Raises Fault for what the language has no type for."""
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, Localized):
        return value.key
    if isinstance(value, tuple):
        return cast(Vector, value)
    raise Fault(
        "this field holds something that line scripts have no type for, such as an object or an array"
    )


def from_lines(value: Value) -> ScriptValue:
    """A value of a line script in GSC: bools are 0 and 1, floats are rounded to 32 bits. Raises Fault."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        if INT_MIN <= value <= INT_MAX:
            return value
        raise Fault(f"{value} does not fit into a field: ints have 32 bits there")
    if isinstance(value, float):
        if math.isfinite(value):
            return f32(value)
        raise Fault("a field takes finite numbers only")
    if isinstance(value, tuple):
        if all(map(math.isfinite, value)):
            return vector(*value)
        raise Fault("a field takes vectors of finite numbers only")
    if isinstance(value, Colour):
        raise Fault(f"a field cannot hold a {type_name(value)}: give its parts")
    return value
