"""Pictures looked through when a source is cooked: one that is cut short or damaged is told then, with its name.

Whoever draws it later knows only its bytes. A PNG is followed to its last row of pixels; of a JPEG everything but the
pixels, since decoders show damaged ones too.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

import numpy as np

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"

LARGEST_SIDE = 16384
"""Pixels; more than that no graphics card takes."""

_BLOCK = 1 << 18
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
"""Of a PNG's colour types: numbers a pixel, and bits that each may have."""

_INTERLACED = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
"""The passes of an interlaced PNG: first column and row, and how many apart they are."""

_FRAMES, _SCAN, _END = (0xC0, 0xC1, 0xC2), 0xDA, 0xD9
_ALONE = (0x01, *range(0xD0, 0xD8))
"""Markers of a JPEG: its header, as far as decoders know its kind, pixels, and its end; those that nothing follows."""

_MARKER = re.compile(rb"\xff+([^\x00\xff])")
_AFTER_PIXELS = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")

_CUT = "is cut short"
_DAMAGED = "is damaged"


class _Bad(Exception):
    """The picture cannot be shown; the message goes on from its name."""


def fault_of(data: bytes) -> str | None:
    """Why a picture cannot be shown, in words that follow its name; None where it can."""
    try:
        if data.startswith(PNG):
            _check_png(data)
        elif data.startswith(JPEG):
            _check_jpeg(data)
        else:
            return "is neither PNG nor JPEG"
    except _Bad as bad:
        return str(bad)
    return None


def _check_size(width: int, height: int) -> None:
    if not (width and height):
        raise _Bad(_DAMAGED)
    if max(width, height) > LARGEST_SIDE:
        raise _Bad(f"has {width} x {height} pixels, and {LARGEST_SIDE} a side are the most")


# PNG ----------------------------------------------------------------------------------------------------


def _check_png(data: bytes) -> None:
    chunks = _chunks(data)
    _, header = next(chunks)
    if len(header) != 13:
        raise _Bad(_DAMAGED)
    width, height, depth, color, packing, filtering, interlaced = struct.unpack(">IIBBBBB", header)
    _check_size(width, height)
    if depth not in _DEPTHS.get(color, ()) or packing or filtering or interlaced > 1:
        raise _Bad(_DAMAGED)
    rows = _Rows(width, height, depth * _CHANNELS[color], interlaced == 1)
    inflate, colors = zlib.decompressobj(), color != 3
    for kind, content in chunks:
        colors = colors or (kind == b"PLTE" and bool(content))
        if kind == b"IDAT" and not colors:
            raise _Bad(_DAMAGED)
        while kind == b"IDAT" and content and not rows.complete and not inflate.eof:
            try:
                rows.add(inflate.decompress(content, _BLOCK))
            except zlib.error:
                raise _Bad(_DAMAGED) from None
            content = inflate.unconsumed_tail
    if not rows.complete:
        raise _Bad(_DAMAGED)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG before its last, whatever comes after that. Those without a part in the picture may be
    wrong."""
    at = len(PNG)
    while True:
        if at + 12 > len(data):
            raise _Bad(_CUT)
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 8 + length
        if not kind.isalpha() or (at == len(PNG) and kind != b"IHDR"):
            raise _Bad(_DAMAGED)
        if end + 4 > len(data):
            raise _Bad(_CUT)
        if kind[:1].isupper() and zlib.crc32(data[at + 4 : end]) != int.from_bytes(
            data[end : end + 4], "big"
        ):
            raise _Bad(_DAMAGED)
        if kind == b"IEND":
            return
        yield kind, data[at + 8 : end]
        at = end + 4


class _Rows:
    """Counts the rows of a PNG as they come, and looks at the first byte of each, which says how it is stored."""

    def __init__(self, width: int, height: int, bits: int, interlaced: bool) -> None:
        self._passes: list[tuple[int, int, int]] = []  # where each begins and ends, and its bytes a row
        at = 0
        for x, y, across, down in _INTERLACED if interlaced else ((0, 0, 1, 1),):
            columns, rows = -(-(width - x) // across), -(-(height - y) // down)
            if columns > 0 and rows > 0:
                row = 1 + -(-columns * bits // 8)
                self._passes.append((at, at + rows * row, row))
                at += rows * row
        self._size, self._seen = at, 0

    @property
    def complete(self) -> bool:
        return self._seen >= self._size

    def add(self, block: bytes) -> None:
        values = np.frombuffer(block, np.uint8)
        start, end = self._seen, self._seen + len(block)
        for first, last, row in self._passes:
            if first < end and start < last:
                at = first if first >= start else start + (first - start) % row
                if (values[at - start : min(end, last) - start : row] > 4).any():
                    raise _Bad(_DAMAGED)
        self._seen = end


# JPEG ---------------------------------------------------------------------------------------------------


def _check_jpeg(data: bytes) -> None:
    """Every segment up to the end; the pixels between them are skipped."""
    jpeg, at = _Jpeg(), 2
    while True:
        found = _MARKER.match(data, at)
        if found is None:
            raise _Bad(_CUT if len(data) - at < 2 else _DAMAGED)
        marker, at = found[1][0], found.end()
        if marker == _END:
            break
        if marker in _ALONE:
            continue
        length = int.from_bytes(data[at : at + 2], "big")
        if at + max(length, 2) > len(data):
            raise _Bad(_CUT)
        if length < 2:
            raise _Bad(_DAMAGED)
        jpeg.segment(marker, data[at + 2 : at + length])
        at += length
        if marker == _SCAN:
            following = _AFTER_PIXELS.search(data, at)
            if following is None:
                raise _Bad(_CUT)
            at = following.start()
    if not jpeg.scanned:
        raise _Bad(_DAMAGED)


class _Jpeg:
    """What the segments of a JPEG have said so far: the tables of each of its parts (its colours), and which tables
    there are."""

    def __init__(self) -> None:
        self._parts: dict[int, int] = {}
        self._tables: set[int] = set()
        self._codes: set[int] = set()
        self._progressive = False
        self.scanned = False

    def segment(self, marker: int, content: bytes) -> None:
        if marker == 0xDB:
            self._quantization(content)
        elif marker == 0xC4:
            self._huffman(content)
        elif marker == _SCAN:
            self._scan(content)
        elif 0xC0 <= marker <= 0xCF and marker != 0xC8:
            self._frame(marker, content)

    def _frame(self, marker: int, frame: bytes) -> None:
        if marker not in _FRAMES:
            raise _Bad("is a JPEG of a kind that is not read")
        if self._parts or len(frame) < 9 or len(frame) != 6 + 3 * frame[5] or frame[0] != 8:
            raise _Bad(_DAMAGED)
        _check_size(int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big"))
        for part, sampling, table in zip(frame[6::3], frame[7::3], frame[8::3], strict=True):
            if not (1 <= sampling >> 4 <= 4 and 1 <= sampling & 15 <= 4) or part in self._parts:
                raise _Bad(_DAMAGED)
            self._parts[part] = table
        if len(self._parts) not in (1, 3, 4):
            raise _Bad("is a JPEG of a kind that is not read")
        self._progressive = marker == 0xC2

    def _quantization(self, content: bytes) -> None:
        while content:
            size = 65 + 64 * (content[0] >> 4)
            if content[0] >> 4 > 1 or content[0] & 15 > 3 or len(content) < size:
                raise _Bad(_DAMAGED)
            self._tables.add(content[0] & 15)
            content = content[size:]

    def _huffman(self, content: bytes) -> None:
        while content:
            counts = content[1:17]
            size = 17 + sum(counts)
            if content[0] & 0xEF > 3 or len(content) < size or size > 17 + 256:
                raise _Bad(_DAMAGED)
            if not _fits(counts) or (content[0] < 16 and any(value > 15 for value in content[17:size])):
                raise _Bad(_DAMAGED)
            self._codes.add(content[0])
            content = content[size:]

    def _scan(self, scan: bytes) -> None:
        count = scan[0] if scan else 0
        parts, tables = scan[1 : 1 + 2 * count : 2], scan[2 : 2 + 2 * count : 2]
        if not 1 <= count <= 4 or len(scan) != 4 + 2 * count or len(set(parts)) != count:
            raise _Bad(_DAMAGED)
        first, last, step = scan[-3:]
        for part, table in zip(parts, tables, strict=True):
            used = {table >> 4} if not self._progressive or not (first or step >> 4) else set()
            if not self._progressive or first:
                used.add(16 | table & 15)
            if self._parts.get(part, -1) not in self._tables or not used <= self._codes:
                raise _Bad(_DAMAGED)
        if self._progressive and (
            (last if not first else count > 1 or not first <= last < 64)
            or (step >> 4 and step >> 4 != (step & 15) + 1)
            or step & 15 > 13
        ):
            raise _Bad(_DAMAGED)
        self.scanned = True


def _fits(counts: bytes) -> bool:
    """Whether so many Huffman codes of each length can be told apart."""
    code = 0
    for length, count in enumerate(counts, 1):
        code = 2 * code + count
        if code > 1 << length:
            return False
    return True
