"""What is allowed and most likely a slip: a local variable that nothing sets or nothing reads, code that is never
reached."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.gsc import syntax as s
from engine.gsc.script import Script
from engine.gsc.walk import children, nodes
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean


def doubts(script: Script) -> Iterator[Diagnostic]:
    """Warnings about the functions of a script, each variable once in a function."""
    for function in script.functions.values():
        yield from _unset(script, function)
        yield from _unread(script, function)
        yield from _unreached(script, function)


def _unset(script: Script, function: s.Function) -> Iterator[Diagnostic]:
    """Locals that are read and that no statement of the function sets. A question for `isdefined` is no use."""
    known = set(function.params)
    read: dict[str, s.LocalVar] = {}
    waiting: list[s.Node] = [function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, s.Assign | s.CompoundAssign | s.Increment):
            known |= _root(node.target)
        elif isinstance(node, s.WaitTill):
            known.update(node.names)
        elif isinstance(node, s.LocalVar):
            read.setdefault(node.name, node)
        elif _asks(node):
            continue
        waiting += reversed(list(children(node)))
    for name, node in read.items():
        if name not in known:
            fault = Diagnostic(
                "unset-variable", f"nothing in '{function.name}' sets '{name}'; it is undefined",
                script.span(node), "warning",
            )  # fmt: skip
            hint = did_you_mean(name, filter(str.isidentifier, known))
            yield fault.with_note(hint) if hint else fault


def _unread(script: Script, function: s.Function) -> Iterator[Diagnostic]:
    """Locals that are set and that nothing in the function reads; a loop's own variables and those that an event
    fills may be there for their place's sake."""
    first: dict[str, s.LocalVar] = {}
    used = set(function.params)
    waiting: list[s.Node] = [function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, s.WaitTill):
            used.update(node.names)
        elif isinstance(node, s.LocalVar):
            used.add(node.name)
        inner = list(children(node))
        if isinstance(node, s.Assign | s.CompoundAssign | s.Increment) and isinstance(
            node.target, s.LocalVar
        ):
            if _filled_by_loop(node):
                used.add(node.target.name)
            elif not _removes(node):
                first.setdefault(node.target.name, node.target)
            inner.remove(node.target)
        waiting += reversed(inner)
    for name, node in first.items():
        if name not in used and name.isidentifier() and not _in_developer_code(script, function, name):
            fault = Diagnostic(
                "unread-variable", f"nothing in '{function.name}' reads '{name}', which is set here",
                script.span(node), "warning",
            )  # fmt: skip
            hint = did_you_mean(name, filter(str.isidentifier, used))
            yield fault.with_note(hint) if hint else fault


def _in_developer_code(script: Script, function: s.Function, name: str) -> bool:
    """Whether it is named in a `/# ... #/`, of which a dialect without developer code keeps nothing."""
    regions = re.findall(r"/#.*?#/", script.source.text[function.start : function.end], re.DOTALL)
    return any(re.search(rf"\b{name}\b", region, re.IGNORECASE) for region in regions)


def _removes(node: s.Node) -> bool:
    """Whether it is `name = undefined`, which lets go of what the variable held."""
    return isinstance(node, s.Assign) and isinstance(node.value, s.Undefined)


def _filled_by_loop(node: s.Node) -> bool:
    """Whether it is what a `foreach` fills its variables with, from a local that no script can name."""
    if not isinstance(node, s.Assign) or not isinstance(node.value, s.Index):
        return False
    source = node.value.container
    return isinstance(source, s.LocalVar) and not source.name.isidentifier()


def _root(target: s.Node) -> set[str]:
    """The local that an assignment sets or sets a part of."""
    while isinstance(target, s.FieldAccess | s.Index):
        target = target.object if isinstance(target, s.FieldAccess) else target.container
    return {target.name} if isinstance(target, s.LocalVar) else set()


def _asks(node: s.Node) -> bool:
    """Whether it is `isdefined(name)`."""
    return (
        isinstance(node, s.Call)
        and isinstance(node.target, s.NamedTarget)
        and node.target.name == "isdefined"
        and len(node.args) == 1
        and isinstance(node.args[0], s.LocalVar)
    )


def _unreached(script: Script, function: s.Function) -> Iterator[Diagnostic]:
    """The first statement after one that leaves the block. Labels of a switch are reached, and a `break` behind a
    `return` in one is a habit."""
    for node in nodes(function.body):
        if not isinstance(node, s.Block | s.DeveloperBlock | s.Switch):
            continue
        for before, after in zip(node.body, node.body[1:], strict=False):
            leaves = isinstance(before, s.Return | s.Break | s.Continue)
            if leaves and not isinstance(after, s.Case | s.Default | s.Break | s.Empty):
                word = type(before).__name__.lower()
                yield Diagnostic(
                    "unreachable", f"this is never reached: the '{word}' before it leaves",
                    script.span(after), "warning",
                )  # fmt: skip
                break
