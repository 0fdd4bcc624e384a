"""COLLADA text made plain before libassimp reads it.

A skin names its joints by what the nodes are called, and libassimp takes the first node of that name, whether it is a
joint or not. Where an armature is called as a bone below it, as modelling programs like to do, weights and keys would
go to the armature; so every node that is no joint gives a joint's name up and is called by its id.
"""

from __future__ import annotations

import re

_NODE = re.compile(rb"<node\b[^<>]*>")
_ATTRIBUTE = re.compile(rb"""\s(name|id|sid|type)\s*=\s*("[^"]*"|'[^']*')""")


def joints_first(data: bytes) -> bytes:
    """The text with other names for nodes that are called as a joint is and are none."""
    taken: set[bytes] = set()
    for node in _NODE.finditer(data):
        attributes = _attributes(node[0])
        if attributes.get(b"type") == b"JOINT":
            taken |= {attributes[key] for key in (b"name", b"sid") if attributes.get(key)}

    def renamed(node: re.Match[bytes]) -> bytes:
        attributes = _attributes(node[0])
        name = attributes.get(b"name")
        if attributes.get(b"type") == b"JOINT" or name not in taken:
            return node[0]
        other = attributes.get(b"id") or name or b""
        while other in taken:
            other += b"_node"
        return _ATTRIBUTE.sub(lambda a: b' name="' + other + b'"' if a[1] == b"name" else a[0], node[0])

    return _NODE.sub(renamed, data) if taken else data


def _attributes(tag: bytes) -> dict[bytes, bytes]:
    return {key: value[1:-1] for key, value in _ATTRIBUTE.findall(tag)}
