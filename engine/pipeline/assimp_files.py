"""The files that libassimp asks for while it imports one source, answered from memory.

libassimp would open whatever path a source names. Here it gets the source's own bytes, and of other files only
those in the source's folder; each that it asks for is remembered, so that a change of one (an .mtl, an .md5anim)
makes the cooked file stale.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Any, ClassVar

from engine.pipeline.files import content_hash, find_beside, read_file
from engine.pipeline.formats import before_import

MAX_BYTES = 512 * 1024 * 1024
"""Of one file."""

_SEEK_SET, _SEEK_CURRENT, _SEEK_END = range(3)
_SUCCESS, _FAILURE = 0, -1

_OPEN = CFUNCTYPE(c_void_p, c_void_p, c_char_p, c_char_p)
_CLOSE = CFUNCTYPE(None, c_void_p, c_void_p)
_READ = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t, c_size_t)
_TELL = CFUNCTYPE(c_size_t, c_void_p)
_SEEK = CFUNCTYPE(c_int, c_void_p, c_size_t, c_int)
_FLUSH = CFUNCTYPE(None, c_void_p)


class _File(Structure):
    """libassimp's `aiFile`."""

    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("read", _READ),
        ("write", _READ),
        ("tell", _TELL),
        ("size", _TELL),
        ("seek", _SEEK),
        ("flush", _FLUSH),
        ("user", c_void_p),
    ]


class _FileIO(Structure):
    """libassimp's `aiFileIO`."""

    _fields_: ClassVar[list[tuple[str, Any]]] = [("open", _OPEN), ("close", _CLOSE), ("user", c_void_p)]


class _Opened:
    """One open file: its bytes, where it stands, and the structure that libassimp holds."""

    def __init__(self, data: bytes, file: _File) -> None:
        self.data = data
        self.at = 0
        self.file = file


class SourceFiles:
    """The file system that libassimp sees. `as_parameter()` is what its functions take; keep the object until then.

    path   the source, whose folder is all there is
    data   the source's bytes, which may differ from what lies on the disk
    asked  names of the other files, below the folder, in the order in which they were first asked for, with hashes
           of their content; None for one that is not there
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self.folder = path.parent
        self.name = path.name
        self.asked: dict[str, str | None] = {}
        self._others: dict[str, bytes | None] = {}
        self._data = before_import(path.suffix.lower(), data)
        self._open: dict[int, _Opened] = {}
        self._io = _FileIO(_OPEN(self._opened), _CLOSE(self._closed), None)
        self._functions = (
            _READ(self._read),
            _READ(lambda *_: 0),
            _TELL(lambda file: self._open[file].at),
            _TELL(lambda file: len(self._open[file].data)),
            _SEEK(self._seek),
            _FLUSH(lambda _: None),
        )

    def as_parameter(self) -> Any:
        return ctypes.byref(self._io)

    def _opened(self, _io: int, name: bytes, mode: bytes) -> int | None:
        if b"w" in mode or b"a" in mode:
            return None
        data = self._bytes(name.decode("utf-8", "surrogateescape"))
        if data is None:
            return None
        file = _File(*self._functions, None)
        address = ctypes.addressof(file)
        self._open[address] = _Opened(data, file)
        return address

    def _bytes(self, name: str) -> bytes | None:
        if name == self.name:
            return self._data
        if name not in self._others:
            found = find_beside(self.folder, name)
            try:
                data = read_file(found) if found is not None else None
            except OSError:
                data = None
            self.asked[name] = content_hash(data) if data is not None else None
            good = data is not None and len(data) <= MAX_BYTES
            self._others[name] = before_import(Path(name).suffix.lower(), data) if good and data else None
        return self._others[name]

    def _closed(self, _io: int, file: int) -> None:
        self._open.pop(file, None)

    def _read(self, file: int, buffer: int, size: int, count: int) -> int:
        opened = self._open[file]
        whole = min(count, (len(opened.data) - opened.at) // size) if size else 0
        part = opened.data[opened.at : opened.at + whole * size]
        ctypes.memmove(buffer, part, len(part))
        opened.at += len(part)
        return whole

    def _seek(self, file: int, offset: int, origin: int) -> int:
        opened = self._open[file]
        start = {_SEEK_SET: 0, _SEEK_CURRENT: opened.at, _SEEK_END: len(opened.data)}.get(origin, 0)
        at = start + ctypes.c_ssize_t(offset).value
        if not 0 <= at <= len(opened.data):
            return _FAILURE
        opened.at = at
        return _SUCCESS


def prototype(function: Any) -> Any:
    """`aiImportFileExWithProperties` with its types."""
    function.argtypes = [c_char_p, ctypes.c_uint, POINTER(_FileIO), c_void_p]
    function.restype = c_void_p
    return function
