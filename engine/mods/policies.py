"""What run-time errors do in a game of several mods: each dialect has the policy of the first mod that names one."""

from __future__ import annotations

from collections.abc import Iterable

from engine.mods.search import Mod
from engine.vm.errors import Policy


def error_policies(mods: Iterable[Mod]) -> dict[str, Policy]:
    """By dialect. A dialect without an entry has its own default."""
    found: dict[str, Policy] = {}
    for mod in mods:
        manifest = mod.manifest
        if manifest.on_error is not None:
            found.setdefault(manifest.dialect, Policy(manifest.on_error))
    return found
