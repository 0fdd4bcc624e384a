"""Mods and the order in which they are searched: the first that has a file wins, path by path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.gsc.dialect import DIALECTS, UO, Dialect
from engine.mods.manifest import FILE_NAME, Manifest, read_manifest
from engine.pipeline.files import paths_in, walk
from engine.pipeline.texts import locate, read_text
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.folder import Folder, Texts
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, shown_path

BASE = "base"
DEFAULT = "sandbox"


@dataclass(frozen=True, slots=True)
class Mod:
    """One mod folder. `shown` is how diagnostics print the folder: as the user wrote it, or near it."""

    folder: Path
    shown: str
    manifest: Manifest

    @property
    def name(self) -> str:
        return self.manifest.name

    def show(self, inside: str) -> str:
        """How diagnostics print a file of the mod; `inside` is its path in the folder, with forward slashes."""
        return inside if self.shown == "." else f"{self.shown}/{inside}"


def open_mod(folder: Path, problems: list[Diagnostic] | None = None, known: Iterable[str] = ()) -> Mod:
    """A mod of one folder. Raises DiagnosticError for a missing folder, with the nearest of the `known` names, or a bad
    manifest; with a list of `problems` those of the manifest go there instead, and what is right in it counts."""
    if not os.path.isdir(folder):
        names = sorted(set(known))
        hint = did_you_mean(folder.name, names) or (names and f"there are {', '.join(names)}")
        text = f"there is no mod folder '{folder}'" + (f"; {hint}" if hint else "")
        raise DiagnosticError([Diagnostic("missing-mod", text)])
    shown = shown_path(folder)
    return Mod(folder, shown, read_manifest(folder, shown, problems))


class ModSearch:
    """The mods of one game, highest priority first. Finds scripts and other files whatever their case."""

    def __init__(self, mods: Sequence[Mod]) -> None:
        self.mods = tuple(mods)
        self.texts = Texts()

    def __iter__(self) -> Iterator[Mod]:
        return iter(self.mods)

    def locate(self, name: str, extension: str, folder: str = "") -> tuple[Mod, Path] | None:
        """The mod and file that a name means. `folder` is a sub-folder of each mod, such as `animtrees`."""
        for mod in self.mods:
            root = mod.folder / folder if folder else mod.folder
            path = locate(root, canonical(name), extension)
            if path is not None:
                return mod, path
        return None

    def line_script(self, name: str) -> SourceText | None:
        """A line script by name, from a mod's folder `scripts`. None when no mod has it or it cannot be read."""
        found = self.locate(name, ".script", "scripts")
        return self.read(*found) if found else None

    def read(self, mod: Mod, path: Path) -> SourceText | None:
        try:
            return read_text(path, mod.show(path.relative_to(mod.folder).as_posix()))
        except OSError:
            return None

    def script_names(self) -> list[str]:
        """The canonical names of all scripts, for the nearest one to a misspelt."""
        names = {
            canonical(path.relative_to(mod.folder).as_posix()[:-4])
            for mod in self.mods
            for path in walk(mod.folder)
            if path.suffix.lower() == ".gsc"
        }
        return sorted(names)

    def now(self) -> ScriptsNow:
        """The scripts as they are now, for one load of a program."""
        return ScriptsNow(self)

    def setting(self, key: str) -> str | None:
        """The first mod's answer to a manifest setting such as `gametype`."""
        mod = self._having(key)
        value: str | None = getattr(mod.manifest, key) if mod is not None else None
        return value

    def place(self, key: str) -> Span | None:
        """Where that answer stands; None where no mod has one."""
        mod = self._having(key)
        return mod.manifest.place(key, getattr(mod.manifest, key)) if mod is not None else None

    def _having(self, key: str) -> Mod | None:
        return next((mod for mod in self.mods if getattr(mod.manifest, key) is not None), None)


class _Found(NamedTuple):
    """A script: the mod that has it, the path of the file, and below the mod's folder."""

    mod: Mod
    path: str
    inside: str


class ScriptsNow:
    """The scripts of the mods at one moment: each folder is looked into once, and texts that are as before are not read
    again (`ScriptSearch`)."""

    def __init__(self, search: ModSearch) -> None:
        self._search = search
        self._folders = [(mod, Folder(mod.folder)) for mod in search.mods]
        self._found: dict[str, _Found | None] = {}

    def _locate(self, name: str) -> _Found | None:
        if name not in self._found:
            self._found[name] = self._look(name)
        return self._found[name]

    def _look(self, name: str) -> _Found | None:
        for mod, folder in self._folders:
            inside = folder.find(name, ".gsc")
            if inside is not None:
                return _Found(mod, os.path.join(folder.root, inside), inside)
        return None

    def find(self, name: str) -> SourceText | None:
        """A script by canonical name. None when no mod has it or it cannot be read."""
        found = self._locate(name)
        return None if found is None else self._search.texts.read(found.path, found.mod.show(found.inside))

    def dialect(self, name: str) -> Dialect:
        """The language of a script by canonical name: that of the mod that has it."""
        found = self._locate(name)
        return DIALECTS[found.mod.manifest.dialect] if found else UO

    def script_names(self) -> list[str]:
        """The canonical names of all scripts, for the nearest one to a misspelt."""
        return self._search.script_names()


def arrange(
    asked: Iterable[Path], shelves: Sequence[Path], problems: list[Diagnostic] | None = None
) -> ModSearch:
    """The search order for the mods that a user asks for.

    Asked mods come first, in the order given; then what they require, from the `shelves` (folders of mods,
    and their `examples`); then, when none of them brings a gametype, the sandbox; the base library is always
    last. A mod that is asked for replaces one of the same name. Raises DiagnosticError with every problem; with a
    list of `problems` they go there instead, and what can be found is searched.
    """
    strict = problems is None
    # What is right in a manifest is looked at all the same.
    problems = problems if problems is not None else []
    mods: list[Mod] = []
    names: set[str] = set()

    def add(folder: Path) -> None:
        try:
            mod = open_mod(folder, problems, known())
        except DiagnosticError as error:
            problems.extend(error.diagnostics)
            return
        if mod.name not in names:
            names.add(mod.name)
            mods.append(mod)

    def known() -> list[str]:
        places = [place for shelf in shelves for place in (shelf, shelf / "examples") if os.path.isdir(place)]
        return [p.name for place in places for p in paths_in(place) if os.path.isfile(p / FILE_NAME)]

    def by_name(name: str) -> Path | None:
        for shelf in shelves:
            for folder in (shelf / name, shelf / "examples" / name):
                if os.path.isdir(folder):
                    return folder
        return None

    def require(name: str, owner: Mod | None) -> None:
        if name in names:
            return
        folder = by_name(name)
        if folder is not None:
            add(folder)
        elif owner is not None:
            hint = did_you_mean(name, known())
            text = f"mod '{owner.name}' requires '{name}', which is nowhere; " + (
                hint or "give it with --mod"
            )
            problems.append(Diagnostic("missing-mod", text, owner.manifest.place("requires", name)))

    for folder in asked:
        # A bare name means a mod of the shelves, so that `--mod night` works from anywhere.
        add(folder if os.path.isdir(folder) else by_name(str(folder)) or folder)
    index = 0
    while index < len(mods):
        for name in mods[index].manifest.requires:
            require(name, mods[index])
        index += 1
    if not any(mod.manifest.gametype for mod in mods):
        require(DEFAULT, None)
    require(BASE, None)
    # A library that something above requires must not end up above it: base always closes the list.
    mods.sort(key=lambda mod: mod.name == BASE)
    if problems and strict:
        raise DiagnosticError(problems)
    return ModSearch(mods)
