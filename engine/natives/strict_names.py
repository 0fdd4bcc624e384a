"""What Modern Warfare 2 calls by names of its own and the world has anyway: traces, the player's keys and motion."""

from __future__ import annotations

from engine.natives.players import setclientcvar
from engine.natives.traces import bullettrace
from engine.natives.weapons import disableweapon, enableweapon
from engine.vm.registry import Registry
from engine.vm.values import Value, Vector
from engine.world.command import Button
from engine.world.entity import Entity
from engine.world.player import Player
from engine.world.surfaces import MOVE_MASK, Contents
from engine.world.world import World

natives = Registry((World,))

natives.method("disableweapons")(disableweapon)
natives.method("enableweapons")(enableweapon)
natives.method("setclientdvar")(setclientcvar)

# ---- looks at the world ----------------------------------------------------------------------------------


@natives.function(pure=True)
def bullettracepassed(
    world: World, start: Vector, end: Vector, hitcharacters: Value, ignore: Entity | None = None
) -> bool:
    """Whether a bullet would meet nothing on its way."""
    fraction: float = bullettrace(world, start, end, hitcharacters, ignore)["fraction"]
    return fraction >= 1.0


@natives.function(pure=True)
def sighttracepassed(
    world: World, start: Vector, end: Vector, hitcharacters: Value, ignore: Entity | None = None
) -> bool:
    """Whether one could look from one place to the other; what stops bullets stops looks."""
    fraction: float = bullettrace(world, start, end, hitcharacters, ignore)["fraction"]
    return fraction >= 1.0


@natives.function(pure=True)
def physicstrace(world: World, start: Vector, end: Vector) -> Vector:
    """Where a thing that flies from one place to the other would meet the level, or the other place."""
    return world.space.trace(start, end, mask=MOVE_MASK & ~Contents.BODY).position


@natives.function(pure=True)
def playerphysicstrace(world: World, start: Vector, end: Vector) -> Vector:
    """Where a player who moves from one place to the other would be stopped by the level, or the other place."""
    mask = MOVE_MASK & ~Contents.BODY
    return world.space.trace(start, end, (-15.0, -15.0, 0.0), (15.0, 15.0, 70.0), mask).position


# ---- players ---------------------------------------------------------------------------------------------


@natives.method(pure=True)
def getvelocity(self: Player) -> Vector:
    """Units a second."""
    return self.body.velocity


@natives.method(pure=True)
def getplayerangles(self: Player) -> Vector:
    """Where the player looks."""
    return self.body.view


@natives.method(pure=True)
def playerads(self: Player) -> float:
    """How far the weapon is at the eye, from 0 to 1."""
    return self.arms.aim


@natives.method(pure=True)
def adsbuttonpressed(self: Player) -> bool:
    return bool(self.buttons & Button.AIM)


@natives.method(pure=True)
def jumpbuttonpressed(self: Player) -> bool:
    return bool(self.buttons & Button.JUMP)
