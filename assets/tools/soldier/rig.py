"""From a few controls to a pose of every bone: the spine shares its bend, arms and legs reach by two-bone IK.

A pose is a mapping of control names to numbers or vectors (`DEFAULTS` lists them all). Places are inches and turns
(yaw, pitch, roll) degrees. "Root space" stands on the ground under the soldier and faces where he faces; "chest
space" has its origin at the shoulders' height in the middle of the chest and turns with the chest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assets.tools.rotations import Array, about, arc, cross, frame, mixed, quaternion_of, turn, unit, vec
from assets.tools.soldier import skeleton as bones

CHEST = np.array([0.0, 0.0, 56.0])
PALM_ON_GROUND = 2.4  # how high an upturned palm is when the hand lies on the ground
WRIST_CLEAR, ELBOW_CLEAR, KNEE_CLEAR = (
    1.6,
    2.5,
    3.0,
)  # how high these joints are when the limb lies on the ground
THIGH = float(np.linalg.norm(bones.BIND["calf_left"] - bones.BIND["thigh_left"]))
CALF = float(np.linalg.norm(bones.BIND["foot_left"] - bones.BIND["calf_left"]))

DEFAULTS: dict[str, Any] = {
    "root": (0.0, 0.0, 0.0),  # where the ground point stands in the world
    "root_yaw": 0.0,
    "pelvis": (0.0, 0.0, 0.0),  # away from the bind pose, root space
    "pelvis_turn": (0.0, 0.0, 0.0),  # in root space
    "pelvis_twist": 0.0,  # degrees about the body's own upright, after pelvis_turn
    "chest_turn": (0.0, 0.0, 0.0),  # in root space; the spine shares the difference to the pelvis
    "head_turn": (0.0, 0.0, 0.0),  # in root space; the neck shares the difference to the chest
    "chest_twist": 0.0,  # degrees about the chest's own upright, after chest_turn
    "head_twist": 0.0,
    "breath": 0.0,  # degrees that both shoulders lift
    "rifle": (10.0, -3.0, -10.0),  # where the right palm holds it, chest space
    "rifle_turn": (35.0, 20.0, 0.0),  # in chest space
    "rifle_free": 0.0,  # 1: rifle and rifle_turn are in root space instead
    "right_hold": 1.0,  # 0: the right hand lets go and goes to right_hand
    "right_hand": (8.0, -9.0, -14.0),  # the palm, chest space
    "right_bolt": 0.0,  # 1: the hand that let go is at the bolt
    "bolt": 0.0,  # inches that the bolt is pulled back
    "right_along": (0.8, 0.2, -0.5),
    "right_palm": (0.0, 1.0, 0.0),
    "left_hold": 1.0,  # 0: the left palm goes to left_hand instead of the fore-end
    "left_hand": (8.0, 9.0, -14.0),
    "left_magazine": 0.0,  # 1: the hand that let go is at the magazine
    "left_along": (0.8, -0.2, -0.5),
    "left_palm": (0.0, -1.0, 0.0),
    "left_slide": 0.0,  # inches along the fore-end
    "right_elbow": (-0.5, -0.7, -0.6),  # where the elbow points, chest space
    "left_elbow": (-0.2, 0.6, -0.8),
    "right_free": 0.0,  # 1: right_hand, right_along and right_palm are in root space instead
    "left_free": 0.0,
    "palms_down": 0.0,  # 1: hands that let go lie on the ground, on their backs
    "right_curl": 1.0,  # 0 flat hand, 1 closed round the stock
    "left_curl": 0.82,
    "left_foot": (0.0, 4.3, 0.0),  # the point of the sole under the ankle, root space
    "right_foot": (0.0, -4.3, 0.0),
    "left_foot_turn": (
        6.0,
        0.0,
        0.0,
    ),  # pitch above 0 lifts the heel over the ball, below 0 the toes over the heel
    "right_foot_turn": (-6.0, 0.0, 0.0),
    "left_toe": 1.0,  # how far the toes stay flat while the heel is up
    "right_toe": 1.0,
    "left_knee": 0.0,  # degrees that the knee points outwards
    "right_knee": 0.0,
    "left_limp": 0.0,  # 1: the foot hangs from the shin, and left_foot is the ankle itself
    "right_limp": 0.0,
    "limp_ankle": 25.0,  # degrees that a hanging foot points its toes
}


class Solved:
    """World rotation (3, 3) and place (3,) of every bone, and how far hands and feet missed their targets."""

    def __init__(self) -> None:
        self.turns: dict[str, Array] = {}
        self.places: dict[str, Array] = {}
        self.misses: dict[str, float] = {}

    def set(self, name: str, rotation: Array, place: Array | None = None) -> None:
        """Turns a bone; without a place it hangs from its parent as it did in the bind pose."""
        bone = bones.BONES[bones.INDEX[name]]
        if place is None:
            assert bone.parent is not None
            offset = bone.place - bones.BIND[bone.parent]
            place = self.places[bone.parent] + self.turns[bone.parent] @ offset
        self.turns[name], self.places[name] = rotation, place

    def point(self, name: str, bind_place: Array) -> Array:
        """Where a point goes that is fixed to a bone, given by its place in the bind pose."""
        return self.places[name] + self.turns[name] @ (bind_place - bones.BIND[name])

    def rows(self) -> Array:
        """(B, 7) local rotation x y z w and translation of every bone, in the order of `BONES`."""
        rows = np.zeros((len(bones.BONES), 7))
        for number, bone in enumerate(bones.BONES):
            rotation, place = self.turns[bone.name] @ bone.turn, self.places[bone.name]
            if bone.parent is not None:
                parent = bones.BONES[bones.INDEX[bone.parent]]
                up = self.turns[bone.parent] @ parent.turn
                rotation, place = up.T @ rotation, up.T @ (place - self.places[bone.parent])
            rows[number, :4] = quaternion_of(rotation)
            rows[number, 4:] = place
        return rows


def solve(controls: Mapping[str, Any], lagging_chest: tuple[Array, Array] | None = None) -> Solved:
    """Poses the skeleton. `lagging_chest` (rotation, place) carries the rifle instead of the chest of this moment."""
    pose = {**DEFAULTS, **controls}
    solved = Solved()
    root = _trunk(solved, pose)
    chest_turn, chest = _chest_of(solved)
    if lagging_chest is None:
        lagging_chest = (chest_turn, chest)
    hold_turn, hold = lagging_chest
    rifle_turn, rifle = _rifle(pose, root, solved, hold_turn, hold)
    for side in ("right", "left"):
        _arm(solved, pose, side, chest_turn, chest, rifle_turn, rifle)
    for side in ("left", "right"):
        _leg(solved, pose, side, root)
    solved.set("tag_weapon_right", rifle_turn @ bones.BONES[bones.INDEX["tag_weapon_right"]].turn.T, rifle)
    solved.set("tag_flash", solved.turns["tag_weapon_right"])
    return solved


def chest_at(controls: Mapping[str, Any]) -> tuple[Array, Array]:
    """Rotation and origin of chest space, without posing the limbs."""
    solved = Solved()
    _trunk(solved, {**DEFAULTS, **controls})
    return _chest_of(solved)


def _chest_of(solved: Solved) -> tuple[Array, Array]:
    return solved.turns["spine_upper"], solved.point("spine_upper", CHEST)


def _trunk(solved: Solved, pose: Mapping[str, Any]) -> Array:
    """Root to head; gives the root's rotation."""
    root = about((0, 0, 1), pose["root_yaw"])
    solved.set("tag_origin", root, np.asarray(pose["root"], float))
    pelvis = root @ turn(pose["pelvis_turn"]) @ about((0, 0, 1), pose["pelvis_twist"])
    chest = root @ turn(pose["chest_turn"]) @ about((0, 0, 1), pose["chest_twist"])
    head = root @ turn(pose["head_turn"]) @ about((0, 0, 1), pose["head_twist"])
    place = solved.places["tag_origin"] + root @ (bones.BIND["pelvis"] + np.asarray(pose["pelvis"], float))
    solved.set("pelvis", pelvis, place)
    for name, share in (("spine_lower", 0.3), ("spine_mid", 0.65), ("spine_upper", 1.0)):
        solved.set(name, mixed(pelvis, chest, share))
    solved.set("neck", mixed(chest, head, 0.4))
    solved.set("head", head)
    solved.set("tag_eye", head)
    solved.set("tag_head", head)
    return root


def _rifle(
    pose: Mapping[str, Any], root: Array, solved: Solved, hold_turn: Array, hold: Array
) -> tuple[Array, Array]:
    local_turn, local = turn(pose["rifle_turn"]), np.asarray(pose["rifle"], float)
    free = float(pose["rifle_free"])
    held_turn, held = hold_turn @ local_turn, hold + hold_turn @ local
    if free <= 0.0:
        return held_turn, held
    loose_turn, loose = root @ local_turn, solved.places["tag_origin"] + root @ local
    return mixed(held_turn, loose_turn, free), held + (loose - held) * free


def _arm(
    solved: Solved,
    pose: Mapping[str, Any],
    side: str,
    chest_turn: Array,
    chest: Array,
    rifle_turn: Array,
    rifle: Array,
) -> None:
    sign = 1.0 if side == "left" else -1.0
    floor = float(solved.places["tag_origin"][2])
    if side == "right":
        grip, palm = bones.RIGHT_ON_GRIP, rifle
    else:
        grip = bones.LEFT_ON_FORE_END
        palm = rifle + rifle_turn @ (bones.FORE_END + np.array([pose["left_slide"], 0.0, 0.0]))
    hand_turn = bones.hand_turn(side, rifle_turn @ grip)
    hold = float(pose[f"{side}_hold"])
    if hold < 1.0:
        loose = frame(
            chest_turn @ np.asarray(pose[f"{side}_along"], float),
            chest_turn @ np.asarray(pose[f"{side}_palm"], float),
        )
        loose_turn = bones.hand_turn(side, loose)
        loose_palm = chest + chest_turn @ np.asarray(pose[f"{side}_hand"], float)
        free = float(pose[f"{side}_free"])
        if free > 0.0:
            root_turn, ground = solved.turns["tag_origin"], solved.places["tag_origin"]
            given = (np.asarray(pose[f"{side}_{name}"], float) for name in ("along", "palm", "hand"))
            along, out, place = (root_turn @ value for value in given)
            loose_turn = mixed(loose_turn, bones.hand_turn(side, frame(along, out)), free)
            loose_palm = loose_palm + (ground + place - loose_palm) * free
        loose_palm[2] += (floor + PALM_ON_GROUND - loose_palm[2]) * float(pose["palms_down"])
        work = float(pose["left_magazine" if side == "left" else "right_bolt"])
        if work > 0.0:
            spot = bones.MAGAZINE if side == "left" else bones.BOLT - vec(float(pose["bolt"]), 0.0, 0.0)
            tool = bones.LEFT_ON_MAGAZINE if side == "left" else bones.RIGHT_ON_BOLT
            loose_turn = mixed(loose_turn, bones.hand_turn(side, rifle_turn @ tool), work)
            loose_palm = loose_palm + (rifle + rifle_turn @ spot - loose_palm) * work
        hand_turn = mixed(loose_turn, hand_turn, hold)
        palm = loose_palm + (palm - loose_palm) * hold
    wrist = bones.wrist_of(side, palm, hand_turn)
    wrist[2] = max(wrist[2], floor + WRIST_CLEAR)

    shoulder_bind = bones.SHOULDER * (1.0, sign, 1.0)
    at_rest = solved.point("spine_upper", shoulder_bind)
    clavicle = solved.point("spine_upper", bones.BIND[f"clavicle_{side}"])
    reach = unit(chest_turn.T @ (wrist - at_rest))
    ahead = float(np.clip(reach[0], -0.3, 1.0)) * 17.0  # the shoulder follows the hand forward and up
    lift = float(np.clip(reach[2] + 0.55, 0.0, 1.3)) * 15.0 + float(pose["breath"])
    shrug = chest_turn @ about((0, 0, 1), -sign * ahead) @ about((1, 0, 0), sign * lift)
    solved.set(f"clavicle_{side}", shrug, clavicle)
    shoulder = solved.point(f"clavicle_{side}", shoulder_bind)

    pole = chest_turn @ np.asarray(pose[f"{side}_elbow"], float)
    elbow, miss = two_bones(shoulder, wrist, bones.UPPER_ARM, bones.FOREARM, pole, floor + ELBOW_CLEAR)
    solved.misses[f"{side}_hand"] = miss
    if miss > 0.0:  # out of reach: the hand stays on the arm
        wrist = elbow + unit(wrist - elbow) * bones.FOREARM
    mirror = np.array([1.0, sign, 1.0])
    bind_upper, bind_fore = bones.ARM_DIRECTION * mirror, bones.FOREARM_DIRECTION * mirror
    hinge_bind = cross(bind_upper, bind_fore)
    hinge = cross(elbow - shoulder, wrist - elbow)
    upper_turn = frame(elbow - shoulder, hinge) @ frame(bind_upper, hinge_bind).T
    upper_swing = arc(chest_turn @ bind_upper, elbow - shoulder) @ chest_turn
    fore_turn = frame(wrist - elbow, hinge) @ frame(bind_fore, hinge_bind).T
    fore_twist = arc(hand_turn @ bind_fore, wrist - elbow) @ hand_turn
    solved.set(f"upper_arm_{side}", mixed(upper_swing, upper_turn, 0.5))
    solved.set(f"forearm_{side}", mixed(fore_turn, fore_twist, 0.6), elbow)
    solved.set(f"hand_{side}", hand_turn, wrist)
    if side == "left":
        solved.set("tag_weapon_left", hand_turn)
    curl_axis = -bones.hand_bind(side)[:, 1]
    curl = float(pose[f"{side}_curl"])
    fingers = hand_turn @ about(curl_axis, 62.0 * curl - 8.0)
    solved.set(f"fingers_{side}", fingers)
    solved.set(f"fingertips_{side}", fingers @ about(curl_axis, 66.0 * curl - 4.0))


def _leg(solved: Solved, pose: Mapping[str, Any], side: str, root: Array) -> None:
    sign = 1.0 if side == "left" else -1.0
    floor = float(solved.places["tag_origin"][2])
    pelvis = solved.turns["pelvis"]
    yaw, pitch, roll = np.asarray(pose[f"{side}_foot_turn"], float)
    limp = float(pose[f"{side}_limp"])
    flat = root @ turn((yaw, 0.0, 0.0))
    foot = root @ turn((yaw, pitch, roll))
    sole = solved.places["tag_origin"] + root @ np.asarray(pose[f"{side}_foot"], float)
    pivot = np.array(bones.BALL if pitch > 0.0 else bones.HEEL)
    ankle = sole + flat @ pivot + foot @ (vec(0.0, 0.0, bones.SOLE_TO_ANKLE) - pivot)
    if limp > 0.0:
        ankle = ankle + (sole - ankle) * limp

    hip = solved.point("pelvis", bones.BIND[f"thigh_{side}"])
    outward = about((0, 0, 1), sign * float(pose[f"{side}_knee"]))
    ahead = unit(flat[:, 0] * (1.0 - limp) + pelvis[:, 0] * (1.0 + limp))
    pole = root @ outward @ root.T @ ahead if limp < 1.0 else pelvis @ outward[:, 0]
    knee, miss = two_bones(hip, ankle, THIGH, CALF, pole, floor + KNEE_CLEAR)
    solved.misses[f"{side}_foot"] = miss
    if miss > 0.0:
        ankle = knee + unit(ankle - knee) * CALF
    bind_thigh = bones.BIND[f"calf_{side}"] - bones.BIND[f"thigh_{side}"]
    bind_calf = bones.BIND[f"foot_{side}"] - bones.BIND[f"calf_{side}"]
    hinge = cross(ankle - knee, knee - hip)
    if hinge @ hinge < 1e-12:
        hinge = cross(pole, hip - ankle)
    hinge_bind = cross(bind_calf, bind_thigh)
    thigh = frame(knee - hip, hinge) @ frame(bind_thigh, hinge_bind).T
    calf = frame(ankle - knee, hinge) @ frame(bind_calf, hinge_bind).T
    solved.set(f"thigh_{side}", thigh, hip)
    solved.set(f"calf_{side}", calf, knee)
    if limp > 0.0:
        foot = mixed(foot, calf @ about((0, 1, 0), float(pose["limp_ankle"])), limp)
    solved.set(f"foot_{side}", foot, ankle)
    bend = -min(max(float(pitch), 0.0), 78.0) * float(pose[f"{side}_toe"]) * (1.0 - limp)
    solved.set(f"toe_{side}", foot @ about((0, 1, 0), bend))


def two_bones(
    start: Array, end: Array, first: float, second: float, pole: Array, lowest: float = -np.inf
) -> tuple[Array, float]:
    """Place of the middle joint, bent towards `pole`, and by how much `end` lies out of reach (0 when it does not).

    A joint that would come below the height `lowest` is swung about the line from start to end until it is clear.
    """
    line = end - start
    distance = float(np.sqrt(line @ line))
    longest = (first + second) * 0.9995
    miss = max(0.0, distance - longest)
    reach = min(max(distance, abs(first - second) * 1.001), longest)
    along = line / distance
    ahead = (first**2 - second**2 + reach**2) / (2.0 * reach)
    out = unit(pole - along * (pole @ along)) * float(np.sqrt(max(first**2 - ahead**2, 0.0)))
    centre = start + along * ahead
    if centre[2] + out[2] < lowest:
        out = _swung_clear(out, along, lowest - float(centre[2]))
    return centre + out, miss


def _swung_clear(out: Array, along: Array, height: float) -> Array:
    """A spoke turned about `along` by as little as brings its end to a height above the hub, or to its highest."""
    across = cross(along, out)
    most = float(np.hypot(out[2], across[2]))
    highest = float(np.arctan2(across[2], out[2]))
    away = float(np.arccos(min(height / most, 1.0))) if most > 1e-6 else 0.0
    angle = highest - away if highest > 0.0 else highest + away
    return out * np.cos(angle) + across * np.sin(angle)
