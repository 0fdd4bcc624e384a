"""Unit quaternions (x y z w) in batches."""

from __future__ import annotations

import numpy as np

from engine.pipeline.scene import Float64


def unit_quats(quats: Float64) -> Float64:
    """Unit quaternions; one without length becomes no rotation."""
    lengths = np.linalg.norm(quats, axis=-1, keepdims=True)
    return np.where(lengths > 1e-9, quats / np.maximum(lengths, 1e-9), np.array([0.0, 0.0, 0.0, 1.0]))


def matrices_of(quats: Float64) -> Float64:
    """(..., 3, 3) rotations of (..., 4) unit quaternions x y z w."""
    x, y, z, w = np.moveaxis(quats, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quats_of(matrices: Float64) -> Float64:
    """(..., 4) unit quaternions x y z w of (..., 3, 3) rotations."""
    m = matrices
    diagonal = np.stack([m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]], axis=-1)
    trace = diagonal.sum(axis=-1)
    # Four forms of the same quaternion, each exact where its own component is large; the largest is taken.
    forms = np.stack(
        [
            np.stack(
                [
                    1 + 2 * diagonal[..., 0] - trace,
                    m[..., 1, 0] + m[..., 0, 1],
                    m[..., 0, 2] + m[..., 2, 0],
                    m[..., 2, 1] - m[..., 1, 2],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 1, 0] + m[..., 0, 1],
                    1 + 2 * diagonal[..., 1] - trace,
                    m[..., 2, 1] + m[..., 1, 2],
                    m[..., 0, 2] - m[..., 2, 0],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 0, 2] + m[..., 2, 0],
                    m[..., 2, 1] + m[..., 1, 2],
                    1 + 2 * diagonal[..., 2] - trace,
                    m[..., 1, 0] - m[..., 0, 1],
                ],
                axis=-1,
            ),
            np.stack(
                [
                    m[..., 2, 1] - m[..., 1, 2],
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 1, 0] - m[..., 0, 1],
                    1 + trace,
                ],
                axis=-1,
            ),
        ],
        axis=-2,
    )
    best = np.argmax(np.stack([*np.moveaxis(diagonal, -1, 0), trace], axis=-1), axis=-1)
    chosen = np.take_along_axis(forms, best[..., None, None], axis=-2)[..., 0, :]
    return unit_quats(chosen)
