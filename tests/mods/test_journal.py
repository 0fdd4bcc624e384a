"""What a game writes down for people to read later."""

from __future__ import annotations

from pathlib import Path

from engine.mods.journal import Journal
from engine.source import Diagnostic, SourceText, Span


def test_the_log_file_holds_the_whole_report_of_a_fault(tmp_path: Path) -> None:
    source = SourceText("guard.gsc", "main()\n{\n    walk()\n}\n")
    journal = Journal(log=tmp_path / "game.log")
    journal.say("info", "a level begins")
    fault = Diagnostic("syntax", "expected ';'", Span(source, 17, 18))
    journal.say("error", "guard.gsc: not taken in", fault)
    journal.close()
    log = (tmp_path / "game.log").read_text("utf-8")
    assert log.startswith("[info] a level begins\n[error] guard.gsc: not taken in\nguard.gsc:3:")
    assert "    walk()\n" in log
