"""Entities under animscripted: the animation alone says where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.world.actor import Actor
from engine.world.angles import add, circle, wrap180

if TYPE_CHECKING:
    from engine.world.world import World


def run_scripted(world: World) -> None:
    """Move them by the root motion of the last step. With the note `end` they are free again."""
    for entity in world.entities.all():
        pose = entity.pose
        active = pose is not None and pose.scripted is not None
        if isinstance(entity, Actor):
            entity.scripted = active
        if pose is None or not active:
            continue
        dx, dy, dz, turn = world.animator.root_motion(entity)
        yaw = wrap180(entity.rotation[1] + turn)
        c, s = circle(yaw)
        place = add(entity.position, (dx * c - dy * s, dx * s + dy * c, dz))
        entity.place(place, (entity.rotation[0], yaw, entity.rotation[2]))
        if pose.ending:
            # Only now: the motion up to the end belongs to the scripted animation.
            pose.scripted, pose.ending = None, False
