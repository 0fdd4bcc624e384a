"""What a player has set, kept in one small file in the user's configuration folder. A damaged file costs a
warning, not the game."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from engine.pipeline.files import check_file, write_atomically
from engine.source.render import printable

LARGEST = 1 << 16
"""Bytes of a file of settings; a larger one is none."""

_LIMITS: dict[str, tuple[float, float]] = {
    "effects": (0, 1),
    "ambience": (0, 1),
    "interface": (0, 1),
    "sensitivity": (0.1, 5),
    "fov": (60, 110),
}
_SWITCHES = ("invert", "full_screen", "pause_away")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Volumes and sensitivity as the menu shows them: volumes 0..1, sensitivity 0.1..5, field of view
    60..110 degrees."""

    effects: float = 0.8
    ambience: float = 0.6
    interface: float = 0.7
    sensitivity: float = 1.0
    invert: bool = False
    fov: float = 80.0
    full_screen: bool = False
    pause_away: bool = False
    """Pause when another window comes to the front. Who edits scripts wants to see what a save does."""

    def checked(self) -> Preferences:
        """The same with every number in its range."""
        # An int of any size is compared as it is: made a float first, a large one would be an OverflowError.
        kept = {
            name: float(max(low, min(high, getattr(self, name)))) for name, (low, high) in _LIMITS.items()
        }
        switches = {name: bool(getattr(self, name)) for name in _SWITCHES}
        return replace(self, **switches, **kept)  # type: ignore[arg-type]  # numbers and switches by their names


def default_path() -> Path:
    return user_config_path("notetrack", appauthor=False) / "client.json"


def load(path: Path) -> tuple[Preferences, str]:
    """The preferences of a file and a sentence on what is wrong with it, "" where nothing is."""
    data, why = read_settings(path)
    if why:
        return Preferences(), f"{path} {why}; the standard settings are used{keep_aside(path)}"
    known = {f.name for f in fields(Preferences)}
    kept = {name: value for name, value in data.items() if name in known and _fits(name, value)}
    read = Preferences(**kept)
    found = read.checked()
    wrong = [_wanted(name) for name in data if name in known and name not in kept]
    wrong += [_wanted(name) for name in kept if name in _LIMITS and getattr(found, name) != kept[name]]
    if not wrong:
        return found, ""
    return found, f"{path}: {', '.join(wrong)}; the nearest or the standard one is used{keep_aside(path)}"


def _fits(name: str, value: object) -> bool:
    if name in _SWITCHES:
        return isinstance(value, bool)
    if isinstance(value, float):
        return not math.isnan(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _wanted(name: str) -> str:
    low, high = _LIMITS.get(name, (0, 0))
    return f"{name} is a number from {low} to {high}" if name in _LIMITS else f"{name} is true or false"


def save(preferences: Preferences, path: Path) -> str:
    """Writes them; a sentence on why it could not be done, "" where it was."""
    why = write_settings(path, asdict(preferences))
    return f"settings cannot be kept in {path} ({why})" if why else ""


def read_settings(path: Path) -> tuple[dict[str, Any], str]:
    """What a file of settings holds, and what is wrong with it, to be put behind its name; "" where nothing is, and
    where there is no such file."""
    try:
        packed = _packed(path)
        if len(packed) > LARGEST:
            return {}, "is larger than settings are"
        data = json.loads(packed.decode("utf-8"))
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"cannot be read ({error.strerror or error})"
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        return {}, f"cannot be read ({printable(str(error))})"
    except ValueError:
        return {}, "cannot be read (a number in it has too many digits)"
    except RecursionError:
        return {}, "cannot be read (it is nested too deeply)"
    if not isinstance(data, dict):
        return {}, "does not hold settings"
    return data, ""


def _packed(path: Path) -> bytes:
    """What is in a file of settings, one byte more than `LARGEST` at most. Raises OSError."""
    check_file(path)
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def keep_aside(path: Path) -> str:
    """Copies a file of settings that is not used as it is, since the next change in the menu writes over it.

    Returns where to, to be put behind what is said of it; "" where nothing could be kept.
    """
    aside = path.with_name(path.name + ".old")
    try:
        packed = _packed(path)
        if len(packed) > LARGEST:
            return ""
        write_atomically(aside, packed)
    except OSError:
        return ""
    return f"; what it held is kept in {aside.name}"


def write_settings(path: Path, data: Mapping[str, Any]) -> str:
    """Writes a file of settings, whole or not at all; why it could not be done, "" where it was."""
    try:
        write_atomically(path, (json.dumps(data, indent=2) + "\n").encode())
    except OSError as error:
        return error.strerror or str(error)
    return ""
