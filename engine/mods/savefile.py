"""Files of saved games (docs/snapshots.md): what was played, and the state of VM and world, packed and sealed."""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from engine import paths
from engine.source import Diagnostic, DiagnosticError
from engine.source.nearest import did_you_mean
from engine.vm.packing import Damaged, In, Out, damaged

MAGIC = b"NTSAVE\x00"
VERSION = 1
ENDING = ".ntsave"
MAX_PACKED = 64 << 20
MAX_STATE = 256 << 20
"""Bytes of a file, and of what it holds: a small file must not become a large one without end."""

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
    packed = zlib.compress(bytes(out.data), 1)
    return MAGIC + VERSION.to_bytes(2, "little") + hashlib.blake2b(packed, digest_size=16).digest() + packed


def unpack(data: bytes) -> SavedGame:
    """Read what `pack` wrote. Raises `Damaged` for anything else; the state itself is checked when it is restored."""
    head = len(MAGIC)
    if data[:head] != MAGIC:
        damaged("it does not begin like one")
    version = int.from_bytes(data[head : head + 2], "little")
    if version != VERSION:
        damaged(f"it has version {version}, and only {VERSION} is known")
    packed = data[head + 18 :]
    if hashlib.blake2b(packed, digest_size=16).digest() != data[head + 2 : head + 18]:
        damaged("it is incomplete or was changed")
    opener = zlib.decompressobj()
    try:
        body = opener.decompress(packed, MAX_STATE)
    except zlib.error:
        damaged("it cannot be unpacked")
    if not opener.eof or opener.unused_data:
        damaged("it is too large, or something follows its end")
    inp = In(body)
    level, level_text, scripts = inp.text(), inp.text(), inp.text()
    mods = tuple(inp.text() for _ in range(inp.count()))
    time, player = inp.whole(1 << 40), inp.whole(1024)
    game = SavedGame(level, level_text, mods, scripts, time, player - 1 if player else None, inp.blob())
    inp.end()
    return game


def write_save(name: str, game: SavedGame) -> Path:
    """Write a saved game, whole or not at all. Raises DiagnosticError where that cannot be."""
    path = save_path(name)
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(pack(game))
        part.replace(path)
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
    """The names of all saved games, the newest last."""
    try:
        found = [(path.stat().st_mtime, path.stem) for path in folder().glob("*" + ENDING)]
    except OSError:
        return []
    return [name for _, name in sorted(found)]
