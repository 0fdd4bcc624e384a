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

CHUNK = 1024
"""Entities worked on at a time, so that their planes stay in the processor's cache."""

_SCRATCH = Scratch()

_Product = Callable[[Float32, Float32, Float32], None]
"""Of affine matrices a (K, 3, 4, E) and b (K, 4, 4, E): first b, then a, into a third. There may be one a for all."""


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
    walk = skeleton.walk
    pose = local.transpose(1, 2, 0)
    if not pose.flags.c_contiguous:
        pose = _SCRATCH.floats("pose", 8, bones, count)
        np.copyto(pose, local.transpose(1, 2, 0))
    if not walk.straight:
        pose = pose.take(walk.order, axis=1, out=_SCRATCH.floats("ordered", 8, bones, count), mode="clip")
    own = _local_planes(pose).transpose(2, 0, 1, 3)  # (B, 4, 4, E)
    planes = _SCRATCH.floats("model", bones, 3, 4, count)
    planes[: walk.roots] = own[: walk.roots, :3]
    for run in walk.runs:
        product(planes[run.parents], own[run.bones], planes[run.bones])
    if walk.straight:
        return planes
    return planes.take(walk.places, axis=0, out=_SCRATCH.floats("bones", bones, 3, 4, count), mode="clip")


def _local_planes(pose: Float32) -> Float32:
    """(8, B, E) rotation, translation, scale to (4, 4, B, E) matrices, in scratch memory."""
    axes, w, scale = pose[:3], pose[3], pose[7]
    planes = _SCRATCH.floats("local", 4, 4, *pose.shape[1:])
    flat = planes.reshape(16, *pose.shape[1:])
    # In the memory of the model's matrices, which are not there yet: what is small stays in the cache.
    work = _SCRATCH.floats("model", 9, *pose.shape[1:])
    double, scaled, squares, products = work[0], work[1:4], work[4:9], work[4:7]
    # Twice the products, times the scale, are all that a rotation matrix is made of.
    np.add(scale, scale, out=double)
    np.multiply(axes, double, out=scaled)
    np.multiply(scaled, axes, out=squares[:3])
    squares[3:] = squares[:2]
    np.add(squares[1:4], squares[2:5], out=planes[:3, 3])
    np.subtract(scale, planes[:3, 3], out=flat[:11:5])
    np.multiply(scaled[:2], axes[1:], out=products[:2])
    np.multiply(scaled[0], axes[2], out=products[2])
    scaled *= w
    # x y with z and y z with x, each pair of places a diagonal; then x z with y.
    np.subtract(products[:2], scaled[2::-2], out=flat[1:7:5])
    np.add(products[:2], scaled[2::-2], out=flat[4:10:5])
    np.subtract(products[2], scaled[1], out=planes[2, 0])
    np.add(products[2], scaled[1], out=planes[0, 2])
    planes[:3, 3] = pose[4:7]
    planes[3, :3] = 0.0
    planes[3, 3] = 1.0
    return planes


def _exactly(a: Float32, b: Float32, out: Float32) -> None:
    products = _SCRATCH.floats("exact", len(b), 3, 3, 4, b.shape[3])
    np.multiply(a[:, :, :3, None], b[:, None, :3], out=products)
    np.add.reduce(products, axis=2, out=out)
    out[:, :, 3] += a[:, :, 3]


def _quickly(a: Float32, b: Float32, out: Float32) -> None:
    # A whole fourth row costs less than a call that adds the translation.
    np.einsum("bije,bjke->bike", a, b, out=out)
