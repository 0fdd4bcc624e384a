"""Texts that people write into a mod, read so that nothing which lies there can hold up the game or end it.

`engine.source` reads what it is given; here is what stands before it: pipes, devices and files without measure, TOML
that would keep its parser busy for minutes, and numbers that no part of the game can use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from engine.pipeline.faults import os_reason
from engine.pipeline.files import read_file
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.paths import find_file
from engine.source.toml import Key, TomlFile

MAX_TEXT = 64 * 1024 * 1024
"""Bytes of a text that anybody can have written."""

MAX_PARTS = 64
"""Parts of a dotted key; the parser's time goes by their square."""

MAX_WHOLE = 2**53
"""Whole numbers up to here are floats without loss, which much becomes in the end."""

MAX_TOLD = 16
"""Such numbers of one file that are told."""

_TOKEN = re.compile(
    r"""(?s:\"{3}(?:[^\\]|\\.)*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z))|\#[^\n]*"""
    r"""|(?P<key>(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
    r"""(?:[ \t]*+\.[ \t]*+(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?))*+)""",
    re.ASCII,
)
_PART = re.compile(r"""[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?""", re.ASCII)


def unreadable(path: Path, error: OSError, shown: str | None = None) -> Diagnostic:
    """What to say of a file, or a folder, that is there and cannot be read."""
    span = SourceText(shown if shown is not None else str(path), "").span(0)
    return Diagnostic("unreadable-file", f"cannot be read: {os_reason(error)}", span)


@contextmanager
def readable(path: Path, shown: str | None = None) -> Iterator[None]:
    """Makes an OSError of reading `path` a DiagnosticError (`unreadable-file`)."""
    try:
        yield
    except OSError as error:
        raise DiagnosticError([unreadable(path, error, shown)]) from None


def unreadable_folders(root: Path, shown: str) -> list[Diagnostic]:
    """Folders at and below `root` that cannot be looked into, so that nobody wonders why what is in them is missing."""
    found: list[Diagnostic] = []

    def tell(error: OSError) -> None:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
            path = Path(error.filename or root)
            inside = os.path.relpath(path, root).replace(os.sep, "/")
            found.append(unreadable(path, error, shown if inside == "." else f"{shown}/{inside}"))

    for _ in os.walk(root, onerror=tell):
        pass
    return found


def is_gone(path: Path, error: OSError) -> bool:
    """Whether nothing lies at the path. A link that leads nowhere is something."""
    return isinstance(error, (FileNotFoundError, NotADirectoryError)) and not os.path.lexists(path)


def locate(root: Path, name: str, extension: str) -> Path | None:
    """As `find_file`; None, too, where a folder cannot be looked into or a name is longer than the system has them."""
    try:
        return find_file(root, name, extension)
    except OSError:
        return None


def read_text(path: Path, shown: str | None = None) -> SourceText:
    """Read a file. Raises OSError, also for what is no file or no text of anybody's."""
    return SourceText(shown if shown is not None else str(path), read_file(path, MAX_TEXT))


def read_toml(path: Path, shown: str | None = None) -> TomlFile:
    """Read a TOML file. Raises OSError as `read_text`, DiagnosticError (`bad-toml`) as `toml_of`."""
    return toml_of(read_text(path, shown))


def toml_of(source: SourceText) -> TomlFile:
    """A text as TOML. Raises DiagnosticError (`bad-toml`) where it is none, or goes beyond what the game can use."""
    for token in _TOKEN.finditer(source.text):
        # Each part but one has a dot before it.
        if token["key"] is not None and token["key"].count(".") >= MAX_PARTS:
            parts = sum(1 for _ in _PART.finditer(token["key"]))
            if parts > MAX_PARTS:
                start = token.start()
                message = f"a key of {parts} parts; {MAX_PARTS} are the most"
                raise DiagnosticError([Diagnostic("bad-toml", message, source.span(start, start + 1))])
    file = TomlFile(source)
    faults = [
        Diagnostic(
            "bad-toml",
            f"a whole number beyond {MAX_WHOLE}, which nothing in the game can be; write a smaller one",
            file.span(place),
        )
        for place in islice(_too_large(file.data, ()), MAX_TOLD)
    ]
    if faults:
        raise DiagnosticError(faults)
    return file


def _too_large(value: Any, place: tuple[Key, ...]) -> Iterator[tuple[Key, ...]]:
    if isinstance(value, int):
        if abs(value) > MAX_WHOLE:
            yield place
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _too_large(inner, (*place, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _too_large(inner, (*place, index))
