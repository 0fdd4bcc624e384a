"""Places in the world as pixels of the picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Camera, Float32

_NEAR = 1.0


def project(
    camera: Camera, places: Float32, width: float, height: float
) -> tuple[Float32, NDArray[np.bool_]]:
    """(N, 2) pixels of (N, 3) places, and which are in front of the camera."""
    matrix = camera.projection(width / height) @ camera.view()
    clip = np.concatenate([places, np.ones((len(places), 1))], axis=1) @ matrix.T
    depth = np.maximum(clip[:, 3], _NEAR)
    x = (clip[:, 0] / depth + 1) / 2 * width
    y = (1 - clip[:, 1] / depth) / 2 * height
    return np.stack([x, y], axis=1).astype(np.float32), clip[:, 3] > _NEAR
