"""Finding every problem in a user's files without running anything."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.anim import atr
from engine.cob.compiler import compile_bos
from engine.cob.container import read_cob
from engine.cob.profiles import PROFILES
from engine.cob.verifier import verify
from engine.gsc.catalogue import NativeCatalogue
from engine.gsc.dialect import DIALECTS, UO, Dialect
from engine.gsc.doubts import doubts
from engine.gsc.parse_cache import ParseCache
from engine.gsc.parser import parse
from engine.gsc.program import Program, survey_program
from engine.linescript.functions import HostFunction
from engine.linescript.parser import check as check_lines
from engine.mods.check_fields import Fields
from engine.mods.check_loops import endless_loops
from engine.mods.check_names import Names
from engine.mods.check_settings import Settings
from engine.mods.check_trees import check_tree
from engine.mods.contents import asset_folders, level_folders
from engine.mods.kinds import SETTINGS, WATCHED
from engine.mods.manifest import FILE_NAME, Manifest, read_manifest
from engine.mods.misplaced import misplaced
from engine.mods.program import GAMETYPES
from engine.mods.search import Mod, ModSearch, ScriptsNow, arrange
from engine.mods.trees import find_shared_tree, load_trees, tree_names
from engine.mods.units import FOLDER as UNIT_FOLDER
from engine.pipeline.cook import cook
from engine.pipeline.files import check_file, open_file, paths_in, read_file, walk
from engine.pipeline.formats import FORMATS
from engine.pipeline.library import AssetLibrary
from engine.pipeline.texts import MAX_TEXT, read_text, unreadable, unreadable_folders
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.paths import canonical, shown_path
from engine.world.level import read_map
from engine.world.levels import load_level
from engine.world.surfaces import SurfaceTable

SCRIPT, TREE, LEVEL, LINES = ".gsc", ".atr", ".map", ".script"
UNIT, UNIT_PROGRAM = ".bos", ".cob"


@dataclass(slots=True)
class Checked:
    """What was found. `files` counts the files that were looked at."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    files: int = 0

    def take(self, found: Iterable[Diagnostic]) -> None:
        self.diagnostics.extend(found)

    def tidy(self) -> None:
        """Once each, by file and place; what concerns no place comes first. A tree is read with the scripts that use it
        and by itself, so that the same fault may come of two readings of its text."""
        once: dict[tuple[str, str, str], Diagnostic] = {}
        for found in self.diagnostics:
            once.setdefault((found.code, found.message, str(found.span)), found)
        self.diagnostics = sorted(
            once.values(), key=lambda d: (d.span.path, d.span.start) if d.span is not None else ("", 0)
        )


def root_of(path: Path) -> Path:
    """The folder that script names count from: that of the `mod.toml` above, else the one that holds `maps`
    or `animscripts`, else the file's own."""
    folder = path.parent.absolute()
    for above in (folder, *folder.parents):
        if os.path.isfile(above / FILE_NAME):
            return above
    for above in reversed((folder, *folder.parents)):
        if above.name.lower() in ("maps", "animscripts"):
            return above.parent
    return folder


def _dialect_of(root: Path, usual: str) -> Dialect:
    """The language of the scripts below a folder, the `usual` one where no manifest says it; a manifest that cannot be
    read is reported where it is checked."""
    try:
        return DIALECTS[read_manifest(root).dialect if os.path.isfile(root / FILE_NAME) else usual]
    except DiagnosticError:
        return UO


class Checker:
    """Checks files and folders with one set of natives, assets and search roots."""

    def __init__(
        self,
        natives: NativeCatalogue,
        *,
        assets: Sequence[Path] = (),
        mounts: Sequence[Path] = (),
        shelves: Sequence[Path] = (),
        animtrees: Sequence[Path] = (),
        syntax_only: bool = False,
        line_natives: Callable[[], Mapping[str, HostFunction]] = dict,
        dialect: str = UO.name,
    ) -> None:
        """`assets` are asset folders that belong to no mod; `line_natives` gives the functions that line scripts may
        call; `dialect` is the language of scripts that belong to no mod."""
        self._dialect = dialect
        self._natives = natives
        self._assets = assets
        self._mounts = mounts
        self._shelves = shelves
        self._animtrees = animtrees
        self._syntax_only = syntax_only
        self._line_natives = line_natives
        self._cache = ParseCache()
        self._searches: dict[Path, ModSearch] = {}
        self._libraries: dict[tuple[Path, ...], AssetLibrary] = {}
        self._known: dict[tuple[Path, ...], Names] = {}

    def check(self, paths: Iterable[Path]) -> Checked:
        """Check files, and all files of folders. A path that does not exist raises FileNotFoundError."""
        result = Checked()
        by_root: dict[Path, list[Path]] = {}
        others: list[Path] = []
        for path in paths:
            if not os.path.lexists(path):
                raise FileNotFoundError(path)
            result.take(unreadable_folders(path, shown_path(path)))
            inside = sorted(_inside(path, result)) if os.path.isdir(path) else [path]
            for file in inside:
                if file.suffix.lower() == SCRIPT:
                    # Of a folder that holds no mod, the folder itself is the root of what lies in it.
                    root = root_of(file)
                    if os.path.isdir(path) and not os.path.isfile(root / FILE_NAME):
                        root = path
                    by_root.setdefault(root, []).append(file)
                else:
                    others.append(file)
        for root, files in by_root.items():
            result.files += len(files)
            self._scripts(root, files, result)
        for file in others:
            checker = self._for_file(file)
            if checker is not None:
                result.files += 1
                elsewhere = misplaced(file)
                result.take([elsewhere] if elsewhere is not None else [])
                try:
                    checker(file, result)
                except DiagnosticError as error:
                    result.take(error.diagnostics)
                except OSError as error:
                    result.take([unreadable(file, error, shown_path(file))])
        result.tidy()
        return result

    def _for_file(self, path: Path) -> Callable[[Path, Checked], None] | None:
        suffix = path.suffix.lower()
        if suffix == ".toml" and not self._syntax_only:
            return self._settings if Settings.knows(path) else None
        if path.name == FILE_NAME:
            return self._manifest
        if suffix == TREE:
            return self._tree
        if suffix == LEVEL:
            return self._level
        if suffix == LINES:
            return self._lines
        if suffix == UNIT:
            return self._unit
        if suffix == UNIT_PROGRAM:
            return self._unit_program
        if suffix in FORMATS and not self._syntax_only:
            return self._model
        return None

    # ---- what lies around a file ----------------------------------------------------------------------

    def _search(self, root: Path) -> ModSearch:
        """The mods that a file below this root would be played with: what can be found of them."""
        if root not in self._searches:
            # The check of the manifest says what is wrong.
            self._searches[root] = self._arranged(root, [])
        return self._searches[root]

    def _arranged(self, root: Path, problems: list[Diagnostic]) -> ModSearch:
        mounts = [Mod(m, shown_path(m), Manifest(m.name)) for m in self._mounts]
        if os.path.isfile(root / FILE_NAME):
            mods = list(arrange([root], self._shelves, problems))
            return ModSearch([mods[0], *mounts, *mods[1:]])
        alone = Manifest(root.name, dialect=self._dialect)
        return ModSearch([Mod(root, shown_path(root), alone), *mounts])

    def _library(self, search: ModSearch) -> AssetLibrary:
        """The assets of these mods and the shared ones."""
        roots = tuple(asset_folders(search, self._assets))
        if roots not in self._libraries:
            self._libraries[roots] = AssetLibrary(roots)
        return self._libraries[roots]

    def _names(self, search: ModSearch) -> Names:
        """What scripts may name of these mods."""
        library = self._library(search)
        if library.roots not in self._known:
            self._known[library.roots] = Names(library)
        return self._known[library.roots]

    def _fields(self, search: ModSearch) -> Fields:
        """What the scripts of these mods do with fields, and those of all mods that may play with them."""
        folders = {mod.folder.resolve(): DIALECTS[mod.manifest.dialect] for mod in search.mods}
        for shelf in self._shelves:
            for folder in (*paths_in(shelf), *paths_in(shelf / "examples")):
                if os.path.isfile(folder / FILE_NAME):
                    folders.setdefault(folder.resolve(), _dialect_of(folder, UO.name))
        return Fields(folders.items(), level_folders(search, self._assets))

    # ---- scripts ------------------------------------------------------------------------------------

    def _scripts(self, root: Path, files: list[Path], result: Checked) -> None:
        if self._syntax_only:
            for file in files:
                self._syntax(root, file, result)
            return
        search = self._search(root)
        scripts = search.now()
        entries = [entry for file in files if (entry := self._entry(root, file, scripts, result))]
        program = survey_program(entries, scripts, self._natives, dialect=scripts.dialect, cache=self._cache)
        result.take(program.diagnostics)
        names = self._names(search)
        for entry in entries:
            script = program.scripts.get(entry)
            if script is not None:
                result.take(names.missing(script))
                result.take(doubts(script))
                result.take(endless_loops(script))
        found = [program.scripts[entry] for entry in entries if entry in program.scripts]
        result.take(self._fields(search).doubts(found))
        self._trees_of(program, search, result)

    @staticmethod
    def _entry(root: Path, file: Path, scripts: ScriptsNow, result: Checked) -> str | None:
        """The name of a script; None, after its diagnostic, where it cannot be read."""
        name = _script_name(root, file)
        if scripts.find(name) is None:
            try:
                open_file(file).close()
            except OSError as error:
                result.take([unreadable(file, error, shown_path(file))])
                return None
        return name

    def _trees_of(self, program: Program, search: ModSearch, result: Checked) -> None:
        """The trees that a program uses, by the animations that its scripts name."""

        def find_tree(name: str) -> SourceText | None:
            found = search.locate(name, TREE, "animtrees")
            if found is not None:
                return search.read(*found)
            return find_shared_tree(self._animtrees, name)

        if not program.trees:
            return
        try:
            linked = load_trees(
                program, find_tree, self._library(search), known=tree_names(search, self._animtrees)
            )
        except DiagnosticError as error:
            result.take(error.diagnostics)
        else:
            result.take(linked.warnings)

    def _syntax(self, root: Path, file: Path, result: Checked) -> None:
        try:
            source = read_text(file, shown_path(file))
        except OSError as error:
            result.take([unreadable(file, error, shown_path(file))])
            return
        result.take(parse(_script_name(root, file), source, _dialect_of(root, self._dialect)).diagnostics)

    # ---- the rest -----------------------------------------------------------------------------------

    def _manifest(self, path: Path, result: Checked) -> None:
        read_manifest(path.parent, shown_path(path.parent))

    def _settings(self, path: Path, result: Checked) -> None:
        root = root_of(path)
        found = self._arranged(root, result.diagnostics) if path.name == FILE_NAME else self._search(root)
        result.take(Settings(found, self._library(found), self._assets).check(path))

    def _tree(self, path: Path, result: Checked) -> None:
        source = read_text(path, shown_path(path))
        if self._syntax_only:
            atr.read(source)
            return
        search = self._search(root_of(path))
        users = self._users(path.stem, search)
        result.take(check_tree(source, self._library(search), used=bool(users)))
        if users:
            scripts = search.now()
            program = survey_program(
                users, scripts, self._natives, dialect=scripts.dialect, cache=self._cache
            )
            self._trees_of(program, search, result)

    def _users(self, tree: str, search: ModSearch) -> list[str]:
        """The scripts of the mods below the first one that use a tree: a mod may have one of its own in its place."""
        wanted = re.compile(rf'#using_animtree\s*\(\s*"{re.escape(tree)}"\s*\)', re.IGNORECASE)
        return [
            _script_name(mod.folder, path)
            for mod in search.mods[1:]
            for path in sorted(walk(mod.folder))
            if path.suffix.lower() == SCRIPT and wanted.search(_text(path))
        ]

    def _lines(self, path: Path, result: Checked) -> None:
        result.take(check_lines(read_text(path, shown_path(path)), self._line_natives()))

    def _unit(self, path: Path, result: Checked) -> None:
        """In the folder of a mod's units by the engine's own profile; else by the one of `bos`."""
        own = path.absolute().parent.name.lower() == UNIT_FOLDER
        compile_bos(
            read_text(path, shown_path(path)),
            folder=path.parent,
            profile=PROFILES["engine" if own else "scriptor"],
            safe_end=own,
            warnings=result.diagnostics,
        )

    def _unit_program(self, path: Path, result: Checked) -> None:
        shown = shown_path(path)
        result.take(verify(read_cob(read_file(path, MAX_TEXT), shown), shown))

    def _level(self, path: Path, result: Checked) -> None:
        """As the game reads it, by the rules of the gametype that it would be played with."""
        source = read_text(path, shown_path(path))
        if self._syntax_only:
            read_map(source)
            return
        search = self._search(root_of(path))
        rules = search.now().dialect(GAMETYPES + (search.setting("gametype") or "")).rules
        has_model = self._library(search).has_model
        level = load_level(source, path.stem, SurfaceTable(), has_model, open_classes=rules.open_classes)
        result.take(level.diagnostics)

    def _model(self, path: Path, result: Checked) -> None:
        result.take(cook(path).diagnostics)


def _inside(folder: Path, result: Checked) -> Iterator[Path]:
    """The files below a folder. What has the name of one that the game reads and is none is told."""
    for here, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(here, name)
            # Editors keep notes of their own beside what is edited: `.#rifle.toml` is a link that leads nowhere.
            if name.startswith("."):
                continue
            if os.path.isfile(path):
                yield path
            elif (path.suffix.lower() in SETTINGS and Settings.knows(path)) or _is_no_file(path):
                try:
                    check_file(path)
                except OSError as error:
                    result.take([unreadable(path, error, shown_path(path))])


def _is_no_file(path: Path) -> bool:
    return path.suffix.lower() in WATCHED and not os.path.isdir(path)


def _text(path: Path) -> str:
    try:
        return read_text(path).text
    except OSError:
        return ""


def _script_name(root: Path, file: Path) -> str:
    return canonical(file.absolute().relative_to(root.absolute()).with_suffix("").as_posix())
