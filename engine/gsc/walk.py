"""Every node of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from engine.gsc import syntax as s

_FIELDS: dict[type, tuple[str, ...]] = {}


def children(node: s.Node) -> Iterator[s.Node]:
    """What stands directly in a node, in the order of its fields."""
    names = _FIELDS.get(type(node))
    if names is None:
        names = _FIELDS[type(node)] = tuple(field.name for field in fields(node))
    for name in names:
        value = getattr(node, name)
        if isinstance(value, s.Node):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, s.Node))


def base(node: s.Node) -> s.Node:
    """What a path of fields and elements begins with."""
    while isinstance(node, s.FieldAccess | s.Index):
        node = node.object if isinstance(node, s.FieldAccess) else node.container
    return node


def nodes(node: s.Node) -> Iterator[s.Node]:
    """A node and everything in it, each before what stands in it, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(list(children(current)))
