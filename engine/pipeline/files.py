"""Files read only where they are files and written whole or not at all, hashes, and files that a source names."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from urllib.parse import unquote

from engine.source.folder import entry_kind

MAX_DIGESTED = 512 * 1024 * 1024
"""Bytes of a file that are looked through to see whether it changed."""


def check_file(path: Path) -> None:
    """Raises OSError where there is no file, or something of which a read might never end: a pipe, a device."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def open_file(path: Path) -> BufferedReader:
    """A file to be read. Raises OSError, also for what is there and is no file."""
    check_file(path)
    # A pipe that has taken the file's place since must not hold up the one who opens it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(handle, "rb")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no file", str(path))
    return file


def read_file(path: Path, most: int | None = None) -> bytes:
    """The content of a file. Raises OSError, also for what is there and is no file, or is larger than `most` bytes."""
    with open_file(path) as file:
        if most is not None and os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MiB", str(path))
        return file.read()


def digest_file(path: Path) -> bytes:
    """A hash of what a file holds, of 16 bytes; of one that is too large to be looked through, of its time and size.
    Raises OSError, also for what is there and is no file."""
    with open_file(path) as file:
        found = os.fstat(file.fileno())
        if found.st_size > MAX_DIGESTED:
            return content_hash(b"%d %d" % (found.st_mtime_ns, found.st_size)).encode()[:16]
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).digest()


def names_in(folder: Path) -> list[str]:
    """What a folder has in it, in order, without names that begin with a dot: those are of editors and of the system.
    Nothing for what is no folder; raises OSError for one that cannot be looked into."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []


def paths_in(folder: Path) -> list[Path]:
    """The same as paths, and nothing for a folder that cannot be looked into (`unreadable_folders` tells of those)."""
    try:
        return [folder / name for name in names_in(folder)]
    except OSError:
        return []


def walk(folder: Path) -> Iterator[Path]:
    """Everything below a folder that is no folder, in order, without names that begin with a dot. Links to folders are
    not followed, and folders that cannot be looked into are passed over."""
    for here, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(here, name) for name in sorted(files) if not name.startswith("."))


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside `path` and move into place: a broken-off run leaves no half file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f".{path.name[:40]}.{secrets.token_hex(6)}.part")
    # By its mode and not made private first, so that it is as open to others as the user's other files are.
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def content_hash(*parts: bytes) -> str:
    """A hash of byte strings and of where each ends, as 40 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def find_beside(folder: Path, name: str) -> Path | None:
    """The file that a source in `folder` calls `name`, or None.

    Sources name files as other machines have them: with backslashes, below folders that are not here, with %20 for a
    space, in other capital letters. Nothing outside the folder is ever found.
    """
    if not name.isprintable():
        return None
    plain = name.replace("\\", "/")
    last = plain.rsplit("/", 1)[-1]
    for candidate in dict.fromkeys((plain, unquote(plain), last, unquote(last))):
        path = folder / candidate
        try:
            if candidate and path.resolve().is_relative_to(folder.resolve()) and path.is_file():
                return path
        except (OSError, ValueError):
            continue
    wanted = {last.lower(), unquote(last).lower()}
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry_kind(entry) == "file")
    except OSError:
        return None
    return next((folder / entry for entry in entries if entry.lower() in wanted), None)
