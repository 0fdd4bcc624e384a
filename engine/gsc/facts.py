"""What linking needs to know of a script, without its syntax: plain values, which a file can keep.

They are made once for a text. With them a program is loaded, bound and checked, and its graph of calls is drawn; syntax
is read again only for functions that are emitted. Places are offsets in the text. A dialect's features are no part of
them, so what is known of a text holds for that dialect only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from engine.gsc import syntax as s
from engine.gsc.parser import ParseResult
from engine.gsc.survey import CallSite, FunctionSurvey, survey
from engine.source import Diagnostic, Note, SourceText, Span

MAX_FUNCTION = 256 * 1024
"""Characters of one function."""

Place = tuple[int, int]
"""Offsets of a piece of text."""


class Site(NamedTuple):
    """A call. `name` is None for one through a function value, `script` for a bare name; `start` to `end` is all of it,
    `target` the called name, `args` where each argument begins and the last one ends. `operands` wait on the stock
    machine's stack below it."""

    script: str | None
    name: str | None
    method: bool
    threaded: bool
    statement: bool
    developer: bool
    operands: int
    start: int
    end: int
    target: Place
    args: tuple[int, ...]

    @property
    def given(self) -> int:
        """How many arguments there are."""
        return max(0, len(self.args) - 1)


class Value(NamedTuple):
    """A function value."""

    script: str | None
    name: str
    start: int
    end: int


class AnimationUse(NamedTuple):
    """A `%name` with the tree that governs it."""

    name: str
    tree: str
    start: int
    end: int


class FunctionFacts(NamedTuple):
    """A function and what it refers to, in the order of the text. Without `kept` it is developer code that is left out,
    and only its name is known."""

    name: str
    params: tuple[str, ...]
    start: int
    end: int
    name_start: int
    developer: bool
    kept: bool
    settings: tuple[tuple[str, str], ...]
    operands: int
    """The most that ever wait at once."""
    waits: bool
    """Has a statement that waits."""
    sites: tuple[Site, ...]
    values: tuple[Value, ...]
    animations: tuple[AnimationUse, ...]
    region_animations: tuple[tuple[str, int, int], ...]
    """Those in a developer region of statements, where they are refused."""
    treeless: tuple[Place, ...]
    """Where a tree is needed and none is selected."""


class ScriptFacts(NamedTuple):
    """A script. `broken`: it has syntax errors, and what is known of it is not whole. `mentions` are the scripts that
    it refers to, in order, with the first place of each. `faults` are `Diagnostic`s as plain values."""

    broken: bool
    functions: tuple[FunctionFacts, ...]
    directives: tuple[tuple[str, int, int], ...]
    includes: tuple[tuple[str, int, int], ...]
    context: tuple[Place, ...]
    mentions: tuple[tuple[str, int, int], ...]
    faults: tuple[Any, ...]

    def diagnostics(self, source: SourceText) -> list[Diagnostic]:
        """What is wrong with the text by itself."""
        return [_diagnostic(fault, source) for fault in self.faults]


# ---- from syntax -------------------------------------------------------------------------------------------


def facts_of(result: ParseResult, developer: bool) -> ScriptFacts:
    """The facts of a parsed script, with `developer` off without its developer code."""
    script = result.script
    functions = tuple(_function(function, developer) for function in script.functions.values())
    diagnostics = [*result.diagnostics, *_oversized(script)]
    return ScriptFacts(
        result.errors,
        functions,
        tuple((d.tree, d.start, d.end) for d in script.directives),
        tuple((i.script, i.start, i.end) for i in script.includes),
        tuple(script.context),
        tuple(_mentions(script, functions)),
        tuple(map(_plain, diagnostics)),
    )


def _function(function: s.Function, developer: bool) -> FunctionFacts:
    kept = developer or not function.developer
    found = survey(function.body, function.developer, developer) if kept else FunctionSurvey()
    references: list[s.AnimationRef | s.AnimTreeRef] = [*found.animations, *found.trees]
    return FunctionFacts(
        function.name,
        tuple(function.params),
        function.start,
        function.end,
        function.name_start,
        function.developer,
        kept,
        tuple(function.comment_directives.items()),
        found.operands,
        found.waits,
        tuple(map(_site, found.calls)),
        tuple(Value(v.script, v.name, v.start, v.end) for v in found.values),
        tuple(AnimationUse(a.name, a.tree, a.start, a.end) for a in found.animations if a.tree is not None),
        tuple((a.name, a.start, a.end) for a in found.region_animations),
        tuple((r.start, r.end) for r in references if r.tree is None),
    )


def _site(site: CallSite) -> Site:
    call = site.call
    target = call.target
    args = tuple(arg.start for arg in call.args)
    named = isinstance(target, s.NamedTarget)
    return Site(
        target.script if isinstance(target, s.NamedTarget) else None,
        target.name if isinstance(target, s.NamedTarget) else None,
        call.object is not None,
        call.threaded,
        site.statement,
        site.developer,
        site.operands,
        call.start,
        call.end,
        (target.start, target.end) if named else (call.at, call.at),
        (*args, call.args[-1].end) if args else (),
    )


def _mentions(script: s.Script, functions: tuple[FunctionFacts, ...]) -> Iterator[tuple[str, int, int]]:
    found: dict[str, Place] = {}
    for include in script.includes:
        found.setdefault(include.script, (include.start, include.end))
    places = [(v.start, v.script) for f in functions for v in f.values if v.script is not None]
    places += [(c.target[0], c.script) for f in functions for c in f.sites if c.script is not None]
    for start, name in sorted(places):
        if name not in found:
            found[name] = (start, script.source.text.index("::", start))
    return ((name, start, end) for name, (start, end) in found.items())


def _oversized(script: s.Script) -> Iterator[Diagnostic]:
    """Functions that would take too long to compile when they are first called, in the middle of a game."""
    for function in script.functions.values():
        if function.end - function.start > MAX_FUNCTION:
            at = function.name_start
            message = (
                f"function '{function.name}' is longer than {MAX_FUNCTION} characters; split it into several"
            )
            yield Diagnostic("nesting", message, script.source.span(at, at + len(function.name)))


# ---- to plain values and back ------------------------------------------------------------------------------


def _plain(fault: Diagnostic) -> Any:
    notes = tuple((note.message, _place(note.span)) for note in fault.notes)
    return fault.code, fault.message, _place(fault.span), fault.severity, notes


def _place(span: Span | None) -> Place | None:
    return (span.start, span.end) if span is not None else None


def _diagnostic(fault: Any, source: SourceText) -> Diagnostic:
    def span(place: Place | None) -> Span | None:
        return source.span(*place) if place is not None else None

    code, message, place, severity, notes = fault
    return Diagnostic(
        code, message, span(place), severity, tuple(Note(text, span(where)) for text, where in notes)
    )


def packed(facts: ScriptFacts) -> tuple[Any, ...]:
    """The facts as tuples of plain values and nothing else."""
    functions = tuple(
        (*f[:10], tuple(map(tuple, f.sites)), tuple(map(tuple, f.values)), tuple(map(tuple, f.animations)), *f[13:])
        for f in facts.functions
    )  # fmt: skip
    return (facts.broken, functions, *facts[2:])


_new_site = partial(tuple.__new__, Site)
_new_value = partial(tuple.__new__, Value)
_new_animation = partial(tuple.__new__, AnimationUse)


def unpacked(data: Any) -> ScriptFacts:
    """The facts that were `packed`."""
    functions = tuple(
        FunctionFacts._make(
            (
                *f[:10],
                tuple(map(_new_site, f[10])),
                tuple(map(_new_value, f[11])),
                tuple(map(_new_animation, f[12])),
                *f[13:],
            )
        )
        for f in data[1]
    )
    return ScriptFacts._make((data[0], functions, *data[2:]))
