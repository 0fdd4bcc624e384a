"""Instances of many models in one table, so that one calculation finds out what of all of them is in view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.client.render.gl_buffers import INSTANCE_FLOATS, ModelBuffers
from engine.client.render.scene import Float32, Light, ModelBatch

Ambient = Callable[[Float32], Float32]
"""Linear ambient RGB (N, 3) at points (N, 3)."""

Flags = NDArray[np.bool_]

COARSEST = 1.52
"""How much coarser than alone a figure may be in a crowd: beyond that the nearest ones look like puppets."""

TRIED = np.geomspace(1.0, COARSEST, 9, dtype=np.float32)
"""Factors that are tried on the way there."""


@dataclass(frozen=True, eq=False)
class Instances:
    """`N` instances.

    rows     (N, 20) of the instance table
    centres  (N, 3) and radii (N,): the spheres they are in
    parts    each model with the rows that are its own
    """

    rows: Float32
    centres: Float32
    radii: Float32
    parts: tuple[tuple[ModelBuffers, slice], ...]

    def seen(self, planes: Float32, eye: Float32) -> tuple[Flags, Float32]:
        """Whether each is inside of all planes (K, 4), and how far it is from the eye."""
        depth = self.centres @ planes[:, :3].T + planes[:, 3]
        inside: Flags = np.asarray((depth > -self.radii[:, None]).all(axis=1))
        offset = self.centres - eye
        return inside, np.sqrt(np.einsum("nc,nc->n", offset, offset))

    def lit(self, lights: Sequence[Light]) -> Flags:
        """Whether a point light reaches each."""
        reached = np.zeros(len(self.radii), bool)
        for light in lights:
            offset = self.centres - np.asarray(light.position, np.float32)
            reached |= np.einsum("nc,nc->n", offset, offset) < np.square(self.radii + light.radius)
        return reached

    def sparing(self, seen: Flags, pixel: Float32, figures: float, crowd: int) -> float:
        """`figures`, or up to `COARSEST` times that where what has bones would have more than `crowd` triangles."""
        counts = np.zeros(len(TRIED), np.intp)
        for buffers, part in self.parts:
            if buffers.skinned:
                apart = pixel[part][seen[part]] * (TRIED * figures)[:, None]
                counts += buffers.counts[buffers.steps(apart)].sum(axis=1)
        enough = counts <= crowd
        # The first that is enough, or else the coarsest.
        return figures * float(TRIED[enough.argmax() if enough.any() else -1])

    def by_detail(
        self, seen: Flags, lit: Flags, pixel: Float32, detail: float, figures: float
    ) -> Iterator[tuple[ModelBuffers, int, bool, Float32]]:
        """What is seen: model, step of detail, whether it is `lit`, rows.

        pixel (N,): inches that a pixel covers; detail, figures: pixels that the sides of triangles may be long, and
        those of what has bones.
        """
        for buffers, part in self.parts:
            if not seen[part].any():
                continue
            rows = self.rows[part][seen[part]]
            apart = pixel[part][seen[part]] * (figures if buffers.skinned else detail)
            steps = buffers.steps(apart)
            groups = steps * 2 + lit[part][seen[part]]
            for group in np.flatnonzero(np.bincount(groups)).tolist():
                yield buffers, group // 2, bool(group % 2), rows[groups == group]


def gather(batches: Iterable[tuple[ModelBuffers, ModelBatch]], ambient: Ambient) -> Instances:
    """The table of some batches; the palettes of skinned ones are numbered in the order in which they come."""
    tables: list[Float32] = []
    centres: list[Float32] = []
    radii: list[Float32] = []
    parts: list[tuple[ModelBuffers, slice]] = []
    start = matrices = 0
    for buffers, batch in batches:
        count = len(batch.transforms)
        table = np.empty((count, INSTANCE_FLOATS), np.float32)
        table[:, :12] = batch.transforms.reshape(count, 12)
        table[:, 12:16] = (1, 1, 1, 0) if batch.tints is None else batch.tints
        table[:, 19] = -1.0
        if buffers.skinned:
            bones = len(batch.model.skeleton)
            table[:, 19] = np.arange(count) * bones + matrices
            matrices += count * bones
        tables.append(table)
        middles = batch.transforms[:, :, :3] @ buffers.centre + batch.transforms[:, :, 3]
        centres.append(np.asarray(middles, np.float32))
        stretch = np.square(batch.transforms[:, :, :3]).sum(axis=1).max(axis=1)
        radii.append(np.asarray(np.sqrt(stretch) * buffers.radius, np.float32))
        parts.append((buffers, slice(start, start + count)))
        start += count
    if not tables:
        empty = np.zeros((0, INSTANCE_FLOATS), np.float32)
        return Instances(empty, empty[:, :3], empty[:, 0], ())
    rows, places = np.concatenate(tables), np.concatenate(centres)
    rows[:, 16:19] = ambient(places)
    return Instances(rows, places, np.concatenate(radii), tuple(parts))
