"""One hit on something: the value that damage is passed around as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.world.angles import Vector

if TYPE_CHECKING:
    from engine.world.entity import Entity


@dataclass(frozen=True, slots=True)
class Hit:
    """Damage done at one moment.

    inflictor is what did it (a grenade), attacker who is to blame; mod is the stock name of the means.
    direction is the unit vector that it travelled along; location the stock name of the part that was hit.
    """

    amount: int
    inflictor: Entity | None
    attacker: Entity | None
    mod: str = "MOD_UNKNOWN"
    weapon: str = "none"
    point: Vector | None = None
    direction: Vector | None = None
    location: str = "none"
    flags: int = 0
