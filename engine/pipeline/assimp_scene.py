"""The scene that libassimp made, copied out of its memory with NumPy.

pyassimp's own conversion cannot read skinned files and makes a Python object of every vertex. The structures are in
`assimp_layout.py`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from ctypes import POINTER
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from engine.pipeline import assimp_layout as layout
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

_PRIMITIVES, _TRIANGLES = 0xF, 0x4  # higher bits only tell how polygons were cut
_DIFFUSE, _BASE_COLOR = 1, 12
_FLOATS, _STRING = 1, 3
_NUMBERS: dict[int, Any] = {1: ctypes.c_int32, 3: ctypes.c_float, 4: ctypes.c_double}
_VECTOR_KEY = np.dtype(layout.VectorKey)
_QUAT_KEYS = {kind: np.dtype(kind) for kind in (layout.QuatKey, layout.OldQuatKey)}
_FACE = np.dtype(layout.Face)
_WEIGHT = np.dtype([("v", "<u4"), ("w", "<f4")])

MAX_DEPTH = 512
"""Nodes below one another."""


class SceneTooDeepError(Exception):
    """Nodes are nested deeper than MAX_DEPTH."""


def read_scene(variant: layout.Variant, scene: layout.Scene) -> Scene:
    """Everything that the engine uses of a scene, copied. Raises SceneTooDeepError."""
    meshes: list[SceneMesh] = []
    numbers: dict[int, int] = {}  # points and lines are left out, so meshes get new numbers
    for index in range(scene.mesh_count):
        mesh = scene.meshes[index].contents
        if mesh.primitive_types & _PRIMITIVES == _TRIANGLES and mesh.vertex_count and mesh.face_count:
            numbers[index] = len(meshes)
            meshes.append(_read_mesh(variant, mesh))
    return Scene(
        nodes=_read_nodes(scene, numbers),
        meshes=meshes,
        materials=[_read_material(scene.materials[i].contents) for i in range(scene.material_count)],
        animations=[
            _read_animation(variant, scene.animations[i].contents) for i in range(scene.animation_count)
        ],
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


def matrix(of: layout.Matrix) -> Float64:
    return np.array(of.values, np.float64).reshape(4, 4)


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
        if depth > MAX_DEPTH:
            raise SceneTooDeepError(f"nodes are nested deeper than {MAX_DEPTH}")
        node = pointer.contents
        meshes = tuple(numbers[m] for m in node.meshes[: node.mesh_count] if m in numbers)
        nodes.append(Node(_text(node.name), parent, matrix(node.transform), meshes))
        here = len(nodes) - 1
        todo.extend((node.children[i], here, depth + 1) for i in reversed(range(node.child_count)))
    return nodes


def _read_mesh(variant: layout.Variant, mesh: layout.Mesh) -> SceneMesh:
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
            _read_bone(ctypes.cast(mesh.bones[i], POINTER(variant.bone)).contents)
            for i in range(mesh.bone_count)
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
    return BoneWeights(_text(bone.name), pairs["v"].copy(), pairs["w"].copy(), matrix(bone.offset))


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


def quat_track(variant: layout.Variant, address: int | None, count: int) -> Track:
    return _quat_tracks(variant, [_keys(address, count, variant.quat_key)])[0]


def _keys(address: int | None, count: int, kind: type[ctypes.Structure]) -> bytes:
    size = count * ctypes.sizeof(kind)
    return ctypes.string_at(address, size) if address and size else b""


def _tracks(pieces: list[bytes], dtype: Any, order: Sequence[int] = (0, 1, 2)) -> list[Track]:
    """The tracks whose keys these are, with the numbers of each in this order. All are taken apart at once, for most
    have one key."""
    keys = np.frombuffer(b"".join(pieces), dtype)
    times, values = keys["time"].astype(np.float64), keys["value"].astype(np.float64).take(order, axis=1)
    ends = list(accumulate(len(piece) // dtype.itemsize for piece in pieces))
    return [Track(times[a:b], values[a:b]) for a, b in pairwise([0, *ends])]


def _quat_tracks(variant: layout.Variant, pieces: list[bytes]) -> list[Track]:
    return _tracks(pieces, _QUAT_KEYS[variant.quat_key], [1, 2, 3, 0])


def _read_animation(variant: layout.Variant, animation: layout.Animation) -> SceneAnimation:
    channels = [animation.channels[i].contents for i in range(animation.channel_count)]
    vector, quat = layout.VectorKey, variant.quat_key
    places = [_keys(c.positions, c.position_count, vector) for c in channels if c.position_count]
    turns = [_keys(c.rotations, c.rotation_count, quat) for c in channels if c.rotation_count]
    sizes = [_keys(c.scales, c.scale_count, vector) for c in channels if c.scale_count]
    translations, rotations = iter(_tracks(places, _VECTOR_KEY)), iter(_quat_tracks(variant, turns))
    scales = iter(_tracks(sizes, _VECTOR_KEY))
    found = [
        Channel(
            node=_text(c.node),
            translation=next(translations) if c.position_count else None,
            rotation=next(rotations) if c.rotation_count else None,
            scale=next(scales) if c.scale_count else None,
        )
        for c in channels
    ]
    return SceneAnimation(_text(animation.name), animation.duration, animation.rate, found)


def _read_image(texture: layout.Texture) -> bytes | None:
    """Encoded bytes as they stand in the file; None for raw texels, which only old game formats embed."""
    if texture.height or not texture.data or not texture.width:
        return None
    return ctypes.string_at(texture.data, texture.width)
