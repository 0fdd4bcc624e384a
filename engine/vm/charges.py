"""What operations cost whose price depends on their values, in units of the budget; `engine.gsc.cost` has the rest.

Emitted code handles the common pairs of types itself and comes to the helpers with the others, which take longer: a
script that does nothing but the dearest of them has to be ended as soon as one that does nothing but add.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.vm.arrays import Array
from engine.vm.census import LONG_STRING
from engine.vm.errors import ScriptError

if TYPE_CHECKING:
    from engine.vm.machine import VM

Helper = Callable[..., Any]
Charge = Callable[[int], None]

COPY = 45
"""Units of copying an array."""

COPIED_ENTRY = 3
"""Units of each of its entries."""

BUILT_ENTRY = 20
"""Units of an entry of an array that a built-in makes."""

CHARACTERS = 64
"""Characters of a long string whose making counts as a unit."""

CONVERTED = 20
"""Units of a number that becomes one of the other kind, or is asked for its truth by a helper."""

FORMATTED = 50
"""Units of a number that becomes text, or of a text that is read as a number."""

OF_A_VECTOR = 3
"""How much more it takes to convert a vector."""

OF_VECTORS = 40
"""Units of an operator on two vectors."""

FIELD_BY_KEY = 12
"""Units of a field that is found by a string, and `NAME_CHARACTERS` of that for one more."""

NAME_CHARACTERS = 16
"""A name is folded to lower case first, and what a built-in does with a text is seldom more."""

SHORT = 64
"""Characters of a text that a built-in is given without counting."""

MEASURED = 14
"""Units of the size of what is no array, and `MEASURED_CHARACTERS` of a string for one more: it ends at its first
NUL."""

MEASURED_CHARACTERS = 256

WOKEN = 45
"""Units of a thread that a notify wakes or ends."""

COMPARED = 60
"""Units of a value that a waiting thread wants to be equal: it may have to become text."""


def make_long_text(vm: VM) -> Callable[[str], str]:
    def long_text(text: str) -> str:
        """A string that an operator made and that is longer than most: it costs time and space by its length."""
        if len(text) > vm.settings.max_string:
            raise ScriptError(
                f"a string would become longer than {vm.settings.max_string} characters", code="limit"
            )
        vm.runner.budget.charge(len(text) // CHARACTERS)
        vm.variables.spend(len(text) // LONG_STRING)
        return text

    return long_text


def make_copied(vm: VM) -> Callable[[int], None]:
    def copied(size: int) -> None:
        """An array is about to be copied."""
        vm.runner.budget.charge(COPY + COPIED_ENTRY * size)
        vm.variables.spend(size)

    return copied


def pairing(charge: Charge, operation: Helper) -> Helper:
    """An operator of two operands that counts what converting one of them takes."""

    def operate(a: Any, b: Any) -> Any:
        left, right = a.__class__, b.__class__
        if left is not right:
            units = FORMATTED if left is str or right is str else CONVERTED
            charge(OF_A_VECTOR * units if left is tuple or right is tuple else units)
        elif left is tuple:
            charge(OF_VECTORS)
        return operation(a, b)

    return operate


def reading(charge: Charge, conversion: Helper) -> Helper:
    """A conversion to a number that counts what it reads of a string."""

    def convert(value: Any) -> Any:
        kind = value.__class__
        if kind is not int:
            charge(FORMATTED + len(value) // 2 if kind is str else CONVERTED)
        return conversion(value)

    return convert


def formatting(charge: Charge, conversion: Helper) -> Helper:
    """A conversion to text that counts what it writes."""

    def convert(value: Any) -> Any:
        kind = value.__class__
        if kind is not str:
            charge(OF_A_VECTOR * FORMATTED if kind is tuple else FORMATTED)
        return conversion(value)

    return convert


def turning(charge: Charge, negate: Helper) -> Helper:
    """The sign of a value turned."""

    def turn(value: Any) -> Any:
        charge(2 * OF_VECTORS if value.__class__ is tuple else CONVERTED)
        return negate(value)

    return turn


def building(charge: Charge, make_vector: Helper) -> Helper:
    """A vector of three values that counts what is converted and what is read of strings."""

    def build(x: Any, y: Any, z: Any) -> Any:
        units = CONVERTED
        for part in (x, y, z):
            if part.__class__ is str:
                units += FORMATTED + len(part) // 2
        charge(units)
        return make_vector(x, y, z)

    return build


def measuring(charge: Charge, size: Helper) -> Helper:
    """`.size` that counts how far it looks in a string."""

    def measure(value: Any) -> Any:
        charge(MEASURED + len(value) // MEASURED_CHARACTERS if value.__class__ is str else MEASURED)
        return size(value)

    return measure


def make_by_name(charge: Charge) -> Callable[[str], None]:
    def by_name(name: str) -> None:
        """A field is about to be found by a string."""
        charge(FIELD_BY_KEY + len(name) // NAME_CHARACTERS)

    return by_name


def indexing(charge: Charge, index: Helper) -> Helper:
    """`container[key]` that counts the name of a field, and how far it looks in a string."""
    by_name = make_by_name(charge)

    def look_up(container: Any, key: Any) -> Any:
        kind = container.__class__
        if kind is str:
            charge(MEASURED + len(container) // MEASURED_CHARACTERS)
        elif key.__class__ is str and kind is not Array:
            by_name(key)
        return index(container, key)

    return look_up


@dataclass(frozen=True, slots=True)
class Counts:
    """Who is told of units of work and of variables."""

    charge: Charge
    spend: Charge


def listing(counts: Counts, to_script: Helper) -> Helper:
    """A built-in's result as a script value, which counts the entries of an array."""

    def value(result: Any) -> Any:
        result = to_script(result)
        if result.__class__ is Array and result:
            counts.charge(BUILT_ENTRY * len(result))
            counts.spend(len(result))
        return result

    return value
