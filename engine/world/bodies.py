"""Hit boxes: which part of a posed model a shot meets.

Every bone that carries vertices has a box in its own space, found once a model. A shot is taken into the space
of each bone and clipped against the box; the nearest entry wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.anim.skeleton import Float32
from engine.pipeline.model import Model
from engine.world.angles import Matrix, Vector, normalize, rotate, sub, unrotate
from engine.world.collision import PartHit

_MIN_HALF = 0.75
"""Inches: thinner boxes are missed by shots that the eye sees hit."""

_WORDS = (
    ("helmet", "helmet"), ("cap", "head"), ("head", "head"), ("eye", "head"), ("jaw", "head"),
    ("neck", "neck"), ("clavicle", "torso_upper"), ("spine_up", "torso_upper"), ("chest", "torso_upper"),
    ("spine_mid", "torso_upper"), ("spine_low", "torso_lower"), ("spine", "torso_lower"),
    ("pelvis", "torso_lower"), ("hip", "torso_lower"), ("upper_arm", "arm_upper"), ("upperarm", "arm_upper"),
    ("shoulder", "arm_upper"), ("forearm", "arm_lower"), ("elbow", "arm_lower"), ("hand", "hand"),
    ("wrist", "hand"), ("finger", "hand"), ("thumb", "hand"), ("thigh", "leg_upper"), ("calf", "leg_lower"),
    ("shin", "leg_lower"), ("knee", "leg_lower"), ("foot", "foot"), ("toe", "foot"), ("ankle", "foot"),
)  # fmt: skip
_SIDED = ("arm_upper", "arm_lower", "hand", "leg_upper", "leg_lower", "foot")


def hit_location(bone: str) -> str:
    """The stock name of the part that a bone belongs to; `none` where its name says nothing."""
    part = next((location for word, location in _WORDS if word in bone), "none")
    if part not in _SIDED:
        return part
    words = bone.replace(".", "_").split("_")
    if "l" in words or "left" in words or "le" in words:
        return f"left_{part}"
    if "r" in words or "right" in words or "ri" in words:
        return f"right_{part}"
    return f"right_{part}"


@dataclass(frozen=True, eq=False)
class HitBoxes:
    """Boxes of the `N` bones that carry something.

    bones (N,) numbers; mins and maxs (N, 3) in bone space; locations by box.
    """

    bones: NDArray[np.int32]
    mins: NDArray[np.float64]
    maxs: NDArray[np.float64]
    names: tuple[str, ...]

    @cached_property
    def locations(self) -> tuple[str, ...]:
        return tuple(hit_location(name) for name in self.names)

    def trace(
        self, matrices: Float32, origin: Vector, m: Matrix, start: Vector, end: Vector, material: str
    ) -> PartHit | None:
        """The nearest box that a ray enters. matrices (B, 3, 4) are the pose in model space."""
        if not len(self.bones):
            return None
        a = np.array(unrotate(m, sub(start, origin)))
        b = np.array(unrotate(m, sub(end, origin)))
        pose = matrices[self.bones].astype(np.float64)
        turn, place = pose[:, :, :3], pose[:, :, 3]
        size = np.maximum(np.einsum("nij,nij->nj", turn, turn), 1e-12)
        local_a = np.einsum("nij,ni->nj", turn, a - place) / size
        local_b = np.einsum("nij,ni->nj", turn, b - place) / size
        way = local_b - local_a
        with np.errstate(divide="ignore", invalid="ignore"):
            t0 = (self.mins - local_a) / way
            t1 = (self.maxs - local_a) / way
        low, high = np.minimum(t0, t1), np.maximum(t0, t1)
        still = np.abs(way) < 1e-12
        within = (local_a >= self.mins) & (local_a <= self.maxs)
        low = np.where(still, np.where(within, -np.inf, np.inf), low)
        high = np.where(still, np.where(within, np.inf, -np.inf), high)
        enter, leave = low.max(axis=1), high.min(axis=1)
        hits = (enter <= leave) & (leave >= 0.0) & (enter <= 1.0)
        if not hits.any():
            return None
        first = int(np.where(hits, enter, np.inf).argmin())
        axis = int(low[first].argmax())
        normal = turn[first][:, axis] * (-1.0 if way[first, axis] > 0 else 1.0)
        world = normalize(rotate(m, (float(normal[0]), float(normal[1]), float(normal[2]))))
        return PartHit(max(0.0, float(enter[first])), world, self.names[first], material)


def _reach_joints(model: Model, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
    """Let each box reach to the bone's own joint and to those of its children, however the mesh is cut."""
    skeleton = model.skeleton
    filled = np.isfinite(low[:, 0])
    for bone, parent in enumerate(skeleton.parents):
        if not filled[bone]:
            continue
        low[bone] = np.minimum(low[bone], 0.0)
        high[bone] = np.maximum(high[bone], 0.0)
        if parent >= 0 and filled[parent]:
            joint = skeleton.rest[4:7, bone].astype(np.float64)
            low[parent] = np.minimum(low[parent], joint)
            high[parent] = np.maximum(high[parent], joint)


def hit_boxes(model: Model) -> HitBoxes:
    """Boxes from the mesh: a triangle counts whole for each bone that moves one of its corners most.

    So neighbouring boxes overlap, and no shot slips through a joint.
    """
    count = len(model.skeleton)
    low = np.full((count, 3), np.inf)
    high = np.full((count, 3), -np.inf)
    inverse = model.skeleton.inverse_bind.astype(np.float64)
    for mesh in model.meshes:
        if not len(mesh.indices):
            continue
        strongest = np.take_along_axis(mesh.joints, mesh.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        # Most triangles have three corners of one bone, and most corners several triangles: each pair counts once.
        reached = np.zeros((count, len(mesh.positions)), bool)
        for bones in strongest[mesh.indices].T:
            reached[bones[:, None], mesh.indices] = True
        bones, corners = np.nonzero(reached)
        x, y, z = mesh.positions.astype(np.float64)[corners].T[:, :, None]
        turned = inverse[bones]
        # Single operations in a set order: the same boxes on every machine.
        local = turned[:, :, 0] * x + turned[:, :, 1] * y + turned[:, :, 2] * z + turned[:, :, 3]
        first = np.flatnonzero(np.diff(bones, prepend=-1))
        some = bones[first]
        low[some] = np.minimum(low[some], np.minimum.reduceat(local, first))
        high[some] = np.maximum(high[some], np.maximum.reduceat(local, first))
    carrying: NDArray[np.int32] = np.flatnonzero(np.isfinite(low[:, 0])).astype(np.int32)
    _reach_joints(model, low, high)
    middle = (low[carrying] + high[carrying]) / 2
    half = np.maximum((high[carrying] - low[carrying]) / 2, _MIN_HALF)
    names = tuple(model.skeleton.names[b] for b in carrying)
    return HitBoxes(carrying, middle - half, middle + half, names)
