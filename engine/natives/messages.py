"""Words on the screen: lines, bold lines, announcements, obituaries, chat."""

from __future__ import annotations

from typing import Literal

from engine.natives.text import message
from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Value
from engine.world.entity import Entity
from engine.world.player import Player
from engine.world.view import Message, Shake
from engine.world.world import World

natives = Registry(services=(World,))


def _say(world: World, kind: Literal["line", "bold"], text: str, player: Player | None = None) -> None:
    world.events.messages.append(Message(kind, text, player.number if player is not None else None))


@natives.function()
def iprintln(world: World, *parts: Value) -> None:
    """A line at the side of everybody's screen."""
    _say(world, "line", message(parts))


@natives.function()
def iprintlnbold(world: World, *parts: Value) -> None:
    """A large line in the middle of everybody's screen."""
    _say(world, "bold", message(parts))


@natives.method("iprintln")
def player_iprintln(self: Player, world: World, *parts: Value) -> None:
    """A line on this player's screen."""
    _say(world, "line", message(parts), self)


@natives.method("iprintlnbold")
def player_iprintlnbold(self: Player, world: World, *parts: Value) -> None:
    _say(world, "bold", message(parts), self)


@natives.function()
def announcement(world: World, *parts: Value) -> None:
    _say(world, "bold", message(parts))


@natives.function()
def clientannouncement(world: World, player: Player, *parts: Value) -> None:
    _say(world, "bold", message(parts, 2), player)


@natives.function()
def obituary(world: World, victim: Entity, attacker: Value, weapon: str, mod: str) -> None:
    """A line that tells who was killed by whom."""

    def called(entity: Value) -> str:
        if isinstance(entity, Player):
            return entity.player_name
        return entity.class_name if isinstance(entity, Entity) else "the world"

    if attacker is victim or not isinstance(attacker, Entity):
        _say(world, "line", f"{called(victim)} died")
    else:
        _say(world, "line", f"{called(attacker)} killed {called(victim)} ({weapon})")


@natives.method()
def sayall(self: Player, world: World, *parts: Value) -> None:
    _say(world, "line", f"{self.player_name}: {message(parts)}")


@natives.method()
def sayteam(self: Player, world: World, *parts: Value) -> None:
    """To the players of the same team only."""
    for player in world.players():
        if player.team == self.team:
            _say(world, "line", f"({self.team}) {self.player_name}: {message(parts)}", player)


@natives.method()
def saysquad(self: Player, world: World, *parts: Value) -> None:
    for player in world.players():
        if player.squad == self.squad and player.team == self.team:
            _say(world, "line", f"[{self.squad}] {self.player_name}: {message(parts)}", player)


@natives.method()
def shellshock(self: Player, world: World, name: str, duration: float) -> None:
    """A stun of 0 to 60 seconds: shown as a shake at the player."""
    if not 0.0 <= duration <= 60.0:
        raise ScriptError("the duration must be between 0 and 60 seconds")
    world.events.shakes.append(Shake(0.6, duration, self.position, 64.0))
