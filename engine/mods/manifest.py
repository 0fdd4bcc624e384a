"""`mod.toml`: what a mod is called, what it needs and which policies hold for its threads."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.gsc.dialect import DIALECTS
from engine.pipeline.texts import is_gone, read_toml, unreadable
from engine.source import Diagnostic, DiagnosticError, Span
from engine.source.nearest import did_you_mean
from engine.source.toml import TomlFile
from engine.vm.fates import ReloadPolicy

FILE_NAME = "mod.toml"

ErrorPolicy = Literal["stop", "continue", "halt"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "dialect": tuple(DIALECTS),
    "on_error": ("stop", "continue", "halt"),
    "reload": ("restart", "keep", "end"),
}
_TEXTS = ("name", "title", "description", "level", "gametype", "autostart")
_LISTS = ("requires",)
_NUMBERS = {"max_anim_infos": (1, 1 << 24)}
_KEYS = (*_TEXTS, *_LISTS, *_CHOICES, *_NUMBERS)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A mod's settings; every key of `mod.toml` is optional.

    name        what others call it in `requires`; the folder's name by default
    title       a line for people
    level       the level to play when none is asked for
    gametype    the script `maps/mp/gametypes/GAMETYPE` that holds the rules
    autostart   a script whose `main` is started once the game runs, so that a mod can add to a game without
                shadowing any file of it
    requires    mods that must be below this one in the search order
    on_error    what a run-time error does: `stop` ends the thread, `continue` goes on with undefined,
                `halt` ends the run
    reload      what a reload does to a thread of this mod that waits where the new text has no such place:
                `restart` begins it again, `keep` lets it finish on the old code, `end` ends it
    max_anim_infos  animation nodes that may play at once; the original game has 2,048
    file        what was read, for the places of settings
    """

    name: str
    title: str = ""
    description: str = ""
    dialect: str = "uo"
    on_error: ErrorPolicy | None = None
    reload: ReloadPolicy = "restart"
    level: str | None = None
    gametype: str | None = None
    autostart: str | None = None
    requires: tuple[str, ...] = ()
    max_anim_infos: int | None = None
    file: TomlFile | None = field(default=None, compare=False, repr=False)

    def place(self, key: str, text: str = "") -> Span | None:
        """Where the file says something: the given text in the value of a key, or the key. None without a file."""
        if self.file is None:
            return None
        return self.file.text_span(key, text) if text else self.file.span((key,))


def read_manifest(
    folder: Path, shown: str | None = None, problems: list[Diagnostic] | None = None
) -> Manifest:
    """Read a mod folder's manifest; a folder without the file is a mod of the folder's name.

    Raises DiagnosticError with everything that is wrong in the file; with a list of `problems` it goes there instead,
    and what is right in the file counts.
    """
    path = folder / FILE_NAME
    default = Path(os.path.realpath(folder)).name.lower()
    shown = f"{shown}/{FILE_NAME}" if shown else None
    try:
        file = read_toml(path, shown)
    except OSError as error:
        if not is_gone(path, error):
            fault = unreadable(path, error, shown)
            if problems is None:
                raise DiagnosticError([fault]) from None
            problems.append(fault)
        return Manifest(default)
    except DiagnosticError as error:
        if problems is None:
            raise
        problems += error.diagnostics
        return Manifest(default)
    found: list[Diagnostic] = []

    def wrong(key: str, message: str) -> None:
        found.append(Diagnostic("bad-mod-setting", message, file.span((key,))))

    values: dict[str, Any] = {"name": default}
    for key, value in file.data.items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS) or f"known are {', '.join(sorted(_KEYS))}"
            wrong(key, f"unknown setting '{key}'; {hint}")
        elif key in _LISTS:
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                wrong(key, f"'{key}' takes a list of mod names")
            else:
                values[key] = tuple(item.lower() for item in value)
        elif key in _NUMBERS:
            least, most = _NUMBERS[key]
            if type(value) is not int or not least <= value <= most:
                wrong(key, f"'{key}' takes a whole number from {least} to {most}")
            else:
                values[key] = value
        elif not isinstance(value, str):
            wrong(key, f"'{key}' takes a text in quotes")
        elif key in _CHOICES and value not in _CHOICES[key]:
            wrong(key, f"'{key}' is one of {', '.join(_CHOICES[key])}")
        else:
            values[key] = value.lower() if key in ("name", "level", "gametype") else value
    if problems is not None:
        problems += found
    elif found:
        raise DiagnosticError(found)
    return Manifest(**values, file=file)
