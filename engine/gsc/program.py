"""A whole program: the scripts that are asked for and all that they refer to, bound to one another.

Scripts load depth first in the order of their first mention, which is also the order in which animation trees
are numbered (animation facts, section 2.1). All errors of all files are found before any is raised.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from engine.gsc import syntax as s
from engine.gsc.binder import Binder
from engine.gsc.catalogue import ListsScripts, NativeCatalogue, ScriptSearch
from engine.gsc.dialect import UO, Dialect
from engine.gsc.parser import ParseResult, parse
from engine.gsc.survey import FunctionSurvey, survey
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical

MAX_FUNCTION = 256 * 1024
"""Characters of one function."""


@dataclass(frozen=True, slots=True)
class Program:
    """Bound scripts by canonical name, in the order in which they loaded.

    `trees` holds canonical tree names in the order of first use; `#animtree` is the position in it, from 1.
    `animations` has for every tree the `%names` that emitted code mentions, with the first place of each; `late_names`
    are those, with their trees, that only scripts mention in which a missing one fails where it is used.
    `diagnostics` are warnings. With `developer` off developer functions are left out of `scripts`, and what
    else is developer code must not be emitted: it is not bound. `dialect` is that of the first entry; each script
    has its own.
    """

    entries: tuple[str, ...]
    scripts: Mapping[str, s.Script]
    trees: tuple[str, ...]
    animations: Mapping[str, Mapping[str, Span]]
    diagnostics: tuple[Diagnostic, ...]
    developer: bool
    dialect: Dialect
    late_names: frozenset[tuple[str, str]] = frozenset()

    def function(self, script: str, name: str) -> s.Function | None:
        """A function by canonical script name and lower-case name."""
        found = self.scripts.get(script)
        return found.functions.get(name) if found is not None else None


class ParsedScript:
    """A parsed file with its surveys, which are made when they are first wanted."""

    def __init__(self, source: SourceText, result: ParseResult) -> None:
        self.source = source
        self.result = result
        self._surveys: dict[bool, list[FunctionSurvey]] = {}

    def survey(self, developer: bool) -> list[FunctionSurvey]:
        found = self._surveys.get(developer)
        if found is None:
            found = self._surveys[developer] = survey(self.result.script, developer)
        return found


class ParseCache:
    """The last parse of each script, used again while its text stays the same.

    Programs that are made with one cache share syntax trees, so all of them must be given the same built-ins.
    """

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, str, str], ParsedScript] = {}

    def parse(self, name: str, source: SourceText, dialect: Dialect) -> ParsedScript:
        key = (name, source.path, dialect.name)
        known = self._parsed.get(key)
        if known is None or known.source.text != source.text:
            known = self._parsed[key] = ParsedScript(source, parse(name, source, dialect))
        return known


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


@undisturbed()
def load_program(
    entries: Iterable[str],
    search: ScriptSearch,
    natives: NativeCatalogue,
    *,
    dialect: Dialect | Callable[[str], Dialect] = UO,
    developer: bool = True,
    cache: ParseCache | None = None,
) -> Program:
    """Load `entries` and everything that they refer to. Raises `DiagnosticError` with all errors and warnings
    of all files, in the order of loading.

    `dialect` is that of every script, or tells that of a script by its canonical name. Where the built-ins depend on
    the dialect, `natives` is a `DialectNatives`."""
    names = tuple(dict.fromkeys(canonical(name) for name in entries))
    by_name = dialect if not isinstance(dialect, Dialect) else lambda name: dialect
    loader = _Loader(search, by_name, developer, cache or ParseCache())
    loader.load(names)
    binder = Binder(loader.functions(), loader.stripped(), natives)
    for parsed in loader.parsed.values():
        if not parsed.result.errors:
            binder.bind(parsed.result.script, parsed.survey(developer))
    diagnostics = loader.in_order([*loader.diagnostics, *binder.diagnostics])
    if any(d.severity == "error" for d in diagnostics):
        raise DiagnosticError(diagnostics)
    scripts = {name: loader.emitted(parsed) for name, parsed in loader.parsed.items()}
    trees = tuple(dict.fromkeys(d.tree for script in scripts.values() for d in script.directives))
    animations: dict[str, dict[str, Span]] = {tree: {} for tree in trees}
    needed: set[tuple[str, str]] = set()
    for name, parsed in loader.parsed.items():
        for part in parsed.survey(developer):
            for ref in part.animations:
                if ref.tree is not None:
                    animations[ref.tree].setdefault(ref.name, scripts[name].span(ref))
                    if not scripts[name].dialect.rules.late_animations:
                        needed.add((ref.tree, ref.name))
    first = dialect if isinstance(dialect, Dialect) else by_name(names[0]) if names else UO
    late = frozenset((tree, name) for tree in trees for name in animations[tree]) - needed
    return Program(names, scripts, trees, animations, tuple(diagnostics), developer, first, late)


def oversized(parsed: ParsedScript) -> Iterator[Diagnostic]:
    """Functions that would take too long to compile when they are first called, in the middle of a game."""
    for function in parsed.result.script.functions.values():
        if function.end - function.start > MAX_FUNCTION:
            at = function.name_start
            message = (
                f"function '{function.name}' is longer than {MAX_FUNCTION} characters; split it into several"
            )
            yield Diagnostic("nesting", message, parsed.source.span(at, at + len(function.name)))


class _Loader:
    """Finds and parses scripts. `parsed` is in the order of loading."""

    def __init__(
        self, search: ScriptSearch, dialect: Callable[[str], Dialect], developer: bool, cache: ParseCache
    ) -> None:
        self.search = search
        self.dialect = dialect
        self.developer = developer
        self.cache = cache
        self.parsed: dict[str, ParsedScript] = {}
        self.missing: set[str] = set()
        self.diagnostics: list[Diagnostic] = []

    def load(self, entries: Iterable[str]) -> None:
        waiting: list[tuple[str, Span | None]] = [(name, None) for name in entries]
        waiting.reverse()
        while waiting:
            name, place = waiting.pop()
            if name in self.parsed or name in self.missing:
                continue
            source = self.search.find(name)
            if source is None:
                self.missing.add(name)
                self.report_missing(name, place)
                continue
            parsed = self.cache.parse(name, source, self.dialect(name))
            self.parsed[name] = parsed
            self.diagnostics += parsed.result.diagnostics
            self.diagnostics += oversized(parsed)
            waiting += reversed(self.mentioned(parsed))

    def mentioned(self, parsed: ParsedScript) -> list[tuple[str, Span | None]]:
        """The scripts that one refers to, with the first place of each."""
        found: dict[str, Span | None] = {}
        for include in parsed.result.script.includes:
            found.setdefault(include.script, parsed.result.script.span(include))
        places: list[tuple[int, s.NamedTarget | s.FunctionRef]] = []
        for part in parsed.survey(self.developer):
            for value in part.values:
                places.append((value.start, value))
            for site in part.calls:
                if isinstance(site.call.target, s.NamedTarget):
                    places.append((site.call.target.start, site.call.target))
        for start, node in sorted(places, key=lambda p: p[0]):
            if node.script is not None:
                end = parsed.source.text.index("::", start)
                found.setdefault(node.script, parsed.source.span(start, end))
        return list(found.items())

    def report_missing(self, name: str, place: Span | None) -> None:
        diagnostic = Diagnostic("unknown-script", f"there is no script '{name}'", place)
        known = self.search.script_names() if isinstance(self.search, ListsScripts) else self.parsed
        hint = did_you_mean(name, known)
        self.diagnostics.append(diagnostic.with_note(hint) if hint else diagnostic)

    def functions(self) -> dict[str, Mapping[str, s.Function] | None]:
        """The functions of every script that was mentioned; None for one that is missing or broken."""
        table: dict[str, Mapping[str, s.Function] | None] = dict.fromkeys(self.missing)
        for name, parsed in self.parsed.items():
            table[name] = None if parsed.result.errors else self.emitted(parsed).functions
        return table

    def stripped(self) -> set[tuple[str, str]]:
        """Script and name of the functions that developer settings remove."""
        if self.developer:
            return set()
        return {
            (name, function.name)
            for name, parsed in self.parsed.items()
            for function in parsed.result.script.functions.values()
            if function.developer
        }

    def emitted(self, parsed: ParsedScript) -> s.Script:
        """The script without what developer settings remove."""
        script = parsed.result.script
        if self.developer or not any(f.developer for f in script.functions.values()):
            return script
        return replace(script, functions={n: f for n, f in script.functions.items() if not f.developer})

    def in_order(self, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """Diagnostics by script in the order of loading, then by place."""
        order = {parsed.source.path: at for at, parsed in enumerate(self.parsed.values())}
        return sorted(
            diagnostics,
            key=lambda d: (-1, 0) if d.span is None else (order.get(d.span.path, len(order)), d.span.start),
        )
