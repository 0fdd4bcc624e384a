"""Shots and blasts: from a muzzle or a centre to the hits that they deal."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, isfinite, radians, sin, sqrt, tan
from typing import TYPE_CHECKING

from engine.vm.errors import ScriptError
from engine.world.angles import Vector, cross, distance, madd, normalize, scale, sub
from engine.world.bodies import hit_location
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.surfaces import SHOT_MASK, SIGHT_MASK
from engine.world.triggers import Trigger, crosses
from engine.world.view import DynamicLight, EffectEvent
from engine.world.weapons import Weapon

if TYPE_CHECKING:
    from engine.world.world import World


@dataclass(frozen=True, slots=True)
class Struck:
    """What a shot has done: how many rays hit something that takes damage, how many ended a life."""

    hits: int = 0
    kills: int = 0


MUZZLE_COLOR: Vector = (3.0, 2.1, 1.0)
MUZZLE_RADIUS = 220.0


def spread_direction(world: World, forward: Vector, degrees: float) -> Vector:
    """A direction within a cone of a half angle, evenly over its disc, from the world's own randomness."""
    if degrees <= 0.0:
        return forward
    radius = tan(radians(degrees)) * sqrt(world.random.random())
    angle = world.random.random() * 6.283185307179586
    side = normalize(cross(forward, (0.0, 0.0, 1.0) if abs(forward[2]) < 0.99 else (1.0, 0.0, 0.0)))
    up = cross(side, forward)
    return normalize(madd(madd(forward, radius * cos(angle), side), radius * sin(angle), up))


def fire(
    world: World, shooter: Entity | None, weapon: Weapon, start: Vector, forward: Vector, spread: float,
    muzzle: Vector | None = None, *, flash: bool = True,
) -> Struck:  # fmt: skip
    """Fire a weapon once: sound, flash, rays, hits.

    start is where the rays begin (the eye), muzzle where flash and tracer are drawn.
    """
    muzzle = muzzle if muzzle is not None else start
    number = shooter.number if shooter is not None else None
    world.events.sound(weapon.sound_fire, muzzle, number)
    if flash:
        world.events.effect(EffectEvent("muzzle", muzzle, forward, entity=number, tag="tag_flash"))
        world.events.lights.append(DynamicLight(muzzle, MUZZLE_COLOR, MUZZLE_RADIUS, number))
    hits = kills = 0
    for _ in range(weapon.pellets):
        way = spread_direction(world, forward, spread)
        struck = bullet(world, shooter, weapon, start, way, muzzle)
        hits += struck.hits
        kills += struck.kills
    return Struck(hits, kills)


def bullet(
    world: World, shooter: Entity | None, weapon: Weapon, start: Vector, way: Vector, muzzle: Vector
) -> Struck:
    """One ray: the thing that it hits is damaged, triggers on its way notice it."""
    end = madd(start, weapon.range, way)
    ignore = {shooter.number} if shooter is not None else set()
    trace = world.space.trace(start, end, mask=SHOT_MASK, ignore=ignore)
    world.events.effect(EffectEvent("tracer", muzzle, way, end=trace.position))
    hit_entity = world.entities.get(trace.entity) if trace.entity is not None else None
    amount = weapon.damage_at(distance(start, trace.position))
    for trigger in world.entities.all():
        if isinstance(trigger, Trigger) and trigger.hears_shots() and crosses(trigger, start, trace.position):
            trigger.damage(Hit(round(amount), shooter, shooter, "MOD_RIFLE_BULLET", weapon.name))
    if trace.fraction >= 1.0:
        return Struck()
    normal = trace.normal if trace.normal != (0.0, 0.0, 0.0) else scale(way, -1.0)
    world.events.effect(
        EffectEvent("impact", trace.position, normal, surface=trace.surface, entity=trace.entity)
    )
    world.events.sound(f"hit_{trace.surface}", trace.position)
    if hit_entity is None:
        return Struck()
    location = hit_location(trace.part) if trace.part else "none"
    hit = Hit(
        round(amount * weapon.multiplier(location)), shooter, shooter, "MOD_RIFLE_BULLET", weapon.name,
        trace.position, way, location,
    )  # fmt: skip
    counts, lived = hit_entity.takes_damage, hit_entity.alive()
    hit_entity.damage(hit)
    return Struck(int(counts), int(lived and not hit_entity.alive()))


def points(amount: float) -> int:
    """Damage in whole points. Raises `ScriptError` for what is infinite or no number."""
    if not isfinite(amount):
        raise ScriptError(f"damage is a finite number, not {amount:g}")
    return round(amount)


def radius_damage(
    world: World, origin: Vector, radius: float, most: float, least: float,
    attacker: Entity | None = None, inflictor: Entity | None = None,
) -> None:  # fmt: skip
    """A blast: falls from `most` at the centre to `least` at `radius`; walls shelter what is behind them.

    Raises `ScriptError` for what is infinite or no number.
    """
    if not all(map(isfinite, (*origin, radius, most, least))):
        raise ScriptError("place, radius and damage of a blast are finite numbers")
    for entity in world.entities.all():
        if isinstance(entity, Trigger):
            if entity.hears_shots() and distance(entity.centre(), origin) <= radius:
                entity.damage(Hit(round(most), inflictor, attacker, "MOD_EXPLOSIVE"))
            continue
        if not entity.takes_damage or (entity.is_player() and world.spare_players):
            continue
        mins, maxs = entity.world_bounds()
        nearest = tuple(max(mins[i], min(maxs[i], origin[i])) for i in range(3))
        away = distance((nearest[0], nearest[1], nearest[2]), origin)
        if not away <= radius:  # so, too, who is nowhere
            continue
        centre = entity.centre()
        blocked = world.space.trace(origin, centre, mask=SIGHT_MASK, ignore={entity.number}, bodies=False)
        if blocked.fraction < 1.0 and blocked.entity != entity.number:
            continue
        amount = round(most + (least - most) * (away / radius if radius > 0 else 0.0))
        way = normalize(sub(centre, origin))
        entity.damage(Hit(amount, inflictor, attacker, "MOD_EXPLOSIVE", "none", origin, way))
