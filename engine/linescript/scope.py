"""Scopes: where names are looked up, from the own one over its parents to the global one.

A scope is made only by naming its parent; the global scope is made by the host, which has one for its game. Host
functions are registered in a scope and seen from everything below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.linescript.functions import HostFunction, describe
from engine.linescript.values import Value


class Scope:
    """Variables and host functions of one level. Subclasses may keep their variables elsewhere (an entity's)."""

    __slots__ = ("functions", "parent", "values")

    def __init__(self, parent: Scope) -> None:
        self.parent: Scope | None = parent
        self.values: dict[str, Value] = {}
        self.functions: dict[str, HostFunction] | None = None

    # ---- what a subclass may keep elsewhere ---------------------------------------------------------

    def own(self, name: str) -> Value | None:
        """The variable of this scope alone, or None."""
        return self.values.get(name)

    def put(self, name: str, value: Value) -> bool:
        """Assign if this scope has the variable; whether it has. Raises Fault for a value that is refused."""
        if name in self.values:
            self.values[name] = value
            return True
        return False

    # ---- the chain ----------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value | None:
        """The variable as seen from here, or None."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.own(name)
            if value is not None:
                return value
            scope = scope.parent
        return None

    def assign(self, name: str, value: Value) -> bool:
        """Assign to the innermost scope that has the variable; False where none has."""
        scope: Scope | None = self
        while scope is not None:
            if scope.put(name, value):
                return True
            scope = scope.parent
        return False

    def function(self, name: str) -> HostFunction | None:
        """The host function as seen from here, or None."""
        scope: Scope | None = self
        while scope is not None:
            if scope.functions is not None:
                found = scope.functions.get(name)
                if found is not None:
                    return found
            scope = scope.parent
        return None

    def names(self) -> Iterator[str]:
        """Every variable that can be seen from here, for hints."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.values
            scope = scope.parent

    def function_names(self) -> Iterator[str]:
        scope: Scope | None = self
        while scope is not None:
            yield from scope.functions or ()
            scope = scope.parent

    # ---- binding ------------------------------------------------------------------------------------

    def register(
        self, function: Callable[..., Any], name: str | None = None, *, pure: bool = False
    ) -> Callable[..., Any]:
        """Make a Python function callable from scripts, under its own name or another. Usable as a decorator.

        Its annotations must be scriptable types (`engine.linescript.functions`); TypeError is raised here, at
        registration, for one that is not. A `pure` function computes values from values and needs nothing else: it is
        bound when a program is compiled, not looked up by each call, and so a scope cannot hide one of a scope above
        it; ValueError is raised for that.
        """
        described = describe(function, name, pure=pure)
        hidden = self.parent.function(described.name) if self.parent is not None else None
        if hidden is not None and hidden.pure:
            raise ValueError(f"'{described.name}' is a function of the library; it cannot be hidden")
        if self.functions is None:
            self.functions = {}
        self.functions[described.name] = described
        return function


class GlobalScope(Scope):
    """The scope at the end of every chain. A host makes one."""

    __slots__ = ()

    def __init__(self) -> None:
        self.parent = None
        self.values = {}
        self.functions = {}
