"""What a reload did: the line for people, and the table behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from engine.mods.rereading import Faults
from engine.source import Diagnostic, Span
from engine.source.render import to_text
from engine.vm.fates import Fate, FrameFate


@dataclass(slots=True)
class ReloadReport:
    """What one transaction did. The fates of the threads add up to all of them.

    refused   whether something was wrong with the set, so that nothing of it but models and sounds was taken in
    ms        from the last event of the files to the end of the swap
    build_ms  the part of it in which scripts were compiled: between two frames, where there was time
    swap_ms   the part of it in which the game stood still for linking
    changed   how many functions are new, gone or different
    assets    names of models and clips that are new
    kept      models and clips that cannot be read and stay as they were, and why
    notes     other things that were taken in, or will be with the next level
    rows      the table behind the counts
    diagnostics  why it was refused
    warnings     what was taken in, is new, and is most likely a slip
    """

    files: list[str]
    refused: bool = False
    ms: float = 0.0
    build_ms: float = 0.0
    swap_ms: float = 0.0
    changed: int = 0
    threads: dict[Fate, int] = field(default_factory=dict)
    assets: tuple[str, ...] = ()
    kept: dict[str, Faults] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    rows: tuple[FrameFate, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all that was saved is in the game."""
        return not self.refused and not self.kept

    @property
    def faults(self) -> list[Diagnostic]:
        """All that is wrong with what was saved, and what is doubtful in it."""
        kept = (fault for faults in self.kept.values() for fault in faults)
        return [*self.diagnostics, *kept, *self.warnings]

    def line(self) -> str:
        """The report in one line."""
        what = ", ".join(Path(name).name for name in self.files[:4]) + (" ..." if len(self.files) > 4 else "")
        if self.refused:
            count = len(self.faults)
            errors = "1 error" if count == 1 else f"{count} errors"
            return f"{what}: not taken in, {errors}; the game runs on with the old code"
        parts = []
        if self.threads:
            parts.append(f"{self.changed} function{'s' * (self.changed != 1)} changed")
            words = {"untouched": "threads untouched", "kept": "kept on old code"}
            parts += [f"{count} {words.get(fate, fate)}" for fate, count in self.threads.items()]
        if self.assets:
            parts.append(f"assets {', '.join(self.assets[:6])}")
        if self.warnings:
            parts.append(f"{len(self.warnings)} warning{'s' * (len(self.warnings) != 1)}")
        return f"{what}: {', '.join([*parts, *self.notes]) or 'taken in'}, {self.ms:.0f} ms"

    def table(self) -> str:
        """What happened to each suspended call whose function changed, or what is wrong with what was saved."""
        wrong = [to_text(fault) for fault in self.faults]
        if self.refused or (wrong and not self.rows):
            return "\n".join(wrong)
        if not self.rows:
            return "no thread waits in a function that changed"
        lines = [("thread", "function", "old line", "new line", "fate", "why")]
        for row in self.rows:
            why = row.reason + (f"; lost: {', '.join(row.dropped)}" if row.dropped else "")
            lines.append((str(row.thread), row.function, _line(row.old), _line(row.new), row.fate, why))
        widths = [max(len(line[column]) for line in lines) for column in range(5)]
        table = [
            "  ".join([*(text.ljust(width) for text, width in zip(line, widths, strict=False)), line[5]])
            for line in lines
        ]
        return "\n".join([*wrong, *table])


def _line(span: Span | None) -> str:
    return str(span.line) if span is not None else "-"
