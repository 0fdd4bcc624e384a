"""The built-ins that need no world, in one registry."""

from __future__ import annotations

from engine.vm import core_math, core_state, core_text
from engine.vm.registry import Registry


def core_registry(services: tuple[type, ...] = ()) -> Registry:
    """A fresh registry with everything of this room, for a host to add its own to."""
    registry = Registry(services)
    for module in (core_text, core_math, core_state):
        registry.include(module.registry)
    return registry
