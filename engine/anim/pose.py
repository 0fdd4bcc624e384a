"""From local poses to matrices: interpolation, the walk down the skeleton, skinning palettes.

Inside, everything is component planes with the entities last, so that one NumPy call does a whole level of bones
of all entities.
"""

from __future__ import annotations

import numpy as np

from engine.anim.skeleton import Float32, Skeleton

CHUNK = 256
"""Entities worked on at a time, so that their planes stay in the processor's cache."""


def interpolate(previous: Float32, current: Float32, alpha: float) -> Float32:
    """(E, 8, B) poses between two server frames; alpha 0..1 from the first to the second, clamped."""
    alpha = min(max(alpha, 0.0), 1.0)
    turn = current[:, :4]
    near = np.einsum("ecb,ecb->eb", previous[:, :4], turn)
    mixed: Float32 = current - previous
    if (near < 0.0).any():
        np.subtract(-turn, previous[:, :4], out=mixed[:, :4], where=(near < 0.0)[:, None, :])
    mixed *= np.float32(alpha)
    mixed += previous
    length = np.sqrt(np.einsum("ecb,ecb->eb", mixed[:, :4], mixed[:, :4]))
    mixed[:, :4] /= np.maximum(length, np.float32(1e-20))[:, None, :]
    return mixed


def model_matrices(local: Float32, skeleton: Skeleton) -> Float32:
    """(E, 8, B) local poses to (E, B, 3, 4) matrices from each bone's space to model space."""
    out: Float32 = np.empty((len(local), len(skeleton), 3, 4), np.float32)
    for start in range(0, len(local), CHUNK):
        rows = slice(start, start + CHUNK)
        out[rows] = _model_planes(local[rows], skeleton).transpose(3, 2, 0, 1)
    return out


def palettes(local: Float32, skeleton: Skeleton) -> Float32:
    """(E, 8, B) local poses to (E, B, 3, 4) skinning matrices: bind space to model space."""
    inverse = np.ascontiguousarray(skeleton.inverse_bind.transpose(1, 2, 0))[..., None]
    out: Float32 = np.empty((len(local), len(skeleton), 3, 4), np.float32)
    for start in range(0, len(local), CHUNK):
        rows = slice(start, start + CHUNK)
        out[rows] = _product(_model_planes(local[rows], skeleton), inverse).transpose(3, 2, 0, 1)
    return out


def _model_planes(local: Float32, skeleton: Skeleton) -> Float32:
    """(3, 4, B, E) matrices in model space."""
    planes = _local_planes(np.ascontiguousarray(local.transpose(1, 2, 0)))
    for bones, parents in skeleton.levels:
        planes[:, :, bones] = _product(planes[:, :, parents], planes[:, :, bones])
    return planes


def _local_planes(pose: Float32) -> Float32:
    """(8, B, E) rotation, translation, scale to (3, 4, B, E) matrices."""
    x, y, z, w, tx, ty, tz, scale = pose
    planes: Float32 = np.empty((3, 4, *pose.shape[1:]), np.float32)
    # Twice the products, times the scale, are all that a rotation matrix is made of.
    double = scale * np.float32(2.0)
    sx, sy, sz = x * double, y * double, z * double
    xx, yy, zz = sx * x, sy * y, sz * z
    xy, xz, yz = sx * y, sx * z, sy * z
    wx, wy, wz = sx * w, sy * w, sz * w
    np.subtract(scale, yy + zz, out=planes[0, 0])
    np.subtract(scale, xx + zz, out=planes[1, 1])
    np.subtract(scale, xx + yy, out=planes[2, 2])
    np.subtract(xy, wz, out=planes[0, 1])
    np.add(xy, wz, out=planes[1, 0])
    np.add(xz, wy, out=planes[0, 2])
    np.subtract(xz, wy, out=planes[2, 0])
    np.subtract(yz, wx, out=planes[1, 2])
    np.add(yz, wx, out=planes[2, 1])
    planes[0, 3], planes[1, 3], planes[2, 3] = tx, ty, tz
    return planes


def _product(a: Float32, b: Float32) -> Float32:
    """(3, 4, ...) affine matrices: first b, then a."""
    out: Float32 = a[:, 0, None] * b[0]
    out += a[:, 1, None] * b[1]
    out += a[:, 2, None] * b[2]
    out[:, 3] += a[:, 3]
    return out
