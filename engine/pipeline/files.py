"""Files read only where they are files and written whole or not at all, hashes, and files that a source names."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from urllib.parse import unquote

from engine.source.folder import entry_kind


def check_file(path: Path) -> None:
    """Raises OSError where there is no file, or something of which a read might never end: a pipe, a device."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def read_file(path: Path) -> bytes:
    """The content of a file. Raises OSError, also for what is there and is no file."""
    check_file(path)
    return path.read_bytes()


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside `path` and move into place: a broken-off run leaves no half file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)
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
