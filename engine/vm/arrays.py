"""Arrays: values, copied on write.

Copying an array only marks it `shared`; whoever writes next clones it first. The mark is sticky: it is set wherever an
array leaves a variable, and only a clone is without it, so the cost is at most one clone too many for each copy.
Int and string keys are distinct (language page, "References").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.vm.values import Value

KEY_MIN = -8257536
KEY_MAX = 8388607
"""The domain of int keys."""


class Array(dict[int | str, Any]):
    """A script array. A missing key reads as undefined (None).

    Natives must not write to an array that they were given; they build a new one with `Array.of` or `clone`.
    """

    __slots__ = ("shared",)

    def __init__(self, items: Any = ()) -> None:
        super().__init__(items)
        self.shared = False

    def __missing__(self, key: int | str) -> None:
        return None

    @classmethod
    def of(cls, values: Iterable[Value]) -> Array:
        """An array with the int keys 0, 1, 2 ..."""
        return cls(enumerate(values))

    def clone(self) -> Array:
        """An unshared copy; nested arrays are shared by both until one is written."""
        copy = Array(self)
        for value in self.values():
            if value.__class__ is Array:
                value.shared = True
        return copy

    # Arrays are compared and hashed by identity, as the language does; dict would compare contents.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__  # type: ignore[assignment]  # dict has None


def share(value: Value) -> Value:
    """`value`, marked as held in a second place when it is an array. For natives that keep what they were given."""
    if value.__class__ is Array:
        value.shared = True
    return value
