"""Weapons: what a `.toml` file in a `weapons` folder says of each, and what a player's hands do with one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from engine.pipeline.files import names_in
from engine.pipeline.texts import is_gone, read_text, toml_of, unreadable
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.nearest import did_you_mean


@dataclass(frozen=True, slots=True)
class Weapon:
    """One kind of weapon. Every key of its file is a field here; only what differs must be given.

    title            what people call it
    class_name       rifle, pistol, smg or mg
    slot             primary, primaryb or pistol
    model            world model; view_model is drawn in the player's hands
    damage           at up to near inches, falling to far_damage at far inches
    multipliers      hit location to factor: head, neck, torso_upper, torso_lower, arm, leg
    clip             rounds in it; stock_start and stock_max are rounds carried beside it
    fire_time        seconds from one shot to the next; automatic keeps firing while the key is down
    reload_time      seconds; reload_add is when the rounds are in
    raise_time, lower_time  seconds
    spread_*         half angle of the cone of shots in degrees: standing still, crouched, at most in motion,
                     aiming down the sight; each shot adds spread_shot, which is lost again over a second
    range            inches; pellets are rays a shot; kick is degrees that the view jumps
    sound_*          aliases in the sound table; reload_sounds has alias = seconds after the reload began
    """

    name: str
    title: str = ""
    class_name: str = "rifle"
    slot: str = "primary"
    model: str = ""
    view_model: str = ""
    damage: int = 40
    far_damage: int = 30
    near: float = 800.0
    far: float = 3000.0
    multipliers: dict[str, float] = field(default_factory=dict)
    clip: int = 8
    stock_start: int = 48
    stock_max: int = 96
    fire_time: float = 0.25
    automatic: bool = False
    reload_time: float = 2.3
    reload_add: float = 1.6
    raise_time: float = 0.6
    lower_time: float = 0.35
    spread_stand: float = 1.2
    spread_crouch: float = 0.8
    spread_move: float = 3.5
    spread_aim: float = 0.12
    spread_shot: float = 0.9
    range: float = 8192.0
    pellets: int = 1
    kick: float = 1.6
    sound_fire: str = "rifle_shot"
    sound_reload: str = ""
    sound_empty: str = "dry_fire"
    sound_raise: str = ""
    reload_sounds: dict[str, float] = field(default_factory=dict)

    def damage_at(self, inches: float) -> float:
        """Damage after a distance, before the hit location counts."""
        if inches <= self.near or self.far <= self.near:
            return float(self.damage)
        t = min(1.0, (inches - self.near) / (self.far - self.near))
        return self.damage + (self.far_damage - self.damage) * t

    def multiplier(self, location: str) -> float:
        """The factor of a hit location; `left_arm_upper` falls back to `arm`, `helmet` to `head`."""
        if location in self.multipliers:
            return self.multipliers[location]
        if location == "helmet":
            return self.multipliers.get("head", 1.0)
        for part in ("arm", "hand", "leg", "foot"):
            if part in location:
                return self.multipliers.get("arm" if part in ("arm", "hand") else "leg", 1.0)
        return 1.0


_RANGES: dict[str, tuple[float, float]] = {
    "clip": (1, 1000), "stock_start": (0, 9999), "stock_max": (0, 9999), "fire_time": (0.02, 60.0),
    "reload_time": (0.0, 60.0), "reload_add": (0.0, 60.0),
    "raise_time": (0.0, 60.0), "lower_time": (0.0, 60.0),
    "pellets": (1, 32), "range": (1.0, 131072.0), "kick": (0.0, 45.0),
    "spread_stand": (0.0, 45.0), "spread_crouch": (0.0, 45.0), "spread_move": (0.0, 45.0),
    "spread_aim": (0.0, 45.0), "spread_shot": (0.0, 45.0),
    "damage": (0, 100000), "far_damage": (0, 100000), "near": (0.0, 131072.0), "far": (0.0, 131072.0),
}  # fmt: skip
_SLOTS = ("primary", "primaryb", "pistol", "grenade", "smokegrenade")


def read_weapon(source: SourceText, name: str) -> tuple[Weapon | None, list[Diagnostic]]:
    """The weapon of one file, and what is wrong with the file. A wrong key is left at its default."""
    try:
        file = toml_of(source)
    except DiagnosticError as error:
        return None, list(error.diagnostics)
    known = {f.name: f for f in fields(Weapon) if f.name != "name"}
    report: list[Diagnostic] = []
    values: dict[str, Any] = {}
    for key, value in file.data.items():
        if key not in known:
            fault = Diagnostic("weapon-key", f"a weapon has no key '{key}'", file.span((key,)), "warning")
            hint = did_you_mean(key, known)
            report.append(fault.with_note(hint) if hint else fault)
            continue
        problem, value = _checked(key, value, known[key].default)
        if problem:
            report.append(Diagnostic("weapon-key", f"{key} {problem}", file.span((key,))))
        else:
            values[key] = value
    return Weapon(name=name, **values), report


def _checked(key: str, value: Any, default: Any) -> tuple[str, Any]:
    """What is wrong with a value ("" for nothing), and the value in the field's type."""
    if key in ("multipliers", "reload_sounds"):
        if isinstance(value, dict) and all(_is_number(v) and v >= 0 for v in value.values()):
            return "", {str(k): float(v) for k, v in value.items()}
        return "must be a table of numbers of 0 or more", None
    if isinstance(default, bool):
        return ("", value) if isinstance(value, bool) else ("must be true or false", None)
    if isinstance(default, str):
        if not isinstance(value, str):
            return "must be text", None
        if key == "slot" and value not in _SLOTS:
            return f"must be one of {', '.join(_SLOTS)}", None
        return "", value if key == "title" else value.lower()
    if not _is_number(value) or (isinstance(default, int) and not isinstance(value, int)):
        return "must be a whole number" if isinstance(default, int) else "must be a number", None
    low, high = _RANGES.get(key, (float("-inf"), float("inf")))
    if not low <= value <= high:
        return f"must be between {low:g} and {high:g}", None
    return "", value if isinstance(default, int) else float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def load_weapons(folders: Iterable[Path], report: list[Diagnostic]) -> dict[str, Weapon]:
    """All weapons of some `weapons` folders by name; a later folder shadows an earlier one file by file."""
    found: dict[str, Weapon] = {}
    for folder in folders:
        for path in weapon_files(folder, report):
            name = path.name.removesuffix(".toml").removesuffix(".weapon").lower()
            try:
                source = read_text(path)
            except OSError as error:
                if not is_gone(path, error):
                    report.append(unreadable(path, error))
                continue
            weapon, faults = read_weapon(source, name)
            report.extend(faults)
            if weapon is not None:
                found[name] = weapon
    return found


def weapon_files(folder: Path, report: list[Diagnostic]) -> list[Path]:
    """What a `weapons` folder has that should be the file of a weapon, in order. An editor's own files, whose names
    begin with a dot, are none."""
    try:
        return [folder / name for name in names_in(folder) if name.endswith(".toml")]
    except OSError as error:
        report.append(unreadable(folder, error))
        return []


def documented_keys() -> list[tuple[str, Any]]:
    """Every key with its default, for the documentation and its test."""
    return [(f.name, {} if f.default is MISSING else f.default) for f in fields(Weapon) if f.name != "name"]


@dataclass(slots=True)
class Held:
    """One weapon in a player's possession."""

    weapon: Weapon
    clip: int
    stock: int
