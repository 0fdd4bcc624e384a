"""Models written by libassimp's own exporters, from a glTF made by the tests."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_size_t, c_uint, c_void_p
from typing import Any

from engine.pipeline import importer

_TRIANGULATE = 0x8


class _Blob(Structure):
    pass


_FIELDS: list[tuple[str, Any]] = [
    ("size", c_size_t),
    ("data", c_void_p),
    ("name_length", c_uint),
    ("name", ctypes.c_char * 1024),
    ("next", POINTER(_Blob)),
]
_Blob._fields_ = _FIELDS


def export(glb: bytes, kind: str) -> dict[str, bytes]:
    """The files of an export by their endings, the main one under `""`. `kind` is libassimp's name of the format."""
    dll = importer.library().functions.dll
    dll.aiImportFileFromMemory.restype = c_void_p
    scene = c_void_p(dll.aiImportFileFromMemory(glb, len(glb), _TRIANGULATE, b"glb"))
    assert scene.value
    dll.aiExportSceneToBlob.restype = POINTER(_Blob)
    blob = dll.aiExportSceneToBlob(scene, c_char_p(kind.encode()), 0)
    assert blob
    found = {}
    at = blob
    while at:
        content = at.contents
        found[content.name.decode()] = ctypes.string_at(content.data, content.size)
        at = content.next
    dll.aiReleaseExportBlob(blob)
    dll.aiReleaseImport(scene)
    return found
