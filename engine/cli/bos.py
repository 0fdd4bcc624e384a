"""`notetrack bos`: compiles unit scripts. One bad file does not stop the others."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import click

from engine import paths
from engine.cli.output import OK, PROBLEMS, USAGE, FilePath, Reporter, fail, keep_sources
from engine.cob.bos_codegen import CompiledUnit
from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, write_cob
from engine.cob.profiles import PROFILES
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError, SourceText


def _write(path: Path, data: bytes) -> None:
    """Write through a temporary file, so that a failure never leaves half a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    half.write_bytes(data)
    half.replace(path)


def _size(cob: CobFile) -> str:
    counts = ((len(cob.scripts), "script"), (len(cob.pieces), "piece"), (len(cob.code), "code word"))
    return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)


def _positions(unit: CompiledUnit) -> bytes:
    """The side file for debuggers: `[word, path, line, column]` for every instruction."""
    rows = [[at, span.path, *span.source.line_col(span.start)] for at, span in sorted(unit.spans.items())]
    return json.dumps({"version": 1, "instructions": rows}).encode()


def _pieces(model: str) -> tuple[str, ...]:
    """The nodes of a model."""
    problems: list[Diagnostic] = []
    library = AssetLibrary([paths.assets()], None, problems.append)
    if not library.has_model(model.lower()):
        fail(f"there is no model '{model}'")
    return library.model(model.lower()).skeleton.names


@click.command("bos")
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(),
    help="The .cob file; a folder where it is one, ends in / or gets several FILEs.",
)
@click.option(
    "--profile",
    type=click.Choice(sorted(PROFILES)),
    default="scriptor",
    show_default=True,
    help="Whose compiler to match.",
)
@click.option("--linear", type=float, help="What [1] is worth, instead of the profile's scale.")
@click.option("--angular", type=float, help="What <1> is worth, instead of the profile's scale.")
@click.option(
    "-I",
    "include",
    multiple=True,
    type=FilePath(),
    help="A folder to look for includes in (repeatable).",
)
@click.option(
    "--target",
    type=click.Choice(["ta", "tak"]),
    help="Total Annihilation or Kingdoms; by default what the source defines, else ta.",
)
@click.option(
    "--safe-end",
    is_flag=True,
    help="Give every reachable end of a function a return (not what the old compilers did).",
)
@click.option("--model", help="A model of the engine's assets: warn of pieces that it lacks.")
@click.option(
    "--positions", is_flag=True, help="Also write OUTPUT.json: the source place of every instruction."
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How problems are printed."
)
def bos(
    files: tuple[Path, ...],
    output: str,
    profile: str,
    linear: float | None,
    angular: float | None,
    include: tuple[Path, ...],
    target: str | None,
    safe_end: bool,
    model: str | None,
    positions: bool,
    style: str,
) -> None:
    """Compile unit scripts (.bos) to .cob programs."""
    if not output:
        fail("the path of the output is empty")
    chosen = PROFILES[profile]
    if linear is not None:
        chosen = replace(chosen, linear=linear)
    if angular is not None:
        chosen = replace(chosen, angular=angular)
    reporter = Reporter(style)
    pieces = _pieces(model) if model is not None else None
    target_path = Path(output)
    into_folder = len(files) > 1 or target_path.is_dir() or output.endswith(("/", os.sep))
    if into_folder and target_path.is_file():
        fail(f"{target_path} is a file; several programs need a folder")
    outputs = [target_path / (file.stem + ".cob") if into_folder else target_path for file in files]
    for path in outputs:
        keep_sources(path, *files)
    twice = next((path for path in outputs if outputs.count(path) > 1), None)
    if twice is not None:
        fail(f"two of the sources would both become {twice}; compile them to folders of their own")
    status = OK
    for file, path in zip(files, outputs, strict=True):
        warnings: list[Diagnostic] = []
        try:
            source = SourceText.read(file)
        except OSError as error:
            reporter.plain(f"cannot read {file}: {error.strerror}")
            status = USAGE
            continue
        try:
            unit = compile_bos(
                source,
                folder=file.parent,
                include_path=include,
                profile=chosen,
                target=target,
                safe_end=safe_end,
                model_pieces=pieces,
                warnings=warnings,
            )
        except DiagnosticError as error:
            reporter.all(error.diagnostics)
            status = max(status, PROBLEMS)
            continue
        reporter.all(warnings)
        try:
            _write(path, write_cob(unit.cob))
            if positions:
                _write(path.with_name(path.name + ".json"), _positions(unit))
        except OSError as error:
            reporter.plain(f"cannot write {path}: {error.strerror}")
            status = USAGE
            continue
        if style == "text":
            click.echo(f"{path}: {_size(unit.cob)}", err=True)
    raise SystemExit(status)
