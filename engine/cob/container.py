"""COB files: reading any that is well formed, writing them as every known compiler lays them out.

Two address spaces: header pointers and name tables count bytes from the file's start, script entries and jump
targets count words from the start of the code. All words are little-endian. The tables may lie in any order;
what a file had between and behind them is kept, so that reading and writing gives the same bytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from engine.source import Diagnostic, DiagnosticError, SourceText

MAX_FILE = 4 << 20
MAX_STATICS = 1 << 20
MAX_NAME = 255
"""Host limits: a header of 44 bytes must not make anybody allocate gigabytes."""

TA, TAK = 4, 6
_HEADER = {TA: 44, TAK: 52}


@dataclass(frozen=True, slots=True)
class Script:
    """An entry point. Several may share an entry word, and names may repeat: a lookup takes the first."""

    name: str
    entry: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a file that was read had its parts, and the bytes (`gaps`) that belong to none of them."""

    size: int
    code: int
    entries: int
    script_names: int
    piece_names: int
    trailing: int
    sound_names: int
    name_offsets: tuple[int, ...]
    gaps: tuple[tuple[int, bytes], ...]


@dataclass(slots=True)
class CobFile:
    """A unit script program. `code` holds unsigned 32-bit words; `trailing` records of no known use."""

    version: int = TA
    code: list[int] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    statics: int = 0
    sounds: list[str] = field(default_factory=list)
    trailing: list[tuple[int, int]] = field(default_factory=list)
    layout: Layout | None = None

    def script_index(self, name: str) -> int | None:
        """Index of the first script of exactly this name: the engine's lookup is case-sensitive."""
        return next((i for i, script in enumerate(self.scripts) if script.name == name), None)


def _fail(path: str, offset: int, message: str) -> DiagnosticError:
    # A binary file has no lines: the place is one line, and its column is the byte.
    source = SourceText(path, b"")
    return DiagnosticError([Diagnostic("bad-cob", f"{message} (byte {offset})", source.span(0))])


def read_cob(data: bytes, path: str = "<cob>") -> CobFile:
    """Read a version 4 or 6 file. Raises DiagnosticError (`bad-cob`) naming the byte that is wrong."""
    if len(data) > MAX_FILE:
        raise _fail(path, MAX_FILE, f"the file is larger than {MAX_FILE} bytes")
    if len(data) < 44:
        raise _fail(path, len(data), "the file ends inside its header of 44 bytes")
    head = struct.unpack_from("<11I", data)
    version = head[0]
    if version not in _HEADER:
        raise _fail(path, 0, f"version {version} is neither 4 (Total Annihilation) nor 6 (Kingdoms)")
    (_, n_scripts, n_pieces, n_words, statics, n_trailing, entries, names, pieces, code, trailing) = head
    sounds = n_sounds = 0
    if version == TAK:
        if len(data) < 52:
            raise _fail(path, len(data), "the file ends inside its header of 52 bytes")
        sounds, n_sounds = struct.unpack_from("<2I", data, 0x2C)
    if statics > MAX_STATICS:
        raise _fail(path, 0x10, f"{statics} static variables are more than {MAX_STATICS}")

    used: list[tuple[int, int]] = [(0, _HEADER[version])]

    def table(what: str, pointer: int, offset: int, count: int, width: int = 4) -> tuple[int, ...]:
        if count and offset + count * width > len(data):
            raise _fail(
                path, pointer, f"the {what} ({count} at byte {offset}) reach past the end of the file"
            )
        if count:
            used.append((offset, offset + count * width))
        return struct.unpack_from(f"<{count * width // 4}I", data, offset) if count else ()

    words = table("code words", 0x24, code, n_words)
    entry_words = table("script entries", 0x18, entries, n_scripts)
    name_offsets = table("script names", 0x1C, names, n_scripts)
    piece_offsets = table("piece names", 0x20, pieces, n_pieces)
    records = table("trailing records", 0x28, trailing, n_trailing, 8)
    sound_offsets = table("sound names", 0x2C, sounds, n_sounds)

    def text(what: str, offset: int) -> str:
        # Any number of names may begin at one place, so an endless one would be copied without end.
        end = data.find(b"\0", offset, offset + MAX_NAME + 1)
        if end < 0:
            where = "inside the file" if offset + MAX_NAME >= len(data) else f"within {MAX_NAME} bytes"
            raise _fail(path, offset, f"a {what} name has no end {where}")
        if end == offset:
            raise _fail(path, offset, f"a {what} name is empty")
        used.append((offset, end + 1))
        return data[offset:end].decode("latin-1")

    scripts = []
    for offset, entry in zip(name_offsets, entry_words, strict=True):
        if entry > n_words:  # equal is legal: an empty last function has no words of its own
            raise _fail(path, entries, f"script entry {entry} lies outside the {n_words} code words")
        scripts.append(Script(text("script", offset), entry))
    result = CobFile(
        version,
        list(words),
        scripts,
        [text("piece", offset) for offset in piece_offsets],
        statics,
        [text("sound", offset) for offset in sound_offsets],
        [(records[i], records[i + 1]) for i in range(0, len(records), 2)],
    )
    gaps: list[tuple[int, bytes]] = []
    at = 0
    for start, end in sorted(used):
        if start > at:
            gaps.append((at, data[at:start]))
        at = max(at, end)
    if at < len(data):
        gaps.append((at, data[at:]))
    offsets = (*name_offsets, *piece_offsets, *sound_offsets)
    result.layout = Layout(len(data), code, entries, names, pieces, trailing, sounds, offsets, tuple(gaps))
    return result


def _fresh_layout(cob: CobFile) -> Layout:
    """Header, code, entries, name tables, strings, without padding: the order of every known writer."""
    code = _HEADER[cob.version]
    entries = code + 4 * len(cob.code)
    script_names = entries + 4 * len(cob.scripts)
    piece_names = script_names + 4 * len(cob.scripts)
    sound_names = piece_names + 4 * len(cob.pieces)
    at = sound_names + 4 * len(cob.sounds)
    trailing = at
    at += 8 * len(cob.trailing)
    offsets = []
    for name in _names(cob):
        offsets.append(at)
        at += len(name) + 1
    return Layout(at, code, entries, script_names, piece_names, trailing, sound_names, tuple(offsets), ())


def _names(cob: CobFile) -> list[str]:
    return [script.name for script in cob.scripts] + cob.pieces + cob.sounds


def write_cob(cob: CobFile) -> bytes:
    """The file's bytes: in the layout it was read with, else in the usual one."""
    layout = cob.layout or _fresh_layout(cob)
    names = _names(cob)
    out = bytearray(layout.size)
    for offset, data in layout.gaps:
        out[offset : offset + len(data)] = data
    head = [cob.version, len(cob.scripts), len(cob.pieces), len(cob.code), cob.statics, len(cob.trailing)]
    head += [layout.entries, layout.script_names, layout.piece_names, layout.code, layout.trailing]
    if cob.version == TAK:
        head += [layout.sound_names, len(cob.sounds)]
    struct.pack_into(f"<{len(head)}I", out, 0, *head)

    def put(offset: int, words: list[int]) -> None:
        if words:
            struct.pack_into(f"<{len(words)}I", out, offset, *words)

    n_scripts, n_pieces = len(cob.scripts), len(cob.pieces)
    put(layout.code, cob.code)
    put(layout.entries, [script.entry for script in cob.scripts])
    put(layout.script_names, list(layout.name_offsets[:n_scripts]))
    put(layout.piece_names, list(layout.name_offsets[n_scripts : n_scripts + n_pieces]))
    put(layout.sound_names, list(layout.name_offsets[n_scripts + n_pieces :]))
    put(layout.trailing, [word for record in cob.trailing for word in record])
    for offset, name in zip(layout.name_offsets, names, strict=True):
        data = name.encode("latin-1") + b"\0"
        out[offset : offset + len(data)] = data
    return bytes(out)
