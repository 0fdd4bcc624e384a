"""Sounds by name: the files of `sounds/`, and the aliases of `sounds/sounds.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.pipeline.files import walk
from engine.pipeline.texts import is_gone, read_toml
from engine.source import Diagnostic, DiagnosticError
from engine.source.nearest import did_you_mean
from engine.source.paths import shown_path
from engine.source.toml import TomlFile

Group = Literal["effects", "ambience", "interface"]

EXTENSIONS = (".wav", ".ogg", ".flac", ".mp3")
ALIAS_FILE = "sounds.toml"

_GROUPS = ("effects", "ambience", "interface")
_KEYS = ("files", "volume", "jitter", "min", "max", "positional", "loop", "group")


@dataclass(frozen=True, slots=True)
class SoundAlias:
    """What a script's sound name plays.

    files       one is picked at random, never the same twice running
    volume      0..1
    jitter      the pitch varies by this part up and down, 0..0.3
    near, far   inches: full volume within `near`, silence beyond `far`
    positional  False for sounds that are heard everywhere
    group       which of the three volumes it obeys
    """

    name: str
    files: tuple[Path, ...]
    volume: float = 1.0
    jitter: float = 0.0
    near: float = 80.0
    far: float = 2000.0
    positional: bool = True
    loop: bool = False
    group: Group = "effects"


def find_files(folder: Path) -> dict[str, Path]:
    """Sound files below a folder by lower-case name without extension; a preferred format wins."""
    found: dict[str, Path] = {}
    for path in sorted(walk(folder)):
        suffix = path.suffix.lower()
        if suffix not in EXTENSIONS or not os.path.isfile(path):
            continue
        known = found.get(path.stem.lower())
        if known is None or EXTENSIONS.index(suffix) < EXTENSIONS.index(known.suffix.lower()):
            found[path.stem.lower()] = path
    return found


def read_aliases(path: Path, files: Mapping[str, Path]) -> tuple[dict[str, SoundAlias], list[Diagnostic]]:
    """The aliases of a `sounds.toml` that can be used, and what is wrong with the others."""
    try:
        file = read_toml(path, shown_path(path))
    except OSError as error:
        if is_gone(path, error):
            return {}, []
        raise
    except DiagnosticError as error:
        return {}, list(error.diagnostics)
    aliases: dict[str, SoundAlias] = {}
    faults: list[Diagnostic] = []
    for name, table in file.data.items():
        reader = _AliasReader(file, name, files)
        alias = reader.read(table)
        faults += reader.faults
        if alias is not None:
            aliases[alias.name] = alias
    return aliases, faults


class _AliasReader:
    def __init__(self, file: TomlFile, name: str, files: Mapping[str, Path]) -> None:
        self.file, self.name, self.known_files = file, name, files
        self.faults: list[Diagnostic] = []

    def fault(self, key: str | None, code: str, message: str, note: str | None = None) -> None:
        span = self.file.span((self.name, key) if key else (self.name,))
        diagnostic = Diagnostic(code, message, span)
        self.faults.append(diagnostic.with_note(note) if note else diagnostic)

    def read(self, table: Any) -> SoundAlias | None:
        if not isinstance(table, dict):
            self.fault(None, "bad-setting", f"`{self.name}` must be a table with `files`")
            return None
        for key in table:
            if key not in _KEYS:
                hint = did_you_mean(key, _KEYS) or "known here: " + ", ".join(_KEYS)
                self.fault(key, "unknown-setting", f"unknown setting `{key}`", hint)
        files = self._files(table)
        if not files:
            return None
        group = table.get("group", "effects")
        if group not in _GROUPS:
            self.fault("group", "bad-setting", "`group` must be one of " + ", ".join(_GROUPS))
            group = "effects"
        near = self._number(table, "min", 80.0, 1e5)
        return SoundAlias(
            name=self.name.lower(),
            files=files,
            volume=self._number(table, "volume", 1.0, 1.0),
            jitter=self._number(table, "jitter", 0.0, 0.3),
            near=near,
            far=max(near, self._number(table, "max", 2000.0, 1e6)),
            positional=self._flag(table, "positional", True),
            loop=self._flag(table, "loop", False),
            group=group,
        )

    def _files(self, table: Mapping[str, Any]) -> tuple[Path, ...]:
        names = table.get("files")
        if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
            self.fault("files", "bad-setting", "`files` must be a list of names of sound files")
            return ()
        found = []
        for name in names:
            path = self.known_files.get(name.lower())
            if path is None:
                hint = did_you_mean(name, self.known_files)
                self.fault("files", "missing-sound", f"there is no sound file `{name}`", hint)
            else:
                found.append(path)
        return tuple(found)

    def _number(self, table: Mapping[str, Any], key: str, default: float, high: float) -> float:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= high:
            self.fault(key, "bad-setting", f"`{key}` must be a number from 0 to {high:g}")
            return default
        return float(value)

    def _flag(self, table: Mapping[str, Any], key: str, default: bool) -> bool:
        value = table.get(key, default)
        if not isinstance(value, bool):
            self.fault(key, "bad-setting", f"`{key}` must be true or false")
            return default
        return value
