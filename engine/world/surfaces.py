"""What a texture name means: its footstep material, whether it is drawn, and what it stops.

`assets/levels/surfaces.toml` (and a mod's file of that name) lists textures; a name that is not listed takes
the first material whose word it contains, and stone when there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag

from engine.source import Diagnostic
from engine.source.toml import TomlFile


class Contents(IntFlag):
    """What a volume stops or is. The low bits are what scripts see through `setcontents`."""

    NONE = 0
    SOLID = 1
    PLAYER_CLIP = 2
    SHOT_CLIP = 4
    BODY = 8
    CORPSE = 16
    TRIGGER = 32


NONE = Contents.NONE
ANY = Contents(63)
MOVE_MASK = Contents.SOLID | Contents.PLAYER_CLIP | Contents.BODY
SHOT_MASK = Contents.SOLID | Contents.SHOT_CLIP | Contents.BODY
SIGHT_MASK = Contents.SOLID
WORLD_MASK = Contents.SOLID | Contents.PLAYER_CLIP


@dataclass(frozen=True, slots=True)
class Surface:
    material: str
    contents: Contents = Contents.SOLID
    drawn: bool = True


MATERIALS = (
    "stone",
    "wood",
    "gravel",
    "grass",
    "metal",
    "plaster",
    "sand",
    "dirt",
    "glass",
    "cloth",
    "flesh",
)

_WORDS = (
    ("plank", "wood"), ("wood", "wood"), ("timber", "wood"), ("crate", "wood"), ("door", "wood"),
    ("gravel", "gravel"), ("pebble", "gravel"), ("grass", "grass"), ("hedge", "grass"), ("foliage", "grass"),
    ("barrel", "metal"), ("jerrycan", "metal"), ("lamp", "metal"), ("dummy", "metal"),
    ("metal", "metal"), ("rust", "metal"), ("iron", "metal"), ("steel", "metal"), ("tin", "metal"),
    ("plaster", "plaster"), ("sand", "sand"), ("dirt", "dirt"), ("mud", "dirt"), ("earth", "dirt"),
    ("tree", "wood"), ("bench", "wood"), ("table", "wood"), ("fence", "wood"), ("sign", "wood"),
    ("frame", "wood"), ("glass", "glass"), ("cloth", "cloth"), ("canvas", "cloth"),
)  # fmt: skip

_TOOLS = {
    "caulk": Surface("stone", Contents.SOLID, drawn=False),
    "nodraw": Surface("stone", Contents.SOLID, drawn=False),
    "skip": Surface("stone", Contents.SOLID, drawn=False),
    "clip": Surface("stone", Contents.PLAYER_CLIP, drawn=False),
    "playerclip": Surface("stone", Contents.PLAYER_CLIP, drawn=False),
    "shotclip": Surface("stone", Contents.SHOT_CLIP, drawn=False),
    "weaponclip": Surface("stone", Contents.SHOT_CLIP, drawn=False),
    "trigger": Surface("stone", Contents.TRIGGER, drawn=False),
    "origin": Surface("stone", Contents.NONE, drawn=False),
    "hint": Surface("stone", Contents.NONE, drawn=False),
}


def texture_name(path: str) -> str:
    """The name that renderer and tables use: `textures/yard/planks` and `planks` are one texture."""
    return path.rsplit("/", 1)[-1]


class SurfaceTable:
    """Texture name to `Surface`; remembers what it worked out."""

    def __init__(self, materials: Mapping[str, str] | None = None) -> None:
        self._known = dict(_TOOLS)
        for name, material in (materials or {}).items():
            self._known[name.lower()] = Surface(material)

    def __getitem__(self, texture: str) -> Surface:
        name = texture_name(texture)
        surface = self._known.get(name)
        if surface is None:
            surface = Surface(next((m for word, m in _WORDS if word in name), "stone"))
            self._known[name] = surface
        return surface


def surface_materials(file: TomlFile) -> tuple[dict[str, str], list[Diagnostic]]:
    """Texture name to material from a file: `NAME = "wood"` or `NAME = { material = "wood" }`.

    The entries may stand at the top or in a table `[surfaces]`. A material that is not one of MATERIALS gives
    a diagnostic and is left out.
    """
    table = file.data.get("surfaces", file.data)
    above = ("surfaces",) if "surfaces" in file.data else ()
    found: dict[str, str] = {}
    faults: list[Diagnostic] = []
    for name, entry in table.items() if isinstance(table, Mapping) else ():
        material = entry.get("material") if isinstance(entry, Mapping) else entry
        if isinstance(material, str) and material.lower() in MATERIALS:
            found[str(name).lower()] = material.lower()
        else:
            faults.append(
                Diagnostic(
                    "surface-material",
                    f"surface {name} needs a material: one of {', '.join(MATERIALS)}",
                    file.span((*above, str(name))),
                )
            )
    return found, faults
