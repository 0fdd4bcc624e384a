"""The watched folders themselves, and symbolic links below them: what the system's events do not tell of.

A watch belongs to one folder of the disk, not to its path: it ends when the folder is removed, and when another takes
its place, or a link at the path leads elsewhere, nobody says so. Neither does anybody when what a link below a
watched folder leads to changes. Both are looked at once a second, which costs a few calls of the system.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.source.folder import entry_kind

Stamp = tuple[int, ...]


def _stamp(path: Path) -> Stamp | None:
    """What tells one state of a file from another, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder + os.sep)


def _identity(path: Path) -> Stamp | None:
    stamp = _stamp(path)
    return stamp[:2] if stamp is not None else None


class Roots:
    """Folders by the path that the user gave; they may come and go."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._identities = {Path(os.path.abspath(folder)): _identity(folder) for folder in folders}

    def present(self) -> list[Path]:
        """Where each of them is on the disk."""
        return list(
            dict.fromkeys(Path(os.path.realpath(path)) for path in self._identities if os.path.isdir(path))
        )

    def moved(self) -> bool:
        """Whether one has come, gone or been replaced by another since the last call."""
        found = {path: _identity(path) for path in self._identities}
        changed = found != self._identities
        self._identities = found
        return changed


class Links:
    """Files that are reached through links, with the state in which they were last seen."""

    def __init__(self) -> None:
        self._files: dict[Path, Stamp | None] = {}
        self._folders: set[Path] = set()

    def clear(self) -> None:
        self._files.clear()
        self._folders.clear()

    def walk(self, folder: Path) -> Iterator[Path]:
        """All files below a folder, in linked folders too. A link to what lies below the folder anyway, which may be a
        circle, is not followed."""
        whole = os.path.realpath(folder)
        seen: set[str] = set()
        todo = [(str(folder), False)]
        while todo:
            here, linked = todo.pop()
            try:
                entries = list(os.scandir(here))
            except OSError:
                continue
            for entry in entries:
                through = linked or entry.is_symlink()
                path = Path(entry.path)
                kind = entry_kind(entry)
                if kind == "folder":
                    if through:
                        real = os.path.realpath(entry.path)
                        if real in seen or real == whole or _below(real, whole) or _below(whole, real):
                            continue
                        seen.add(real)
                        self._folders.add(path)
                    todo.append((entry.path, through))
                elif kind == "file":
                    if through:
                        self._files[path] = _stamp(path)
                    yield path

    def changed(self) -> list[Path]:
        """Linked files that are not what they were at the last look, and new ones in linked folders."""
        found = []
        for path, before in self._files.items():
            stamp = _stamp(path)
            if stamp != before:
                self._files[path] = stamp
                found.append(path)
        for folder in list(self._folders):
            for path in self._inside(folder):
                if path not in self._files:
                    self._files[path] = _stamp(path)
                    found.append(path)
        return found

    def _inside(self, folder: Path) -> list[Path]:
        try:
            return [Path(entry.path) for entry in os.scandir(folder) if entry_kind(entry) == "file"]
        except OSError:
            return []
