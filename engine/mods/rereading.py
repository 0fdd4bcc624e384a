"""Models and clips read again: what changed, and what is wrong with their files as they are now.

The library remembers of each source the fault that it met last, also when the file is again what it was before, and
tells a fault once for each content. Who follows files wants more: a repair ends a fault, and a second break is news.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from engine.pipeline import container
from engine.pipeline.cook import source_hash
from engine.pipeline.faults import os_reason
from engine.pipeline.kept_faults import from_meta
from engine.pipeline.library import AssetLibrary, Source, find_sources
from engine.source import Diagnostic, SourceText
from engine.source.paths import shown_path

Faults = tuple[Diagnostic, ...]

_NO_HASHES: Mapping[Path, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Condition:
    """What is wrong with a source as its file is now. `broken`: it cannot be read, and what it was before serves."""

    faults: Faults = ()
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Reread:
    """changed  names of models and clips that are new
    broken   of the sources that were saved, those that cannot be read, and why
    untold   what of that the library has not told, since it knew it of before
    """

    changed: tuple[str, ...]
    broken: dict[str, Faults]
    untold: Faults


def read_again(
    library: AssetLibrary, files: Iterable[Path], hashes: Mapping[Path, str] = _NO_HASHES
) -> Reread:
    """Let the library look at its sources again, some files of which were saved. `hashes` are those of sources that
    somebody else has just looked at."""
    before = {name: library.faults(name) for name in library.broken()}
    changed = library.reload(hashes=hashes)
    saved = {name for path in files for name in names_for(path)}
    broken = {name: c.faults for name, c in conditions(library, saved, hashes).items() if c.broken}
    # What the library reads it tells, and then has the faults of it anew.
    silent = [
        faults
        for name, faults in broken.items()
        if faults is before.get(name) or faults is not library.faults(name)
    ]
    return Reread(changed, broken, tuple(fault for faults in silent for fault in faults))


def conditions(
    library: AssetLibrary, names: Iterable[str], hashes: Mapping[Path, str] = _NO_HASHES
) -> dict[str, Condition]:
    """What is wrong with sources, by name; names that are none are left out."""
    sources = find_sources(library.roots, library.cache_dir)
    failed = library.broken()
    return {
        name: _condition(sources[name], library, failed, hashes.get(sources[name].path))
        for name in sorted(names)
        if name in sources
    }


def names_for(path: Path) -> set[str]:
    """Names that the source may have which a file is, or is a part of."""
    return {path.parent.name.lower(), path.stem.lower()}


def _condition(source: Source, library: AssetLibrary, failed: Iterable[str], hash_: str | None) -> Condition:
    if source.cooked_only:
        return Condition(library.faults(source.name))
    try:
        found = source.cache.find(source.path, hash_ or source_hash(source.path))
        if found is not None:
            return Condition(from_meta(container.read_meta(found), source.path))
    except OSError as error:
        span = SourceText(shown_path(source.path), "").span(0)
        fault = Diagnostic("unreadable-file", f"cannot be read: {os_reason(error)}", span)
        return Condition((fault,), broken=True)
    except (ValueError, KeyError, TypeError, container.DamagedFile):
        pass  # a cooked file that is damaged is the library's to tell and to replace
    return Condition(library.faults(source.name), source.name in failed)
