"""What is allowed and most likely a slip: a local variable that nothing sets, code that is never reached."""

from __future__ import annotations

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
            hint = did_you_mean(name, known)
            yield fault.with_note(hint) if hint else fault


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
