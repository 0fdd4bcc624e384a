"""Recordings: everything that goes into a game, a JSON object a line, with the hash of each frame's state.

The first line says what was played. Each other one has one key: `command` (a player's input), `line` (console), `frame`
with `hash` (a frame has ended), `state` (a saved state was put in place), `reload` (the scripts are others now, and the
recording ends).
"""

from __future__ import annotations

import base64
import contextlib
import json
import shlex
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.vm.randomness import MAX_SEED
from engine.world.command import Button, UserCommand

if TYPE_CHECKING:
    from engine.mods.session import GameSession

VERSION = 1
MAX_BYTES = 1 << 30
MAX_STATE = 256 << 20
MAX_NUMBER = 1_000_000
"""Degrees, among them; more is nobody's."""
BEGIN = '{"recording":'
"""What every recording begins with."""
LEFT_OUT = frozenset(
    {
        "again",
        "census",
        "go",
        "help",
        "hold",
        "load",
        "mods",
        "record",
        "reload",
        "reload_report",
        "replay",
        "rewind",
        "save",
        "saves",
        "step",
        "thread",
        "threads",
        "waiters",
    }
)
"""Console commands that are not recorded: what they change is recorded as such, or is no part of the game."""


class Recorder:
    """Writes a recording. A file that cannot be written any more ends it with one line in the log, and it is `lost`."""

    def __init__(self, path: Path, session: GameSession) -> None:
        """Begin with the session's present. Raises DiagnosticError where the file cannot be written, or is one that
        somebody else has written."""
        self._journal = session.journal
        self.path = path
        self.lost = False
        try:
            if not _free(path):
                fault = Diagnostic("bad-recording", f"{path} is no recording, and is not written over")
                raise DiagnosticError([fault.with_note("name another file")])
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] | None = path.open("w", encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:  # ValueError: a name with a null character
            reason = getattr(error, "strerror", None) or error
            raise DiagnosticError([Diagnostic("bad-recording", f"cannot write {path}: {reason}")]) from None
        options = session.options
        head: dict[str, Any] = {
            "recording": VERSION,
            "level": session.level_name,
            "mods": [mod.name for mod in session.search],
            "seed": options.seed,
            "developer": options.developer,
            "scripts": session.fingerprint(),
        }
        if session.frames:
            head["frame"] = session.frames
            head["player"] = session.player
            head["state"] = _packed(session.vm.snapshot())
        self._write(head)

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(entry, separators=(",", ":")) + "\n")
        except OSError as error:
            self._lose(error)

    def _flush(self) -> None:
        if self._file is not None:
            try:
                self._file.flush()
            except OSError as error:
                self._lose(error)

    def command(self, command: UserCommand) -> None:
        values = [command.msec, command.forward, command.right, command.up, int(command.buttons)]
        self._write({"command": [*values, *command.angles]})

    def line(self, line: str) -> None:
        if is_input(line):
            self._write({"line": line})

    def frame(self, number: int, hash_: str) -> None:
        self._write({"frame": number, "hash": hash_})
        # What a game did that was killed or that crashed is what one most wants to see again.
        self._flush()

    def state(self, state: bytes, player: int | None) -> None:
        self._write({"state": _packed(state), "player": player})

    def reloaded(self, scripts: str) -> None:
        self._write({"reload": scripts})

    def close(self) -> None:
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                self._lose(error)
        self._file = None

    def _lose(self, error: OSError) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
        self._file, self.lost = None, True
        self._journal.say("warning", f"the recording {self.path} is incomplete: {error.strerror or error}")


def _free(path: Path) -> bool:
    """Whether a recording may be written to a path: over nothing, over an empty file, or over another recording. Raises
    OSError."""
    if not path.is_file() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        return file.read(len(BEGIN)) == BEGIN.encode("ascii")


def is_input(line: str) -> bool:
    """Whether a console line is part of what goes into the game."""
    # Read as `Commands.execute` reads it, or a recording of a stranger's could have files written: `\\record FILE`.
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    return bool(words) and words[0].lower() not in LEFT_OUT


def _packed(state: bytes) -> str:
    return base64.b85encode(zlib.compress(state, 1)).decode("ascii")


# ---- reading -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head:
    """What was played, and where the recording begins: with a new game, or from a state after `frame` frames."""

    level: str
    mods: tuple[str, ...]
    seed: int
    developer: bool
    scripts: str
    frame: int
    player: int | None
    state: bytes | None


@dataclass(frozen=True, slots=True)
class Frame:
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class Line:
    text: str


@dataclass(frozen=True, slots=True)
class State:
    state: bytes
    player: int | None


@dataclass(frozen=True, slots=True)
class Reload:
    scripts: str


Entry = UserCommand | Frame | Line | State | Reload


class Recording:
    """A recording that was written before. The entries are read as they are asked for."""

    def __init__(self, source: SourceText) -> None:
        """Read the first line. Raises DiagnosticError, as do the entries, with the place of the fault."""
        self._source = source
        self._starts = source.line_starts
        self.cut = False
        """Whether the last line turned out to be one that was not written to its end."""
        if not source.text.strip():
            raise self._fault(0, "the file is empty: the game ended before its recording began")
        head = self._object(0)
        if head.get("recording") != VERSION:
            raise self._fault(0, f"the first line is not that of a recording of version {VERSION}")
        mods = head.get("mods")
        if not (isinstance(mods, list) and 0 < len(mods) <= 64 and all(isinstance(m, str) for m in mods)):
            raise self._fault(0, "mods must be a list of names")
        player = head.get("player")
        self.head = Head(
            self._text(0, head, "level"),
            tuple(mods),
            self._int(0, head, "seed", -MAX_SEED, MAX_SEED),
            head.get("developer") is not False,
            self._text(0, head, "scripts"),
            self._int(0, head, "frame", 0, 1 << 40) if "frame" in head else 0,
            player if isinstance(player, int) else None,
            self._state(0, head) if "state" in head else None,
        )

    @classmethod
    def read(cls, path: Path) -> Recording:
        """Raises DiagnosticError for a file that is missing, too large, or no recording."""
        try:
            if path.stat().st_size > MAX_BYTES:
                raise DiagnosticError([Diagnostic("bad-recording", f"{path} is too large for a recording")])
            source = SourceText.read(path)
        except OSError as error:
            fault = Diagnostic("bad-recording", f"cannot read {path}: {error.strerror or error}")
            raise DiagnosticError([fault]) from None
        return cls(source)

    def entries(self) -> Iterator[Entry]:
        for line in range(1, len(self._starts)):
            text = self._line(line)
            if not text.strip():
                continue
            try:
                entry = self._entry(line)
            except DiagnosticError:
                # The disk was full, or the game was killed: what is whole can be played all the same.
                self.cut = line == len(self._starts) - 1 and not text.endswith("\n")
                if self.cut:
                    return
                raise
            yield entry

    def _entry(self, line: int) -> Entry:
        entry = self._object(line)
        if "command" in entry:
            return self._command(line, entry["command"])
        if "line" in entry:
            return Line(self._text(line, entry, "line"))
        if "frame" in entry:
            return Frame(self._int(line, entry, "frame", 0, 1 << 40), self._text(line, entry, "hash"))
        if "state" in entry:
            player = entry.get("player")
            return State(self._state(line, entry), player if isinstance(player, int) else None)
        if "reload" in entry:
            return Reload(self._text(line, entry, "reload"))
        raise self._fault(line, "this line is none of command, line, frame, state and reload")

    def _command(self, line: int, values: Any) -> UserCommand:
        if not (isinstance(values, list) and len(values) == 8):
            raise self._fault(
                line, "a command has 8 numbers: ms, forward, right, up, buttons and three angles"
            )
        for value in values:
            # Compared and not asked whether it is finite: an int may be too large for that. Nothing is near NaN.
            if isinstance(value, bool) or not (isinstance(value, int | float) and abs(value) <= MAX_NUMBER):
                raise self._fault(
                    line, f"a command consists of finite numbers from {-MAX_NUMBER:,} to {MAX_NUMBER:,}"
                )
        ms, forward, right, up, buttons, pitch, yaw, roll = values
        most = sum(int(button) for button in Button)
        if not (isinstance(ms, int) and 1 <= ms <= 200 and isinstance(buttons, int) and 0 <= buttons <= most):
            raise self._fault(line, f"a command takes 1 to 200 ms, and its buttons are from 0 to {most}")
        if max(abs(forward), abs(right), abs(up)) > 1.0:
            raise self._fault(line, "a command moves by -1 to 1 in each direction")
        return UserCommand(ms, forward, right, up, Button(buttons), (pitch, yaw, roll))

    # ---- parts -----------------------------------------------------------------------------------------

    def _line(self, line: int) -> str:
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._source.text)
        return self._source.text[start:end]

    def _object(self, line: int) -> dict[str, Any]:
        try:
            found = json.loads(self._line(line).encode("latin-1").decode("utf-8"))
        except (ValueError, RecursionError):
            raise self._fault(line, "this line is no JSON object") from None
        if not isinstance(found, dict):
            raise self._fault(line, "this line is no JSON object")
        return found

    def _text(self, line: int, entry: dict[str, Any], key: str) -> str:
        found = entry.get(key)
        if not isinstance(found, str):
            raise self._fault(line, f"{key} must be text")
        return found

    def _int(self, line: int, entry: dict[str, Any], key: str, low: int, high: int) -> int:
        found = entry.get(key)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            raise self._fault(line, f"{key} must be a whole number from {low} to {high}")
        return found

    def _state(self, line: int, entry: dict[str, Any]) -> bytes:
        opener = zlib.decompressobj()
        try:
            state = opener.decompress(base64.b85decode(self._text(line, entry, "state")), MAX_STATE)
        except (ValueError, zlib.error):
            raise self._fault(line, "the state cannot be unpacked") from None
        if not opener.eof:
            raise self._fault(line, "the state cannot be unpacked: it is incomplete or too large")
        return state

    def _fault(self, line: int, message: str) -> DiagnosticError:
        start = self._starts[line]
        end = start + len(self._line(line).rstrip("\r\n")[:80])
        return DiagnosticError([Diagnostic("bad-recording", message, self._source.span(start, end))])
