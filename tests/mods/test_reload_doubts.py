"""A slip that loads is told with the save that brings it: on the cards, in the log, the report and the event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.client.toast import toast_of
from engine.mods.journal import Journal, LogLine
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

ROUND = """main()
{
    began = gettime();
    for (;;)
    {
        wait 10;
        iprintln("this round has lasted " + (gettime() - began) / 1000 + " seconds");
    }
}

doubtful()
{
    number = 1;
    other = 2;
    return other;
}
"""
SPLIT = "'iprintln' is called on what the line before it gives; is a ';' missing there?"


class Saved:
    """A session over a mod of one script, with what is said of each save."""

    def __init__(self, folder: Path, text: str = ROUND) -> None:
        self.folder = folder / "mine"
        self.folder.mkdir()
        (self.folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
        self.script = self.folder / "mine.gsc"
        self.script.write_text(text)
        self.files = folder / "events.jsonl", folder / "log"
        journal = Journal(*self.files)
        self.session = GameSession(GameOptions(mods=(self.folder,), watch=False), journal)
        self.frames()

    def frames(self) -> list[LogLine]:
        for _ in range(4):
            self.session.frame()
        return self.session.drain_log()

    def save(self, text: str, path: Path | None = None) -> list[LogLine]:
        (path or self.script).write_text(text)
        changed = frozenset({path or self.script, self.script})
        self.session.reloader.take(Changes(changed, frozenset(), 0.0))
        return [line for line in self.frames() if line.kind in ("warning", "reload")]

    @property
    def event(self) -> dict[str, Any]:
        events = [json.loads(line) for line in self.files[0].read_text().splitlines()]
        found: dict[str, Any] = [event for event in events if event["event"] == "reload"][-1]
        return found


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[Saved]:
    made = Saved(tmp_path)
    yield made
    made.session.close()


def warnings(lines: list[LogLine]) -> list[str]:
    return [line.text for line in lines if line.kind == "warning"]


def test_a_missing_semicolon_that_makes_a_call_of_two_lines_is_told_everywhere(saved: Saved) -> None:
    report, warning = saved.save(ROUND.replace("wait 10;", "wait 2"))
    assert (report.kind, "1 warning," in report.text) == ("reload", True)
    assert (warning.kind, warning.text) == ("warning", SPLIT)
    card = toast_of(warning)
    assert card is not None
    assert (card.kind, card.place) == ("warning", "mine.gsc:7")
    assert f"mine.gsc:7:9: warning: {SPLIT} [split-call]" in saved.files[1].read_text()
    assert SPLIT in saved.session.execute("reload_report")
    event = saved.event
    assert event["ok"] is True, "code that runs elsewhere loads"
    assert [(d["severity"], d["code"], d["line"]) for d in event["diagnostics"]] == [
        ("warning", "split-call", 7)
    ]


def test_what_was_doubtful_before_is_not_told_again(saved: Saved) -> None:
    assert warnings(saved.save(ROUND.replace("wait 10", "wait 2"))) == []
    assert warnings(saved.save("// above\n" + ROUND.replace("other = 2", "other = 3"))) == []
    assert saved.event["diagnostics"] == []
    split = ROUND.replace("wait 10;", "wait 2")
    assert warnings(saved.save(split)) == [SPLIT]
    assert warnings(saved.save(split.replace("other = 2", "other = 4"))) == []
    assert warnings(saved.save(split.replace("began = gettime()", "began = 1"))) == []
    saved.session.execute("reload")
    assert warnings(saved.frames()) == []
    assert warnings(saved.save(ROUND)) == []
    assert warnings(saved.save(split)) == [SPLIT], "it was right in between"


def test_a_second_slip_like_one_that_is_there_is_told(saved: Saved) -> None:
    one = ROUND.replace("wait 10;", 'wait 1\n        iprintln("a");\n        wait 1;\n        iprintln("a");')
    assert warnings(saved.save(one)) == [SPLIT]
    assert warnings(saved.save(one.replace("wait 1;", "wait 1"))) == [SPLIT]


def test_a_new_script_is_told_of_where_it_was_saved(saved: Saved) -> None:
    text = ROUND.replace("wait 10;", "wait 1; helper::helps();")
    found = saved.save("helps()\n{\n    number = 1;\n}\n", saved.folder / "helper.gsc")
    assert warnings(found) == [], "nothing uses it"
    saved.script.write_text(text)
    assert warnings(saved.save("helps()\n{\n    number = 2;\n}\n", saved.folder / "helper.gsc")) == [
        "nothing in 'helps' reads 'number', which is set here"
    ]


def test_a_game_that_begins_broken_tells_of_the_save_that_mends_it(tmp_path: Path) -> None:
    saved = Saved(tmp_path, "main()\n{\n    wait +;\n}\n")
    assert saved.session.broken
    assert SPLIT in warnings(saved.save(ROUND.replace("wait 10;", "wait 2")))
    saved.session.close()


def test_what_is_compiled_ahead_of_the_frame_is_doubted_there(saved: Saved) -> None:
    class Watcher:
        def __init__(self) -> None:
            self.found: Changes | None = None

        def poll(self) -> Changes | None:
            found, self.found = self.found, None
            return found

        def close(self) -> None:
            pass

    watcher = Watcher()
    saved.session.watcher = watcher  # type: ignore[assignment]  # what a reload asks of one
    saved.script.write_text(ROUND.replace("wait 10;", "wait 2"))
    watcher.found = Changes(frozenset({saved.script}), frozenset(), 0.0)
    saved.session.reloader.ahead()
    assert saved.session.reloader._doubted is not None
    assert warnings(saved.frames()) == [SPLIT]
    saved.session.watcher = None


def test_of_a_save_of_very_many_functions_the_first_are_looked_at(saved: Saved) -> None:
    many = "".join(f"f{n}()\n{{\n    number{n} = 1;\n}}\n" for n in range(100))
    assert len(warnings(saved.save(ROUND + many))) == 64
