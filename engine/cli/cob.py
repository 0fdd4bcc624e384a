"""`notetrack cob`: looks into a compiled unit script."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.output import OK, PROBLEMS, Reporter, fail
from engine.cob.container import CobFile, read_cob
from engine.cob.disassembler import disassemble, instructions
from engine.cob.verifier import verify
from engine.source import DiagnosticError

_FILE = click.argument("file", type=click.Path(path_type=Path))


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


@cob.command("verify")
@_FILE
def verify_command(file: Path) -> None:
    """Check boundaries, jumps, operands and stack depth on all paths without running anything."""
    reporter = Reporter()
    reporter.all(verify(_read(file), str(file)))
    if reporter.errors == 0:
        click.echo(f"{file}: no errors, {reporter.warnings} warnings")
    raise SystemExit(PROBLEMS if reporter.errors else OK)
