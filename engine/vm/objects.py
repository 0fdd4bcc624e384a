"""Field-bearing objects.

A script field is a Python attribute with a prefix, so that CPython's inline caches serve it. An object that ends
changes its class to a dead one, which has no fields: every access fails by itself and ends in the helper that reports
it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from engine.gsc.mangle import FIELD_PREFIX, field
from engine.vm.values import INT_MAX, INT_MIN, Value, f32

if TYPE_CHECKING:
    from engine.vm.threads import Thread, Wanted

CLASS_DEFAULTS = sys.version_info < (3, 12)
"""How a missing field becomes undefined without cost: on 3.11 class attributes serve an unset field at full speed; from
3.12 on they defeat specialisation and `__getattr__` is free as long as the field exists (measured)."""


class ScriptObject:
    """What scripts see as an object. Host classes derive from it; `ScriptStruct` is the plain one.

    `type_name` is the word that error messages use. `waiters` and `endons` belong to `engine.vm.events`.
    """

    type_name: ClassVar[str] = "object"
    noun: ClassVar[str] = ""
    """What messages call such an object where one is wanted; if empty, `type_name`, which several may share."""
    dead: ClassVar[bool] = False

    waiters: dict[str, dict[Thread, Wanted]] | None = None
    endons: dict[str, dict[Thread, None]] | None = None
    scopes: dict[str, dict[Thread, tuple[int, int]]] | None = None
    """Endons that belong to a call, as `engine.vm.scopes` keeps them."""

    if not CLASS_DEFAULTS:

        def __getattr__(self, name: str) -> Any:
            if name.startswith(FIELD_PREFIX) and not self.dead:
                return None
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=self)

    @property
    def shown_name(self) -> str:
        """What people who look into a running game read; entities tell their number."""
        return self.type_name

    @property
    def held(self) -> dict[str, Any]:
        """All attributes that are set, script fields among them, to be read and written: `__dict__`, but without what a
        look at that costs. CPython 3.11 keeps attributes in the object itself until somebody asks for the dict, and
        serves those of the dict that it makes then 5 to 15 times as slowly; one that is given to the object is nearly
        as fast as before (measured)."""
        held = self.__dict__
        if "given" not in held:
            self.__dict__ = held = {**held, "given": True}
        return held

    def fields(self) -> Iterator[tuple[str, Value]]:
        """The script fields that are set, engine-backed ones excluded, in order of creation."""
        for name, value in self.held.items():
            if name.startswith(FIELD_PREFIX):
                yield name[len(FIELD_PREFIX) :], value

    def get_field(self, name: str) -> Value:
        """The value of a field as a script reads it."""
        value: Value = getattr(self, field(name), None)
        return value

    def set_field(self, name: str, value: Value) -> None:
        """Set a field from Python. Its name is folded as the compiler folds those of scripts; ints, floats and vectors
        are brought into the domain of script values, also in an array, which is the scripts' from then on. Raises
        `TypeError` for what is no script value, `ScriptError` where an engine-backed field refuses the value."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a field is text, not {name!r}")
        setattr(self, field(name.lower()), _for_field(name, value))

    def write_field(self, name: str, value: Value) -> None:
        """Set a field to what is a script value already, as a script does: nothing looks at it."""
        setattr(self, field(name), value)

    def remove_field(self, name: str) -> None:
        """Remove a plain field; one that is not set is no error. Raises `ScriptError` for an engine-backed one."""
        if isinstance(getattr(type(self), field(name), None), _ScriptSide):
            raise _refusal(f"field '{name}' belongs to the engine and cannot be removed")
        self.held.pop(field(name), None)


class ScriptStruct(ScriptObject):
    """What `spawnstruct` makes, and `level` and `anim`."""

    type_name = "struct"


class DeadObject(ScriptObject):
    """The class of an object that has ended. It has no fields and takes none."""

    type_name = "dead object"
    dead = True

    def set_field(self, name: str, value: Value) -> None:
        text = f"field {name!r} cannot be set: the object has ended, this is a {self.type_name}"
        raise AttributeError(text, name=f"{FIELD_PREFIX}{name}", obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith(FIELD_PREFIX):
            raise AttributeError(name, name=name, obj=self)
        object.__setattr__(self, name, value)


class DeadEntity(DeadObject):
    """The class of an entity that was freed (vm facts, 4.1)."""

    type_name = "dead entity"


def declare_fields(names: Iterable[str]) -> None:
    """Make unset fields of these names read as undefined at full speed. Called at link with every field name."""
    if CLASS_DEFAULTS:
        for name in names:
            attribute = field(name)
            if attribute not in ScriptObject.__dict__:
                setattr(ScriptObject, attribute, None)
                setattr(DeadObject, attribute, _DeadField(attribute))


class _DeadField:
    """Hides a class default of `ScriptObject` from dead objects."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any) -> Any:
        raise AttributeError(self.name, name=self.name, obj=instance)

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError(self.name, name=self.name, obj=instance)


def touched_dead(error: Exception) -> bool:
    """Whether an error is that of a field of an object that has ended."""
    return (
        isinstance(error, AttributeError)
        and isinstance(error.obj, DeadObject)
        and error.name is not None
        and error.name.startswith(FIELD_PREFIX)
    )


class EngineField:
    """A field that the engine backs: `origin`, `health` ...

    Used as a decorator on a getter in a `ScriptObject` class, with `.setter` as for a property. Python code reads and
    writes `entity.origin`; scripts go through the prefixed attribute and have their value checked first.

        class Entity(ScriptObject):
            @EngineField.of("vector")
            def origin(self) -> Vector: ...
            @origin.setter
            def origin(self, value: Vector) -> None: ...

    `kind` is `int`, `float`, `string`, `vector`, `object` or `any`. A field without a setter cannot be written by
    scripts.
    An engine-backed field cannot be removed (vm facts, 1.3).

    What scripts read through `of` is brought into the domain of script values. A field that is made without it gives a
    value of its kind that is one already: nothing looks at it.
    """

    def __init__(self, kind: str, getter: Callable[[Any], Any]) -> None:
        self.kind = kind
        self.getter = getter
        self.read = getter
        """What scripts read with."""
        self.writer: Callable[[Any, Any], None] | None = None
        self.name = getter.__name__
        self.__doc__ = getter.__doc__

    @classmethod
    def of(cls, kind: str) -> Callable[[Callable[[Any], Any]], EngineField]:
        if kind not in _CHECKS:
            raise TypeError(f"unknown kind of field {kind!r}; it must be one of {', '.join(_CHECKS)}")

        def declare(getter: Callable[[Any], Any]) -> EngineField:
            engine = cls(kind, getter)
            engine.read = _converting(engine)
            return engine

        return declare

    def setter(self, writer: Callable[[Any, Any], None]) -> EngineField:
        self.writer = writer
        return self

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        # Scripts write names in any case and mean the lower one.
        setattr(owner, field(name.lower()), _ScriptSide(self))

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else self.getter(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        if self.writer is None:
            raise AttributeError(f"field {self.name!r} is read-only")
        self.writer(instance, value)


class _ScriptSide:
    """The prefixed attribute of an `EngineField`: converts and checks what a script writes.

    An `AttributeError` from inside a getter or a setter would count as that of a field which is missing."""

    def __init__(self, engine: EngineField) -> None:
        self.engine = engine
        self.read = engine.read
        self.check = _CHECKS[engine.kind]

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is None:
            return self
        try:
            return self.read(instance)
        except AttributeError as error:
            raise _failed(self.engine, instance, error) from error

    def __set__(self, instance: Any, value: Any) -> None:
        writer = self.engine.writer
        if writer is None:
            raise _refusal(f"field '{self.engine.name}' of {instance.type_name} is read-only")
        value = self.check(self.engine, value)
        try:
            writer(instance, value)
        except AttributeError as error:
            raise _failed(self.engine, instance, error) from error


class Misgiven(RuntimeError):
    """A getter gave what is no value of its field's kind: nothing of it is left on the stack, so it is named."""

    def __init__(self, text: str, getter: Callable[[Any], Any]) -> None:
        super().__init__(text)
        self.getter = getter


def _failed(engine: EngineField, instance: ScriptObject, error: AttributeError) -> RuntimeError:
    """An error from inside a getter or a setter, with the places where it came from."""
    text = f"field '{engine.name}' of {instance.type_name}: AttributeError: {error}"
    return RuntimeError(text).with_traceback(error.__traceback__)


def _converting(engine: EngineField) -> Callable[[Any], Any]:
    """The getter of a field with what it gives as a script value of the field's kind, or undefined. Most is so already,
    which takes one look. Raises `RuntimeError` for what does not become one: an error of a script would be one that it
    goes on after, with a second look at the field."""
    from engine.vm.hosted import to_script

    getter, kind = engine.getter, engine.kind

    def converted(instance: ScriptObject, value: Any) -> Any:
        """A value that is not of its kind as it is."""
        try:
            result = to_script(value)
            if kind == "float" and result.__class__ is int:
                result = f32(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise _misfit(engine, instance, value, f": {error}") from None
        if result is None or kind == "any" or result.__class__ is _CLASSES.get(kind):
            return result
        if kind == "object" and isinstance(result, ScriptObject):
            return result
        raise _misfit(engine, instance, value, "")

    def read_int(instance: Any) -> Any:
        value = getter(instance)
        if value.__class__ is int and INT_MIN <= value <= INT_MAX:
            return value
        return converted(instance, value)

    def read_float(instance: Any) -> Any:
        value = getter(instance)
        return f32(value) if value.__class__ is float else converted(instance, value)

    def read_object(instance: Any) -> Any:
        value = getter(instance)
        return value if isinstance(value, ScriptObject) else converted(instance, value)

    def read(instance: Any) -> Any:
        return converted(instance, getter(instance))

    return {"int": read_int, "float": read_float, "object": read_object}.get(kind, read)


_CLASSES = {"int": int, "float": float, "string": str, "vector": tuple}


def _misfit(engine: EngineField, instance: ScriptObject, value: Any, why: str) -> Misgiven:
    name = type(value).__name__
    text = (
        f"field '{engine.name}' of {instance.type_name} gave a Python {name}, its kind is {engine.kind}{why}"
    )
    return Misgiven(text, engine.getter)


def _for_field(name: str, value: Any) -> Any:
    """What a host sets a field to as a script value."""
    from engine.vm.hosted import ACCEPTED, from_host

    reason = f"a script value is {ACCEPTED}"
    # An array made of a list would not follow what the host appends to the list later, and a field lasts.
    if value.__class__ is list:
        reason += "; for a list, give Array.of(...)"
    else:
        try:
            return from_host(value)
        except TypeError as error:
            if value.__class__.__name__ in ("str", "Array"):
                reason = str(error)
            elif value.__class__ is tuple:
                reason += f"; {error}"
    raise TypeError(f"field {name!r} cannot hold a Python {type(value).__name__}: {reason}")


def _refusal(message: str) -> Exception:
    from engine.vm.errors import ScriptError

    return ScriptError(message)


def _expect(*classes: type) -> Callable[[EngineField, Any], Any]:
    def check(engine: EngineField, value: Any) -> Any:
        if value.__class__ in classes:
            return value
        from engine.vm.operators import type_name

        raise _refusal(f"field '{engine.name}' takes a value of type {engine.kind}, not {type_name(value)}")

    return check


def _expect_float(engine: EngineField, value: Any) -> Any:
    if value.__class__ is int:
        return f32(value)
    return _expect(float)(engine, value)


def _expect_object(engine: EngineField, value: Any) -> Any:
    if value is None or (isinstance(value, ScriptObject) and not value.dead):
        return value
    return _expect()(engine, value)


_CHECKS: dict[str, Callable[[EngineField, Any], Any]] = {
    "int": _expect(int),
    "float": _expect_float,
    "string": _expect(str),
    "vector": _expect(tuple),
    "object": _expect_object,
    "any": lambda engine, value: value,
}
