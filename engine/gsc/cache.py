"""Compiled functions kept between runs, in the user's cache folder.

One file a script, named by everything that its functions' text depends on; inside, each function is kept with
the facts about what it calls. A file begins with a checksum. One that is damaged, cut off or of another version
is not used, and is replaced by the next `flush`. Nothing here is ever read from a mod.
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
from types import CodeType
from typing import Any

from engine.gsc import mangle
from engine.gsc.code import Unit, make_unit
from engine.gsc.inference import Masks
from engine.gsc.program import Program
from engine.gsc.suspension import Behaviour, Key, dependencies

MAGIC = b"NTGSC\x01"
DIGEST = 16
MAX_FILES = 2000
"""Files kept in the folder; the ones longest unused go first."""

Entries = dict[str, tuple[str, Any]]
"""Function name to its dependencies and the fields of its unit."""


class UnitCache:
    """Makes units like `make_unit`, from the folder where it can. Call `flush` when there is time, and at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._entries: dict[Path, Entries] = {}
        self._changed: set[Path] = set()
        self.hits = 0
        self.misses = 0

    def __call__(
        self, program: Program, key: Key, behaviour: Behaviour, recovers: bool, masks: Masks | None = None
    ) -> Unit:
        path = self.folder / _file_name(program, key[0], recovers)
        entries = self._entries.get(path)
        if entries is None:
            entries = self._entries[path] = _read(path)
        function = program.scripts[key[0]].functions[key[1]]
        facts = dependencies(key[0], function, behaviour)
        name = function.name if masks is None else mangle.version(*key, masks)
        found = entries.get(name)
        if found is not None and found[0] == facts:
            self.hits += 1
            return Unit(*found[1])
        self.misses += 1
        unit = make_unit(program, key, behaviour, recovers, masks)
        fields = (
            unit.code, unit.locals, unit.arity, unit.resumable, unit.sites, unit.spills, unit.tables,
            unit.versions, unit.digest,
        )  # fmt: skip
        entries[name] = (facts, fields)
        self._changed.add(path)
        return unit

    def flush(self) -> None:
        """Write what is new. A folder that cannot be written is no error: the next run compiles again."""
        changed = sorted(self._changed)
        self._changed.clear()
        for path in changed:
            with suppress(OSError):
                _write(path, self._entries[path])
        if changed:
            with suppress(OSError):
                _evict(self.folder)


def _file_name(program: Program, script: str, recovers: bool) -> str:
    source = program.scripts[script].source
    key = (
        script, source.path, program.developer, program.scripts[script].dialect.name, recovers, _compiler(),
        sys.implementation.cache_tag, sys.version_info[:3],
    )  # fmt: skip
    digest = hashlib.blake2b(repr(key).encode(), digest_size=DIGEST)
    digest.update(source.text.encode("latin-1", "replace"))
    return digest.hexdigest() + ".gscc"


@cache
def _compiler() -> str:
    """Names this package's own text: a compiler of other text, even by one line, may emit other code."""
    digest = hashlib.blake2b(digest_size=DIGEST)
    for module in sorted(files("engine.gsc").iterdir(), key=lambda entry: entry.name):
        if module.name.endswith(".py"):
            digest.update(module.read_bytes())
    return digest.hexdigest()


def _checksum(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=DIGEST).digest()


def _read(path: Path) -> Entries:
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    payload = data[len(MAGIC) + DIGEST :]
    if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : len(MAGIC) + DIGEST] != _checksum(payload):
        return {}
    with suppress(OSError):
        # The time of the last use decides what is dropped when the folder is full.
        os.utime(path)
    entries = marshal.loads(payload)
    return {
        name: (facts, fields) for name, (facts, fields) in entries.items() if isinstance(fields[0], CodeType)
    }


def _write(path: Path, entries: Entries) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    payload = marshal.dumps(entries)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + _checksum(payload) + payload)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def _evict(folder: Path) -> None:
    files = sorted(folder.glob("*.gscc"), key=lambda p: p.stat().st_mtime)
    for path in files[: max(0, len(files) - MAX_FILES)]:
        path.unlink(missing_ok=True)
