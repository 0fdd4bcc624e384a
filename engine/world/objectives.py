"""Objectives: the up to 16 things that a level asks of its players."""

from __future__ import annotations

from dataclasses import dataclass

from engine.world.angles import Vector
from engine.world.entity import Entity

MAX_OBJECTIVES = 16
STATES = ("empty", "active", "invisible", "done", "current", "failed")


@dataclass(slots=True)
class Objective:
    """One objective. entity, while it lives, is where it is; position otherwise."""

    state: str = "empty"
    text: str = ""
    position: Vector = (0.0, 0.0, 0.0)
    icon: str = ""
    entity: Entity | None = None
    team: str = "none"
    ring: bool = False
