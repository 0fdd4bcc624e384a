"""Keys that a player has chosen, kept beside the preferences in a file that people can read.

`{"jump": ["key space", "pad 0"], ...}`: actions by the words of the controls page. Actions that the file does not name
keep their standard keys.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pygame

from engine.client.actions import ESCAPE, Action, Bindings, Device, Source, standard
from engine.client.preferences import keep_aside, read_settings, write_settings

FILE = "controls.json"

_NUMBER = re.compile(r"-?[0-9]{1,10}")
_LARGEST = 2**31 - 1
"""Codes of keys are ints of C: names of others are asked for with an OverflowError."""


def load(path: Path) -> tuple[Bindings, str]:
    """The bindings of a file, and a sentence on what is wrong with it, "" where nothing is.

    Needs an open display, since names of keys are the window system's.
    """
    data, why = read_settings(path)
    if why:
        return Bindings(), f"{path} {why}; the standard keys are used{keep_aside(path)}"
    chosen = standard()
    words = {action.value: action for action in Action}
    for name, texts in data.items():
        action = words.get(name)
        sources = [_source(text) for text in texts] if isinstance(texts, list) else [None]
        if action is None or None in sources:
            said = f"{path}: {name[:40]!r} is no action with its keys; the standard keys are used"
            return Bindings(), said + keep_aside(path)
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
    why = write_settings(path, data)
    return f"keys cannot be kept in {path} ({why})" if why else ""


def _text(source: Source) -> str:
    name = pygame.key.name(source.code) if source.device == "key" else ""
    return f"{source.device} {name or source.code}"


def _source(text: object) -> Source | None:
    device, _, name = text.partition(" ") if isinstance(text, str) else ("", "", "")
    if device not in get_args(Device) or not name:
        return None
    if _NUMBER.fullmatch(name) and (device != "key" or len(name) > 1):
        code = int(name)
        return Source(device, code) if abs(code) <= _LARGEST else None  # type: ignore[arg-type]  # one of the devices
    try:
        return Source("key", pygame.key.key_code(name)) if device == "key" else None
    except ValueError:
        return None
