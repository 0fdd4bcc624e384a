"""Units of `notetrack preview`: which is meant, what it is told to do, and opening it."""

from __future__ import annotations

from pathlib import Path

from engine import paths
from engine.cli.output import fail
from engine.client.preview.unit import FOLDER, SOURCES, UnitOrder, UnitSubject, find_unit, open_unit
from engine.cob.trace import RootCall, parse_call
from engine.pipeline.library import AssetLibrary
from engine.source.nearest import did_you_mean
from engine.source.paths import canonical, find_file

USUAL = ("StartMoving", "Activate")
"""Scripts that set a unit in motion and take no argument, the one that shows most of it first."""


def unit_folders(mods: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Where units lie: of these mods, and of those that come with the game."""
    shelf = sorted(paths.mods().iterdir()) if paths.mods().is_dir() else []
    return tuple(mod / FOLDER for mod in (*mods, *shelf))


def unit_order(
    name: str, model: str | None, mods: tuple[Path, ...], trees: tuple[Path, ...]
) -> UnitOrder | None:
    """The unit of a name; None where there is none, or a tree of that name."""
    folders = unit_folders(mods)
    file = find_unit(name, folders)
    if file is None:
        if Path(name).suffix.lower() in SOURCES:
            fail(f"there is no file {name}")
        return None
    if any(find_file(folder, canonical(name), ".atr") is not None for folder in trees):
        return None
    return UnitOrder(file, model, folders)


def root_calls(texts: tuple[str, ...]) -> tuple[RootCall, ...]:
    """What `--call` says."""
    found = []
    for text in texts:
        try:
            found.append(parse_call(text))
        except ValueError as error:
            fail(f"--call {text}: {error}")
    return tuple(found)


def usual_calls(subject: UnitSubject) -> tuple[RootCall, ...]:
    """What an export starts where nothing is asked for: the unit walks, or opens, or else it just stands there."""
    names = [script.name for script in subject.program.cob.scripts]
    return tuple(RootCall(name, (), 0) for name in USUAL if name in names)[:1]


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
