"""`notetrack preview`: looks at an animation tree or a model, in a window or as a picture sheet."""

from __future__ import annotations

from pathlib import Path

import click

from engine import paths
from engine.cli.output import OK, PROBLEMS, Reporter, fail
from engine.client.preview.app import PreviewApp
from engine.client.preview.sheet import TILE, SheetPainter, UnwritableError
from engine.client.preview.subject import Attachment, Order, Subject, UnknownSubjectError, open_subject
from engine.client.window import NoScreenError, Window, WindowSettings
from engine.pipeline.library import AssetLibrary
from engine.source import DiagnosticError


@click.command("preview")
@click.argument("name", metavar="TREE|MODEL")
@click.option("--model", help="The model to show a tree on; by default the one its clips come from.")
@click.option(
    "--attach",
    "attach",
    multiple=True,
    metavar="MODEL:TAG",
    help="Something to carry (repeatable); `none` for nothing. A rifle where there is a hand for it by default.",
)
@click.option(
    "--export", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture sheet (.png) instead."
)
@click.option(
    "--poses",
    type=click.IntRange(6, 24),
    default=8,
    show_default=True,
    help="Pictures of a clip on the sheet.",
)
@click.option(
    "--mod", "mods", multiple=True, type=click.Path(path_type=Path), help="A mod's folder to look in first."
)
@click.option("--gl", type=click.Choice(["auto", "on", "off"]), default="auto", show_default=True)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
def preview(
    name: str,
    model: str | None,
    attach: tuple[str, ...],
    export: Path | None,
    poses: int,
    mods: tuple[Path, ...],
    gl: str,
    style: str,
) -> None:
    """Look at an animation tree or a model.

    The window shows the tree with its weights and times, plays any leaf or parent, and follows the files
    while they are saved. `--export` needs no screen.
    """
    for mod in mods:
        if not mod.is_dir():
            fail(f"there is no folder {mod}")
    reporter = Reporter(style)
    library = AssetLibrary([*(mod / "assets" for mod in mods), paths.assets()], None, reporter.one)
    folders = (*(mod / "animtrees" for mod in mods), paths.mods() / "base" / "animtrees", paths.animtrees())
    order = Order(name, folders, model, _attachments(attach))
    try:
        subject = open_subject(order, library)
        if export is not None:
            _export(subject, export, poses, gl, reporter)
        else:
            _show(order, subject, library, gl, reporter)
    except UnknownSubjectError as error:
        fail(str(error))
    except NoScreenError:
        fail("there is no screen here; `--export FILE.png` makes a picture sheet without one")
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
    raise SystemExit(PROBLEMS if reporter.errors else OK)


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


def _export(subject: Subject, path: Path, poses: int, gl: str, reporter: Reporter) -> None:
    if path.suffix.lower() != ".png":
        fail(f"a picture sheet is a .png file, not `{path.name}`")
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent}")
    reporter.all(subject.warnings)
    window = Window(WindowSettings(size=TILE, headless=True, gl=gl))
    try:
        for note in window.notes:
            reporter.plain(note)
        SheetPainter(window.renderer, poses).save(subject, path)
    except UnwritableError as error:
        fail(str(error))
    finally:
        window.close()
    click.echo(
        f"{path}: {len(subject.leaves)} clips of {subject.name} in {max(6, poses)} poses each", err=True
    )


def _show(order: Order, subject: Subject, library: AssetLibrary, gl: str, reporter: Reporter) -> None:
    window = Window(WindowSettings(size=(1280, 720), gl=gl), f"{subject.name} - Notetrack preview")
    try:
        for note in window.notes:
            reporter.plain(note)
        watched = [*(root for root in library.roots if root.is_dir())]
        watched += [folder for folder in order.tree_folders if folder.is_dir()]
        PreviewApp(window, order, subject, library, reporter.one).run(watched)
    finally:
        window.close()
