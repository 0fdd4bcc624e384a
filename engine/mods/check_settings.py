"""Checking the settings of a mod: what its TOML files say, and whether what they name is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.gsc.parser import parse
from engine.mods.contents import SURFACES, WEAPONS, level_folders, missing_level
from engine.mods.cvars import FILE_NAME as CVARS
from engine.mods.cvars import read_cvars
from engine.mods.manifest import FILE_NAME as MANIFEST
from engine.mods.manifest import Manifest, read_manifest
from engine.mods.program import GAMETYPES, MAIN, missing_entry
from engine.mods.search import ModSearch
from engine.natives.host import CALLBACKS
from engine.pipeline.library import SOUNDS, AssetLibrary
from engine.pipeline.sounds import ALIAS_FILE, find_files, read_aliases
from engine.pipeline.texts import locate, read_text, read_toml, toml_of
from engine.source import Diagnostic, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, shown_path
from engine.source.toml import TomlFile
from engine.world.surfaces import surface_materials
from engine.world.weapons import Weapon, read_weapon

_NAMED = frozenset({MANIFEST, CVARS, SURFACES, ALIAS_FILE})


class Settings:
    """The settings files of one mod, seen with the mods that it is played with and their assets; `shared` are asset
    folders that belong to no mod."""

    def __init__(self, search: ModSearch, library: AssetLibrary, shared: Sequence[Path]) -> None:
        self._search = search
        self._library = library
        self._shared = shared

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether the game reads a file of this name at such a place."""
        return path.name in _NAMED or path.absolute().parent.name == WEAPONS

    def check(self, path: Path) -> Sequence[Diagnostic]:
        """What is wrong with a file. Raises DiagnosticError where it cannot be read at all, and OSError."""
        if path.name == MANIFEST:
            faults: list[Diagnostic] = []
            manifest = read_manifest(path.parent, shown_path(path.parent), faults)
            clashes = self._library.clip_clashes(path.parent / "assets")
            return [*faults, *self._manifest(manifest), *clashes]
        if path.name == CVARS:
            read_cvars(path.parent, shown_path(path.parent))
            return ()
        if path.name == SURFACES:
            return surface_materials(read_toml(path, shown_path(path)))[1]
        if path.name == ALIAS_FILE:
            return read_aliases(path, find_files(path.parent) | self._sound_files())[1]
        source = read_text(path, shown_path(path))
        weapon, faults = read_weapon(source, path.stem)
        return faults if weapon is None else [*faults, *self._weapon(weapon, toml_of(source))]

    def _sound_files(self) -> dict[str, Path]:
        return {
            name: path
            for root in reversed(self._library.roots)
            for name, path in find_files(root / SOUNDS).items()
        }

    # ---- what is named ---------------------------------------------------------------------------------

    def _manifest(self, manifest: Manifest) -> Iterator[Diagnostic]:
        folders = level_folders(self._search, self._shared)
        level = manifest.level
        if level is not None and not any(locate(f, canonical(level), ".map") for f in folders):
            yield missing_level(level, folders, manifest.place("level", level))
        wanted: list[tuple[str, Span | None]] = []
        if manifest.gametype:
            place = manifest.place("gametype", manifest.gametype)
            wanted += [(canonical(GAMETYPES + manifest.gametype), place), (CALLBACKS, place)]
        if manifest.autostart:
            place = manifest.place("autostart", manifest.autostart)
            wanted.append((canonical(manifest.autostart), place))
        scripts = self._search.now()
        for script, place in wanted:
            source = scripts.find(script)
            if source is None:
                fault = Diagnostic("unknown-script", f"there is no script '{script}'", place)
                hint = did_you_mean(script, self._search.script_names())
                yield fault.with_note(hint) if hint else fault
                continue
            parsed = parse(script, source, scripts.dialect(script))
            if script != CALLBACKS and not parsed.errors and MAIN not in parsed.script.functions:
                yield missing_entry(script, MAIN, place)

    def _weapon(self, weapon: Weapon, file: TomlFile) -> Iterator[Diagnostic]:
        for key in ("model", "view_model"):
            name = getattr(weapon, key)
            if name and not self._library.has_model(name):
                fault = Diagnostic(
                    "missing-model", f"there is no model `{name}`", file.span((key,)), "warning"
                )
                hint = did_you_mean(name, self._library.model_names())
                yield fault.with_note(hint) if hint else fault
        known = self._library.sound_names()
        sounds = {key: getattr(weapon, key) for key in file.data if key.startswith("sound_")}
        named: list[tuple[tuple[str, ...], str]] = [((key,), name) for key, name in sounds.items() if name]
        named += [(("reload_sounds", name), name) for name in weapon.reload_sounds]
        for place, name in named:
            if name.lower() not in known:
                fault = Diagnostic(
                    "missing-sound", f"there is no sound `{name}`", file.span(place), "warning"
                )
                hint = did_you_mean(name, known)
                yield fault.with_note(hint) if hint else fault
