"""`notetrack preview`: looks at an animation tree, a model or a unit, in a window or as a picture sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from engine import paths
from engine.cli.options import refuse_options
from engine.cli.output import OK, PROBLEMS, RUNTIME, FilePath, Reporter, fail
from engine.cli.preview_unit import UnitExport, export_unit, open_for_preview
from engine.client.preview.app import PreviewApp
from engine.client.preview.files import UnwritableError
from engine.client.preview.film import PICTURE, FilmPainter
from engine.client.preview.finding import Finder
from engine.client.preview.gallery import AnyShowing, Gallery
from engine.client.preview.sheet import TILE, SheetPainter
from engine.client.preview.subject import Attachment, Order, Subject, UnknownSubjectError, open_subject
from engine.client.preview.unit import FOLDER, SOURCES, UnitOrder, find_unit
from engine.client.preview.unit_app import UnitApp
from engine.client.window import NoScreenError, Window, WindowSettings
from engine.cob.trace import RootCall, parse_call
from engine.pipeline.library import AssetLibrary
from engine.source import DiagnosticError
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, find_file

TREE_OPTIONS = ("attach", "clips", "beside")
UNIT_OPTIONS = ("calls", "ticks")
EXPORT_OPTIONS = ("poses", "ticks")


@click.command("preview")
@click.argument("name", metavar="TREE|MODEL|CLIP|UNIT")
@click.option("--model", help="The model to show a tree or a unit on; by default its own.")
@click.option(
    "--attach",
    "attach",
    multiple=True,
    metavar="MODEL:TAG",
    help="Something to carry (repeatable); `none` for nothing. A rifle where there is a hand for it by default.",
)
@click.option(
    "--export",
    type=FilePath(dir_okay=False),
    help="Write a picture sheet (.png) or a film (.gif) instead.",
)
@click.option(
    "--poses",
    type=click.IntRange(6, 24),
    default=8,
    show_default=True,
    help="Pictures of a clip, or of a unit's run, on the sheet.",
)
@click.option(
    "--clip", "clips", multiple=True, help="Export only this clip (repeatable); in the window, play it first."
)
@click.option("--beside", metavar="CLIP", help="In the window: a second figure that plays this one.")
@click.option(
    "--call",
    "calls",
    multiple=True,
    metavar="NAME[:ARG,...][@TICK]",
    help="Of a unit: a script to start (repeatable).",
)
@click.option(
    "--ticks",
    type=click.IntRange(1, 3000),
    default=90,
    show_default=True,
    help="Of a unit: how long it is exported, 30 a second.",
)
@click.option("--mod", "mods", multiple=True, type=FilePath(), help="A mod's folder to look in first.")
@click.option("--gl", type=click.Choice(["auto", "on", "off"]), default="auto", show_default=True)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def preview(
    context: click.Context,
    name: str,
    model: str | None,
    attach: tuple[str, ...],
    export: Path | None,
    poses: int,
    clips: tuple[str, ...],
    beside: str | None,
    calls: tuple[str, ...],
    ticks: int,
    mods: tuple[Path, ...],
    gl: str,
    style: str,
) -> None:
    """Look at an animation tree, a model, a clip or a unit, by its name or by the path of its file.

    The window shows the tree with its weights and times, plays any leaf or parent, and follows the files
    while they are saved. A unit (a name in the folder `units` of a mod, or a .bos or .cob file) has a button for
    each script, its eight slots, and goes tick by tick. `--export` needs no screen:
    a .png is a sheet of every clip in poses with its notes, a .gif a film of the clips, or of the unit's run.
    """
    for mod in mods:
        if not mod.is_dir():
            fail(f"there is no folder {mod}")
    reporter = Reporter(style)
    folders = (*(mod / "animtrees" for mod in mods), paths.mods() / "base" / "animtrees", paths.animtrees())
    unit = _unit_order(name, model, mods, folders)
    if unit is not None:
        refuse_options(context, TREE_OPTIONS, f"is for trees and models, and {name} is a unit")
    else:
        refuse_options(context, UNIT_OPTIONS, f"is for units, and there is no unit `{name}`")
    if export is None:
        refuse_options(context, EXPORT_OPTIONS, "is for --export")
    else:
        refuse_options(context, ("beside",), "is for the window, not for --export")
    own = [unit.file.parent.parent / "assets"] if unit is not None else []
    library = AssetLibrary([*(mod / "assets" for mod in mods), *own, paths.assets()], None, reporter.one)
    finder = Finder(library, folders, model, _attachments(attach))
    fault = False
    try:
        if unit is not None:
            roots = _calls(calls)
            thing = open_for_preview(unit, library, roots)
            if export is not None:
                fault = export_unit(thing, UnitExport(export, poses, roots, ticks), gl, reporter)
            else:
                _show(
                    finder,
                    gl,
                    reporter,
                    lambda window: UnitApp(window, unit, thing, library, reporter.one, roots),
                )
        else:
            order = finder.find(name)
            clips = clips or ((order.clip,) if order.clip is not None else ())
            order = replace(order, clip=clips[0].lower() if clips else None)
            subject = open_subject(order, library)
            leaves = _leaves(subject, clips)
            if export is not None:
                _export(subject, export, poses, leaves, gl, reporter)
            else:
                second = _leaves(subject, (beside,))[0] if beside is not None else None
                _show(
                    finder,
                    gl,
                    reporter,
                    lambda window: _app(window, order, subject, library, reporter, second),
                )
    except UnknownSubjectError as error:
        fail(str(error))
    except NoScreenError:
        fail("there is no screen here; `--export FILE.png` makes a picture sheet without one")
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror or error}")
    raise SystemExit(RUNTIME if fault else PROBLEMS if reporter.errors else OK)


def _unit_order(
    name: str, model: str | None, mods: tuple[Path, ...], trees: tuple[Path, ...]
) -> UnitOrder | None:
    """The unit of a name; None where there is none, or a tree of that name."""
    folders = _unit_folders(mods)
    file = find_unit(name, folders)
    if file is None:
        if Path(name).suffix.lower() in SOURCES:
            fail(f"there is no file {name}")
        return None
    if any(find_file(folder, canonical(name), ".atr") is not None for folder in trees):
        return None
    return UnitOrder(file, model, folders)


def _unit_folders(mods: tuple[Path, ...]) -> tuple[Path, ...]:
    """Where units lie: of these mods, and of those that come with the game."""
    shelf = sorted(paths.mods().iterdir()) if paths.mods().is_dir() else []
    return tuple(mod / FOLDER for mod in (*mods, *shelf))


def _calls(texts: tuple[str, ...]) -> tuple[RootCall, ...]:
    found = []
    for text in texts:
        try:
            found.append(parse_call(text))
        except ValueError as error:
            fail(f"--call {text}: {error}")
    return tuple(found)


def _attachments(asked: tuple[str, ...]) -> tuple[Attachment, ...] | None:
    if not asked:
        return None
    found = []
    for text in asked:
        model, colon, tag = text.partition(":")
        if not colon and text != "none":
            fail(f"--attach needs MODEL:TAG, not `{text}`")
        if colon:
            found.append(Attachment(model, tag))
    return tuple(found)


def _export(subject: Subject, path: Path, poses: int, leaves: list[int], gl: str, reporter: Reporter) -> None:
    if path.suffix.lower() not in (".png", ".gif"):
        fail(f"--export writes a .png (picture sheet) or a .gif (film), not `{path.name}`")
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent}")
    film = path.suffix.lower() == ".gif"
    if film and not leaves:
        fail(f"{subject.name} has no clips to make a film of; a .png shows it from all sides")
    reporter.all(subject.warnings)
    window = Window(WindowSettings(size=PICTURE if film else TILE, headless=True, gl=gl))
    try:
        for note in window.notes:
            reporter.plain(note)
        with _progress() as bar:
            task = bar.add_task("", total=max(1, len(leaves)))

            def done(clip: str) -> None:
                bar.update(task, advance=1, description=clip)

            if film:
                told = f"{FilmPainter(window.renderer, done).save(subject, leaves, path)} pictures"
            else:
                SheetPainter(window.renderer, poses, done).save(subject, path, leaves)
                told = f"{poses} poses each"
    except UnwritableError as error:
        fail(str(error))
    finally:
        window.close()
    click.echo(f"{path}: {len(leaves)} clips of {subject.name} in {told}", err=True)


def _progress() -> Progress:
    """A bar on standard error; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("drawing"), BarColumn(32), MofNCompleteColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _leaves(subject: Subject, clips: tuple[str, ...]) -> list[int]:
    """The leaves that `--clip` names, or all."""
    if not clips:
        return subject.leaves
    known = {subject.tree.names[leaf]: leaf for leaf in subject.leaves}
    for clip in clips:
        if clip.lower() not in known:
            hint = did_you_mean(clip, known)
            fail(f"{subject.name} has no clip `{clip}`" + (f"; {hint}" if hint else ""))
    return [known[clip.lower()] for clip in clips]


def _app(
    window: Window,
    order: Order,
    subject: Subject,
    library: AssetLibrary,
    reporter: Reporter,
    beside: int | None,
) -> PreviewApp:
    app = PreviewApp(window, order, subject, library, reporter.one)
    if beside is not None:
        app.show_beside(beside)
    return app


def _show(finder: Finder, gl: str, reporter: Reporter, first: Callable[[Window], AnyShowing]) -> None:
    window = Window(WindowSettings(size=(1280, 720), gl=gl), "Notetrack preview")
    try:
        for note in window.notes:
            reporter.plain(note)
        Gallery(window, finder, _unit_folders(()), reporter.one, first(window)).run()
    finally:
        window.close()
