"""`notetrack preview` without a window: sheets, films and single pictures, with a bar on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pygame
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from engine.cli.output import Reporter, counted, fail
from engine.client.pictures import UnwritableError, png, write_picture
from engine.client.preview.film import PICTURE, FilmPainter
from engine.client.preview.gallery import AnyShowing
from engine.client.preview.sheet import TILE, SheetPainter
from engine.client.preview.subject import Subject
from engine.client.preview.unit import UnitSubject
from engine.client.preview.unit_film import UnitFilm
from engine.client.preview.unit_stage import UnitStage
from engine.client.window import Window, WindowSettings
from engine.cob.trace import RootCall

SIZE = (1280, 720)
"""Of the window, and of a picture of it."""

_TURN = 1 / 60
"""Seconds of a step on the way to a picture of the window."""


def export_tree(
    subject: Subject, path: Path, poses: int, leaves: list[int], gl: str, reporter: Reporter
) -> None:
    """Write leaves of a tree as a sheet, a film, or the pictures of a film."""
    film = _is_film(path)
    if film and not leaves:
        fail(f"{subject.name} has no clips to make a film of; a .png shows it from all sides")
    _make_folder(path)
    reporter.all(subject.warnings)
    with _painting(PICTURE if film else TILE, gl, reporter, max(1, len(leaves))) as (window, done):
        if film:
            told = f"{FilmPainter(window.renderer, done).save(subject, leaves, path)} pictures"
        else:
            SheetPainter(window.renderer, poses, done).save(subject, path, leaves)
            told = f"{poses} poses each"
    click.echo(f"{path}: {counted(len(leaves), 'clip')} of {subject.name} in {told}", err=True)


def export_unit(
    subject: UnitSubject,
    path: Path,
    moments: int,
    calls: tuple[RootCall, ...],
    ticks: int,
    gl: str,
    reporter: Reporter,
) -> bool:
    """Write a unit's run as a sheet of so many moments, a film, or the pictures of a film; whether a thread ended with
    a fault."""
    _is_film(path)
    for call in calls:
        if call.tick >= ticks:
            fail(
                f"--call {call.script}@{call.tick} is never reached: the run has {ticks} ticks;"
                f" --ticks {call.tick + 1} has one more"
            )
    _make_folder(path)
    reporter.all(subject.warnings)
    stage = UnitStage(subject, calls)
    with _painting(PICTURE, gl, reporter, ticks) as (window, done):
        count = UnitFilm(window.renderer, done).save(stage, ticks, path, moments)
    reporter.all(stage.faults)
    told = ", ".join(call.script for call in calls)
    if not told:
        names = ", ".join(script.name for script in subject.program.cob.scripts if script.name != "Create")
        told = f"nothing but Create; --call starts one of {names}" if names else "nothing but Create"
    click.echo(
        f"{path}: {counted(ticks, 'tick')} of {subject.name} in {counted(count, 'picture')}; called: {told}",
        err=True,
    )
    return any(fault.severity == "runtime error" for fault in stage.faults)


def picture_of(
    first: Callable[[Window], AnyShowing], path: Path, seconds: float, gl: str, reporter: Reporter
) -> None:
    """Write a picture of the window as it is after so many seconds."""
    if path.suffix.lower() != ".png":
        fail(f"--screenshot writes a .png, not `{path.name}`")
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent}")
    with _painting(SIZE, gl, reporter, 1) as (window, _):
        app = first(window)
        app.panel.help = False
        app.frame_figure()
        for _step in range(round(seconds / _TURN)):
            app.step(_TURN)
        app.toasts.shown.clear()
        app.draw()
        pixels = window.renderer.read_pixels()
        write_picture(path, png(pygame.surfarray.make_surface(pixels.swapaxes(0, 1))))
    click.echo(f"{path}: {app.name} after {seconds:g} second{'s' * (seconds != 1)}", err=True)


def _is_film(path: Path) -> bool:
    """Whether pictures are wanted one after another; ends the command where a path is for nothing. What has no ending
    is a folder."""
    if path.is_dir():
        return True
    if not path.suffix and not path.exists() and path.parent.is_dir():
        return True
    if path.suffix.lower() not in (".png", ".gif"):
        fail(
            "--export writes a .png (picture sheet) or a .gif (film), or the pictures of the film into a folder,"
            f" not `{path.name}`"
        )
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent}")
    return path.suffix.lower() == ".gif"


def _make_folder(path: Path) -> None:
    """The folder that pictures go into, where there is none yet."""
    if path.suffix or path.exists():
        return
    try:
        path.mkdir()
    except OSError as error:
        fail(f"the folder {path} cannot be made ({error.strerror or error})")


@contextmanager
def _painting(
    size: tuple[int, int], gl: str, reporter: Reporter, total: int
) -> Iterator[tuple[Window, Callable[[str], None]]]:
    """A renderer without a screen, and what to tell the name of each part that is done."""
    window = Window(WindowSettings(size=size, headless=True, gl=gl))
    try:
        for note in window.notes:
            reporter.plain(note)
        with _progress() as bar:
            task = bar.add_task("", total=total)
            yield window, lambda name: bar.update(task, advance=1, description=name)
    except UnwritableError as error:
        fail(str(error))
    finally:
        window.close()


def _progress() -> Progress:
    """A bar on standard error; nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("drawing"), BarColumn(32), MofNCompleteColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
