"""A source's bytes become a scene, by the way that its format takes, with the files beside it that it needs."""

from __future__ import annotations

import re
from pathlib import Path

from engine.pipeline import importer
from engine.pipeline.contained import import_contained
from engine.pipeline.faults import Faults
from engine.pipeline.files import content_hash, find_beside, read_file
from engine.pipeline.formats import FORMATS, GLTF, THREEDO, Format, after_import
from engine.pipeline.gltf import plain_glb
from engine.pipeline.importer import Imported
from engine.pipeline.scene import Scene
from engine.pipeline.threedo import read_3do
from engine.source import SourceText, Span
from engine.source.paths import shown_path

MAX_KEPT = 4
MAX_KEPT_BYTES = 16 * 1024 * 1024
"""How many sources are kept after they were read, and how large each may be in memory."""

_LINE = re.compile(r"\bline:? (\d{1,9})(?:, col (\d{1,9}))?", re.IGNORECASE)


class ReadSource:
    """A source that was read.

    scene  what is in it
    form   its format, as this file has it
    used   the files beside it that were read, or looked for in vain, with hashes of what was read; `load` adds to them.
           Not of what they have in them later: they may be saved while the source is cooked
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.scene = Scene([])
        self.form: Format = FORMATS[path.suffix.lower()]
        self.used: dict[Path, str | None] = {}

    def load(self, name: str) -> bytes | None:
        """A file that the source names, None where there is none."""
        found = find_beside(self.path.parent, name)
        data = read_file(found) if found is not None else None
        self.note(name, found, content_hash(data) if data is not None else None)
        return data

    def note(self, name: str, found: Path | None, hash_: str | None) -> None:
        """A file that the source names was looked for, and found with this content, or not."""
        for path in [found] if found is not None else _wanted(self.path, name):
            self.used[path] = hash_


def read_source(path: Path, data: bytes, faults: Faults) -> ReadSource:
    """Read `data`, the content of the file at `path`. Raises DiagnosticError where nothing can be made of it."""
    read, suffix = ReadSource(path), path.suffix.lower()
    try:
        if suffix == THREEDO:
            read.scene = read_3do(data, read.load, faults)
        elif suffix in GLTF:
            plain = plain_glb(data, path, faults)
            read.used |= plain.used
            read.scene = importer.import_source(path.with_suffix(".glb"), plain.data).scene
            read.scene.joints = plain.joints
        else:
            imported = import_contained(path, data)
            for name, hash_ in imported.asked.items():
                read.note(name, find_beside(path.parent, name), hash_)
            missing = [name for name, hash_ in imported.asked.items() if hash_ is None]
            _complain(imported, path, data, missing, faults)
            read.scene, read.form = after_import(suffix, path.stem.lower(), imported.scene)
    except importer.LibraryMissing as error:
        raise faults.fatal(
            "no-assimp", f"sources cannot be cooked: {error}", importer.MISSING_LIBRARY
        ) from None
    except importer.ImportFailed as error:
        place = _place(str(error), path, data)
        raise faults.fatal(
            "bad-source", f"the file cannot be imported: {error}", "export it again", span=place
        ) from None
    return read


class KeptSources:
    """Reads sources and keeps what was in the last few of them, for whoever cooks the same bytes again and again with
    other settings. Only what stands in one file, and has nothing wrong with it, is kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, str], ReadSource] = {}

    def read(self, path: Path, data: bytes, faults: Faults) -> ReadSource:
        """As `read_source`."""
        key = path, content_hash(data)
        kept = self._kept.pop(key, None)
        if kept is None:
            before = list(faults.found)
            kept = read_source(path, data, faults)
            if kept.used or faults.found != before or kept.scene.size > MAX_KEPT_BYTES:
                return kept
            kept.scene.kept = {}
        self._kept[key] = kept
        while len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        read = ReadSource(path)
        read.scene, read.form = kept.scene, kept.form
        return read


def _wanted(source: Path, name: str) -> list[Path]:
    """Where a file that is missing would have to come, which makes the cooked file stale; nowhere for a name that
    is none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return [source.parent / last] if last.isprintable() and 0 < len(last) < 200 else []


def _complain(imported: Imported, source: Path, data: bytes, missing: list[str], faults: Faults) -> None:
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
