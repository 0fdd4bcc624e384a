"""Files in the user's cache folder: named by what is in them, checked when they are read, replaced as a whole.

A name contains a digest of the compiler's own text and the Python that runs it, so that what another compiler or Python
has written is not even found. A file begins with a magic word and a checksum; one that is damaged or cut off reads as
nothing. The checksum is against accidents: whoever can write into the folder can run code as the user, and nothing here
is ever read from a mod or from another place.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

DIGEST = 16


@cache
def compiler_version() -> str:
    """Names the text of this package: a compiler of another text, even by one line, may find out and emit something
    else. It is the same on every machine and Python."""
    digest = hashlib.blake2b(digest_size=DIGEST)
    for module in sorted(files("engine.gsc").iterdir(), key=lambda entry: entry.name):
        if module.name.endswith(".py"):
            text = module.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{module.name}\n{len(text)}\n".encode() + text)
    return digest.hexdigest()


def kept_name(key: object, suffix: str, text: bytes = b"") -> str:
    """The name of the file for a key (by its `repr`) and a text, written by this compiler and Python."""
    whole = (key, compiler_version(), sys.implementation.cache_tag, sys.version_info[:3])
    digest = hashlib.blake2b(repr(whole).encode(), digest_size=DIGEST)
    digest.update(text)
    return digest.hexdigest() + suffix


def read_kept(path: Path, magic: bytes) -> Any:
    """What was written, None for a file that is missing, damaged or something else."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(magic) + DIGEST
    payload = memoryview(data)[start:]
    if data[: len(magic)] != magic or data[len(magic) : start] != _checksum(payload):
        return None
    with suppress(OSError):
        # The time of the last use decides what is dropped when the folder is full.
        os.utime(path)
    return marshal.loads(payload)


def write_kept(path: Path, magic: bytes, value: Any) -> None:
    """Write a value that `marshal` knows. A folder that cannot be written is no error."""
    payload = marshal.dumps(value)
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(magic + _checksum(payload) + payload)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)


def trim(folder: Path, suffix: str, most: int) -> None:
    """Leave no more than `most` files of a kind, the last used ones."""
    with suppress(OSError):
        kept = sorted(folder.glob(f"*{suffix}"), key=lambda p: p.stat().st_mtime)
        for path in kept[: max(0, len(kept) - most)]:
            path.unlink(missing_ok=True)


def _checksum(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=DIGEST).digest()
