"""Writing to arrays and objects by key, with copy on write and a count of variables.

A new key is counted when it is made (`engine.vm.variables`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.vm.arrays import Array
from engine.vm.census import LONG_STRING
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.operators import check_key, type_name


def untold(_: Any) -> None:
    """For whoever does not count."""


def writable(container: Any, copied: Callable[[int], object] = untold) -> Any:
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


def element(
    parent: Any,
    key: Any,
    copied: Callable[[int], object] = untold,
    by_name: Callable[[str], object] = untold,
) -> Any:
    """The writable container at `parent[key]`; what had to be made or copied is stored there. `by_name` is told of a
    field that is found by a string."""
    if parent is None:
        return None
    if parent.__class__ is Array:
        old = parent[check_key(key)]
        new = writable(old, copied)
        if new is not old:
            parent[key] = new
        return new
    _check_field(parent, key)
    by_name(key)
    old = parent.get_field(key)
    new = writable(old, copied)
    if new is not old:
        parent.write_field(key, new)
    return new


def _check_field(owner: ScriptObject, key: Any) -> None:
    if key.__class__ is not str:
        raise ScriptError(f"{type_name(key)} is not a field name of {type_name(owner)}")


def make_put(
    spend: Callable[[int], object], most: int, by_name: Callable[[str], object] = untold
) -> Callable[[Any, Any, Any], None]:
    """`spend` is told of each variable that is made, before it is; `most` is the size of the largest array, `by_name`
    as for `element`."""

    def put(container: Any, key: Any, value: Any) -> None:
        """`container[key] = value` on a container that `writable` gave."""
        if container.__class__ is Array:
            if check_key(key) not in container:
                if len(container) >= most:
                    raise ScriptError(f"an array would have more than {most} entries", code="limit")
                spend(1)
            container[key] = value
        elif container is not None:
            _check_field(container, key)
            by_name(key)
            # The object gets a name of its own.
            spend(1 + len(key) // LONG_STRING)
            container.write_field(key, value)

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
    owner.write_field(name, value)


def remove_field(owner: Any, name: str) -> None:
    """`owner.name = undefined` on an object."""
    if not isinstance(owner, ScriptObject) or owner.dead:
        raise ScriptError(f"{type_name(owner)} is not an object")
    owner.remove_field(name)
