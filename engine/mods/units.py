"""Unit scripts of the mods: `units/NAME.bos`, compiled when they are first used, or `units/NAME.cob`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.cob.compiler import compile_bos
from engine.cob.container import read_cob
from engine.cob.profiles import PROFILES
from engine.cob.unit import UnitProgram
from engine.pipeline.files import paths_in, read_file
from engine.pipeline.texts import MAX_TEXT, read_text, readable
from engine.source import Diagnostic, DiagnosticError, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import shown_path

FOLDER = "units"

Tell = Callable[[Diagnostic], None]
Places = dict[int, Span]
"""Where each instruction of a source stands, by its code word. A program that comes compiled has none."""


@dataclass(frozen=True, slots=True)
class FreshUnits:
    """What unit scripts compile to: the programs that differ, and the places of all, since lines may have moved where
    the program is the same."""

    programs: dict[str, UnitProgram]
    places: dict[str, Places]


class UnitLibrary:
    """Programs by name; those of earlier folders hide those of later ones. `folders` gives them as they are now, `tell`
    hears what is wrong."""

    def __init__(self, folders: Callable[[], Sequence[Path]], tell: Tell) -> None:
        self._folders = folders
        self._tell = tell
        self._programs: dict[str, UnitProgram] = {}
        self._broken: set[str] = set()
        self._faults: set[tuple[str | int, ...]] = set()
        self._places: dict[str, Places] = {}

    def unit(self, name: str) -> UnitProgram | None:
        """The program of a name; None where there is none, or none that compiles (which was told)."""
        name = name.lower()
        if name not in self._programs and name not in self._broken:
            path = self._find(name)
            if path is None:
                return None
            try:
                self._programs[name], self._places[name] = self._read(name, path)
            except DiagnosticError as error:
                self._broken.add(name)
                for diagnostic in error.diagnostics:
                    self._tell(diagnostic)
        return self._programs.get(name)

    def unit_names(self) -> Sequence[str]:
        return sorted({path.stem.lower() for path in self._files()})

    def unit_fault(self, program: str, script: str, code: str, at: int) -> None:
        """Told once for each place: a unit that faults does so every time."""
        if (program, script, code, at) not in self._faults:
            self._faults.add((program, script, code, at))
            text = f"script '{script}' of unit '{program}' ended with fault {code}"
            place = self._places.get(program, {}).get(at)
            if place is None:
                text += f" at code word {at}"
            self._tell(Diagnostic("cob-fault", text, place, "runtime error"))

    def unit_lacks(self, program: str, model: str, piece: str, known: Sequence[str]) -> None:
        if (program, model, "piece", piece) not in self._faults:
            self._faults.add((program, model, "piece", piece))
            hint = did_you_mean(piece, known)
            text = f"model '{model}' has no piece '{piece}' for unit script '{program}'" + (
                f"; {hint}" if hint else ""
            )
            self._tell(Diagnostic("bos-missing-piece", text, severity="warning"))

    def read_again(self) -> FreshUnits:
        """Compile what is in use anew; `take` lets it count. Raises DiagnosticError with everything that is wrong."""
        fresh: dict[str, UnitProgram] = {}
        places: dict[str, Places] = {}
        problems: list[Diagnostic] = []
        for name in [*self._programs, *self._broken]:
            path = self._find(name)
            if path is None:
                continue
            try:
                program, places[name] = self._read(name, path)
            except DiagnosticError as error:
                problems += [d for d in error.diagnostics if d.severity != "warning"]
                continue
            old = self._programs.get(name)
            if old is None or (old.cob, old.statics) != (program.cob, program.statics):
                fresh[name] = program
        if problems:
            raise DiagnosticError(problems)
        return FreshUnits(fresh, places)

    def take(self, fresh: FreshUnits) -> None:
        """Give these programs from now on."""
        self._programs.update(fresh.programs)
        self._places.update(fresh.places)
        self._broken.clear()
        self._faults.clear()

    def _files(self) -> Iterator[Path]:
        for folder in self._folders():
            yield from (p for p in paths_in(folder) if p.suffix.lower() in (".bos", ".cob"))

    def _find(self, name: str) -> Path | None:
        """A source wins over a program of the same folder."""
        return next((path for path in self._files() if path.stem.lower() == name), None)

    def _read(self, name: str, path: Path) -> tuple[UnitProgram, Places]:
        with readable(path, shown_path(path)):
            if path.suffix.lower() == ".cob":
                return UnitProgram.of(name, read_cob(read_file(path, MAX_TEXT), shown_path(path))), {}
            source = read_text(path, shown_path(path))
        warnings: list[Diagnostic] = []
        unit = compile_bos(
            source,
            folder=path.parent,
            include_path=self._folders(),
            profile=PROFILES["engine"],
            safe_end=True,
            warnings=warnings,
        )
        for warning in warnings:
            self._tell(warning)
        return UnitProgram.of(name, unit.cob, unit.statics), unit.spans
