"""`notetrack preview` for units: in a window, or as a sheet or film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from engine.cli.output import Reporter, fail
from engine.client.preview.files import UnwritableError
from engine.client.preview.film import PICTURE
from engine.client.preview.unit import UnitOrder, UnitSubject, open_unit
from engine.client.preview.unit_app import UnitApp
from engine.client.preview.unit_film import UnitFilm
from engine.client.preview.unit_stage import UnitStage
from engine.client.window import NoScreenError, Window, WindowSettings
from engine.cob.trace import RootCall
from engine.pipeline.library import AssetLibrary
from engine.source import DiagnosticError
from engine.source.nearest import did_you_mean


@dataclass(frozen=True, slots=True)
class UnitExport:
    """What is written instead of a window (`path` is None for a window), and what the unit is told to do."""

    path: Path | None
    moments: int
    calls: tuple[RootCall, ...]
    ticks: int


def preview_unit(
    order: UnitOrder, library: AssetLibrary, export: UnitExport, gl: str, reporter: Reporter
) -> bool:
    """Show or export a unit. What is wrong with its script is reported. Whether a thread ended with a fault."""
    try:
        if not library.has_model(order.model or order.name):
            hint = did_you_mean(order.name, library.model_names()) or "--model names one"
            fail(f"there is no model `{order.model or order.name}` for the unit {order.file.name}; {hint}")
        subject = open_unit(order, library)
        _check(export.calls, subject)
        if export.path is not None:
            return _export(subject, export, export.path, gl, reporter)
        else:
            _show(order, subject, library, export.calls, gl, reporter)
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
    except OSError as error:
        fail(f"cannot read {order.file}: {error.strerror}")
    except NoScreenError:
        fail("there is no screen here; `--export FILE.png` makes a picture sheet without one")
    return False


def _check(calls: tuple[RootCall, ...], subject: UnitSubject) -> None:
    names = [script.name for script in subject.program.cob.scripts]
    for call in calls:
        if call.script not in names:
            hint = did_you_mean(call.script, names) or f"there are {', '.join(names) or 'none'}"
            fail(f"{subject.file.name} has no script '{call.script}'; {hint}")


def _export(subject: UnitSubject, export: UnitExport, path: Path, gl: str, reporter: Reporter) -> bool:
    if path.suffix.lower() not in (".png", ".gif"):
        fail(f"--export writes a .png (picture sheet) or a .gif (film), not `{path.name}`")
    if not path.parent.is_dir():
        fail(f"there is no folder {path.parent}")
    for call in export.calls:
        if call.tick >= export.ticks:
            fail(
                f"--call {call.script}@{call.tick} is never reached: the run has {export.ticks} ticks;"
                f" --ticks {call.tick + 1} has one more"
            )
    reporter.all(subject.warnings)
    window = Window(WindowSettings(size=PICTURE, headless=True, gl=gl))
    try:
        for note in window.notes:
            reporter.plain(note)
        stage = UnitStage(subject, export.calls)
        count = UnitFilm(window.renderer).save(stage, export.ticks, path, export.moments)
    except UnwritableError as error:
        fail(str(error))
    finally:
        window.close()
    reporter.all(stage.faults)
    click.echo(f"{path}: {export.ticks} ticks of {subject.name} in {count} pictures", err=True)
    return any(fault.severity == "runtime error" for fault in stage.faults)


def _show(
    order: UnitOrder,
    subject: UnitSubject,
    library: AssetLibrary,
    calls: tuple[RootCall, ...],
    gl: str,
    reporter: Reporter,
) -> None:
    window = Window(WindowSettings(size=(1280, 720), gl=gl), f"{subject.name} - Notetrack preview")
    try:
        for note in window.notes:
            reporter.plain(note)
        app = UnitApp(window, order, subject, library, reporter.one, calls)
        folders = {order.file.parent, *order.folders, *library.roots}
        app.run(sorted(folder for folder in folders if folder.is_dir()))
    finally:
        window.close()
