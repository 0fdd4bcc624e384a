"""What holds for a game of several mods, each of which may say something about it: the first that does counts."""

from __future__ import annotations

from collections.abc import Iterable

from engine.anim.infos import MAX_INFOS
from engine.mods.search import Mod
from engine.vm.errors import Policy


def anim_infos(mods: Iterable[Mod]) -> int:
    """How many animation nodes may play at once."""
    said = (mod.manifest.max_anim_infos for mod in mods)
    return next((limit for limit in said if limit is not None), MAX_INFOS)


def error_policies(mods: Iterable[Mod]) -> dict[str, Policy]:
    """What run-time errors do, by dialect. A dialect without an entry has its own default."""
    found: dict[str, Policy] = {}
    for mod in mods:
        manifest = mod.manifest
        if manifest.on_error is not None:
            found.setdefault(manifest.dialect, Policy(manifest.on_error))
    return found
