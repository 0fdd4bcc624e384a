"""Cooking: one source file and its sidecar become one cooked file.

The cooked file's meta records what it was made of: the cooker's version, a hash of the source with its
sidecar, and a hash of every further file that was read (textures, buffers). It is stale when one of these
differs, and only then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.pipeline import container
from engine.pipeline.container import Arrays
from engine.pipeline.convert import convert
from engine.pipeline.faults import Faults, by_place, os_reason
from engine.pipeline.files import content_hash, read_file
from engine.pipeline.kept_faults import to_meta
from engine.pipeline.packing import pack, unpack
from engine.pipeline.reading import KeptSources, ReadSource, read_source
from engine.pipeline.settings import ModelSettings, survey_settings
from engine.pipeline.texts import is_gone
from engine.source import Diagnostic, DiagnosticError
from engine.source.paths import shown_path

COOKER_VERSION = 4
"""Raised whenever the same source would cook to something else."""

MAX_SOURCE = 512 * 1024 * 1024
SIDECAR = ".toml"


@dataclass(frozen=True, eq=False)
class Cooked:
    """A cooked source, ready to write: `meta` and `arrays` of its container, its bytes, and what was worth saying."""

    meta: dict[str, Any]
    arrays: Arrays
    data: bytes
    diagnostics: tuple[Diagnostic, ...]


def source_hash(source: Path, data: bytes | None = None) -> str:
    """Hash of a source, whose content may be known, and its sidecar. Raises OSError where the source cannot be read."""
    return _hash(source, read_file(source) if data is None else data, _sidecar(source))


def _hash(source: Path, data: bytes, sidecar: bytes) -> str:
    return content_hash(source.suffix.lower().encode(), data, sidecar)


def _sidecar(source: Path) -> bytes:
    try:
        return read_file(source.with_suffix(SIDECAR))
    except OSError as error:
        if is_gone(source.with_suffix(SIDECAR), error):
            return b""
        # Which `cook` tells; what was cooked without it is not current.
        return b"\0" + os_reason(error).encode()


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
        return content_hash(read_file(path))
    except OSError:
        return None


def cook(source: Path, kept: KeptSources | None = None) -> Cooked:
    """Import and convert a source; what `kept` has of it need not be read again. Raises DiagnosticError; warnings and
    lesser errors are in the result."""
    faults = Faults(shown_path(source))
    try:
        size = source.stat().st_size
        data = read_file(source) if size <= MAX_SOURCE else b""
    except OSError as error:
        raise faults.fatal("unreadable-file", f"cannot be read: {os_reason(error)}") from None
    if size > MAX_SOURCE:
        raise faults.fatal("bad-source", f"larger than {MAX_SOURCE // 2**20} MiB")
    if not data:
        raise faults.fatal("bad-source", "the file is empty", "export it again")
    sidecar = source.with_suffix(SIDECAR)
    before = _sidecar(source)
    try:
        settings, wrong = survey_settings(sidecar, shown_path(sidecar))
        while (now := _sidecar(source)) != before:  # saved in between
            before = now
            settings, wrong = survey_settings(sidecar, shown_path(sidecar))
    except OSError as error:
        raise faults.fatal("unreadable-file", f"its settings cannot be read: {os_reason(error)}") from None
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # absurd numbers are found where they come out
            read = (kept.read if kept is not None else read_source)(source, data, faults)
            if wrong:
                raise DiagnosticError(by_place([*wrong, *_unknown_names(source, read, settings, wrong)]))
            converted = convert(source.stem.lower(), read.scene, settings, read.form, read.load, faults)
    except DiagnosticError as error:
        # Of a source that cannot be read the faults of the settings are told as well.
        first = () if set(wrong) <= set(error.diagnostics) else by_place(wrong)
        raise DiagnosticError(dict.fromkeys((*first, *faults.found, *error.diagnostics))) from None
    meta, arrays = pack(converted)
    meta |= {
        "cooker": COOKER_VERSION,
        "faults": to_meta(faults.found, source),
        "name": source.stem.lower(),
        "source": _hash(source, data, before),
        "used": {path.relative_to(source.parent).as_posix(): known for path, known in read.used.items()},
    }
    data = container.to_bytes(meta, arrays)
    try:  # what the engine could not read again never takes the place of what it can
        unpack(container.from_buffer(data))
    except container.DamagedFile as error:
        raise faults.fatal("bad-source", f"what was cooked of it cannot be used: {error}") from None
    return Cooked(meta, arrays, data, tuple(faults.found))


def _unknown_names(
    source: Path, read: ReadSource, settings: ModelSettings, wrong: list[Diagnostic]
) -> list[Diagnostic]:
    """Names in the settings that the source lacks, where something else in them is wrong too: so all is told at once.
    What else converting finds may come of the defaults that stand in the place of what is wrong."""
    faults = Faults(shown_path(source))
    with contextlib.suppress(DiagnosticError):  # what ends it is told when the settings are repaired
        convert(source.stem.lower(), read.scene, settings, read.form, lambda _: None, faults)
    lines = {fault.span.line for fault in wrong if fault.span is not None}
    pieces = settings.file is not None and isinstance(settings.file.data.get("pieces", False), bool)
    return [
        fault
        for fault in faults.found
        if fault.code.startswith("unknown-")
        and fault.span is not None
        and fault.span.line not in lines
        and (pieces or fault.code != "unknown-bone")
    ]
