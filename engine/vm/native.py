"""What the registry knows of one native."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.gsc.catalogue import BuiltIn, Signature
from engine.gsc.kinds import ANY, ARRAY, FLOAT, INT, STRING, VECTOR
from engine.vm.arrays import Array
from engine.vm.objects import ScriptObject
from engine.vm.values import Animation, Function, Localized

VALUE_NAMES: dict[Any, str] = {
    int: "int",
    float: "float",
    str: "string",
    tuple: "vector",
    Array: "array",
    Function: "function",
    Animation: "animation",
    Localized: "localized string",
}
"""The classes that an argument can be asked to have, beside those of objects, with their names in messages."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a native: `kind` is a value class, a `ScriptObject` class, or None for anything."""

    name: str
    kind: type | None
    optional: bool
    nullable: bool


@dataclass(frozen=True, slots=True)
class Native:
    """One registered function or method.

    `injected` lists the classes that come before the arguments. `receiver` is the class of a method's object. `returns`
    is how a result is brought into the domain of script values, `gives` the types that it has then, as a bit set.
    `pure` natives end no object and start no script; `strict` ones refuse surplus arguments. `help` is the docstring.
    """

    signature: Signature
    function: Callable[..., Any]
    receiver: type[ScriptObject] | None
    injected: tuple[type, ...]
    parameters: tuple[Parameter, ...]
    variadic: bool
    returns: str
    gives: int
    pure: bool
    strict: bool
    help: str
    cost: int = 0
    """Units of the budget that a call takes beside those of any call (`engine.gsc.cost`)."""


_MASKS: dict[type | None, int] = {
    None: ANY, int: INT, float: FLOAT, str: STRING, tuple: VECTOR, Array: ARRAY,
}  # fmt: skip


def facts_of(native: Native) -> BuiltIn:
    """What the compiler can make use of. What counts its cost is called with its wrapper, and so are what takes text,
    which costs by its length, and what may return a list for an array."""
    takes = tuple(_MASKS.get(parameter.kind, 0) for parameter in native.parameters)
    least = sum(not parameter.optional for parameter in native.parameters)
    direct = (
        all(takes) and STRING not in takes and not native.variadic and native.returns not in ("any", "array")
    )
    direct = direct and not native.cost
    return BuiltIn(takes, least, native.gives, native.returns, direct)
