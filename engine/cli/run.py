"""`notetrack run FILE`: a script in simulated time, without a window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from engine.gsc.catalogue import FolderSearch
from engine.gsc.dialect import DIALECTS, UO, Dialect
from engine.gsc.program import Program, load_program
from engine.natives.catalogue import Catalogue
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.paths import canonical, find_file
from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.errors import Halted, Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM

if TYPE_CHECKING:
    from engine.mods.trees import AnimationTable

FRAME_MS = 50

FINE, PROBLEMS, USAGE, RUNTIME = 0, 1, 2, 3
"""Exit codes."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--root", type=click.Path(path_type=Path), help="Folder of scripts and animtrees (default: the file's)."
)
@click.option("--entry", default="main", show_default=True, help="Function to start, with self = level.")
@click.option(
    "--until", "seconds", type=float, default=60.0, show_default=True, help="Simulated seconds at most."
)
@click.option("--developer/--no-developer", default=True, show_default=True, help="Keep developer code.")
@click.option(
    "--on-error", type=click.Choice([p.value for p in Policy]), default="stop", show_default=True,
    help="What a run-time error does.",
)  # fmt: skip
@click.option("--dialect", type=click.Choice(sorted(DIALECTS)), default=UO.name, show_default=True)
def run(
    file: Path, root: Path | None, entry: str, seconds: float, developer: bool, on_error: str, dialect: str
) -> int:
    """Run a script in simulated time. stdout has what it prints, stderr what is wrong."""
    return run_file(
        file,
        root=root,
        entry=entry,
        seconds=seconds,
        settings=Settings(developer=developer, on_error=Policy(on_error)),
        dialect=DIALECTS[dialect],
        out=_latin1_writer(),
        err=sys.stderr,
    )


def run_file(
    file: Path,
    *,
    root: Path | None = None,
    entry: str = "main",
    seconds: float = 60.0,
    settings: Settings | None = None,
    dialect: Dialect = UO,
    out: Callable[[str], object],
    err: TextIO,
) -> int:
    """What `notetrack run` does, in this process. Returns the exit code."""
    settings = settings or Settings()

    def complain(diagnostic: Diagnostic) -> None:
        err.write(to_text(diagnostic) + "\n")

    if not file.is_file():
        err.write(f"{file}: error: there is no such file\n")
        return USAGE
    if not seconds >= 0 or seconds > 1_000_000:
        err.write("error: --until takes seconds from 0 to 1000000\n")
        return USAGE
    base = root if root is not None else file.parent
    try:
        name = canonical(file.resolve().relative_to(base.resolve()).with_suffix("").as_posix())
    except ValueError:
        err.write(f"{file}: error: the file is not below the root folder {base}\n")
        return USAGE
    vm = VM(core_registry(), settings=settings, report=complain, out=out, known=Catalogue())
    try:
        program = load_program(
            [name], FolderSearch(base), vm.natives, dialect=dialect, developer=settings.developer
        )
        animations = resolve_animations(program, base)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            complain(diagnostic)
        return PROBLEMS
    for diagnostic in program.diagnostics:
        complain(diagnostic)
    if program.function(name, entry.lower()) is None:
        err.write(f"{file}: error: there is no function '{entry}' to start\n")
        return PROBLEMS
    return simulate(vm, program, animations, f"{name}::{entry}", seconds)


def resolve_animations(program: Program, root: Path) -> AnimationTable:
    """The animation values of a program by the trees below `root`. Clips are not looked for: nothing is played.

    Raises `DiagnosticError` for a tree or an animation that is missing."""
    if not program.trees:
        return {}
    # Trees need the animation room, which scripts without any should not wait for.
    from engine.mods.trees import NoClips, load_trees, resolve

    folder = root / "animtrees"

    def find(name: str) -> SourceText | None:
        path = find_file(folder, name, ".atr")
        return SourceText.read(path) if path is not None else None

    known = (canonical(p.relative_to(folder).with_suffix("").as_posix()) for p in folder.rglob("*.atr"))
    return resolve(program, load_trees(program, find, NoClips(), known=known).trees, {})


def simulate(vm: VM, program: Program, animations: AnimationTable, entry: str, seconds: float) -> int:
    """Run server frames until the time is over or no thread waits for a time."""
    try:
        vm.link(program, animations)
        vm.start(entry)
        vm.drain()
        while not vm.idle and vm.time + FRAME_MS <= seconds * 1000:
            vm.time += FRAME_MS
            vm.advance(FRAME_MS)
            vm.drain()
    except Halted:
        return RUNTIME
    return RUNTIME if vm.reporter.total else FINE


def _latin1_writer() -> Callable[[str], object]:
    """Writes script text to stdout, a byte a character and with line feeds as they are."""
    binary = sys.stdout.buffer
    return lambda text: binary.write(text.encode("latin-1", "replace"))
