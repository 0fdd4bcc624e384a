"""What the mods of a game bring besides scripts: assets, the level, weapons, surfaces, unit scripts, cvars.

Everything is looked for in the folders of the mods as they are at the moment, so whatever asks again after a save gets
the new state. Putting it into the running game is the part of `engine.mods.intake`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import paths
from engine.gsc.dialect import Rules
from engine.mods.cvars import read_cvars
from engine.mods.program import GAMETYPES
from engine.mods.search import Mod, ModSearch, arrange
from engine.mods.units import FOLDER as UNITS
from engine.mods.units import UnitLibrary
from engine.pipeline.files import paths_in
from engine.pipeline.library import AssetLibrary
from engine.pipeline.texts import (
    is_gone,
    locate,
    read_text,
    read_toml,
    readable,
    unreadable,
    unreadable_folders,
)
from engine.source import Diagnostic, DiagnosticError, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, shown_path
from engine.world.levels import Level, load_level
from engine.world.surfaces import SurfaceTable, surface_materials
from engine.world.weapons import Weapon, load_weapons

Tell = Callable[[Diagnostic], None]

SURFACES = "surfaces.toml"
WEAPONS = "weapons"
"""A folder of asset folders, with a file for each weapon."""


@dataclass(frozen=True, slots=True)
class FreshLevel:
    """A level's file as it is at the moment, built with the surfaces of the moment. `text` is what the file holds."""

    level: Level
    text: str
    surfaces: SurfaceTable


def asset_folders(search: ModSearch, shared: Sequence[Path]) -> list[Path]:
    """The asset folders of the mods that have one, and after them those that belong to no mod."""
    return [*(mod.folder / "assets" for mod in search if os.path.isdir(mod.folder / "assets")), *shared]


def level_folders(search: ModSearch, shared: Sequence[Path]) -> list[Path]:
    """Where levels may lie, the first that has one wins."""
    folders = [folder / "levels" for folder in asset_folders(search, shared)]
    return folders + [mod.folder / "levels" for mod in search]


def missing_level(name: str, folders: Sequence[Path], place: Span | None) -> Diagnostic:
    """What to say where none of the folders has a level of that name."""
    known = sorted({p.stem for folder in folders for p in paths_in(folder) if p.suffix == ".map"})
    hint = did_you_mean(name, known) or f"there are {', '.join(known) or 'none'}"
    return Diagnostic("missing-level", f"there is no level '{name}'; {hint}", place)


class Contents:
    """The mods of one game and what is in their folders. `tell` hears of faults that the game can live with.

    asked    the mods that the user wants, as names or folders, the highest first
    search   those and all that they require
    library  models, clips and sounds
    units    programs of unit scripts
    """

    def __init__(self, asked: Sequence[Path], tell: Tell) -> None:
        """Raises DiagnosticError when a mod is missing or its settings are wrong."""
        self.asked = tuple(asked)
        self._tell = tell
        self.search = self.find_mods(self.asked)
        self._tell_unreadable(self.search)
        self.library = AssetLibrary(self._assets(), None, tell)
        self.units = UnitLibrary(lambda: [mod.folder / UNITS for mod in self.search], tell)

    def find_mods(self, asked: Sequence[Path]) -> ModSearch:
        """The search order that these mods would have. Raises DiagnosticError."""
        return arrange(asked, [paths.mods()])

    def take_mods(self, asked: Sequence[Path], search: ModSearch) -> None:
        """Be the contents of these mods from now on."""
        before = {mod.folder for mod in self.search}
        self.asked, self.search = tuple(asked), search
        self._tell_unreadable(mod for mod in search if mod.folder not in before)
        self.look_for_assets()

    def _tell_unreadable(self, mods: Iterable[Mod]) -> None:
        for mod in mods:
            for fault in unreadable_folders(mod.folder, mod.shown):
                self._tell(fault)

    def look_for_assets(self) -> None:
        """Let the library know of asset folders that came or went."""
        self.library.roots = tuple(self._assets())

    def watched(self) -> list[Path]:
        """The folders whose files count."""
        return [*(mod.folder for mod in self.search), paths.assets(), paths.animtrees()]

    def _assets(self) -> list[Path]:
        return asset_folders(self.search, [paths.assets()])

    # ---- what is in them -------------------------------------------------------------------------------

    def surfaces(self) -> SurfaceTable:
        materials: dict[str, str] = {}
        for folder in reversed(self._assets()):
            path = folder / "levels" / SURFACES
            try:
                found, faults = surface_materials(read_toml(path, shown_path(path)))
            except OSError as error:
                found = {}
                faults = [] if is_gone(path, error) else [unreadable(path, error, shown_path(path))]
            except DiagnosticError as error:
                found, faults = {}, list(error.diagnostics)
            materials.update(found)
            for fault in faults:
                self._tell(fault)
        return SurfaceTable(materials)

    def rules(self) -> Rules:
        """Those of the gametype's script, which are the rules of the level."""
        return self.search.now().dialect(GAMETYPES + (self.search.setting("gametype") or "")).rules

    def level(self, name: str, place: Span | None = None) -> FreshLevel:
        """A level by name. Raises DiagnosticError where there is none, at the place where it is asked for, or where
        its file cannot be read."""
        surfaces = self.surfaces()
        folders = level_folders(self.search, [paths.assets()])
        for folder in folders:
            path = locate(folder, canonical(name), ".map")
            if path is None:
                continue
            with readable(path, shown_path(path)):
                source = read_text(path, shown_path(path))
            level = load_level(
                source, name, surfaces, self.library.has_model, open_classes=self.rules().open_classes
            )
            return FreshLevel(level, source.text, surfaces)
        raise DiagnosticError([missing_level(name, folders, place)])

    def weapons(self) -> dict[str, Weapon]:
        """The weapons by name. What is wrong with a file is told, and left at its default."""
        found, faults = self.read_weapons()
        for fault in faults:
            self._tell(fault)
        return found

    def read_weapons(self) -> tuple[dict[str, Weapon], list[Diagnostic]]:
        """The same with what is wrong with the files."""
        faults: list[Diagnostic] = []
        return load_weapons([folder / WEAPONS for folder in reversed(self._assets())], faults), faults

    def cvars(self) -> dict[str, str]:
        """The console variables that the mods set, the highest mod last word. Raises DiagnosticError."""
        found: dict[str, str] = {}
        problems: list[Diagnostic] = []
        for mod in reversed(self.search.mods):
            try:
                found.update(read_cvars(mod.folder, mod.shown))
            except DiagnosticError as error:
                problems += error.diagnostics
        if problems:
            raise DiagnosticError(problems)
        return found
