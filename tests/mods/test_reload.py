"""What a save does to what is running: the fates of threads, function values, trees, broken and removed files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.mods.journal import Journal
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

MAIN = """
main()
{
    level.score = 5;
    level.callback = ::answer;
    level thread waits();
    level thread loops();
    level thread asks();
}

waits()
{
    level waittill("never");
}

loops()
{
    for (;;)
    {
        level.turns = inner();
    }
}

inner()
{
    wait 0.05;
    return 1;
}

asks()
{
    for (;;)
    {
        level.answer = [[level.callback]]();
        wait 0.05;
    }
}

answer()
{
    return "old";
}
"""


class Bench:
    """A session over a copy of nothing but one script beside the sandbox, with saves handed over directly."""

    def __init__(self, folder: Path, events: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
        self.script = folder / "mine.gsc"
        self.script.write_text(MAIN)
        self.events_file = events
        self.session = GameSession(GameOptions(mods=(folder,), watch=False), Journal(events))
        self.run(5)

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.session.frame()

    def save(self, text: str, path: Path | None = None) -> dict[str, Any]:
        """Save a file, let the transaction happen and the game go on for some frames; the reload's event."""
        path = path or self.script
        path.write_text(text)
        self.session.reloader.take(Changes(frozenset({path}), frozenset(), 0.0))
        self.run(5)
        return self.events("reload")[-1]

    def events(self, kind: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.events_file.read_text().splitlines()]
        return [event for event in found if event["event"] == kind]

    def threads(self) -> list[str]:
        """The functions of the threads that the script itself started."""
        return [view.function for view in self.session.vm.threads() if view.function.startswith("mine::")]

    def own_threads(self) -> list[str]:
        """The root functions of the threads that this script has started."""
        views = self.session.vm.threads()
        return sorted(view.function for view in views if view.function.startswith("mine::"))

    def field(self, name: str) -> Any:
        return self.session.vm.level.get_field(name)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "mine", tmp_path / "events.jsonl")
    yield bench
    bench.session.close()


def test_a_comment_and_a_new_function_in_front_change_no_thread(bench: Bench) -> None:
    event = bench.save("// a comment\nhelper()\n{\n}\n" + MAIN)
    assert event["ok"] is True
    assert event["threads"]["restarted"] == event["threads"]["ended"] == 0
    assert event["threads"]["untouched"] > 3


def test_function_values_run_the_new_code_and_fields_stay(bench: Bench) -> None:
    assert bench.field("answer") == "old"
    bench.save(MAIN.replace('return "old"', 'return "new"'))
    assert bench.field("answer") == "new"
    assert bench.field("score") == 5


def test_a_broken_save_changes_nothing_and_the_next_good_one_recovers(bench: Bench) -> None:
    before = bench.threads()
    bad = bench.save(MAIN.replace('return "old";', 'return "old" +;'))
    assert bad["ok"] is False
    assert (Path(bad["diagnostics"][0]["path"]).name, bad["diagnostics"][0]["line"]) == ("mine.gsc", 41)
    assert bench.field("answer") == "old"
    assert bench.threads() == before
    assert bench.save(MAIN.replace('return "old"', 'return "good"'))["ok"] is True
    assert bench.field("answer") == "good"


def test_level_hears_of_every_good_reload(bench: Bench) -> None:
    listener = MAIN.replace('level waittill("never");', 'level waittill("reloaded"); level.heard = 1;')
    bench.save(MAIN)
    assert bench.field("heard") is None
    bench.save(listener)
    bench.save(listener + "\n")
    assert bench.field("heard") == 1


def test_removing_a_needed_script_keeps_the_old_code_and_says_so(bench: Bench) -> None:
    bench.script.unlink()
    bench.session.reloader.take(Changes(frozenset(), frozenset({bench.script}), 0.0))
    bench.run(3)
    event = bench.events("reload")[-1]
    assert event["ok"] is False
    assert bench.field("answer") == "old"
    assert any("is gone" in line.text for line in bench.session.drain_log())
    assert bench.save(MAIN)["ok"] is True


def test_a_tree_that_loses_a_name_is_refused_with_the_scripts_place(bench: Bench, tmp_path: Path) -> None:
    trees = bench.folder / "animtrees"
    trees.mkdir()
    event = bench.save("lonely\n", trees / "soldier.atr")
    assert event["ok"] is False
    assert any(d["code"] == "unknown-animation" and d["path"].endswith(".gsc") for d in event["diagnostics"])
    (trees / "soldier.atr").unlink()
    assert bench.session.reloader.everything().ok is True


def test_the_level_runs_without_scripts_that_are_broken_at_the_start_until_they_are_repaired(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mod.toml").write_text('name = "mine"\nrequires = ["sandbox"]\nautostart = "mine"\n')
    script = folder / "mine.gsc"
    script.write_text("main( { }")
    session = GameSession(GameOptions(mods=(folder,), watch=False))
    assert session.broken
    assert session.player is None
    for _ in range(3):
        session.frame()
    script.write_text("main() { level.works = 1; }")
    session.reloader.take(Changes(frozenset({script}), frozenset(), 0.0))
    session.frame()
    assert not session.broken
    assert session.vm.level.get_field("works") == 1
    assert session.player is not None
    session.close()
