"""What scripts name in vain: models, sounds and weapons that stand in the text and that no mod has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine.gsc import syntax as s
from engine.gsc.script import Script
from engine.gsc.walk import nodes
from engine.mods.contents import WEAPONS
from engine.pipeline.library import AssetLibrary
from engine.pipeline.names import asset_name
from engine.source import Diagnostic
from engine.source.nearest import did_you_mean
from engine.world.weapons import weapon_files

MODEL, SOUND, WEAPON = "model", "sound", "weapon"

NAMING: Mapping[tuple[str, bool], tuple[int, str]] = {
    **{
        (name, True): (0, MODEL)
        for name in ("setmodel", "setviewmodel", "attach", "detach")
    },
    **{(name, False): (0, MODEL) for name in ("precachemodel", "getnumparts", "getpartname")},
    **{
        (name, True): (0, SOUND)
        for name in ("playsound", "playloopsound", "playlocalsound", "playlocalannouncersound")
    },
    **{(name, False): (0, SOUND) for name in ("musicplay", "ambientplay")},
    **{
        (name, True): (0, WEAPON)
        for name in (
            "giveweapon", "takeweapon", "hasweapon", "switchtoweapon", "setspawnweapon", "givemaxammo",
        )
    },
    ("setweaponslotweapon", True): (1, WEAPON),
    **{
        (name, False): (0, WEAPON)
        for name in ("getweaponmodel", "getweaponclassname", "getfullclipammo", "precacheitem", "magicbullet")
    },
}  # fmt: skip
"""Built-ins (name, whether a method) that take a name: which argument it is, and of what."""

NOTHING = ("", "none")
"""What these built-ins take for no thing at all."""


class Names:
    """The names that a search of mods knows."""

    def __init__(self, library: AssetLibrary) -> None:
        self._known: dict[str, frozenset[str]] = {
            MODEL: frozenset(library.model_names()),
            SOUND: frozenset(library.sound_names()),
            WEAPON: _weapons(library.roots),
        }

    def missing(self, script: Script) -> Iterator[Diagnostic]:
        """A warning for each name in the text of a script that is nowhere, at its first place."""
        places: dict[tuple[str, str], list[s.StringLiteral]] = {}
        for function in script.functions.values():
            for node in nodes(function.body):
                found = _named(node)
                if found is not None:
                    kind, literal = found
                    name = asset_name(literal.value)
                    if name not in self._known[kind]:
                        places.setdefault((kind, name), []).append(literal)
        for (kind, name), (first, *others) in places.items():
            fault = Diagnostic(
                f"missing-{kind}", f"there is no {kind} `{name}`", script.span(first), "warning"
            )
            hint = did_you_mean(name, self._known[kind])
            fault = fault.with_note(hint) if hint else fault
            if others:
                count = "one other place" if len(others) == 1 else f"{len(others)} other places"
                fault = fault.with_note(f"it is named at {count} of this file too")
            yield fault


def _named(node: s.Node) -> tuple[str, s.StringLiteral] | None:
    """What kind of thing a call names, and the text that names it; None for any other node."""
    if not isinstance(node, s.Call) or not isinstance(node.target, s.NamedTarget):
        return None
    bound = node.target.bound
    if not isinstance(bound, s.NativeFunction) or (bound.name, bound.method) not in NAMING:
        return None
    at, kind = NAMING[bound.name, bound.method]
    literal = node.args[at] if at < len(node.args) else None
    if not isinstance(literal, s.StringLiteral) or literal.value.lower() in NOTHING:
        return None
    # A model of the level's own, such as "*3", is no file.
    return None if literal.value.startswith("*") else (kind, literal)


def _weapons(roots: Sequence[Path]) -> frozenset[str]:
    return frozenset(file.stem.lower() for root in roots for file in weapon_files(root / WEAPONS, []))
