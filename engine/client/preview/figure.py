"""A subject in a pose: what the renderer draws, and how much room it takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.anim.pose import model_matrices, palettes
from engine.anim.skeleton import Float32
from engine.client.preview.subject import Subject
from engine.client.render.scene import ModelBatch
from engine.pipeline.model import Model

_AROUND = 5.0  # inches of flesh around the bones


def figure(subject: Subject, pose: Float32, place: Float32) -> list[ModelBatch]:
    """A subject in a (1, 8, B) local pose at a (3, 4) place, with what it carries."""
    model = subject.model
    batches = [ModelBatch(model, place[None], palettes(pose, model.skeleton))]
    if subject.attached:
        bones = model_matrices(pose, model.skeleton)[0]
        for carried, bone in subject.attached:
            batches.append(ModelBatch(carried, _product(place, bones[bone])[None]))
    return batches


def extent(subject: Subject, poses: Float32) -> Float32:
    """(N, 3) points that enclose every pose (n, 8, B) and what is carried, and the height of the model at rest."""
    model = subject.model
    low, high = (np.asarray(corner, np.float64) for corner in model.bounds)
    if len(model.skeleton) == 1:
        return _corners(low, high)
    bones = model_matrices(poses, model.skeleton)
    skins = palettes(poses, model.skeleton)
    points = [_moved(skins[:, bone], corners) for bone, corners in _boxes(model)]
    points += [_moved(bones[:, bone], _corners(*carried.bounds)) for carried, bone in subject.attached]
    if not points:  # bones without a body
        places = bones[..., 3].reshape(-1, 3)
        points = [places + _AROUND * side * axis for axis in np.eye(3, dtype=np.float32) for side in (-1, 1)]
    middle = (low[:2] + high[:2]) / 2
    resting = np.array([[*middle, low[2]], [*middle, high[2]]])
    return np.concatenate([*points, resting]).astype(np.float32)


def _boxes(model: Model) -> list[tuple[int, Float32]]:
    """For each bone that a part of the body follows, the corners (8, 3) of that part in the bind pose."""
    meshes = [mesh for mesh in model.meshes if len(mesh.positions)]
    if not meshes:
        return []
    places = np.concatenate([mesh.positions for mesh in meshes])
    owners = np.concatenate(
        [mesh.joints[np.arange(len(mesh.joints)), mesh.weights.argmax(axis=1)] for mesh in meshes]
    )
    found = []
    for bone in np.unique(owners).tolist():
        own = places[owners == bone]
        found.append((bone, _corners(own.min(axis=0), own.max(axis=0))))
    return found


def _corners(low: ArrayLike, high: ArrayLike) -> Float32:
    """(8, 3) corners of a box."""
    ends = np.asarray([low, high], np.float32)
    return np.array([[ends[x, 0], ends[y, 1], ends[z, 2]] for x, y, z in np.ndindex(2, 2, 2)], np.float32)


def _moved(matrices: Float32, points: Float32) -> Float32:
    """Points (8, 3) at each of some placements (n, 3, 4), as (8 n, 3)."""
    moved = np.einsum("nij,pj->npi", matrices[..., :3], points) + matrices[:, None, :, 3]
    return np.asarray(moved.reshape(-1, 3), np.float32)


def _product(a: Float32, b: Float32) -> Float32:
    """(3, 4) affine transforms: first b, then a."""
    out = a[:, :3] @ b
    out[:, 3] += a[:, 3]
    return np.asarray(out, np.float32)
