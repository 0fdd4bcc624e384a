"""What scripts know of weapons, and what they give to players."""

from __future__ import annotations

from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.world.player import Player
from engine.world.weapons import Held
from engine.world.world import World

natives = Registry(services=(World,))

SLOTS = ("primary", "primaryb", "pistol", "grenade", "smokegrenade")


@natives.function()
def getweaponmodel(world: World, name: str) -> str:
    return world.weapon(name).model


@natives.function()
def getweaponclassname(world: World, name: str) -> str:
    return world.weapon(name).class_name


@natives.function()
def getfullclipammo(world: World, name: str) -> int:
    return world.weapon(name).clip


@natives.method()
def giveweapon(self: Player, world: World, name: str) -> None:
    """Put a weapon into the hands or the pack, with its first ammunition."""
    self.arms.give(world.weapon(name))


@natives.method()
def takeweapon(self: Player, name: str) -> None:
    self.arms.take(name.lower())


@natives.method()
def takeallweapons(self: Player) -> None:
    self.arms.take_all()


@natives.method()
def getcurrentweapon(self: Player) -> str:
    """The weapon in hand, `none` for empty hands."""
    return self.arms.current or "none"


@natives.method()
def hasweapon(self: Player, name: str) -> bool:
    return name.lower() in self.arms.held


@natives.method()
def switchtoweapon(self: Player, name: str) -> None:
    if name.lower() in self.arms.held:
        self.arms.select(name.lower())


@natives.method()
def setspawnweapon(self: Player, name: str) -> None:
    """Hold a weapon at once, ready to fire."""
    if name.lower() in self.arms.held:
        self.arms.hold(name.lower())


def _held(self: Player, world: World, name: str) -> Held:
    weapon = world.weapon(name)
    held = self.arms.held.get(weapon.name)
    if held is None:
        raise ScriptError(f"the player has no '{name}'")
    return held


@natives.method()
def givestartammo(self: Player, world: World, name: str) -> None:
    held = _held(self, world, name)
    held.clip, held.stock = held.weapon.clip, held.weapon.stock_start


@natives.method()
def givemaxammo(self: Player, world: World, name: str) -> None:
    held = _held(self, world, name)
    held.clip, held.stock = held.weapon.clip, held.weapon.stock_max


@natives.method()
def giveclipammo(self: Player, world: World, name: str, count: int) -> None:
    held = _held(self, world, name)
    held.clip = max(0, min(held.weapon.clip, held.clip + count))


@natives.method()
def getfractionmaxammo(self: Player, world: World, name: str) -> float:
    held = _held(self, world, name)
    most = held.weapon.clip + held.weapon.stock_max
    return (held.clip + held.stock) / most if most else 0.0


@natives.method()
def getfractionstartammo(self: Player, world: World, name: str) -> float:
    held = _held(self, world, name)
    start = held.weapon.clip + held.weapon.stock_start
    return (held.clip + held.stock) / start if start else 0.0


@natives.method()
def disableweapon(self: Player) -> None:
    self.arms.enabled = False


@natives.method()
def enableweapon(self: Player) -> None:
    self.arms.enabled = True


# --- slots --------------------------------------------------------------------------------------------------


def _in_slot(self: Player, slot: str) -> Held | None:
    if slot not in SLOTS:
        raise ScriptError(f"'{slot}' is no weapon slot; it must be one of {', '.join(SLOTS)}")
    return next((h for h in self.arms.held.values() if h.weapon.slot == slot), None)


@natives.method()
def getweaponslotweapon(self: Player, slot: str) -> str:
    held = _in_slot(self, slot)
    return held.weapon.name if held is not None else "none"


@natives.method()
def setweaponslotweapon(self: Player, world: World, slot: str, name: str) -> None:
    """Replace what is in a slot; `none` empties it."""
    old = _in_slot(self, slot)
    if old is not None:
        self.arms.take(old.weapon.name)
    if name.lower() != "none":
        self.arms.give(world.weapon(name))


@natives.method()
def getweaponslotammo(self: Player, slot: str) -> int:
    held = _in_slot(self, slot)
    return held.stock if held is not None else 0


@natives.method()
def setweaponslotammo(self: Player, slot: str, count: int) -> None:
    held = _in_slot(self, slot)
    if held is not None:
        held.stock = max(0, min(held.weapon.stock_max, count))


@natives.method()
def getweaponslotclipammo(self: Player, slot: str) -> int:
    held = _in_slot(self, slot)
    return held.clip if held is not None else 0


@natives.method()
def setweaponslotclipammo(self: Player, slot: str, count: int) -> None:
    held = _in_slot(self, slot)
    if held is not None:
        held.clip = max(0, min(held.weapon.clip, count))
