"""Keys that a player has chosen, kept beside the preferences in a file that people can read.

`{"jump": ["key space", "pad 0"], ...}`: actions by the words of the controls page. Actions that the file does not name
keep their standard keys.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pygame

from engine.client.actions import ESCAPE, Action, Bindings, Device, Source, standard

FILE = "controls.json"


def load(path: Path) -> tuple[Bindings, str]:
    """The bindings of a file, and a sentence on what is wrong with it, "" where nothing is.

    Needs an open display, since names of keys are the window system's.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Bindings(), ""
    except (OSError, ValueError) as error:
        return Bindings(), f"{path} cannot be read ({error}); the standard keys are used"
    if not isinstance(data, dict):
        return Bindings(), f"{path} does not hold keys; the standard ones are used"
    chosen = standard()
    words = {action.value: action for action in Action}
    for name, texts in data.items():
        action = words.get(name)
        sources = [_source(text) for text in texts] if isinstance(texts, list) else [None]
        if action is None or None in sources:
            return Bindings(), f"{path}: {name!r} is no action with its keys; the standard keys are used"
        chosen[action] = tuple(source for source in sources if source is not None)
    if ESCAPE not in chosen[Action.PAUSE]:
        chosen[Action.PAUSE] += (ESCAPE,)
    return Bindings(chosen), ""


def save(bindings: Bindings, path: Path) -> str:
    """Writes what differs from the standard; a sentence on why it could not be done, "" where it was."""
    usual = standard()
    data = {
        action.value: [_text(source) for source in sources]
        for action, sources in bindings.by_action.items()
        if sources != usual.get(action)
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(data, indent=2) + "\n", "utf-8")
        part.replace(path)
    except OSError as error:
        return f"keys cannot be kept in {path} ({error.strerror or error})"
    return ""


def _text(source: Source) -> str:
    name = pygame.key.name(source.code) if source.device == "key" else ""
    return f"{source.device} {name or source.code}"


def _source(text: object) -> Source | None:
    device, _, name = str(text).partition(" ")
    if device not in get_args(Device) or not name:
        return None
    if name.lstrip("-").isdecimal() and (device != "key" or len(name) > 1):
        return Source(device, int(name))  # type: ignore[arg-type]  # one of the devices
    try:
        return Source("key", pygame.key.key_code(name)) if device == "key" else None
    except ValueError:
        return None
