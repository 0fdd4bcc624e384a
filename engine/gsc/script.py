"""A script of a program: what is known of it, what its names mean, and its functions, whose bodies are read when they
are first wanted."""

from __future__ import annotations

from collections.abc import Iterable, Set
from itertools import chain

from engine.gsc import syntax as s
from engine.gsc.binder import Bindings
from engine.gsc.dialect import Dialect
from engine.gsc.facts import FunctionFacts, ScriptFacts, Site, Value
from engine.gsc.parser import parse_body
from engine.gsc.survey import survey
from engine.source import SourceText, Span

Deed = tuple[FunctionFacts, tuple[s.Binding | None, ...]]
"""A function's facts, with the meaning of its calls and after them of its function values."""


def references(deed: Deed, silent: Set[str]) -> Iterable[tuple[Site | Value, s.Binding | None]]:
    """The calls and function values of a function, but for those in calls of `silent` built-ins as statements, which
    are left out as a whole."""
    facts, bindings = deed
    uses: Iterable[Site | Value] = chain(facts.sites, facts.values)
    every = zip(uses, bindings, strict=True)
    if not silent:
        return every
    gaps = [
        (site.start, site.end)
        for site, bound in zip(facts.sites, bindings, strict=False)
        if site.statement and isinstance(bound, s.NativeFunction) and bound.name in silent
    ]
    return [(at, bound) for at, bound in every if not any(start <= at.start < end for start, end in gaps)]


class Script:
    """One script as a program has it. Two programs share it where neither its text nor the meaning of a name in it
    differs, so that whoever finds the same object need not look any further.

    `functions` are those that are emitted, in file order; `deeds` has the facts of each of them.
    """

    def __init__(
        self,
        name: str,
        source: SourceText,
        dialect: Dialect,
        facts: ScriptFacts,
        bindings: Bindings,
        developer: bool,
    ) -> None:
        self.name = name
        self.source = source
        self.dialect = dialect
        self.facts = facts
        self.bindings = bindings
        self.deeds: dict[str, Deed] = {
            f.name: (f, b) for f, b in zip(facts.functions, bindings, strict=True) if f.kept
        }
        bodies = _Bodies(name, source, dialect, facts, self.deeds, developer)
        self.functions: dict[str, s.Function] = {
            f.name: s.Function(
                f.start, f.end, f.name, list(f.params), bodies.read, f.developer, f.name_start, dict(f.settings),
                dialect.rules,
            )
            for f, _ in self.deeds.values()
        }  # fmt: skip

    @property
    def directives(self) -> list[s.TreeDirective]:
        """The trees that it selects, in order."""
        return [s.TreeDirective(start, end, tree) for tree, start, end in self.facts.directives]

    def text_of(self, function: s.Function) -> list[str]:
        """All of the text that can make a difference to a function: what stands between functions above it, and its
        own."""
        text = self.source.text
        context = [text[start:end] for start, end in self.facts.context if end <= function.start]
        return [*context, text[function.start : function.end]]

    def span(self, node: s.Node) -> Span:
        return self.source.span(node.start, node.end)


class _Bodies:
    """Reads the functions of one script. It does not know them, so that nothing refers to itself in a circle."""

    def __init__(
        self,
        name: str,
        source: SourceText,
        dialect: Dialect,
        facts: ScriptFacts,
        deeds: dict[str, Deed],
        developer: bool,
    ) -> None:
        self.name = name
        self.source = source
        self.dialect = dialect
        self.facts = facts
        self.deeds = deeds
        self.developer = developer

    def read(self, function: s.Function) -> s.Block:
        """The syntax of a function, bound."""
        names = {f.name for f in self.facts.functions}
        block = parse_body(self.name, self.source, self.dialect, self.facts.context, function, names)
        found = survey(block, function.developer, self.developer)
        bindings = iter(self.deeds[function.name][1])
        for site in found.calls:
            bound = next(bindings)
            if isinstance(site.call.target, s.NamedTarget):
                site.call.target.bound = bound
        for value in found.values:
            value.bound = next(bindings)
        return block
