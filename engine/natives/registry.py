"""The registry of a whole game: what needs no world, and everything that does."""

from __future__ import annotations

from engine.natives import (
    actors,
    animation,
    entities,
    hud,
    level,
    messages,
    movers,
    players,
    scripts,
    sounds,
    traces,
    weapons,
)  # fmt: skip
from engine.vm.core import core_registry
from engine.vm.registry import Registry
from engine.world.world import World

MODULES = (
    level, messages, entities, movers, players, weapons, hud, sounds, traces, animation, actors, scripts,
)  # fmt: skip


def game_registry() -> Registry:
    """Every native of a game. A VM made with it needs the `World` among its services."""
    registry = core_registry((World,))
    for module in MODULES:
        registry.include(module.natives)
    return registry
