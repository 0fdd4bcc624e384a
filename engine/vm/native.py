"""What the registry knows of one native."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.gsc.catalogue import Signature
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

    `injected` lists the classes that come before the arguments. `receiver` is the class of a method's object.
    `pure` natives end no object and start no script; `strict` ones refuse surplus arguments. `help` is the docstring.
    """

    signature: Signature
    function: Callable[..., Any]
    receiver: type[ScriptObject] | None
    injected: tuple[type, ...]
    parameters: tuple[Parameter, ...]
    variadic: bool
    returns: str
    pure: bool
    strict: bool
    help: str
