"""Script values.

undefined is `None`, int is `int` (always within int32), float is `float` (always rounded to binary32), a string is
`str` with one character a byte, a vector is a tuple of three floats. The rest are the classes here, `Array` and
`ScriptObject`. There are no booleans: a `bool` in a script value is a fault of a native.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.gsc.dialect import UO_RULES

if TYPE_CHECKING:
    from engine.vm.accounts import Account

Vector: TypeAlias = tuple[float, float, float]

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1

_ROUNDER = memoryview(bytearray(4)).cast("f")


def f32(value: float) -> float:
    """`value` rounded to binary32; beyond its range the result is an infinity."""
    _ROUNDER[0] = value
    return _ROUNDER[0]


def vector(x: float, y: float, z: float) -> Vector:
    """A script vector from any three numbers, each rounded to binary32."""
    rounder = _ROUNDER
    rounder[0] = x
    a = rounder[0]
    rounder[0] = y
    b = rounder[0]
    rounder[0] = z
    return (a, b, rounder[0])


def wrap(value: int) -> int:
    """`value` reduced to the 32-bit two's complement domain. Raises `TypeError` for what is no whole number; one of
    NumPy's becomes an int."""
    if value.__class__ is not int:
        # Emitted code hands over what a built-in returned, too.
        value = index(value)
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


class Localized:
    """A localized string: the key written as `&"KEY"`. Equal keys are equal values."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Localized) and other.key == self.key

    def __hash__(self) -> int:
        return hash((Localized, self.key))

    def __repr__(self) -> str:
        return f'&"{self.key}"'


class Function:
    """A script function as a value: a cell whose identity survives reloads.

    `entry` is what runs: a Python function over (frame, self, depth, parameters). `arity` is its number of
    parameters, `resumes` what goes on behind each of its sites, once it was compiled. They are replaced when a changed
    program is linked.
    """

    __slots__ = ("account", "arity", "entry", "name", "params", "resumes", "rules", "script", "unit")

    def __init__(self, script: str, name: str) -> None:
        self.script = script
        self.name = name
        self.params: tuple[str, ...] = ()
        self.arity = 0
        self.entry: Callable[..., Any] = _unlinked
        self.resumes: tuple[Callable[..., Any], ...] = ()
        self.rules = UO_RULES
        self.account: Account | None = None
        """Of the owner of its script, for the threads that hosts start with it."""
        self.unit: Any = None
        """The compiled unit that `entry` belongs to, once it was compiled."""

    def __repr__(self) -> str:
        return f"{self.script}::{self.name}"


def _unlinked(*_: Any) -> Any:
    raise RuntimeError("this function value belongs to no linked program")


class Builtin:
    """A built-in as a value: what `::name` of one is, where the dialect has that. Whether it is called as a function or
    a method is seen at the call."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"::{self.name}"


class Animation:
    """An animation value: a name in a tree, with the node's index once the tree is loaded.

    The identity survives reloads. `tree` is the canonical tree name, `tree_index` the number that `#animtree` gives
    (from 1), `index` the node (-1 while unresolved).
    """

    __slots__ = ("index", "name", "tree", "tree_index")

    def __init__(self, tree: str, name: str, tree_index: int = 0, index: int = -1) -> None:
        self.tree = tree
        self.name = name
        self.tree_index = tree_index
        self.index = index

    def __repr__(self) -> str:
        return f"%{self.name}"


class AnimTree:
    """`#animtree` in dialects where it is a value of its own; `number` is what it is elsewhere. The identity survives
    reloads."""

    __slots__ = ("name", "number")

    def __init__(self, name: str, number: int = 0) -> None:
        self.name = name
        self.number = number

    def __repr__(self) -> str:
        return f"#animtree {self.name}"


Value: TypeAlias = Any
"""Any script value: `None`, `int`, `float`, `str`, `Vector`, `Localized`, `Function`, `Animation`, `Array` or
`ScriptObject`.

The alias says what is meant; values are dynamic, so the type checker is told nothing more."""
