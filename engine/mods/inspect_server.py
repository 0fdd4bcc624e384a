"""The inspection socket: what an editor needs of a running game, as JSON lines on this machine (docs/inspect.md).

It has no thread of its own: the session serves it between two server frames, so an answer is about one moment. A line
that is no JSON object ends its connection, so that a web page that tries the port gets nowhere.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from engine.mods.debugging import thread_dict
from engine.mods.playing import animation_dict, players
from engine.source import DiagnosticError
from engine.source.render import to_dict
from engine.vm.fates import fate_dict

if TYPE_CHECKING:
    from engine.mods.session import GameSession

PROTOCOL = 2
MAX_LINE = 1 << 20
MAX_BACKLOG = 1 << 24
"""Bytes that wait for a reader; one that falls behind further is let go."""


class Refused(Exception):
    """A request that cannot be answered; the message says why."""


@dataclass(slots=True)
class _Client:
    socket: socket.socket
    incoming: bytearray = field(default_factory=bytearray)
    outgoing: bytearray = field(default_factory=bytearray)


class InspectServer:
    """Listens on 127.0.0.1. Port 0 takes any that is free; `port` tells which. Raises OSError when it is taken."""

    def __init__(self, session: GameSession, port: int) -> None:
        self._session = session
        self._listener = socket.create_server(("127.0.0.1", port))
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._clients: list[_Client] = []
        self._told: object = None
        self._told_again: object = None
        self._requests: dict[str, Callable[[dict[str, Any]], Any]] = {
            "hello": self._hello,
            "threads": self._threads,
            "thread": self._thread,
            "census": lambda request: session.debugger.census(),
            "waiters": lambda request: session.debugger.waiters(),
            "animations": self._animations,
            "source": self._source,
            "report": self._report,
            "execute": self._execute,
            "hold": lambda request: session.debugger.hold(),
            "go": lambda request: session.debugger.go(),
            "step": lambda request: session.debugger.step(_number(request, "frames", 1)),
            "step_thread": lambda request: session.debugger.step_thread(_number(request, "number")),
            "rewind": lambda request: _told(lambda: session.states.rewind(_seconds(request))),
            "again": lambda request: _told(
                lambda: session.states.again(_seconds(request) if "seconds" in request else None)
            ),
        }

    # ---- a frame ---------------------------------------------------------------------------------------

    def frame(self) -> None:
        """Take in connections and requests, and send what is ready; never waits."""
        try:
            while True:
                connection, _ = self._listener.accept()
                connection.setblocking(False)
                self._clients.append(_Client(connection))
        except BlockingIOError:
            pass
        report = self._session.reloader.last
        if report is not self._told:
            self._told = report
            for client in self._clients:
                self._send(client, {"event": "reload", **self._report({})})
        again = self._session.states.again_report
        if again is not None and again is not self._told_again:
            self._told_again = again
            for client in self._clients:
                self._send(client, {"event": "again", "line": again.line(), **asdict(again)})
        for client in list(self._clients):
            try:
                if not self._serve(client):
                    self._drop(client)
            except OSError:
                self._drop(client)

    def close(self) -> None:
        for client in list(self._clients):
            self._drop(client)
        self._listener.close()

    def _drop(self, client: _Client) -> None:
        client.socket.close()
        self._clients.remove(client)

    def _serve(self, client: _Client) -> bool:
        """Whether the connection goes on."""
        try:
            while data := client.socket.recv(65536):
                client.incoming += data
                if len(client.incoming) > MAX_LINE:
                    return False
        except BlockingIOError:
            data = b"-"
        while (end := client.incoming.find(b"\n")) >= 0:
            line = bytes(client.incoming[:end])
            del client.incoming[: end + 1]
            if not self._answer(client, line):
                return False
        if client.outgoing:
            with suppress(BlockingIOError):
                del client.outgoing[: client.socket.send(client.outgoing)]
        return bool(data) and len(client.outgoing) < MAX_BACKLOG

    def _answer(self, client: _Client, line: bytes) -> bool:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(request, dict):
            return False
        answer: dict[str, Any] = {"id": request.get("id")}
        handler = self._requests.get(str(request.get("do")))
        try:
            if handler is None:
                raise Refused(f"'do' is one of {', '.join(self._requests)}")
            answer.update(ok=True, result=handler(request))
        except Refused as error:
            answer.update(ok=False, error=str(error))
        self._send(client, answer)
        return True

    def _send(self, client: _Client, message: dict[str, Any]) -> None:
        client.outgoing += json.dumps(message).encode() + b"\n"

    # ---- requests --------------------------------------------------------------------------------------

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        session = self._session
        return {
            "protocol": PROTOCOL,
            "title": session.title,
            "time": session.time,
            "held": session.debugger.held,
            "threads": session.vm.stats().threads,
            "requests": list(self._requests),
        }

    def _threads(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        views = [thread_dict(view) for view in self._session.vm.threads()]
        path = request.get("path")
        if path is None:
            return views
        return [v for v in views if any(frame["path"] == path for frame in v["frames"])]

    def _thread(self, request: dict[str, Any]) -> dict[str, Any]:
        number = _number(request, "number")
        view = self._session.debugger.view(number)
        if view is None:
            raise Refused(f"there is no thread {number}")
        return thread_dict(view)

    def _animations(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """What entities play; of one, or of all that have an animation tree."""
        found = players(self._session)
        if "entity" in request:
            number = _number(request, "entity")
            found = [entity for entity in found if entity.number == number]
            if not found:
                raise Refused(f"entity {number} has no animation tree")
        return [animation_dict(entity) for entity in found]

    def _source(self, request: dict[str, Any]) -> dict[str, str]:
        """The text of a script as it runs now, which may differ from the file."""
        build = self._session.build
        for script in build.program.scripts.values() if build is not None else ():
            if request.get("path") in (script.source.path, script.name):
                return {"path": script.source.path, "text": script.source.text}
        raise Refused("'path' is the path of a script that is loaded, as `threads` gives it")

    def _report(self, request: dict[str, Any]) -> dict[str, Any]:
        report = self._session.reloader.last
        if report is None:
            return {"ok": True, "line": "nothing was reloaded yet", "fates": [], "diagnostics": []}
        return {
            "ok": report.ok,
            "line": report.line(),
            "threads": report.threads,
            "fates": [fate_dict(row) for row in report.rows],
            "diagnostics": [to_dict(d) for d in report.faults],
        }

    def _execute(self, request: dict[str, Any]) -> str:
        line = request.get("line")
        if not isinstance(line, str):
            raise Refused("'line' is a console line")
        return self._session.execute(line)


def _told(deed: Callable[[], str]) -> str:
    """What a deed says. Raises Refused with why it cannot be done."""
    try:
        return deed()
    except DiagnosticError as error:
        raise Refused(error.diagnostics[0].message) from None


def _seconds(request: dict[str, Any]) -> float:
    value = request.get("seconds")
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1e6:
        raise Refused("'seconds' is a number greater than 0")
    return float(value)


def _number(request: dict[str, Any], key: str, default: int | None = None) -> int:
    value = request.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Refused(f"'{key}' is a whole number")
    return value
