"""What a player has set, kept in one small file in the user's configuration folder. A damaged file costs a
warning, not the game."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path


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
        limits = {
            "effects": (0, 1),
            "ambience": (0, 1),
            "interface": (0, 1),
            "sensitivity": (0.1, 5),
            "fov": (60, 110),
        }
        kept = {name: max(low, min(high, float(getattr(self, name)))) for name, (low, high) in limits.items()}
        switches = {name: bool(getattr(self, name)) for name in ("invert", "full_screen", "pause_away")}
        return replace(self, **switches, **kept)  # type: ignore[arg-type]  # numbers and switches by their names


def default_path() -> Path:
    return user_config_path("notetrack", appauthor=False) / "client.json"


def load(path: Path) -> tuple[Preferences, str]:
    """The preferences of a file and a sentence on what is wrong with it, "" where nothing is."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Preferences(), ""
    except (OSError, ValueError) as error:
        return Preferences(), f"{path} cannot be read ({error}); the standard settings are used"
    if not isinstance(data, dict):
        return Preferences(), f"{path} does not hold settings; the standard ones are used"
    known = {f.name for f in fields(Preferences)}
    kept: dict[str, Any] = {k: v for k, v in data.items() if k in known and isinstance(v, (int, float))}
    return Preferences(**kept).checked(), ""


def save(preferences: Preferences, path: Path) -> str:
    """Writes them; a sentence on why it could not be done, "" where it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(asdict(preferences), indent=2) + "\n", "utf-8")
        part.replace(path)
    except OSError as error:
        return f"settings cannot be kept in {path} ({error.strerror or error})"
    return ""
