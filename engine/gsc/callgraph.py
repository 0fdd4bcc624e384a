"""The graph of calls of a program, kept from one program to the next, and what follows from it for each function.

A pointer call may lead anywhere; a thread start never makes its starter wait. When a program takes another's place,
only scripts that are other objects are looked at, and of the rest only functions whose compiled text depends on
something that is different now have to be compiled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from engine.gsc.facts import Value
from engine.gsc.script import Deed, Script, references
from engine.gsc.suspension import Behaviour, BuiltIns, Key, Leaves, nothing_known
from engine.gsc.syntax import NativeFunction, ScriptFunction

Purity = Callable[[NativeFunction], bool]
"""Whether a native surely ends no object and starts no script."""

Edges = dict[Key, dict[Key, None]]
"""From a function to others. Not sets: their order would depend on hashing."""

_NONE: frozenset[Key] = frozenset()


class Node(NamedTuple):
    """What one function does by itself, and whom it calls in its own thread."""

    params: int
    waits: bool
    frees: bool
    """Calls something, other than a function by its name, that may end an object."""
    ends: bool
    """Calls a built-in that may end an object."""
    points: bool
    """Calls through a function value with its own `self`."""
    calls: tuple[Key, ...]
    starts: tuple[Key, ...]
    heirs: tuple[Key, ...]
    """Whom it calls or starts with its own `self`."""
    values: tuple[Key, ...]
    """Functions that it makes values of."""


def dependencies(key: Key, deed: Deed, behaviour: Behaviour) -> str:
    """What the text of a function depends on beside its own source: what each call is bound to, and what that can
    do."""
    found: set[str] = set()
    if key in behaviour.haunted:
        found.add("haunted")
    if key in behaviour.suspends:
        found.add("waits")
    for at, bound in references(deed, _silent(behaviour.developer, behaviour.developer_natives)):
        if isinstance(at, Value):
            found.add(f"::{at.name} {bound}")
        elif isinstance(bound, ScriptFunction):
            other = (bound.script, bound.name)
            waits, frees = other in behaviour.suspends, other in behaviour.frees
            found.add(f"{bound.script}::{bound.name} {behaviour.arity.get(other)} {waits} {frees}")
            if other != key and behaviour.leaves.get(other) is not None:
                # What it returns for which types may have been made use of.
                found.add(behaviour.leaves.facts(other, behaviour.built_in))
        elif bound is not None:
            found.add(f"{bound.name} {bound.method} {behaviour.built_in(bound)}")
    return ",".join(sorted(found))


def _silent(developer: bool, developer_natives: frozenset[str]) -> frozenset[str]:
    return frozenset() if developer else developer_natives


def _node(deed: Deed, silent: Set[str], pure: Purity) -> Node:
    waits = deed[0].waits
    frees = ends = points = False
    calls: dict[Key, None] = {}
    starts: dict[Key, None] = {}
    heirs: dict[Key, None] = {}
    values: dict[Key, None] = {}
    for at, bound in references(deed, silent):
        if isinstance(bound, ScriptFunction):
            key = (bound.script, bound.name)
            if isinstance(at, Value):
                values[key] = None
                continue
            (starts if at.threaded else calls)[key] = None
            if not at.method:
                heirs[key] = None
        elif isinstance(at, Value):
            continue
        elif bound is None:
            frees = True
            points = points or not at.method
            waits = waits or not at.threaded
        elif not ends and not pure(bound):
            frees = ends = True
    return Node(
        len(deed[0].params), waits, frees, ends, points,
        tuple(calls), tuple(starts), tuple(heirs), tuple(values),
    )  # fmt: skip


def _reads_alike(old: Script, new: Script, name: str) -> bool:
    """Whether two scripts have the same function: the text and the meaning of the names in it."""
    if name not in old.functions or name not in new.functions:
        return False
    same = old.deeds[name][1] == new.deeds[name][1]
    return same and old.text_of(old.functions[name]) == new.text_of(new.functions[name])


def _spread(seeds: Iterable[Key], *ways: Edges) -> frozenset[Key]:
    """`seeds` and everything that leads to one of them, directly or not."""
    reached = set(seeds)
    open_keys = list(reached)
    while open_keys:
        at = open_keys.pop()
        for edges in ways:
            for key in edges.get(at, ()):
                if key not in reached:
                    reached.add(key)
                    open_keys.append(key)
    return frozenset(reached)


class CallGraph:
    """`behaviour` are the facts about the functions of the program of the last `update`."""

    def __init__(self, pure: Purity, built_in: BuiltIns = nothing_known) -> None:
        self.behaviour = Behaviour(_NONE, _NONE, _NONE, {}, True, frozenset(), Leaves(), built_in)
        self._pure = pure
        self._built_in = built_in
        self._scripts: Mapping[str, Script] = {}
        self._nodes: dict[Key, Node] = {}
        self._callers: Edges = {}
        self._starters: Edges = {}
        self._waiting: frozenset[Key] = _NONE
        """Functions that may wait by what they do, whatever threads are in at present."""

    def update(
        self,
        scripts: Mapping[str, Script],
        waiting: Set[Key] = _NONE,
        *,
        developer: bool,
        developer_natives: frozenset[str],
    ) -> dict[Key, None]:
        """Take in a bound program. The result are the functions that are new, gone, of other scripts than before, or
        whose text depends on something else now.

        Of the functions in `waiting` a thread waits inside an older version: whoever calls one must be able to wait for
        it, whatever the new version does."""
        before = self.behaviour
        silent = _silent(developer, developer_natives)
        forgotten: Iterable[Key] = ()
        if silent != _silent(before.developer, before.developer_natives):
            forgotten = self._nodes
            self._scripts, self._nodes, self._callers, self._starters = {}, {}, {}, {}
        stale, different, rewritten = self._take(scripts, silent)
        stale.update(dict.fromkeys(forgotten))
        arity = before.arity
        if different:
            arity = {**arity, **{key: self._nodes[key].params for key in different if key in self._nodes}}
            for key in different:
                if key not in self._nodes:
                    arity.pop(key, None)
            self._waiting = _spread((k for k, n in self._nodes.items() if n.waits), self._callers)
        suspends = self._waiting
        if not waiting <= suspends:
            known = {key for key in waiting if key in self._nodes}
            suspends = _spread([*suspends, *sorted(known - suspends)], self._callers)
        frees, haunted = before.frees, before.haunted
        if different or suspends != before.suspends:
            frees = suspends | _spread(
                (k for k, n in self._nodes.items() if n.frees), self._callers, self._starters
            )
        if different:
            haunted = self._haunted()
        leaves = Leaves(scripts, suspends, silent)
        self.behaviour = Behaviour(
            suspends, frees, haunted, arity, developer, developer_natives, leaves, self._built_in
        )
        other = {key for key in different if self._differs(key, before)}
        # The code of whoever calls a leaf may know what it gives.
        other |= {key for key in rewritten if before.leaves.get(key) or leaves.get(key)}
        other |= (before.suspends ^ suspends) | (before.frees ^ frees)
        for key in sorted(other):
            stale.update(self._callers.get(key, {}))
            stale.update(self._starters.get(key, {}))
        stale.update(dict.fromkeys(sorted(before.haunted ^ haunted)))
        # Their emitters look at these facts about themselves.
        stale.update(dict.fromkeys(sorted(before.suspends ^ suspends)))
        return stale

    def _differs(self, key: Key, before: Behaviour) -> bool:
        node = self._nodes.get(key)
        return before.arity.get(key) != (node.params if node is not None else None)

    def _take(
        self, scripts: Mapping[str, Script], silent: Set[str]
    ) -> tuple[dict[Key, None], dict[Key, None], list[Key]]:
        """Bring the nodes up to date: the functions of scripts that are other objects, those of them that do something
        else than before, and those in both of other text or meaning."""
        stale: dict[Key, None] = {}
        different: dict[Key, None] = {}
        rewritten: list[Key] = []
        for name in [*scripts, *(n for n in self._scripts if n not in scripts)]:
            old, new = self._scripts.get(name), scripts.get(name)
            if old is new:
                continue
            deeds = new.deeds if new is not None else {}
            for function in dict.fromkeys([*(old.deeds if old is not None else ()), *deeds]):
                key = (name, function)
                stale[key] = None
                if old is not None and new is not None and not _reads_alike(old, new, function):
                    rewritten.append(key)
                node = _node(deeds[function], silent, self._pure) if function in deeds else None
                known = self._nodes.get(key)
                if node == known:
                    continue
                different[key] = None
                if known is not None:
                    self._unlink(key, known)
                if node is not None:
                    self._link(key, node)
        self._scripts = scripts
        return stale, different, rewritten

    def _link(self, key: Key, node: Node) -> None:
        self._nodes[key] = node
        for called in node.calls:
            self._callers.setdefault(called, {})[key] = None
        for started in node.starts:
            self._starters.setdefault(started, {})[key] = None

    def _unlink(self, key: Key, node: Node) -> None:
        del self._nodes[key]
        for edges, others in ((self._callers, node.calls), (self._starters, node.starts)):
            for other in others:
                del edges[other][key]
                if not edges[other]:
                    del edges[other]

    def _haunted(self) -> frozenset[Key]:
        """Everything that may run with a dead `self`: what ends objects, and down from there who inherits it."""
        nodes = self._nodes
        values = list(dict.fromkeys(key for node in nodes.values() for key in node.values))
        reached = {key for key, node in nodes.items() if node.ends}
        open_keys = list(reached)
        spread_values = False
        while open_keys:
            node = nodes.get(open_keys.pop())
            if node is None:
                continue
            heirs: Iterator[Key] | tuple[Key, ...] = node.heirs
            if node.points and not spread_values:
                spread_values = True
                heirs = iter((*node.heirs, *values))
            for key in heirs:
                if key not in reached:
                    reached.add(key)
                    open_keys.append(key)
        return frozenset(reached)
