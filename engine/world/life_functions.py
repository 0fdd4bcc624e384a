"""What the line script of an entity can do besides setting its fields: be heard, be seen, notice others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.linescript.faults import Fault
from engine.linescript.functions import Caller
from engine.linescript.values import Colour, Value, Vector
from engine.world.angles import normalize
from engine.world.entity import Entity
from engine.world.life_scope import from_lines
from engine.world.view import DynamicLight, EffectEvent, SoundEvent

if TYPE_CHECKING:
    from engine.world.lives import Lives
    from engine.world.world import World

FAR = 1e6
"""What `nearest` says where nobody is."""


def _place(value: Vector) -> Vector:
    if not all(map(math.isfinite, value)):
        raise Fault("a place is made of finite numbers")
    return value


def register(lives: Lives, world: World) -> None:
    """Add the functions of lives to the world's global scope."""
    scope = lives.scope

    def entity(caller: Caller) -> Entity:
        target = lives.life_of(caller).target
        if isinstance(target, Entity) and not target.freed:
            return target
        raise Fault("this is for scripts on entities")

    @scope.register
    def notify(caller: Caller, event: str, *args: Value) -> None:
        """Notify the script's own object, as GSC does."""
        world.host.notify(lives.life_of(caller).target, event, *map(from_lines, args))

    @scope.register
    def heard(caller: Caller, event: str) -> bool:
        """Whether an event was notified on the object since the last time that this was asked."""
        events = lives.life_of(caller).scope.heard
        if event in events:
            del events[event]
            return True
        return False

    @scope.register
    def effect(name: str, place: Vector, direction: Vector = (0.0, 0.0, 1.0)) -> None:
        """Show an effect once."""
        way = normalize(_place(direction))
        world.events.effect(EffectEvent(name.lower().rpartition("/")[2], _place(place), way))

    @scope.register
    def sound(caller: Caller, alias: str) -> None:
        """Play a sound at the entity."""
        own = entity(caller)
        world.events.sound(alias, own.position, own.number)

    @scope.register
    def loopsound(caller: Caller, alias: str) -> None:
        """A sound at the entity that goes on."""
        own = entity(caller)
        own.loop_sound = alias.lower()
        world.events.sounds.append(SoundEvent(own.loop_sound, own.position, own.number, loop=True))

    @scope.register
    def light(place: Vector, colour: Colour, radius: float) -> None:
        """Give light in this frame."""
        if not 0.0 < radius <= 4096.0:
            raise Fault("the radius of a light is from 0 to 4096")
        shade = (colour.r * colour.a, colour.g * colour.a, colour.b * colour.a)
        world.events.lights.append(DynamicLight(_place(place), _place(shade), radius))

    @scope.register
    def nearest(place: Vector) -> float:
        """Inches to the nearest soldier or player who is alive."""
        _place(place)
        return min((math.dist(w.position, place) for w in world.walkers() if w.alive()), default=FAR)
