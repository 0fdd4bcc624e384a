"""`notetrack preview` for units: opening one, and its sheet or film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from engine.cli.output import Reporter, fail
from engine.client.preview.files import UnwritableError
from engine.client.preview.film import PICTURE
from engine.client.preview.unit import UnitOrder, UnitSubject, open_unit
from engine.client.preview.unit_film import UnitFilm
from engine.client.preview.unit_stage import UnitStage
from engine.client.window import Window, WindowSettings
from engine.cob.trace import RootCall
from engine.pipeline.library import AssetLibrary
from engine.source.nearest import did_you_mean


@dataclass(frozen=True, slots=True)
class UnitExport:
    """What is written instead of a window, and what the unit is told to do."""

    path: Path
    moments: int
    calls: tuple[RootCall, ...]
    ticks: int


def open_for_preview(order: UnitOrder, library: AssetLibrary, calls: tuple[RootCall, ...]) -> UnitSubject:
    """The unit, once it is sure that there is a model for it and that it has the scripts that are to be called. Raises
    DiagnosticError."""
    if not library.has_model(order.model or order.name):
        hint = did_you_mean(order.name, library.model_names()) or "--model names one"
        fail(f"there is no model `{order.model or order.name}` for the unit {order.file.name}; {hint}")
    try:
        subject = open_unit(order, library)
    except OSError as error:
        fail(f"cannot read {order.file}: {error.strerror or error}")
    names = [script.name for script in subject.program.cob.scripts]
    for call in calls:
        if call.script not in names:
            hint = did_you_mean(call.script, names) or f"there are {', '.join(names) or 'none'}"
            fail(f"{subject.file.name} has no script '{call.script}'; {hint}")
    return subject


def export_unit(subject: UnitSubject, export: UnitExport, gl: str, reporter: Reporter) -> bool:
    """Write a unit's run as a sheet or a film; whether a thread ended with a fault."""
    path = export.path
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
