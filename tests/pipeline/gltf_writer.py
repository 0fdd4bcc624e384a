"""A small writer of glTF documents for the tests: any document, right or wrong, without a second opinion.

`strip()` gives a skinned strip of two bones, which most tests start from.
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

INCH = 39.37007874
"""Inches a metre."""


class Gltf:
    """Collects accessors and sections; `document` may be edited freely before it is written."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.document: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}

    def add(self, section: str, **entry: Any) -> int:
        entries = self.document.setdefault(section, [])
        entries.append(entry)
        return len(entries) - 1

    def view(self, data: bytes) -> int:
        self.binary.extend(b"\0" * (-len(self.binary) % 4))
        at = len(self.binary)
        self.binary.extend(data)
        return self.add("bufferViews", buffer=0, byteOffset=at, byteLength=len(data))

    def accessor(self, values: Any, shape: str, dtype: str = "<f4") -> int:
        array = np.asarray(values, dtype)
        component = {"<f4": 5126, "<u2": 5123, "|u1": 5121, "<u4": 5125, "<i2": 5122}[array.dtype.str]
        rows = array.reshape(len(array), -1)
        return self.add(
            "accessors",
            bufferView=self.view(array.tobytes()),
            componentType=component,
            count=len(array),
            type=shape,
            min=[float(v) for v in rows.min(axis=0)],
            max=[float(v) for v in rows.max(axis=0)],
        )

    def node(self, name: str | None, parent: int | None = None, **entry: Any) -> int:
        index = self.add("nodes", **({"name": name} if name is not None else {}), **entry)
        if parent is None:
            self.document["scenes"][0]["nodes"].append(index)
        else:
            self.document["nodes"][parent].setdefault("children", []).append(index)
        return index

    def clip(self, name: str, *channels: tuple[int, str, Any, Any] | tuple[int, str, Any, Any, str]) -> int:
        """Channels are (node, path, times, values[, interpolation])."""
        samplers, targets = [], []
        for node, path, times, values, *mode in channels:
            samplers.append(
                {
                    "input": self.accessor(np.asarray(times, np.float32), "SCALAR"),
                    "output": self.accessor(values, "VEC4" if path == "rotation" else "VEC3"),
                    "interpolation": mode[0] if mode else "LINEAR",
                }
            )
            targets.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        return self.add("animations", name=name, samplers=samplers, channels=targets)

    def glb(self) -> bytes:
        if self.binary:
            self.document["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.binary) + b"\0" * (-len(self.binary) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def gltf(self, uri: str | None = None) -> bytes:
        """As text; the buffer inside, or named by `uri`."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        self.document["buffers"] = [{"byteLength": len(self.binary), "uri": uri or inside}]
        return json.dumps(self.document).encode()

    def write(self, path: Path, sidecar: str = "") -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.glb())
        if sidecar:
            path.with_suffix(".toml").write_text(sidecar)
        return path


def turn(axis: str, degrees: float) -> list[float]:
    """A quaternion x y z w."""
    half = np.radians(degrees) / 2
    return [float(np.sin(half)) if axis == a else 0.0 for a in "xyz"] + [float(np.cos(half))]


def quad(gltf: Gltf, size: float = 1.0, **attributes: Any) -> int:
    """A square of two triangles in the XY plane, facing +Z, with its lower left corner at the origin."""
    positions = [[0, 0, 0], [size, 0, 0], [size, size, 0], [0, size, 0]]
    primitive = {
        "attributes": {
            "POSITION": gltf.accessor(positions, "VEC3"),
            "NORMAL": gltf.accessor([[0, 0, 1]] * 4, "VEC3"),
            **attributes,
        },
        "indices": gltf.accessor([0, 1, 2, 0, 2, 3], "SCALAR", "<u2"),
    }
    return gltf.add("meshes", name="quad", primitives=[primitive])


def strip(weights: Any = None, **lower: Any) -> Gltf:
    """A quad skinned to `lower` (node 0, at the origin) and `upper` (node 1, one metre above it).

    The two low vertices follow `lower`, the two high ones `upper`. Keyword arguments go to the lower node.
    """
    gltf = Gltf()
    gltf.node("lower", **lower)
    gltf.node("upper", 0, translation=[0, 1, 0])
    bound = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]] if weights is None else weights
    mesh = quad(
        gltf,
        JOINTS_0=gltf.accessor([[0, 1, 0, 0]] * 4, "VEC4", "|u1"),
        WEIGHTS_0=gltf.accessor(bound, "VEC4"),
    )
    binds = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    binds[1, 1, 3] = -1.0
    matrices = gltf.accessor([m.T.reshape(16) for m in binds], "MAT4")
    skin = gltf.add("skins", joints=[0, 1], inverseBindMatrices=matrices)
    gltf.node("body", mesh=mesh, skin=skin)
    return gltf


def sparse_quad(changes: dict[int, tuple[float, float, float]]) -> Gltf:
    """A prop whose positions are those of `quad` but for `changes`."""
    gltf = Gltf()
    gltf.node("body", mesh=quad(gltf))
    gltf.document["accessors"][0]["sparse"] = {
        "count": len(changes),
        "indices": {"bufferView": gltf.view(np.array([*changes], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": gltf.view(np.array([*changes.values()], "<f4").tobytes())},
    }
    return gltf
