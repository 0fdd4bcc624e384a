"""Puts what was saved, other than scripts, into the running game: mods, models, weapons, surfaces, units, cvars.

The reloader decides when, and whether: `engine.mods.prepared` has read and checked what is put in. Each method here
brings one kind of thing in between two server frames and says in a few words what it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine import paths
from engine.mods.kinds import COOKED_FROM
from engine.mods.policies import anim_infos, error_policies
from engine.mods.rereading import Reread, read_again
from engine.mods.search import Mod, ModSearch
from engine.mods.shelf import Shelf
from engine.mods.units import FreshUnits
from engine.pipeline.background import BackgroundCook
from engine.pipeline.library import MODELS
from engine.source import DiagnosticError
from engine.world.weapons import Weapon

if TYPE_CHECKING:
    from engine.mods.session import GameSession


class Intake:
    """One session's."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self._asked = session.contents.asked
        """What was asked for before the mods were taken in last."""
        self._cooking = BackgroundCook(session.library)
        self._hashes: Mapping[Path, str] = {}
        self.fresh: list[Mod] = []
        """Mods that came with the last change of them, whose scripts have not begun yet."""
        self._shelf = Shelf([paths.mods(), paths.mods() / "examples"])
        self.known_cvars: dict[str, str] = {}
        """What the mods' files of variables said when they were last read."""
        try:
            self.known_cvars = session.contents.cvars()
        except DiagnosticError as error:
            for fault in error.diagnostics:
                session.tell(fault)

    # ---- mods ------------------------------------------------------------------------------------------

    def mods(self, asked: Sequence[Path] | None = None) -> ModSearch:
        """Take in the mods' files of settings, or with `asked` play other mods from now on; the search order of before,
        for `mods_taken` or `mods_refused`. Raises DiagnosticError."""
        contents = self._session.contents
        old = contents.search
        asked = contents.asked if asked is None else asked
        self._asked = contents.asked
        self._count(asked, contents.find_mods(asked))
        return old

    def _count(self, asked: Sequence[Path], search: ModSearch) -> None:
        self._session.contents.take_mods(asked, search)
        self._session.builder.search = search

    def mods_refused(self, old: ModSearch) -> None:
        """Go on with the mods of before, and with their assets."""
        self._count(self._asked, old)
        self.assets()

    def mods_taken(self, old: ModSearch) -> list[str]:
        """The new mods count for good; what of it has to wait."""
        session, search = self._session, self._session.search
        session.world.animator.infos.limit = anim_infos(search)
        notes = []
        level = search.setting("level")
        if old.setting("level") != level:
            notes.append(f"level {level or 'of the engine'} with the next start")
        if error_policies(old) != error_policies(search):
            notes.append("on_error with the next `map_restart`")
        before = {mod.folder for mod in old}
        self.fresh = [mod for mod in search if mod.folder not in before]
        if [mod.folder for mod in old] != [mod.folder for mod in search]:
            notes.append(f"mods {', '.join(mod.name for mod in search)}")
            session.watch_again()
        return notes

    def begin_fresh(self) -> None:
        """Start the scripts that new mods want to be started."""
        fresh, self.fresh = self.fresh, []
        for mod in fresh:
            if mod.manifest.autostart:
                self._session.start_script(mod.manifest.autostart)

    def tell_new_mods(self) -> None:
        """Say which mods lie on the shelf now that did not before."""
        for name in self._shelf.look():
            self._session.journal.say("info", f"there is a mod '{name}' now; `mods add {name}` plays it")

    # ---- models ----------------------------------------------------------------------------------------

    def needs_cooking(self, files: Iterable[Path]) -> bool:
        """Whether one of these may be what a model is cooked from, which takes longer than a frame has."""
        return any(
            path.suffix.lower() in COOKED_FROM and MODELS in (part.name.lower() for part in path.parents)
            for path in files
        )

    def cook(self) -> None:
        """Begin to cook what is stale, while the game goes on; `cooked` tells of the end."""
        self._session.contents.look_for_assets()
        self._cooking.begin()

    def cooked(self) -> bool:
        """True once after each `cook`."""
        return self._cooking.done()

    @contextmanager
    def take_cooked(self) -> Iterator[None]:
        """While this lasts, the sources are as the last `cook` found them; what was saved since comes by itself."""
        self._hashes = self._cooking.hashes
        try:
            yield
        finally:
            self._hashes = {}

    def assets(self, files: Iterable[Path] = ()) -> Reread:
        """Look at models, clips and sounds again, some files of which were saved, and tell what is wrong with these.
        Who wears a model goes on in the new one, at the same point of the same animations."""
        self._session.contents.look_for_assets()
        found = read_again(self._session.library, files, self._hashes)
        for fault in found.untold:
            self._session.tell(fault)
        if found.changed:
            self._session.world.models_changed(found.changed)
        return found

    # ---- small files -----------------------------------------------------------------------------------

    def read_weapons(self) -> dict[str, Weapon]:
        """The weapons as their files are now. Raises DiagnosticError."""
        found, faults = self._session.contents.read_weapons()
        if any(fault.severity == "error" for fault in faults):
            raise DiagnosticError(faults)
        for fault in faults:
            self._session.tell(fault)
        return found

    def weapons(self, found: Mapping[str, Weapon]) -> list[str]:
        """Let these weapons count; the names of those that changed. Who holds one holds the new one."""
        world = self._session.world
        changed = [name for name, weapon in found.items() if world.weapons.get(name) != weapon]
        world.weapons.update({name: found[name] for name in changed})
        for player in world.players():
            for name in changed:
                if name in player.arms.held:
                    player.arms.held[name].weapon = found[name]
        return changed

    def units(self, fresh: FreshUnits) -> list[str]:
        """Let units go on in these programs; the names of those that changed."""
        self._session.contents.units.take(fresh)
        programs = fresh.programs
        for entity in self._session.world.entities.all():
            if entity.unit is not None and entity.unit.program.name in programs:
                entity.unit.replace(programs[entity.unit.program.name])
        return sorted(programs)

    def cvars(self, found: dict[str, str]) -> list[str]:
        """Set the variables whose values in the mods' files are others now; their names."""
        changed = [name for name, value in found.items() if self.known_cvars.get(name) != value]
        self.known_cvars = found
        self._session.vm.cvars.update({name: found[name] for name in changed})
        return changed

    def surfaces(self) -> None:
        """Say what is wrong with the surfaces now, and not only when the level begins again and they count."""
        self._session.contents.surfaces()
        self._session.surfaces_changed = True
