"""The forty functions that the engine calls by name. The names are matched case for case."""

from __future__ import annotations

CALLBACKS: tuple[str, ...] = (
    "Activate", "AimFromPrimary", "AimFromSecondary", "AimFromTertiary", "AimPrimary", "AimSecondary",
    "AimTertiary", "BeginTransport", "Create", "Deactivate", "EndTransport", "FirePrimary", "FireSecondary",
    "FireTertiary", "HitByWeapon", "Killed", "MoveRate1", "MoveRate2", "MoveRate3", "QueryBuildInfo",
    "QueryLandingPad", "QueryNanoPiece", "QueryPrimary", "QuerySecondary", "QueryTertiary", "QueryTransport",
    "RockUnit", "SetDirection", "SetMaxReloadTime", "SetSpeed", "SweetSpot", "StartBuilding", "StartMoving",
    "StopBuilding", "StopMoving", "TakeDamage", "TargetCleared", "TransportDrop", "TransportPickup",
    "setSFXoccupy",
)  # fmt: skip

_BY_LOWER = {name.lower(): name for name in CALLBACKS}


def near_miss(name: str) -> str | None:
    """The callback that a name equals but for its capitals, or None."""
    meant = _BY_LOWER.get(name.lower())
    return meant if meant is not None and meant != name else None
