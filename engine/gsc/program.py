"""A whole program: the scripts that are asked for and all that they refer to, bound to one another.

Scripts load depth first in the order of their first mention, which is also the order in which animation trees
are numbered (animation facts, section 2.1). All errors of all files are found before any is raised.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from engine.gsc import syntax as s
from engine.gsc.binder import Binder, Exports
from engine.gsc.catalogue import ListsScripts, NativeCatalogue, ScriptSearch
from engine.gsc.dialect import UO, Dialect
from engine.gsc.parse_cache import ParseCache, ParsedScript
from engine.gsc.script import Script
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical


@dataclass(frozen=True, slots=True)
class Program:
    """Bound scripts by canonical name, in the order in which they loaded.

    `trees` holds canonical tree names in the order of first use; `#animtree` is the position in it, from 1.
    `animations` has for every tree the `%names` that emitted code mentions, with the first place of each; `late_names`
    are those, with their trees, that only scripts mention in which a missing one fails where it is used, and
    `late_trees` the trees that only such scripts select.
    `diagnostics` are warnings, and errors too where `survey_program` made it. With `developer` off developer functions
    are left out of `scripts`, and what else is developer code must not be emitted: it is not bound. `dialect` is that
    of the first entry; each script has its own. `tree_places` tells where each tree is selected first.
    """

    entries: tuple[str, ...]
    scripts: Mapping[str, Script]
    trees: tuple[str, ...]
    animations: Mapping[str, Mapping[str, Span]]
    diagnostics: tuple[Diagnostic, ...]
    developer: bool
    dialect: Dialect
    late_names: frozenset[tuple[str, str]] = frozenset()
    late_trees: frozenset[str] = frozenset()
    tree_places: Mapping[str, Span] = field(default_factory=dict)

    def function(self, script: str, name: str) -> s.Function | None:
        """A function by canonical script name and lower-case name."""
        found = self.scripts.get(script)
        return found.functions.get(name) if found is not None else None


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the garbage collector: it would walk over all syntax trees again and again, and they hold no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def load_program(
    entries: Iterable[str],
    search: ScriptSearch,
    natives: NativeCatalogue,
    *,
    dialect: Dialect | Callable[[str], Dialect] = UO,
    developer: bool = True,
    cache: ParseCache | None = None,
    places: Mapping[str, Span] = MappingProxyType({}),
) -> Program:
    """Load `entries` and everything that they refer to. Raises `DiagnosticError` with all errors and warnings
    of all files, in the order of loading.

    `dialect` is that of every script, or tells that of a script by its canonical name. Where the built-ins depend on
    the dialect, `natives` is a `DialectNatives`. `places` tells where entries are asked for, by canonical name:
    the place of the diagnostic when one is missing."""
    program = survey_program(
        entries, search, natives, dialect=dialect, developer=developer, cache=cache, places=places
    )
    if any(d.severity == "error" for d in program.diagnostics):
        raise DiagnosticError(program.diagnostics)
    return program


@undisturbed()
def survey_program(
    entries: Iterable[str],
    search: ScriptSearch,
    natives: NativeCatalogue,
    *,
    dialect: Dialect | Callable[[str], Dialect] = UO,
    developer: bool = True,
    cache: ParseCache | None = None,
    places: Mapping[str, Span] = MappingProxyType({}),
) -> Program:
    """As `load_program`, whatever is wrong: errors are among the program's `diagnostics`, and then it must not run.
    What concerns more than scripts, such as its trees, can still be looked at."""
    names = tuple(dict.fromkeys(canonical(name) for name in entries))
    by_name = dialect if not isinstance(dialect, Dialect) else lambda name: dialect
    loader = _Loader(search, by_name, developer, cache or ParseCache(), places)
    loader.load(names)
    scripts, found = _bind(loader, natives)
    diagnostics = loader.in_order([*loader.diagnostics, *found])
    if not any(d.severity == "error" for d in diagnostics):
        loader.cache.end(loader.parsed)
    tree_places: dict[str, Span] = {}
    for parsed in loader.parsed.values():
        for tree, start, end in parsed.facts.directives:
            tree_places.setdefault(tree, parsed.source.span(start, end))
    trees = tuple(tree_places)
    animations: dict[str, dict[str, Span]] = {tree: {} for tree in trees}
    needed: set[tuple[str, str]] = set()
    for parsed in loader.parsed.values():
        # A script that selects no tree mentions no animation.
        for part in parsed.facts.functions if parsed.facts.directives else ():
            for use in part.animations:
                if use.tree not in animations:  # none is selected there, which is an error
                    continue
                animations[use.tree].setdefault(use.name, parsed.source.span(use.start, use.end))
                if not parsed.dialect.rules.late_animations:
                    needed.add((use.tree, use.name))
    first = dialect if isinstance(dialect, Dialect) else by_name(names[0]) if names else UO
    elsewhere = {
        tree
        for p in loader.parsed.values()
        if not p.dialect.rules.late_animations
        for tree, _, _ in p.facts.directives
    }
    late = frozenset((tree, name) for tree in trees for name in animations[tree]) - needed
    return Program(
        names,
        scripts,
        trees,
        animations,
        tuple(diagnostics),
        developer,
        first,
        late,
        frozenset(trees) - elsewhere,
        tree_places,
    )


def _bind(loader: _Loader, natives: NativeCatalogue) -> tuple[dict[str, Script], list[Diagnostic]]:
    """Bind every script that was read whole, and say what is wrong with its names. One for which nothing differs from
    the last time is the same object as then."""
    functions = loader.functions()
    binder = Binder(functions, loader.stripped(), natives)
    scripts: dict[str, Script] = {}
    diagnostics: list[Diagnostic] = []
    for name, parsed in loader.parsed.items():
        if parsed.facts.broken:
            continue
        seen = tuple([functions.get(mention[0]) for mention in parsed.facts.mentions])
        script = parsed.script
        if script is None or seen != parsed.seen:
            bindings, found = binder.bind(name, parsed.source, parsed.dialect, parsed.facts)
            if any(d.severity == "error" for d in found):
                diagnostics += found
                scripts[name] = Script(
                    name, parsed.source, parsed.dialect, parsed.facts, bindings, loader.developer
                )
                continue
            if script is None or bindings != script.bindings:
                script = Script(name, parsed.source, parsed.dialect, parsed.facts, bindings, loader.developer)
            parsed.script, parsed.seen, parsed.warnings = script, seen, found
        diagnostics += parsed.warnings
        scripts[name] = script
    return scripts, diagnostics


NO_FILE = (
    "there is something of that name, but it is no file: a folder, or a link to nothing or out of the scripts"
)


class _Loader:
    """Finds and parses scripts. `parsed` is in the order of loading."""

    def __init__(
        self,
        search: ScriptSearch,
        dialect: Callable[[str], Dialect],
        developer: bool,
        cache: ParseCache,
        places: Mapping[str, Span],
    ) -> None:
        self.search = search
        self.dialect = dialect
        self.developer = developer
        self.cache = cache
        self.places = places
        self.parsed: dict[str, ParsedScript] = {}
        self.missing: set[str] = set()
        self.diagnostics: list[Diagnostic] = []

    def load(self, entries: tuple[str, ...]) -> None:
        waiting: list[tuple[str, SourceText | None, int, int]] = [(n, None, 0, 0) for n in reversed(entries)]
        while waiting:
            name, source, start, end = waiting.pop()
            if name in self.parsed or name in self.missing:
                continue
            found = self.search.find(name)
            if found is None:
                self.missing.add(name)
                place = source.span(start, end) if source is not None else self.places.get(name)
                self.report_missing(name, place)
                continue
            if not self.parsed:
                self.cache.begin(entries, found)
            parsed = self.cache.parse(name, found, self.dialect(name), self.developer)
            self.parsed[name] = parsed
            self.diagnostics += parsed.diagnostics
            waiting += [(other, found, at, to) for other, at, to in reversed(parsed.facts.mentions)]

    def report_missing(self, name: str, place: Span | None) -> None:
        diagnostic = Diagnostic("unknown-script", f"there is no script '{name}'", place)
        known = self.search.script_names() if isinstance(self.search, ListsScripts) else self.parsed
        hint = NO_FILE if name in known else did_you_mean(name, known)
        self.diagnostics.append(diagnostic.with_note(hint) if hint else diagnostic)

    def functions(self) -> dict[str, Exports | None]:
        """The functions of every script that was mentioned; None for one that is missing or broken."""
        return {**dict.fromkeys(self.missing), **{n: p.exports for n, p in self.parsed.items()}}

    def stripped(self) -> set[tuple[str, str]]:
        """Script and name of the functions that developer settings remove."""
        if self.developer:
            return set()
        return {(n, f.name) for n, p in self.parsed.items() for f in p.facts.functions if not f.kept}

    def in_order(self, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """Diagnostics by script in the order of loading, then by place."""
        if not diagnostics:
            return diagnostics
        order = {parsed.source.path: at for at, parsed in enumerate(self.parsed.values())}
        return sorted(
            diagnostics,
            key=lambda d: (-1, 0) if d.span is None else (order.get(d.span.path, len(order)), d.span.start),
        )
