"""Files of saved games (docs/snapshots.md): what was played, and the state of VM and world, packed and sealed."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from engine import paths
from engine.pipeline.files import write_atomically
from engine.source import Diagnostic, DiagnosticError
from engine.source.nearest import did_you_mean
from engine.source.render import printable
from engine.vm.packing import Damaged, In, Out, damaged, sealed, unsealed

MAGIC = b"NTSAVE\x00"
VERSION = 1
ENDING = ".ntsave"
MAX_PACKED = 64 << 20
MAX_STATE = 256 << 20
"""Bytes of a file, and of what it holds: a small file must not become a large one without end."""
MAX_HEAD = 1 << 16
"""Bytes that are unpacked to say what a saved game is of."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A moment of a game. `scripts` is the fingerprint of all script text, `level_text` that of the level's file;
    `player` is the number of the local player's entity."""

    level: str
    level_text: str
    mods: tuple[str, ...]
    scripts: str
    time: int
    player: int | None
    state: bytes


def refused(message: str, *notes: str, code: str = "bad-save") -> DiagnosticError:
    diagnostic = Diagnostic(code, message)
    for note in notes:
        diagnostic = diagnostic.with_note(note)
    return DiagnosticError([diagnostic])


def save_path(name: str) -> Path:
    """The file of a saved game by name. Raises DiagnosticError for what cannot be a name."""
    if not _NAME.fullmatch(name):
        raise refused(f"'{name[:40]}' cannot be the name of a saved game; use letters, digits, - and _")
    return folder() / (name + ENDING)


def folder() -> Path:
    return paths.state() / "saves"


def pack(game: SavedGame) -> bytes:
    out = Out()
    for text in (game.level, game.level_text, game.scripts):
        out.text(text)
    out.whole(len(game.mods))
    for mod in game.mods:
        out.text(mod)
    out.whole(game.time)
    out.whole(0 if game.player is None else game.player + 1)
    out.blob(game.state)
    return sealed(zlib.compress(bytes(out.data), 1), MAGIC, VERSION)


def unpack(data: bytes) -> SavedGame:
    """Read what `pack` wrote. Raises `Damaged` for anything else; the state itself is checked when it is restored."""
    opener = zlib.decompressobj()
    try:
        body = opener.decompress(unsealed(data, MAGIC, VERSION), MAX_STATE)
    except zlib.error:
        damaged("it cannot be unpacked")
    if not opener.eof or opener.unused_data:
        damaged("it is too large, or something follows its end")
    inp = In(body)
    level, level_text, scripts, mods, time = _head(inp)
    player = inp.whole(1024)
    game = SavedGame(level, level_text, mods, scripts, time, player - 1 if player else None, inp.blob())
    inp.end()
    return game


def _head(inp: In) -> tuple[str, str, str, tuple[str, ...], int]:
    level, level_text, scripts = inp.text(), inp.text(), inp.text()
    return level, level_text, scripts, tuple(inp.text() for _ in range(inp.count())), inp.whole(1 << 40)


def clock(ms: int) -> str:
    """Game time as people read it."""
    seconds = ms // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"


def describe(name: str) -> str:
    """A line about a saved game: when in the game it was saved, where, and with which mods; or what is wrong with it.
    Only the beginning is unpacked."""
    path = save_path(name)
    try:
        if path.stat().st_size > MAX_PACKED:
            return f"{name:16} cannot be loaded: it is larger than a saved game can be"
        body = zlib.decompressobj().decompress(unsealed(path.read_bytes(), MAGIC, VERSION), MAX_HEAD)
        level, _, _, mods, time = _head(In(body))
    except OSError as error:
        return f"{name:16} cannot be read ({error.strerror or error})"
    except (Damaged, zlib.error) as error:
        return f"{name:16} is no saved game: {error}"
    return f"{name:16} {clock(time):>6} in {printable(level)}, with {printable(', '.join(mods))}"


def write_save(name: str, game: SavedGame) -> Path:
    """Write a saved game, whole or not at all. Raises DiagnosticError where that cannot be."""
    path = save_path(name)
    try:
        write_atomically(path, pack(game))
    except OSError as error:
        raise refused(f"the game cannot be saved to {path} ({error.strerror or error})") from None
    return path


def read_save(name: str) -> SavedGame:
    """The saved game of a name. Raises DiagnosticError for one that is missing or cannot be taken up."""
    path = save_path(name)
    try:
        if path.stat().st_size > MAX_PACKED:
            raise refused(f"{path.name} is larger than a saved game can be")
        data = path.read_bytes()
    except FileNotFoundError:
        known = saved_names()
        hint = did_you_mean(name, known) or f"there are {', '.join(known) or 'none'}"
        raise refused(f"there is no saved game '{name}'; {hint}", code="missing-save") from None
    except OSError as error:
        raise refused(f"{path.name} cannot be read ({error.strerror or error})") from None
    try:
        return unpack(data)
    except Damaged as error:
        raise refused(f"{path.name} is no saved game: {error}") from None


def saved_names() -> list[str]:
    """The names of all saved games, the newest last. What `load` takes no name of is none of them."""
    try:
        files = [
            path for path in folder().glob("*" + ENDING) if _NAME.fullmatch(path.stem) and path.is_file()
        ]
        found = [(path.stat().st_mtime, path.stem) for path in files]
    except OSError:
        return []
    return [name for _, name in sorted(found)]
