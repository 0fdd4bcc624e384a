"""Mods that were asked for and whose scripts nothing starts: who has forgotten `autostart` would see no sign of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from engine.mods.manifest import FILE_NAME
from engine.mods.search import Mod, ModSearch
from engine.pipeline.files import walk
from engine.source import Diagnostic, SourceText
from engine.source.paths import canonical


def idle_mods(search: ModSearch, asked: Collection[Path], scripts: Collection[str]) -> Iterator[Diagnostic]:
    """A warning for each mod of a folder that was asked for, or by a name, that has nothing in it, or scripts of which
    none is in the game.

    asked    folders or names of mods, as they were given
    scripts  canonical names of all scripts of the game
    """
    wanted = {str(each) for each in asked} | {each.name for each in asked}
    running = {found[0].folder for name in scripts if (found := search.locate(name, ".gsc")) is not None}
    for mod in search:
        if mod.folder in running or not {str(mod.folder), mod.folder.name} & wanted:
            continue
        inside = [path.relative_to(mod.folder).as_posix() for path in walk(mod.folder)]
        names = [path[:-4] for path in inside if path.lower().endswith(".gsc")]
        if names or not inside:
            yield _idle(mod, names)


def _idle(mod: Mod, names: list[str]) -> Diagnostic:
    place = SourceText(mod.show(FILE_NAME), "").span(0)
    if not names:
        return Diagnostic("idle-mod", f"there is nothing in the mod '{mod.name}' yet", place, "warning")
    text = f"nothing starts the scripts of the mod '{mod.name}': none of them runs in this level"
    first = next((name for name in names if canonical(name).endswith(canonical(mod.name))), names[0])
    fault = Diagnostic("idle-mod", text, place, "warning")
    return fault.with_note(f'`autostart = "{first}"` in {mod.show(FILE_NAME)} starts the main of that script')
