"""`notetrack run FILE.gsc`: a script and everything that it refers to, in a world without a level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from engine import paths
from engine.cli.output import OK, PROBLEMS, RUNTIME, USAGE
from engine.gsc.cache import UnitCache
from engine.gsc.code import Make
from engine.gsc.dialect import Dialect
from engine.gsc.fingerprint import installed, refused, seed_of
from engine.gsc.parse_cache import ParseCache
from engine.gsc.program import Program, load_program
from engine.mods.manifest import FILE_NAME, Manifest
from engine.mods.policies import error_policies
from engine.mods.search import Mod, ModSearch, arrange
from engine.mods.tables import table_files
from engine.mods.trees import AnimationTable, LinkedTrees, find_shared_tree, load_trees, resolve
from engine.natives.catalogue import Catalogue
from engine.natives.host import VMHost
from engine.natives.registry import dialect_registries, game_registry
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical
from engine.source.render import to_text
from engine.vm.errors import Halted
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.randomness import Random
from engine.vm.tables import Tables
from engine.world.levels import empty_level
from engine.world.view import Message
from engine.world.world import FRAME, World


def run_file(
    file: Path,
    *,
    root: Path | None = None,
    entry: str = "main",
    seconds: float = 60.0,
    settings: Settings | None = None,
    dialect: Dialect | None = None,
    out: Callable[[str], object],
    err: TextIO,
) -> int:
    """What `notetrack run` does with a script, in this process. Returns the exit code.

    Without a `root` a script of a mod runs as in a game with that mod: with scripts, trees and tables of what the mod
    requires, in its dialect and by its policy of errors. Any other script has the folder that it lies in.
    """
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
    try:
        search = _search(file, root)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            complain(diagnostic)
        return PROBLEMS
    base = search.mods[0].folder
    try:
        name = canonical(file.resolve().relative_to(base.resolve()).with_suffix("").as_posix())
    except ValueError:
        err.write(f"{file}: error: the file is not below the root folder {base}\n")
        return USAGE
    settings = replace(settings, policies=error_policies(search))
    scripts = search.now()
    language = dialect or scripts.dialect(name)
    library = AssetLibrary([paths.assets()], report=complain)
    code = paths.cache() / "code"
    units, parsed = UnitCache(code), ParseCache(code)
    world, vm = _empty_game(library, settings, complain, out, units)
    try:
        program = load_program(
            [name],
            scripts,
            vm.natives,
            dialect=dialect or scripts.dialect,
            developer=settings.developer,
            cache=parsed,
        )
        linked = load_trees(program, lambda tree: _find_tree(search, tree), library)
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            complain(diagnostic)
        if language.rules.strict:
            err.write(refused("compile", error.diagnostics) + "\n")
        return PROBLEMS
    for diagnostic in program.diagnostics:
        complain(diagnostic)
    if language.rules.strict:
        # The game log is what such a script has for output; random numbers are those of the program.
        vm.game_log = vm.out
        vm.tables = Tables(lambda table: table_files((mod.folder for mod in search), table))
        vm.random = Random(seed_of(program))
        err.write(installed(program) + "\n")
    if program.function(name, entry.lower()) is None:
        complain(_nothing_to_start(program, name, entry))
        return PROBLEMS
    try:
        return simulate(world, vm, program, linked, f"{name}::{entry}", seconds)
    finally:
        units.flush()
        parsed.flush()


def _nothing_to_start(program: Program, script: str, entry: str) -> Diagnostic:
    found = program.scripts[script]
    names = sorted(found.functions)
    fault = Diagnostic("missing-entry", f"there is no function '{entry}' to start", found.source.span(0))
    if not names:
        return fault.with_note("there is no function in this file")
    return fault.with_note(
        did_you_mean(entry, names) or f"--entry NAME starts another one: {', '.join(names[:5])}"
    )


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
    under way that could wake one. What a player would read on the screen is printed at the end of its frame."""
    animations: AnimationTable = {}
    try:
        vm.link(program, resolve(program, linked.trees, animations))
        world.set_trees(program.trees, linked.trees)
        vm.start(entry)
        while (not vm.idle or world.eventful) and world.time + FRAME <= seconds * 1000:
            _show(world.frame().messages, vm)
    except Halted:
        return RUNTIME
    finally:
        _show(world.events.messages, vm)
    return RUNTIME if vm.reporter.total else OK


def _show(messages: Iterable[Message], vm: VM) -> None:
    for message in messages:
        vm.out(message.text + "\n")


def _search(file: Path, root: Path | None) -> ModSearch:
    """Where the scripts of a program are. Raises DiagnosticError for a mod whose settings are wrong or that requires
    what is nowhere."""
    if root is None:
        home = next((folder for folder in file.absolute().parents if (folder / FILE_NAME).is_file()), None)
        if home is not None:
            return arrange([home], [home.parent, paths.mods()])
        root = file.parent
    return ModSearch([Mod(root, str(root), Manifest(root.name))])


def _find_tree(search: ModSearch, name: str) -> SourceText | None:
    found = search.locate(name, ".atr", "animtrees")
    return search.read(*found) if found is not None else find_shared_tree([paths.animtrees()], name)
