"""From local poses to matrices: interpolation, the walk down the skeleton, skinning palettes.

Inside, everything is component planes with the entities last, so that one NumPy call does a bone of all entities.
`model_matrices` is for the game: it is made of single multiplications and additions in a fixed order, the same on
every machine, because shots meet these matrices. `interpolate` and `palettes` are for what is shown, and take the
faster sums and products of the library, whose last bits differ from one processor to the next.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.anim.scratch import Scratch
from engine.anim.skeleton import Float32, Skeleton

CHUNK = 256
"""Entities worked on at a time, so that their planes stay in the processor's cache."""

_SCRATCH = Scratch()

_Product = Callable[[Float32, Float32, Float32], None]
"""Of (3, 4, E) planes of affine matrices a and b: first b, then a, into a third."""


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
        out[rows] = _model_planes(local[rows], skeleton, _exactly).transpose(3, 0, 1, 2)
    return out


def palettes(local: Float32, skeleton: Skeleton, out: Float32 | None = None) -> Float32:
    """(E, 8, B) local poses to (E, B, 3, 4) skinning matrices: bind space to model space.

    out  a contiguous array of that shape to put them in, instead of a new one
    """
    if out is None:
        out = np.empty((len(local), len(skeleton), 3, 4), np.float32)
    return _skinned(local, skeleton, out, None)


def skinned(local: Float32, skeleton: Skeleton) -> tuple[Float32, Float32]:
    """(E, 8, B) local poses to (E, B, 3, 4) matrices in model space and skinning matrices, for what is shown."""
    model: Float32 = np.empty((len(local), len(skeleton), 3, 4), np.float32)
    return model, _skinned(local, skeleton, np.empty_like(model), model)


def _skinned(local: Float32, skeleton: Skeleton, out: Float32, model: Float32 | None) -> Float32:
    rows_of_12 = out.reshape(len(local), len(skeleton), 12)
    for start in range(0, len(local), CHUNK):
        rows = slice(start, start + CHUNK)
        planes = _model_planes(local[rows], skeleton, _quickly)
        if model is not None:
            model[rows] = planes.transpose(3, 0, 1, 2)
        count = planes.shape[3]
        # The product with the inverse bind and the way back from planes to rows are one matrix product a bone.
        np.matmul(
            planes.reshape(-1, 12, count).transpose(0, 2, 1),
            skeleton.skinning,
            out=rows_of_12[rows].transpose(1, 0, 2),
        )
    return out


def _model_planes(local: Float32, skeleton: Skeleton, product: _Product) -> Float32:
    """(B, 3, 4, E) matrices in model space, in scratch memory."""
    count, _, bones = local.shape
    pose = _SCRATCH.floats("pose", 8, bones, count)
    np.copyto(pose, local.transpose(1, 2, 0))
    own = _local_planes(pose)
    planes = _SCRATCH.floats("model", bones, 3, 4, count)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        if parent < 0:
            planes[bone] = own[:, :, bone]
        else:
            product(planes[parent], own[:, :, bone], planes[bone])
    return planes


def _local_planes(pose: Float32) -> Float32:
    """(8, B, E) rotation, translation, scale to (3, 4, B, E) matrices, in scratch memory."""
    x, y, z, w, _, _, _, scale = pose
    planes = _SCRATCH.floats("local", 3, 4, *pose.shape[1:])
    # In the memory of the model's matrices, which are not there yet: what is small stays in the cache.
    double, sx, sy, sz, a, b, c, both = _SCRATCH.floats("model", 8, *pose.shape[1:])
    # Twice the products, times the scale, are all that a rotation matrix is made of.
    np.add(scale, scale, out=double)
    for one, scaled in ((x, sx), (y, sy), (z, sz)):
        np.multiply(one, double, out=scaled)
    for one, scaled, square in ((x, sx, a), (y, sy, b), (z, sz, c)):
        np.multiply(scaled, one, out=square)
    for axis, one, other in ((0, b, c), (1, a, c), (2, a, b)):
        np.add(one, other, out=both)
        np.subtract(scale, both, out=planes[axis, axis])
    for row, column, one, other, third in ((0, 1, sx, y, sz), (2, 0, sx, z, sy), (1, 2, sy, z, sx)):
        np.multiply(one, other, out=a)
        np.multiply(third, w, out=b)
        np.subtract(a, b, out=planes[row, column])
        np.add(a, b, out=planes[column, row])
    planes[:, 3] = pose[4:7]
    return planes


def _exactly(a: Float32, b: Float32, out: Float32) -> None:
    products = _SCRATCH.floats("exact", 3, 3, 4, a.shape[2])
    np.multiply(a[:, :3, None], b, out=products)
    np.add.reduce(products, axis=1, out=out)
    out[:, 3] += a[:, 3]


def _quickly(a: Float32, b: Float32, out: Float32) -> None:
    np.einsum("ije,jke->ike", a[:, :3], b, out=out)
    out[:, 3] += a[:, 3]
