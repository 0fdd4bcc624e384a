"""What cooking found wrong, kept in the cooked file, so that a later run that need not cook says it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.pipeline.files import read_file
from engine.source import Diagnostic, Note, SourceText
from engine.source.diagnostic import Severity
from engine.source.paths import shown_path


def to_meta(diagnostics: Iterable[Diagnostic], source: Path) -> list[dict[str, Any]]:
    """Diagnostics about a source or a file beside it, as JSON values."""
    kept = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        beside = span is not None and span.path != shown_path(source)
        kept.append(
            {
                "code": diagnostic.code,
                "message": diagnostic.message,
                "severity": diagnostic.severity,
                "notes": [note.message for note in diagnostic.notes],
                "file": Path(span.path).name if span is not None and beside else "",
                "at": [span.start, span.end] if span is not None else [0, 0],
            }
        )
    return kept


def from_meta(meta: Mapping[str, Any], source: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics again, with their places in the files as they are. Raises ValueError for nonsense."""
    kept = meta.get("faults", [])
    if not isinstance(kept, list):
        raise ValueError("faults")
    found = []
    for entry in kept:
        path = source.with_name(str(entry["file"])) if entry["file"] else source
        text = SourceText(shown_path(path), _text(path) if entry["file"] else "")
        start, end = (int(offset) for offset in entry["at"])
        severity: Severity = "error" if entry["severity"] == "error" else "warning"
        notes = tuple(Note(str(note)) for note in entry["notes"])
        span = text.span(start, end)
        found.append(Diagnostic(str(entry["code"]), str(entry["message"]), span, severity, notes))
    return tuple(found)


def _text(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError:
        return b""
