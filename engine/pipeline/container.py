"""The cooked file: a JSON header and aligned arrays in one file that maps straight into memory.

    0   8 bytes   magic `NTKASSET`
    8   u32       format version
    12  u32       length of the header text
    16  u32       CRC-32 of the header text
    20  u32       CRC-32 of everything after the header, padding included
    24  text      the header, UTF-8 JSON: {"arrays": [[name, dtype, shape, offset], ...], "meta": {...}}
    ..  arrays    each at a multiple of 64 bytes from the start of the file, little-endian, row major

The same content always gives the same bytes. A reader trusts nothing: every length, offset and type is
checked before an array is made, so a damaged file is refused and never read out of bounds.
"""

from __future__ import annotations

import json
import math
import mmap
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.pipeline.files import check_file

MAGIC = b"NTKASSET"
VERSION = 1
ALIGNMENT = 64

_FIXED = struct.Struct("<8sIIII")
_DTYPES = ("<f4", "<i4", "<u4", "<u2", "|u1")
_MAX_AXES = 4

Arrays = Mapping[str, "np.ndarray[Any, Any]"]


class DamagedFile(Exception):
    """The file is no cooked file, is of another version, or was damaged; the message says which."""


@dataclass(frozen=True, eq=False)
class Container:
    """What a cooked file holds. Arrays may be views of the mapped file and are read-only."""

    meta: dict[str, Any]
    arrays: Arrays


def to_bytes(meta: Mapping[str, Any], arrays: Arrays) -> bytes:
    """The bytes of a cooked file. `meta` must be plain JSON values."""
    table: list[list[Any]] = []
    placed = []
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if array.dtype.str not in _DTYPES:
            raise TypeError(f"array {name!r} has type {array.dtype}, which a cooked file does not hold")
        table.append([name, array.dtype.str, list(array.shape), 0])
        placed.append(array)
    length = 0
    for _ in range(8):  # offsets stand in the header, whose length they change; it settles at once or twice
        at = _aligned(_FIXED.size + length)
        for entry, array in zip(table, placed, strict=True):
            entry[3] = at
            at = _aligned(at + array.nbytes)
        text = _header(meta, table)
        if len(text) == length:
            break
        length = len(text)
    body = bytearray()
    start = _FIXED.size + len(text)
    for entry, array in zip(table, placed, strict=True):
        body.extend(b"\0" * (entry[3] - start - len(body)))
        body.extend(array.tobytes())
    fixed = _FIXED.pack(MAGIC, VERSION, len(text), zlib.crc32(text), zlib.crc32(body))
    return fixed + text + bytes(body)


def _header(meta: Mapping[str, Any], table: list[list[Any]]) -> bytes:
    header = {"arrays": table, "meta": meta}
    return json.dumps(header, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("utf-8")


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT


def read(path: Path) -> Container:
    """Map a cooked file. Raises DamagedFile, or OSError as the system gives it."""
    check_file(path)
    with path.open("rb") as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise DamagedFile("the file is empty") from None
    return from_buffer(data)


def read_meta(path: Path) -> dict[str, Any]:
    """Only the header of a cooked file: what it was made of, without touching the arrays.

    Raises DamagedFile, or OSError as the system gives it.
    """
    check_file(path)
    with path.open("rb") as file:
        fixed = file.read(_FIXED.size)
        length = _check_fixed(fixed)[0]
        text = file.read(length)
    meta = _parse_header(fixed, text)["meta"]
    return dict(meta)


def from_buffer(data: bytes | mmap.mmap) -> Container:
    """The content of a cooked file in memory; arrays are views of `data`. Raises DamagedFile."""
    length, _, body_sum = _check_fixed(data[: _FIXED.size])
    start = _FIXED.size + length
    header = _parse_header(data[: _FIXED.size], data[_FIXED.size : start])
    view = memoryview(data)
    if zlib.crc32(view[start:]) != body_sum:
        raise DamagedFile("the data does not match its check sum")
    arrays = {}
    for entry in header["arrays"]:
        name, dtype, shape, offset = _check_entry(entry, start, len(view))
        count = math.prod(shape)
        array = np.frombuffer(view, dtype, count, offset) if count else np.zeros(0, dtype)
        arrays[name] = array.reshape(shape)
        arrays[name].flags.writeable = False
    return Container(header["meta"], arrays)


def _check_fixed(fixed: bytes) -> tuple[int, int, int]:
    if len(fixed) < _FIXED.size:
        raise DamagedFile("the file is cut short")
    magic, version, length, header_sum, body_sum = _FIXED.unpack(fixed)
    if magic != MAGIC:
        raise DamagedFile("this is not a cooked file")
    if version != VERSION:
        raise DamagedFile(f"cooked by another version (format {version}, this one reads {VERSION})")
    return length, header_sum, body_sum


def _parse_header(fixed: bytes, text: bytes) -> dict[str, Any]:
    length, header_sum, _ = _check_fixed(fixed)
    if len(text) != length or zlib.crc32(text) != header_sum:
        raise DamagedFile("the header does not match its check sum")
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedFile("the header is not JSON") from None
    if (
        not isinstance(header, dict)
        or not isinstance(header.get("meta"), dict)
        or not isinstance(header.get("arrays"), list)
    ):
        raise DamagedFile("the header lacks its parts")
    return header


def _check_entry(entry: Any, start: int, end: int) -> tuple[str, str, tuple[int, ...], int]:
    if not isinstance(entry, list) or len(entry) != 4:
        raise DamagedFile("an array has no full entry")
    name, dtype, shape, offset = entry
    whole = isinstance(shape, list) and len(shape) <= _MAX_AXES
    if not isinstance(name, str) or dtype not in _DTYPES or not whole:
        raise DamagedFile("an array has a wrong entry")
    sizes_good = all(type(size) is int and 0 <= size < 2**31 for size in shape)
    if not sizes_good or type(offset) is not int or offset % ALIGNMENT:
        raise DamagedFile(f"array {name!r} has a wrong entry")
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size and not start <= offset <= end - size:
        raise DamagedFile(f"array {name!r} lies outside the file")
    return name, dtype, tuple(shape), offset
