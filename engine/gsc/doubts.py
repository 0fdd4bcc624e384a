"""What is allowed and most likely a slip: a local variable that nothing sets or nothing reads, code that is never
reached, a call that a missing semicolon has made of two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.gsc import syntax as s
from engine.gsc.script import Script
from engine.gsc.walk import base, children, nodes
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean


def doubts(script: Script) -> Iterator[Diagnostic]:
    """Warnings about the functions of a script, each variable once in a function."""
    for function in script.functions.values():
        unset = _unset(script, function)
        yield from unset.values()
        yield from _unread(script, function, unset)
        yield from _unreached(script, function)
        yield from _split(script, function)


def _unset(script: Script, function: s.Function) -> dict[str, Diagnostic]:
    """Locals that are read and that no statement of the function sets, by name. A question for `isdefined` is none."""
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
    found: dict[str, Diagnostic] = {}
    for name, node in read.items():
        if name not in known:
            fault = Diagnostic(
                "unset-variable", f"nothing in '{function.name}' sets '{name}'; it is undefined",
                script.span(node), "warning",
            )  # fmt: skip
            hint = _meant(name, known)
            found[name] = fault.with_note(hint) if hint else fault
    return found


def _meant(name: str, known: Iterable[str]) -> str | None:
    """The names that it may be a slip for. One with another number is a variable of its own."""

    def letters(text: str) -> str:
        return text.rstrip("0123456789")

    return did_you_mean(name, (k for k in known if k.isidentifier() and letters(k) != letters(name)))


def _unread(script: Script, function: s.Function, unset: Iterable[str]) -> Iterator[Diagnostic]:
    """Locals that are set and that nothing in the function reads; a loop's own variables and those that an event
    fills may be there for their place's sake. One that is like an `unset` one has been told of with that."""
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
        if name in used or not name.isidentifier() or _meant(name, unset):
            continue
        if not _in_developer_code(script, function, name):
            fault = Diagnostic(
                "unread-variable", f"nothing in '{function.name}' reads '{name}', which is set here",
                script.span(node), "warning",
            )  # fmt: skip
            hint = _meant(name, used)
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
    local = base(target)
    return {local.name} if isinstance(local, s.LocalVar) else set()


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


def _split(script: Script, function: s.Function) -> Iterator[Diagnostic]:
    """Calls on something that the line before gives: `a()` and, below it, `b();` are one statement, `a() b();`."""
    for node in nodes(function.body):
        if not isinstance(node, s.Call) or node.object is None or isinstance(node.object, s.Predefined):
            continue
        gap = script.source.text[node.object.end : node.at]
        if "\n" in gap or "\r" in gap:
            what = f"'{node.target.name}'" if isinstance(node.target, s.NamedTarget) else "this"
            yield Diagnostic(
                "split-call", f"{what} is called on what the line before it gives; is a ';' missing there?",
                script.source.span(node.at, node.end), "warning",
            )  # fmt: skip
