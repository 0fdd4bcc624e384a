"""A whole game put together: mods, assets, scripts, the VM and the world, a frame at a time.

This is what a client plays and what `play --headless` runs. It reads no clock but the watcher's: files are saved
in real time, whatever time the game keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine import paths
from engine.gsc.cache import UnitCache
from engine.gsc.program import Program
from engine.gsc.suspension import Key
from engine.mods.commands import Commands
from engine.mods.contents import Contents, FreshLevel
from engine.mods.debugging import Debugger
from engine.mods.figures import inspection
from engine.mods.idle import idle_mods
from engine.mods.inspect_server import InspectServer
from engine.mods.intake import Intake
from engine.mods.journal import Inspection, Journal, LogLine
from engine.mods.playing import Playing
from engine.mods.policies import anim_infos, error_policies
from engine.mods.printed import Printed
from engine.mods.program import (
    MAIN,
    Build,
    Builder,
    Entries,
    find_entries,
    missing_entry,
    same_scripts,
    same_trees,
)
from engine.mods.reload import Reloader
from engine.mods.search import ModSearch
from engine.mods.states import States
from engine.mods.structs import start_structs
from engine.mods.tables import table_files
from engine.mods.told import carried
from engine.mods.trail import Trail
from engine.mods.trees import AnimationTable, resolve
from engine.mods.watch import FileWatcher
from engine.natives.catalogue import Catalogue
from engine.natives.host import VMHost
from engine.natives.registry import dialect_registries, game_catalogue, game_registry
from engine.natives.saving import game_state
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic, DiagnosticError
from engine.source.diagnostic import StackEntry
from engine.source.paths import canonical
from engine.source.render import readable, to_dict, to_text
from engine.vm.errors import Halted
from engine.vm.fates import LinkReport, ReloadPolicy
from engine.vm.limits import Settings
from engine.vm.machine import VM
from engine.vm.tables import Tables
from engine.world.angles import Vector
from engine.world.command import UserCommand
from engine.world.hits import Hit
from engine.world.player import Player
from engine.world.view import FrameView, LevelGeometry, PlayerState
from engine.world.world import FRAME, World

DEFAULT_LEVEL = "yard"
BUDGET, FRAME_BUDGET = 1_600_000, 2_000_000
"""Units of work of a thread and of a mod in a frame, a third of what a VM allows by itself: some 30 of the 50 ms that a
frame has, and the dearest of operations take three times as long as what they count for. It nearly fits on a machine of
half the speed too; a crowd of thirty soldiers needs one million."""
MAX_NEW_ERRORS = 32
"""To tell one, with its place and stack, takes a third of a millisecond."""
MAX_LINE = 2000
"""Characters of what a script prints at once that are kept for the console and the files."""
LONGEST_LINE = 8192
"""Characters of a console line; splitting one takes quadratic time, half a minute for a million."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What to play.

    level      name of a level, or None for what the mods say
    mods       mod folders, or names of mods, highest priority first
    developer  keep developer code in scripts
    watch      reload what is saved
    auto_rollback  take a reload back when code that it changed raises a new error
    seed       of all randomness: equal seeds and equal input give equal games
    hashes     tell every frame's state hash as an event
    """

    level: str | None = None
    mods: tuple[Path, ...] = ()
    developer: bool = True
    watch: bool = True
    auto_rollback: bool = False
    seed: int = 1
    hashes: bool = False


class GameSession:
    """A game in progress. All calls come from one thread."""

    def __init__(self, options: GameOptions, journal: Journal | None = None) -> None:
        """Put a game together and start its level.

        Raises DiagnosticError when there is no game to run: a mod or level that is missing or cannot be read. Scripts
        with errors are no reason: the level is there without them until they are repaired.
        """
        self.options = options
        self.journal = journal if journal is not None else Journal()
        self.faults = 0
        """Errors in files and scripts that were told so far."""
        self.failures = 0
        """Those among them that happened while a script of any kind ran."""
        self.contents = Contents(options.mods, self.tell)
        self._registry = game_registry()
        self._dialects = dialect_registries()
        code = paths.cache() / "code"
        self._units = UnitCache(code)
        self._animations: AnimationTable = {}
        self._level_name = (options.level or self.search.setting("level") or DEFAULT_LEVEL).lower()
        self.surfaces_changed = False
        """Whether the table of surfaces was saved since the level was read, which the next start of it does again."""
        self._level = self.fresh_level()
        self._tell_level()
        self._entries: Entries = find_entries(self.search, self._level_name)
        self.builder = Builder(
            self.search,
            game_catalogue(self._registry, self._dialects),
            self.library,
            [paths.animtrees()],
            developer=options.developer,
            folder=code,
        )
        self.build: Build | None = None
        self.commands_table = Commands(self)
        self.world: World
        self.vm: VM
        self._player: Player | None = None
        self._printed = Printed(lambda text: self.journal.say("warning", text))
        self.trail = Trail()
        self.watcher: FileWatcher | None = None
        self._first_build()
        self.intake = Intake(self)
        self.reloader = Reloader(self)
        self.debugger = Debugger(self)
        self.playing = Playing(self)
        self.inspect_server: InspectServer | None = None
        self._start_level(keep_game=False)
        self.watcher = self._watch() if options.watch else None
        self.frames = 0
        """How many times `frame` was called."""
        self.states = States(self, hashes=options.hashes)

    # ---- putting it together ------------------------------------------------------------------------

    def tell(self, diagnostic: Diagnostic) -> None:
        """Something is wrong with a file of the user's, and the game goes on."""
        warning = diagnostic.severity == "warning"
        diagnostic = self._placed(diagnostic)
        text = to_text(diagnostic)
        if diagnostic.span is None:
            # The kind of line says it, and there is no place before it.
            text = text.removeprefix(f"{diagnostic.severity}: ")
        self.journal.say("warning" if warning else "error", text, diagnostic)
        if not warning:
            self.faults += 1
            self.failures += diagnostic.severity == "runtime error"
            self.journal.event("error", self.time, diagnostic=to_dict(diagnostic))

    def _placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """Where nothing else is to blame, as for a name that nothing has, the script that asked for it is."""
        vm = getattr(self, "vm", None)
        place = vm.here() if diagnostic.span is None and isinstance(vm, VM) else None
        if place is None or place.span is None:
            return diagnostic
        stack = (StackEntry(place.function, place.span, "in"),)
        return replace(diagnostic, span=place.span, stack=stack)

    def _tell_error(self, diagnostic: Diagnostic) -> None:
        """A script raised an error."""
        self.tell(diagnostic)
        self.reloader.hear(diagnostic)

    def _first_build(self) -> None:
        try:
            self.build = self.builder.build(self._entries)
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                self.tell(diagnostic)
            self.journal.say("info", "the scripts have errors: none of them runs until they are repaired")
            return
        for diagnostic in (
            *self.build.warnings,
            *idle_mods(self.search, self.options.mods, self.build.program.scripts),
        ):
            self.tell(diagnostic)

    def _settings(self) -> Settings:
        return Settings(
            policies=error_policies(self.search),
            developer=self.options.developer,
            seed=self.options.seed,
            budget=BUDGET,
            frame_budget=FRAME_BUDGET,
            max_new_errors=MAX_NEW_ERRORS,
        )

    def _start_level(self, *, keep_game: bool) -> None:
        """A new world and a new VM for it. cvars stay, and with `keep_game` the `game` array."""
        self._printed.end()
        old = getattr(self, "vm", None)
        lines = self.world.lives.programs.sources() if old is not None else {}
        if self.build is not None:
            self._entries = self.build.entries
        host = VMHost(signals=self.contents.rules().signals)
        self.world = World(
            self._level.level,
            host,
            self.library,
            weapons=self.contents.weapons(),
            surfaces=self._level.surfaces,
            seed=self.options.seed,
            populate=False,
        )
        self.world.units_source = self.contents.units
        self.world.animator.infos.limit = anim_infos(self.search)
        self.world.sound_seconds = self.library.sound_seconds
        self.world.sound_asked = self.library.sound_alias
        self.world.complain = self.tell
        self.vm = VM(
            self._registry,
            settings=self._settings(),
            services=(self.world,),
            report=self._tell_error,
            out=self._print,
            known=Catalogue(),
            make=self._units,
            dialects=self._dialects,
            owner_of=self._owner_of,
        )
        self.vm.tables = Tables(lambda name: table_files((mod.folder for mod in self.search), name))
        self.vm.game_log = self._print
        host.attach(self.vm)
        self.world.lives.connect(lambda name: self.search.line_script(name), self._tell_error, self._print)
        self.world.lives.programs.take(lines)
        self._host = host
        self.vm.state_host = game_state(self.world)
        if not isinstance(old, VM):
            self.vm.cvars.update(self.intake.known_cvars)
        else:
            self.vm.cvars = old.cvars
            if keep_game:
                old.new_level(keep_game=True)
                self.vm.root.game = old.root.game
        self._player = None
        self._run_start()
        self._printed.end()

    def _run_start(self) -> None:
        """Let the scripts of a level that begins do what comes before its first frame."""
        try:
            if self.build is not None:
                self.link(self.build)
                self._start_structs()
        except Halted:
            self._tell_halt()
        self.world.populate()
        self.vm.cvars.setdefault("mapname", self._level_name)
        self.vm.cvars.setdefault("g_gametype", self._entries.gametype.rpartition("\\")[2])
        if self.build is None or self.vm.halted:
            return
        try:
            self._run_entry(self._entries.gametype, MAIN)
            if self._entries.map_script is not None:
                self._run_entry(self._entries.map_script, MAIN)
            self._run_entry(self._entries.callbacks, "codecallback_startgametype")
            for script in self._entries.autostarts:
                self.start_script(script)
            self._player = self.world.connect("player")
        except Halted:
            self._tell_halt()

    def _start_structs(self) -> None:
        """Give scripts of the dialects that know them the level's structs, before anything else runs."""
        assert self.build is not None
        scripts = self.build.program.scripts
        if any(script.dialect.rules.strict for script in scripts.values()):
            start_structs(self.vm, self._level.level, self.tell)

    def _run_entry(self, script: str, function: str) -> None:
        try:
            found = self.vm.function(f"{script}::{function}")
        except KeyError:
            self.tell(missing_entry(script, function, self._entries.places.get(canonical(script))))
            return
        self.vm.start(found)

    def start_script(self, script: str) -> None:
        """Run the `main` of a script that a mod wants to be started."""
        self._run_entry(canonical(script), MAIN)

    def link(self, build: Build) -> LinkReport:
        """Swap a program and its trees in, between two frames; the VM's report on the threads."""
        running = self.build
        if running is not None and running.program is self.vm.program and same_scripts(running, build):
            # At most trees or clips are others: the program stays, and nothing has to be done about its threads.
            same = same_trees(running, build) and running.entries == build.entries
            build = running if same else replace(build, program=running.program)
        self.build, self._entries = build, build.entries
        resolve(build.program, build.linked.trees, self._animations)
        if build.program is self.vm.program:
            report = LinkReport(untouched=len(self.vm.runner.suspended))
        else:
            report = self._link_anew(build.program)
        self.world.set_trees(build.program.trees, build.linked.trees)
        return report

    def _link_anew(self, program: Program) -> LinkReport:
        vm = self.vm
        before, told = vm.program, dict(vm.reporter.counts)
        report = vm.link(program, self._animations, self._reload_policy)
        if before is not None:
            # A link lets the VM tell every error afresh; those of code that is as it was are no news.
            vm.reporter.counts.update(carried(told, before, program, report.changed))
        return report

    def take_up(self, player: Player | None) -> None:
        """Go on after a state was put in place of the present one."""
        self._player = player
        self._host.attach(self.vm)

    def rebuild(self) -> Build:
        """The program as the files are now. Raises DiagnosticError; nothing has changed then."""
        return self.builder.build(find_entries(self.search, self._level_name))

    def _reload_policy(self, key: Key) -> ReloadPolicy:
        """What the mod that a function's script belongs to says about threads that have no place to go on."""
        found = self.search.locate(key[0], ".gsc")
        return (found[0] if found is not None else self.search.mods[0]).manifest.reload

    def _owner_of(self, script: str) -> str:
        """The mod that a script belongs to; each has budgets and limits of its own."""
        found = self.search.locate(script, ".gsc")
        return found[0].name if found is not None else ""

    def drain(self) -> None:
        """Run what scripts have queued for this moment."""
        try:
            self.vm.drain()
        except Halted:
            self._tell_halt()

    def _watch(self) -> FileWatcher:
        return FileWatcher(self.contents.watched(), lambda text: self.journal.say("warning", text))

    def watch_again(self) -> None:
        """Other folders count now."""
        if self.watcher is not None:
            self.watcher.close()
            self.watcher = self._watch()

    # ---- telling ------------------------------------------------------------------------------------

    def _print(self, text: str) -> None:
        if not self._printed.allows():
            return
        text = readable(text.rstrip("\n"))
        if len(text) > MAX_LINE:
            text = text[:MAX_LINE] + " ..."
        self.trail.say(text)
        self.journal.say("print", text)
        self.journal.event("log", self.time, text=text)

    def _tell_halt(self) -> None:
        self.journal.say("error", "the program was halted by an error; `map_restart` begins again")

    def _tell_start(self) -> None:
        program = self.build.program if self.build is not None else None
        stats = self.vm.stats()
        self.journal.event(
            "start",
            self.time,
            level=self._level_name,
            mods=[mod.name for mod in self.search],
            modules=len(program.scripts) if program else 0,
            functions=stats.functions,
            natives=len(self._registry.functions) + len(self._registry.methods),
            entities=sum(1 for _ in self.world.entities.all()),
            fingerprint=self.fingerprint(),
        )

    def fingerprint(self) -> str:
        """A short hash of all script text: equal fingerprints are equal programs."""
        digest = hashlib.sha256()
        if self.build is not None:
            for name, script in sorted(self.build.program.scripts.items()):
                digest.update(name.encode("latin-1") + b"\0" + script.source.text.encode("latin-1") + b"\0")
        return digest.hexdigest()[:16]

    # ---- what a client needs ------------------------------------------------------------------------

    @property
    def time(self) -> int:
        """Game time in ms."""
        world = getattr(self, "world", None)
        return world.time if isinstance(world, World) else 0

    @property
    def title(self) -> str:
        top = self.search.mods[0].manifest
        title, level = top.title or top.name, self._level_name
        return title if level in title.lower() else f"{title} - {level}"

    @property
    def level_name(self) -> str:
        return self._level_name

    @property
    def geometry(self) -> LevelGeometry:
        return self._level.level.geometry

    @property
    def search(self) -> ModSearch:
        """The mods, in the order in which they are searched."""
        return self.contents.search

    @property
    def library(self) -> AssetLibrary:
        return self.contents.library

    @property
    def player(self) -> int | None:
        return self._player.number if self._player is not None and not self._player.freed else None

    @property
    def broken(self) -> bool:
        """Whether the level runs without scripts because they have errors."""
        return self.build is None

    def listen(self, port: int) -> int:
        """Answer inspection requests on a port of this machine (docs/inspect.md), any free one for 0; which it is.
        Raises OSError when it is taken."""
        if self.inspect_server is not None:
            self.inspect_server.close()
        self.inspect_server = InspectServer(self, port)
        return self.inspect_server.port

    def frame(self) -> FrameView:
        """Take in what was saved, then let 50 ms of game time pass; the world after it.

        The first call only shows the world as it begins: a client still has to load the level, which takes
        seconds. The game begins with the second.
        """
        self.frames += 1
        if self.frames == 1:
            view = self.world.picture()
            self._listen(view)
            self.states.frame(1, view)
            return view
        if self.frames == 2:
            self._tell_start()
        self._between()
        if not self.debugger.advances():
            self.states.stand(self.frames)
            return self.world.picture()
        self.states.feed()
        try:
            view = self.world.frame()
        except Halted:
            self._tell_halt()
            view = self.world.picture()
        for note in view.notes:
            self.journal.event(
                "note", view.time, entity=note.entity, animation=note.animation, note=note.note
            )
        self._listen(view)
        for message in view.messages:
            if self._printed.allows():
                self.journal.say("info", message.text)
        self._printed.end()
        self.world.requests += [signal for signal in self._host.take_signals() if signal == "exitlevel"]
        self._serve_requests()
        self.states.frame(self.frames, view)
        return view

    def stand(self) -> FrameView:
        """No time passes, because the player paused. What was saved is taken in all the same, and editors are answered:
        whoever edits has left the window. The world as it is then."""
        self._between()
        self.states.stand(self.frames)
        return self.world.picture()

    def _between(self) -> None:
        """What happens between two server frames, whether or not another one follows."""
        self.reloader.frame()
        if self.inspect_server is not None:
            self.inspect_server.frame()

    def _listen(self, view: FrameView) -> None:
        """Look every sound up, also where nobody hears it: a name that is missing is told once. What scripts asked for
        was told then, with its place."""
        for sound in view.sounds:
            if sound.alias and not sound.stop:
                self.library.sound_alias(sound.alias)

    def idle(self) -> None:
        """There is time before the next frame: what was saved is compiled ahead. Nothing changes in the game."""
        self.reloader.ahead()

    def _serve_requests(self) -> None:
        requests, self.world.requests = self.world.requests, []
        for request in requests[:1]:
            try:
                self.restart(keep_game="persist" in request)
            except DiagnosticError as error:
                for diagnostic in error.diagnostics:
                    self.tell(diagnostic)

    def restart(self, *, keep_game: bool = False) -> None:
        """Start the level again, with the scripts and surfaces as they are now. Raises DiagnosticError where the level
        has to be read again for that and cannot be; the game goes on as it was then."""
        if self.surfaces_changed:
            self._level, self.surfaces_changed = self.fresh_level(), False
            self._tell_level()
        self._restart(keep_game)

    def fresh_level(self) -> FreshLevel:
        """The level that is played as its file is now. Raises DiagnosticError."""
        asked = self.options.level is not None
        return self.contents.level(self._level_name, None if asked else self.search.place("level"))

    def take_level(self, fresh: FreshLevel) -> None:
        """Start this level in the place of the one that is played."""
        self._level, self.surfaces_changed = fresh, False
        self._tell_level()
        self._restart(keep_game=False)

    def _tell_level(self) -> None:
        for diagnostic in self._level.level.diagnostics:
            self.tell(diagnostic)

    def _restart(self, keep_game: bool) -> None:
        self.states.end_again()
        self._start_level(keep_game=keep_game)
        self.journal.event("restart", self.time, persist=keep_game)

    @property
    def level_text(self) -> str:
        """The text of the level's file."""
        return self._level.text

    def command(self, command: UserCommand) -> PlayerState | None:
        if self._player is None or self._player.freed:
            return None
        if self.states.loaded or self.debugger.held or self.states.repeating:
            return self._player.view_state()
        self.states.command(command)
        try:
            self.world.run_command(self._player.number, command)
        except Halted:
            self._tell_halt()
        return self._player.view_state()

    def kill_player(self) -> str:
        """End the player's life; what to tell who asked."""
        player = self._player
        if player is None or not player.alive():
            return "there is nobody alive to kill"
        player.finish_damage(Hit(player.hit_points, player, player, "MOD_SUICIDE"))
        return ""

    def trace(self, start: Vector, end: Vector) -> float:
        """The part (0..1) of a straight way that no wall blocks."""
        return self.world.space.trace(start, end, bodies=False).fraction

    def tell_frame(self, timings: Mapping[str, float]) -> None:
        """Write a `frame` event: how long frames take by the caller's clock, and how much there is."""
        stats = self.vm.stats()
        self.journal.event(
            "frame",
            self.time,
            **{name: round(ms, 2) for name, ms in timings.items()},
            entities=sum(1 for _ in self.world.entities.all()),
            threads=stats.threads,
            waiters=stats.waiters,
            variables=stats.variables,
        )

    def execute(self, line: str) -> str:
        """Run a console line, whoever gives it: a console, a socket, a recording. What goes wrong is text too."""
        if len(line) > LONGEST_LINE:
            return f"a console line has at most {LONGEST_LINE} characters, and this one {len(line)}"
        try:
            self.states.line(line)
            return self.commands_table.execute(line)
        except DiagnosticError as error:
            return "\n".join(to_text(d) for d in error.diagnostics)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            why = f"`{line[:40]}` cannot be done: {where}{error.strerror or error}"
            return to_text(Diagnostic("unreadable-file", why))

    def commands(self) -> Mapping[str, str]:
        return self.commands_table.help()

    def variables(self) -> Mapping[str, str]:
        return self.vm.cvars

    def drain_log(self) -> Sequence[LogLine]:
        return self.journal.drain()

    def inspect(self) -> Inspection:
        return inspection(self)

    def close(self) -> None:
        self.states.close()
        self._units.flush()
        self.builder.flush()
        if self.watcher is not None:
            self.watcher.close()
        if self.inspect_server is not None:
            self.inspect_server.close()
        self.journal.event("end", self.time, errors=self.vm.reporter.total)
        self.journal.close()


__all__ = ["FRAME", "GameOptions", "GameSession"]
