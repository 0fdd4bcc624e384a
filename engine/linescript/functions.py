"""Python functions as script functions: what their annotations may be, and how arguments are checked.

A parameter is annotated with `bool`, `int`, `float`, `str`, `Vector`, `Colour`, `Value` (any of them) or `Ref` (a
variable of the caller's that the function may write); it may have a default. `*rest: Value` takes the others. A
parameter annotated with `Caller` is no argument: it receives who calls. The result is one of the types or None.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from engine.linescript.faults import Fault
from engine.linescript.values import INT_MAX, INT_MIN, TYPES, Colour, Value, Vector, is_value, type_name


class Caller(Protocol):
    """The context that calls, for functions that ask for it."""

    @property
    def now(self) -> int:
        """The context's clock in ms."""


class Ref:
    """A variable that was passed by reference: `value` reads and writes it."""

    __slots__ = ("_read", "_write")

    def __init__(self, read: Callable[[], Value], write: Callable[[Value], None]) -> None:
        self._read = read
        self._write = write

    @property
    def value(self) -> Value:
        return self._read()

    @value.setter
    def value(self, value: Value) -> None:
        self._write(checked_result(value, "a reference"))


ANY, REF = "value", "ref"
_ANNOTATIONS: dict[Any, str] = {
    **{kind: word for kind, word in TYPES.items() if kind is not tuple},
    Vector: "vector",
    Colour: "colour",
    Value: ANY,
    Ref: REF,
}


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A registered function.

    kinds      the word of each parameter's type, `value` for any, `ref` for a reference
    rest       the word for further arguments, or "" where there are none
    required   the least number of arguments
    wants      whether it receives its caller, as first Python argument
    exact      the Python types of arguments that need no conversion, where there is one such list
    pure       whether calls are bound when a program is compiled, and results are trusted
    """

    name: str
    call: Callable[..., Any]
    parameters: tuple[str, ...]
    kinds: tuple[str, ...]
    rest: str
    required: int
    wants: bool
    exact: tuple[type, ...]
    pure: bool = False

    @property
    def signature(self) -> str:
        """As error messages show it: `name(x: float, y: float)`."""
        shown = [f"{n}: {k}" for n, k in zip(self.parameters, self.kinds, strict=True)]
        return f"{self.name}({', '.join(shown + (['...'] if self.rest else []))})"

    def accepts(self, count: int) -> bool:
        return self.required <= count and (bool(self.rest) or count <= len(self.kinds))

    def kind(self, index: int) -> str:
        return self.kinds[index] if index < len(self.kinds) else self.rest

    def invoke(self, caller: Caller, args: list[Any]) -> Value | None:
        """Check and convert the arguments, call, and check the result. Raises Fault."""
        for index, value in enumerate(args if tuple(map(type, args)) != self.exact else ()):
            kind = self.kind(index)
            if kind in (ANY, REF):
                continue
            given = TYPES.get(value.__class__)
            if given == kind:
                continue
            if kind == "float" and given == "int":
                args[index] = float(value)
                continue
            types = ", ".join("ref" if isinstance(a, Ref) else type_name(a) for a in args)
            raise Fault(f"{self.signature} does not take ({types})")
        result = self.call(caller, *args) if self.wants else self.call(*args)
        if self.pure or result.__class__ is float:
            return cast("Value | None", result)
        return None if result is None else checked_result(result, self.name)


def checked_result(result: object, who: str) -> Value:
    """What Python code gives to a script. Raises Fault for what is no value, or an int beyond 64 bits."""
    if not is_value(result) or (isinstance(result, int) and not INT_MIN <= result <= INT_MAX):
        raise Fault(f"{who} gave something that is no value of a script")
    return cast(Value, result)


def describe(function: Callable[..., Any], name: str | None = None, *, pure: bool = False) -> HostFunction:
    """Read a function's signature. Raises TypeError for an annotation that is not scriptable."""
    shown = name if name is not None else function.__name__
    hints = typing.get_type_hints(function)
    names: list[str] = []
    kinds: list[str] = []
    rest, required, wants = "", 0, False
    for index, parameter in enumerate(inspect.signature(function).parameters.values()):
        hint = hints.get(parameter.name)
        if hint is Caller and index == 0:
            wants = True
            continue
        kind = _ANNOTATIONS.get(hint)
        if kind is None or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
            allowed = ", ".join(sorted({*TYPES.values(), "Value", "Ref"}))
            raise TypeError(
                f"parameter '{parameter.name}' of {shown} is not scriptable; it must be {allowed}"
            )
        if parameter.kind is parameter.VAR_POSITIONAL:
            if kind == REF:
                raise TypeError(f"parameter '*{parameter.name}' of {shown} cannot be a reference")
            rest = kind
            continue
        names.append(parameter.name)
        kinds.append(kind)
        if parameter.default is parameter.empty:
            required += 1
    result = hints.get("return", type(None))
    if result is not type(None) and (_ANNOTATIONS.get(result) is None or result is Ref):
        raise TypeError(f"{shown} returns something that is not scriptable")
    classes = {word: kind for kind, word in TYPES.items()}
    exact = tuple(classes.get(kind, object) for kind in kinds)
    return HostFunction(shown, function, tuple(names), tuple(kinds), rest, required, wants, exact, pure)
