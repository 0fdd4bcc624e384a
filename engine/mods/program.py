"""The scripts of a game and their animation trees, made from the search order as one whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.anim.prune import ClipSource
from engine.gsc.catalogue import NativeCatalogue
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.mods.search import ModSearch
from engine.mods.trees import LinkedTrees, find_shared_tree, load_trees, tree_names
from engine.natives.host import CALLBACKS
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.paths import canonical

GAMETYPES = "maps\\mp\\gametypes\\"
MAPS = "maps\\mp\\"
MAIN = "main"
STRUCTS = "codescripts\\struct"


@dataclass(frozen=True, slots=True)
class Entries:
    """The scripts that the engine itself calls into.

    gametype and callbacks have to exist; map_script is None where no mod has one; autostarts are those of the
    mods, the lowest in the search order first, so that a mod starts after what it builds on; structs is the script
    whose `initstructs` runs before everything, of a mod in a dialect that knows it. places has for canonical names of
    scripts where a mod's settings ask for them.
    """

    gametype: str
    map_script: str | None
    autostarts: tuple[str, ...]
    callbacks: str = CALLBACKS
    structs: str | None = None
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)

    def names(self) -> list[str]:
        optional = [self.map_script] if self.map_script is not None else []
        if self.structs is not None:
            optional.append(self.structs)
        return [self.callbacks, self.gametype, *optional, *self.autostarts]


def find_entries(search: ModSearch, level: str) -> Entries:
    """What a level is started with. Raises DiagnosticError when no mod says which gametype is played."""
    gametype = search.setting("gametype")
    if gametype is None:
        text = 'no mod says which gametype is played; write gametype = "NAME" into its mod.toml'
        raise DiagnosticError([Diagnostic("missing-gametype", text)])
    map_script = MAPS + level
    place = search.place("gametype")
    places = {GAMETYPES + gametype: place, CALLBACKS: place}
    starts = [mod for mod in reversed(search.mods) if mod.manifest.autostart]
    for mod in starts:
        script = str(mod.manifest.autostart)
        places.setdefault(canonical(script), mod.manifest.place("autostart", script))
    return Entries(
        GAMETYPES + gametype,
        map_script if search.locate(map_script, ".gsc") is not None else None,
        tuple(str(mod.manifest.autostart) for mod in starts),
        structs=STRUCTS if search.now().dialect(STRUCTS).rules.strict else None,
        places={script: place for script, place in places.items() if place is not None},
    )


def missing_entry(script: str, function: str, place: Span | None) -> Diagnostic:
    """What to say where a script lacks a function that the engine calls; the place is where the script is asked for."""
    text = f"script '{script}' has no function '{function}', which the engine calls"
    return Diagnostic("missing-entry", text, place)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Build:
    """A program with its trees, ready to be linked, made for these entries. `warnings` are those of both."""

    program: Program
    linked: LinkedTrees
    warnings: tuple[Diagnostic, ...]
    entries: Entries


def same_scripts(one: Build, other: Build) -> bool:
    """Whether two programs are of the same scripts, to the letter."""
    a, b = one.program.scripts, other.program.scripts
    return a.keys() == b.keys() and all(
        script is b[name] or (script.source.text, script.dialect) == (b[name].source.text, b[name].dialect)
        for name, script in a.items()
    )


def same_trees(one: Build, other: Build) -> bool:
    """Whether two programs have the very same trees, clips included."""
    a, b = one.linked.trees, other.linked.trees
    return a.keys() == b.keys() and all(tree is b[name] for name, tree in a.items())


class Builder:
    """Builds programs over one search order; unchanged files are not parsed again."""

    def __init__(
        self,
        search: ModSearch,
        natives: NativeCatalogue,
        clips: ClipSource,
        animtrees: Sequence[Path],
        *,
        developer: bool,
        folder: Path | None = None,
    ) -> None:
        """What is found out about scripts is kept in `folder` for the next start."""
        self.search = search
        self._natives = natives
        self._clips = clips
        self._animtrees = animtrees
        self._developer = developer
        self._cache = ParseCache(folder)
        self._trees: LinkedTrees | None = None

    def build(self, entries: Entries) -> Build:
        """Load, bind and resolve everything. Raises DiagnosticError with all errors of all files."""
        scripts = self.search.now()
        program = load_program(
            entries.names(),
            scripts,
            self._natives,
            dialect=scripts.dialect,
            developer=self._developer,
            cache=self._cache,
            places=entries.places,
        )
        known = tree_names(self.search, self._animtrees) if program.trees else ()
        linked = load_trees(program, self._find_tree, self._clips, known=known, before=self._trees)
        self._trees = linked
        return Build(program, linked, (*program.diagnostics, *linked.warnings), entries)

    def flush(self) -> None:
        """Write down what is new, for the next start."""
        self._cache.flush()

    def _find_tree(self, name: str) -> SourceText | None:
        found = self.search.locate(name, ".atr", "animtrees")
        if found is not None:
            return self.search.read(*found)
        return find_shared_tree(self._animtrees, name)
