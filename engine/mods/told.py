"""What was said of code that a reload left alone was said already: it is counted on, and not said again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.gsc import syntax
from engine.gsc.program import Program
from engine.gsc.scanner import Tokens, scan
from engine.gsc.script import Script
from engine.gsc.suspension import Key
from engine.source import Diagnostic

Place = tuple[str, int, int]
"""A shown path, and offsets from and to, as the VM counts errors by."""


class Unchanged:
    """The functions that two programs share, and where places in them are in the later one."""

    def __init__(self, old: Program, new: Program, changed: Iterable[Key]) -> None:
        self._new = new
        self._changed = frozenset(changed)
        self._scripts = {script.source.path: script for script in old.scripts.values()}
        self._tokens: dict[Key, tuple[Tokens, Tokens]] = {}

    def place(self, place: Place) -> Place | None:
        """Where a place of the old program is now; None where its function is not what it was."""
        path, start, end = place
        script = self._scripts.get(path)
        if script is None:
            return place
        later = self._new.scripts.get(script.name)
        if later is None or later.source.path != path:
            return None
        if later.source.text == script.source.text:
            return place
        function = _function_at(script, start)
        other = later.functions.get(function.name) if function is not None else None
        if function is None or other is None or (script.name, function.name) in self._changed:
            return None
        if script.source.text[function.start : function.end] == later.source.text[other.start : other.end]:
            moved = other.start - function.start
            return path, start + moved, end + moved
        return self._beside_comments(script, function, later, other, place)

    def _beside_comments(
        self, old: Script, one: syntax.Function, new: Script, other: syntax.Function, place: Place
    ) -> Place | None:
        """The place by its tokens: only what stands between them is another."""
        key = old.name, one.name
        if key not in self._tokens:
            self._tokens[key] = (
                scan(old.source, old.dialect, [(one.start, one.end)]),
                scan(new.source, new.dialect, [(other.start, other.end)]),
            )
        before, after = self._tokens[key]
        path, start, end = place
        if len(before.starts) != len(after.starts) or start not in before.starts or end not in before.ends:
            return None
        first, last = before.starts.index(start), before.ends.index(end)
        return path, after.starts[first], after.ends[last]


def carried(
    counts: Mapping[Place, dict[str, int]], old: Program, new: Program, changed: Iterable[Key]
) -> dict[Place, dict[str, int]]:
    """How often which error came where, as it is counted on under the new program."""
    unchanged = Unchanged(old, new, changed)
    found = ((unchanged.place(place), seen) for place, seen in counts.items())
    return {place: seen for place, seen in found if place is not None}


def fresh_warnings(
    old: tuple[Program, Iterable[Diagnostic]],
    new: tuple[Program, Iterable[Diagnostic]],
    changed: Iterable[Key],
) -> list[Diagnostic]:
    """Of the warnings of a program those that its predecessor did not have, or that are in functions that changed."""
    other = frozenset(changed)
    known = {_remark(old[0], warning) for warning in old[1]}
    remarks = ((_remark(new[0], warning), warning) for warning in new[1])
    return [warning for remark, warning in remarks if remark not in known or (remark[0], remark[1]) in other]


def _remark(program: Program, warning: Diagnostic) -> tuple[str, str, str, str]:
    """What tells a warning from others, wherever its line is by now: script, function, text of the line, message."""
    span = warning.span
    if span is None:
        return "", "", "", warning.message
    line = span.source.line(span.line).strip()
    for script in program.scripts.values():
        if script.source.path == span.path:
            function = _function_at(script, span.start)
            return script.name, function.name if function is not None else "", line, warning.message
    return span.path, "", line, warning.message


def _function_at(script: Script, offset: int) -> syntax.Function | None:
    return next((f for f in script.functions.values() if f.start <= offset < f.end), None)
