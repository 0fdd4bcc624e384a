"""The forty functions that the engine calls by name. The names are matched case for case."""

from __future__ import annotations

import re

CALLBACKS: tuple[str, ...] = (
    "Activate", "AimFromPrimary", "AimFromSecondary", "AimFromTertiary", "AimPrimary", "AimSecondary",
    "AimTertiary", "BeginTransport", "Create", "Deactivate", "EndTransport", "FirePrimary", "FireSecondary",
    "FireTertiary", "HitByWeapon", "Killed", "MoveRate1", "MoveRate2", "MoveRate3", "QueryBuildInfo",
    "QueryLandingPad", "QueryNanoPiece", "QueryPrimary", "QuerySecondary", "QueryTertiary", "QueryTransport",
    "RockUnit", "SetDirection", "SetMaxReloadTime", "SetSpeed", "SweetSpot", "StartBuilding", "StartMoving",
    "StopBuilding", "StopMoving", "TakeDamage", "TargetCleared", "TransportDrop", "TransportPickup",
    "setSFXoccupy",
)  # fmt: skip

_STEMS = ("Aim", "AimFrom", "Query", "Fire", "Shot", "EndBurst", "BlockShot", "TargetWeight")
_NUMBERED = re.compile(rf"({'|'.join(_STEMS)})weapon([1-9]\d*)", re.IGNORECASE)
"""Names such as AimWeapon1, which later engines call in the place of Primary, Secondary and Tertiary."""

_BY_LOWER = {name.lower(): name for name in CALLBACKS}


def near_miss(name: str) -> str | None:
    """The callback that a name equals but for its capitals, or None."""
    meant = _BY_LOWER.get(name.lower())
    if meant is None:
        found = _NUMBERED.fullmatch(name)
        if found is not None:
            stem = next(s for s in _STEMS if s.lower() == found[1].lower())
            meant = f"{stem}Weapon{found[2]}"
    return meant if meant is not None and meant != name else None
