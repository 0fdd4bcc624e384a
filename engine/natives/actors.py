"""Actors and path nodes: coming to life, goals, facing, seeing, shooting."""

from __future__ import annotations

from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.actor import ANIM_MODES, ORIENT_MODES, Actor, Spawner
from engine.world.angles import distance, wrap180
from engine.world.entity import Entity
from engine.world.paths import PathNode, by_key, walkable
from engine.world.spawning import spawn_actor
from engine.world.world import World

LONGEST_LOOK = 1_000_000
"""Seconds."""

natives = Registry(services=(World,))

_TEAMS = ("axis", "allies", "neutral")
_STANCES = ("stand", "crouch", "prone")


# --- finding ------------------------------------------------------------------------------------------------------


def _check_team(team: str) -> str:
    if team not in _TEAMS:
        raise ScriptError(f"'{team}' is no team; it must be one of {', '.join(_TEAMS)}")
    return team


@natives.function()
def getaiarray(world: World, team: str | None = None, species: str | None = None) -> Array:
    """Living actors, of a team if one is named."""
    wanted = _check_team(team) if team is not None else None
    return Array.of(
        e for e in world.entities.all()
        if isinstance(e, Actor) and e.alive() and not world.entities.leaving(e) and wanted in (None, e.side)
    )  # fmt: skip


@natives.function()
def getspawnerarray(world: World, team: str | None = None) -> Array:
    return Array.of(
        e for e in world.entities.all() if isinstance(e, Spawner) and team in (None, _side(e))
    )  # fmt: skip


@natives.function()
def getspawnerteamarray(world: World, team: str) -> Array:
    wanted = _check_team(team)
    return Array.of(e for e in world.entities.all() if isinstance(e, Spawner) and _side(e) == wanted)


def _side(spawner: Spawner) -> str:
    return spawner.text("team") or ("allies" if "olive" in spawner.class_name else "axis")


@natives.function()
def flushcorpses(world: World) -> None:
    """Remove the dead."""
    for entity in world.entities.all():
        if isinstance(entity, Actor) and not entity.alive():
            world.entities.remove_later(entity)


@natives.function()
def getnode(world: World, value: str, key: str) -> PathNode | None:
    """The one path node whose key has a value."""
    found = by_key(world.paths.nodes, key.lower(), value)
    if len(found) > 1:
        raise ScriptError(f"getnode found {len(found)} nodes with {key} '{value}'; use getnodearray")
    return found[0] if found else None


@natives.function()
def getnodearray(world: World, value: str, key: str) -> Array:
    return Array.of(by_key(world.paths.nodes, key.lower(), value))


@natives.function()
def getallnodes(world: World) -> Array:
    return Array.of(world.paths.nodes)


# --- spawners -------------------------------------------------------------------------------------------------------


@natives.method()
def dospawn(self: Spawner, world: World, targetname: str | None = None) -> Actor | None:
    """Make an actor here; undefined where none may come or somebody stands in the way."""
    return spawn_actor(world, self, targetname)


@natives.method()
def stalingradspawn(self: Spawner, world: World, targetname: str | None = None) -> Actor | None:
    """The same. Whether a player is looking is asked by neither."""
    return spawn_actor(world, self, targetname)


@natives.method()
def setspawnerteam(self: Spawner, team: str) -> None:
    self.values["team"] = _check_team(team)


# --- goals ----------------------------------------------------------------------------------------------------------


@natives.method()
def setgoalpos(self: Actor, origin: Vector) -> None:
    """Go to a place; `goal` is notified on arrival."""
    if self.alive():
        self.set_goal(origin)


@natives.method()
def setgoalnode(self: Actor, node: PathNode) -> None:
    if self.alive():
        self.set_goal(node.position)


@natives.method()
def setgoalentity(self: Actor, entity: Entity) -> None:
    """Follow an entity; `goal` is notified whenever it is reached."""
    if self.alive():
        self.set_goal_entity(entity)


@natives.method()
def teleport(self: Entity, origin: Vector, angles: Vector | None = None) -> None:
    """Be somewhere else at once."""
    self.place(origin, angles, teleport=True)
    if isinstance(self, Actor):
        self.stop()


@natives.method()
def maymovetopoint(self: Actor, world: World, position: Vector) -> bool:
    """Whether one can walk straight there."""
    return walkable(world.space, self.position, position)


@natives.method()
def disconnectpaths(self: Entity, world: World) -> None:
    """Actors no longer find ways through where this entity stands now, such as a closed door."""
    world.paths.close(self.number)


@natives.method()
def connectpaths(self: Entity, world: World) -> None:
    """Ways that disconnectpaths has closed for this entity are open again."""
    world.paths.open(self.number)


@natives.method()
def getmotionangle(self: Actor) -> float:
    """Direction of the walk as seen from the way that the body faces."""
    return wrap180(self.motion_yaw - self.rotation[1])


@natives.method()
def animmode(self: Actor, mode: str) -> None:
    """How the motion of animations counts: normal (along the path), none, gravity, nogravity, angle deltas."""
    if mode.lower() not in ANIM_MODES:
        raise ScriptError(f"'{mode}' is no animmode; it must be one of {', '.join(ANIM_MODES)}")
    self.anim_mode = mode.lower()


@natives.method()
def orientmode(self: Actor, mode: str, value: Value | None = None) -> None:
    """Which way to face: along the motion, an angle, a direction, a point, the enemy, the goal."""
    name = mode.lower()
    if name not in ORIENT_MODES:
        raise ScriptError(f"'{mode}' is no orientmode; it must be one of {', '.join(ORIENT_MODES)}")
    if name == "face angle":
        if not isinstance(value, (int, float)):
            raise ScriptError("'face angle' needs an angle")
        self.orient_value = float(value)
    elif name in ("face direction", "face point"):
        if not isinstance(value, tuple):
            raise ScriptError(f"'{name}' needs a vector")
        self.orient_value = value
    else:
        self.orient_value = None
    self.orient_mode = name


@natives.method()
def allowedstances(self: Actor, *stances: Value) -> None:
    """Which stances scripts may use; animations decide what is seen. With crouch alone the eyes are lower."""
    for number, stance in enumerate(stances, 1):
        if stance not in _STANCES:
            raise ScriptError(f"parameter {number} must be one of {', '.join(_STANCES)}")
    self.crouching = "stand" not in stances


@natives.method()
def isstanceallowed(self: Actor, stance: str) -> bool:
    if stance not in _STANCES:
        raise ScriptError(f"'{stance}' is no stance; it must be one of {', '.join(_STANCES)}")
    return (stance == "crouch") == self.crouching and stance != "prone"


# --- eyes and arms ----------------------------------------------------------------------------------------------------


@natives.method()
def cansee(self: Actor, entity: Entity) -> bool:
    """Whether nothing of the level is between the two."""
    return self.can_see(entity)


@natives.method()
def canshoot(self: Actor, position: Vector, offset: Vector | None = None) -> bool:
    """Whether a shot would get to a point without meeting the level or a friend."""
    return self.can_shoot(position, offset if offset is not None else (0.0, 0.0, 0.0))


@natives.method()
def shoot(self: Actor, accuracy: float | None = None, position: Vector | None = None) -> None:
    """Fire once. Accuracy is 0 (anywhere) to 1 (exact); without a position at what it aims at."""
    if self.alive():
        self.shoot(accuracy, position)


@natives.method()
def aimatpos(self: Actor, position: Vector) -> None:
    """Aim at a point for the next two seconds."""
    if self.alive():
        self.aim_at(position)


@natives.method()
def setlookat(self: Actor, world: World, entity: Entity, time: float | None = None) -> None:
    """Turn the head towards an entity, for some seconds or until stoplookat."""
    if time is not None and not abs(time) < LONGEST_LOOK:
        raise ScriptError(f"the time must be less than {LONGEST_LOOK} seconds")
    self.look_entity = entity
    self.look_until = world.time + round(time * 1000) if time else 0


@natives.method()
def stoplookat(self: Actor, time: float | None = None) -> None:
    self.look_entity = None


@natives.method()
def getclosestenemysqdist(self: Actor, world: World) -> float:
    """Squared distance to the nearest living actor or player of another side; a huge number without one."""
    near = [
        distance(self.position, w.position) ** 2
        for w in world.walkers()
        if w is not self and w.alive() and _side_of(w) != self.side
    ]
    return min(near, default=1e10)


def _side_of(entity: Entity) -> str:
    found = getattr(entity, "side", None) or getattr(entity, "team", "none")
    return str(found)


@natives.method()
def makefakeai(self: Actor) -> None:
    """No longer think: a model that scripts move and animate."""
    self.stop()
    self.anim_mode = "none"
