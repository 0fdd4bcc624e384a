"""Source files through libassimp: pyassimp finds, loads and releases, this module reads the scene memory.

pyassimp's own conversion cannot read skinned files and makes a Python object of every vertex; here the
arrays are copied out at once with NumPy. The structures are in `assimp_layout.py`; which variant the loaded
library uses is found by importing a one-bone model whose numbers are known, not by its version.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import importlib.util
import os
import sys
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.pipeline import assimp_layout as layout
from engine.pipeline.probe import PROBE_OFFSET, PROBE_ROTATIONS, probe_model
from engine.pipeline.scene import (
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

_TRIANGULATE = 0x8
_JOIN_IDENTICAL = 0x2
_SMOOTH_NORMALS = 0x40
_CACHE_LOCALITY = 0x800
_SORT_BY_TYPE = 0x8000
_FLIP_UVS = 0x800000
FLAGS = _TRIANGULATE | _JOIN_IDENTICAL | _SMOOTH_NORMALS | _CACHE_LOCALITY | _SORT_BY_TYPE | _FLIP_UVS

_PRIMITIVES, _TRIANGLES = 0xF, 0x4  # higher bits only tell how polygons were cut
_INCOMPLETE = 0x1
_DIFFUSE, _BASE_COLOR = 1, 12
_FLOATS, _STRING = 1, 3
_MAX_DEPTH = 512

_SYSTEM_FOLDERS = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/local/lib",
    "/opt/homebrew/lib",
)

MISSING_LIBRARY = (
    "`pip install cmeel-assimp` (Linux, macOS) or `apt install libassimp5` brings it; "
    "assets that are already cooked need it not"
)


class LibraryMissing(Exception):
    """No usable libassimp. The message is one sentence for the user; `MISSING_LIBRARY` is the remedy."""


class ImportFailed(Exception):
    """libassimp refused the file; the message is its reason."""


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
    functions = _load()
    for bone in (layout.Bone, layout.OldBone):
        for key in (layout.OldQuatKey, layout.QuatKey):
            found = _Library(functions, bone, key)
            if _fits(found):
                return found
    raise LibraryMissing("the installed libassimp lays out its data in a way this version does not know")


def import_memory(data: bytes, hint: str) -> Scene:
    """Import a file that needs no other; `hint` is its extension without dot.

    Raises ImportFailed, LibraryMissing.
    """
    lib = library()
    with _imported(lib, lib.functions.load_mem(data, len(data), FLAGS, hint.encode("ascii"))) as scene:
        return _read_scene(lib, scene)


def import_path(path: Path) -> Scene:
    """Import a file that may refer to others beside it. Raises ImportFailed, LibraryMissing."""
    lib = library()
    with _imported(lib, lib.functions.load(os.fsencode(path), FLAGS)) as scene:
        return _read_scene(lib, scene)


# Finding the library ------------------------------------------------------------------------------------


def _wheel_folders() -> list[str]:
    """Where the `cmeel-assimp` wheel puts its libraries."""
    try:
        files = importlib.metadata.files("cmeel-assimp") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    folders = {str(Path(str(file.locate())).parent) for file in files if "libassimp" in file.name}
    return sorted(folders)


def _search_groups() -> list[list[str]]:
    """Folders by precedence: what the user set, the wheel, the system."""
    chosen = [part for part in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if part]
    if os.name == "nt":
        return [_wheel_folders(), [part for part in os.environ.get("PATH", "").split(os.pathsep) if part]]
    return [chosen, _wheel_folders(), list(_SYSTEM_FOLDERS)]


def _holds_library(folder: str) -> bool:
    try:
        return any("assimp" in name.lower() for name in os.listdir(folder))
    except OSError:
        return False


@contextmanager
def _stub_distutils() -> Iterator[None]:
    """pyassimp asks distutils for one path under conda; Python 3.12 no longer has it, 3.11 warns of it."""
    names = ("distutils", "distutils.sysconfig")
    saved = {name: sys.modules.get(name) for name in names}
    package, sysconfig = types.ModuleType(names[0]), types.ModuleType(names[1])
    sysconfig.__dict__["get_python_lib"] = lambda: os.path.join(sys.prefix, "lib", "")
    package.__dict__["sysconfig"] = sysconfig
    sys.modules.update({names[0]: package, names[1]: sysconfig})
    try:
        yield
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _load() -> Any:
    """pyassimp's functions, from the first group of folders that holds a library.

    pyassimp searches while it is imported, in the current folder too, and takes the newest file. So its
    helper is imported first, below a bare package, and is told the folders; then the package proper.
    """
    spec = importlib.util.find_spec("pyassimp")
    if spec is None or spec.submodule_search_locations is None:
        raise LibraryMissing("pyassimp is not installed")
    groups = [group for group in _search_groups() if any(map(_holds_library, group))]
    if not groups:
        raise LibraryMissing("libassimp was not found")
    loaded = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "pyassimp"}
    if not loaded:
        bare = types.ModuleType("pyassimp")
        bare.__path__ = list(spec.submodule_search_locations)
        sys.modules["pyassimp"] = bare
    try:
        with _stub_distutils(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            helper = importlib.import_module("pyassimp.helper")
            if not loaded:
                del sys.modules["pyassimp"]
            helper.additional_dirs[:] = groups[0]
            core = importlib.import_module("pyassimp.core")
        return core._assimp_lib
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # AssimpError derives from BaseException
        raise LibraryMissing(f"libassimp cannot be loaded ({error})") from None
    finally:
        if "pyassimp.core" not in sys.modules:
            for name in [name for name in sys.modules if name.split(".")[0] == "pyassimp"]:
                if name not in loaded:
                    del sys.modules[name]


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


@contextmanager
def _imported(lib: _Library, pointer: Any) -> Iterator[layout.Scene]:
    """The scene behind `pointer`, released at the end."""
    if not pointer:
        get_error = lib.functions.dll.aiGetErrorString
        get_error.restype = ctypes.c_char_p
        reason = (get_error() or b"").decode("utf-8", "replace").strip().splitlines()
        raise ImportFailed(reason[0] if reason and reason[0] else "no reason given")
    try:
        scene = ctypes.cast(pointer, POINTER(layout.Scene)).contents
        if not scene.root:
            raise ImportFailed("the file has no nodes")
        yield scene
    finally:
        lib.functions.release(pointer)


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
    )


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
    faces = b"".join(
        ctypes.string_at(face.indices, 12) for face in mesh.faces[: mesh.face_count] if face.count == 3
    )
    normals = mesh.normals
    return SceneMesh(
        name=_text(mesh.name),
        material=mesh.material,
        positions=_copy(mesh.vertices, count, np.float32, 3),
        normals=_copy(normals, count, np.float32, 3) if normals else np.zeros((count, 3), np.float32),
        uvs=_copy(mesh.uvs[0], count, np.float32, 3)[:, :2].copy() if mesh.uvs[0] else None,
        colors=_copy(mesh.colors[0], count, np.float32, 4) if mesh.colors[0] else None,
        indices=np.frombuffer(faces, np.uint32).reshape(-1, 3).copy(),
        bones=[
            _read_bone(ctypes.cast(mesh.bones[i], POINTER(lib.bone)).contents) for i in range(mesh.bone_count)
        ],
        shape_keys=mesh.anim_mesh_count,
    )


def _read_bone(bone: Any) -> BoneWeights:
    pairs = _copy(bone.weights, bone.weight_count, np.dtype([("v", "<u4"), ("w", "<f4")]), 1)[:, 0]
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
    keys = _copy(address, count, np.dtype(layout.VectorKey), 1)[:, 0]
    return Track(keys["time"].astype(np.float64), keys["value"].astype(np.float64))


def _quat_track(lib: _Library, address: int | None, count: int) -> Track:
    keys = _copy(address, count, np.dtype(lib.quat_key), 1)[:, 0]
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
