"""The registry of a whole game: what needs no world, and everything that does."""

from __future__ import annotations

from engine.gsc.catalogue import NativeCatalogue
from engine.natives import (
    actors,
    animation,
    entities,
    hud,
    level,
    messages,
    movers,
    players,
    poses,
    scripts,
    sounds,
    strict_entities,
    strict_names,
    traces,
    units,
    weapons,
)  # fmt: skip
from engine.natives.catalogue import Catalogue
from engine.natives.costs import set_costs
from engine.natives.refused import Refused
from engine.vm.core import core_registry
from engine.vm.registry import Registry, RegistryCatalogue
from engine.vm.strict_natives import strict_registry
from engine.world.world import World

MODULES = (
    level, messages, entities, movers, players, weapons, hud, sounds, traces, animation, poses, actors, scripts,
    units,
)  # fmt: skip


REPLACED = frozenset(
    {"getcvar", "getcvarint", "getcvarfloat", "setcvar", "makecvarserverinfo", "print", "println", "assert"}
)
"""What United Offensive has and Modern Warfare 2 does not, or not as a call that does anything."""


def dialect_registries() -> dict[str, tuple[Registry, NativeCatalogue | None]]:
    """The natives of the dialects that have their own, for a VM whose services include the `World`.

    Modern Warfare 2 has its own functions over text, numbers, dvars and tables; entities, movers, players, traces and
    the HUD are the world's, and are the same natives."""
    strict = strict_registry((World,))
    strict.include(strict_entities.natives)
    strict.include(strict_names.natives)
    for module in MODULES:
        for name, native in module.natives.functions.items():
            if name not in REPLACED:
                strict.functions.setdefault(name, native)
        for name, natives in module.natives.methods.items():
            strict.methods.setdefault(name, list(natives))
    set_costs(strict)
    return {"iw4": (strict, Refused())}


def game_catalogue(
    registry: Registry, dialects: dict[str, tuple[Registry, NativeCatalogue | None]]
) -> RegistryCatalogue:
    """What the compiler asks about built-ins, for every dialect."""
    catalogue = RegistryCatalogue(registry, Catalogue())
    catalogue.others = {name: RegistryCatalogue(other, known) for name, (other, known) in dialects.items()}
    return catalogue


def game_registry() -> Registry:
    """Every native of a game. A VM made with it needs the `World` among its services."""
    registry = core_registry((World,))
    for module in MODULES:
        registry.include(module.natives)
    set_costs(registry)
    return registry
