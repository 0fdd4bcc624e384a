"""Source files through libassimp, which pyassimp loads and `assimp_scene.py` reads.

Which variant of its structures the loaded library uses is found by importing a one-bone model whose numbers are
known, not by its version.

libassimp trusts what it reads, so files that were not checked before may crash it: see `contained.py`.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from ctypes import POINTER
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.pipeline import assimp_layout as layout
from engine.pipeline import assimp_library
from engine.pipeline.assimp_files import SourceFiles, prototype
from engine.pipeline.assimp_library import MISSING_LIBRARY, LibraryMissing
from engine.pipeline.assimp_scene import SceneTooDeepError, matrix, quat_track, read_scene
from engine.pipeline.faults import one_line
from engine.pipeline.probe import PROBE_OFFSET, PROBE_ROTATIONS, probe_model
from engine.pipeline.scene import PIVOT, Scene

__all__ = [
    "MISSING_LIBRARY",
    "ImportFailed",
    "Imported",
    "LibraryMissing",
    "available",
    "import_source",
    "library",
]

_TRIANGULATE = 0x8
_JOIN_IDENTICAL = 0x2
_SMOOTH_NORMALS = 0x40
_CACHE_LOCALITY = 0x800
_SORT_BY_TYPE = 0x8000
_FLIP_UVS = 0x800000
FLAGS = _TRIANGULATE | _JOIN_IDENTICAL | _SMOOTH_NORMALS | _CACHE_LOCALITY | _SORT_BY_TYPE | _FLIP_UVS

_SETTINGS = {
    b"IMPORT_NO_SKELETON_MESHES": 1,  # a file of clips gets no body made of sticks
    b"IMPORT_COLLADA_USE_COLLADA_NAMES": 1,  # what people call a bone, not the id that an exporter made of it
}


_MAX_COMPLAINTS = 20
_LONGEST = 200


_OLD_PIVOTS = (
    "clips of bones with pivots come out wrong with libassimp before 5.4 (`pip install cmeel-assimp`)"
)


TOO_MUCH_MEMORY = "it would need more memory than a model may take"

_INNER = (
    "std::",
    "vector",
    "basic_string",
    "string::",
    "cannot create std::",
    "map::",
    "stoi",
    "stof",
    "stoul",
)


class ImportFailed(Exception):
    """libassimp refused the file; the message is its reason."""


@dataclass(frozen=True)
class Imported:
    """A file's scene, the other files that it asked for, with hashes (see `SourceFiles.asked`), and what libassimp
    complained of while it went on."""

    scene: Scene
    asked: Mapping[str, str | None] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Library:
    """The loaded library with the structure variants that it uses."""

    functions: Any
    variant: layout.Variant


def available() -> bool:
    """Whether sources can be imported here."""
    try:
        library()
    except LibraryMissing:
        return False
    return True


@cache
def library() -> _Library:
    """Load libassimp once. Raises LibraryMissing."""
    functions = assimp_library.load_functions()
    for bone in (layout.Bone, layout.OldBone):
        for key in (layout.OldQuatKey, layout.QuatKey):
            found = _Library(functions, layout.Variant(bone, key))
            if _fits(found):
                return found
    raise LibraryMissing("the installed libassimp lays out its data in a way this version does not know")


def import_source(path: Path, data: bytes, *, listen: bool = False) -> Imported:
    """Import `data`, the content of the file at `path`, which may ask for others in its folder.

    `listen`: collect the library's complaints too, for which no other thread may import meanwhile.
    Raises ImportFailed, LibraryMissing.
    """
    lib = library()
    dll = lib.functions.dll
    files = SourceFiles(path, data)
    settings = _settings(dll)
    complaints: list[str] = []
    try:
        with _listening(dll, complaints) if listen else nullcontext():
            load = prototype(dll.aiImportFileExWithProperties)
            pointer = load(os.fsencode(files.name), FLAGS, files.as_parameter(), settings)
            with _imported(lib, pointer) as scene:
                try:
                    found = read_scene(lib.variant, scene)
                except SceneTooDeepError as error:
                    raise ImportFailed(str(error)) from None
                if lib.variant.quat_key is layout.OldQuatKey and _moves_pivots(found):
                    complaints.append(_OLD_PIVOTS)
                return Imported(found, files.asked, tuple(complaints))
    finally:
        dll.aiReleasePropertyStore(settings)


def _moves_pivots(scene: Scene) -> bool:
    """Whether a clip moves a bone with pivots, which libassimp before 5.4 counts twice."""
    moved = {channel.node for animation in scene.animations for channel in animation.channels}
    above = {scene.nodes[node.parent].name for node in scene.nodes if node.parent >= 0 and node.name in moved}
    return any(PIVOT in name.lower() for name in above)


def _settings(dll: Any) -> ctypes.c_void_p:
    dll.aiCreatePropertyStore.restype = ctypes.c_void_p
    store = ctypes.c_void_p(dll.aiCreatePropertyStore())
    for name, value in _SETTINGS.items():
        dll.aiSetImportPropertyInteger(store, name, value)
    return store


@contextmanager
def _listening(dll: Any, heard: list[str]) -> Iterator[None]:
    """Collect what the library logs as an error."""

    def hear(line: bytes, _user: Any) -> None:
        severity, _, text = line.decode("utf-8", "replace").strip().partition(",")
        if severity == "Error" and len(heard) < _MAX_COMPLAINTS:
            heard.append(one_line(text.partition(":")[2] or text, _LONGEST))

    stream = layout.LogStream(layout.LOG_CALLBACK(hear), None)
    dll.aiAttachLogStream(ctypes.byref(stream))
    try:
        yield
    finally:
        dll.aiDetachLogStream(ctypes.byref(stream))


def _fits(lib: _Library) -> bool:
    """Whether this choice of structures reads the known model right."""
    data = probe_model()
    try:
        with _imported(lib, lib.functions.load_mem(data, len(data), 0, b"gltf")) as scene:
            mesh = scene.meshes[0].contents
            bone = ctypes.cast(mesh.bones[0], POINTER(lib.variant.bone)).contents
            keys = scene.animations[0].contents.channels[0].contents
            if bone.weight_count != 3 or keys.rotation_count != len(PROBE_ROTATIONS):
                return False
            rotations = quat_track(lib.variant, keys.rotations, keys.rotation_count).values
            return bool(
                np.allclose(matrix(bone.offset), PROBE_OFFSET, atol=1e-5)
                and np.allclose(rotations, PROBE_ROTATIONS, atol=1e-5)
            )
    except (ImportFailed, ValueError):
        return False


# Reading the scene --------------------------------------------------------------------------------------


def _reason(said: str) -> str:
    """Why libassimp refused a file, in words for the one who has it."""
    if "bad_alloc" in said:
        return TOO_MUCH_MEMORY
    if said.startswith(_INNER):  # what its standard library says of a wrong number, by names of its own
        return "a number in it is out of range"
    return one_line(said, _LONGEST) or "libassimp gives no reason"


@contextmanager
def _imported(lib: _Library, pointer: Any) -> Iterator[layout.Scene]:
    """The scene behind `pointer`, released at the end."""
    if not pointer:
        get_error = lib.functions.dll.aiGetErrorString
        get_error.restype = ctypes.c_char_p
        raise ImportFailed(_reason((get_error() or b"").decode("utf-8", "replace")))
    try:
        scene = ctypes.cast(pointer, POINTER(layout.Scene)).contents
        if not scene.root:
            raise ImportFailed("the file has no nodes")
        yield scene
    finally:
        release = lib.functions.dll.aiReleaseImport
        release.argtypes = [ctypes.c_void_p]
        release(ctypes.cast(pointer, ctypes.c_void_p))
