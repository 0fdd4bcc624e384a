"""The doubts of `check` about what was just saved: a slip that loads is told with the save that brings it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from copy import copy

from engine.gsc.doubts import doubts
from engine.gsc.program import Program
from engine.gsc.script import Script
from engine.source import Diagnostic

Remark = tuple[str, str, str]
"""A function, a message, and the text of its line, which may stand anywhere by now."""


MOST = 64
"""Functions of one save that are looked at: to read a whole large program again would make a frame late."""


def fresh_doubts(old: Program | None, new: Program, files: Collection[str]) -> list[Diagnostic]:
    """Of the doubts about a program those that its predecessor did not give. `files` are the shown paths of what was
    saved: a script that is not among them and comes along, such as one of another mod, is nobody's slip of now."""
    found = []
    left = MOST
    for name, script in new.scripts.items():
        before = old.scripts.get(name) if old is not None else None
        if before is script or (before is None and script.source.path not in files):
            continue
        changed = _changed(before, script)[:left]
        left -= len(changed)
        known = (
            Counter(remark for remark, _ in _remarks(before, changed)) if before is not None else Counter()
        )
        for remark, doubt in _remarks(script, changed):
            if known[remark] > 0:
                known[remark] -= 1
            else:
                found.append(doubt)
    return found


def _changed(old: Script | None, new: Script) -> list[str]:
    """The functions that are new or have another text."""
    if old is None:
        return list(new.functions)
    return [
        name
        for name, function in new.functions.items()
        if name not in old.functions or new.text_of(function) != old.text_of(old.functions[name])
    ]


def _remarks(script: Script, functions: Iterable[str]) -> Iterator[tuple[Remark, Diagnostic]]:
    for name in functions:
        if name in script.functions:
            alone = copy(script)
            alone.functions = {name: script.functions[name]}
            for doubt in doubts(alone):
                assert doubt.span is not None
                yield (name, doubt.message, doubt.span.source.line(doubt.span.line).strip()), doubt
