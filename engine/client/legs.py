"""Which bones of a skeleton are legs, and how a leg reaches for a place: the knee bends in the plane it had.

All of it is for what is shown. Matrices are (B, 3, 4), from a bone's space (or, of a palette, from bind space) to model
space; a rigid motion of model space that goes before either leaves bone lengths and skin as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.anim.skeleton import Float32, Skeleton
from engine.world.bodies import hit_location

Float64 = NDArray[np.float64]
Bones = NDArray[np.intp]

_STRAIGHT = 0.9995
"""Of its length that a leg may be stretched to."""

_AHEAD = 0.05
"""Share of the way the toes point that a straight knee is told to bend."""


@dataclass(frozen=True, eq=False)
class Leg:
    """Numbers of its bones, each part with what hangs on it.

    heights are those of foot and toe in the bind pose, length that of thigh and shin together, in inches.
    """

    hip: int
    knee: int
    foot: int
    toe: int
    thigh: Bones
    shin: Bones
    sole: Bones
    heights: tuple[float, float]
    length: float

    def most_up(self, bones: Float32, sole: float) -> float:
        """How far its hip may move up (down, below 0) for the foot to come to `sole` inches above where it is now."""
        hip, ankle = bones[self.hip, :, 3].tolist(), bones[self.foot, :, 3].tolist()
        flat = (hip[0] - ankle[0]) ** 2 + (hip[1] - ankle[1]) ** 2
        tall = math.sqrt(max((self.length * _STRAIGHT) ** 2 - flat, 0.0))
        return max(float(ankle[2] + tall - hip[2]) + sole, sole)


_known: WeakKeyDictionary[Skeleton, tuple[Leg, ...]] = WeakKeyDictionary()


def legs_of(skeleton: Skeleton) -> tuple[Leg, ...]:
    """The legs of somebody who has two: feet by their names, as hit locations know them, below a shin and a thigh."""
    found = _known.get(skeleton)
    if found is None:
        feet = [bone for bone in range(len(skeleton)) if _is_foot(skeleton, bone)]
        found = _known[skeleton] = tuple(_leg(skeleton, foot) for foot in feet) if len(feet) == 2 else ()
    return found


def _is_foot(skeleton: Skeleton, bone: int) -> bool:
    shin = int(skeleton.parents[bone])
    thigh = int(skeleton.parents[shin]) if shin >= 0 else -1
    if thigh < 0 or skeleton.parents[thigh] < 0:
        return False
    places = [hit_location(skeleton.names[part]) for part in (thigh, shin, bone)]
    return all(
        place.endswith(end) for place, end in zip(places, ("leg_upper", "leg_lower", "foot"), strict=True)
    )


def _leg(skeleton: Skeleton, foot: int) -> Leg:
    parents = skeleton.parents
    knee = int(parents[foot])
    hip = int(parents[knee])
    below: dict[int, set[int]] = {top: {top} for top in (hip, knee, foot)}
    for bone in range(len(skeleton)):  # parents come before their children
        for bones in below.values():
            if int(parents[bone]) in bones:
                bones.add(bone)
    children = [bone for bone in sorted(below[foot]) if int(parents[bone]) == foot]
    toe = children[0] if children else foot
    rest = np.linalg.inv(np.concatenate([skeleton.inverse_bind, _LAST.repeat(len(skeleton), 0)], axis=1))
    return Leg(
        hip,
        knee,
        foot,
        toe,
        np.array(sorted(below[hip] - below[knee]), np.intp),
        np.array(sorted(below[knee] - below[foot]), np.intp),
        np.array(sorted(below[foot]), np.intp),
        (float(rest[foot, 2, 3]), float(rest[toe, 2, 3])),
        _length(rest[knee, :3, 3] - rest[hip, :3, 3]) + _length(rest[foot, :3, 3] - rest[knee, :3, 3]),
    )


_LAST = np.array([[[0.0, 0.0, 0.0, 1.0]]], np.float32)


def reach(leg: Leg, bones: Float32, palette: Float32, up: float) -> None:
    """Bend a leg, in place, so that its foot moves up by so many inches, or down as far as it is long."""
    hip, knee, ankle, toe = (
        bones[bone, :, 3].astype(np.float64) for bone in (leg.hip, leg.knee, leg.foot, leg.toe)
    )
    new_ankle = ankle.copy()
    new_ankle[2] += up
    upper, lower = _length(knee - hip), _length(ankle - knee)
    line = new_ankle - hip
    far = _length(line)
    along = line / max(far, 1e-6)
    span = min(max(far, abs(upper - lower) * 1.01 + 1e-3), (upper + lower) * _STRAIGHT)
    new_ankle = hip + along * span
    bend = (knee - hip) + (toe - ankle) * _AHEAD
    bend -= along * (bend @ along)
    out = bend / max(_length(bend), 1e-6)
    ahead = (upper * upper - lower * lower + span * span) / (2.0 * span)
    new_knee = hip + along * ahead + out * max(upper * upper - ahead * ahead, 0.0) ** 0.5
    for part, turn, old, new in (
        (leg.thigh, _arc(knee - hip, new_knee - hip), hip, hip),
        (leg.shin, _arc(ankle - knee, new_ankle - new_knee), knee, new_knee),
        (leg.sole, None, ankle, new_ankle),
    ):
        for matrices in (bones, palette):
            if turn is None:
                matrices[part, :, 3] += (new - old).astype(np.float32)
                continue
            moved = turn @ matrices[part]
            moved[:, :, 3] += new - turn @ old
            matrices[part] = moved


def _length(vector: Float64) -> float:
    return math.sqrt(float(vector @ vector))


def _arc(start: Float64, end: Float64) -> Float64:
    """The shortest rotation from one direction to another that is not opposite."""
    x, y, z = start / max(_length(start), 1e-9)
    u, v, w = end / max(_length(end), 1e-9)
    a, b, c = y * w - z * v, z * u - x * w, x * v - y * u
    share = 1.0 / (1.0 + max(x * u + y * v + z * w, -0.99))
    return np.array(
        [
            [1.0 - (b * b + c * c) * share, a * b * share - c, a * c * share + b],
            [a * b * share + c, 1.0 - (a * a + c * c) * share, b * c * share - a],
            [a * c * share - b, b * c * share + a, 1.0 - (a * a + b * b) * share],
        ]
    )
