"""Console commands of the client itself; the session knows the others."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from engine.client.actions import Action, Bindings
from engine.client.console import Command
from engine.client.preferences import Preferences
from engine.mods.commands import whole


class Host(Protocol):
    """What the commands do to the application."""

    preferences: Preferences
    bindings: Bindings

    def quit(self) -> None: ...
    def toggle_view(self) -> None: ...
    def screenshot(self) -> None: ...
    def save_picture(self, path: Path) -> str: ...
    def prefer(self, preferences: Preferences) -> None: ...
    def show_animations(self, number: int) -> str: ...


def commands(host: Host) -> dict[str, Command]:
    """Every command by its name."""

    def leave(_: list[str]) -> str:
        host.quit()
        return ""

    def view(_: list[str]) -> str:
        host.toggle_view()
        return ""

    def screenshot(words: list[str]) -> str:
        if not words:
            host.screenshot()
            return ""
        return host.save_picture(Path(words[0])) or f"saved {words[0]}"

    def fov(words: list[str]) -> str:
        if words:
            try:
                degrees = float(words[0])
            except ValueError:
                degrees = math.nan
            if math.isnan(degrees):
                return f"fov needs a number of degrees, not {words[0][:40]}"
            host.prefer(replace(host.preferences, fov=degrees).checked())
        return f"the field of view is {host.preferences.fov:.0f} degrees"

    def controls(_: list[str]) -> str:
        return "\n".join(f"{action.value:<24}{host.bindings.label(action)}" for action in Action)

    def animations(words: list[str]) -> str:
        number = whole(words)
        if len(words) != 1 or number is None:
            return "animpanel NUMBER; `anims` lists who plays animations"
        return host.show_animations(number)

    return {
        "animpanel": Command("animpanel NUMBER: what an entity plays and why, beside the game", animations),
        "quit": Command("ends the game", leave),
        "screenshot": Command("saves a picture; screenshot FILE says where", screenshot),
        "fov": Command("field of view in degrees, 60 to 110", fov),
        "thirdperson": Command("first or third person", view),
        "controls": Command("which key does what", controls),
    }
