"""The classes of things that a level may hold, from `classes.toml`: for spawning, checking and editors."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

KeyType = Literal["string", "int", "float", "vector", "color"]
Role = Literal[
    "world", "struct", "node", "spawn", "trigger", "door", "mover", "light", "prop", "actor", "none"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """A key: its type, what it means, and the default that an editor shows."""

    name: str
    type: KeyType
    meaning: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class ClassInfo:
    """A class. brushes says whether it is made of brushes; size is its box in an editor otherwise."""

    name: str
    role: Role
    meaning: str
    keys: tuple[KeyInfo, ...]
    brushes: bool
    size: tuple[int, ...]
    color: tuple[int, ...]
    flags: tuple[tuple[int, str], ...]


def _keys(table: dict[str, list[Any]]) -> tuple[KeyInfo, ...]:
    return tuple(KeyInfo(name, *entry) for name, entry in table.items())


def _load() -> tuple[dict[str, ClassInfo], dict[str, KeyType], frozenset[str]]:
    data = tomllib.loads(files("engine.world").joinpath("classes.toml").read_text("utf-8"))
    classes: dict[str, ClassInfo] = {}
    types: dict[str, KeyType] = {"classname": "string"}
    for name, entry in data["class"].items():
        keys = tuple(key for group in entry.get("sets", ()) for key in _keys(data["sets"][group]))
        keys += _keys(entry.get("keys", {}))
        classes[name] = ClassInfo(
            name=name,
            role=entry["role"],
            meaning=entry["meaning"],
            keys=keys,
            brushes=entry.get("brushes", False),
            size=tuple(entry.get("size", (-8, -8, -8, 8, 8, 8))),
            color=tuple(entry.get("color", (200, 160, 80))),
            flags=tuple((int(bit), meaning) for bit, meaning in entry.get("flags", {}).items()),
        )
        types.update({key.name: key.type for key in keys})
    for kind, names in data["types"].items():
        types.update(dict.fromkeys(names, kind))
    return classes, types, frozenset(data["absent"]["classes"])


CLASSES, _TYPES, ABSENT = _load()

_ALIASES = {"trigger_dammage": "trigger_damage"}
"""The original's own spelling of one class."""

_FAMILIES = (("mp_", "mp_deathmatch_spawn"), ("node_", "node_path"), ("actor_", "actor_soldier_olive"))


def key_type(name: str) -> KeyType | None:
    """The type of a key by its name, or None for one that the engine does not know.

    What a map's author invents is typed by its text.
    """
    if name.startswith("target") and name[6:].isdigit():
        return "string"
    return _TYPES.get(name)


def class_of(classname: str) -> ClassInfo | None:
    """The class, or None. Unlisted spawn points, nodes and actors count as one of their family."""
    found = CLASSES.get(_ALIASES.get(classname, classname))
    if found is not None:
        return found
    return next((CLASSES[like] for prefix, like in _FAMILIES if classname.startswith(prefix)), None)
