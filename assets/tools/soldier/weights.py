"""Skin weights by place: which bones move a point of the bind pose, softly over the joints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from assets.tools.rotations import Array, unit
from assets.tools.soldier import skeleton as bones

Weigh = Callable[[Array], Array]


def smooth(value: Array, low: float, high: float) -> Array:
    """0 below low, 1 above high, an S-curve between; low may be above high."""
    share = np.clip((value - low) / (high - low), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _empty(points: Array) -> Array:
    return np.zeros((len(points), len(bones.BONES)))


def trunk(points: Array) -> Array:
    """Jacket and neck: the spine by height, shoulders to the collar bones, the skirt to the thighs."""
    out = _empty(points)
    y, z = points[:, 1], points[:, 2]
    joints = [
        ("spine_lower", 42.2, 2.2),
        ("spine_mid", 46.6, 2.4),
        ("spine_upper", 51.2, 2.4),
        ("neck", 59.0, 0.9),
        ("head", 61.6, 1.1),
    ]
    names = ["pelvis", *(name for name, _, _ in joints)]
    past = [np.ones(len(points)), *(smooth(z, at - width, at + width) for _, at, width in joints)]
    past.append(np.zeros(len(points)))
    for number, name in enumerate(names):
        out[:, bones.INDEX[name]] = past[number] - past[number + 1]
    shoulder = smooth(np.abs(y), 3.2, 7.4) * smooth(z, 51.5, 56.0) * (z < 60.0) * 0.85
    skirt = smooth(z, 39.6, 33.6) * 0.95
    for side, sign in (("left", 1.0), ("right", -1.0)):
        mine = shoulder * (y * sign > 0)
        out *= 1.0 - mine[:, None]
        out[:, bones.INDEX[f"clavicle_{side}"]] += mine
    left = smooth(y, -2.6, 2.6)
    out *= 1.0 - skirt[:, None]
    out[:, bones.INDEX["thigh_left"]] += skirt * left
    out[:, bones.INDEX["thigh_right"]] += skirt * (1.0 - left)
    return out


def arm(side: str) -> Weigh:
    """Sleeve and wrist of one side, from the collar bone to the hand."""
    mirror = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    shoulder, elbow, wrist = bones.SHOULDER * mirror, bones.ELBOW * mirror, bones.WRIST * mirror
    upper, fore = bones.ARM_DIRECTION * mirror, bones.FOREARM_DIRECTION * mirror

    def weigh(points: Array) -> Array:
        out = _empty(points)
        past_shoulder = smooth((points - shoulder) @ upper, -3.0, 3.4)
        past_elbow = smooth((points - elbow) @ unit(upper + fore), -2.0, 2.0)
        past_wrist = smooth((points - wrist) @ fore, -1.0, 0.8)
        out[:, bones.INDEX[f"clavicle_{side}"]] = 1.0 - past_shoulder
        out[:, bones.INDEX[f"upper_arm_{side}"]] = past_shoulder * (1.0 - past_elbow)
        out[:, bones.INDEX[f"forearm_{side}"]] = past_shoulder * past_elbow * (1.0 - past_wrist)
        out[:, bones.INDEX[f"hand_{side}"]] = past_shoulder * past_elbow * past_wrist
        return out

    return weigh


def finger(side: str) -> Weigh:
    """A finger: palm, then fingers, then their tips."""
    mirror = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    along = bones.FOREARM_DIRECTION * mirror

    def weigh(points: Array) -> Array:
        out = _empty(points)
        first = smooth((points - bones.BIND[f"fingers_{side}"]) @ along, -0.45, 0.45)
        second = smooth((points - bones.BIND[f"fingertips_{side}"]) @ along, -0.4, 0.4)
        out[:, bones.INDEX[f"hand_{side}"]] = 1.0 - first
        out[:, bones.INDEX[f"fingers_{side}"]] = first * (1.0 - second)
        out[:, bones.INDEX[f"fingertips_{side}"]] = first * second
        return out

    return weigh


def leg(side: str) -> Weigh:
    """Trousers and boot of one side, from the pelvis to the toes."""

    def weigh(points: Array) -> Array:
        out = _empty(points)
        x, z = points[:, 0], points[:, 2]
        past_hip = smooth(z, 39.5, 33.5)
        past_knee = smooth(z, 24.0, 18.8)
        past_ankle = smooth(z, 6.4, 3.6)
        past_ball = smooth(x, 3.8, 5.8) * (z < 5.0)
        out[:, bones.INDEX["pelvis"]] = 1.0 - past_hip
        out[:, bones.INDEX[f"thigh_{side}"]] = past_hip * (1.0 - past_knee)
        out[:, bones.INDEX[f"calf_{side}"]] = past_hip * past_knee * (1.0 - past_ankle)
        out[:, bones.INDEX[f"foot_{side}"]] = past_hip * past_knee * past_ankle * (1.0 - past_ball)
        out[:, bones.INDEX[f"toe_{side}"]] = past_hip * past_knee * past_ankle * past_ball
        return out

    return weigh


def rigid(bone: str) -> Weigh:
    """Everything on one bone."""

    def weigh(points: Array) -> Array:
        out = _empty(points)
        out[:, bones.INDEX[bone]] = 1.0
        return out

    return weigh


def as_at(rule: Weigh, place: ArrayLike) -> Weigh:
    """Everything as one point of another rule: a pouch that rides on cloth without bending."""
    row = rule(np.asarray(place, float)[None])

    def weigh(points: Array) -> Array:
        return np.repeat(row, len(points), axis=0)

    return weigh
