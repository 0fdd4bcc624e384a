"""Traces and damage over distances."""

from __future__ import annotations

from engine.vm.arrays import Array
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.angles import normalize, sub
from engine.world.damage import fire, radius_damage
from engine.world.entity import Entity
from engine.world.surfaces import SHOT_MASK, Contents
from engine.world.world import World

natives = Registry(services=(World,))


@natives.function()
def bullettrace(
    world: World, start: Vector, end: Vector, hitcharacters: Value, ignore: Entity | None = None
) -> Array:
    """What a bullet would meet: an array with fraction, position, entity, normal and surfacetype.

    Without characters players and actors do not stop it. `entity` is undefined for the level.
    """
    mask = SHOT_MASK if hitcharacters not in (None, 0) else SHOT_MASK & ~Contents.BODY
    trace = world.space.trace(start, end, mask=mask, ignore={ignore.number} if ignore is not None else ())
    found = Array()
    found["fraction"] = trace.fraction
    found["position"] = trace.position
    found["entity"] = world.entities.get(trace.entity) if trace.entity is not None else None
    found["normal"] = trace.normal
    found["surfacetype"] = trace.surface or "none"
    return found


@natives.function()
def radiusdamage(
    world: World, origin: Vector, radius: float, most: float, least: float, attacker: Entity | None = None,
    inflictor: Entity | None = None,
) -> None:  # fmt: skip
    """A blast."""
    radius_damage(world, origin, radius, most, least, attacker, inflictor)


@natives.function()
def setplayerignoreradiusdamage(world: World, on: int) -> None:
    world.spare_players = on != 0


@natives.function()
def magicbullet(world: World, weapon: str, start: Vector, end: Vector) -> None:
    """A shot without a shooter."""
    fire(world, None, world.weapon(weapon), start, normalize(sub(end, start)), 0.0, flash=False)
