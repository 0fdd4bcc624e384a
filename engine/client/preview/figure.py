"""A subject in a pose: what the renderer draws, and how much room it takes."""

from __future__ import annotations

import numpy as np

from engine.anim.pose import model_matrices, palettes
from engine.anim.skeleton import Float32
from engine.client.preview.subject import Subject
from engine.client.render.scene import ModelBatch

_AROUND = 5.0  # inches of flesh around the bones
_SLIM = 0.6  # part of the bind pose's width, where arms are often spread


def figure(subject: Subject, pose: Float32, place: Float32) -> list[ModelBatch]:
    """A subject in a (1, 8, B) local pose at a (3, 4) place, with what it carries."""
    model = subject.model
    batches = [ModelBatch(model, place[None], palettes(pose, model.skeleton))]
    if subject.attached:
        bones = model_matrices(pose, model.skeleton)[0]
        for carried, bone in subject.attached:
            batches.append(ModelBatch(carried, _product(place, bones[bone])[None]))
    return batches


def extent(subject: Subject, poses: Float32) -> tuple[Float32, Float32]:
    """Corners of a box that holds every pose (n, 8, B), and is at least as high as the figure at rest."""
    low, high = (np.asarray(corner, np.float64) for corner in subject.model.bounds)
    if len(subject.model.skeleton) > 1:
        places = model_matrices(poses, subject.model.skeleton)[..., 3].reshape(-1, 3)
        low = np.minimum(places.min(axis=0) - _AROUND, [*(low[:2] * _SLIM), low[2]])
        high = np.maximum(places.max(axis=0) + _AROUND, [*(high[:2] * _SLIM), high[2]])
    low[2] = min(low[2], 0.0)
    return low.astype(np.float32), high.astype(np.float32)


def _product(a: Float32, b: Float32) -> Float32:
    """(3, 4) affine transforms: first b, then a."""
    out = a[:, :3] @ b
    out[:, 3] += a[:, 3]
    return np.asarray(out, np.float32)
