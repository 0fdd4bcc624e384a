"""The poses of a picture: between two server frames near the eye, and as the server has them far from it.

What is far is worked out once a server frame instead of once a picture, so a crowd costs where it can be looked at.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from engine.anim import pose
from engine.anim.skeleton import Float32
from engine.client.render.scene import Camera
from engine.world.view import FrameView, PoseBatch

FAR = 2000.0
"""Inches, about 50 metres, beyond which a pose stays as it is until the next server frame; its place does not. That is
for a picture of 80 degrees; who looks through a sight sees further."""

_far: WeakKeyDictionary[PoseBatch, tuple[Float32, Float32]] = WeakKeyDictionary()


def poses_between(
    before: FrameView, now: FrameView, alpha: float, camera: Camera | None = None
) -> tuple[Mapping[int, Float32], Mapping[int, Float32]]:
    """By entity number: bone matrices (B, 3, 4) in model space, and skinning palettes of the batch's own skeleton.

    camera  what the picture is taken with; None when all is near
    """
    far = seen_as(FAR, camera) if camera is not None else math.inf
    eye = camera.position if camera is not None else (0.0, 0.0, 0.0)
    matrices: dict[int, Float32] = {}
    palettes: dict[int, Float32] = {}
    near: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, state in now.entities.items():
        if state.pose is None or not state.visible:
            continue
        index, row = state.pose
        if math.dist(state.origin, eye) > far:
            model, skin = _as_sent(now.poses[index])
            matrices[number], palettes[number] = model[row], skin[row]
        else:
            near[index].append((number, row))
    for index, members in near.items():
        batch = now.poses[index]
        current = batch.local[[row for _, row in members]]
        previous = current.copy()
        for i, (number, _) in enumerate(members):
            old, new = before.entities.get(number), now.entities[number]
            if old is None or old.serial != new.serial or old.pose is None or new.teleport:
                continue
            old_batch = before.poses[old.pose[0]]
            if old_batch.local.shape[2] == current.shape[2]:
                previous[i] = old_batch.local[old.pose[1]]
        model, skin = pose.skinned(pose.interpolate(previous, current, alpha), batch.skeleton)
        for i, (number, _) in enumerate(members):
            matrices[number], palettes[number] = model[i], skin[i]
    return matrices, palettes


def seen_as(inches: float, camera: Camera) -> float:
    """How far away something is with a camera that looks as it does at a distance in a picture of 80 degrees."""
    return inches * math.tan(math.radians(40.0)) / math.tan(math.radians(camera.fov) / 2.0)


def _as_sent(batch: PoseBatch) -> tuple[Float32, Float32]:
    """Matrices and palettes of a whole batch as the server sent it, kept as long as the batch is."""
    found = _far.get(batch)
    if found is None:
        found = _far[batch] = pose.skinned(batch.local, batch.skeleton)
    return found
