"""Unit quaternions (x y z w) in batches.

Numbers are worked on component by component: NumPy is slow at arrays whose last axis is short.
"""

from __future__ import annotations

import numpy as np

from engine.pipeline.scene import Float64


def unit_quats(quats: Float64) -> Float64:
    """Unit quaternions; one without length becomes no rotation."""
    out: Float64 = np.empty(quats.shape)
    for component, values in enumerate(unit_components(*np.moveaxis(quats, -1, 0))):
        out[..., component] = values
    return out


def unit_components(x: Float64, y: Float64, z: Float64, w: Float64) -> Float64:
    """The components (4, ...) of unit quaternions, as `unit_quats` makes them."""
    lengths = np.sqrt(x * x + y * y + z * z + w * w)
    good = lengths > 1e-9
    divisors = np.maximum(lengths, 1e-9)
    out: Float64 = np.stack([x, y, z, w])
    out /= divisors
    if not good.all():
        out[:, ~good] = np.array([0.0, 0.0, 0.0, 1.0])[:, None]
    return out


def matrices_of(components: Float64) -> Float64:
    """(..., 3, 3) rotations of unit quaternions, of which these are the components (4, ...)."""
    x, y, z, w = components
    out: Float64 = np.empty((*x.shape, 3, 3))
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    xw, yw, zw = x * w, y * w, z * w
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = 1 - 2 * (yy + zz), 2 * (xy - zw), 2 * (xz + yw)
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = 2 * (xy + zw), 1 - 2 * (xx + zz), 2 * (yz - xw)
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = 2 * (xz - yw), 2 * (yz + xw), 1 - 2 * (xx + yy)
    return out


def quats_of(matrices: Float64) -> Float64:
    """(..., 4) unit quaternions x y z w of (..., 3, 3) rotations."""
    return np.moveaxis(components_of(matrices), 0, -1).copy()


def components_of(matrices: Float64) -> Float64:
    """(4, ...) components x y z w of the unit quaternions of (..., 3, 3) rotations."""
    m = np.ascontiguousarray(np.moveaxis(matrices.reshape(*matrices.shape[:-2], 9), -1, 0))
    trace = m[0] + m[4] + m[8]
    # Four forms of the same quaternion, each exact where its own component is large; the largest is taken.
    largest = np.where(m[4] > m[0], 1, 0)
    top = np.maximum(m[0], m[4])
    for form, number in ((2, m[8]), (3, trace)):
        largest[number > top] = form
        top = np.maximum(top, number)
    xy, xz, yz = m[3] + m[1], m[2] + m[6], m[7] + m[5]
    xw, yw, zw = m[7] - m[5], m[2] - m[6], m[3] - m[1]
    return unit_components(
        np.choose(largest, (1 + 2 * m[0] - trace, xy, xz, xw)),
        np.choose(largest, (xy, 1 + 2 * m[4] - trace, yz, yw)),
        np.choose(largest, (xz, yz, 1 + 2 * m[8] - trace, zw)),
        np.choose(largest, (xw, yw, zw, 1 + trace)),
    )
