"""Taking the picture of a frame: the world's state as the plain values of `engine.world.view`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.world import showable
from engine.world.actor import Actor
from engine.world.entity import Entity
from engine.world.player import Player
from engine.world.showable import is_place
from engine.world.units import add_unit_poses
from engine.world.view import EntityState, FrameView

if TYPE_CHECKING:
    from engine.world.world import World


def _shown(entity: Entity) -> bool:
    """Whether a client can have any use for an entity."""
    return bool(entity.model_name) or entity.brush_model is not None or entity.is_player()


def entity_state(entity: Entity, pose: tuple[int, int] | None) -> EntityState:
    return EntityState(
        number=entity.number,
        serial=entity.serial,
        model=entity.model_name,
        skin=entity.skin,
        origin=entity.position,
        angles=entity.rotation,
        visible=entity.visible and is_place(entity.position) and all(map(math.isfinite, entity.rotation)),
        pose=pose,
        attachments=tuple((model, tag) for model, tag, _ in entity.attachments),
        brush_model=entity.brush_model,
        teleport=entity.teleported,
        dying=isinstance(entity, (Actor, Player)) and not entity.alive(),
    )


def take_picture(world: World) -> FrameView:
    """The view of the world now. Marks of teleports are used up by it."""
    poses, places = world.animator.batches()
    add_unit_poses(world, poses, places)
    states: dict[int, EntityState] = {}
    players = {}
    teams: dict[int, str] = {}
    for entity in world.entities.all():
        if isinstance(entity, Player):
            players[entity.number] = showable.player(entity.view_state())
            teams[entity.number] = entity.team
        if _shown(entity):
            states[entity.number] = entity_state(entity, places.get(entity.number))
        entity.teleported = False
    events = world.events
    return FrameView(
        frame=world.frame_number,
        time=world.time,
        entities=states,
        poses=tuple(poses),
        players=players,
        hud=tuple(showable.hud(world.hud.resolve(world.time, teams))),
        sounds=tuple(showable.sounds(events.sounds)),
        effects=tuple(showable.effects(events.effects)),
        messages=tuple(events.messages),
        shakes=tuple(showable.shakes(events.shakes)),
        lights=tuple(showable.lights(events.lights)),
        notes=tuple(events.notes),
        atmosphere=showable.air(world.atmosphere),
    )
