"""A small writer of binary glTF 2.0 (`.glb`) for the scripts that make the shipped models.

Everything given to it is in engine conventions (inches, x forward, y left, z up, quaternions x y z w,
colours sRGB 0..255); it is turned into glTF's own (metres, Y up, Z forward, linear colours) while it is
written. Output depends on the input alone, so a model made twice is the same bytes twice.

    glb = GlbWriter()
    paint = glb.add_material("paint", roughness=0.9)
    root = glb.add_node("crate")
    glb.add_mesh(root, [Primitive(positions, normals, indices, colors=colors, material=paint)])
    glb.write(Path("assets/models/crate/crate.glb"))

A skinned model adds one node a bone with its local rest pose, `add_skin(bones)`, a mesh with `skin=`, and
`add_clip(name, times, {node: rows})`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets.tools.palette import to_linear

INCHES_PER_METRE = 39.37007874
_AXES = (1, 2, 0)  # glTF x is our y, its y our z, its z our x
_COMPONENT = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_SHAPE = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_SECTIONS = (
    "nodes",
    "meshes",
    "materials",
    "skins",
    "animations",
    "accessors",
    "bufferViews",
    "images",
    "textures",
    "samplers",
)
_ARRAY_BUFFER, _ELEMENT_BUFFER = 34962, 34963

Array = NDArray[Any]


@dataclass
class Primitive:
    """The triangles of one material.

    positions (V, 3) inches, normals (V, 3) unit, indices (T, 3) counter-clockwise seen from outside,
    uvs (V, 2), colors (V, 3 or 4) sRGB 0..255, joints (V, 4) indices into the skin's bone list,
    weights (V, 4) that sum to 1.
    """

    positions: ArrayLike
    normals: ArrayLike
    indices: ArrayLike
    uvs: ArrayLike | None = None
    colors: ArrayLike | None = None
    joints: ArrayLike | None = None
    weights: ArrayLike | None = None
    material: int | None = None


class GlbWriter:
    """Collects nodes, meshes, skins and clips; `to_bytes` gives the file."""

    def __init__(self) -> None:
        self._binary = bytearray()
        self._parents: list[int | None] = []
        self._rests: list[tuple[Array, Array, float]] = []
        self._document: dict[str, list[dict[str, Any]]] = {name: [] for name in _SECTIONS}

    def add_node(
        self,
        name: str,
        parent: int | None = None,
        translation: ArrayLike = (0, 0, 0),
        rotation: ArrayLike = (0, 0, 0, 1),
        scale: float = 1.0,
    ) -> int:
        """A node (bone, tag or holder of a mesh) with its local rest pose; parents come first."""
        node: dict[str, Any] = {"name": name}
        move, turn = np.asarray(translation, float), np.asarray(rotation, float)
        if np.any(move != 0):
            node["translation"] = _rounded(_points(move))
        if np.any(turn[:3] != 0):
            node["rotation"] = _rounded(_turns(turn))
        if scale != 1.0:
            node["scale"] = [scale] * 3
        index = len(self._document["nodes"])
        self._document["nodes"].append(node)
        self._parents.append(parent)
        self._rests.append((move, turn, scale))
        if parent is not None:
            self._document["nodes"][parent].setdefault("children", []).append(index)
        return index

    def add_texture(self, png: bytes) -> int:
        """An embedded PNG image, repeated and filtered linearly."""
        if not self._document["samplers"]:
            self._document["samplers"].append(
                {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497}
            )
        view = self._view(png, None)
        self._document["images"].append({"mimeType": "image/png", "bufferView": view})
        self._document["textures"].append({"sampler": 0, "source": len(self._document["images"]) - 1})
        return len(self._document["textures"]) - 1

    def add_material(
        self,
        name: str,
        color: ArrayLike = (255, 255, 255),
        *,
        texture: int | None = None,
        emissive: ArrayLike | None = None,
        roughness: float = 1.0,
        metallic: float = 0.0,
        double_sided: bool = False,
        alpha_cutoff: float | None = None,
    ) -> int:
        """`color` (sRGB) multiplies vertex colour and texture; alpha below `alpha_cutoff` is a hole."""
        shading: dict[str, Any] = {
            "baseColorFactor": [*_rounded(to_linear(color)), 1.0],
            "metallicFactor": metallic,
            "roughnessFactor": roughness,
        }
        if texture is not None:
            shading["baseColorTexture"] = {"index": texture}
        material: dict[str, Any] = {"name": name, "pbrMetallicRoughness": shading}
        if emissive is not None:
            material["emissiveFactor"] = _rounded(to_linear(emissive))
        if double_sided:
            material["doubleSided"] = True
        if alpha_cutoff is not None:
            material |= {"alphaMode": "MASK", "alphaCutoff": alpha_cutoff}
        self._document["materials"].append(material)
        return len(self._document["materials"]) - 1

    def add_skin(self, bones: Sequence[int]) -> int:
        """A skin over bone nodes, bound in the rest pose that the nodes have."""
        bind = np.stack([np.linalg.inv(self._world(bone)).T for bone in bones])  # glTF matrices lie by column
        accessor = self._accessor(bind.reshape(-1, 16).astype("<f4"))
        self._document["skins"].append({"joints": list(bones), "inverseBindMatrices": accessor})
        return len(self._document["skins"]) - 1

    def add_mesh(self, node: int, primitives: Sequence[Primitive], *, skin: int | None = None) -> None:
        """Puts a mesh on a node. A skinned mesh belongs on a node of its own at the origin."""
        mesh = {
            "name": self._document["nodes"][node]["name"],
            "primitives": [self._primitive(part, skinned=skin is not None) for part in primitives],
        }
        self._document["meshes"].append(mesh)
        self._document["nodes"][node]["mesh"] = len(self._document["meshes"]) - 1
        if skin is not None:
            self._document["nodes"][node]["skin"] = skin

    def add_clip(self, name: str, times: ArrayLike, tracks: Mapping[int, ArrayLike]) -> None:
        """An animation with keys at `times` (F,) seconds; a track is (F, 7) local rows.

        A row is rotation x y z w, then translation in inches. Tracks that never leave one value are written
        with a single key; a node that stays where it rests, as bones do that only turn, gets no translation.
        """
        moments = np.asarray(times, "<f4")
        clock = self._accessor(moments[:, None], bounds=True)
        first = self._accessor(moments[:1, None], bounds=True)
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []
        for node, rows in tracks.items():
            track = np.asarray(rows, float)
            turns = _continuous(_turns(track[:, :4])).astype("<f4")
            moves = _points(track[:, 4:7]).astype("<f4")
            for path, values in (("rotation", turns), ("translation", moves)):
                still = bool(np.all(np.ptp(values, axis=0) < 1e-6))
                if (
                    still
                    and path == "translation"
                    and np.abs(values[0] - _points(self._rests[node][0])).max() < 1e-6
                ):
                    continue
                output = self._accessor(values[:1] if still else values)
                samplers.append({"input": first if still else clock, "output": output})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        self._document["animations"].append({"name": name, "samplers": samplers, "channels": channels})

    def to_bytes(self) -> bytes:
        """The whole `.glb` file."""
        document: dict[str, Any] = {"asset": {"version": "2.0", "generator": "notetrack asset tools"}}
        roots = [index for index, parent in enumerate(self._parents) if parent is None]
        document |= {"scene": 0, "scenes": [{"nodes": roots}]}
        document |= {name: entries for name, entries in self._document.items() if entries}
        document["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self._binary) + b"\0" * (-len(self._binary) % 4)
        total = 12 + 8 + len(text) + 8 + len(binary)
        return b"".join(
            (
                struct.pack("<4sII", b"glTF", 2, total),
                struct.pack("<I4s", len(text), b"JSON"),
                text,
                struct.pack("<I4s", len(binary), b"BIN\0"),
                binary,
            )
        )

    def write(self, path: Path) -> None:
        """Writes the file and makes its folder."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.to_bytes())

    def _primitive(self, part: Primitive, *, skinned: bool) -> dict[str, Any]:
        positions = _points(np.asarray(part.positions, float)).astype("<f4")
        normals = np.asarray(part.normals, float)[:, _AXES].astype("<f4")
        attributes = {
            "POSITION": self._accessor(positions, _ARRAY_BUFFER, bounds=True),
            "NORMAL": self._accessor(normals, _ARRAY_BUFFER),
        }
        if part.uvs is not None:
            attributes["TEXCOORD_0"] = self._accessor(np.asarray(part.uvs, "<f4"), _ARRAY_BUFFER)
        if part.colors is not None:
            paint = np.asarray(part.colors, float)
            alpha = paint[:, 3:4] / 255.0 if paint.shape[1] == 4 else np.ones((len(paint), 1))
            linear = np.hstack([to_linear(paint[:, :3]), np.clip(alpha, 0.0, 1.0)])
            shades = np.round(linear * 65535.0).astype("<u2")
            attributes["COLOR_0"] = self._accessor(shades, _ARRAY_BUFFER, normalized=True)
        if skinned:
            if part.joints is None or part.weights is None:
                raise ValueError("a skinned mesh needs joints and weights")
            attributes["JOINTS_0"] = self._accessor(np.asarray(part.joints).astype("u1"), _ARRAY_BUFFER)
            attributes["WEIGHTS_0"] = self._accessor(np.asarray(part.weights, "<f4"), _ARRAY_BUFFER)
        corners = np.asarray(part.indices).reshape(-1, 1)
        width = "<u2" if len(positions) < 65535 else "<u4"
        primitive: dict[str, Any] = {
            "attributes": attributes,
            "indices": self._accessor(corners.astype(width), _ELEMENT_BUFFER),
        }
        if part.material is not None:
            primitive["material"] = part.material
        return primitive

    def _world(self, node: int) -> Array:
        """Rest matrix (4, 4) of a node in glTF space."""
        move, turn, scale = self._rests[node]
        local = np.eye(4)
        local[:3, :3] = _matrix(_turns(turn)) * scale
        local[:3, 3] = _points(move)
        parent = self._parents[node]
        return local if parent is None else self._world(parent) @ local

    def _accessor(
        self, values: Array, target: int | None = None, *, bounds: bool = False, normalized: bool = False
    ) -> int:
        accessor: dict[str, Any] = {
            "bufferView": self._view(np.ascontiguousarray(values).tobytes(), target),
            "componentType": _COMPONENT[values.dtype.str[1:]],
            "count": len(values),
            "type": _SHAPE[values.shape[1]],
        }
        if normalized:
            accessor["normalized"] = True
        if bounds:
            accessor["min"] = values.min(axis=0).astype(float).tolist()
            accessor["max"] = values.max(axis=0).astype(float).tolist()
        self._document["accessors"].append(accessor)
        return len(self._document["accessors"]) - 1

    def _view(self, data: bytes, target: int | None) -> int:
        self._binary += b"\0" * (-len(self._binary) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._binary), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self._binary += data
        self._document["bufferViews"].append(view)
        return len(self._document["bufferViews"]) - 1


def _points(inches: Array) -> Array:
    return inches[..., _AXES] / INCHES_PER_METRE


def _turns(quaternion: Array) -> Array:
    return quaternion[..., (*_AXES, 3)]


def _rounded(values: Array) -> list[float]:
    return [float(value) for value in np.round(values, 9)]


def _continuous(quaternions: Array) -> Array:
    """Keys of one hemisphere, so that a reader that mixes them linearly never takes the long way round."""
    dots = np.sum(quaternions[1:] * quaternions[:-1], axis=1)
    signs = np.cumprod(np.concatenate([[1.0], np.where(dots < 0.0, -1.0, 1.0)]))
    return quaternions * signs[:, None]


def _matrix(quaternion: Array) -> Array:
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
