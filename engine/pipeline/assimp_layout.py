"""How libassimp lays out its scene in memory: ctypes structures of the C headers.

pyassimp's own structures are out of date in three places, which is why its `load` cannot read a skinned
file: a bone has two pointers that pyassimp does not know, rotation keys grew from 24 to 32 bytes with
libassimp 5.4, and an embedded image has its length in its width. Where versions differ there are two
structures here, and `importer.py` finds out by a probe which one the loaded library uses.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_ubyte,
    c_uint,
    c_uint32,
    c_void_p,
)
from dataclasses import dataclass
from typing import Any, ClassVar

Fields = list[tuple[str, Any]]

MAX_COLOR_SETS = 8
MAX_UV_SETS = 8


class String(Structure):
    _fields_: ClassVar[Fields] = [("length", c_uint32), ("data", c_char * 1024)]


class Matrix(Structure):
    """Row major; acts on columns."""

    _fields_: ClassVar[Fields] = [("values", c_float * 16)]


class Node(Structure):
    pass


Node._fields_ = [
    ("name", String),
    ("transform", Matrix),
    ("parent", POINTER(Node)),
    ("child_count", c_uint),
    ("children", POINTER(POINTER(Node))),
    ("mesh_count", c_uint),
    ("meshes", POINTER(c_uint)),
    ("metadata", c_void_p),
]


class OldBone(Structure):
    """A library built without the armature fields."""

    _fields_: ClassVar[Fields] = [
        ("name", String),
        ("weight_count", c_uint),
        ("weights", c_void_p),
        ("offset", Matrix),
    ]


class Bone(Structure):
    """libassimp 5.0 and later."""

    _fields_: ClassVar[Fields] = [
        ("name", String),
        ("weight_count", c_uint),
        ("armature", c_void_p),
        ("node", c_void_p),
        ("weights", c_void_p),
        ("offset", Matrix),
    ]


class Face(Structure):
    _fields_: ClassVar[Fields] = [("count", c_uint), ("indices", c_void_p)]


class Mesh(Structure):
    """The fields up to `anim_meshes`, which is as far as versions agree and we read."""

    _fields_: ClassVar[Fields] = [
        ("primitive_types", c_uint),
        ("vertex_count", c_uint),
        ("face_count", c_uint),
        ("vertices", c_void_p),
        ("normals", c_void_p),
        ("tangents", c_void_p),
        ("bitangents", c_void_p),
        ("colors", c_void_p * MAX_COLOR_SETS),
        ("uvs", c_void_p * MAX_UV_SETS),
        ("uv_components", c_uint * MAX_UV_SETS),
        ("faces", POINTER(Face)),
        ("bone_count", c_uint),
        ("bones", POINTER(c_void_p)),
        ("material", c_uint),
        ("name", String),
        ("anim_mesh_count", c_uint),
        ("anim_meshes", c_void_p),
    ]


class MaterialProperty(Structure):
    _fields_: ClassVar[Fields] = [
        ("key", String),
        ("semantic", c_uint),
        ("index", c_uint),
        ("length", c_uint),
        ("type", c_uint),
        ("data", c_void_p),
    ]


class Material(Structure):
    _fields_: ClassVar[Fields] = [
        ("properties", POINTER(POINTER(MaterialProperty))),
        ("count", c_uint),
        ("allocated", c_uint),
    ]


class Texture(Structure):
    """`height` 0 means: `data` holds `width` bytes of an encoded image."""

    _fields_: ClassVar[Fields] = [
        ("width", c_uint),
        ("height", c_uint),
        ("hint", c_char * 9),
        ("data", c_void_p),
        ("file_name", String),
    ]


class VectorKey(Structure):
    """24 bytes in every version: newer ones keep an interpolation mode in what was padding."""

    _fields_: ClassVar[Fields] = [("time", c_double), ("value", c_float * 3), ("mode", c_uint)]


class OldQuatKey(Structure):
    """libassimp before 5.4. The value is w x y z."""

    _fields_: ClassVar[Fields] = [("time", c_double), ("value", c_float * 4)]


class QuatKey(Structure):
    """libassimp 5.4 and later. The value is w x y z."""

    _fields_: ClassVar[Fields] = [
        ("time", c_double),
        ("value", c_float * 4),
        ("mode", c_uint),
        ("padding", c_ubyte * 4),
    ]


class NodeAnim(Structure):
    _fields_: ClassVar[Fields] = [
        ("node", String),
        ("position_count", c_uint),
        ("positions", c_void_p),
        ("rotation_count", c_uint),
        ("rotations", c_void_p),
        ("scale_count", c_uint),
        ("scales", c_void_p),
        ("before", c_uint),
        ("after", c_uint),
    ]


class Animation(Structure):
    """The fields up to `channels`."""

    _fields_: ClassVar[Fields] = [
        ("name", String),
        ("duration", c_double),
        ("rate", c_double),
        ("channel_count", c_uint),
        ("channels", POINTER(POINTER(NodeAnim))),
    ]


class MetadataEntry(Structure):
    _fields_: ClassVar[Fields] = [("type", c_uint), ("data", c_void_p)]


class Metadata(Structure):
    """`count` keys and values."""

    _fields_: ClassVar[Fields] = [
        ("count", c_uint),
        ("keys", POINTER(String)),
        ("values", POINTER(MetadataEntry)),
    ]


LOG_CALLBACK = CFUNCTYPE(None, c_char_p, c_void_p)


class LogStream(Structure):
    _fields_: ClassVar[Fields] = [("callback", LOG_CALLBACK), ("user", c_void_p)]


class Scene(Structure):
    """The fields up to `metadata`."""

    _fields_: ClassVar[Fields] = [
        ("flags", c_uint),
        ("root", POINTER(Node)),
        ("mesh_count", c_uint),
        ("meshes", POINTER(POINTER(Mesh))),
        ("material_count", c_uint),
        ("materials", POINTER(POINTER(Material))),
        ("animation_count", c_uint),
        ("animations", POINTER(POINTER(Animation))),
        ("texture_count", c_uint),
        ("textures", POINTER(POINTER(Texture))),
        ("light_count", c_uint),
        ("lights", c_void_p),
        ("camera_count", c_uint),
        ("cameras", c_void_p),
        ("metadata", POINTER(Metadata)),
    ]


@dataclass(frozen=True)
class Variant:
    """The structures, where versions differ, that a loaded library uses."""

    bone: type[Bone] | type[OldBone]
    quat_key: type[QuatKey] | type[OldQuatKey]
