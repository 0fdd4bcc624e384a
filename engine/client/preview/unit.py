"""A unit that is previewed: a model whose pieces a unit script moves, and the script with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, read_cob
from engine.cob.disassembler import instructions
from engine.cob.profiles import PROFILES
from engine.cob.unit import UnitProgram
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.pipeline.names import asset_name
from engine.source import Diagnostic, SourceText, Span
from engine.source.nearest import did_you_mean

SOURCES = (".bos", ".cob")
FOLDER = "units"


@dataclass(frozen=True, slots=True)
class UnitOrder:
    """What the user asked for: the script's file, a model where it is not that of the script's name, and further
    folders for includes."""

    file: Path
    model: str | None = None
    folders: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        return self.file.stem.lower()


@dataclass(frozen=True, eq=False)
class UnitSubject:
    """A script bound to a model.

    spans     the source place of each instruction by its code word; empty for a compiled program
    ports     the ports that the script reads, in ascending order
    warnings  what is doubtful about the script, among it pieces that the model lacks
    """

    name: str
    file: Path
    model: Model
    program: UnitProgram
    ports: tuple[int, ...]
    spans: Mapping[int, Span] = field(default_factory=dict)
    warnings: tuple[Diagnostic, ...] = ()

    def line(self, word: int) -> int | None:
        """The source line of the instruction at a code word, None where there is no source."""
        span = self.spans.get(word)
        return span.line if span is not None else None


def find_unit(name: str, folders: Sequence[Path]) -> Path | None:
    """The script of a name or path: a file that is named as such, else `NAME.bos` or `NAME.cob` of a folder."""
    path = Path(name)
    if path.suffix.lower() in SOURCES:
        return path if path.is_file() else None
    files = [file for folder in folders if folder.is_dir() for file in sorted(folder.iterdir())]
    wanted = asset_name(name)
    return next((f for f in files if f.suffix.lower() in SOURCES and f.stem.lower() == wanted), None)


def open_unit(order: UnitOrder, library: AssetLibrary) -> UnitSubject:
    """Read script and model afresh. Raises DiagnosticError, or OSError where the file cannot be read."""
    model = library.model(order.model or order.name)
    warnings: list[Diagnostic] = []
    if order.file.suffix.lower() == ".cob":
        cob = read_cob(order.file.read_bytes(), str(order.file))
        program, spans = UnitProgram.of(order.name, cob), {}
        for piece in cob.pieces:
            if piece.lower() not in model.skeleton.index:
                hint = did_you_mean(piece.lower(), model.skeleton.names)
                text = f"model '{model.name}' has no piece '{piece}'" + (f"; {hint}" if hint else "")
                warnings.append(Diagnostic("bos-missing-piece", text, severity="warning"))
    else:
        unit = compile_bos(
            SourceText.read(order.file),
            folder=order.file.parent,
            include_path=order.folders,
            profile=PROFILES["engine"],
            safe_end=True,
            model_pieces=model.skeleton.names,
            warnings=warnings,
        )
        cob, spans = unit.cob, unit.spans
        program = UnitProgram.of(order.name, cob, unit.statics)
    return UnitSubject(order.name, order.file, model, program, ports_read(cob), spans, tuple(warnings))


def ports_read(cob: CobFile) -> tuple[int, ...]:
    """The ports that code asks for by a constant with `get-unit-value`."""
    found: set[int] = set()
    last = -1
    for instruction in instructions(cob):
        name = instruction.op.name if instruction.op is not None else ""
        if name == "get-unit-value" and last >= 0:
            found.add(last)
        last = instruction.operands[0] if name == "push-constant" else -1
    return tuple(sorted(found))
