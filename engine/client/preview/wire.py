"""The wire frame of a model: a model of thin strips along the edges of its triangles, moved by the same bones.

Both renderers draw it as any other model, with its depth, so that what is behind stays behind.
"""

from __future__ import annotations

import math
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from engine.pipeline.model import Material, Mesh, Model

_STEP = 1.5
"""Widths go in such steps, so that coming nearer does not make a new frame with every turn of the wheel."""

_LIFT = 1.0
"""How far strips lie above the surface, in widths, so that they do not flicker in it."""

_COLOUR = (24, 27, 34, 255)

_known: WeakKeyDictionary[Model, dict[int, Model]] = WeakKeyDictionary()


def wire_of(model: Model, width: float) -> Model:
    """The wire frame of a model with strips about so many inches wide; the same object for the same model and step."""
    step = round(math.log(max(width, 1e-4), _STEP))
    frames = _known.setdefault(model, {})
    if step not in frames:
        meshes = tuple(_strips(mesh, _STEP**step) for mesh in model.meshes if len(mesh.indices))
        material = Material("wire", two_sided=True)
        name = f"{model.name} wire"
        frames[step] = replace(model, name=name, meshes=meshes, materials=(material,), textures=(), skins={})
    return frames[step]


def _strips(mesh: Mesh, width: float) -> Mesh:
    """Two triangles along each edge, as wide as `width` inches."""
    triangles = mesh.indices.astype(np.int64)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    # Corners are doubled where colours or pictures meet; an edge is one by the places of its ends.
    _, same = np.unique(np.round(mesh.positions, 3), axis=0, return_inverse=True)
    keys = np.sort(same.reshape(-1)[edges], axis=1)
    _, first = np.unique(keys, axis=0, return_index=True)
    edges = edges[first]
    start, end = edges[:, 0], edges[:, 1]
    along = mesh.positions[end] - mesh.positions[start]
    normals = mesh.normals[start] + mesh.normals[end]
    across = np.cross(normals, along)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    corners = np.stack([start, start, end, end], axis=1).reshape(-1)
    sides = np.tile(np.array([0.5, -0.5, -0.5, 0.5], np.float32) * width, len(edges))[:, None]
    lifted = mesh.positions[corners] + mesh.normals[corners] * width * _LIFT
    quads = 4 * np.arange(len(edges))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(
        name=mesh.name,
        material=0,
        positions=np.asarray(lifted + np.repeat(across, 4, axis=0) * sides, np.float32),
        normals=mesh.normals[corners],
        uvs=np.zeros((len(corners), 2), np.float32),
        colors=np.tile(np.array(_COLOUR, np.uint8), (len(corners), 1)),
        joints=mesh.joints[corners],
        weights=mesh.weights[corners],
        indices=quads.reshape(-1, 3).astype(np.uint32),
    )
