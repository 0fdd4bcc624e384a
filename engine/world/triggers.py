"""Volumes that notice: touched, used, hurt, shot, looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.world.angles import Vector, distance, dot, madd, normalize, sub
from engine.world.doors import Door
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.surfaces import ANY

if TYPE_CHECKING:
    from engine.world.world import World

USE_REACH = 96.0
LOOK_REACH = 4096.0


class Trigger(Entity):
    """A trigger of any kind. `wait` is in seconds; -1 means that it goes off once."""

    type_name = "entity"
    noun = "trigger"

    def __init__(self, world: World, number: int, serial: int, classname: str) -> None:
        super().__init__(world, number, serial, classname)
        self.next_time = 0
        self.enabled = True

    @property
    def kind(self) -> str:
        return self.class_name.removeprefix("trigger_")

    def relink(self) -> None:
        """Triggers lie in a space of their own: nothing collides with them."""
        if self.freed or not self.brushes:
            self.world.trigger_space.unlink(self.number)
        else:
            self.world.trigger_space.link_brushes(self.number, self.brushes, self.position)

    def world_bounds(self) -> tuple[Vector, Vector]:
        body = self.world.trigger_space.body(self.number)
        return (body.mins, body.maxs) if body is not None else (self.position, self.position)

    def holds(self, entity: Entity) -> bool:
        """Whether an entity's box is inside the volume, if only partly."""
        mins, maxs = entity.world_bounds()
        return self.world.trigger_space.touches_body(self.number, mins, maxs)

    def fire(self, activator: Entity) -> bool:
        """Go off, unless it is too early or it was for one time only."""
        world = self.world
        if not self.enabled or self.freed or world.time < self.next_time:
            return False
        wait = self.number_of("wait", 0.5)
        if self.kind == "once" or wait < 0:
            self.enabled = False
        self.next_time = world.time + round(max(0.05, wait) * 1000)
        world.trigger_events.append((self, activator))
        fire_targets(self, activator)
        if self.kind == "once":
            world.entities.remove_later(self)
        return True

    def used_by(self, user: Entity) -> None:
        self.fire(user)

    def touched(self, other: Entity) -> None:
        """Somebody is inside during this frame."""
        if self.kind in ("multiple", "once"):
            self.fire(other)
        elif self.kind == "hurt" and self.enabled and self.world.time >= self.next_time:
            self.next_time = self.world.time + round(max(0.05, self.number_of("wait", 1.0)) * 1000)
            for victim in self.world.walkers():
                if victim.alive() and self.holds(victim):
                    amount = round(self.number_of("dmg", 5))
                    self.world.trigger_events.append((self, victim))
                    victim.damage(Hit(amount, self, self, "MOD_TRIGGER_HURT"))

    def hears_shots(self) -> bool:
        return self.kind in ("damage", "dammage") and self.enabled

    def damage(self, hit: Hit) -> None:
        """A shot or a blast went through it."""
        if not self.hears_shots():
            return
        self.world.host.notify(self, "damage", hit.amount, hit.attacker)
        if self.hit_points > 0:
            self.hit_points -= hit.amount
            if self.hit_points > 0:
                return
        if hit.attacker is not None:
            self.fire(hit.attacker)


def fire_targets(source: Entity, activator: Entity) -> None:
    """Set off the doors whose targetname is this entity's target."""
    target = source.text("target")
    for entity in source.world.entities.by_key("targetname", target) if target else ():
        if isinstance(entity, Door):
            entity.used_by(activator)


def run_triggers(world: World) -> None:
    """Touch: every living player and actor against the volumes that its box is in."""
    space = world.trigger_space
    for walker in world.walkers():
        if not walker.alive():
            continue
        mins, maxs = walker.world_bounds()
        for number in space.bodies_in(mins, maxs, ANY):
            trigger = world.entities.get(number)
            if isinstance(trigger, Trigger) and space.touches_body(number, mins, maxs):
                trigger.touched(walker)
    looked = [e for e in world.entities.all() if isinstance(e, Trigger) and e.kind == "lookat"]
    for player in world.players() if looked else ():
        if player.alive():
            start = player.eye()
            end = madd(start, LOOK_REACH, player.facing())
            seen = world.space.trace(start, end, ignore={player.number})
            for trigger in looked:
                if crosses(trigger, start, seen.position):
                    trigger.fire(player)


def crosses(trigger: Trigger, start: Vector, end: Vector) -> bool:
    """Whether a line passes through the volume of a trigger."""
    body = trigger.world.trigger_space.body(trigger.number)
    if body is None:
        return False
    for solid in body.solids:
        enter, leave = 0.0, 1.0
        for plane in solid.planes:
            before = dot(plane[:3], start) - plane[3]
            after = dot(plane[:3], end) - plane[3]
            if before > 0 and after > 0:
                break
            if before > 0 or after > 0:
                t = before / (before - after)
                enter, leave = (max(enter, t), leave) if before > 0 else (enter, min(leave, t))
        else:
            if enter <= leave:
                return True
    return False


def usable(world: World, user: Entity) -> Entity | None:
    """What the use key would act on: the thing in reach that the user looks at most directly."""
    eye, ahead = user.eye(), user.facing()
    best: tuple[float, int, Entity] | None = None
    for entity in world.entities.all():
        if isinstance(entity, Trigger):
            if entity.kind != "use" or not entity.enabled:
                continue
            inside = entity.holds(user)
        elif isinstance(entity, Door):
            inside = not entity.text("targetname")
        else:
            continue
        centre = entity.centre()
        off = sub(centre, eye)
        mins, maxs = entity.world_bounds()
        x, y, z = (max(mins[i], min(maxs[i], eye[i])) for i in range(3))
        reach = distance((x, y, z), eye)
        if isinstance(entity, Door) and (not inside or reach > USE_REACH):
            continue
        if (
            isinstance(entity, Trigger)
            and not inside
            and not crosses(entity, eye, madd(eye, USE_REACH, ahead))
        ):
            continue
        facing = dot(normalize(off), ahead)
        rank = (-facing, entity.number)
        if best is None or rank < best[:2]:
            best = (*rank, entity)
    return best[2] if best is not None else None
