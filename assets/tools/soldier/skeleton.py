"""The soldier's skeleton: places of the joints in the bind pose, and the frames of hands and rifle.

Every bone but the weapon tag rests unturned, so a bone's rotation in a pose is its rotation away from the
bind pose. The bind pose stands straight with the arms held down and out; no clip ever shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from assets.tools.rotations import Array, frame, unit

UPPER_ARM, FOREARM = 11.6, 10.2
SOLE_TO_ANKLE = 4.4
HEEL, BALL = (
    (-2.6, 0.0, 0.0),
    (5.4, 0.0, 1.5),
)  # from below the ankle: what the foot rolls over; BALL is the toe joint
GRIP_IN_PALM = (2.7, 1.15)  # from the wrist: along the hand, and out of the palm

# The rifle's own space: x along the barrel, origin where the right palm closes round the stock.
FORE_END = np.array([8.9, 0.0, 0.3])
MAGAZINE = np.array([4.9, 0.0, -2.6])
BOLT = np.array([3.4, -1.0, 2.0])
MUZZLE = np.array([27.4, 0.0, 1.95])

SHOULDER = np.array([-0.4, 7.7, 56.6])
ARM_DIRECTION = unit((-0.04, 0.66, -0.75))
FOREARM_DIRECTION = unit((0.15, 0.60, -0.785))
ELBOW = SHOULDER + UPPER_ARM * ARM_DIRECTION
WRIST = ELBOW + FOREARM * FOREARM_DIRECTION
PALM_NORMAL = unit(np.cross(FOREARM_DIRECTION, (1.0, 0.0, 0.0)))  # towards the thigh

CENTRE: tuple[tuple[str, str | None, tuple[float, float, float]], ...] = (
    ("tag_origin", None, (0, 0, 0)),
    ("pelvis", "tag_origin", (0, 0, 39.4)),
    ("spine_lower", "pelvis", (-0.1, 0, 42.2)),
    ("spine_mid", "spine_lower", (-0.2, 0, 46.6)),
    ("spine_upper", "spine_mid", (-0.5, 0, 51.2)),
    ("neck", "spine_upper", (-0.7, 0, 58.4)),
    ("head", "neck", (-0.1, 0, 61.4)),
    ("tag_eye", "head", (3.4, 0, 65.6)),
    ("tag_head", "head", (0.0, 0, 66.5)),
)


def _side(name: str, sign: float) -> list[tuple[str, str, Array]]:
    mirror = np.array([1.0, sign, 1.0])
    knuckles = WRIST + FOREARM_DIRECTION * 3.7 + PALM_NORMAL * 0.25
    tips = knuckles + FOREARM_DIRECTION * 1.9 + PALM_NORMAL * 0.2
    joints = [
        ("clavicle", "spine_upper", np.array([0.2, 1.4, 57.0])),
        ("upper_arm", f"clavicle_{name}", SHOULDER),
        ("forearm", f"upper_arm_{name}", ELBOW),
        ("hand", f"forearm_{name}", WRIST),
        ("fingers", f"hand_{name}", knuckles),
        ("fingertips", f"fingers_{name}", tips),
        ("thigh", "pelvis", np.array([0.0, 3.7, 38.4])),
        ("calf", f"thigh_{name}", np.array([0.5, 3.9, 21.3])),
        ("foot", f"calf_{name}", np.array([-0.6, 4.1, SOLE_TO_ANKLE])),
        ("toe", f"foot_{name}", np.array([4.8, 4.4, 1.5])),
    ]
    return [(f"{bone}_{name}", parent, place * mirror) for bone, parent, place in joints]


@dataclass(frozen=True)
class Bone:
    """A joint: where it stands in the bind pose and how it is turned there."""

    name: str
    parent: str | None
    place: Array
    turn: Array = field(default_factory=lambda: np.eye(3))


@cache
def hand_bind(side: str) -> Array:
    """Columns: along the fingers, to one side, out of the palm, of a hand in the bind pose."""
    mirror = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    return frame(FOREARM_DIRECTION * mirror, PALM_NORMAL * mirror)


# How a hand lies on the rifle, in the rifle's space: along the fingers, out of the palm.
RIGHT_ON_GRIP = frame(unit((0.90, 0.12, -0.34)), unit((-0.06, 0.985, 0.10)))
LEFT_ON_FORE_END = frame(unit((0.60, -0.74, 0.16)), unit((-0.10, 0.16, 1.0)))
LEFT_ON_MAGAZINE = frame(unit((0.35, -0.25, 0.9)), unit((0.2, -0.95, -0.1)))
RIGHT_ON_BOLT = frame(unit((0.55, 0.6, 0.3)), unit((0.1, 0.45, -0.85)))


def hand_turn(side: str, grip: Array) -> Array:
    """The rotation of a hand bone that brings the hand into a frame (`along, side, palm`)."""
    return grip @ hand_bind(side).T


def wrist_of(side: str, grip_point: Array, rotation: Array) -> Array:
    """Where the wrist is when a palm, turned by `rotation` from the bind pose, closes round a point."""
    bind = hand_bind(side)
    along, out = GRIP_IN_PALM
    return grip_point - rotation @ (bind[:, 0] * along + bind[:, 2] * out)


def _bones() -> tuple[Bone, ...]:
    bones = [Bone(name, parent, np.asarray(place, float)) for name, parent, place in CENTRE]
    for name, sign in (("left", 1.0), ("right", -1.0)):
        bones += [Bone(*joint) for joint in _side(name, sign)]
    grips = {}
    for side in ("left", "right"):
        wrist = next(bone.place for bone in bones if bone.name == f"hand_{side}")
        along, out = GRIP_IN_PALM
        grips[side] = wrist + hand_bind(side)[:, 0] * along + hand_bind(side)[:, 2] * out
    bones.append(Bone("tag_weapon_left", "hand_left", grips["left"], hand_bind("left")))
    grip = grips["right"]
    rifle = hand_turn("right", RIGHT_ON_GRIP).T
    bones.append(Bone("tag_weapon_right", "hand_right", grip, rifle))
    bones.append(Bone("tag_flash", "tag_weapon_right", grip + rifle @ MUZZLE, rifle))
    return tuple(bones)


BONES = _bones()
INDEX = {bone.name: number for number, bone in enumerate(BONES)}
BIND = {bone.name: bone.place for bone in BONES}
