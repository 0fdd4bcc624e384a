"""What functions of a program can do: wait, and free an object. `callgraph` finds it out.

A function that can never wait becomes a plain Python function, every other a resumable one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from dataclasses import field as dataclass_field
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from engine.gsc import syntax
from engine.gsc.catalogue import BuiltIn
from engine.gsc.facts import Site
from engine.gsc.script import Script, references

Key = tuple[str, str]
"""A function of a program: canonical script name and function name."""


BuiltIns = Callable[[syntax.NativeFunction], BuiltIn | None]
"""What is known of natives."""


def nothing_known(native: syntax.NativeFunction) -> None:
    return None


class Leaves:
    """The functions that never wait and call no function but themselves, found when they are asked for."""

    def __init__(
        self,
        scripts: Mapping[str, Script] = MappingProxyType({}),
        suspends: frozenset[Key] = frozenset(),
        silent: frozenset[str] = frozenset(),
    ) -> None:
        """`silent` are built-ins whose calls are left out."""
        self._scripts = scripts
        self._suspends = suspends
        self._silent = silent
        self._known: dict[Key, syntax.Function | None] = {}

    def get(self, key: Key) -> syntax.Function | None:
        if key not in self._known:
            self._known[key] = self._find(key)
        return self._known[key]

    def _find(self, key: Key) -> syntax.Function | None:
        script = self._scripts.get(key[0])
        function = script.functions.get(key[1]) if script is not None else None
        if script is None or function is None or key in self._suspends:
            return None
        if function.rules.strict or function.rules.scoped_endon:
            return None
        for at, bound in references(script.deeds[key[1]], self._silent):
            called = isinstance(at, Site) and not at.threaded
            if called and isinstance(bound, syntax.ScriptFunction) and (bound.script, bound.name) != key:
                return None
        return function

    def facts(self, key: Key, built_in: BuiltIns) -> str:
        """All that the results of one depend on."""
        script = self._scripts[key[0]]
        found = ["".join(script.text_of(script.functions[key[1]]))]
        for _, bound in references(script.deeds[key[1]], self._silent):
            found.append(
                f"{bound} {built_in(bound)}" if isinstance(bound, syntax.NativeFunction) else f"{bound}"
            )
        return ",".join(found)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Facts about the functions of one program."""

    suspends: frozenset[Key]
    """May wait before it returns."""
    frees: frozenset[Key]
    """May end an object, so that its caller's `self` may be dead afterwards."""
    haunted: frozenset[Key]
    """May itself run with a dead `self`: it ends an object, or such a function calls it with its own `self`."""
    arity: Mapping[Key, int]
    developer: bool
    developer_natives: frozenset[str]
    """Built-ins whose calls are developer code."""
    leaves: Leaves = dataclass_field(compare=False)
    """Which functions get versions by the types of their arguments."""
    built_in: BuiltIns
    results: dict[tuple[Key, tuple[int, ...], bool], int] = dataclass_field(
        default_factory=dict, compare=False
    )
    """What `inference.result_of` has found out about them."""

    def strips(self, node: object) -> bool:
        """Whether a statement is left out: its dialect says so, or developer code is off (language page,
        "Developer-only code")."""
        if isinstance(node, syntax.CallStatement) and node.vanishes:
            return True
        if self.developer:
            return False
        if isinstance(node, syntax.DeveloperBlock):
            return True
        if isinstance(node, syntax.CallStatement) and isinstance(node.call.target, syntax.NamedTarget):
            bound = node.call.target.bound
            return isinstance(bound, syntax.NativeFunction) and bound.name in self.developer_natives
        return False


_STRIPPED = (syntax.CallStatement, syntax.DeveloperBlock)
"""The statements that may be left out (`Behaviour.strips`)."""

_PLAIN = frozenset({
    "int", "str", "float", "bool", "int | str", "str | None", "list[str]", "Binding | None",
    "BinaryOp", "UnaryOp", "LogicalOp", "CastKind",
})  # fmt: skip
"""What fields are declared to be in which no node is."""

_Children = Callable[[object], "tuple[object, ...]"]
_CHILDREN: dict[type, _Children | None] = {}
"""By class how to get at what may be nodes or lists of them; None for what is no node."""


def _children(kind: type) -> _Children | None:
    if not issubclass(kind, syntax.Node):
        return None
    names = [f.name for f in fields(kind) if f.type not in _PLAIN and not str(f.type).startswith("Literal")]
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda node: (only(node),)
    return attrgetter(*names)


def walk(node: syntax.Node, strips: Callable[[object], bool]) -> Iterator[syntax.Node]:
    """Every node below and including `node`, without recursion and without what is stripped; in no set order."""
    stack: list[Any] = [node]
    while stack:
        at = stack.pop()
        kind = at.__class__
        if kind is list:
            stack += at
            continue
        try:
            children = _CHILDREN[kind]
        except KeyError:
            children = _CHILDREN[kind] = _children(kind)
        if children is not None and not (kind in _STRIPPED and strips(at)):
            yield at
            stack += children(at)


def has_call(node: syntax.Expr) -> bool:
    """Whether evaluating `node` may run other script code."""
    return any(isinstance(part, syntax.Call) for part in walk(node, lambda part: False))
