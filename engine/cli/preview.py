"""`notetrack preview`: looks at an animation tree, a model or a unit, in a window or as a picture sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from engine import paths
from engine.cli.options import Seconds, refuse_options
from engine.cli.output import OK, PROBLEMS, RUNTIME, FilePath, Reporter, fail
from engine.cli.preview_export import SIZE, export_tree, export_unit, picture_of
from engine.cli.preview_unit import open_for_preview, root_calls, unit_folders, unit_order, usual_calls
from engine.client.preview.app import PreviewApp
from engine.client.preview.finding import Finder
from engine.client.preview.gallery import AnyShowing, Gallery
from engine.client.preview.short_names import meant, unclear
from engine.client.preview.subject import (
    Attachment,
    Order,
    Subject,
    UnknownSubjectError,
    empty_subject,
    open_subject,
)
from engine.client.preview.unit import UnitOrder
from engine.client.preview.unit_app import UnitApp
from engine.client.window import NoScreenError, Window, WindowSettings
from engine.cob.trace import RootCall
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError

TREE_OPTIONS = ("attach", "clips", "beside", "typed")
UNIT_OPTIONS = ("calls", "ticks")
EXPORT_OPTIONS = ("poses", "ticks")
WINDOW_OPTIONS = ("beside", "typed", "screenshot")


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
    type=FilePath(),
    help="Write a picture sheet (.png), a film (.gif), or the film's pictures into a folder instead.",
)
@click.option(
    "--poses",
    type=click.IntRange(6, 24),
    default=8,
    show_default=True,
    help="Pictures of a clip, or of a unit's run, on the sheet.",
)
@click.option(
    "--clip",
    "clips",
    multiple=True,
    help="Export only this clip (repeatable), by its name or the end of it; in the window, play it first.",
)
@click.option("--beside", metavar="CLIP", help="In the window: a second figure that plays this one.")
@click.option(
    "--type",
    "typed",
    multiple=True,
    metavar="CALL",
    help="In the window: a script call to begin with (repeatable).",
)
@click.option(
    "--screenshot", type=FilePath(dir_okay=False), help="Write a picture of the window (.png) instead."
)
@click.option(
    "--seconds",
    type=Seconds(0, 600),
    default=1.0,
    show_default=True,
    help="Of --screenshot: how much time passes before it.",
)
@click.option(
    "--call",
    "calls",
    multiple=True,
    metavar="NAME[:ARG,...][@TICK]",
    help="Of a unit: a script to start (repeatable); an export starts StartMoving or Activate by default.",
)
@click.option(
    "--ticks",
    type=click.IntRange(1, 3000),
    default=90,
    show_default=True,
    help="Of a unit: how long it is exported, 30 a second.",
)
@click.option("--mod", "mods", multiple=True, type=FilePath(), help="A mod's folder to look in first.")
@click.option(
    "--assets",
    "roots",
    multiple=True,
    type=FilePath(file_okay=False),
    help="A folder of assets to look in first, as `cook` has it (repeatable).",
)
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
    typed: tuple[str, ...],
    screenshot: Path | None,
    seconds: float,
    calls: tuple[str, ...],
    ticks: int,
    mods: tuple[Path, ...],
    roots: tuple[Path, ...],
    gl: str,
    style: str,
) -> None:
    """Look at an animation tree, a model, a clip or a unit, by its name or by the path of its file.

    The window shows the tree with its weights and times, plays any leaf or parent, and follows the files
    while they are saved. A unit (a name in the folder `units` of a mod, or a .bos or .cob file) has a button for
    each script, its eight slots, and goes tick by tick. `--export` and `--screenshot` need no screen:
    a .png of `--export` is a sheet of every clip in poses with its notes, a .gif a film of the clips, or of the
    unit's run.
    """
    for folder in (*mods, *roots):
        if not folder.is_dir():
            fail(f"there is no folder {folder}")
    reporter = Reporter(style)
    folders = (*(mod / "animtrees" for mod in mods), paths.mods() / "base" / "animtrees", paths.animtrees())
    unit = unit_order(name, model, mods, folders)
    if unit is not None:
        refuse_options(context, TREE_OPTIONS, f"is for trees and models, and {name} is a unit")
    else:
        refuse_options(context, UNIT_OPTIONS, f"is for units, and there is no unit `{name}`")
    if export is None:
        refuse_options(context, EXPORT_OPTIONS, "is for --export")
    else:
        refuse_options(context, WINDOW_OPTIONS, "is for the window, not for --export")
    if screenshot is None:
        refuse_options(context, ("seconds",), "is for --screenshot")
    own = [unit.file.parent.parent / "assets"] if unit is not None else []
    library = AssetLibrary(
        [*roots, *(mod / "assets" for mod in mods), *own, paths.assets()], None, reporter.one
    )
    finder = Finder(library, folders, model, _attachments(attach))
    wanted = Wanted(finder, export, poses, ticks, screenshot, seconds, gl, reporter)
    fault = False
    try:
        if unit is not None:
            fault = _preview_unit(unit, root_calls(calls), wanted)
        else:
            _preview_tree(name, clips, beside, typed, wanted)
    except UnknownSubjectError as error:
        fail(str(error))
    except NoScreenError:
        fail("there is no screen here; `--export FILE.png` makes a picture sheet without one")
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror or error}")
    raise SystemExit(RUNTIME if fault else PROBLEMS if reporter.errors else OK)


@dataclass(frozen=True)
class Wanted:
    """What is to become of what is opened; without a file to write, a window."""

    finder: Finder
    export: Path | None
    poses: int
    ticks: int
    screenshot: Path | None
    seconds: float
    gl: str
    reporter: Reporter

    def show(self, first: Callable[[Window], AnyShowing]) -> None:
        """In a window, or as a picture of it."""
        if self.screenshot is not None:
            picture_of(first, self.screenshot, self.seconds, self.gl, self.reporter)
            return
        window = Window(WindowSettings(size=SIZE, gl=self.gl), "Notetrack preview")
        try:
            for note in window.notes:
                self.reporter.plain(note)
            Gallery(window, self.finder, unit_folders(), self.reporter.one, first(window)).run()
        finally:
            window.close()


def _preview_unit(order: UnitOrder, calls: tuple[RootCall, ...], wanted: Wanted) -> bool:
    """A unit; whether a thread of an exported run ended with a fault."""
    library, reporter = wanted.finder.library, wanted.reporter
    subject = open_for_preview(order, library, calls)
    if wanted.export is not None:
        calls = calls or usual_calls(subject)
        return export_unit(subject, wanted.export, wanted.poses, calls, wanted.ticks, wanted.gl, reporter)
    wanted.show(lambda window: UnitApp(window, order, subject, library, reporter.one, calls))
    return False


def _preview_tree(
    name: str, clips: tuple[str, ...], beside: str | None, typed: tuple[str, ...], wanted: Wanted
) -> None:
    """A tree, a model or a clip."""
    library, reporter = wanted.finder.library, wanted.reporter
    order = wanted.finder.find(name)
    clips = clips or ((order.clip,) if order.clip is not None else ())
    order = replace(order, clip=clips[0].lower() if clips else None)
    pictures = wanted.export is not None or wanted.screenshot is not None
    try:
        subject = open_subject(order, library)
    except DiagnosticError as error:
        if pictures or order.tree is None:
            raise
        wanted.show(partial(_broken, order, error.diagnostics, library, reporter))
        return
    leaves = _leaves(subject, clips)
    # Without a tree it is the model or the clips that were asked for, and no other in their place.
    shown = subject.model.name if order.tree is not None or order.model is not None else order.name
    if pictures and not leaves and not library.has_model(shown):
        if not reporter.errors:
            fail(f"{name} brings neither a model nor clips")
        return  # what is wrong with the model was told
    second = _leaves(subject, (beside,))[0] if beside is not None else None
    if wanted.export is not None:
        export_tree(subject, wanted.export, wanted.poses, leaves, wanted.gl, reporter)
        return

    def first(window: Window) -> PreviewApp:
        app = PreviewApp(window, order, subject, library, reporter.one)
        if second is not None:
            app.show_beside(second)
        for line in typed:
            answer = app.call(line)
            if not answer.good:
                fail(f"--type {line}: {answer.text}")
        return app

    wanted.show(first)


def _broken(
    order: Order, faults: Sequence[Diagnostic], library: AssetLibrary, reporter: Reporter, window: Window
) -> PreviewApp:
    """The window of a tree that cannot be read yet."""
    app = PreviewApp(window, order, empty_subject(order, library), library, reporter.one)
    app.refuse(faults)
    app.problems.open = True
    return app


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


def _leaves(subject: Subject, clips: tuple[str, ...]) -> list[int]:
    """The leaves that `--clip` names, in full or by the end of a name, or all."""
    if not clips:
        return subject.leaves
    known, tree = {subject.tree.names[leaf]: leaf for leaf in subject.leaves}, subject.tree.name
    found = []
    for clip in clips:
        names = meant(clip.lower(), known, tree)
        if len(names) != 1:
            hint = unclear(clip.lower(), known, tree)
            fail(f"{subject.name} has no clip `{clip}`" + (f"; {hint}" if hint else ""))
        found.append(known[names[0]])
    return found
