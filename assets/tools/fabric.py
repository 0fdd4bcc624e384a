"""A small tile of worn cloth, and texture coordinates that lay it over a model from six sides."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.tools.shapes import Finished

Array = NDArray[Any]
TILE_INCHES = 15.0


def png(image: Array) -> bytes:
    """An RGB picture (H, W, 3) of bytes as a PNG file."""
    height, width = image.shape[:2]
    lines = np.zeros((height, 1 + width * 3), np.uint8)
    lines[:, 1:] = image.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _blotches(size: int, cells: int, random: np.random.Generator) -> Array:
    """(size, size) soft noise of -1..1 that repeats, `cells` to a side."""
    grid = random.uniform(-1.0, 1.0, (cells, cells))
    at = np.arange(size) * cells / size
    low = at.astype(int)
    part = at - low
    part = part * part * (3.0 - 2.0 * part)
    rows = grid[low % cells] * (1.0 - part)[:, None] + grid[(low + 1) % cells] * part[:, None]
    mixed: Array = rows[:, low % cells] * (1.0 - part) + rows[:, (low + 1) % cells] * part
    return mixed


def worn_cloth(size: int = 128, seed: int = 7) -> Array:
    """(size, size, 3) bytes: grey near white, with wear in soft blotches and a faint weave. It repeats."""
    random = np.random.default_rng(seed)
    tone = np.full((size, size), 0.93)
    for cells, amount in ((3, 0.03), (7, 0.035), (16, 0.03), (40, 0.025)):
        tone += amount * _blotches(size, cells, random)
    tone += random.normal(0.0, 0.016, (size, size))
    row, column = np.mgrid[0:size, 0:size]
    tone += 0.014 * np.cos((row + column) * np.pi / 2.0)  # a twill: diagonal threads
    grey = np.clip(np.round(tone * 255.0 / 3.0) * 3.0, 0.0, 255.0)
    return np.repeat(grey.astype(np.uint8)[:, :, None], 3, axis=2)


def laid_over(model: Finished, inches: float = TILE_INCHES) -> tuple[Finished, Array]:
    """The model with vertices split where the side changes from which the tile is laid on, and (V, 2) coordinates."""
    facing = np.abs(model.normals)
    side = np.argmax(facing * (1.0, 1.0, 0.8), axis=1)
    of_face = np.median(side[model.triangles], axis=1).astype(int)
    keys = model.triangles * 3 + of_face[:, None]
    used, corners = np.unique(keys, return_inverse=True)
    vertex, laid = used // 3, used % 3
    places = model.positions[vertex] / inches
    across = np.where(laid == 0, places[:, 1], places[:, 0])
    up = np.where(laid == 2, places[:, 1], places[:, 2])
    split = Finished(
        model.positions[vertex],
        model.normals[vertex],
        model.colors[vertex],
        corners.reshape(-1, 3),
        None if model.weights is None else model.weights[vertex],
    )
    return split, np.stack([across, -up], axis=1)
