"""The reload transaction: everything saved together is compiled and linked dry, and only then swapped in.

A set that does not compile changes nothing: the game runs on with the old code, the error is shown with its source
line, and the next good save recovers. The swap happens between two server frames.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.mods.search import shown_path
from engine.mods.watch import Changes
from engine.source import Diagnostic, DiagnosticError
from engine.source.render import to_dict
from engine.vm.fates import Fate, LinkReport

if TYPE_CHECKING:
    from engine.mods.session import GameSession

SCRIPTS = frozenset({".gsc", ".atr"})
MODELS = frozenset({".glb", ".gltf", ".toml", ".png", ".jpg", ".wav", ".ogg"})
LEVELS = frozenset({".map"})


@dataclass(slots=True)
class ReloadReport:
    """What one transaction did. The fates of the threads add up to all of them.

    ms      from the last event of the files to the end of the swap
    assets  names of models and clips that are new
    """

    ok: bool
    files: list[str]
    ms: float = 0.0
    threads: dict[Fate, int] = field(default_factory=dict)
    assets: tuple[str, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def line(self) -> str:
        """The report in one line."""
        what = ", ".join(Path(name).name for name in self.files[:4]) + (" ..." if len(self.files) > 4 else "")
        if not self.ok:
            return f"{what}: not taken in, {len(self.diagnostics)} errors; the game runs on with the old code"
        parts = [
            f"{count} threads {fate}" for fate, count in self.threads.items() if count or fate == "untouched"
        ]
        if self.assets:
            parts.append(f"assets {', '.join(self.assets[:6])}")
        return f"{what}: {', '.join(parts) or 'taken in'}, {self.ms:.0f} ms"


class Reloader:
    """Applies settled changes to a session."""

    def __init__(self, session: GameSession) -> None:
        self._session = session

    def take(self, changes: Changes) -> ReloadReport:
        """One transaction for a settled set of changes; its report is logged and becomes an event."""
        return self._transact(sorted(changes.changed | changes.removed), changes.removed, changes.since)

    def everything(self) -> ReloadReport:
        """Read all files again, as the console's `reload` asks."""
        return self._transact([], frozenset(), time.monotonic(), everything=True)

    def _transact(
        self, files: list[Path], removed: frozenset[Path], since: float, *, everything: bool = False
    ) -> ReloadReport:
        kinds = {path.suffix.lower() for path in files}
        report = ReloadReport(True, [shown_path(path) for path in files])
        for path in removed:
            self._session.journal.say(
                "info", f"{shown_path(path)} is gone; what it brought stays until nothing needs it"
            )
        if kinds & MODELS or everything:
            self._assets(report)
        if kinds & SCRIPTS or everything or report.assets:
            self._program(report)
        if kinds & LEVELS and report.ok:
            self._level(files, report)
        report.ms = (time.monotonic() - since) * 1000.0
        self._tell(report)
        return report

    def _assets(self, report: ReloadReport) -> None:
        report.assets = self._session.library.reload()

    def _program(self, report: ReloadReport) -> None:
        session = self._session
        try:
            build = session.rebuild()
        except DiagnosticError as error:
            report.ok = False
            report.diagnostics = [d for d in error.diagnostics if d.severity != "warning"]
            return
        if session.broken:
            # There was no program to go on with: the level starts as it should have at first.
            session.build = build
            session.restart()
            return
        linked = session.link(build)
        if isinstance(linked, LinkReport):
            report.threads = dict(linked.counts())
        # A script that keeps numbers from its own text can take the new ones: `level waittill("reloaded")`.
        session.vm.notify(session.vm.level, "reloaded")
        for warning in build.warnings:
            session.journal.say("warning", warning.message, warning)

    def _level(self, files: Iterable[Path], report: ReloadReport) -> None:
        """Another level than the one that is played does not matter now."""
        session = self._session
        name = session.geometry.name.lower()
        if not any(path.suffix.lower() in LEVELS and path.stem.lower() == name for path in files):
            return
        try:
            session.reload_level()
        except DiagnosticError as error:
            report.ok = False
            report.diagnostics = list(error.diagnostics)

    def _tell(self, report: ReloadReport) -> None:
        journal = self._session.journal
        first = report.diagnostics[0] if report.diagnostics else None
        journal.say("reload" if report.ok else "error", report.line(), first)
        for diagnostic in report.diagnostics[1:]:
            journal.say("error", diagnostic.message, diagnostic)
        journal.event(
            "reload",
            self._session.time,
            ok=report.ok,
            files=report.files,
            ms=round(report.ms, 1),
            threads=report.threads,
            assets=list(report.assets),
            diagnostics=[to_dict(d) for d in report.diagnostics],
        )
