"""Message parts: strings, localized strings, numbers and players put together as the original does."""

from __future__ import annotations

from engine.vm.errors import ScriptError
from engine.vm.operators import to_text, type_name
from engine.vm.values import Localized, Value
from engine.world.player import Player


def plain(value: Value, number: int) -> str:
    """The text of one part. `number` is the argument's, for the message."""
    if isinstance(value, str):
        return value
    if isinstance(value, Localized):
        return value.key
    if isinstance(value, Player):
        return value.player_name
    if isinstance(value, (int, float, tuple)):
        return to_text(value)
    raise ScriptError(
        f"parameter {number} is {type_name(value)}, not a string, a localized string or a player"
    )


MAX_MESSAGE = 1023
"""Characters of a message; what is beyond is left out, as in the original game's commands to its clients."""


def message(parts: tuple[Value, ...], first: int = 1) -> str:
    """All parts one after the other."""
    if not parts:
        raise ScriptError(f"parameter {first} does not exist")
    texts, left = [], MAX_MESSAGE
    for i, part in enumerate(parts):
        # Each part is looked at, but what does not fit is never put together: it could be megabytes.
        text = part if part.__class__ is str else plain(part, first + i)
        if left:
            texts.append(text[:left])
            left -= len(texts[-1])
    return "".join(texts)


def asset(name: str, *folders: str) -> str:
    """An asset's name as the library knows it: lower case, without folder and extension."""
    short = name.lower().replace("\\", "/")
    for folder in folders:
        short = short.removeprefix(folder)
    return short.rsplit("/", 1)[-1].removesuffix(".efx")
