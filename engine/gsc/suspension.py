"""What functions of a program can do: wait, and free an object.

A function that can never wait becomes a plain Python function, every other a resumable one. Both facts are
properties of the call graph: a pointer call may lead anywhere, a thread start never makes its starter wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields
from dataclasses import field as dataclass_field
from types import MappingProxyType

from engine.gsc import syntax
from engine.gsc.catalogue import BuiltIn

Key = tuple[str, str]
"""A function of a program: canonical script name and function name."""


Purity = Callable[[syntax.NativeFunction], bool]
"""Whether a native surely ends no object and starts no script."""
BuiltIns = Callable[[syntax.NativeFunction], BuiltIn | None]
"""What is known of natives."""


def nothing_known(native: syntax.NativeFunction) -> None:
    return None


class Leaves:
    """The functions that never wait and call no function but themselves, found when they are asked for."""

    def __init__(
        self,
        scripts: Mapping[str, syntax.Script] = MappingProxyType({}),
        summaries: Mapping[Key, _Summary] = MappingProxyType({}),
        suspends: frozenset[Key] = frozenset(),
    ) -> None:
        self._scripts = scripts
        self._summaries = summaries
        self._suspends = suspends

    def get(self, key: Key) -> syntax.Function | None:
        summary = self._summaries.get(key)
        if summary is None or key in self._suspends or not summary.calls <= {key}:
            return None
        function = self._scripts[key[0]].functions[key[1]]
        return None if function.rules.strict or function.rules.scoped_endon else function

    def text(self, key: Key) -> str:
        """The source of one."""
        script = self._scripts[key[0]]
        function = script.functions[key[1]]
        return script.source.text[function.start : function.end]


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
    leaves: Leaves
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


_CHILDREN: dict[type, tuple[str, ...]] = {}


def _children(kind: type) -> tuple[str, ...]:
    names = _CHILDREN.get(kind)
    if names is None:
        names = _CHILDREN[kind] = tuple(f.name for f in fields(kind) if f.name not in ("start", "end", "at"))
    return names


def walk(node: syntax.Node, strips: Callable[[object], bool]) -> Iterator[syntax.Node]:
    """Every node below and including `node`, without recursion and without what is stripped; in no set order."""
    stack: list[object] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, list):
            stack.extend(at)
        elif isinstance(at, syntax.Node) and not strips(at):
            yield at
            stack.extend(getattr(at, name) for name in _children(type(at)))


def has_call(node: syntax.Expr) -> bool:
    """Whether evaluating `node` may run other script code."""
    return any(isinstance(part, syntax.Call) for part in walk(node, lambda part: False))


@dataclass(slots=True)
class _Summary:
    """What one function does by itself, and whom it calls in its own thread."""

    waits: bool = False
    frees: bool = False
    """Calls something, other than a function by its name, that may end an object."""
    ends: bool = False
    """Calls a built-in that may end an object."""
    points: bool = False
    """Calls through a function value with its own `self`."""
    calls: set[Key] = dataclass_field(default_factory=set)
    starts: set[Key] = dataclass_field(default_factory=set)
    heirs: set[Key] = dataclass_field(default_factory=set)
    """Whom it calls or starts with its own `self`."""
    values: set[Key] = dataclass_field(default_factory=set)
    """Functions that it makes values of."""


def dependencies(script: str, function: syntax.Function, behaviour: Behaviour) -> str:
    """What the text of a function depends on beside its own source: what each call is bound to, and what that can
    do."""
    facts: set[str] = set()
    if (script, function.name) in behaviour.haunted:
        facts.add("haunted")
    for node in walk(function.body, behaviour.strips):
        if isinstance(node, syntax.NamedTarget):
            bound = node.bound
            if isinstance(bound, syntax.ScriptFunction):
                key = (bound.script, bound.name)
                waits, frees = key in behaviour.suspends, key in behaviour.frees
                facts.add(f"{bound.script}::{bound.name} {behaviour.arity.get(key)} {waits} {frees}")
                leaf = behaviour.leaves.get(key)
                if leaf is not None and leaf is not function:
                    # What it returns for which types may have been made use of.
                    facts.add(behaviour.leaves.text(key) + dependencies(bound.script, leaf, behaviour))
            elif bound is not None:
                facts.add(f"{bound.name} {bound.method} {behaviour.built_in(bound)}")
        elif isinstance(node, syntax.FunctionRef):
            facts.add(f"::{node.name} {node.bound}")
    return ",".join(sorted(facts))


def _summarize(function: syntax.Function, behaviour: Behaviour, pure: Purity) -> _Summary:
    summary = _Summary()
    for node in walk(function.body, behaviour.strips):
        if isinstance(node, syntax.Wait | syntax.WaitTill | syntax.WaitTillMatch | syntax.WaitTillFrameEnd):
            summary.waits = True
        elif isinstance(node, syntax.FunctionRef) and isinstance(node.bound, syntax.ScriptFunction):
            summary.values.add((node.bound.script, node.bound.name))
        elif isinstance(node, syntax.Call):
            target = node.target
            if isinstance(target, syntax.PointerTarget):
                summary.frees = True
                summary.points = summary.points or node.object is None
                summary.waits = summary.waits or not node.threaded
            elif isinstance(target.bound, syntax.ScriptFunction):
                key = (target.bound.script, target.bound.name)
                (summary.starts if node.threaded else summary.calls).add(key)
                if node.object is None:
                    summary.heirs.add(key)
            elif isinstance(target.bound, syntax.NativeFunction) and not pure(target.bound):
                summary.frees = summary.ends = True
    return summary


class Summaries:
    """What single functions do, kept from one program to the next: a function that is the same piece of syntax does
    the same."""

    def __init__(self) -> None:
        self._known: dict[syntax.Function, _Summary] = {}

    def of(self, scripts: Iterable[syntax.Script], behaviour: Behaviour, pure: Purity) -> dict[Key, _Summary]:
        known: dict[syntax.Function, _Summary] = {}
        result: dict[Key, _Summary] = {}
        for script in scripts:
            for function in script.functions.values():
                summary = self._known.get(function) or _summarize(function, behaviour, pure)
                known[function] = result[script.name, function.name] = summary
        self._known = known
        return result


def analyse(
    scripts: Iterable[syntax.Script],
    pure: Purity,
    *,
    developer: bool,
    developer_natives: frozenset[str],
    waiting: Set[Key] = frozenset(),
    known: Summaries | None = None,
    built_in: BuiltIns = nothing_known,
) -> Behaviour:
    """The facts of a whole bound program. Of the functions in `waiting` a thread waits inside an older version: whoever
    calls one must be able to wait for it, whatever the new version does. `known` is what the program before told."""
    scripts = list(scripts)
    arity = {(s.name, f.name): len(f.params) for s in scripts for f in s.functions.values()}
    nothing: frozenset[Key] = frozenset()
    blank = Behaviour(nothing, nothing, nothing, arity, developer, developer_natives, Leaves(), built_in)
    summaries = (known or Summaries()).of(scripts, blank, pure)
    suspends = _spread(
        {k for k, s in summaries.items() if s.waits or k in waiting},
        {k: s.calls for k, s in summaries.items()},
    )
    frees = _spread(
        {k for k, s in summaries.items() if s.frees}, {k: s.calls | s.starts for k, s in summaries.items()}
    )
    # While a function waits, anything may end its self.
    leaves = Leaves({script.name: script for script in scripts}, summaries, suspends)
    return Behaviour(
        suspends, frees | suspends, _haunted(summaries), arity, developer, developer_natives, leaves, built_in
    )


def _haunted(summaries: Mapping[Key, _Summary]) -> frozenset[Key]:
    """Everything that may run with a dead `self`: what ends objects, and down from there who inherits the `self`."""
    values = {key for summary in summaries.values() for key in summary.values}
    heirs = {key: s.heirs | values if s.points else s.heirs for key, s in summaries.items()}
    givers: dict[Key, set[Key]] = {}
    for giver, receivers in heirs.items():
        for key in receivers:
            givers.setdefault(key, set()).add(giver)
    return _spread({key for key, s in summaries.items() if s.ends}, givers)


def _spread(seeds: set[Key], calls: Mapping[Key, set[Key]]) -> frozenset[Key]:
    """`seeds` and everything that calls one of them, directly or not."""
    callers: dict[Key, list[Key]] = {}
    for caller, called in calls.items():
        for key in called:
            callers.setdefault(key, []).append(caller)
    reached = set(seeds)
    open_keys = list(seeds)
    while open_keys:
        for caller in callers.get(open_keys.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                open_keys.append(caller)
    return frozenset(reached)
