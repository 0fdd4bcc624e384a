"""Cooking: one source file and its sidecar become one cooked file.

The cooked file's meta records what it was made of: the cooker's version, a hash of the source with its
sidecar, and a hash of every further file that was read (textures, buffers). It is stale when one of these
differs, and only then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.pipeline import importer
from engine.pipeline.contained import import_contained
from engine.pipeline.container import Arrays
from engine.pipeline.convert import Converted, convert
from engine.pipeline.faults import Faults, os_reason, shown_path
from engine.pipeline.files import content_hash, find_beside
from engine.pipeline.formats import FORMATS, GLTF, THREEDO, after_import
from engine.pipeline.gltf import plain_glb
from engine.pipeline.kept_faults import to_meta
from engine.pipeline.packing import pack
from engine.pipeline.settings import ModelSettings, read_settings
from engine.pipeline.threedo import read_3do
from engine.source import Diagnostic, DiagnosticError, SourceText, Span

COOKER_VERSION = 3
"""Raised whenever the same source would cook to something else."""

_LINE = re.compile(r"\bline:? (\d{1,9})(?:, col (\d{1,9}))?", re.IGNORECASE)

MAX_SOURCE = 512 * 1024 * 1024
SIDECAR = ".toml"


@dataclass(frozen=True, eq=False)
class Cooked:
    """A cooked source, ready to write: `meta` and `arrays` of its container, and what was worth saying."""

    meta: dict[str, Any]
    arrays: Arrays
    diagnostics: tuple[Diagnostic, ...]


def source_hash(source: Path) -> str:
    """Hash of a source and its sidecar. Raises OSError where the source cannot be read."""
    sidecar = source.with_suffix(SIDECAR)
    settings = sidecar.read_bytes() if sidecar.is_file() else b""
    return content_hash(source.suffix.lower().encode(), source.read_bytes(), settings)


def is_current(meta: Mapping[str, Any], source: Path, hash_: str) -> bool:
    """Whether a cooked file with this meta is what cooking `source` now would give."""
    if meta.get("cooker") != COOKER_VERSION or meta.get("source") != hash_:
        return False
    used = meta.get("used", {})
    if not isinstance(used, dict):
        return False
    return all(_hash_of(source.parent / name) == known for name, known in used.items())


def _hash_of(path: Path) -> str | None:
    try:
        return content_hash(path.read_bytes())
    except OSError:
        return None


def cook(source: Path) -> Cooked:
    """Import and convert a source. Raises DiagnosticError; warnings and lesser errors are in the result."""
    faults = Faults(shown_path(source))
    try:
        size = source.stat().st_size
        data = source.read_bytes() if size <= MAX_SOURCE else b""
        hash_ = source_hash(source)
    except OSError as error:
        raise faults.fatal("unreadable-file", f"cannot be read: {os_reason(error)}") from None
    if size > MAX_SOURCE:
        raise faults.fatal("bad-source", f"larger than {MAX_SOURCE // 2**20} MiB")
    if not data:
        raise faults.fatal("bad-source", "the file is empty", "export it again")
    sidecar = source.with_suffix(SIDECAR)
    try:
        settings = read_settings(sidecar, shown_path(sidecar))
    except OSError as error:
        raise faults.fatal("unreadable-file", f"its settings cannot be read: {os_reason(error)}") from None
    try:
        converted, used = _import(source, data, settings, faults)
    except DiagnosticError as error:
        raise DiagnosticError(dict.fromkeys((*faults.found, *error.diagnostics))) from None
    meta, arrays = pack(converted)
    meta |= {
        "cooker": COOKER_VERSION,
        "faults": to_meta(faults.found, source),
        "name": source.stem.lower(),
        "source": hash_,
        "used": {path.relative_to(source.parent).as_posix(): _hash_of(path) for path in used},
    }
    return Cooked(meta, arrays, tuple(faults.found))


def _import(
    source: Path, data: bytes, settings: ModelSettings, faults: Faults
) -> tuple[Converted, list[Path]]:
    suffix = source.suffix.lower()
    used: list[Path] = []

    def load(name: str) -> bytes | None:
        found = find_beside(source.parent, name)
        used.extend([found] if found is not None else _wanted(source, name))
        return found.read_bytes() if found is not None else None

    form = FORMATS[suffix]
    try:
        if suffix == THREEDO:
            scene = read_3do(data, load, faults)
        elif suffix in GLTF:
            plain = plain_glb(data, source, faults)
            used += plain.used
            scene = importer.import_source(source.with_suffix(".glb"), plain.data).scene
            scene.joints = plain.joints
        else:
            imported = import_contained(source, data)
            missing = []
            for name in imported.asked:
                found = find_beside(source.parent, name)
                used.extend([found] if found is not None else _wanted(source, name))
                if found is None:
                    missing.append(name)
            _complain(imported, source, data, missing, faults)
            scene, form = after_import(suffix, source.stem.lower(), imported.scene)
    except importer.LibraryMissing as error:
        raise faults.fatal(
            "no-assimp", f"sources cannot be cooked: {error}", importer.MISSING_LIBRARY
        ) from None
    except importer.ImportFailed as error:
        place = _place(str(error), source, data)
        raise faults.fatal(
            "bad-source", f"the file cannot be imported: {error}", "export it again", span=place
        ) from None

    return convert(source.stem.lower(), scene, settings, form, load, faults), used


def _wanted(source: Path, name: str) -> list[Path]:
    """Where a file that is missing would have to come, which makes the cooked file stale; nowhere for a name that
    is none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return [source.parent / last] if last.isprintable() and 0 < len(last) < 200 else []


def _complain(
    imported: importer.Imported, source: Path, data: bytes, missing: list[str], faults: Faults
) -> None:
    """Files that the source names and that are not there, and what libassimp could not read but went on without."""
    for name in missing:
        if name.encode("utf-8", "surrogateescape") in data:
            faults.warn("missing-file", f"`{name}` cannot be found", "put it beside the source")
    for text in imported.complaints:
        if not any(name in text for name in missing):
            faults.warn(
                "importer-complaint",
                f"a part of the file was left out: {text}",
                "compare the model with what you exported; as glTF (.glb) it may come whole",
                span=_place(text, source, data),
            )


def _place(complaint: str, source: Path, data: bytes) -> Span | None:
    """The line of a text file that libassimp names."""
    found = _LINE.search(complaint)
    if found is None or b"\0" in data:
        return None
    text = SourceText(shown_path(source), data)
    starts = text.line_starts
    line = min(max(int(found[1]), 1), len(starts))
    return text.span(min(starts[line - 1] + max(int(found[2] or 1) - 1, 0), len(text.text)))
