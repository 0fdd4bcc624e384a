"""The reload transaction: everything saved together is compiled and linked dry, and only then swapped in.

A set that does not compile changes nothing: the game runs on with the old code, the error is shown with its source
line, and the next good save recovers. The swap happens between two server frames. A program that was swapped in can be
taken back, by hand or because it raised an error that was not there before.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from engine.gsc.program import Program as Scripts
from engine.gsc.program import undisturbed
from engine.gsc.suspension import Key
from engine.linescript.program import Program
from engine.linescript.reload import merge
from engine.mods.doubted import fresh_doubts
from engine.mods.history import Entry, History
from engine.mods.misplaced import misplaced
from engine.mods.prepared import Compiled, Kind, Prepared, Wanted, compiled, kind_of, only_scripts, prepare
from engine.mods.probation import Probation
from engine.mods.program import Build
from engine.mods.reload_report import ReloadReport
from engine.mods.told import fresh_warnings
from engine.mods.watch import Changes
from engine.source import Diagnostic, DiagnosticError
from engine.source.paths import shown_path
from engine.source.render import to_dict
from engine.vm.arrays import Array
from engine.vm.fates import fate_dict

if TYPE_CHECKING:
    from engine.mods.session import GameSession

LINE_FATES = {
    "untouched": "went on",
    "moved": "went on in a changed line",
    "restarted": "began their line again",
}
"""How the report calls the fates of line scripts whose text changed; who is on a line that stayed runs new text too."""
REVIVING = "`map_restart`, or a `rewind` to before the save, brings back"
"""How to get again what an error has ended: neither a mended save nor `reload undo` starts anything."""
SHELF_FRAMES = 20
"""Server frames from one look for new mods to the next."""


class Reloader:
    """Applies settled changes to a session, once a frame."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self._probation = Probation()
        self._collected: Changes | None = None
        self._refused: Changes | None = None
        """What was saved, is right, and was not taken in, because other files of its set were wrong."""
        self._faulty: Set[Kind] = frozenset()
        """What was wrong in the last set that was refused."""
        self._cooking = False
        self._settled: Changes | None = None
        """What the coming frame takes in."""
        self._ahead: Compiled | None = None
        """What it compiles to, where that is known."""
        self._doubted: tuple[Scripts | None, Scripts, list[Diagnostic]] | None = None
        """What was found doubtful in a program that may follow another."""
        self._rubbish = False
        """Whether a program was replaced and what it leaves behind is still there, in cycles."""
        self.history = History()
        self.paused = False
        self.last: ReloadReport | None = None
        if session.build is not None:
            self.history.push(session.build, ())

    # ---- what brings changes ---------------------------------------------------------------------------

    def frame(self) -> None:
        """Take in what was saved, and look after what was taken in before. Called between two server frames."""
        fault = self._probation.fault
        if fault is not None:
            self._probation.begin()
            self._blame(fault)
        self._probation.frame()
        if self._session.watcher is not None and self._session.frames % SHELF_FRAMES == 0:
            self._session.intake.tell_new_mods()
        self._look()
        changes, ahead = self._settled, self._ahead
        self._settled = self._ahead = None
        if changes is not None:
            self.take(changes, ahead)
        if self._cooking and self._session.intake.cooked():
            self._cooking = False
            if self._collected is not None and not self.paused:
                with self._session.intake.take_cooked():
                    self._take_collected()

    def ahead(self) -> None:
        """Look for saves before the coming frame does, and compile them; nothing changes in the game by it. Called
        while there is time, any number of times."""
        if self._rubbish:
            # Else it would be found in the middle of a frame, after many reloads at once.
            self._rubbish = False
            gc.collect(1)
        if self._look() and not self.paused and self._collected is None:
            assert self._settled is not None
            files = self._settled.files
            carried = self._refused.files if self._refused is not None else []
            if only_scripts([*carried, *files]):
                self._session.search.texts.forget(files)
                self._ahead = compiled(self._session)
                if isinstance(self._ahead.result, Build):
                    self._doubts(self._ahead.result, [shown_path(path) for path in (*carried, *files)])

    def _doubts(self, build: Build, files: Sequence[str]) -> list[Diagnostic]:
        """What `check` would doubt in a program that follows the one that runs, and did not before."""
        before = self._session.build.program if self._session.build is not None else None
        if self._doubted is None or self._doubted[0] is not before or self._doubted[1] is not build.program:
            self._doubted = before, build.program, fresh_doubts(before, build.program, files)
        return self._doubted[2]

    def _look(self) -> bool:
        """Whether the watcher has found something since the last time."""
        watcher = self._session.watcher
        changes = watcher.poll() if watcher is not None else None
        if changes is None:
            return False
        self._settled = changes if self._settled is None else self._settled.then(changes)
        self._ahead = None
        return True

    def take(self, changes: Changes, ahead: Compiled | None = None) -> ReloadReport | None:
        """One transaction for a settled set of changes; its report is logged and becomes an event. While reloading
        is paused or a model of the set is still being cooked, changes are only collected. `ahead` is what they compile
        to, if that is known."""
        if self._collected is not None:
            changes, ahead = self._collected.then(changes), None
        self._collected = changes
        if not self.paused and self._session.intake.needs_cooking(changes.files):
            self._session.intake.cook()
            self._cooking = True
        return None if self.paused or self._cooking else self._take_collected(ahead)

    def _take_collected(self, ahead: Compiled | None = None) -> ReloadReport:
        changes, self._collected = self._collected, None
        assert changes is not None
        for path in changes.removed:
            text = f"{shown_path(path)} is gone; what it brought stays until nothing needs it"
            self._session.journal.say("info", text)
        if self._refused is not None:
            changes, self._refused = self._refused.then(changes), None
        report = self._transact(changes.files, changes.since, ahead=ahead)
        if report.refused:
            # What is wrong comes again when it is repaired; what was right beside it would be forgotten.
            self._refused = changes.but([path for path in changes.files if kind_of(path) in self._faulty])
        return report

    def everything(self) -> ReloadReport:
        """Read all files again, as the console's `reload` asks."""
        report = self._transact([], time.monotonic(), everything=True)
        if not report.refused:
            self._refused = None
        return report

    def change_mods(self, asked: Sequence[Path], what: str) -> ReloadReport:
        """Play other mods from now on, or, where anything in them is wrong, go on with those of before. `what` is how
        the report calls it."""
        return self._transact([], time.monotonic(), everything=True, asked=asked, what=what)

    def pause(self) -> str:
        self.paused = True
        return "what is saved is collected; `reload resume` takes it in"

    def resume(self) -> str:
        """Take in what was collected, as one transaction."""
        self.paused = False
        collected = self._collected
        if collected is None:
            return "nothing was saved meanwhile"
        self._collected = None
        report = self.take(Changes(collected.changed, collected.removed, time.monotonic()))
        return report.line() if report is not None else "models are being cooked; then it is taken in"

    # ---- back and forth --------------------------------------------------------------------------------

    def undo(self) -> str:
        """Go back to the program before the last reload. The files stay; the next save takes them in again."""
        undone = self.history.undo()
        current = self.history.current
        if undone is None or current is None:
            return "there is no reload to take back"
        return self._go_to(current, f"undo of {_names(undone.files)}")

    def redo(self) -> str:
        entry = self.history.redo()
        return self._go_to(entry, f"redo of {_names(entry.files)}") if entry else "there is nothing to redo"

    def _go_to(self, entry: Entry, what: str) -> str:
        since = time.monotonic()
        report = ReloadReport([what])
        self._probation.begin()
        if entry.build is not self._session.build:
            self._swap(entry.build, report)
        programs = self._session.world.lives.programs
        running = programs.sources()
        lines = {
            name: programs.read(name, source)
            for name, source in entry.lines.items()
            if name in running and running[name].text != source.text
        }
        if lines:
            self._swap_lines(lines, report)
        report.ms = (time.monotonic() - since) * 1000.0
        self._tell(report)
        return report.line()

    def hear(self, error: Diagnostic) -> None:
        """A run-time error was reported."""
        self._probation.hear(error)

    def _blame(self, fault: Diagnostic) -> None:
        journal = self._session.journal
        # The report itself has been told.
        text = f"since this reload: {fault.message}"
        if self._session.options.auto_rollback:
            journal.say("error", f"{text}; taken back; {REVIVING} what it ended")
            self.undo()
        else:
            journal.say("error", f"{text}; `reload undo` takes it back, and {REVIVING} what it ended")

    # ---- the transaction -------------------------------------------------------------------------------

    def _transact(
        self,
        files: list[Path],
        since: float,
        *,
        everything: bool = False,
        asked: Sequence[Path] | None = None,
        what: str = "all files",
        ahead: Compiled | None = None,
    ) -> ReloadReport:
        session, intake = self._session, self._session.intake
        wanted = Wanted(files, session.level_name, everything=everything)
        report = ReloadReport([shown_path(path) for path in files] or [what])
        session.search.texts.forget(files)
        old, before = session.search, session.faults
        found = Prepared()
        try:
            if "manifests" in wanted:
                intake.mods(asked)
            found = prepare(session, wanted, ahead)
        except DiagnosticError as error:
            found.refuse("manifests", error)
        report.build_ms, report.assets, report.kept = found.build_ms, found.assets, found.kept
        report.refused, report.diagnostics = bool(found.problems), found.problems
        if not report.refused:
            if "manifests" in wanted:
                report.notes += intake.mods_taken(old)
            # Scripts have not run yet, whose errors are others. What was told is such as the faults of sounds, for
            # which nothing else of a set has to wait.
            if "surfaces" in wanted:
                intake.surfaces()
            told = session.faults - before
            self._put_in(found, wanted, report)
            if told and not report.kept:
                report.notes.append(f"{told} error{'s' * (told != 1)} in what was saved, told above")
        else:
            if session.search is not old:
                intake.mods_refused(old)
            self._faulty = found.faulty
        report.ms = (time.monotonic() - since) * 1000.0
        self._tell(report)
        return report

    def _put_in(self, found: Prepared, wanted: Wanted, report: ReloadReport) -> None:
        """Everything at once, between two frames."""
        session, intake = self._session, self._session.intake

        def note(what: str, names: Sequence[str]) -> None:
            if names:
                report.notes.append(f"{what} {', '.join(names[:6])}")

        note("variables", intake.cvars(found.cvars) if found.cvars is not None else ())
        note("weapons", intake.weapons(found.weapons) if found.weapons is not None else ())
        if found.kept:
            so = "as it was, since it" if len(found.kept) == 1 else "as they were, since they"
            report.notes.append(f"{', '.join(found.kept)} {so} cannot be read")
        for path in wanted.files:
            elsewhere = misplaced(path)
            if elsewhere is not None:
                session.tell(elsewhere)
                report.notes.append(f"{path.name} is of no use where it is")
        if "surfaces" in wanted:
            report.notes.append("surfaces with the next `map_restart`")
        if "tables" in wanted and session.vm.tables.forget():
            report.notes.append("tables")
        before = self.history.current
        if found.build is not None or found.lines:
            self._probation.begin()
        if found.build is not None:
            self._program(found.build, report)
        if found.lines:
            self._remember_lines(found.lines, before, tuple(report.files))
            self._swap_lines(found.lines, report)
        note("units", intake.units(found.units) if found.units is not None else ())
        if found.level is not None:
            session.take_level(found.level)
            report.notes.append("the level began again")
        elif wanted.other_levels:
            report.notes.append("a level that is not played")

    def _remember_lines(
        self, lines: dict[str, Program], before: Entry | None, files: tuple[str, ...]
    ) -> None:
        """Put the old and the new texts of line scripts into the history. `before` is what ran until now."""
        running = self._session.world.lives.programs.sources()
        build = self._session.build
        if before is None or build is None:
            return
        if self.history.current is before:
            self.history.push(build, files)
        after = self.history.current
        assert after is not None
        for name, program in lines.items():
            if name in running:
                before.lines.setdefault(name, running[name])
            after.lines[name] = program.source

    def _swap_lines(self, lines: dict[str, Program], report: ReloadReport) -> None:
        lives = self._session.world.lives
        counts = merge(lives.swap(lines))
        fates = ", ".join(f"{count} {LINE_FATES[fate]}" for fate, count in counts.items() if count)
        note = f"line scripts {', '.join(sorted(lines)[:6])}: {fates or 'none run'}"
        ended = sum(lives.schedule.ended[program.name] for program in lines.values())
        if ended:
            note += f" ({REVIVING} {ended} that an error ended)"
        report.notes.append(note)
        self._probation.watch(paths=(program.source.path for program in lines.values()))

    def _program(self, build: Build, report: ReloadReport) -> None:
        session = self._session
        doubts, self._doubted = self._doubts(build, report.files), None
        if session.broken:
            # There was no program to go on with: the level starts as it should have at first.
            session.build = build
            session.restart()
            self.history.push(build, tuple(report.files))
            report.warnings = doubts
            return
        old = session.build
        assert old is not None
        changed = self._swap(build, report)
        if session.build is not None and session.build is not old:
            self.history.push(session.build, tuple(report.files))
        session.intake.begin_fresh()
        before, now = (old.program, old.warnings), (build.program, build.warnings)
        report.warnings = [*fresh_warnings(before, now, changed), *doubts]

    def _swap(self, build: Build, report: ReloadReport) -> tuple[Key, ...]:
        """Link a program between two notifies, with which scripts prepare and repair; the functions that changed."""
        session = self._session
        vm = session.vm
        old = session.build
        scripts = [
            name
            for name in dict.fromkeys([*(old.program.scripts if old else ()), *build.program.scripts])
            if old is None or _text(old, name) != _text(build, name)
        ]
        if vm.level.waiters and "reloading" in vm.level.waiters:
            vm.notify(vm.level, "reloading", Array.of(scripts))
            session.drain()
        begin = time.monotonic()
        with undisturbed():
            linked = session.link(build)
        self._rubbish = True
        report.swap_ms = (time.monotonic() - begin) * 1000.0
        report.threads = dict(linked.counts())
        report.changed = len(linked.changed)
        report.rows = linked.rows
        self._probation.watch(linked.changed)
        vm.notify(vm.level, "reloaded", Array.of(scripts))
        return linked.changed

    def _tell(self, report: ReloadReport) -> None:
        self.last = report
        journal = self._session.journal
        self._session.faults += len(report.diagnostics)
        first = report.diagnostics[0] if report.diagnostics else None  # models' faults are told already
        journal.say("reload" if report.ok else "error", report.line(), first)
        for diagnostic in report.diagnostics[1:]:
            journal.say("error", diagnostic.message, diagnostic)
        for warning in report.warnings:
            journal.say("warning", warning.message, warning)
        journal.event(
            "reload",
            self._session.time,
            ok=report.ok,
            files=report.files,
            ms=round(report.ms, 1),
            build_ms=round(report.build_ms, 1),
            swap_ms=round(report.swap_ms, 1),
            functions=report.changed,
            threads=report.threads,
            fates=[fate_dict(row) for row in report.rows],
            assets=list(report.assets),
            notes=report.notes,
            diagnostics=[to_dict(d) for d in report.faults],
        )


def _text(build: Build, name: str) -> str | None:
    script = build.program.scripts.get(name)
    return script.source.text if script is not None else None


def _names(files: tuple[str, ...]) -> str:
    return ", ".join(Path(name).name for name in files[:4]) or "the start"
