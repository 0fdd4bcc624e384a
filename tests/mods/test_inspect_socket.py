"""The inspection socket and the console's stepping, against a small game."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.world.command import UserCommand
from tests.mods.test_reload_history import FASTER, MAIN, Table

WAITING = MAIN.replace(
    "level thread walks();", 'level thread walks();\n    level waittill("signal");\n    level.heard = 1;'
)


class Editor:
    """A client of the socket, served by frames of the game."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.port = table.session.listen(0)
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.settimeout(5)
        self.lines: list[dict[str, Any]] = []
        self.rest = b""

    def ask(self, **request: Any) -> Any:
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        for _ in range(200):
            self.table.run(1)
            # A held game plays frames faster than the system hands bytes over.
            time.sleep(0.001)
            self.read()
            answers = [line for line in self.lines if "event" not in line]
            if answers:
                self.lines.remove(answers[0])
                return answers[0]
        raise AssertionError("no answer")

    def read(self) -> bool:
        self.socket.setblocking(False)
        try:
            self.rest += self.socket.recv(1 << 20)
        except BlockingIOError:
            return False
        *whole, self.rest = self.rest.split(b"\n")
        self.lines += [json.loads(line) for line in whole]
        return bool(whole)

    def result(self, **request: Any) -> Any:
        answer = self.ask(**request)
        assert answer["ok"], answer
        return answer["result"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.close()


@pytest.fixture
def editor(table: Table) -> Iterator[Editor]:
    editor = Editor(table)
    yield editor
    editor.socket.close()


def test_threads_with_their_places_and_variables(editor: Editor) -> None:
    assert editor.result(do="hello")["protocol"] == 2
    (thread,) = [t for t in editor.result(do="threads") if t["function"] == "mine::walks"]
    (frame,) = thread["frames"]
    assert (frame["line"], frame["col"], list(frame["locals"])) == (13, 9, ["count"])
    assert thread["waits"] == "queued"
    assert editor.result(do="thread", number=thread["number"])["function"] == "mine::walks"
    assert editor.result(do="threads", path="elsewhere.gsc") == []
    assert editor.result(do="source", path="mine")["text"] == MAIN


def test_a_reload_is_told_without_being_asked(editor: Editor) -> None:
    editor.result(do="hello")
    editor.table.save(FASTER)
    for _ in range(50):
        editor.table.run(1)
        time.sleep(0.002)
        if editor.read():
            break
    (event,) = editor.lines
    assert (event["event"], event["ok"], event["threads"]["moved"]) == ("reload", True, 1)
    assert event["fates"][0]["new_line"] == 13


def test_bad_requests_are_refused_and_rubbish_ends_the_connection(editor: Editor) -> None:
    answer = editor.ask(id=5, do="dance")
    assert (answer["id"], answer["ok"]) == (5, False)
    assert editor.ask(do="thread", number=999999)["error"] == "there is no thread 999999"
    assert editor.ask(do="thread", number="x")["error"] == "'number' is a whole number"
    assert editor.ask(do="execute")["error"] == "'line' is a console line"
    assert "there is no command" in editor.result(do="execute", line="dance")
    editor.socket.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    editor.table.run(3)
    editor.socket.setblocking(True)
    assert editor.socket.recv(100) == b""
    # The next one is served all the same.
    another = socket.create_connection(("127.0.0.1", editor.port))
    editor.socket.close()
    editor.socket = another
    assert editor.result(do="hello")["protocol"] == 2


def test_the_game_stands_still_and_goes_on_frame_by_frame(table: Table) -> None:
    execute = table.session.execute
    execute("hold")
    before, begun = table.rounds(), table.session.time
    table.run(5)
    assert (table.rounds(), table.session.time) == (before, begun)
    assert execute("step 2") == "2 frames"
    table.run(5)
    assert (table.rounds(), table.session.time) == (before + 2, begun + 100)
    table.save(FASTER)
    execute("go")
    table.run(1)
    assert table.rounds() == before + 1003


def test_one_thread_steps_alone(table: Table) -> None:
    table.save(WAITING)
    table.session.vm.start("mine::main")
    execute = table.session.execute
    execute("hold")
    views = {view.function: view.number for view in table.session.vm.threads()}
    before = table.rounds()
    said = execute(f"step_thread {views['mine::walks']}")
    assert table.rounds() == before + 1
    assert f"count = {before + 1}" in said
    assert ">   15          wait 0.05;" in said
    assert 'waits for "signal"' in execute(f"step_thread {views['mine::main']}")
    assert execute("step_thread 99999") == "there is no thread 99999"
    assert execute("thread") == "thread NUMBER"


def test_who_waits_for_what(table: Table) -> None:
    table.save(WAITING + 'calls()\n{\n    level notify("signal");\n}\n')
    table.session.vm.start("mine::main")
    (row,) = [row for row in table.session.debugger.waiters() if row["event"] == "signal"]
    assert (row["object"], len(row["threads"]), row["functions"]) == ("level", 1, {"mine::main": 1})
    assert row["raised"][0].endswith("mine.gsc:20:11")
    # `calls` is called by nobody, and no function value is called.
    assert row["wakes"] == "nobody"
    assert "signal on level, up to 0 ms; NOTHING CAN WAKE IT: " in table.session.execute("waiters")


RAISERS = {
    "callable": ("later();", 'later()\n{\n    level notify("signal");\n}\n'),
    "running": ("level thread raises();", 'raises()\n{\n    wait 60;\n    level notify("signal");\n}\n'),
    "named": ('tell("signal");', "tell(name)\n{\n    level notify(name);\n}\n"),
    "nobody": ("", 'raises(other)\n{\n    other notify("signals");\n}\n'),
}


@pytest.mark.parametrize("hope", RAISERS)
def test_who_could_still_wake_a_thread(table: Table, hope: str) -> None:
    begin, functions = RAISERS[hope]
    # `main` waits for the signal; after it stands what it would call then, so `later` can be called only if it wakes.
    text = WAITING.replace(
        "level thread walks();", f"level thread walks();\n    {begin if hope == 'running' else ''}"
    )
    text = text.replace(
        "count++)\n    {",
        f"count++)\n    {{\n        if (count < 0)\n        {{\n            {begin}\n        }}",
    )
    table.save(text + functions)
    table.session.vm.start("mine::main")
    rows = {row["event"]: row for row in table.session.debugger.waiters()}
    assert rows["signal"]["wakes"] == hope


def test_a_notify_on_level_wakes_nobody_elsewhere(table: Table) -> None:
    text = WAITING.replace('level waittill("signal")', 'other = spawnstruct();\n    other waittill("signal")')
    text = text.replace("wait 0.05;", 'wait 0.05;\n        level notify("signal");')
    table.save(text)
    table.session.vm.start("mine::main")
    (row,) = [row for row in table.session.debugger.waiters() if row["event"] == "signal"]
    assert (row["object"], row["raised"], row["wakes"]) == ("struct", [], "nobody")


def test_the_census_tells_where_threads_wait(editor: Editor) -> None:
    rows = {row["function"]: row for row in editor.result(do="census")}
    row = rows["mine::walks"]
    assert row["threads"] == 1
    assert row["places"][0]["place"].endswith("mine.gsc:13")
    assert "   1  mine::walks" in editor.table.session.execute("census")


PRINTS = MAIN.replace(
    "level.rounds = count;", 'level.rounds = count;\n        logprint("round " + count + "\\n");'
)


def again_event(editor: Editor) -> dict[str, Any]:
    for _ in range(300):
        editor.table.run(1)
        time.sleep(0.002)
        editor.read()
        for event in editor.lines:
            if event.get("event") == "again":
                return event
    raise AssertionError("the repetition does not end")


def test_the_same_seconds_again_are_the_same_with_the_same_code(editor: Editor) -> None:
    table = editor.table
    table.save(PRINTS)
    table.run(60)
    middle = table.session.time
    table.session.command(UserCommand(50, forward=1.0))
    table.run(20)
    before = table.session.vm.state_hash()
    end = table.session.time
    said = editor.result(do="again", seconds=2)
    assert "seconds back" in said
    assert "are played again" in said
    event = again_event(editor)
    assert event["difference"] is None
    assert event["begin"] <= end - 2000 < middle
    assert event["end"] >= end
    assert "nothing goes another way" in event["line"]
    assert table.session.debugger.held
    assert event["end"] != end or table.session.vm.state_hash() == before


def test_the_same_seconds_with_other_code_tell_the_first_difference(editor: Editor) -> None:
    table = editor.table
    table.save(PRINTS)
    table.run(60)
    count = table.rounds()
    # The state of two seconds ago is of the older code; its threads move into the new.
    odd = f'if (count == {count - 10})\n            logprint("odd\\n");\n        level.rounds = count;'
    assert table.save(PRINTS.replace("level.rounds = count;", odd))["ok"]
    table.session.execute("again 2")
    event = again_event(editor)
    assert event["difference"] is not None
    assert event["difference"].startswith('"odd" is said and not "round ')
    assert (event["at"] - event["begin"]) % 50 == 0
    assert any("another way after" in text for text in table.says())


def test_back_edit_and_again(table: Table) -> None:
    table.save(PRINTS)
    table.run(60)
    count = table.rounds()
    table.session.execute("hold")
    assert "seconds back" in table.session.execute("rewind 1")
    assert table.rounds() < count
    assert table.save(PRINTS.replace('"round "', '"turn "'))["threads"]["moved"] == 1
    assert "seconds are played again" in table.session.execute("again")
    table.run(60)
    report = table.session.states.again_report
    assert report is not None
    assert report.difference is not None
    assert report.difference.startswith('"turn ')
    assert table.rounds() == count
    table.session.execute("go")
    table.run(3)
    assert table.rounds() == count + 3
    assert "nothing to play again" in table.session.execute("again")
    assert table.session.execute("again soon") == "again SECONDS, such as `again 5`"
