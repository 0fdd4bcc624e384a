"""What assets are called: lower case, without folder and extension."""

from __future__ import annotations

from functools import lru_cache

_PREFIXES = ("xmodel/", "xanim/", "fx/")


@lru_cache(maxsize=4096)
def asset_name(name: str) -> str:
    """The canonical name: `xmodel/Soldier` and `Soldier.glb` are `soldier`."""
    plain = name.lower().replace("\\", "/").lstrip("/")
    for prefix in _PREFIXES:
        plain = plain.removeprefix(prefix)
    plain = plain.rsplit("/", 1)[-1]
    stem, dot, _ = plain.rpartition(".")
    return stem if dot and stem else plain
