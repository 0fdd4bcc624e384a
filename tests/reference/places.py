"""What may stand left of an assignment, in the reference interpreter.

A target is evaluated once, into a path from a variable or a value through fields and elements. Reading walks the path
and makes nothing; writing makes the arrays that are missing. Since every array has one holder, it is changed where it
lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.gsc import syntax as s
from tests.reference import operators as op
from tests.reference.machine import Activation, Place, Steps
from tests.reference.values import Fault, Table, Thing, Vector, described

if TYPE_CHECKING:
    from tests.reference.interpreter import Interpreter

NOTHING = object()
"""A container that could not be had, under the policy that goes on: what is written to it is lost."""


@dataclass
class Variable:
    name: str
    place: Place


@dataclass
class Known:
    """A value that is no variable: an object, or what a call gave."""

    value: Any
    place: Place


@dataclass
class Field:
    owner: Where
    name: str
    place: Place
    whole: Place


@dataclass
class Element:
    container: Where
    key: Any
    place: Place


Where = Variable | Known | Field | Element


class Places:
    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.op = interpreter.op

    def locate(self, node: s.Expr, act: Activation) -> Steps:
        """Evaluate what a target depends on: a key before its container (facts 5.2)."""
        match node:
            case s.LocalVar():
                return Variable(node.name, (node.start, node.end))
            case s.FieldAccess():
                owner = yield from self.locate(node.object, act)
                return Field(owner, node.name, (node.at, node.at + len(node.name)), (node.start, node.end))
            case s.Index():
                key = yield from self.interpreter.value(node.key, act)
                container = yield from self.locate(node.container, act)
                return Element(container, key, (node.at, node.at + 1))
            case _:
                value = yield from self.interpreter.value(node, act)
                return Known(value, (node.start, node.end))

    # ---- reading ---------------------------------------------------------------------------------------

    def read(self, where: Where, act: Activation) -> Any:
        attempt = self.interpreter.attempt
        match where:
            case Variable():
                return act.scope.get(where.name)
            case Known():
                return where.value
            case Field():
                return attempt(act, where.place, self.op.field, self.read(where.owner, act), where.name)
            case Element():
                return attempt(act, where.place, self.op.element, self.read(where.container, act), where.key)

    # ---- writing ---------------------------------------------------------------------------------------

    def write(self, where: Where, value: Any, act: Activation) -> None:
        match where:
            case Variable():
                act.scope[where.name] = value
            case Field():
                owner = self.read(where.owner, act)
                self.interpreter.attempt(act, where.place, self.op.put_field, owner, where.name, value)
                self.touch(where.owner, act)
            case Element():
                container = self.container(where.container, act)
                if container is not NOTHING:
                    self.interpreter.attempt(act, where.place, put, container, where.key, value)

    def clear(self, where: Where, act: Activation) -> None:
        """Assigning the literal undefined removes a variable, field or element (facts 1.3)."""
        match where:
            case Variable():
                act.scope.pop(where.name, None)
            case Field():
                owner = self.read(where.owner, act)
                self.interpreter.attempt(act, where.place, self.op.take_field, owner, where.name)
                self.touch(where.owner, act)
            case Element():
                container = self.container(where.container, act)
                if container is not NOTHING:
                    self.interpreter.attempt(act, where.place, take, container, where.key)

    def touch(self, where: Where, act: Activation) -> None:
        """A field of what is at `where` was written, or could not be: no array on the way there is what its copies are
        any more. The way to a field ends at an object, whose field it is, or where there is nothing."""
        through_field = True
        while True:
            held = self.glance(where, act)
            if isinstance(where, Field) and isinstance(held, Table):
                land(self.glance(where.owner, act), where.name, held)
            if isinstance(held, Table):
                held.mark = object()
            if isinstance(where, Variable | Known) or (through_field and not isinstance(held, Table)):
                return
            through_field = isinstance(where, Field)
            where = where.owner if isinstance(where, Field) else where.container

    def glance(self, where: Where, act: Activation) -> Any:
        """What is at `where`, without a report when nothing can be."""
        try:
            match where:
                case Variable():
                    return act.scope.get(where.name)
                case Known():
                    return where.value
                case Field():
                    return self.op.field(self.glance(where.owner, act), where.name)
                case Element():
                    return self.op.element(self.glance(where.container, act), where.key)
        except Fault:
            return None

    def container(self, where: Where, act: Activation) -> Any:
        """The array or object at `where`, to be written to by key. Undefined becomes an array there."""
        attempt = self.interpreter.attempt
        match where:
            case Variable():
                held = act.scope.get(where.name)
                place = where.place
                if held is None:
                    held = act.scope[where.name] = Table()
            case Known():
                held, place = where.value, where.place
                if held is None:
                    held = Table()
            case Field():
                owner = self.read(where.owner, act)
                place = where.whole
                held = attempt(act, where.place, self.op.field, owner, where.name)
                if held is None:
                    held = Table()
                    attempt(act, where.place, self.op.put_field, owner, where.name, held)
                else:
                    land(owner, where.name, held)
                self.touch(where.owner, act)
            case Element():
                around = self.container(where.container, act)
                place = where.place
                if around is NOTHING:
                    return NOTHING
                held = attempt(act, place, reach, around, where.key, failed=NOTHING)
                if held is NOTHING:
                    return NOTHING
        fit = attempt(act, place, check_container, held, failed=NOTHING)
        if isinstance(fit, Table):
            fit.mark = object()
        return fit


def land(owner: Any, name: str, held: Any) -> None:
    """What is written below a field that an ended object still shows lands like any write to the field."""
    if isinstance(owner, Thing) and owner.dead:
        owner.fields.setdefault(name, held)


# ---- one step ------------------------------------------------------------------------------------------


def put(container: Table | Thing, key: Any, value: Any) -> None:
    if isinstance(container, Table):
        container.write(op.array_key(key), value)
    else:
        container.fields[op.field_name(key, container)] = value


def take(container: Table | Thing, key: Any) -> None:
    if isinstance(container, Table):
        container.remove(op.array_key(key))
    else:
        container.fields.pop(op.field_name(key, container), None)


def reach(container: Table | Thing, key: Any) -> Any:
    """The element that a longer path goes through; an array is made where there is none."""
    entries: dict[Any, Any]
    if isinstance(container, Table):
        entries, key = container.entries, op.array_key(key)
    else:
        entries, key = container.fields, op.field_name(key, container)
    if entries.get(key) is None:
        entries[key] = Table()
    return entries[key]


def check_container(held: Any) -> Any:
    if isinstance(held, Table) or (isinstance(held, Thing) and not held.dead):
        return held
    if isinstance(held, str | Vector):
        raise Fault(f"an element of a {described(held)} cannot be changed")
    raise Fault(f"{described(held)} is not an array")
