"""Fields that are misspelt: one that is read and that nothing sets, one that is set and that nothing reads, where
another is a slip away.

Any script may set any field on any object, so that a field is only doubted against all scripts there are to know, and
only where it is one letter, or two in the wrong order, from one that those or the engine have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

from engine.gsc.dialect import UO, Dialect
from engine.gsc.scanner import Tokens, scan
from engine.gsc.script import Script
from engine.pipeline.files import paths_in, walk
from engine.pipeline.texts import read_text
from engine.source import Diagnostic, SourceText, Span
from engine.vm.objects import EngineField, ScriptObject

READ, SET, BOTH = "read", "set", "both"
SHORTEST = 4
"""Letters of a name that can be told from another: of shorter ones too many are a letter apart."""
MAX_FILES = 5000
"""Files and folders of a place that is no mod, such as a whole disk, that are looked at."""
OWN = ("size", "enemy", "code_classname", "struct")
"""What the engine sets or reads besides the fields it backs."""

_WORD = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_KEY = re.compile(r'"([A-Za-z_]\w*)"[ \t]+"')
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CHANGING = frozenset(("++", "--", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="))


@dataclass(slots=True)
class Uses:
    """What is done with fields, by their lower-case names. `named` are also those that something else may set or read:
    strings and keys of a level that have such a name, names in line scripts, and what `isdefined` asks for."""

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)

    def add(self, tokens: Tokens) -> None:
        for name, what, _ in _fields(tokens):
            if what != SET:
                self.read.add(name)
            if what != READ:
                self.written.add(name)
        for kind, value in zip(tokens.kinds, tokens.values, strict=True):
            if kind == "string" and isinstance(value, str) and _WORD.match(value):
                self.named.add(value.lower())
        self.named |= _asked(tokens)


class Fields:
    """What scripts of a game do with fields, as far as a check can know."""

    def __init__(self, folders: Iterable[tuple[Path, Dialect]], levels: Iterable[Path]) -> None:
        """`folders` are those of mods, with their languages; `levels` are folders of levels."""
        self._uses = Uses()
        self._seen_all = True
        for folder, dialect in folders:
            files = _inside(folder)
            # What is set somewhere among too many files would be missed.
            self._seen_all = self._seen_all and files is not None
            for path in files or ():
                self._file(path, dialect)
        for folder in levels:
            for path in paths_in(folder):
                if path.suffix == ".map":
                    self._file(path, UO)
        self._uses.named |= {*OWN, *engine_fields()}

    def _file(self, path: Path, dialect: Dialect) -> None:
        suffix = path.suffix.lower()
        if suffix not in (".gsc", ".script", ".map"):
            return
        try:
            text = read_text(path).text
        except OSError:
            self._seen_all = False
            return
        if suffix == ".gsc":
            self._uses.add(scan(SourceText(str(path), text), dialect))
        else:
            found = (_KEY if suffix == ".map" else _NAME).findall(text)
            self._uses.named |= {name.lower() for name in found}

    def doubts(self, scripts: Sequence[Script]) -> Iterator[Diagnostic]:
        """A warning for each field that is most likely misspelt, at its first place in a script."""
        if not self._seen_all:
            return
        tokens = [scan(script.source, script.dialect) for script in scripts]
        for each in tokens:
            self._uses.add(each)
        for each in tokens:
            yield from self._of_script(each)

    def _of_script(self, tokens: Tokens) -> Iterator[Diagnostic]:
        uses = self._uses
        backed = engine_fields()
        told: set[str] = set()
        for name, what, span in _fields(tokens):
            if name in told or name in uses.named or len(name) < SHORTEST:
                continue
            if what == READ and name not in uses.written:
                near = _slips(name, uses.written | backed)
                code, text = "unset-field", f"nothing in any script sets the field '{name}'; it is undefined"
            elif what == SET and name not in uses.read:
                # Numbers of a thing are kept as its plural.
                near = [n for n in _slips(name, uses.read | backed) if name != n + "s" != name + "ss"]
                code, text = (
                    "unread-field",
                    f"nothing in any script reads the field '{name}', which is set here",
                )
            else:
                continue
            if near:
                told.add(name)
                yield Diagnostic(code, text, span, "warning").with_note(f"did you mean {' or '.join(near)}?")


@cache
def engine_fields() -> frozenset[str]:
    """The fields that the engine backs, of all of its classes."""
    names: set[str] = set()
    waiting: list[type[ScriptObject]] = [ScriptObject]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("engine."):
            names |= {each.name.lower() for each in vars(kind).values() if isinstance(each, EngineField)}
    return frozenset(names)


def _inside(folder: Path) -> list[Path] | None:
    """The files of a folder; None where they are too many."""
    found = list(islice(walk(folder), MAX_FILES + 1))
    return [path for path in sorted(found) if os.path.isfile(path)] if len(found) <= MAX_FILES else None


def _fields(tokens: Tokens) -> Iterator[tuple[str, str, Span]]:
    """Every field in a text: its name, what is done with it, its place."""
    kinds, text = tokens.kinds, tokens.source.text
    for at in range(1, len(kinds) - 1):
        if kinds[at] != ".":
            continue
        start, end = tokens.starts[at + 1], tokens.ends[at + 1]
        name = text[start:end]
        if _WORD.match(name):
            after = kinds[_behind_index(kinds, at + 2)]
            what = SET if after == "=" else BOTH if after in _CHANGING else READ
            yield name.lower(), what, tokens.source.span(start, end)


def _behind_index(kinds: Sequence[str], at: int) -> int:
    """Where the text goes on behind `[...]`, as often as it stands there."""
    depth = 0
    while at < len(kinds) - 1:
        if kinds[at] in ("[", "[["):
            depth += len(kinds[at])
        elif kinds[at] in ("]", "]]"):
            depth -= len(kinds[at])
        elif depth == 0:
            break
        if depth < 0:
            break
        at += 1
    return at


def _asked(tokens: Tokens) -> set[str]:
    """Fields in the arguments of `isdefined`."""
    kinds, values = tokens.kinds, tokens.values
    found: set[str] = set()
    for at in range(len(kinds) - 1):
        if kinds[at] == "name" and values[at] == "isdefined" and kinds[at + 1] == "(":
            depth, inner = 1, at + 2
            while depth and inner < len(kinds) - 1:
                depth += {"(": 1, ")": -1}.get(kinds[inner], 0)
                if kinds[inner] == ".":
                    found.add(tokens.source.text[tokens.starts[inner + 1] : tokens.ends[inner + 1]].lower())
                inner += 1
    return found


def _slips(name: str, known: Iterable[str]) -> list[str]:
    """Those of `known` that are one slip from a name. One with another number is a field of its own."""
    return sorted(other for other in known if len(other) >= SHORTEST and _one_slip(name, other))


def _one_slip(one: str, other: str) -> bool:
    """Whether a letter more, less or other, or two neighbours in the wrong order, make one word the other."""
    if one == other or abs(len(one) - len(other)) > 1 or _letters(one) == _letters(other):
        return False
    length = min(len(one), len(other))
    at = next((n for n in range(length) if one[n] != other[n]), length)
    a, b = one[at:], other[at:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
    return a[1:] == b or a == b[1:]


def _letters(name: str) -> str:
    return name.rstrip("0123456789")
