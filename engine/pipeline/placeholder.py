"""What is shown where an asset is missing: a crate in magenta and black that nobody can overlook."""

from __future__ import annotations

import struct
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip, ClipNote
from engine.anim.skeleton import Skeleton
from engine.pipeline.model import Material, Mesh, Model

SIZE = 32.0
"""Edge of the crate in inches."""

_MAGENTA, _BLACK = (255, 0, 255), (16, 16, 16)
_CELLS, _CELL = 4, 8


@cache
def checker_png() -> bytes:
    """A small magenta and black checker as a PNG."""
    side = _CELLS * _CELL
    rows = []
    for y in range(side):
        cells = ((x // _CELL + y // _CELL) % 2 for x in range(side))
        rows.append(b"\0" + b"".join(bytes(_BLACK if cell else _MAGENTA) for cell in cells))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def root_skeleton() -> Skeleton:
    """One bone `root` at the origin."""
    rest = np.zeros((8, 1), np.float32)
    rest[3] = rest[7] = 1.0
    return Skeleton(("root",), np.array([-1], np.int32), rest, np.eye(3, 4, dtype=np.float32)[None])


def placeholder_model(name: str) -> Model:
    """The crate, standing on the ground, under the name of what is missing."""
    positions: list[NDArray[np.float64]] = []
    normals: list[NDArray[np.float64]] = []
    uvs: list[tuple[float, float]] = []
    indices: list[tuple[int, int, int]] = []
    half = SIZE / 2
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = side
            across = np.roll(np.abs(normal), 1)
            up = np.cross(normal, across)
            base = len(positions)
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                positions.append(half * (normal + u * across + v * up) + (0, 0, half))
                normals.append(normal)
                uvs.append(((u + 1) / 2, (v + 1) / 2))
            indices += [(base, base + 1, base + 2), (base, base + 2, base + 3)]
    count = len(positions)
    weights = np.zeros((count, 4), np.float32)
    weights[:, 0] = 1.0
    mesh = Mesh(
        name="placeholder",
        material=0,
        positions=np.array(positions, np.float32),
        normals=np.array(normals, np.float32),
        uvs=np.array(uvs, np.float32),
        colors=np.full((count, 4), 255, np.uint8),
        joints=np.zeros((count, 4), np.uint16),
        weights=weights,
        indices=np.array(indices, np.uint32),
    )
    return Model(
        name=name,
        skeleton=root_skeleton(),
        meshes=(mesh,),
        materials=(Material("placeholder", texture=0),),
        textures=(checker_png(),),
        bounds=((-half, -half, 0.0), (half, half, SIZE)),
    )


def still_clip(name: str, *, looping: bool) -> Clip:
    """A clip that moves no bone: one frame, no tracks. Stands in for a missing clip."""
    return Clip(name, (), np.zeros((1, 8, 0), np.float32), 30.0, looping, (ClipNote(1.0, "end"),))
