"""What Modern Warfare 2 does otherwise with entities and assets than United Offensive (IW4 page, "Scheduling")."""

from __future__ import annotations

from engine.natives.sounds import loadfx as load_effect
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.world.entity import Entity
from engine.world.keys import float_key
from engine.world.player import Player
from engine.world.world import World

natives = Registry((World,))


@natives.method()
def delete(self: Entity, world: World) -> None:
    """Notify `death`, then remove the entity at once. Its fields can be read until the frame is over. Players cannot
    be removed."""
    if isinstance(self, Player):
        raise ScriptError("a player cannot be deleted")
    world.host.notify(self, "death", self)
    world.entities.remove(self)


@natives.function()
def loadfx(world: World, path: str) -> int:
    """Register an effect while the level loads; the number is what playfx takes."""
    if not world.loading:
        raise ScriptError("loadfx must be called while the level loads, before the first wait")
    number: int = load_effect(world, path)
    return number


@natives.function(pure=True)
def getnorthyaw(world: World) -> float:
    """Where north is: the yaw that the level's worldspawn gives as `northyaw`, 0 where it gives none."""
    return float_key(world.level.settings, "northyaw", 0.0)
