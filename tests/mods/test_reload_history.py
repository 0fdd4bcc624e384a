"""Taking reloads back and doing them again, pausing, policies, and new errors after a save."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import paths
from engine.mods import history
from engine.mods.history import KEPT
from engine.mods.journal import Journal
from engine.mods.program import Build, Builder
from engine.mods.recording import Recording
from engine.mods.replay import open_session, replay
from engine.mods.session import GameOptions, GameSession
from engine.mods.watch import Changes

MAIN = """
main()
{
    level.rounds = 0;
    level thread walks();
}

walks()
{
    for (count = 0;; count++)
    {
        level.rounds = count;
        wait 0.05;
    }
}
"""

MANIFEST = 'name = "mine"\nrequires = ["base"]\ngametype = "mine"\nautostart = "mine"\n'
CALLBACKS = "".join(f"codecallback_{n}()\n{{\n}}\n" for n in ("startgametype", "playerconnect"))
LEVEL = '{\n"classname" "worldspawn"\n}\n{\n"classname" "info_player_start"\n"origin" "0 0 64"\n}\n'
GAMETYPE = "main()\n{\n}\n"


class Table:
    """A game of one mod; saves are handed over directly, or with `watch` found by the watcher."""

    def __init__(self, folder: Path, *, rollback: bool = False, watch: bool = False) -> None:
        self.folder = folder / "mine"
        (self.folder / "maps" / "mp" / "gametypes").mkdir(parents=True, exist_ok=True)
        self.manifest = self.folder / "mod.toml"
        self.manifest.write_text(MANIFEST)
        (self.folder / "maps" / "mp" / "gametypes" / "mine.gsc").write_text(GAMETYPE)
        (self.folder / "maps" / "mp" / "gametypes" / "_callbacksetup.gsc").write_text(CALLBACKS)
        (self.folder / "levels").mkdir(exist_ok=True)
        (self.folder / "levels" / "tiny.map").write_text(LEVEL)
        self.script = self.folder / "mine.gsc"
        self.script.write_text(MAIN)
        self.events_file = folder / "events.jsonl"
        options = GameOptions("tiny", mods=(self.folder,), watch=watch, auto_rollback=rollback)
        self.session = GameSession(options, Journal(self.events_file))
        self.run(6)

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.session.frame()

    def save(self, text: str, path: Path | None = None) -> dict[str, Any]:
        path = path or self.script
        path.write_text(text)
        self.session.reloader.take(Changes(frozenset({path}), frozenset(), 0.0))
        return self.reloads()[-1] if self.reloads() else {}

    def reloads(self) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.events_file.read_text().splitlines()]
        return [event for event in found if event["event"] == "reload"]

    def rounds(self) -> Any:
        return self.session.vm.level.get_field("rounds")

    def says(self) -> list[str]:
        return [line.text for line in self.session.drain_log()]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.close()


FASTER = MAIN.replace("level.rounds = count;", "level.rounds = count + 1000;")


def test_the_report_has_a_line_for_each_moved_call(table: Table) -> None:
    before = table.rounds()
    event = table.save(FASTER)
    assert event["functions"] == 1
    assert event["threads"] == {"untouched": 0, "moved": 1, "restarted": 0, "kept": 0, "ended": 0}
    (fate,) = event["fates"]
    assert (fate["function"], fate["old_line"], fate["new_line"]) == ("mine::walks", 13, 13)
    assert (fate["fate"], fate["reason"], fate["lost"]) == ("moved", "the same place", [])
    table.run(1)
    assert table.rounds() == before + 1001
    said = table.session.execute("reload_report")
    assert (
        "1 function changed, 0 threads untouched, 1 moved, 0 restarted, 0 kept on old code, 0 ended" in said
    )
    assert "mine::walks  13        13        moved  the same place" in said


def test_a_save_of_a_script_ends_a_recording_and_says_so(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table.session.execute(f"record {path}")
    table.run(3)
    table.says()
    table.save(FASTER)
    table.run(3)
    assert sum(f"the recording {path} has ended before frame 10" in text for text in table.says()) == 1
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    assert [next(iter(entry)) for entry in entries] == ["recording", "frame", "frame", "frame", "reload"]
    # What is begun after a save while the game stands still is not ended by that save.
    table.session.execute("hold")
    table.save(MAIN)
    table.session.execute(f"record {path}")
    table.session.execute("go")
    table.run(3)
    table.session.execute("record stop")
    assert sum('"frame"' in line for line in path.read_text().splitlines()[1:]) == 3


def test_a_recording_is_followed_back_to_before_a_save(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table.run(30)
    # The thread moves into the new text, where it would begin again in whoever knows only that.
    table.save(FASTER)
    table.run(2)
    table.session.execute(f"record {path}")
    table.run(2)
    assert "seconds back" in table.session.execute("rewind 1")
    table.run(6)
    table.session.execute("record stop")
    recording = Recording.read(path)
    other = open_session(recording.head, (table.folder,))
    report = replay(recording, other)
    other.close()
    assert (report.frames, report.difference) == (8, None)


def test_undo_and_redo_move_the_threads_both_ways(table: Table) -> None:
    assert table.session.execute("reload undo") == "there is no reload to take back"
    table.save(FASTER)
    table.run(2)
    count = table.rounds() - 1000
    assert "1 moved" in table.session.execute("reload undo")
    table.run(1)
    assert table.rounds() == count + 1
    assert "1 moved" in table.session.execute("reload redo")
    table.run(1)
    assert table.rounds() == count + 1002
    assert table.session.execute("reload redo") == "there is nothing to redo"


def test_a_save_after_an_undo_cuts_off_what_was_undone(table: Table) -> None:
    table.save(FASTER)
    table.session.execute("reload undo")
    table.save(MAIN.replace("= count;", "= count + 5;"))
    assert table.session.execute("reload redo") == "there is nothing to redo"
    assert "1 moved" in table.session.execute("reload undo")


def test_what_is_remembered_has_bounds(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = table.session.reloader.history
    for number in range(KEPT + 3):
        table.save(MAIN.replace("= count;", f"= count + {number};"))
    assert len(entries) == KEPT
    monkeypatch.setattr(history, "TEXT", 3 * len(FASTER))
    table.save(FASTER)
    assert len(entries) == 4
    table.save(FASTER + "// " + "x" * 4 * len(FASTER))
    assert len(entries) == 2
    # The one before can be gone back to however long this one is.
    assert table.session.execute("reload undo").startswith("undo of mine.gsc: 0 functions changed")
    assert table.session.execute("reload undo") == "there is no reload to take back"


def test_pause_collects_saves_for_one_transaction(table: Table) -> None:
    table.session.execute("reload pause")
    assert table.save(FASTER) == {}
    assert table.save(GAMETYPE + "// x\n", table.folder / "maps" / "mp" / "gametypes" / "mine.gsc") == {}
    table.run(2)
    assert table.rounds() < 1000
    assert "1 moved" in table.session.execute("reload resume")
    assert len(table.reloads()) == 1
    assert len(table.reloads()[0]["files"]) == 2
    assert table.session.execute("reload resume") == "nothing was saved meanwhile"


GONE = MAIN.replace("wait 0.05;", 'level waittill("never");')


def test_the_policy_of_the_mod_holds_where_a_thread_has_no_place(table: Table) -> None:
    assert table.save(GONE)["threads"]["restarted"] == 1
    table.save(MAIN)
    table.run(2)
    event = table.save(MANIFEST + 'reload = "keep"\n', table.manifest)
    assert event["ok"]
    assert table.save(GONE)["threads"]["kept"] == 1
    before = table.rounds()
    table.run(3)
    assert table.rounds() == before + 3
    event = table.save(GONE + "// reload\nother()\n{\n}\n")
    assert event["threads"]["kept"] == 1
    assert table.save(MAIN)["threads"] == {"untouched": 0, "moved": 1, "restarted": 0, "kept": 0, "ended": 0}
    table.run(1)
    assert table.rounds() == before + 4


def test_a_bad_policy_is_refused_with_its_line(table: Table) -> None:
    event = table.save(MANIFEST + 'reload = "maybe"\n', table.manifest)
    assert event["ok"] is False
    assert event["diagnostics"][0]["line"] == 5


def test_a_directive_above_a_function_is_stronger_than_the_mod(table: Table) -> None:
    table.save(MAIN.replace("walks()\n{", "// notetrack: reload=end\nwalks()\n{"))
    event = table.save(GONE.replace("walks()\n{", "// notetrack: reload=end\nwalks()\n{"))
    assert event["threads"]["ended"] == 1
    assert event["fates"][0]["reason"] == "the wait is not there any more"


FAULTY = MAIN.replace("level.rounds = count;", "level.rounds = count + level;")


def test_a_new_error_after_a_save_offers_to_take_it_back(table: Table) -> None:
    table.save(FAULTY)
    table.says()
    table.run(2)
    (advice,) = [text for text in table.says() if "`reload undo` takes it back" in text]
    assert "`map_restart`" in advice
    assert "`rewind`" in advice


def test_roll_back_by_itself_when_asked(tmp_path: Path) -> None:
    table = Table(tmp_path, rollback=True)
    table.save(
        MAIN.replace("wait 0.05;", "wait 0.05;\n        thread fails();")
        + "fails()\n{\n    x = 1 + level;\n}\n"
    )
    before = table.rounds()
    table.run(3)
    assert [event["files"][0] for event in table.reloads()][-1] == "undo of mine.gsc"
    assert table.reloads()[-1]["threads"]["moved"] == 1
    assert table.rounds() == before + 3
    table.session.close()


def test_scripts_hear_before_and_after(table: Table) -> None:
    listener = (
        MAIN
        + """
listens()
{
    for (;;)
    {
        level waittill("reloading", scripts);
        level.before = scripts[0];
        level waittill("reloaded", scripts);
        level.after = scripts[0];
    }
}
"""
    )
    table.save(
        listener.replace("level thread walks();", "level thread walks();\n    level thread listens();")
    )
    table.session.vm.start("mine::listens")
    table.save(listener.replace("= count;", "= count + 7;"))
    assert table.session.vm.level.get_field("before") == "mine"
    table.run(1)
    assert table.session.vm.level.get_field("after") == "mine"


def test_an_added_function_directive_with_a_bad_value_is_warned_about(table: Table) -> None:
    table.save(MAIN.replace("walks()\n{", "// notetrack: reload=maybe\nwalks()\n{"))
    assert any("'reload' is one of restart, keep, end" in text for text in table.says())


def test_weapons_change_in_the_hands_of_who_holds_them(tmp_path: Path) -> None:
    weapons = tmp_path / "mine" / "assets" / "weapons"
    weapons.mkdir(parents=True)
    file = weapons / "rifle.toml"
    file.write_text('title = "Rifle"\nclip = 5\n')
    table = Table(tmp_path)
    player = table.session.world.players()[0]
    player.arms.give(table.session.world.weapons["rifle"])
    event = table.save('title = "Rifle"\nclip = 9\n', file)
    assert event["notes"] == ["weapons rifle"]
    assert player.arms.held["rifle"].weapon.clip == 9
    event = table.save('title = "Rifle"\nclip = "many"\n', file)
    assert (event["ok"], [d["line"] for d in event["diagnostics"]]) == (False, [2])
    assert player.arms.held["rifle"].weapon.clip == 9
    said = table.session.execute("reload_report")
    assert "rifle.toml:2:1: error: clip must be a whole number" in said
    table.session.close()


def test_an_asset_folder_that_comes_while_the_game_runs_counts(table: Table) -> None:
    sounds = table.folder / "assets" / "sounds" / "sounds.toml"
    sounds.parent.mkdir(parents=True)
    table.says()
    table.save('[crack]\nfiles = ["nothing"]\n', sounds)
    assert any("there is no sound file `nothing`" in text for text in table.says())
    known = table.session.library.sound_names()[0]
    table.save(f'[crack]\nfiles = ["{known}"]\n', sounds)
    assert table.session.library.sound("crack") is not None


def test_a_fault_in_the_surfaces_is_told_at_once(table: Table) -> None:
    surfaces = table.folder / "assets" / "levels" / "surfaces.toml"
    surfaces.parent.mkdir(parents=True)
    event = table.save('planks = "chocolate"\n', surfaces)
    assert event["notes"] == [
        "surfaces with the next `map_restart`", "1 error in what was saved, told above",
    ]  # fmt: skip
    assert any("surface planks needs a material" in text for text in table.says())


def test_a_save_that_changes_no_script_is_no_step_of_the_history(table: Table) -> None:
    table.save(FASTER)
    table.save(MANIFEST + 'reload = "keep"\n', table.manifest)
    table.save(FASTER)
    assert "1 moved" in table.session.execute("reload undo")
    assert table.session.execute("reload undo") == "there is no reload to take back"
    assert "1 moved" in table.session.execute("reload redo")


def test_another_level_in_the_manifest_is_for_the_next_start(table: Table) -> None:
    event = table.save(MANIFEST + 'level = "yard"\n', table.manifest)
    assert event["notes"][0] == "level yard with the next start"


def test_a_checkout_of_another_branch_is_one_transaction(table: Table) -> None:
    helper = table.folder / "helper.gsc"
    helper.write_text("help()\n{\n    return 50;\n}\n")
    table.script.write_text(MAIN.replace("= count;", "= count + helper::help();"))
    changed = frozenset({helper, table.script})
    table.session.reloader.take(Changes(changed, frozenset(), 0.0))
    table.run(1)
    count = table.rounds() - 50
    helper.unlink()
    table.script.write_text(FASTER)
    table.session.reloader.take(Changes(frozenset({table.script}), frozenset({helper}), 0.0))
    assert [event["threads"]["moved"] for event in table.reloads()] == [1, 1]
    table.run(1)
    assert table.rounds() == count + 1001


def test_a_renamed_script_takes_its_threads_along(table: Table) -> None:
    other = table.folder / "other.gsc"
    table.script.rename(other)
    table.manifest.write_text(MANIFEST.replace('autostart = "mine"', 'autostart = "other"'))
    changes = Changes(frozenset({other, table.manifest}), frozenset({table.script}), 0.0)
    table.session.reloader.take(changes)
    assert table.reloads()[-1]["threads"]["moved"] == 1
    before = table.rounds()
    table.run(2)
    assert table.rounds() == before + 2
    assert {view.function for view in table.session.vm.threads()} >= {"other::walks"}


def test_a_fault_of_the_engines_own_at_a_save_does_not_end_the_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Builder, entries: object) -> Build:
        raise ZeroDivisionError("somewhere")

    with monkeypatch.context() as patch:
        patch.setattr(Builder, "build", fail)
        event = table.save(FASTER)
    assert event["ok"] is False
    assert "ZeroDivisionError: somewhere" in event["diagnostics"][0]["message"]
    before = table.rounds()
    table.run(1)
    assert table.rounds() == before + 1
    assert table.save(FASTER + "// again")["ok"]
    table.run(1)
    assert table.rounds() == before + 1002


def other_mod(folder: Path, text: str) -> Path:
    mod = folder / "extra"
    mod.mkdir()
    (mod / "mod.toml").write_text('name = "extra"\nautostart = "extra"\n')
    (mod / "extra.gsc").write_text(text)
    weapons = mod / "assets" / "weapons"
    weapons.mkdir(parents=True)
    (weapons / "club.toml").write_text('title = "Club"\nclip = 1\n')
    return mod


EXTRA = "main()\n{\n    for (level.extra = 0;; level.extra++)\n        wait 0.05;\n}\n"


def test_a_mod_comes_into_the_running_game_and_goes(table: Table, tmp_path: Path) -> None:
    mod = other_mod(tmp_path, EXTRA)
    said = table.session.execute(f"mods add '{mod}'")
    assert "1 function changed, 1 threads untouched" in said
    assert "weapons club" in said
    assert [m.name for m in table.session.search] == ["extra", "mine", "base"]
    table.run(4)
    assert table.session.vm.level.get_field("extra") == 3
    before = table.rounds()
    removed = table.session.execute("mods remove extra")
    assert "1 ended" in removed
    assert removed.endswith("\nwhat it has spawned stays until `map_restart`")
    table.run(2)
    assert table.session.vm.level.get_field("extra") == 3
    assert table.rounds() == before + 2
    assert "was not asked for" in table.session.execute("mods remove base")
    assert (
        table.session.execute("mods add") == "mods, mods add NAME or mods remove NAME; NAME may be a folder"
    )


def test_undo_says_which_mods_are_still_played(table: Table, tmp_path: Path) -> None:
    mod = other_mod(tmp_path, EXTRA)
    session = table.session
    session.execute("save before")
    session.execute(f"mods add '{mod}'")
    said = session.execute("reload undo")
    assert "undo of extra" in said
    assert said.endswith("until `mods remove extra`")
    assert "or type `mods remove extra`" in session.execute("load before")
    # Once more there and back: the mod is still played, so that nothing has to be said when its code is back.
    assert "`mods" not in session.execute("reload redo")
    session.execute("mods remove extra")
    assert "goes on at" in session.execute("load before")
    assert session.execute("reload undo").endswith(f"`mods add {mod}`")


def test_a_mod_with_errors_does_not_come_in(table: Table, tmp_path: Path) -> None:
    mod = other_mod(tmp_path, EXTRA.replace("wait 0.05", "wait"))
    assert "extra.gsc:4" in table.session.execute(f"mods add '{mod}'")
    assert [m.name for m in table.session.search] == ["mine", "base"]
    assert table.save(FASTER)["ok"]
    assert "there is no mod folder" in table.session.execute("mods add nowhere")


def test_a_mod_that_is_dropped_beside_the_others_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = tmp_path / "shelf"
    shutil.copytree(paths.mods() / "base", shelf / "base")
    monkeypatch.setattr(paths, "mods", lambda: shelf)
    table = Table(tmp_path, watch=True)
    other_mod(shelf, EXTRA)
    table.run(21)
    assert any("`mods add extra` plays it" in text for text in table.says())
    assert "1 function changed" in table.session.execute("mods add extra")
    table.run(2)
    assert table.session.vm.level.get_field("extra") == 1
    table.session.close()
