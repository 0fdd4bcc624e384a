"""Methods of players: coming into the world, keys, view, damage, permissions."""

from __future__ import annotations

from engine.natives.text import asset
from engine.vm.core_state import MAX_CVAR, MAX_CVARS
from engine.vm.errors import ScriptError
from engine.vm.operators import to_text
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.angles import madd
from engine.world.command import Button
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.movers import link_to
from engine.world.player import Player
from engine.world.spawning import spawn_for_script
from engine.world.surfaces import SHOT_MASK
from engine.world.world import World

natives = Registry(services=(World,))


@natives.method()
def spawn(self: Player, origin: Vector, angles: Vector) -> None:
    """Come into the world, alive. As a spectator or in an intermission only the view goes there."""
    if self.state in ("spectator", "intermission"):
        self.place(origin, angles, teleport=True)
        return
    self.spawn(origin, angles)


@natives.method()
def setorigin(self: Player, origin: Vector) -> None:
    self.place(origin, teleport=True)


@natives.method()
def setplayerangles(self: Player, angles: Vector) -> None:
    self.body.view = angles


@natives.method()
def setvelocity(self: Player, velocity: Vector) -> None:
    self.body.velocity = velocity
    self.body.on_ground = False


@natives.method()
def suicide(self: Player) -> None:
    if self.alive():
        self.finish_damage(Hit(self.hit_points, self, self, "MOD_SUICIDE"))


@natives.method()
def finishplayerdamage(
    self: Player, inflictor: Entity | None = None, attacker: Entity | None = None, damage: int | None = None,
    dflags: int | None = None, mod: str | None = None, weapon: str | None = None, point: Vector | None = None,
    dir: Vector | None = None, hitloc: str | None = None,
) -> None:  # fmt: skip
    """The engine's part of damage, once the scripts' callback has decided that it counts."""
    if damage is None:
        raise ScriptError("parameter 3 does not exist")
    self.finish_damage(
        Hit(
            damage, inflictor, attacker, mod or "MOD_UNKNOWN", weapon or "none", point, dir, hitloc or "none",
            dflags or 0,
        )
    )  # fmt: skip


# --- keys -----------------------------------------------------------------------------------------------------


@natives.method()
def usebuttonpressed(self: Player) -> bool:
    return bool(self.buttons & Button.USE)


@natives.method()
def attackbuttonpressed(self: Player) -> bool:
    return bool(self.buttons & Button.ATTACK)


@natives.method()
def meleebuttonpressed(self: Player) -> bool:
    return bool(self.buttons & Button.MELEE)


@natives.method()
def isads(self: Player) -> bool:
    """Whether the weapon is at the eye."""
    return self.arms.aim > 0.5


@natives.method()
def isonground(self: Player) -> bool:
    return self.body.on_ground


@natives.method()
def isinvehicle(self: Player) -> bool:
    """There are no vehicles."""
    return False


@natives.method()
def freezecontrols(self: Player, on: int) -> None:
    self.frozen = on != 0


@natives.method()
def allowcrouch(self: Player, on: int) -> None:
    self.allow_crouch = on != 0


@natives.method()
def allowstand(self: Player, on: int) -> None:
    self.allow_stand = on != 0


@natives.method()
def allowuse(self: Player, on: int) -> None:
    self.allow_use = on != 0


@natives.method()
def allowprone(self: Player, on: int) -> None:
    """Nobody lies down here, so there is nothing to allow; accepted for scripts that set every stance."""


@natives.method()
def allowleanleft(self: Player, on: int) -> None:
    """Nobody leans here; accepted as allowprone is."""


@natives.method()
def allowleanright(self: Player, on: int) -> None:
    """Nobody leans here; accepted as allowprone is."""


@natives.method()
def playerlinkto(
    self: Player, entity: Entity, tag: str | None = None, fraction: Value | None = None, *arcs: Value
) -> None:
    """Tie a player to an entity or to its tag. The view stays free, whatever arcs are given."""
    problem = link_to(self, entity, tag or "", None, None)
    if problem:
        raise ScriptError(problem)


@natives.method()
def getfatigue(self: Player) -> float:
    """0 is fresh, 1 cannot sprint."""
    return self.body.fatigue


@natives.method()
def setfatigue(self: Player, value: float) -> None:
    self.body.fatigue = max(0.0, min(1.0, value))


# --- looking ----------------------------------------------------------------------------------------------------


@natives.method()
def islookingat(self: Player, world: World, other: Entity) -> bool:
    """Whether the crosshair is on an entity."""
    start = self.eye()
    trace = world.space.trace(start, madd(start, 8192.0, self.facing()), mask=SHOT_MASK, ignore={self.number})
    return trace.entity == other.number


@natives.method()
def setviewmodel(self: Player, world: World, model: str) -> None:
    name = asset(model, "xmodel/")
    if name:
        world.models.model(name)  # where there is none, the call is to blame
    self.view_model = name


@natives.method()
def getviewmodel(self: Player) -> str:
    return self.view_model


# --- clients ------------------------------------------------------------------------------------------------------


@natives.method()
def setclientcvar(self: Player, name: str, value: Value) -> None:
    """Set a console variable of this client. A client has as many of its own as the game has, and no longer ones."""
    key, text = name.lower(), value if isinstance(value, str) else to_text(value)
    if len(key) > MAX_CVAR:
        raise ScriptError(f'"{name[:40]}" cannot be the name of a cvar')
    if key not in self.cvars and len(self.cvars) >= MAX_CVARS:
        raise ScriptError(f"more than {MAX_CVARS} cvars", code="limit")
    if len(text) > MAX_CVAR:
        raise ScriptError(f"a cvar holds at most {MAX_CVAR} characters", code="limit")
    self.cvars[key] = text


@natives.method()
def getguid(self: Player) -> int:
    """A number of the player's own; here the slot."""
    return self.number


@natives.method()
def cloneplayer(self: Player, world: World) -> Entity:
    """A model that lies where the player died."""
    body = spawn_for_script(world, "script_model", self.position, 1)
    body.model_name = self.model_name
    body.place(self.position, self.rotation, teleport=True)
    return body


@natives.function()
def addtestclient(world: World) -> Player:
    """A player without anybody behind it; `begin` comes a frame or two later, for several one after another."""
    return world.connect_test_client(f"bot{len(world.players())}")
