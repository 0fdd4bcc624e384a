"""Source files through libassimp: pyassimp finds, loads and releases it, this module reads the scene memory.

pyassimp's own conversion cannot read skinned files and makes a Python object of every vertex; here the
arrays are copied out at once with NumPy. The structures are in `assimp_layout.py`; which variant the loaded
library uses is found by importing a one-bone model whose numbers are known, not by its version.

libassimp trusts what it reads, so files that were not checked before may crash it: see `contained.py`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from ctypes import POINTER
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.pipeline import assimp_layout as layout
from engine.pipeline import assimp_library
from engine.pipeline.assimp_files import SourceFiles, prototype
from engine.pipeline.assimp_library import MISSING_LIBRARY, LibraryMissing
from engine.pipeline.faults import one_line
from engine.pipeline.probe import PROBE_OFFSET, PROBE_ROTATIONS, probe_model
from engine.pipeline.scene import (
    PIVOT,
    BoneWeights,
    Channel,
    Float32,
    Float64,
    Node,
    Scene,
    SceneAnimation,
    SceneMaterial,
    SceneMesh,
    Track,
)

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

_PRIMITIVES, _TRIANGLES = 0xF, 0x4  # higher bits only tell how polygons were cut
_DIFFUSE, _BASE_COLOR = 1, 12
_FLOATS, _STRING = 1, 3
_NUMBERS: dict[int, Any] = {1: ctypes.c_int32, 3: ctypes.c_float, 4: ctypes.c_double}
_VECTOR_KEY = np.dtype(layout.VectorKey)
_QUAT_KEYS = {kind: np.dtype(kind) for kind in (layout.QuatKey, layout.OldQuatKey)}
_FACE = np.dtype(layout.Face)
_WEIGHT = np.dtype([("v", "<u4"), ("w", "<f4")])

_MAX_DEPTH = 512
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
    """A file's scene, the names of the other files that it asked for (see `SourceFiles`), and what libassimp
    complained of while it went on."""

    scene: Scene
    asked: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Library:
    """The loaded library with the structure variants that it uses."""

    functions: Any
    bone: type[layout.Bone] | type[layout.OldBone]
    quat_key: type[layout.QuatKey] | type[layout.OldQuatKey]


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
            found = _Library(functions, bone, key)
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
                found = _read_scene(lib, scene)
                if lib.quat_key is layout.OldQuatKey and _moves_pivots(found):
                    complaints.append(_OLD_PIVOTS)
                return Imported(found, tuple(files.asked), tuple(complaints))
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
            bone = ctypes.cast(mesh.bones[0], POINTER(lib.bone)).contents
            keys = scene.animations[0].contents.channels[0].contents
            if bone.weight_count != 3 or keys.rotation_count != len(PROBE_ROTATIONS):
                return False
            rotations = _quat_track(lib, keys.rotations, keys.rotation_count).values
            return bool(
                np.allclose(_matrix(bone.offset), PROBE_OFFSET, atol=1e-5)
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


def _read_scene(lib: _Library, scene: layout.Scene) -> Scene:
    meshes: list[SceneMesh] = []
    numbers: dict[int, int] = {}  # points and lines are left out, so meshes get new numbers
    for index in range(scene.mesh_count):
        mesh = scene.meshes[index].contents
        if mesh.primitive_types & _PRIMITIVES == _TRIANGLES and mesh.vertex_count and mesh.face_count:
            numbers[index] = len(meshes)
            meshes.append(_read_mesh(lib, mesh))
    return Scene(
        nodes=_read_nodes(scene, numbers),
        meshes=meshes,
        materials=[_read_material(scene.materials[i].contents) for i in range(scene.material_count)],
        animations=[_read_animation(lib, scene.animations[i].contents) for i in range(scene.animation_count)],
        images=[_read_image(scene.textures[i].contents) for i in range(scene.texture_count)],
        metadata=_read_metadata(scene),
    )


def _read_metadata(scene: layout.Scene) -> dict[str, float]:
    """The numbers among what the file says about itself."""
    found: dict[str, float] = {}
    if scene.metadata:
        metadata = scene.metadata.contents
        for i in range(metadata.count):
            entry = metadata.values[i]
            if entry.data and entry.type in _NUMBERS:
                found[_text(metadata.keys[i])] = float(_NUMBERS[entry.type].from_address(entry.data).value)
    return found


def _text(string: layout.String) -> str:
    return bytes(string.data[: string.length]).decode("utf-8", "replace")


def _matrix(matrix: layout.Matrix) -> Float64:
    return np.array(matrix.values, np.float64).reshape(4, 4)


def _copy(address: int | None, count: int, dtype: Any, columns: int) -> Any:
    """(count, columns) values copied from `address`."""
    size = count * columns * np.dtype(dtype).itemsize
    data = ctypes.string_at(address, size) if address and size else b""
    return np.frombuffer(data, dtype).reshape(-1, columns).copy()


def _read_nodes(scene: layout.Scene, numbers: dict[int, int]) -> list[Node]:
    nodes: list[Node] = []
    todo: list[tuple[Any, int, int]] = [(scene.root, -1, 0)]
    while todo:
        pointer, parent, depth = todo.pop()
        if depth > _MAX_DEPTH:
            raise ImportFailed(f"nodes are nested deeper than {_MAX_DEPTH}")
        node = pointer.contents
        meshes = tuple(numbers[m] for m in node.meshes[: node.mesh_count] if m in numbers)
        nodes.append(Node(_text(node.name), parent, _matrix(node.transform), meshes))
        here = len(nodes) - 1
        todo.extend((node.children[i], here, depth + 1) for i in reversed(range(node.child_count)))
    return nodes


def _read_mesh(lib: _Library, mesh: layout.Mesh) -> SceneMesh:
    count = mesh.vertex_count
    normals = mesh.normals
    return SceneMesh(
        name=_text(mesh.name),
        material=mesh.material,
        positions=_copy(mesh.vertices, count, np.float32, 3),
        normals=_copy(normals, count, np.float32, 3) if normals else np.zeros((count, 3), np.float32),
        uvs=_copy(mesh.uvs[0], count, np.float32, 3)[:, :2].copy() if mesh.uvs[0] else None,
        colors=_copy(mesh.colors[0], count, np.float32, 4) if mesh.colors[0] else None,
        indices=_read_faces(mesh),
        bones=[
            _read_bone(ctypes.cast(mesh.bones[i], POINTER(lib.bone)).contents) for i in range(mesh.bone_count)
        ],
        shape_keys=mesh.anim_mesh_count,
    )


def _read_faces(mesh: layout.Mesh) -> Any:
    """(T, 3) corners. Each face has its own piece of memory, so they are gathered from all over it at once."""
    faces = _copy(ctypes.cast(mesh.faces, ctypes.c_void_p).value, mesh.face_count, _FACE, 1)[:, 0]
    places = faces["indices"][(faces["count"] == 3) & (faces["indices"] != 0)].astype(np.int64)
    if not len(places):
        return np.zeros((0, 3), np.uint32)
    first = int(places.min())
    span = (ctypes.c_uint32 * ((int(places.max()) - first) // 4 + 3)).from_address(first)
    return np.ctypeslib.as_array(span)[((places - first) // 4)[:, None] + np.arange(3)]


def _read_bone(bone: Any) -> BoneWeights:
    pairs = _copy(bone.weights, bone.weight_count, _WEIGHT, 1)[:, 0]
    return BoneWeights(_text(bone.name), pairs["v"].copy(), pairs["w"].copy(), _matrix(bone.offset))


def _read_material(material: layout.Material) -> SceneMaterial:
    floats: dict[str, Float32] = {}
    textures: dict[int, str] = {}
    name, two_sided = "", False
    for i in range(material.count):
        prop = material.properties[i].contents
        key, raw = _text(prop.key), ctypes.string_at(prop.data, prop.length) if prop.data else b""
        if prop.type == _STRING and len(raw) >= 4:
            text = raw[4 : 4 + int.from_bytes(raw[:4], sys.byteorder)].decode("utf-8", "replace")
            if key == "?mat.name":
                name = text
            elif key == "$tex.file" and prop.index == 0:
                textures[prop.semantic] = text
        elif key == "$mat.twosided":
            two_sided = any(raw)
        elif prop.type == _FLOATS and len(raw) % 4 == 0:
            floats[key] = np.frombuffer(raw, np.float32)
    color = floats.get("$clr.base", floats.get("$clr.diffuse", np.ones(4, np.float32)))
    strength = float(floats.get("$mat.emissiveIntensity", [1.0])[0])
    emissive = floats.get("$clr.emissive", np.zeros(3, np.float32)) * strength
    opacity = float(color[3]) if len(color) > 3 else float(floats.get("$mat.opacity", [1.0])[0])
    return SceneMaterial(
        name=name,
        color=(float(color[0]), float(color[1]), float(color[2]), opacity),
        emissive=(float(emissive[0]), float(emissive[1]), float(emissive[2])),
        roughness=float(floats.get("$mat.roughnessFactor", [1.0])[0]),
        metallic=float(floats.get("$mat.metallicFactor", [0.0])[0]),
        two_sided=two_sided,
        texture=textures.get(_BASE_COLOR, textures.get(_DIFFUSE, "")),
    )


def _vector_track(address: int | None, count: int) -> Track:
    keys = _copy(address, count, _VECTOR_KEY, 1)[:, 0]
    return Track(keys["time"].astype(np.float64), keys["value"].astype(np.float64))


def _quat_track(lib: _Library, address: int | None, count: int) -> Track:
    keys = _copy(address, count, _QUAT_KEYS[lib.quat_key], 1)[:, 0]
    return Track(keys["time"].astype(np.float64), keys["value"].astype(np.float64)[:, [1, 2, 3, 0]])


def _read_animation(lib: _Library, animation: layout.Animation) -> SceneAnimation:
    channels = []
    for i in range(animation.channel_count):
        keys = animation.channels[i].contents
        channels.append(
            Channel(
                node=_text(keys.node),
                translation=_vector_track(keys.positions, keys.position_count)
                if keys.position_count
                else None,
                rotation=_quat_track(lib, keys.rotations, keys.rotation_count)
                if keys.rotation_count
                else None,
                scale=_vector_track(keys.scales, keys.scale_count) if keys.scale_count else None,
            )
        )
    return SceneAnimation(_text(animation.name), animation.duration, animation.rate, channels)


def _read_image(texture: layout.Texture) -> bytes | None:
    """Encoded bytes as they stand in the file; None for raw texels, which only old game formats embed."""
    if texture.height or not texture.data or not texture.width:
        return None
    return ctypes.string_at(texture.data, texture.width)
