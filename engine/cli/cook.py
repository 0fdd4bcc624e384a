"""`notetrack cook`: cooks what is stale, with a progress bar and a summary."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from engine import paths
from engine.cli.interrupts import ended_as_interrupted, exit_code
from engine.cli.output import OK, PROBLEMS, USAGE, FilePath, Reporter, counted, fail
from engine.pipeline import container, importer
from engine.pipeline.batch import Order, Result, cook_all
from engine.pipeline.convert import Converted
from engine.pipeline.cook import source_hash
from engine.pipeline.faults import by_place
from engine.pipeline.formats import FORMATS, THREEDO
from engine.pipeline.library import MODELS, Source, find_sources, no_sources
from engine.pipeline.names import asset_name
from engine.pipeline.packing import unpack
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean
from engine.source.paths import shown_path

ASSETS = "assets"
"""The folder of a mod's assets."""

_NUMBERS = (1, 2, 6, 7)
"""Columns of `--list` that hold numbers."""


@click.command("cook")
@click.argument("names", nargs=-1)
@click.option("--force", is_flag=True, help="Cook again what is current too.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes to use; all cores by default.")
@click.option("--ship", is_flag=True, help="Write the shipped copies in assets/cooked instead of the cache.")
@click.option("--list", "list_", is_flag=True, help="Show what the cooked assets hold, cook nothing.")
@click.option(
    "--assets",
    "roots",
    multiple=True,
    type=FilePath(file_okay=False),
    help="An asset folder (repeatable); the engine's own by default.",
)
@click.option("--mod", "mods", multiple=True, type=FilePath(), help="A mod's folder (repeatable).")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
def cook(
    names: tuple[str, ...],
    force: bool,
    jobs: int | None,
    ship: bool,
    list_: bool,
    roots: tuple[Path, ...],
    mods: tuple[Path, ...],
    style: str,
) -> None:
    """Cook models and clips: those of these names or paths, or all that are stale.

    The game cooks what it needs by itself; this shows every fault at once and fills the cache.
    """
    for root in (*roots, *mods):
        if not root.is_dir():
            fail(f"there is no folder {root}", style)
    for mod in mods:
        if not (mod / ASSETS).is_dir():
            fail(f"there is no folder `{ASSETS}` in {mod}", style)
    folders = (*roots, *(mod / ASSETS for mod in mods)) or (paths.assets(),)
    for path, what in no_sources(folders).items():
        click.echo(f"notetrack: {shown_path(path)} is {what} and left out", err=True)
    sources = _chosen(names, folders, style)
    if list_:
        raise SystemExit(_show(sources))
    if any(source.path.suffix.lower() != THREEDO for source in sources):
        try:
            importer.library()
        except importer.LibraryMissing as error:
            fail(f"nothing can be cooked here: {error}; {importer.MISSING_LIBRARY}", style)
    orders = [Order(source, force, ship) for source in sources]
    jobs = jobs or os.cpu_count() or 1
    reporter = Reporter(style, to_stdout=style == "json")
    results: list[Result] = []
    try:
        with ended_as_interrupted():
            _cook(orders, jobs, reporter, results)
    except KeyboardInterrupt as stop:
        reporter.plain(f"stopped; {len(results)} of {len(orders)} assets were done and are kept")
        raise SystemExit(exit_code(stop)) from None
    _summary(results, reporter)
    raise SystemExit(PROBLEMS if reporter.errors else OK)


def _chosen(names: tuple[str, ...], roots: tuple[Path, ...], style: str) -> list[Source]:
    sources = {name: source for name, source in find_sources(roots).items() if not source.cooked_only}
    chosen = []
    for name in names:
        path = Path(name)
        if path.is_file() and (path.name != name or path.suffix.lower() in FORMATS):
            if path.suffix.lower() not in FORMATS:
                fail(f"{name} is no source of a model or clips; these are: {', '.join(FORMATS)}", style)
            chosen.append(_of_path(path))
            continue
        if path.suffix.lower() in FORMATS and path.name != name:
            fail(f"there is no file {name}", style)
        key = asset_name(name)
        if key not in sources:
            hint = _inside(roots) or _mod_hint(path) or did_you_mean(key, sources)
            elsewhere = "what a mod has is found with --mod FOLDER, or by its path"
            hints = [hint, elsewhere if roots == (paths.assets(),) else None]
            fail("; ".join([f"there is no asset `{key}`", *filter(None, hints)]), style)
        chosen.append(sources[key])
    if not names and not sources:
        folders, hint = ", ".join(map(str, roots)), _inside(roots)
        told = f"there is nothing to cook: no models/NAME/NAME.glb in {folders}"
        fail(told + (f"; {hint}" if hint else ""), style)
    return chosen or list(sources.values())


def _of_path(path: Path) -> Source:
    """The source of this file: of the asset folder that it lies in, so that the game finds what is cooked of it."""
    models = path.absolute().parent.parent
    root = models.parent if models.name.lower() == MODELS else path
    found = [source for source in find_sources([root]).values() if not source.cooked_only]
    own = next((source for source in found if source.path.samefile(path)), None)
    return own or next(iter(find_sources([path]).values()))


def _inside(roots: tuple[Path, ...]) -> str | None:
    """The asset folder that is probably meant with a folder that is none: that of a mod."""
    for root in roots:
        if not (root / MODELS).is_dir() and (root / ASSETS / MODELS).is_dir():
            return f"{shown_path(root)} is no asset folder, but {shown_path(root / ASSETS)} is"
    return None


def _mod_hint(path: Path) -> str | None:
    """What to say where the folder of a mod, or its assets, stands where a name is expected."""
    if (path / ASSETS / MODELS).is_dir():
        return f"all of a mod is cooked with --mod {path}"
    return f"all of a folder is cooked with --assets {path}" if (path / MODELS).is_dir() else None


def _cook(orders: list[Order], jobs: int, reporter: Reporter, results: list[Result]) -> None:
    """Fill `results`; diagnostics are printed above the bar as they come."""
    console = Console(stderr=True)
    columns = (
        TextColumn("cooking"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    # The bar would take standard output to its own terminal; in JSON a program is to get that.
    own = reporter.style == "text"
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal, redirect_stdout=own
    ) as bar:
        task = bar.add_task("", total=len(orders))
        told: set[Diagnostic] = set()  # a folder that cannot be written, which is the same for every source
        for result in cook_all(orders, jobs):
            results.append(result)
            new = [diagnostic for diagnostic in result.diagnostics if diagnostic not in told]
            told.update(diagnostic for diagnostic in new if diagnostic.span is None)
            if new:
                reporter.all(by_place(new))
            bar.update(task, advance=1, description=result.name)


def _summary(results: list[Result], reporter: Reporter) -> None:
    count = {kind: sum(r.outcome == kind for r in results) for kind in ("cooked", "current", "failed")}
    parts = [f"{count['cooked']} cooked", f"{count['current']} up to date"]
    if count["failed"]:
        parts.append(f"{count['failed']} failed")
    if reporter.errors:
        parts.append(counted(reporter.errors, "error"))
    if reporter.warnings:
        parts.append(counted(reporter.warnings, "warning"))
    size = sum(result.size for result in results)
    click.echo(f"{', '.join(parts)}; {size / 1024:,.0f} KiB", err=True)


def _show(sources: list[Source]) -> int:
    """A table of what the cooked files hold."""
    heads = ("asset", "bones", "triangles", "skins", "clip", "", "seconds", "frames", "notes")
    rows: list[tuple[str, ...]] = [heads]
    code = OK
    for source in sources:
        try:
            found = source.cache.find(source.path, source_hash(source.path))
            content = unpack(container.read(found)) if found is not None else None
        except (OSError, container.DamagedFile):
            content = None
        if content is None:
            click.echo(f"notetrack: {shown_path(source.path)} is not cooked yet", err=True)
            code = USAGE
            continue
        rows += _rows(source.name, content)
    if len(rows) > 1:
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            cells = [
                cell.rjust(width) if column in _NUMBERS else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            click.echo("  ".join(cells).rstrip())
    return code


def _rows(name: str, content: Converted) -> list[tuple[str, ...]]:
    model = content.model
    first = (name, "", "", "")
    if model is not None:
        triangles = sum(len(mesh.indices) for mesh in model.meshes)
        first = (name, str(len(model.skeleton)), f"{triangles:,}", " ".join(model.skins))
    clips = [
        (
            clip.name,
            "loop" if clip.looping else "",
            f"{clip.length:.2f}",
            str(clip.frames),
            " ".join(note.name for note in clip.notes[:-1]),
        )
        for clip in content.clips
    ]
    rows = [("", "", "", "", *clip) for clip in clips] or [("",) * 9]
    return [(*first, *rows[0][4:]), *rows[1:]]
