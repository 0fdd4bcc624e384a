"""Writing to arrays and objects by key, with copy on write and a count of variables.

A new key is counted when it is made; what was freed since is found by an exact census when the count passes the
limit, so the cost is spread over what was made (`VariableBudget`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.operators import check_key, type_name


class VariableBudget:
    """How many variables there can be at most since the last census, against the limit."""

    def __init__(self, limit: int, census: Callable[[], int], growers: Callable[[], list[str]]) -> None:
        self.limit = limit
        self.census = census
        self.growers = growers
        self.made = 0

    def spend(self, count: int = 1) -> None:
        """Account for new variables. Raises `ScriptError` when there really are too many."""
        self.made += count
        if self.made > self.limit:
            self.made = self.census() + count
            if self.made > self.limit:
                raise ScriptError(
                    "exceeded maximum number of script variables",
                    code="limit",
                    fatal=True,
                    notes=(f"there are {self.made - count} of {self.limit}", *self.growers()),
                )


def writable(container: Any, copied: Callable[[int], object] = lambda size: None) -> Any:
    """`container` ready to be written by key: an unshared array, a new one for undefined, or the object itself.

    `copied` is told the size of an array that had to be copied, before it is."""
    kind = container.__class__
    if kind is Array:
        if not container.shared:
            return container
        copied(len(container))
        return container.clone()
    if container is None:
        return Array()
    if isinstance(container, ScriptObject) and not container.dead:
        return container
    if kind is str or kind is tuple:
        raise ScriptError(f"an element of a {type_name(container)} cannot be changed")
    raise ScriptError(f"{type_name(container)} is not an array")


def element(parent: Any, key: Any, copied: Callable[[int], object] = lambda size: None) -> Any:
    """The writable container at `parent[key]`; what had to be made or copied is stored there."""
    if parent is None:
        return None
    if parent.__class__ is Array:
        old = parent[check_key(key)]
        new = writable(old, copied)
        if new is not old:
            parent[key] = new
        return new
    _check_field(parent, key)
    old = parent.get_field(key)
    new = writable(old, copied)
    if new is not old:
        parent.set_field(key, new)
    return new


def _check_field(owner: ScriptObject, key: Any) -> None:
    if key.__class__ is not str:
        raise ScriptError(f"{type_name(key)} is not a field name of {type_name(owner)}")


def make_put(budget: VariableBudget) -> Callable[[Any, Any, Any], None]:
    def put(container: Any, key: Any, value: Any) -> None:
        """`container[key] = value` on a container that `writable` gave."""
        if container.__class__ is Array:
            if check_key(key) not in container:
                budget.spend()
            container[key] = value
        elif container is not None:
            _check_field(container, key)
            container.set_field(key, value)

    return put


def remove(container: Any, key: Any) -> None:
    """`container[key] = undefined`: the entry goes; one that is missing is no error."""
    if container.__class__ is Array:
        container.pop(check_key(key), None)
    elif container is not None:
        _check_field(container, key)
        container.remove_field(key)


# ---- fields whose owner may be an array: dot access and string keys are one domain -----------------------


def get_field(owner: Any, name: str) -> Any:
    if owner.__class__ is Array:
        return owner[name]
    if isinstance(owner, ScriptObject) and not owner.dead:
        return owner.get_field(name)
    raise ScriptError(f"{type_name(owner)} is not an object")


def set_field(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value` on an object; the key of an array is written with `put`."""
    if not isinstance(owner, ScriptObject) or owner.dead:
        raise ScriptError(f"{type_name(owner)} is not an object")
    owner.set_field(name, value)


def remove_field(owner: Any, name: str) -> None:
    """`owner.name = undefined` on an object."""
    if not isinstance(owner, ScriptObject) or owner.dead:
        raise ScriptError(f"{type_name(owner)} is not an object")
    owner.remove_field(name)
