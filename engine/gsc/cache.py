"""Compiled functions kept between runs, in the user's cache folder.

One file a script, named by everything that its functions' text depends on; inside, each function is kept with
the facts about what it calls. A file begins with a checksum. One that is damaged, cut off or of another version
is not used, and is replaced by the next `flush`. Nothing here is ever read from a mod.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from engine.gsc import mangle
from engine.gsc.callgraph import dependencies
from engine.gsc.code import Unit, make_unit, moved
from engine.gsc.inference import Masks
from engine.gsc.keeping import kept_name, read_kept, trim, write_kept
from engine.gsc.program import Program
from engine.gsc.script import Script
from engine.gsc.suspension import Behaviour, Key

MAGIC = b"NTGSC\x01"
SUFFIX = ".gscc"
MAX_FILES = 2000
"""Files kept in the folder; the ones longest unused go first."""

Entries = dict[str, tuple[str, Any]]
"""The name of a function, or of a version of one, to its dependencies and the fields of its unit."""


@dataclass(slots=True)
class _Kept:
    """What is known of one script. `script` is the object it was last asked for; `before` are units of texts that were
    saved over, for functions that this text may have as they were."""

    script: Script
    path: Path
    entries: Entries
    before: dict[str, tuple[Script, str, Unit]] = field(default_factory=dict)
    changed: bool = False

    def succeed(self, old: _Kept) -> None:
        """Take the place of what was known of the text before."""
        compiled = {name: (old.script, facts, Unit(*fields)) for name, (facts, fields) in old.entries.items()}
        self.before = {**old.before, **compiled}

    def as_it_was(self, function: str, name: str, facts: str) -> Unit | None:
        """The unit of that name of a function that was compiled for an earlier text and is the same but for its
        place."""
        if name not in self.before:
            return None
        script, known, unit = self.before.pop(name)
        old, new = script.functions.get(function), self.script.functions[function]
        if old is None or known != facts or old.developer != new.developer:
            return None
        (line, column), (was_line, was_column) = (
            s.source.line_col(f.start) for s, f in ((self.script, new), (script, old))
        )
        if column != was_column or script.text_of(old) != self.script.text_of(new):
            return None
        return moved(unit, line - was_line, new.start - old.start)


class UnitCache:
    """Makes units like `make_unit`, from the folder where it can. Call `flush` when there is time, and at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[tuple[str, bool, bool], _Kept] = {}
        """By script, policy and developer setting, for the latest text: a text that was saved over is forgotten, or a
        long session would keep them all."""
        self.hits = 0
        self.misses = 0

    def __call__(
        self, program: Program, key: Key, behaviour: Behaviour, recovers: bool, masks: Masks | None = None
    ) -> Unit:
        kept = self._of(program, key[0], recovers)
        name = key[1] if masks is None else mangle.version(*key, masks)
        facts = dependencies(key, kept.script.deeds[key[1]], behaviour)
        found = kept.entries.get(name)
        if found is not None and found[0] == facts:
            self.hits += 1
            return Unit(*found[1])
        unit = kept.as_it_was(key[1], name, facts)
        if unit is None:
            self.misses += 1
            unit = make_unit(program, key, behaviour, recovers, masks)
        fields = (
            unit.code, unit.tails, unit.locals, unit.arity, unit.resumable, unit.sites, unit.spills, unit.tables,
            unit.versions, unit.digest,
        )  # fmt: skip
        kept.entries[name] = (facts, fields)
        kept.changed = True
        return unit

    def _of(self, program: Program, name: str, recovers: bool) -> _Kept:
        place = (name, recovers, program.developer)
        script = program.scripts[name]
        kept = self._kept.get(place)
        if kept is None or kept.script is not script:
            text = script.source.text.encode("latin-1", "replace")
            path = self.folder / kept_name((*place, script.source.path, script.dialect.name), SUFFIX, text)
            if kept is not None and kept.path == path:
                kept.script = script
            else:
                fresh = _Kept(script, path, _entries(read_kept(path, MAGIC)))
                if kept is not None:
                    fresh.succeed(kept)
                kept = self._kept[place] = fresh
        return kept

    def flush(self) -> None:
        """Write what is new. A folder that cannot be written is no error: the next run compiles again."""
        changed = [kept for kept in self._kept.values() if kept.changed]
        for kept in changed:
            kept.changed = False
            write_kept(kept.path, MAGIC, kept.entries)
        if changed:
            trim(self.folder, SUFFIX, MAX_FILES)


def _entries(data: Any) -> Entries:
    """What a file has, without what has no code."""
    if not isinstance(data, dict):
        return {}
    return {
        name: (facts, fields) for name, (facts, fields) in data.items() if isinstance(fields[0], CodeType)
    }
