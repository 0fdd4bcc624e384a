"""Functions about the level as a whole: finding and making entities, teams, winners, precaching, restarts."""

from __future__ import annotations

from engine.natives.text import asset, plain
from engine.vm.arrays import Array
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.actor import Actor
from engine.world.entity import Entity
from engine.world.objectives import MAX_OBJECTIVES, STATES, Objective
from engine.world.player import Player
from engine.world.spawning import spawn_for_script
from engine.world.view import Message
from engine.world.world import World

natives = Registry(services=(World,))

_TEAMS = ("axis", "allies")


# --- entities ---------------------------------------------------------------------------------------------


@natives.function()
def getent(world: World, value: Value, key: str) -> ScriptObject | None:
    """The one entity whose key has a value; undefined for none, an error for several."""
    found = world.by_key(key.lower(), value)
    if len(found) > 1:
        raise ScriptError(
            f"getent found {len(found)} entities with {key} '{plain(value, 1)}'; use getentarray"
        )
    return found[0] if found else None


@natives.function()
def getentarray(world: World, value: Value | None = None, key: str | None = None) -> Array:
    """All entities, or those whose key has a value, by number; plain structs of the map come after them."""
    if value is None and key is None:
        return Array.of(e for e in world.entities.all() if not world.entities.leaving(e))
    if key is None:
        raise ScriptError("parameter 2 does not exist")
    return Array.of(world.by_key(key.lower(), value))


@natives.function()
def spawn(world: World, classname: str, origin: Vector, spawnflags: int | None = None) -> Entity:
    """A new entity of a class that needs no brushes."""
    return spawn_for_script(world, classname, origin, spawnflags or 0)


@natives.function()
def getentbynum(world: World, number: int) -> Entity | None:
    return world.entities.get(number)


@natives.function(pure=True)
def worldentnumber() -> int:
    """The number that means the level itself."""
    return 1022


@natives.function(pure=True)
def isalive(value: Value) -> bool:
    """Whether this is an entity with health above 0; a player must be playing."""
    if not isinstance(value, Entity):
        return False
    return value.alive()


@natives.function(pure=True)
def isplayer(value: Value) -> bool:
    return isinstance(value, Player)


@natives.function(pure=True)
def isvalidplayer(value: Value) -> bool:
    return isinstance(value, Player)


@natives.function(pure=True)
def isplayernumber(world: World, number: int) -> bool:
    return isinstance(world.entities.get(number), Player)


@natives.function(pure=True)
def isai(value: Value) -> bool:
    return isinstance(value, Actor)


@natives.function(pure=True)
def issentient(value: Value) -> bool:
    return isinstance(value, (Actor, Player))


@natives.function(pure=True)
def getbrushmodelcenter(entity: Entity) -> Vector:
    """The middle of a brush model's box, in the world."""
    if entity.brush_model is None and not entity.brushes:
        raise ScriptError(f"{entity.class_name} has no brush model")
    return entity.centre()


@natives.function()
def positionwouldtelefrag(world: World, origin: Vector) -> bool:
    """Whether a player who came into the world there would stand in somebody."""
    x, y, z = origin
    return any(
        abs(w.position[0] - x) < 30.0 and abs(w.position[1] - y) < 30.0 and abs(w.position[2] - z) < 70.0
        for w in world.walkers()
        if w.alive()
    )


@natives.function()
def getnumparts(world: World, model: str) -> int:
    """How many bones a model has."""
    return len(world.models.model(asset(model, "xmodel/")).skeleton)


@natives.function()
def getpartname(world: World, model: str, index: int) -> str:
    """The name of one bone."""
    names = world.models.model(asset(model, "xmodel/")).skeleton.names
    if not 0 <= index < len(names):
        raise ScriptError(f"model '{model}' has no part {index}; it has {len(names)}")
    return names[index]


# --- time and level ---------------------------------------------------------------------------------------


@natives.function()
def map_restart(world: World, persist: Value | None = None) -> None:
    """Begin the level again after this frame; a true value keeps the persistent array."""
    world.requests.append("map_restart persist" if persist not in (None, 0) else "map_restart")


@natives.function()
def exitlevel(world: World, persist: Value | None = None) -> None:
    """End the level after this frame."""
    world.requests.append("exitlevel")


@natives.function()
def setarchive(on: Value) -> None:
    """Recording for kill cameras is always off here; the call is accepted for scripts that make it."""


@natives.function()
def setwinningplayer(world: World, player: Player) -> None:
    world.winner = player.player_name


@natives.function()
def setwinningteam(world: World, team: str) -> None:
    if team not in (*_TEAMS, "none"):
        raise ScriptError(f"'{team}' is no team; it must be axis, allies or none")
    world.winner = team


def _team(team: str) -> str:
    if team not in _TEAMS:
        raise ScriptError(f"'{team}' is no team; it must be axis or allies")
    return team


@natives.function()
def getteamscore(world: World, team: str) -> int:
    return world.team_scores[_team(team)]


@natives.function()
def setteamscore(world: World, team: str, score: int) -> None:
    world.team_scores[_team(team)] = score


@natives.function()
def getteamplayersalive(world: World, team: str) -> int:
    return sum(p.alive() and p.team == team for p in world.players())


@natives.function()
def setclientnamemode(world: World, mode: str) -> None:
    if mode not in ("auto_change", "manual_change"):
        raise ScriptError(f"'{mode}' is no name mode; it must be auto_change or manual_change")
    world.client_names = mode


@natives.function()
def updateclientnames(world: World) -> None:
    """Names change at once here, so that there is never a pending one."""


# --- precaching -------------------------------------------------------------------------------------------


def _precaching(world: World, what: str) -> None:
    if not world.loading:
        raise ScriptError(f"{what} must be called while the level loads, before the first wait")


@natives.function()
def precachemodel(world: World, name: str) -> None:
    """Load a model before it is needed, and work out what shots at it meet."""
    _precaching(world, "precachemodel")
    world.animator.boxes_of(asset(name, "xmodel/"))


@natives.function()
def precacheitem(world: World, name: str) -> None:
    """Make sure that a weapon exists."""
    _precaching(world, "precacheitem")
    weapon = world.weapon(name)
    if weapon.model:
        world.models.model(weapon.model)


def _accepted(name: str) -> None:
    """Register a precache function of things that this engine loads when they are first shown."""

    def precache(world: World, name: Value) -> None:
        """Nothing has to be loaded beforehand; only the time of the call is checked."""
        _precaching(world, "precache functions")

    natives.function(name)(precache)


for _name in ("shellshock", "shader", "string", "menu", "statusicon", "headicon", "vehicle", "turret"):
    _accepted("precache" + _name)


# --- objectives -------------------------------------------------------------------------------------------


def _objective(world: World, index: int) -> Objective:
    if not 0 <= index < MAX_OBJECTIVES:
        raise ScriptError(f"objective {index} does not exist; there are 0 to {MAX_OBJECTIVES - 1}")
    return world.objectives.setdefault(index, Objective())


def _state(state: str) -> str:
    if state not in STATES:
        raise ScriptError(f"'{state}' is no state of an objective; it must be one of {', '.join(STATES)}")
    return state


@natives.function()
def objective_add(
    world: World, index: int, state: str, third: Value | None = None, fourth: Value | None = None,
    fifth: Value | None = None,
) -> None:  # fmt: skip
    """Define an objective: index, state, and then position and icon, with or without a text in front of them."""
    rest = [v for v in (third, fourth, fifth) if v is not None]
    objective = Objective(state=_state(state))
    if rest and not isinstance(rest[0], tuple):
        objective.text = plain(rest.pop(0), 3)
    if rest and isinstance(rest[0], tuple):
        objective.position = rest.pop(0)
    if rest:
        objective.icon = plain(rest.pop(0), 4)
    _objective(world, index)
    world.objectives[index] = objective
    if objective.text and state in ("current", "active"):
        world.events.messages.append(Message("objective", objective.text))


@natives.function()
def objective_delete(world: World, index: int) -> None:
    _objective(world, index)
    del world.objectives[index]


@natives.function()
def objective_state(world: World, index: int, state: str) -> None:
    _objective(world, index).state = _state(state)


@natives.function()
def objective_string(world: World, index: int, text: Value, *values: Value) -> None:
    """Change the text of an objective; further values are put behind it."""
    objective = _objective(world, index)
    objective.text = "".join(plain(v, 2 + i) for i, v in enumerate((text, *values)))
    if objective.state == "current":
        world.events.messages.append(Message("objective", objective.text))


@natives.function()
def objective_icon(world: World, index: int, shader: str) -> None:
    _objective(world, index).icon = shader


@natives.function()
def objective_position(world: World, index: int, position: Vector) -> None:
    objective = _objective(world, index)
    objective.position, objective.entity = position, None


@natives.function()
def objective_onentity(world: World, index: int, entity: Entity) -> None:
    _objective(world, index).entity = entity


@natives.function()
def objective_team(world: World, index: int, team: str) -> None:
    if team not in (*_TEAMS, "none"):
        raise ScriptError(f"'{team}' is no team; it must be axis, allies or none")
    _objective(world, index).team = team


@natives.function()
def objective_ring(world: World, index: int) -> None:
    _objective(world, index).ring = True


@natives.function()
def objective_current(world: World, *indices: Value) -> None:
    """Make the listed objectives current; others that were become active."""
    wanted = set()
    for number, index in enumerate(indices, 1):
        if not isinstance(index, int):
            raise ScriptError(f"parameter {number} is not an int")
        _objective(world, index)
        wanted.add(index)
    for index, objective in world.objectives.items():
        if index in wanted:
            objective.state = "current"
            if objective.text:
                world.events.messages.append(Message("objective", objective.text))
        elif objective.state == "current":
            objective.state = "active"
