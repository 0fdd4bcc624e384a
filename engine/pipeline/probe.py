"""A one-bone model with known numbers, by which the reader finds out how libassimp lays out its data."""

from __future__ import annotations

import base64
import json
import struct

import numpy as np

PROBE_OFFSET = np.array([[1, 0, 0, 2], [0, 1, 0, 3], [0, 0, 1, 5], [0, 0, 0, 1]], np.float64)
"""The bone's offset matrix, acting on columns."""

PROBE_ROTATIONS = np.array([[0, 0, 0, 1], [0.6, 0, 0, 0.8], [0, 0.28, 0, 0.96]], np.float64)
"""The rotation keys, x y z w."""

_FLOAT, _USHORT, _UBYTE = 5126, 5123, 5121


def probe_model() -> bytes:
    """The model as glTF text with its buffer inside."""
    parts = [
        struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0),
        struct.pack("<12B", *([0, 0, 0, 0] * 3)),
        struct.pack("<12f", *([1.0, 0, 0, 0] * 3)),
        PROBE_OFFSET.T.astype("<f4").tobytes(),
        struct.pack("<3f", 0, 1, 2),
        PROBE_ROTATIONS.astype("<f4").tobytes(),
        struct.pack("<3H2x", 0, 1, 2),
    ]
    kinds = [
        (_FLOAT, 3, "VEC3"),
        (_UBYTE, 3, "VEC4"),
        (_FLOAT, 3, "VEC4"),
        (_FLOAT, 1, "MAT4"),
        (_FLOAT, 3, "SCALAR"),
        (_FLOAT, 3, "VEC4"),
        (_USHORT, 3, "SCALAR"),
    ]
    views, accessors, at = [], [], 0
    for index, (part, (component, count, shape)) in enumerate(zip(parts, kinds, strict=True)):
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(part)})
        accessors.append({"bufferView": index, "componentType": component, "count": count, "type": shape})
        at += len(part)
    accessors[0] |= {"min": [0, 0, 0], "max": [1, 1, 0]}
    accessors[4] |= {"min": [0], "max": [2]}
    blob = base64.b64encode(b"".join(parts)).decode("ascii")
    attributes = {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "bone"}, {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 6}]}],
        "skins": [{"joints": [0], "inverseBindMatrices": 3}],
        "animations": [
            {
                "samplers": [{"input": 4, "output": 5}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            }
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": at, "uri": "data:application/octet-stream;base64," + blob}],
    }
    return json.dumps(document).encode("ascii")
