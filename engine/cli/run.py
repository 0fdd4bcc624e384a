"""`notetrack run FILE`: a program in simulated time, without a window."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, get_args

import click

from engine import paths
from engine.cli.options import refuse_options
from engine.cli.output import OK, PROBLEMS, RUNTIME, USAGE, FilePath, give_up_output
from engine.cob.profiles import PROFILES
from engine.cob.threads import ArgOrder
from engine.gsc.cache import UnitCache
from engine.gsc.catalogue import FolderSearch
from engine.gsc.code import Make
from engine.gsc.dialect import DIALECTS, UO, Dialect
from engine.gsc.fingerprint import installed, refused, seed_of
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.mods.tables import table_files
from engine.mods.trees import AnimationTable, LinkedTrees, load_trees, resolve
from engine.natives.catalogue import Catalogue
from engine.natives.host import VMHost
from engine.natives.registry import dialect_registries, game_registry
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.paths import canonical, find_file
from engine.source.render import legible, to_text
from engine.vm.errors import Halted, Policy
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.randomness import Random
from engine.vm.tables import Tables
from engine.world.levels import empty_level
from engine.world.world import FRAME, World

UNITS = (".bos", ".cob")
MOST_LINES = 1 << 30
"""Lines that a script may print in a frame: here it writes to whoever started it."""
LINES = ".script"

KINDS = (
    ("scripts", (".gsc",), ("root", "entry", "seconds", "developer", "on_error", "dialect")),
    ("unit scripts", UNITS, ("calls", "ticks", "trace", "arg_order", "seed", "profile", "ports")),
    ("line scripts", (LINES,), ("seconds", "seed", "budget", "settings")),
)
"""Each kind of program with its endings and the options that it takes."""


@click.command()
@click.argument("file", type=FilePath())
@click.option("--root", type=FilePath(), help="Folder of scripts and animtrees (default: the file's).")
@click.option("--entry", default="main", show_default=True, help="Function to start, with self = level.")
@click.option(
    "--until",
    "--seconds",
    "seconds",
    type=float,
    default=60.0,
    show_default=True,
    help="Simulated seconds at most.",
)
@click.option("--developer/--no-developer", default=True, show_default=True, help="Keep developer code.")
@click.option(
    "--on-error",
    type=click.Choice([p.value for p in Policy]),
    help="What a run-time error does (default: stop; for iw4 continue).",
)
@click.option(
    "--dialect",
    type=click.Choice(sorted(DIALECTS)),
    default=UO.name,
    show_default=True,
    help="The language of a .gsc file.",
)
@click.option(
    "--call",
    "calls",
    multiple=True,
    metavar="NAME[:ARG,...][@TICK]",
    help="Unit scripts: start a script before a tick (repeatable).",
)
@click.option(
    "--ticks",
    type=click.IntRange(0, 10_000_000),
    default=300,
    show_default=True,
    help="Unit scripts: how long.",
)
@click.option("--trace", is_flag=True, help="Unit scripts: print one JSON object a tick.")
@click.option(
    "--arg-order",
    type=click.Choice(get_args(ArgOrder)),
    default="natural",
    show_default=True,
    help="Unit scripts: how arguments reach a child.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Unit and line scripts: of the random stream."
)
@click.option(
    "--profile",
    type=click.Choice(sorted(PROFILES)),
    default="scriptor",
    show_default=True,
    help="Unit scripts: whose compiler to match.",
)
@click.option(
    "--port", "ports", multiple=True, metavar="ID=VALUE", help="Unit scripts: what a port reads (repeatable)."
)
@click.option(
    "--budget",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    help="Line scripts: statements a frame.",
)
@click.option(
    "--global",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Line scripts: a variable of the global scope (repeatable).",
)
@click.pass_context
def run(
    context: click.Context, file: Path, root: Path | None, entry: str, seconds: float, developer: bool,
    on_error: str | None, dialect: str, calls: tuple[str, ...], ticks: int, trace: bool,
    arg_order: ArgOrder, seed: int, profile: str, ports: tuple[str, ...], budget: int, settings: tuple[str, ...],
) -> int:  # fmt: skip
    """Run a .gsc script, a .script line script, or a .bos or .cob unit script, in simulated time.

    stdout has what the program prints, stderr what is wrong.
    """
    for kind, endings, options in KINDS:
        if file.suffix.lower() in endings:
            others = {name for _, _, names in KINDS for name in names} - set(options)
            refuse_options(context, others, f"is not for {kind} such as {file.name}")
    if file.suffix.lower() in UNITS:
        from engine.cli.run_unit import run_unit

        return run_unit(
            file, calls=calls, ticks=ticks, trace=trace, arg_order=arg_order, seed=seed, profile=profile,
            ports=ports,
        )  # fmt: skip
    if file.suffix.lower() == LINES:
        from engine.cli.run_script import run_script

        return run_script(
            file, seconds=seconds, budget=budget, settings=settings, seed=seed, out=_latin1_writer()
        )
    return run_file(
        file,
        root=root,
        entry=entry,
        seconds=seconds,
        settings=Settings(
            developer=developer,
            on_error=Policy(on_error) if on_error else None,
            max_log_lines=MOST_LINES,
        ),
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
    """What `notetrack run` does with a script, in this process. Returns the exit code."""
    settings = settings or Settings()

    def complain(diagnostic: Diagnostic) -> None:
        err.write(to_text(diagnostic) + "\n")

    if not file.is_file():
        what = "this is a folder, not a program" if file.is_dir() else "there is no such file"
        err.write(f"{file}: error: {what}\n")
        return USAGE
    if file.suffix.lower() != ".gsc":
        err.write(f"{file}: error: a program is a .gsc, .script, .bos or .cob file\n")
        return USAGE
    if not seconds >= 0 or seconds > 1_000_000:
        err.write("error: --seconds (or --until) is from 0 to 1000000\n")
        return USAGE
    base = root if root is not None else file.parent
    try:
        name = canonical(file.resolve().relative_to(base.resolve()).with_suffix("").as_posix())
    except ValueError:
        err.write(f"{file}: error: the file is not below the root folder {base}\n")
        return USAGE
    library = AssetLibrary([paths.assets()], report=complain)
    code = paths.cache() / "code"
    units, parsed = UnitCache(code), ParseCache(code)
    world, vm = _empty_game(library, settings, complain, out, units)
    try:
        program = load_program(
            [name],
            FolderSearch(base),
            vm.natives,
            dialect=dialect,
            developer=settings.developer,
            cache=parsed,
        )
        linked = load_trees(program, lambda tree: _find_tree(base, tree), library)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            complain(diagnostic)
        if dialect.rules.strict:
            err.write(refused("compile", error.diagnostics) + "\n")
        return PROBLEMS
    for diagnostic in program.diagnostics:
        complain(diagnostic)
    if dialect.rules.strict:
        # The game log is what such a script has for output; random numbers are those of the program.
        vm.game_log = vm.out
        vm.tables = Tables(lambda table: table_files([base], table))
        vm.random = Random(seed_of(program))
        err.write(installed(program) + "\n")
    if program.function(name, entry.lower()) is None:
        err.write(f"{file}: error: there is no function '{entry}' to start\n")
        return PROBLEMS
    try:
        return simulate(world, vm, program, linked, f"{name}::{entry}", seconds)
    finally:
        units.flush()
        parsed.flush()


def _empty_game(
    library: AssetLibrary,
    settings: Settings,
    report: Callable[[Diagnostic], None],
    out: Callable[[str], object],
    make: Make,
) -> tuple[World, VM]:
    """A world without a level, so that everything that needs none works as it does in a game."""
    host = VMHost()
    world = World(empty_level(), host, library, seed=settings.seed)
    vm = VM(
        game_registry(), settings=settings, services=(world,), report=report, out=out, known=Catalogue(),
        dialects=dialect_registries(), make=make
    )  # fmt: skip
    host.attach(vm)
    return world, vm


def simulate(world: World, vm: VM, program: Program, linked: LinkedTrees, entry: str, seconds: float) -> int:
    """Run server frames in the stock order until the time is over, or no thread waits for a time and nothing is
    under way that could wake one."""
    animations: AnimationTable = {}
    try:
        vm.link(program, resolve(program, linked.trees, animations))
        world.set_trees(program.trees, linked.trees)
        vm.start(entry)
        while (not vm.idle or world.eventful) and world.time + FRAME <= seconds * 1000:
            world.frame()
    except Halted:
        return RUNTIME
    return RUNTIME if vm.reporter.total else OK


def _find_tree(root: Path, name: str) -> SourceText | None:
    path = find_file(root / "animtrees", name, ".atr")
    return SourceText.read(path) if path is not None else None


def _latin1_writer() -> Callable[[str], object]:
    """Writes script text to stdout, a byte a character and with line feeds as they are; to a terminal without what
    would drive it."""
    binary = sys.stdout.buffer
    watched = sys.stdout.isatty()

    def write(text: str) -> None:
        data = legible(text).encode("utf-8", "replace") if watched else text.encode("latin-1", "replace")
        try:
            binary.write(data)
        except BrokenPipeError:
            # Nobody reads any more (`| head`): the run is over, and no script is to blame.
            give_up_output()

    return write
