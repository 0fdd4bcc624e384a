"""Loops that never end: the frame stops there until the engine ends the thread."""

from __future__ import annotations

from collections.abc import Iterator

from engine.gsc import syntax as s
from engine.gsc.script import Script
from engine.gsc.walk import nodes
from engine.source import Diagnostic

HARMLESS = frozenset(
    ("print", "println", "iprintln", "iprintlnbold", "logprint", "gettime", "isdefined", "spawnstruct",
     "randomint", "randomintrange", "randomfloat", "randomfloatrange", "getcvar", "getcvarint", "getcvarfloat")
)  # fmt: skip
"""Built-ins that cannot end the thread that calls them, as one may that kills or removes its object."""
LEAVING = (
    s.Return, s.Break, s.Wait, s.WaitTillFrameEnd, s.WaitTill, s.WaitTillMatch, s.Notify,
)  # fmt: skip
"""What may let a frame go on, or end the thread. (The `break` of a loop or switch inside counts too: better no word
than a wrong one.)"""


def endless_loops(script: Script) -> Iterator[Diagnostic]:
    """Loops without an end in which nothing waits, and nothing is called that might."""
    for function in script.functions.values():
        for loop in nodes(function.body):
            if _forever(loop) and not any(_may_leave(node) for node in nodes(loop)):
                yield Diagnostic(
                    "endless-loop", "this loop never ends, and nothing in it waits",
                    script.source.span(loop.start, min(loop.end, loop.start + _WORDS[type(loop)])), "warning",
                )  # fmt: skip


_WORDS: dict[type, int] = {s.For: 3, s.While: 5, s.DoWhile: 2}


def _forever(node: s.Node) -> bool:
    if isinstance(node, s.For) and node.condition is None:
        return True
    return (
        isinstance(node, s.For | s.While | s.DoWhile)
        and isinstance(node.condition, s.IntLiteral)
        and node.condition.value != 0
    )


def _may_leave(node: s.Node) -> bool:
    if isinstance(node, s.Call):
        bound = node.target.bound if isinstance(node.target, s.NamedTarget) else None
        return not (isinstance(bound, s.NativeFunction) and not bound.method and bound.name in HARMLESS)
    return isinstance(node, LEAVING)
