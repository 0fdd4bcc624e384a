"""Saved games, the way back, recordings: on the shipped sandbox, with its soldiers, units and line scripts."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.mods.recording import Frame, Recording, is_input
from engine.mods.replay import open_session, replay
from engine.mods.rewind import EVERY, RewindBuffer
from engine.mods.savefile import pack, save_path, unpack
from engine.mods.session import GameOptions, GameSession
from engine.source import DiagnosticError, SourceText
from engine.vm.packing import Damaged
from engine.world.command import Button, UserCommand
from tests.vm.damaged_states import refused_files

ROOT = Path(__file__).resolve().parents[2]


def new_session() -> GameSession:
    session = GameSession(GameOptions(watch=False))
    session.frame()
    return session


def play(session: GameSession, frames: int, start: int = 0) -> list[str]:
    """Walk about and shoot; the hash after each frame."""
    hashes = []
    for i in range(start, start + frames):
        buttons = (Button.ATTACK if i // 7 % 2 else Button(0)) | (Button.RELOAD if i % 40 == 3 else Button(0))
        angles = (0.0, i * 3.0 % 360.0 - 180.0, 0.0)
        session.command(UserCommand(50, math.cos(i / 17), math.sin(i / 10), 0.0, buttons, angles))
        session.frame()
        hashes.append(session.vm.state_hash())
    return hashes


def move_on(old: GameSession, new: GameSession) -> None:
    new.states.adopt(old.states.take())
    new.states.loaded = False


@pytest.fixture(scope="module")
def sessions() -> Iterator[tuple[GameSession, GameSession, GameSession]]:
    made = new_session(), new_session(), new_session()
    yield made
    for session in made:
        session.close()


@pytest.fixture
def session(sessions: tuple[GameSession, GameSession, GameSession]) -> GameSession:
    """One that was played for a second."""
    sessions[0].restart()
    play(sessions[0], 20)
    return sessions[0]


def test_the_game_can_move_to_another_session_at_every_frame(
    sessions: tuple[GameSession, GameSession, GameSession],
) -> None:
    stays, one, other = sessions
    stays.restart()
    one.restart()
    play(other, 5)
    for frame in range(30):
        assert play(stays, 1, frame) == play(one, 1, frame), f"frame {frame}"
        state = one.vm.snapshot()
        move_on(one, other)
        assert other.vm.snapshot() == state
        one, other = other, one


def test_a_saved_game_goes_on_where_it_was(
    session: GameSession, sessions: tuple[GameSession, GameSession, GameSession]
) -> None:
    view = session.world.players()[0].body.view
    assert session.execute("save first") == "saved as first at 0:01"
    expected = play(session, 20)
    assert session.execute("load first") == "first goes on at 0:01"
    # Input that the client sends before it has seen the frame would turn the player away.
    session.command(UserCommand(50, angles=(0.0, 77.0, 0.0)))
    assert session.world.players()[0].body.view == view
    session.states.loaded = False
    assert play(session, 20) == expected
    assert sessions[1].execute("load first") == "first goes on at 0:01"
    sessions[1].states.loaded = False
    assert play(sessions[1], 20) == expected
    assert "first" in session.execute("saves").split()


def test_entities_jump_where_a_state_is_put_in_place(session: GameSession) -> None:
    session.execute("save")
    play(session, 10)
    session.execute("load")
    view = session.world.picture()
    assert all(entity.teleport for entity in view.entities.values())
    assert not any(entity.teleport for entity in session.world.picture().entities.values())


def test_the_list_of_saved_games_says_of_what_they_are(
    session: GameSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTETRACK_STATE", str(tmp_path))
    session.execute("save listed")
    folder = save_path("listed").parent
    (folder / "a_folder.ntsave").mkdir()
    (folder / "two words.ntsave").write_bytes(save_path("listed").read_bytes())
    (folder / "cut.ntsave").write_bytes(save_path("listed").read_bytes()[:-1])
    lines = session.execute("saves").splitlines()
    assert len(lines) == 2
    assert "listed             0:01 in yard, with sandbox, base" in lines
    assert "cut              is no saved game: it is incomplete or was changed" in lines


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("save a b", "save NAME; a name is one word"),
        ("load first extra", "load NAME; `saves` lists the names"),
        ("saves x", "saves, without anything behind it"),
        ("rewind 5 6", "rewind SECONDS, such as `rewind 5`"),
        ("again 5 6", "again SECONDS, such as `again 5`"),
        ("record stop", "nothing is being recorded"),
        ("record a b", "record FILE, or `record stop`; quotes go around a name with spaces"),
        ("help kill", "kill: end the player's life"),
        ("help g_gametype", 'g_gametype is "range"'),
        ("help kil", "there is no command or variable 'kil'; did you mean kill?"),
    ],
)
def test_what_the_console_answers(session: GameSession, line: str, says: str) -> None:
    before = session.vm.state_hash()
    assert session.execute(line) == says
    assert session.vm.state_hash() == before


def test_help_lists_the_commands_also_where_there_is_no_screen(session: GameSession) -> None:
    said = session.execute("help").splitlines()
    assert any(line.startswith("save ") for line in said)
    assert len(said) == len(session.commands()) + 1


def test_who_kills_himself_is_told_so(session: GameSession) -> None:
    assert session.execute("kill") == "the player's life has ended"
    assert session.execute("kill") == "there is nobody alive to kill"


@pytest.mark.parametrize("name", ["../up", "a/b", "", "x" * 65, "a.b", "a\x00b", "C:evil"])
def test_a_name_that_could_leave_the_folder_is_refused(name: str) -> None:
    with pytest.raises(DiagnosticError, match="cannot be the name"):
        save_path(name)


def test_what_cannot_be_loaded_is_said_and_nothing_changes(session: GameSession) -> None:
    session.execute("save here")
    before = session.vm.state_hash()
    assert "did you mean here" in session.execute("load hare")
    path = save_path("here")
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    assert "incomplete or was changed" in session.execute("load here")
    path.write_bytes(b"GIF89a")
    assert "does not begin like one" in session.execute("load here")
    game = unpack(good)
    for other, says in [
        ({"level": "moon"}, "level 'moon'"),
        ({"mods": ("other",)}, "mods other"),
        ({"mods": ("other", "sandbox", "base")}, "notetrack play yard --mod other --mod sandbox`"),
        ({"mods": ("other", "sandbox", "base")}, "or type `mods add other`"),
        ({"level_text": "0"}, "level's file"),
        ({"state": game.state[:-1]}, "incomplete or was changed"),
    ]:
        fields = {name: getattr(game, name) for name in game.__dataclass_fields__}
        path.write_bytes(pack(type(game)(**{**fields, **other})))
        assert says in session.execute("load here")
    assert session.vm.state_hash() == before


def test_mutated_files_are_refused(session: GameSession) -> None:
    assert refused_files(pack(session.states.take()), 500, 3) >= 490


def test_a_small_file_cannot_become_a_large_one(
    monkeypatch: pytest.MonkeyPatch, session: GameSession
) -> None:
    data = pack(session.states.take())
    monkeypatch.setattr("engine.mods.savefile.MAX_STATE", 10_000)
    with pytest.raises(Damaged, match="too large"):
        unpack(data)


def test_the_way_back(session: GameSession) -> None:
    hashes = play(session, 60, 20)
    now = session.time
    assert session.execute("rewind 2").startswith("2")
    assert now - 2000 - EVERY * 50 <= session.time <= now - 2000
    gone = (now - session.time) // 50
    session.states.loaded = False
    assert session.vm.state_hash() == hashes[-1 - gone]
    assert play(session, gone, 80 - gone) == hashes[-gone:]
    assert "rewind SECONDS" in session.execute("rewind back")
    session.execute("rewind 1000")
    assert session.time <= 500


def test_the_way_back_keeps_to_its_budget() -> None:
    buffer = RewindBuffer(budget=5000)
    assert buffer.find(5) is None
    random = Random(4)
    for number in range(100):
        buffer.keep(number * 500, 0, random.randbytes(900))
        assert buffer.size <= 5000
    assert 4 <= len(buffer) <= 6
    found = buffer.find(99 * 500 - 1)
    assert found is not None
    assert found.time == 98 * 500
    assert len(found.state) == 900
    first = buffer.find(0)
    assert first is not None
    assert first.time > 90 * 500
    buffer.keep(97 * 500, 0, b"x")
    last = buffer.find(1 << 40)
    assert last is not None
    assert last.time == 97 * 500


def test_a_cvar_with_characters_that_no_script_has_is_saved(session: GameSession) -> None:
    assert session.execute("set name J\u00f6rg \u0141\u20ac") == 'name is "J\u00f6rg ??"'
    play(session, 1)
    session.execute("save named")
    session.execute("set name x")
    assert session.execute("load named").startswith("named goes on")
    assert session.vm.cvars["name"] == "J\u00f6rg ??"


def test_a_recording_is_followed_to_its_end(session: GameSession, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session.execute(f"record {path}")
    play(session, 10, 20)
    session.execute("set g_test 5")
    session.execute("save middle")
    play(session, 5, 30)
    session.execute("load middle")
    session.frame()
    session.execute("map_restart")
    play(session, 10, 35)
    session.execute("record stop")
    play(session, 2)
    recording = Recording.read(path)
    other = open_session(recording.head, ())
    assert replay(recording, other).difference is None
    assert replay(Recording.read(path), other).frames == 26
    assert other.vm.cvars["g_test"] == "5"
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"frame":' in line and n > 20 and "state" not in line)
    entry = json.loads(lines[at])
    lines[at] = json.dumps({**entry, "hash": "0" * 16})
    path.write_text("\n".join(lines))
    report = replay(Recording.read(path), other)
    assert report.difference is not None
    assert report.difference.frame == entry["frame"]
    assert report.difference.recorded == "0" * 16
    other.close()


def test_a_recording_is_followed_through_seconds_that_were_played_again(
    session: GameSession, tmp_path: Path
) -> None:
    path = tmp_path / "again.jsonl"
    play(session, 40, 20)
    session.execute(f"record {path}")
    play(session, 5, 60)
    session.execute("set g_test 6")
    play(session, 5, 65)
    # The first of its frames has input at once, where a client's is refused until it has seen the state.
    assert "are played again" in session.execute("again 1")
    play(session, 40, 70)
    session.execute("go")
    play(session, 5, 110)
    session.execute("record stop")
    recording = Recording.read(path)
    other = open_session(recording.head, ())
    report = replay(recording, other)
    other.close()
    assert report.difference is None
    assert report.frames > 30


HEAD = '{"recording":1,"level":"yard","mods":["sandbox"],"seed":1,"developer":true,"scripts":"x"}\n'


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", (1, 1), "the file is empty"),
        ("[]\n", (1, 1), "no JSON object"),
        ('{"recording":2}\n', (1, 1), "version 1"),
        (HEAD.replace('["sandbox"]', '"sandbox"'), (1, 1), "list of names"),
        (HEAD.replace(":1,", ':"1",', 1), (1, 1), "version 1"),
        (HEAD + "{\n", (2, 1), "no JSON object"),
        (HEAD + "\n{}\n", (3, 1), "none of"),
        (HEAD + '{"command":[1,2]}\n', (2, 1), "8 numbers"),
        (HEAD + '{"command":[50,0,0,0,0,0,0,"a"]}\n', (2, 1), "finite numbers"),
        (HEAD + '{"command":[50,0,0,0,0,0,0,NaN]}\n', (2, 1), "finite numbers"),
        (HEAD + '{"command":[50,0,0,0,0,0,0,1' + "0" * 400 + "]}\n", (2, 1), "finite numbers"),
        (HEAD + '{"command":[500,0,0,0,0,0,0,0]}\n', (2, 1), "1 to 200 ms"),
        (HEAD + '{"command":[50,0,0,0,-1,0,0,0]}\n', (2, 1), "buttons"),
        (HEAD + '{"command":[50,9,0,0,0,0,0,0]}\n', (2, 1), "-1 to 1"),
        (HEAD + '{"frame":-1,"hash":""}\n', (2, 1), "frame must be"),
        (HEAD + '{"frame":1}\n', (2, 1), "hash must be text"),
        (HEAD + '{"line":5}\n', (2, 1), "line must be text"),
        (HEAD + '{"state":"!!"}\n', (2, 1), "cannot be unpacked"),
        (HEAD + '{"state":5}\n', (2, 1), "state must be text"),
    ],
)
def test_a_bad_recording_is_refused_at_its_line(
    text: str, place: tuple[int, int], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(DiagnosticError, match=says) as refusal:
        list(Recording.read(path).entries())
    span = refusal.value.diagnostics[0].span
    assert span is not None
    assert (span.line, span.col) == place


def test_a_recording_cannot_name_folders(tmp_path: Path) -> None:
    path = tmp_path / "mods.jsonl"
    path.write_text(HEAD.replace("sandbox", "../../evil"))
    with pytest.raises(DiagnosticError, match="no name of a mod"):
        open_session(Recording.read(path).head, ())


@pytest.mark.parametrize("name", ["/dev/null/nowhere/file", "a\0b"])
def test_a_recording_that_cannot_be_written_is_said(session: GameSession, name: str) -> None:
    assert "cannot write" in session.execute(f"record {name}")


def test_what_a_recording_leaves_out() -> None:
    assert is_input("map_restart")
    assert is_input("set x 1")
    for line in ("save a", "LOAD a", '"load" a', "rewind 5", "record x", "reload", "", "  "):
        assert not is_input(line)
    for line in ("\\record x", 're"c"ord x', "\\s\\ave x", "l'o'ad x", '"" x', "record 'x"):
        assert not is_input(line) or line.startswith('""')


@pytest.mark.parametrize("word", ["\\record", 're"c"ord', "'record'", "RECORD"])
def test_a_recording_of_a_stranger_writes_no_files(word: str, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    path = tmp_path / "evil.jsonl"
    path.write_text(HEAD + json.dumps({"line": f"{word} {thesis}"}) + "\n")
    recording = Recording.read(path)
    other = open_session(recording.head, ())
    assert replay(recording, other).difference is None
    other.close()
    assert not thesis.exists()


def test_only_recordings_are_written_over(session: GameSession, tmp_path: Path) -> None:
    script, empty, first = tmp_path / "mine.gsc", tmp_path / "empty.jsonl", tmp_path / "first.jsonl"
    script.write_text("main() { }\n")
    empty.write_text("")
    assert "everything from now on" in session.execute(f"record {empty}")
    assert "is no recording, and is not written over" in session.execute(f"record {script}")
    assert script.read_text() == "main() { }\n"
    assert "cannot write" in session.execute("record /dev/null/nowhere/file")
    session.frame()
    # What was being recorded still is.
    assert session.execute("record stop") == f"the recording {empty} has ended"
    assert len(list(Recording.read(empty).entries())) == 1
    for _ in range(2):
        assert "everything from now on" in session.execute(f"record {first}")
        session.frame()
    session.execute("record stop")
    assert len(list(Recording.read(first).entries())) == 1


def test_what_a_killed_game_did_is_in_its_recording(session: GameSession, tmp_path: Path) -> None:
    path = tmp_path / "killed.jsonl"
    session.execute(f"record {path}")
    play(session, 3)
    assert sum(isinstance(entry, Frame) for entry in Recording.read(path).entries()) == 3
    session.execute("record stop")


def test_a_recording_whose_last_line_is_cut_short_is_played_so_far(
    session: GameSession, tmp_path: Path
) -> None:
    path = tmp_path / "cut.jsonl"
    session.execute(f"record {path}")
    play(session, 5)
    session.execute("record stop")
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    recording = Recording.read(path)
    entries = list(recording.entries())
    assert recording.cut
    assert len(entries) == len(list(Recording(SourceText("whole", whole.decode())).entries())) - 1
    # Cut in the middle it is damaged and no end.
    path.write_bytes(whole.replace(b'"hash"', b'"hush"', 1))
    with pytest.raises(DiagnosticError):
        list(Recording.read(path).entries())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_recording_that_is_lost_is_told_once_and_remembered(session: GameSession) -> None:
    session.execute("record /dev/full")
    for _ in range(3):
        session.frame()
    told = [line.text for line in session.drain_log() if "is incomplete" in line.text]
    assert len(told) == 1
    assert session.states.recorder is None
    assert session.states.recording_lost
    assert session.execute("record stop") == "nothing is being recorded"


def test_two_processes_with_other_hash_seeds_have_the_same_hashes(tmp_path: Path) -> None:
    program = (
        "from tests.mods.test_states import new_session, play\n"
        "session = new_session()\n"
        "print(*play(session, 15))\n"
    )
    printed = []
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "NOTETRACK_STATE": str(tmp_path / seed)}
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(done.stdout.split())
    assert len(printed[0]) == 15
    assert printed[0] == printed[1]
