"""`notetrack check`: every problem in a user's files, without running anything."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import click

from engine.cli.output import OK, PROBLEMS, FilePath, Reporter, counted, fail
from engine.gsc.dialect import DIALECTS, UO


@click.command("check")
@click.argument("paths", nargs=-1, required=True, type=FilePath())
@click.option("--syntax-only", is_flag=True, help="Look at each file alone, without what it refers to.")
@click.option(
    "--mount",
    "mounts",
    multiple=True,
    type=FilePath(),
    help="A further search root (repeatable).",
)
@click.option(
    "--dialect",
    type=click.Choice(sorted(DIALECTS)),
    default=UO.name,
    show_default=True,
    help="The language of scripts that belong to no mod; a mod's mod.toml says its own.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How problems are printed."
)
def check(
    paths: tuple[Path, ...], syntax_only: bool, mounts: tuple[Path, ...], dialect: str, style: str
) -> None:
    """Check scripts of every kind, animation trees, levels, models and settings; PATHS are files or folders.

    What is found goes to standard output. Exit code 0 when there are no errors (warnings do not count), 1 otherwise.
    """
    from engine import paths as shipped
    from engine.linescript.functions import HostFunction
    from engine.mods.check import Checker
    from engine.natives.host import VMHost
    from engine.natives.registry import dialect_registries, game_catalogue, game_registry
    from engine.pipeline.library import AssetLibrary
    from engine.world.levels import empty_level
    from engine.world.world import World

    for path in (*paths, *mounts):
        if not os.path.exists(path):
            fail(f"there is no file or folder '{path}'", style)

    def line_natives() -> dict[str, HostFunction]:
        world = World(empty_level(), VMHost(), AssetLibrary([shipped.assets()]))
        return world.lives.scope.functions or {}

    checker = Checker(
        game_catalogue(game_registry(), dialect_registries()),
        assets=[shipped.assets()],
        mounts=mounts,
        shelves=[shipped.mods()],
        animtrees=[shipped.animtrees()],
        syntax_only=syntax_only,
        line_natives=cache(line_natives),
        dialect=dialect,
    )
    result = checker.check(paths)
    if not result.files and not result.diagnostics:
        shown = ", ".join(f"'{path}'" for path in paths)
        fail(f"there is nothing to check in {shown}: no script, tree, level, model, unit or mod.toml", style)
    reporter = Reporter(style, to_stdout=True)
    reporter.all(result.diagnostics)
    if style == "text":
        errors, warnings = counted(reporter.errors, "error"), counted(reporter.warnings, "warning")
        click.echo(f"{counted(result.files, 'file')} checked: {errors}, {warnings}")
    raise SystemExit(PROBLEMS if reporter.errors else OK)
