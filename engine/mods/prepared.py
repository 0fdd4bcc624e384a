"""What a save brings, read and compiled before anything of it is put into the game.

Everything that is wrong anywhere in the set is found here, and then nothing changes. Models, clips and sounds are the
exception: the library keeps what it had of each that cannot be read, so they are looked at when the rest is right, and
before the scripts are compiled, whose trees may want new clips.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from engine.linescript.program import Program
from engine.mods.contents import SURFACES, WEAPONS, FreshLevel
from engine.mods.cvars import FILE_NAME as CVARS
from engine.mods.kinds import LEVELS, LINES, SCRIPTS, SETTINGS, TABLES, UNITS
from engine.mods.manifest import FILE_NAME as MANIFEST
from engine.mods.program import Build
from engine.mods.rereading import Faults
from engine.mods.units import FreshUnits
from engine.source import Diagnostic, DiagnosticError
from engine.world.weapons import Weapon

if TYPE_CHECKING:
    from engine.mods.session import GameSession

T = TypeVar("T")


Kind = Literal[
    "manifests", "cvars", "weapons", "surfaces", "scripts", "lines", "units", "tables", "levels", "assets"
]

_NAMES: dict[str, Kind] = {MANIFEST: "manifests", CVARS: "cvars", SURFACES: "surfaces"}
_SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys(SCRIPTS, "scripts"),
    **dict.fromkeys(LINES, "lines"),
    **dict.fromkeys(UNITS, "units"),
    **dict.fromkeys(TABLES, "tables"),
    **dict.fromkeys(LEVELS, "levels"),
}


def kind_of(path: Path) -> Kind:
    """What a file is part of."""
    if path.suffix.lower() in SETTINGS and path.parent.name.lower() == WEAPONS:
        return "weapons"
    return _NAMES.get(path.name.lower()) or _SUFFIXES.get(path.suffix.lower(), "assets")


def only_scripts(files: Iterable[Path]) -> bool:
    """Whether what these files bring can be compiled ahead of the frame that takes it in."""
    return all(kind_of(path) == "scripts" for path in files)


class Wanted:
    """What of a game some files may change; everything that can be read again with `everything`."""

    def __init__(self, files: Sequence[Path], level: str, *, everything: bool = False) -> None:
        """`level` is the one that is played; another does not matter now."""
        self.files = files
        self._everything = everything
        self._kinds = {kind_of(path) for path in files}
        self._levels = {path.stem.lower() for path in files if kind_of(path) == "levels"}
        self._level = level.lower()

    def __contains__(self, kind: Kind) -> bool:
        if kind in ("levels", "surfaces"):
            return kind in self._kinds and (kind == "surfaces" or self._level in self._levels)
        # Another mod, or another order of them, may bring other files of these kinds.
        led = kind in ("scripts", "lines", "assets") and "manifests" in self._kinds
        return self._everything or led or kind in self._kinds

    @property
    def other_levels(self) -> bool:
        return bool(self._levels) and self._level not in self._levels


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the scripts as they are saved compile to, or what is wrong with them, and how many ms it took to know."""

    result: Build | DiagnosticError
    ms: float


def compiled(session: GameSession) -> Compiled:
    """Compile the scripts as they are now."""
    begin = time.monotonic()
    result: Build | DiagnosticError
    try:
        result = session.rebuild()
    except DiagnosticError as error:
        result = error
    except Exception as error:
        # A fault of the engine's own at a save must not end the game, nor what comes after it.
        text = f"the engine failed at this save: {type(error).__name__}: {error}"
        problem = Diagnostic("internal", text).with_note("please report it with the files that were saved")
        result = DiagnosticError([problem])
    return Compiled(result, (time.monotonic() - begin) * 1000.0)


@dataclass(slots=True)
class Prepared:
    """What is to be put in: None or nothing where the save brings none of it. `problems` is everything that is wrong,
    and `faulty` of what kinds; while there are problems, nothing may be put in.

    assets    names of models and clips that are new; these are in the game already
    kept      models and clips that cannot be read and stay as they were, and why; that is told already
    build_ms  how long compiling took
    """

    cvars: dict[str, str] | None = None
    weapons: dict[str, Weapon] | None = None
    lines: dict[str, Program] = field(default_factory=dict)
    units: FreshUnits | None = None
    level: FreshLevel | None = None
    assets: tuple[str, ...] = ()
    kept: dict[str, Faults] = field(default_factory=dict)
    build: Build | None = None
    build_ms: float = 0.0
    problems: list[Diagnostic] = field(default_factory=list)
    faulty: set[Kind] = field(default_factory=set)

    def refuse(self, kind: Kind, error: DiagnosticError) -> None:
        self.faulty.add(kind)
        self.problems += [d for d in error.diagnostics if d.severity != "warning"]

    def attempt(self, kind: Kind, wanted: Wanted, read: Callable[[], T]) -> T | None:
        """What reading gives, if the kind is wanted and nothing is wrong with it."""
        try:
            return read() if kind in wanted else None
        except DiagnosticError as error:
            self.refuse(kind, error)
            return None


def prepare(session: GameSession, wanted: Wanted, ahead: Compiled | None) -> Prepared:
    """Read all that is wanted. `ahead` is what the scripts compile to, if that is known."""
    contents, intake = session.contents, session.intake
    found = Prepared()
    found.cvars = found.attempt("cvars", wanted, contents.cvars)
    found.weapons = found.attempt("weapons", wanted, intake.read_weapons)
    found.lines = found.attempt("lines", wanted, session.world.lives.changed) or {}
    found.units = found.attempt("units", wanted, contents.units.read_again)
    if "assets" in wanted and not found.problems:
        read = intake.assets(wanted.files)
        found.assets, found.kept = read.changed, read.broken
        if read.broken:
            found.faulty.add("assets")
    found.level = found.attempt("levels", wanted, session.fresh_level)
    if "scripts" in wanted or found.assets:
        result = ahead or compiled(session)
        found.build_ms = result.ms
        if isinstance(result.result, DiagnosticError):
            found.refuse("scripts", result.result)
        else:
            found.build = result.result
    return found
