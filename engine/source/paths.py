"""Canonical names of scripts and trees.

A logical name is lower-cased, forward slashes become backslashes, and leading or repeated separators
collapse (language page, "Source files and program structure"). Names never leave their roots: a `..`
component, a drive letter or a NUL is refused by `is_safe`.
"""

from __future__ import annotations

import re
from pathlib import Path

MAX_NAME = 256

_SEPARATORS = re.compile(r"\\+")
_UNSAFE = re.compile(r"[:\0-\x1f]|(?:\A|\\)(?:\\|\Z)|[ .](?:\\|\Z)")
"""A drive or a control character, an empty part, or one that ends in a blank or a point, as `..` does."""


def canonical(name: str) -> str:
    """The canonical form of a script or tree name, without its extension."""
    return _SEPARATORS.sub(r"\\", name.lower().replace("/", "\\")).lstrip("\\")


def is_safe(name: str) -> bool:
    """Whether a canonical name can only mean a file below a root."""
    return len(name) <= MAX_NAME and _UNSAFE.search(name) is None


def find_file(root: Path, name: str, extension: str) -> Path | None:
    """The file for a canonical name below `root`, whatever the case on disk, or None.

    An exact match wins; otherwise the first in byte order, so that the choice does not depend on the file
    system. A match that a link takes outside `root` counts as missing.
    """
    if not is_safe(name):
        return None
    parts = name.split("\\")
    parts[-1] += extension
    at = root
    for index, part in enumerate(parts):
        exact = at / part
        last = index == len(parts) - 1
        if exact.is_file() if last else exact.is_dir():
            at = exact
            continue
        try:
            found = sorted(p.name for p in at.iterdir() if p.name.lower() == part)
        except OSError:
            return None
        found = [n for n in found if ((at / n).is_file() if last else (at / n).is_dir())]
        if not found:
            return None
        at = at / found[0]
    try:
        inside = at.resolve().is_relative_to(root.resolve())
    except OSError:
        return None
    return at if inside else None


def shown_path(path: Path) -> str:
    """The path as a person would write it, with forward slashes: relative to the working folder where it lies below."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError, RuntimeError):  # the last for a link that leads to itself
        return path.as_posix()
