"""Coarse copies of a figure made lean for a processor that stands in for a graphics card: it pays for each corner.

What splits one place into several corners is given up where the triangles are too small for it to show: sharp bends,
seams of the picture, the second bone and the third.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.model import Mesh

BEND, TINY_BEND = 0.0, -0.3
"""Cosine of the angle between two corners' normals up to which they become one: less than a right angle, or more where
triangles are tiny."""

SEAM = 0.02
"""Of the picture's sides: how far apart two corners of one place may be in it and still become one."""

SMALL, TINY = 2.0, 4.0
"""Inches a side of triangles from which on the picture's colours at the corners will do, and one bone for each."""

Pixels = NDArray[np.uint8]
"""(H, W, 4), the first row at v = 0."""


def lean(mesh: Mesh, edge: float, picture: Pixels | None) -> tuple[Mesh, bool]:
    """A copy of `mesh` with fewer corners, and whether the picture is in its colours now.

    edge     inches a side of its triangles
    picture  what it is drawn with; None for nothing, or for one with holes
    """
    mesh = _with_fewer_bones(mesh, 1 if edge >= TINY else 2)
    bend = TINY_BEND if edge >= TINY else BEND
    if edge < SMALL or picture is None:
        return _welded(mesh, bend, seams=True), False
    return _welded(replace(mesh, colors=_painted(mesh, picture)), bend, seams=False), True


def _with_fewer_bones(mesh: Mesh, most: int) -> Mesh:
    """Only the strongest bones of each corner, the strongest first."""
    order = np.argsort(-mesh.weights, axis=1, kind="stable")
    joints = np.take_along_axis(mesh.joints, order, axis=1)
    weights = np.take_along_axis(mesh.weights, order, axis=1)
    weights[:, most:] = 0.0
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    return replace(mesh, joints=joints, weights=weights)


def _painted(mesh: Mesh, picture: Pixels) -> NDArray[np.uint8]:
    """The corners' colours with those of the picture in them.

    A model's colour c counts as c * c * (0.2 * c + 0.8) and a picture's as its square, as model.vert and model.frag
    have it.
    """
    height, width = picture.shape[:2]
    column, row = _texels(mesh.uvs[:, 0], width), _texels(mesh.uvs[:, 1], height)
    steps = np.linspace(0.0, 1.0, 256)
    linear = steps * steps * (0.2 * steps + 0.8)
    light = linear[mesh.colors[:, :3]] * np.square(picture[row, column, :3] / 255.0)
    colours = mesh.colors.copy()
    colours[:, :3] = np.interp(light, linear, np.arange(256)).round()
    return colours


def _texels(place: NDArray[np.floating], side: int) -> NDArray[np.intp]:
    """Of a picture that is laid side by side; its far edge is its own and not its neighbour's."""
    texel = np.floor(place * side).astype(np.intp)
    return np.where(place == 1.0, side - 1, texel % side)


def _welded(mesh: Mesh, bend: float, seams: bool) -> Mesh:
    """Corners of one place as one, where their normals and, with `seams`, their places in the picture are alike."""
    # Rows are compared by their bytes: plus zero, so that none is a negative one.
    _, place = np.unique(np.round(mesh.positions, 3) + 0.0, axis=0, return_inverse=True)
    place = place.reshape(-1)
    order = np.argsort(place, kind="stable")
    owner = np.full(len(place), -1, np.intp)
    left = order
    while len(left):
        first = np.flatnonzero(np.diff(place[left], prepend=-1))
        leader = np.repeat(left[first], np.diff(np.append(first, len(left))))
        alike = (mesh.normals[left] * mesh.normals[leader]).sum(axis=1) > bend
        if seams:
            alike &= np.abs(mesh.uvs[left] - mesh.uvs[leader]).max(axis=1) < SEAM
        alike |= left == leader
        owner[left[alike]] = leader[alike]
        left = left[~alike]
    kept, number = np.unique(owner, return_inverse=True)
    number = number.reshape(-1)
    count = np.bincount(number)[:, None]
    normals = _sums(mesh.normals, number, len(kept))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    colours = mesh.colors[kept] if seams else (_sums(mesh.colors, number, len(kept)) / count).round()
    return replace(
        mesh,
        positions=mesh.positions[kept],
        normals=normals.astype(np.float32),
        uvs=mesh.uvs[kept],
        colors=colours.astype(np.uint8),
        joints=mesh.joints[kept],
        weights=mesh.weights[kept],
        indices=number[mesh.indices.astype(np.intp)].astype(np.uint32),
    )


def _sums(values: NDArray[np.generic], number: NDArray[np.intp], count: int) -> NDArray[np.float64]:
    """The rows of `values` (V, K) added up by their number 0..count."""
    columns = [np.bincount(number, column, count) for column in values.astype(np.float64).T]
    return np.stack(columns, axis=1)
