"""Folders and texts for who looks for many files at once: each folder is listed once, each text read once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from engine.source.paths import is_safe
from engine.source.text import SourceText


class _Listing(NamedTuple):
    """One folder: names that are as they are written, and by lower-case spelling, in byte order; links among them."""

    files: dict[str, list[str]]
    folders: dict[str, list[str]]
    links: frozenset[str]


_EMPTY = _Listing({}, {}, frozenset())


class _Place(NamedTuple):
    """A folder below another: the path to it with a slash at the end, what is in it, whether a link leads there."""

    inside: str
    listing: _Listing
    linked: bool


class Folder:
    """A folder and all below it, as they were when each was first looked into. Make a new one for another look."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._listings: dict[str, _Listing] = {}
        self._places: dict[str, _Place | None] = {}
        self._real_root = ""

    def find(self, name: str, extension: str) -> str | None:
        """The path below the folder, with forward slashes, of the file for a canonical name; by the rules of
        `find_file`."""
        if not is_safe(name):
            return None
        above, _, last = name.rpartition("\\")
        if above not in self._places:
            self._places[above] = self._place(above)
        place = self._places[above]
        if place is None:
            return None
        found = _choose(place.listing.files, last + extension)
        if found is None:
            return None
        linked = place.linked or found in place.listing.links
        if linked and not self._inside(os.path.join(self.root, place.inside, found)):
            return None
        return place.inside + found

    def _place(self, name: str) -> _Place | None:
        """The folder of a canonical name, "" for this one. Kept: most files are beside one that was found before."""
        at, inside, linked = self.root, "", False
        for part in name.split("\\") if name else ():
            listing = self._listing(at)
            found = _choose(listing.folders, part)
            if found is None:
                return None
            linked = linked or found in listing.links
            at, inside = os.path.join(at, found), f"{inside}{found}/"
        return _Place(inside, self._listing(at), linked)

    def _listing(self, path: str) -> _Listing:
        known = self._listings.get(path)
        if known is None:
            known = self._listings[path] = _list(path)
        return known

    def _inside(self, path: str) -> bool:
        """Whether what a link leads to lies below the root."""
        self._real_root = self._real_root or os.path.realpath(self.root)
        return Path(os.path.realpath(path)).is_relative_to(self._real_root)


def _choose(names: dict[str, list[str]], wanted: str) -> str | None:
    found = names.get(wanted)
    if found is None:
        return None
    return wanted if wanted in found else found[0]


def entry_kind(entry: os.DirEntry[str]) -> Literal["file", "folder", ""]:
    """What an entry of a folder is, links followed; "" for anything else. A link that leads to itself is neither, where
    `os.DirEntry` raises."""
    try:
        return "folder" if entry.is_dir() else "file" if entry.is_file() else ""
    except OSError:
        return ""


def _list(path: str) -> _Listing:
    files: dict[str, list[str]] = {}
    folders: dict[str, list[str]] = {}
    links: set[str] = set()
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_symlink():
                    links.add(entry.name)
                kind = entry_kind(entry)
                if kind:
                    names = folders if kind == "folder" else files
                    names.setdefault(entry.name.lower(), []).append(entry.name)
    except OSError:
        return _EMPTY
    for spellings in (*files.values(), *folders.values()):
        spellings.sort()
    return _Listing(files, folders, frozenset(links))


class Texts:
    """The texts of files. One is read again when its file is another one by time, size or place on the disk. A file
    that was written twice within a tick of the disk's clock may look the same: who knows of it tells `forget`."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int, int, int], SourceText]] = {}

    def read(self, path: str, shown: str) -> SourceText | None:
        """A text under the path that diagnostics show; None for a file that cannot be read."""
        try:
            stat = os.stat(path)
            key = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino)
            known = self._known.get(path)
            if known is not None and known[0] == key and known[1].path == shown:
                return known[1]
            with open(path, "rb", buffering=0) as file:
                source = SourceText(shown, file.read())
        except OSError:
            self._known.pop(path, None)
            return None
        self._known[path] = (key, source)
        return source

    def forget(self, paths: Iterable[Path]) -> None:
        """Read these files again, whatever they look like, and for safety all others of their names."""
        names = {path.name.lower() for path in paths}
        for path in [p for p in self._known if os.path.basename(p).lower() in names]:
            del self._known[path]
