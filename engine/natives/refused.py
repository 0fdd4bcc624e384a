"""Built-ins of Modern Warfare 2 that this engine refuses: scripts that call them do not load, and are told why.

docs/iw4.md lists them; a test keeps the page and this table together.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.gsc.catalogue import Signature

FUNCTIONS: dict[str, str] = {
    "spawnhelicopter": "there are no vehicles",
    "spawnplane": "there are no vehicles",
    "spawnturret": "there are no turrets",
    "playsoundtoteam": "sounds are heard by everyone near them",
    "setminimap": "there is no map on the screen",
    "glassradiusdamage": "there is no glass",
    "setteamradar": "there is no radar",
    "getteamradar": "there is no radar",
    "setmatchdata": "nothing is recorded about players",
    "getmatchdata": "nothing is recorded about players",
    "weaponclass": "weapons have the facts of their files only",
    "weapontype": "weapons have the facts of their files only",
    "kick": "there is no server that players join",
    "ban": "there is no server that players join",
}
METHODS: dict[str, str] = {
    "notifyonplayercommand": "keys are the player's own: only what the game binds reaches a script",
    "openpopupmenu": "menus are the player's own",
    "openmenu": "menus are the player's own",
    "closemenu": "menus are the player's own",
    "playsoundtoplayer": "sounds are heard by everyone near them",
    "beginlocationselection": "there is no map on the screen",
    "endlocationselection": "there is no map on the screen",
    "setplayerdata": "nothing is recorded about players",
    "getplayerdata": "nothing is recorded about players",
    "fireweapon": "there are no turrets",
    "setvehweapon": "there are no vehicles",
    "playrumbleonentity": "there is no rumble",
    "setperk": "players have no perks",
    "hasperk": "players have no perks",
}


class Refused:
    """The table as a catalogue of names that exist and are not available."""

    def function(self, name: str) -> Signature | None:
        return Signature(name, implemented=False, why=FUNCTIONS[name]) if name in FUNCTIONS else None

    def method(self, name: str) -> Signature | None:
        return Signature(name, implemented=False, why=METHODS[name]) if name in METHODS else None

    def function_names(self) -> Iterable[str]:
        return FUNCTIONS

    def method_names(self) -> Iterable[str]:
        return METHODS
