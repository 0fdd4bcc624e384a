"""What the dearer built-ins cost, in units of the budget (10 ns) beside those of any call.

Measured in the sandbox, where a call that is not the shortest of its kind ends; what only counts when it happens, such
as a line that is printed, counts itself. A built-in that is not listed takes a microsecond or two at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.vm.registry import Registry

_SEARCH = 3_000
"""A walk over all entities or nodes."""
_SIGHT = 20_000
"""Ways through the level and the bodies in it."""
_TOLD = 1_000
"""Something that everybody sees or hears, and that is kept until the frame is over."""
_SHAPE = 10_000
"""A body takes another shape or place in the level."""
_FILE = 20_000
"""A name that may have to be looked for in files."""

COSTS: Mapping[str, int] = {
    **dict.fromkeys(("getent", "getentarray", "getnode", "getnodearray", "getallnodes"), _SEARCH),
    **dict.fromkeys(("getspawnerarray", "getspawnerteamarray", "getaiarray", "getteamplayersalive"), _SEARCH),
    **dict.fromkeys(("getclosestenemysqdist", "verifyposition", "flushcorpses"), _SEARCH),
    **dict.fromkeys(("cansee", "canshoot", "islookingat", "maymovetopoint", "shoot"), _SIGHT),
    **dict.fromkeys(("bullettrace",), 6_000),
    **dict.fromkeys(("radiusdamage", "placespawnpoint", "positionwouldtelefrag"), 25_000),
    **dict.fromkeys(("solid", "setmodel", "linkto", "setbounds", "linkintoworld", "setcontents"), _SHAPE),
    **dict.fromkeys(("setorigin", "teleport", "notsolid", "istouching", "attach", "detach"), 1_500),
    **dict.fromkeys(("spawn", "dospawn", "stalingradspawn", "spawnduplicate", "cloneplayer"), 4_000),
    **dict.fromkeys(("addtestclient", "giveweapon", "finishplayerdamage", "dodamage", "dodamagemod"), 4_000),
    **dict.fromkeys(("useanimtree", "getnumparts", "getpartname", "playsound", "loadfx"), _FILE),
    **dict.fromkeys(("gettagorigin", "gettagangles", "stopuseanimtree"), 6_000),
    **dict.fromkeys(("saysquad", "sayteam", "bindtext", "bindsize", "sethintstring"), 12_000),
    **dict.fromkeys(("sayall", "iprintln", "iprintlnbold", "announcement", "clientannouncement"), _TOLD),
    **dict.fromkeys(("obituary", "playfx", "playfxonplayer", "playfxontag", "playloopedfx"), _TOLD),
    **dict.fromkeys(("playloopsound", "playlocalsound", "ambientplay", "musicplay", "bullettracer"), _TOLD),
    **dict.fromkeys(("newhudelem", "newclienthudelem", "objective_string", "earthquake"), _TOLD),
    "connectpaths": 500_000,
    "disconnectpaths": 2_000_000,
    "cobsignal": 2_000,
}


def set_costs(registry: Registry) -> None:
    """Let the built-ins of a registry that are listed count what they cost."""
    for name, cost in COSTS.items():
        if name in registry.functions:
            registry.functions[name] = replace(registry.functions[name], cost=cost)
        if name in registry.methods:
            registry.methods[name] = [replace(native, cost=cost) for native in registry.methods[name]]
