"""The inspection socket and the console's stepping, against a small game."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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
            if self.read():
                return self.lines.pop()
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
    assert editor.result(do="hello")["protocol"] == 1
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
    assert editor.result(do="hello")["protocol"] == 1


def test_the_game_stands_still_and_goes_on_frame_by_frame(table: Table) -> None:
    execute = table.session.execute
    execute("hold")
    before, time = table.rounds(), table.session.time
    table.run(5)
    assert (table.rounds(), table.session.time) == (before, time)
    assert execute("step 2") == "2 frames"
    table.run(5)
    assert (table.rounds(), table.session.time) == (before + 2, time + 100)
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
    assert (row["object"], len(row["threads"]), row["functions"]) == ("struct", 1, {"mine::main": 1})
    assert row["raised"][0].endswith("mine.gsc:20:11")
    assert "signal on struct" in table.session.execute("waiters")
