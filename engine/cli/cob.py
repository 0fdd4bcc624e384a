"""`notetrack cob`: looks into a compiled unit script."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.output import OK, PROBLEMS, FilePath, Reporter, counted, fail, keep_sources
from engine.cob.assembler import assemble
from engine.cob.compiler import compile_bos
from engine.cob.container import CobFile, read_cob, write_cob
from engine.cob.decompiler import decompile
from engine.cob.disassembler import disassemble, instructions
from engine.cob.isa import BANNER_MARKER
from engine.cob.profiles import PROFILES
from engine.cob.verifier import verify
from engine.source import DiagnosticError, SourceText

_FILE = click.argument("file", type=FilePath())


def _read(file: Path) -> CobFile:
    try:
        data = file.read_bytes()
    except OSError as error:
        fail(f"cannot read {file}: {error.strerror}")
    try:
        return read_cob(data, str(file))
    except DiagnosticError as error:
        Reporter().all(error.diagnostics)
        raise SystemExit(PROBLEMS) from None


@click.group("cob")
def cob() -> None:
    """Look into a compiled unit script (.cob)."""


@cob.command("info")
@_FILE
def info(file: Path) -> None:
    """Version, scripts, pieces and sizes."""
    program = _read(file)
    game = "Total Annihilation" if program.version == 4 else "Kingdoms"
    click.echo(f"version {program.version} ({game})")
    click.echo(f"code    {len(program.code)} words, {sum(1 for _ in instructions(program))} instructions")
    click.echo(f"statics {program.statics}")
    for title, names in (("scripts", [f"{s.entry:6} {s.name}" for s in program.scripts]),
                         ("pieces", [f"{i:6} {name}" for i, name in enumerate(program.pieces)]),
                         ("sounds", [f"{i:6} {name}" for i, name in enumerate(program.sounds)])):  # fmt: skip
        if names:
            click.echo(f"{title}")
            for line in names:
                click.echo(f"  {line}")


@cob.command("disasm")
@_FILE
def disasm(file: Path) -> None:
    """The code as instructions, by script."""
    click.echo(disassemble(_read(file)), nl=False)


def _write(output: Path | None, data: bytes) -> None:
    if output is None:
        click.echo(data.decode("latin-1"), nl=False)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")


@cob.command("asm")
@_FILE
@click.option("-o", "--output", required=True, type=FilePath(), help="The .cob file.")
def asm(file: Path, output: Path) -> None:
    """Assemble a listing of `cob disasm`, changed or not."""
    keep_sources(output, file)
    try:
        program = assemble(SourceText.read(file))
    except OSError as error:
        fail(f"cannot read {file}: {error.strerror}")
    except DiagnosticError as error:
        Reporter().all(error.diagnostics)
        raise SystemExit(PROBLEMS) from None
    _write(output, write_cob(program))


@cob.command("decompile")
@_FILE
@click.option("-o", "--output", type=FilePath(), help="The .bos file; by default the terminal.")
@click.option(
    "--profile",
    type=click.Choice(sorted(PROFILES)),
    default="scriptor",
    show_default=True,
    help="The compiler that is to make the same program of it.",
)
def decompile_command(file: Path, output: Path | None, profile: str) -> None:
    """Write BOS source, and say so if it compiles to other code words."""
    if output is not None and output.is_file() and output.samefile(file):
        keep_sources(output, file)
    program = _read(file)
    result = decompile(program, PROFILES[profile], str(file))
    reporter = Reporter()
    reporter.all(result.problems)
    _write(output, result.text.encode("latin-1"))
    if not reporter.errors and not _same(program, result.text, profile):
        reporter.plain(
            f"note: the {profile} compiler makes other code words of this source; try another --profile"
        )
    raise SystemExit(PROBLEMS if reporter.errors else OK)


def _same(program: CobFile, text: str, profile: str) -> bool:
    """Whether a source compiles to the program, but for a banner that no source has."""
    try:
        again = compile_bos(SourceText("<decompiled>", text), profile=PROFILES[profile]).cob
    except DiagnosticError:
        return False
    banner = any(i.words[0] == BANNER_MARKER for i in instructions(program))
    return banner or (again.code, again.scripts) == (program.code, program.scripts)


@cob.command("verify")
@_FILE
def verify_command(file: Path) -> None:
    """Check boundaries, jumps, operands and stack depth on all paths without running anything."""
    reporter = Reporter()
    reporter.all(verify(_read(file), str(file)))
    if reporter.errors == 0:
        click.echo(f"{file}: no errors, {counted(reporter.warnings, 'warning')}")
    raise SystemExit(PROBLEMS if reporter.errors else OK)
