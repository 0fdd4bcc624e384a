"""Rotations as the asset scripts use them: matrices (..., 3, 3) and quaternions x y z w.

Angles are degrees. A turn is (yaw, pitch, roll): yaw counter-clockwise seen from above, pitch positive with the nose
down, roll positive with the left side up; roll is applied first, yaw last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def vec(x: float, y: float, z: float) -> Array:
    """A place or a direction."""
    return np.array([x, y, z])


def unit(vector: ArrayLike) -> Array:
    """The vector with length 1."""
    value = np.asarray(vector, float)
    return value / np.sqrt(value @ value)


def cross(a: Array, b: Array) -> Array:
    """The cross product of two single vectors; NumPy's own is ten times slower for these."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def about(axis: ArrayLike, degrees: float) -> Array:
    """Rotation matrix about an axis through the origin, right-handed."""
    x, y, z = unit(axis)
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    t = 1.0 - c
    return np.array(
        [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ]
    )


def turn(angles: ArrayLike) -> Array:
    """Rotation matrix of (yaw, pitch, roll)."""
    yaw, pitch, roll = np.asarray(angles, float)
    return about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)


def frame(along: ArrayLike, normal: ArrayLike) -> Array:
    """Columns: `along`, the third side, and `normal` made square to `along`. Right-handed."""
    first = unit(along)
    third = np.asarray(normal, float)
    third = unit(third - first * (third @ first))
    return np.stack([first, cross(third, first), third], axis=1)


def arc(start: ArrayLike, end: ArrayLike) -> Array:
    """The shortest rotation that takes one direction to another."""
    a, b = unit(start), unit(end)
    axis = cross(a, b)
    if axis @ axis < 1e-18:
        if a @ b > 0.0:
            return np.eye(3)
        return about(cross(a, vec(1, 0, 0) if abs(a[0]) < 0.9 else vec(0, 1, 0)), 180.0)
    return about(axis, float(np.degrees(np.arctan2(np.sqrt(axis @ axis), a @ b))))


def mixed(first: Array, second: Array, amount: float) -> Array:
    """Part of the way from one rotation to another, by the shortest arc."""
    quaternion = quaternion_of(first.T @ second)
    quaternion = quaternion if quaternion[3] >= 0.0 else -quaternion
    sine = float(np.sqrt(quaternion[:3] @ quaternion[:3]))
    if sine < 1e-9:
        return first
    angle = 2.0 * np.degrees(np.arctan2(sine, quaternion[3]))
    return first @ about(quaternion[:3], float(angle) * amount)


def quaternion_of(matrix: Array) -> Array:
    """Quaternion x y z w of a rotation matrix."""
    m = matrix
    squares = np.array(
        [
            1.0 + m[0, 0] - m[1, 1] - m[2, 2],
            1.0 - m[0, 0] + m[1, 1] - m[2, 2],
            1.0 - m[0, 0] - m[1, 1] + m[2, 2],
            1.0 + m[0, 0] + m[1, 1] + m[2, 2],
        ]
    )
    largest = int(np.argmax(squares))
    rows = {
        0: (squares[0], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
        1: (m[0, 1] + m[1, 0], squares[1], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]),
        2: (m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[2], m[1, 0] - m[0, 1]),
        3: (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]),
    }
    return unit(rows[largest])
