"""The world as a light far away sees it: the matrices of shadow maps."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32
from engine.world.view import Vector

_HALF = np.array(((0.5,), (0.5,), (0.5,), (1.0,)), np.float32)


@lru_cache(maxsize=8)
def light_axes(direction: Vector) -> NDArray[np.float64]:
    """(3, 3) unit vectors for who looks from far along `direction`: to the right, up, and forward."""
    forward = -np.asarray(direction, np.float64) / np.linalg.norm(direction)
    aside = np.cross(forward, (1.0, 0.0, 0.0) if abs(forward[2]) > 0.95 else (0.0, 0.0, 1.0))
    aside /= np.linalg.norm(aside)
    return np.stack((aside, np.cross(aside, forward), forward))


def light_matrix(direction: Vector, centre: Float32, radius: float, depth: float | None = None) -> Float32:
    """World to clip space (4, 4) as seen from far along `direction`: a square of 2 x `radius` around `centre`."""
    rows = light_axes(direction) / np.array(((radius,), (radius,), (depth or radius,)))
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3, :3] = rows
    matrix[:3, 3] = -(rows @ np.asarray(centre, np.float64))
    return matrix


def to_texture(matrix: Float32, bias: float = 0.0) -> Float32:
    """A light's clip space matrix as one that gives texture coordinates and depth 0..1, `bias` nearer to the light."""
    turned = matrix * _HALF
    turned[:3] += matrix[3] * np.array(((0.5,), (0.5,), (0.5 - bias,)), np.float32)
    return turned
