"""What was found out about scripts, kept in memory from one load to the next, and in a folder from one run to the next.

A text is parsed once: after that its facts are used again as long as the text, its dialect and the compiler are the
same. In the folder the facts of all scripts of a program lie in one file, which is read whole. It is trusted as the
compiled code beside it is (see `cache`): damage is noticed, malice is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.gsc.binder import Exports
from engine.gsc.dialect import Dialect
from engine.gsc.facts import ScriptFacts, facts_of, packed, unpacked
from engine.gsc.keeping import kept_name, read_kept, trim, write_kept
from engine.gsc.parser import parse
from engine.gsc.script import Script
from engine.source import Diagnostic, SourceText

MAGIC = b"NTFACTS\x01"
SUFFIX = ".facts"
MAX_FILES = 100
"""Programs whose facts are kept in the folder; the ones longest unused go first."""


class ParsedScript:
    """One text and what is known of it. `script` is how it was bound last, when everything that it refers to had
    `seen`, its exports by script."""

    __slots__ = (
        "diagnostics",
        "dialect",
        "exports",
        "facts",
        "key",
        "name",
        "script",
        "seen",
        "source",
        "warnings",
    )

    def __init__(
        self, name: str, source: SourceText, dialect: Dialect, facts: ScriptFacts, key: bytes
    ) -> None:
        self.name = name
        self.source = source
        self.dialect = dialect
        self.facts = facts
        self.key = key
        self.diagnostics = facts.diagnostics(source)
        self.exports: Exports | None = None
        if not facts.broken:
            self.exports = {f.name: len(f.params) for f in facts.functions if f.kept}
        self.script: Script | None = None
        self.seen: tuple[Exports | None, ...] = ()
        self.warnings: list[Diagnostic] = []


class ParseCache:
    """Parses what is not known yet.

    Programs that are made with one cache share scripts, so all of them must be given the same built-ins. With a
    `folder`, `begin` reads what an earlier run has left there, and `flush` writes what there is now.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.parses = 0
        """How many texts had to be parsed."""
        self._parsed: dict[tuple[str, str, str, bool], ParsedScript] = {}
        self._path: Path | None = None
        self._kept: dict[bytes, Any] = {}
        """What the file has, until a program was loaded with it."""
        self._written: frozenset[bytes] = frozenset()
        """The keys of what the file has."""
        self._program: list[ParsedScript] = []

    def parse(self, name: str, source: SourceText, dialect: Dialect, developer: bool) -> ParsedScript:
        """What is known of a script. Without `developer` its developer code is left out."""
        place = (name, source.path, dialect.name, developer)
        known = self._parsed.get(place)
        if known is not None and (known.source is source or known.source.text == source.text):
            return known
        key = b""
        facts: ScriptFacts | None = None
        if self.folder is not None:
            key = _key(name, source, dialect, developer)
            data = self._kept.get(key)
            facts = unpacked(data) if data is not None else None
        if facts is None:
            facts = facts_of(parse(name, source, dialect), developer)
            self.parses += 1
        parsed = ParsedScript(name, source, dialect, facts, key)
        self._parsed[place] = parsed
        return parsed

    # ---- the folder --------------------------------------------------------------------------------------------

    def begin(self, entries: tuple[str, ...], first: SourceText) -> None:
        """A program with these entries is loaded; `first` is the text of the first of its scripts."""
        if self.folder is None:
            return
        path = self.folder / kept_name(("facts", entries, first.path), SUFFIX)
        if path == self._path:
            return
        self._path = path
        data = read_kept(path, MAGIC)
        self._kept = data if isinstance(data, dict) else {}
        self._written = frozenset(self._kept)

    def end(self, program: Mapping[str, ParsedScript]) -> None:
        """The program was loaded whole, from these scripts."""
        self._program = list(program.values())
        self._kept = {}

    def flush(self) -> None:
        """Write what is new. A folder that cannot be written is no error: the next run parses again."""
        if self.folder is None or self._path is None or not self._program:
            return
        facts = {parsed.key: parsed.facts for parsed in self._program}
        if facts.keys() != self._written:
            write_kept(self._path, MAGIC, {key: packed(each) for key, each in facts.items()})
            trim(self.folder, SUFFIX, MAX_FILES)
            self._written = frozenset(facts)


def _key(name: str, source: SourceText, dialect: Dialect, developer: bool) -> bytes:
    """Names a text together with all else that its facts depend on, but for the compiler, which names the file."""
    digest = hashlib.blake2b(
        f"{name}\0{dialect.name}\0{developer}\0".encode("latin-1", "replace"), digest_size=16
    )
    digest.update(source.text.encode("latin-1", "replace"))
    return digest.digest()
