"""Methods of any entity: place, model, attachments, links, life, use, sound and light of hints."""

from __future__ import annotations

from engine.natives.text import asset, message
from engine.source.nearest import did_you_mean
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.actor import Actor
from engine.world.angles import ZERO, add, matrix, matrix_angles, normalize, rotate, sub
from engine.world.damage import points
from engine.world.doors import Door
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.movers import link_to
from engine.world.player import Player
from engine.world.surfaces import ANY, MOVE_MASK, NONE, Contents
from engine.world.triggers import Trigger
from engine.world.world import World

natives = Registry(services=(World,))


# --- being ------------------------------------------------------------------------------------------------


@natives.method()
def delete(self: Entity, world: World) -> None:
    """Remove it: `death` is notified now, the entity is gone 100 ms later. Players cannot be removed."""
    if isinstance(self, Player):
        raise ScriptError("a player cannot be deleted")
    world.entities.remove_later(self)


@natives.method()
def getentitynumber(self: Entity) -> int:
    return self.number


@natives.method()
def getentnum(self: Entity) -> int:
    return self.number


@natives.method()
def show(self: Entity) -> None:
    self.visible = True


@natives.method()
def hide(self: Entity) -> None:
    self.visible = False


@natives.method()
def getorigin(self: Entity) -> Vector:
    return self.position


@natives.method()
def geteye(self: Entity) -> Vector:
    """Where it looks from."""
    return self.eye()


@natives.method()
def setmodel(self: Entity, world: World, model: str) -> None:
    """Wear a model."""
    name = asset(model, "xmodel/")
    if name:
        world.models.model(name)  # where there is none, the call is to blame
    self.set_model(name)


@natives.method(stock=False)
def setskin(self: Entity, world: World, skin: str | None = None) -> None:
    """Wear the model in one of the skins that its settings name; without a name as it is made. The next setmodel keeps
    the skin, where the new model has one of that name."""
    wanted = (skin or "").lower()
    if wanted:
        known = world.models.model(self.model_name).skins if self.model_name else {}
        if wanted not in known:
            hint = did_you_mean(wanted, known) or f"it has {', '.join(sorted(known)) or 'none'}"
            raise ScriptError(f"model '{self.model_name}' has no skin '{skin}'; {hint}")
    self.skin = wanted


@natives.method()
def localtoworldcoords(self: Entity, offset: Vector) -> Vector:
    """A point in the entity's own axes, in the world."""
    return add(self.position, rotate(matrix(self.rotation), offset))


@natives.method()
def istouching(self: Entity, world: World, other: Entity) -> bool:
    """Whether the boxes of two entities overlap; for a trigger its true shape counts."""
    if isinstance(other, Trigger):
        return other.holds(self)
    if isinstance(self, Trigger):
        return self.holds(other)
    (a, b), (c, d) = self.world_bounds(), other.world_bounds()
    return all(a[i] <= d[i] and b[i] >= c[i] for i in range(3))


@natives.method()
def getstance(self: Entity) -> str:
    if isinstance(self, Player):
        return "crouch" if self.body.crouched else "stand"
    if isinstance(self, Actor):
        return "crouch" if self.crouching else "stand"
    raise ScriptError(f"{self.class_name} has no stance")


@natives.method()
def spawnduplicate(self: Entity, world: World) -> Entity:
    """Another entity of the same class at the same place, with the same model and keys."""
    if isinstance(self, (Player, Actor)):
        raise ScriptError(f"{self.class_name} cannot be duplicated")
    twin = world.entities.add(type(self), self.class_name)
    twin.values = dict(self.values)
    twin.model_name, twin.skin = self.model_name, self.skin
    twin.brushes, twin.brush_model = self.brushes, self.brush_model
    twin.mins, twin.maxs, twin.contents = self.mins, self.maxs, self.contents
    twin.place(self.position, self.rotation, teleport=True)
    return twin


# --- attachments --------------------------------------------------------------------------------------------


@natives.method()
def attach(
    self: Entity, world: World, model: str, tag: str | None = None, ignorecollision: Value | None = None
) -> None:
    """Hang a model on a tag of this one's model, or on its origin."""
    name, place = asset(model, "xmodel/"), (tag or "").lower()
    if place and world.animator.tag_frame(self, place) is None:
        raise ScriptError(f"model '{self.model_name}' has no tag '{place}'")
    if any(a[0] == name and a[1] == place for a in self.attachments):
        raise ScriptError(f"model '{name}' is already attached" + (f" to tag '{place}'" if place else ""))
    world.models.model(name)  # where there is none, the call is to blame
    self.attachments.append((name, place, 0 if ignorecollision in (None, 0) else 1))


@natives.method()
def detach(self: Entity, model: str, tag: str | None = None) -> None:
    """Take a model off again."""
    name = asset(model, "xmodel/")
    place = tag.lower() if tag is not None else None
    for entry in self.attachments:
        if entry[0] == name and (place is None or entry[1] == place):
            self.attachments.remove(entry)
            return
    raise ScriptError(f"model '{name}' is not attached" + (f" to tag '{place}'" if place else ""))


@natives.method()
def detachall(self: Entity) -> None:
    self.attachments.clear()


def _attachment(self: Entity, index: int) -> tuple[str, str, int]:
    if not 0 <= index < len(self.attachments):
        raise ScriptError(f"attachment {index} does not exist; there are {len(self.attachments)}")
    return self.attachments[index]


@natives.method()
def getattachsize(self: Entity) -> int:
    return len(self.attachments)


@natives.method()
def getattachmodelname(self: Entity, index: int) -> str:
    return _attachment(self, index)[0]


@natives.method()
def getattachtagname(self: Entity, index: int) -> str:
    return _attachment(self, index)[1]


@natives.method()
def getattachignorecollision(self: Entity, index: int) -> int:
    return _attachment(self, index)[2]


# --- links and tags -------------------------------------------------------------------------------------------


@natives.method()
def linkto(
    self: Entity, parent: Entity, tag: str | None = None, offset: Vector | None = None,
    angles: Vector | None = None,
) -> None:  # fmt: skip
    """Follow another entity, at a tag with an offset, or as the two stand to each other now."""
    problem = link_to(
        self, parent, tag or "", offset, angles if angles is not None else (ZERO if offset else None)
    )
    if problem:
        raise ScriptError(problem)


@natives.method()
def unlink(self: Entity) -> None:
    self.link = None


@natives.method()
def enablelinkto(self: Entity) -> None:
    """Every entity may be linked to here; accepted for scripts that ask for it."""
    self.linkable = True


@natives.method()
def gettagorigin(self: Entity, world: World, tag: str) -> Vector:
    frame = world.animator.tag_frame(self, tag)
    if frame is None:
        raise ScriptError(f"model '{self.model_name}' has no tag '{tag}'")
    return frame[0]


@natives.method()
def gettagangles(self: Entity, world: World, tag: str) -> Vector:
    frame = world.animator.tag_frame(self, tag)
    if frame is None:
        raise ScriptError(f"model '{self.model_name}' has no tag '{tag}'")
    return matrix_angles(frame[1])


# --- health -------------------------------------------------------------------------------------------------


@natives.method()
def settakedamage(self: Entity, on: int) -> None:
    self.takes_damage = on != 0
    if self.takes_damage and self.contents == NONE and not isinstance(self, (Player, Trigger)):
        # What is shot at has to be in the way of shots.
        self.contents = Contents.SHOT_CLIP
    self.relink()


def _hurt(
    self: Entity, amount: float, source: Vector, attacker: Entity | None, inflictor: Entity | None, mod: str
) -> None:
    way = normalize(sub(self.centre(), source))
    self.damage(Hit(points(amount), inflictor or attacker, attacker, mod, "none", source, way))


@natives.method()
def dodamage(
    self: Entity, amount: float, source: Vector, attacker: Entity | None = None,
    inflictor: Entity | None = None, mod: str | None = None,
) -> None:  # fmt: skip
    """Damage from a place."""
    _hurt(self, amount, source, attacker, inflictor, mod or "MOD_UNKNOWN")


@natives.method()
def dodamagemod(self: Entity, amount: float, source: Vector, mod: str) -> None:
    _hurt(self, amount, source, None, None, mod)


@natives.method()
def getnormalhealth(self: Entity) -> float:
    """Health as a share of what it was at most."""
    return self.hit_points / self.max_hit_points if self.max_hit_points > 0 else 0.0


@natives.method()
def setnormalhealth(self: Entity, fraction: float) -> None:
    self.hit_points = max(0, round(self.max_hit_points * max(0.0, min(1.0, fraction))))


# --- collision ------------------------------------------------------------------------------------------------


@natives.method()
def setcontents(self: Entity, mask: int) -> int:
    """Set what it stops (1 all, 2 walkers, 4 shots, 8 as a body); returns what it was."""
    old = int(self.contents)
    self.contents = Contents(mask & int(ANY))
    self.relink()
    return old


@natives.method()
def setbounds(self: Entity, mins: Vector, maxs: Vector) -> None:
    """Collide as a box."""
    if any(a > b for a, b in zip(mins, maxs, strict=True)):
        raise ScriptError("the first corner must not lie beyond the second")
    self.mins, self.maxs, self.brushes = mins, maxs, ()
    self.relink()


@natives.method()
def unlinkfromworld(self: Entity, world: World) -> None:
    world.space.unlink(self.number)


@natives.method()
def linkintoworld(self: Entity) -> None:
    self.relink()


@natives.method()
def verifyposition(self: Entity, world: World, flag: Value | None = None) -> bool:
    """Whether its place is free."""
    return not world.space.overlapping(self.position, self.mins, self.maxs, MOVE_MASK, {self.number})


@natives.method()
def placespawnpoint(self: Entity, world: World) -> None:
    """Drop a spawn point to the ground below it."""
    x, y, z = self.position
    ground = world.space.trace(
        (x, y, z + 32.0), (x, y, z - 1024.0), (-15, -15, 0), (15, 15, 70), MOVE_MASK, bodies=False
    )
    if ground.fraction < 1.0 and not ground.startsolid:
        self.place(ground.position, teleport=True)


# --- use ------------------------------------------------------------------------------------------------------


@natives.method()
def useby(self: Entity, user: Entity) -> None:
    """As if an entity had used it."""
    self.used_by(user)


@natives.method()
def setcursorhint(self: Entity, name: str) -> None:
    """What sort of hint to show; HINT_NONE shows none."""
    if name.upper() == "HINT_NONE":
        self.hint = ""


@natives.method()
def sethintstring(self: Entity, *parts: Value) -> None:
    """What the screen says to whoever may use this trigger."""
    if not isinstance(self, Trigger):
        raise ScriptError("sethintstring is for trigger_use")
    self.hint = message(parts)


def _door(self: Entity) -> Door:
    if not isinstance(self, Door):
        raise ScriptError(f"{self.class_name} is no door")
    return self


@natives.method()
def lockdoor(self: Entity) -> None:
    _door(self).locked = True


@natives.method()
def unlockdoor(self: Entity) -> None:
    _door(self).locked = False


@natives.method()
def isdoorlocked(self: Entity) -> bool:
    return _door(self).locked
