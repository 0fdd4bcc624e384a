"""The texture coordinates of glTF meshes: a mesh may have several sets, and a material says which its picture lies by.

The engine reads one set, the first; so the one that is meant becomes the first.
"""

from __future__ import annotations

from engine.pipeline.faults import Faults
from engine.pipeline.gltf_data import Document, item
from engine.pipeline.gltf_extensions import TEXTURE_TRANSFORM

_SET = "TEXCOORD_"
_NO_TRANSFORM = {"offset": [0, 0], "rotation": 0, "scale": [1, 1]}


def choose_uvs(document: Document, faults: Faults) -> None:
    """Leave each mesh the set of its material's picture. Raises ValueError."""
    told: set[int] = set()
    for mesh in document.get("meshes", []):
        for primitive in mesh["primitives"]:
            attributes, number = primitive["attributes"], primitive.get("material")
            slot = _slot(item(document, "materials", number)) if number is not None else None
            wanted = slot.get("texCoord", 0) if slot is not None else 0
            if type(wanted) is not int or wanted < 0:
                raise ValueError(f"material {number} has texture coordinates {wanted!r}")
            sets = {name: attributes.pop(name) for name in [*attributes] if name.startswith(_SET)}
            chosen = sets.get(f"{_SET}{wanted}")
            if chosen is None and slot is not None and number not in told:
                told.add(number)
                instead = (
                    "the first ones are used" if f"{_SET}0" in sets else "the picture shows in one colour"
                )
                faults.warn(
                    "bad-material",
                    f"the texture of material `{_label(document, number)}` lies by texture coordinates {wanted},"
                    f" which mesh `{mesh.get('name') or '?'}` lacks; {instead}",
                    "unwrap the mesh, or name the coordinates that it has in the material",
                )
            chosen = sets.get(f"{_SET}0") if chosen is None else chosen
            if chosen is not None:
                attributes[f"{_SET}0"] = chosen
    for number, material in enumerate(document.get("materials", [])):
        slot = _slot(material)
        if slot is not None:
            slot.pop("texCoord", None)
            transform = slot.pop("extensions", {}).get(TEXTURE_TRANSFORM, {})
            if any(transform.get(key, plain) != plain for key, plain in _NO_TRANSFORM.items()):
                faults.warn(
                    "bad-material",
                    f"the texture of material `{_label(document, number)}` is moved, turned or scaled"
                    f" by {TEXTURE_TRANSFORM}, which is not read",
                    "move and scale the texture coordinates themselves",
                )


def _slot(material: Document) -> Document | None:
    slot: Document | None = material.get("pbrMetallicRoughness", {}).get("baseColorTexture")
    return slot


def _label(document: Document, material: int) -> str:
    return str(document["materials"][material].get("name") or f"material_{material}")
