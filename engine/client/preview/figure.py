"""A subject in a pose: what the renderer draws, and how much room it takes."""

from __future__ import annotations

import numpy as np

from engine.anim.pose import model_matrices, palettes
from engine.anim.skeleton import Float32
from engine.client.preview.subject import Subject
from engine.client.render.scene import ModelBatch

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
    """(N, 3) points that enclose every pose (n, 8, B), and a figure standing at rest."""
    low, high = (np.asarray(corner, np.float64) for corner in subject.model.bounds)
    if len(subject.model.skeleton) == 1:
        box = np.array(
            [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )
        return box.astype(np.float32)
    places = model_matrices(poses, subject.model.skeleton)[..., 3].reshape(-1, 3)
    around = [places + _AROUND * side * axis for axis in np.eye(3) for side in (-1.0, 1.0)]
    standing = np.array([[0.0, 0.0, min(low[2], 0.0)], [0.0, 0.0, high[2]]])
    return np.concatenate([*around, standing]).astype(np.float32)


def _product(a: Float32, b: Float32) -> Float32:
    """(3, 4) affine transforms: first b, then a."""
    out = a[:, :3] @ b
    out[:, 3] += a[:, 3]
    return np.asarray(out, np.float32)
