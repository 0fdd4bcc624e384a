"""Meshes and skins of a glTF document checked before libassimp, which trusts them, reads out of bounds.

A wrong number is a ValueError, which becomes one diagnostic. A skin without bind matrices is allowed by the
format but crashes libassimp 6; it gets the identity that the format gives it.
"""

from __future__ import annotations

import numpy as np

from engine.pipeline.gltf_data import Document, add_accessor, check_accessor, item, read_accessor

_SHAPES = {
    "POSITION": ("VEC3",),
    "NORMAL": ("VEC3",),
    "TEXCOORD": ("VEC2",),
    "COLOR": ("VEC3", "VEC4"),
    "JOINTS": ("VEC4",),
    "WEIGHTS": ("VEC4",),
}
"""What each attribute of a mesh may hold."""

_LAST_MODE = 6
"""Of the ways in which a mesh may be drawn: fans of triangles."""


def is_read(attribute: str) -> bool:
    """Whether an attribute of a mesh is one that the engine reads."""
    return attribute.split("_")[0] in _SHAPES and not attribute.startswith("_")


def check_skins(document: Document, binary: bytearray) -> None:
    """Joints exist, and there is a bind matrix for each."""
    for index, skin in enumerate(document.get("skins", [])):
        joints = skin["joints"]
        if not joints:
            raise ValueError(f"skin {index} has no joints")
        for joint in joints:
            item(document, "nodes", joint)
        binds = skin.get("inverseBindMatrices")
        if binds is None:
            matrices = np.tile(np.eye(4).reshape(16), (len(joints), 1))
            skin["inverseBindMatrices"] = add_accessor(document, binary, matrices, "MAT4")
        elif check_accessor(document, binds, ("MAT4",))["count"] < len(joints):
            raise ValueError(f"skin {index} has fewer bind matrices than joints")


def check_meshes(document: Document, binary: bytearray) -> None:
    """Attributes of a mesh have one length, and indices and joints name what exists."""
    joint_counts: dict[int, int] = {}
    shown_by: dict[int, str] = {}
    for node in document.get("nodes", []):
        if "mesh" in node:
            item(document, "meshes", node["mesh"])
            shown_by.setdefault(node["mesh"], node.get("name", ""))
            if "skin" in node:
                count = len(item(document, "skins", node["skin"])["joints"])
                mesh = node["mesh"]
                joint_counts[mesh] = min(count, joint_counts.get(mesh, count))
    for index, mesh in enumerate(document.get("meshes", [])):
        name = shown_by.get(index) or mesh.get("name")
        label = f"mesh {index} (`{name}`)" if name else f"mesh {index}"
        for primitive in mesh["primitives"]:
            _check_primitive(document, binary, label, primitive, joint_counts.get(index))


def _check_primitive(
    document: Document, binary: bytearray, mesh: str, primitive: Document, joints: int | None
) -> None:
    attributes = primitive["attributes"]
    if "POSITION" not in attributes:
        raise ValueError(f"{mesh} has no positions")
    mode = primitive.get("mode", 4)
    if type(mode) is not int or not 0 <= mode <= _LAST_MODE:
        raise ValueError(f"{mesh} is drawn in mode {mode!r}, which does not exist")
    counts = {
        check_accessor(document, accessor, _SHAPES[name.split("_")[0]])["count"]
        for name, accessor in attributes.items()
    }
    for target in primitive.get("targets", []):
        counts |= {check_accessor(document, accessor)["count"] for accessor in target.values()}
    if len(counts) > 1:
        raise ValueError(f"{mesh} has attributes of different lengths")
    if "material" in primitive:
        item(document, "materials", primitive["material"])
    vertices = counts.pop() if counts else 0
    if "indices" in primitive:
        check_accessor(document, primitive["indices"], ("SCALAR",))
        if _highest(document, binary, primitive["indices"]) >= vertices:
            raise ValueError(f"{mesh} has indices that name missing vertices")
    for name, accessor in attributes.items():
        if (
            name.startswith("JOINTS_")
            and joints is not None
            and _highest(document, binary, accessor) >= joints
        ):
            raise ValueError(f"{mesh} follows joints that its skin lacks")


def _highest(document: Document, binary: bytearray, accessor: int) -> int:
    """The greatest number of an accessor of whole numbers."""
    values = read_accessor(document, binary, accessor)
    if values.dtype.kind != "u":
        raise ValueError(f"accessor {accessor} should hold whole numbers")
    return int(values.max())
