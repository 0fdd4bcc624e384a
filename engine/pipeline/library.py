"""The asset library: models, clips and sounds by name, cooked when they are stale.

An asset root is a folder with `models/NAME/NAME.glb` (and its sidecar), `sounds/`, and maybe `cooked/`.
Earlier roots shadow later ones name by name. What is missing gives a visible placeholder and one diagnostic.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.anim.clip import Clip
from engine.pipeline import container
from engine.pipeline.cache import AssetCache, default_folder
from engine.pipeline.convert import Converted
from engine.pipeline.cook import SIDECAR, cook, is_current, source_hash
from engine.pipeline.faults import os_reason
from engine.pipeline.files import content_hash, paths_in, read_file
from engine.pipeline.formats import FORMATS
from engine.pipeline.kept_faults import from_meta
from engine.pipeline.model import Model
from engine.pipeline.motion import clip_name
from engine.pipeline.names import asset_name
from engine.pipeline.packing import unpack
from engine.pipeline.placeholder import placeholder_model, still_clip
from engine.pipeline.settings import read_settings
from engine.pipeline.sound_length import seconds_of
from engine.pipeline.sounds import ALIAS_FILE, SoundAlias, find_files, read_aliases
from engine.pipeline.texts import is_gone
from engine.source import Diagnostic, DiagnosticError, SourceText, Span
from engine.source.nearest import did_you_mean
from engine.source.paths import shown_path

MODELS, SOUNDS = "models", "sounds"
BUILT_IN_CLIPS = {"void": False, "void_loop": True}
"""Clips that every tree may need (animation facts, section 2.2), and whether they loop. Assets win."""

Report = Callable[[Diagnostic], None]

_Aliases = tuple[dict[str, SoundAlias], list[Diagnostic]]
_NO_HASHES: Mapping[Path, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Source:
    """A source file of a root, or a shipped cooked file whose source is not there (`cooked_only`)."""

    name: str
    path: Path
    cache: AssetCache
    cooked_only: bool = False


@dataclass(frozen=True, eq=False)
class _Loaded:
    """A source's content, its hash, and what it was made of as its cooked file says. `content` is empty where nothing
    could be made of it."""

    hash_: str
    content: Converted
    meta: dict[str, Any] = field(default_factory=dict)


def find_sources(roots: Sequence[Path], cache_dir: Path | None = None) -> dict[str, Source]:
    """Every source by name, in the order of names; earlier roots and preferred formats win. A root that is a file is
    this one source."""
    found: dict[str, Source] = {}
    folder = cache_dir if cache_dir is not None else default_folder()
    order = list(FORMATS)
    for root in roots:
        cache = AssetCache(folder, root)
        here: dict[str, Source] = {}
        paths = [p for p in _candidates(root) if os.path.isfile(p)]
        for path in sorted(paths, key=lambda p: (order.index(p.suffix.lower()), p)):
            here.setdefault(path.stem.lower(), Source(path.stem.lower(), path, cache))
        for path in cache.shipped_files():
            here.setdefault(path.stem.lower(), Source(path.stem.lower(), path, cache, cooked_only=True))
        for name, source in here.items():
            found.setdefault(name, source)
    return dict(sorted(found.items()))


def no_sources(roots: Sequence[Path]) -> dict[Path, str]:
    """What has the name of a source and cannot be one, and what it is instead."""
    found = [path for root in roots for path in sorted(_candidates(root)) if not os.path.isfile(path)]
    return {path: _what(path) for path in found}


def _what(path: Path) -> str:
    if os.path.isdir(path):
        return "a folder"
    return "a link that leads nowhere" if os.path.islink(path) else "no file"


def _candidates(root: Path) -> list[Path]:
    if os.path.isfile(root):
        files = [root]
    else:
        files = [path for home in paths_in(root / MODELS) for path in paths_in(home)]
    return [path for path in files if path.suffix.lower() in FORMATS]


MAX_PLACEHOLDERS = 16
"""Names that have a placeholder of their own; what is missing beyond that shows the first."""

MAX_UNKNOWN = 24
"""Names that nothing has and that are told."""

MAX_HINTS = 8
"""Of those, how many with the nearest name that something has."""


@cache
def _built_in() -> Mapping[str, Clip]:
    return {name: still_clip(name, looping=loop) for name, loop in BUILT_IN_CLIPS.items()}


class AssetLibrary:
    """Assets of several roots. Safe to use from several threads.

    roots      asset folders, the one that wins first; a file is a model or clips that lie in none
    cache_dir  where cooked files are kept; the user's cache folder by default
    report     receives every diagnostic, each once
    """

    def __init__(self, roots: Sequence[Path], cache_dir: Path | None = None, report: Report = lambda _: None):
        self.roots = tuple(roots)
        self.cache_dir = cache_dir
        self._report = report
        self._reported: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        self._loaded: dict[str, _Loaded] = {}
        self._faults: dict[str, tuple[Diagnostic, ...]] = {}  # what is wrong with each source as it is now
        self._failed: dict[str, str] = {}  # hash of a source that could not be cooked
        self._cook_faults: dict[tuple[str, str], Sequence[Diagnostic]] = {}  # by name and hash of the source
        self._placeholders: dict[str, Model] = {}
        self._told_no_importer = False
        self._unknown: set[str] = set()  # names that nothing has, and that were asked for
        self._clips: dict[str, tuple[str, Clip]] | None = None
        self._clashes: list[tuple[Path, Diagnostic]] = []  # with the root that each is about
        self._sources = find_sources(self.roots, cache_dir)
        self._alias_files: dict[Path, tuple[bytes, dict[str, Path], _Aliases]] = {}
        self._scan_sounds()

    # Models ---------------------------------------------------------------------------------------------

    def model(self, name: str, span: Span | None = None) -> Model:
        """The model of that name; a placeholder and one diagnostic (at `span`) where there is none."""
        key = asset_name(name)
        with self._lock:
            loaded = self._load(key) if key in self._sources else None
            if loaded is not None and loaded.content.model is not None:
                return loaded.content.model
            if loaded is None:
                self._tell_unknown("model", key, self._sources, span)
            elif loaded.content.clips:
                self._tell_missing("missing-model", f"`{key}` brings only clips and is no model", None, span)
            if key not in self._placeholders:
                if len(self._placeholders) >= MAX_PLACEHOLDERS:
                    return next(iter(self._placeholders.values()))
                self._placeholders[key] = placeholder_model(key)
            return self._placeholders[key]

    def has_model(self, name: str) -> bool:
        """Whether there is a source of that name that can be used as a model."""
        key = asset_name(name)
        with self._lock:
            return key in self._sources and self._load(key).content.model is not None

    def model_names(self) -> tuple[str, ...]:
        """Names of all model sources, sorted; nothing is loaded."""
        return tuple(self._sources)

    # Clips ----------------------------------------------------------------------------------------------

    def clip(self, name: str) -> Clip | None:
        """The clip of that name, or None; the tree that names it knows the place to blame."""
        found = self._all_clips().get(asset_name(name))
        return found[1] if found is not None else None

    def has_clip(self, name: str) -> bool:
        return asset_name(name) in self._all_clips()

    def clip_names(self) -> Iterable[str]:
        """Names of all clips, sorted."""
        return tuple(self._all_clips())

    def clip_source(self, name: str) -> str | None:
        """Name of the source that brings a clip, None for an unknown or a built-in one."""
        found = self._all_clips().get(asset_name(name))
        return found[0] or None if found is not None else None

    def clip_clashes(self, root: Path) -> tuple[Diagnostic, ...]:
        """Clips of one of the roots whose names other sources give as well."""
        with self._lock:
            self._all_clips()
            return tuple(found for of, found in self._clashes if of.resolve() == root.resolve())

    def _all_clips(self) -> dict[str, tuple[str, Clip]]:
        with self._lock:
            if self._clips is None:
                found: dict[str, tuple[str, Clip]] = {}
                self._clashes = []
                # As with whole models, those of earlier roots win.
                for name in sorted(self._sources, key=lambda name: self._root_of(self._sources[name])):
                    for clip in self._load(name).content.clips:
                        if clip.name in found:
                            self._clash(clip.name, self._sources[found[clip.name][0]], self._sources[name])
                        found.setdefault(clip.name, (name, clip))
                for name, clip in _built_in().items():
                    found.setdefault(name, ("", clip))
                self._clips = dict(sorted(found.items()))
            return self._clips

    def _root_of(self, source: Source) -> int:
        """Number of the root that a source lies in."""
        return self.roots.index(source.cache.root)

    def _clash(self, clip: str, used: Source, other: Source) -> None:
        """Tell of a clip that two sources bring: at the one of the earlier root, which takes the place of what others
        count on; of one root, at the one that is left out."""
        message = f"clip `{clip}` comes from {shown_path(other.path)} as well; this one is used wherever it is named"
        at = used
        if used.cache.root == other.cache.root:
            message = f"clip `{clip}` comes from {shown_path(used.path)} as well; that one is used"
            at = other
        if at.name in self._failed:
            return  # an older version serves; nobody can say where that name stood
        diagnostic = Diagnostic("duplicate-clip", message, _clip_span(at.path, clip), "warning")
        self._clashes.append((at.cache.root, diagnostic))
        self._tell(diagnostic)

    # Sounds ---------------------------------------------------------------------------------------------

    def sound(self, name: str) -> Path | None:
        """The file that a sound name plays (the first of an alias); None and one diagnostic if unknown."""
        alias = self.sound_alias(name)
        return alias.files[0] if alias is not None else None

    def sound_alias(self, name: str) -> SoundAlias | None:
        """How a sound name is played: its alias, or a file of that name played plainly."""
        key = asset_name(name)
        with self._lock:
            alias = self._aliases.get(key)
            if alias is None and key in self._sound_files:
                alias = SoundAlias(key, (self._sound_files[key],))
            if alias is None:
                self._tell_unknown("sound", key, chain(self._aliases, self._sound_files), None)
            return alias

    def sound_seconds(self, name: str) -> float:
        """How long a sound lasts, the longest of an alias's files. 1 for one that is unknown (which is told) or whose
        file does not say."""
        alias = self.sound_alias(name)
        if alias is None:
            return 1.0
        with self._lock:
            for path in alias.files:
                if path not in self._sound_lengths:
                    self._sound_lengths[path] = seconds_of(path) or 1.0
            return max(self._sound_lengths[path] for path in alias.files)

    def sound_names(self) -> tuple[str, ...]:
        """Every name that `sound` knows, sorted."""
        return tuple(sorted({*self._aliases, *self._sound_files}))

    def _scan_sounds(self) -> None:
        self._sound_files: dict[str, Path] = {}
        self._aliases: dict[str, SoundAlias] = {}
        self._sound_lengths: dict[Path, float] = {}
        for root in self.roots:
            for name, path in find_files(root / SOUNDS).items():
                self._sound_files.setdefault(name, path)
        for root in self.roots:
            try:
                aliases, faults = self._read_aliases(root / SOUNDS / ALIAS_FILE)
            except OSError as error:
                fault = f"cannot be read: {os_reason(error)}"
                aliases = {}
                faults = [Diagnostic("unreadable-file", fault, _file_span(root / SOUNDS / ALIAS_FILE))]
            for name, alias in aliases.items():
                self._aliases.setdefault(name, alias)
            for diagnostic in faults:
                self._tell(diagnostic)

    def _read_aliases(self, path: Path) -> _Aliases:
        """What a file of aliases says; it is looked through again only where it or the sound files are others."""
        try:
            data = read_file(path)
        except OSError as error:
            if not is_gone(path, error):
                raise
            data = b""
        known = self._alias_files.get(path)
        if known is None or known[:2] != (data, self._sound_files):
            known = self._alias_files[path] = (data, self._sound_files, read_aliases(path, self._sound_files))
        return known[2]

    # Loading --------------------------------------------------------------------------------------------

    def content_hash(self, name: str) -> str:
        """Changes exactly when the source of that name does; empty for an unknown one."""
        key = asset_name(name)
        with self._lock:
            return self._load(key).hash_ if key in self._sources else ""

    def _load(self, name: str) -> _Loaded:
        """A known source's content; none, after its diagnostics, where it cannot be used."""
        if name not in self._loaded:
            self._loaded[name] = self._read(self._sources[name]) or _Loaded("", Converted(None, ()))
        return self._loaded[name]

    def _read(self, source: Source, hash_: str | None = None) -> _Loaded | None:
        """Load a source, whose hash may be known, cooking it when it is stale; None (after its diagnostics) when that
        fails."""
        if source.cooked_only:
            return self._map(source.path, source)
        try:
            hash_ = hash_ or source_hash(source.path)
        except OSError as error:
            fault = f"cannot be read: {os_reason(error)}"
            self._tell(Diagnostic("unreadable-file", fault, _file_span(source.path)))
            return None
        cooked_path = source.cache.find(source.path, hash_)
        loaded = self._map(cooked_path, source) if cooked_path is not None else None
        return loaded or self._cook(source, hash_)

    def _map(self, path: Path, source: Source, *, current: bool = True) -> _Loaded | None:
        """What a cooked file holds. Its faults are told where it is of the source as that is now: of an older one they
        would be told at lines that are other ones now, or no more."""
        try:
            cooked = container.read(path)
            loaded = _Loaded(_content_key(cooked.meta), unpack(cooked), cooked.meta)
            if current:
                self._faults[source.name] = from_meta(cooked.meta, source.path)
                for diagnostic in self._faults[source.name]:
                    self._tell(diagnostic)
            return loaded
        except (OSError, ValueError, KeyError, TypeError, container.DamagedFile) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            then = "it cannot be used" if source.cooked_only else "it is cooked again"
            message = f"the cooked file is damaged ({reason}); {then}"
            self._tell(Diagnostic("damaged-file", message, _file_span(path), "warning"))
            return None

    def _cook(self, source: Source, hash_: str) -> _Loaded | None:
        """Cook a source; where that fails, what was cooked of an older version serves on."""
        known = self._cook_faults.pop((source.name, hash_), None)
        try:
            if known is not None:
                raise DiagnosticError(known)
            cooked = cook(source.path)
        except DiagnosticError as error:
            self._failed[source.name] = hash_
            stale = source.cache.find_stale(source.path)
            *others, last = error.diagnostics
            if stale is not None:
                last = last.with_note("what was cooked from an older version is used meanwhile")
            for diagnostic in (*others, last):
                # Without the importer every stale source has the same fault: where old copies serve, one is enough.
                if stale is None or diagnostic.code != "no-assimp" or not self._told_no_importer:
                    self._tell(diagnostic)
                self._told_no_importer |= diagnostic.code == "no-assimp"
            self._faults[source.name] = (*others, last)
            return self._map(stale, source, current=False) if stale is not None else None
        self._failed.pop(source.name, None)
        try:
            return self._map(source.cache.store(source.path, cooked), source)
        except OSError as error:
            self._tell_missing(
                "no-cache",
                f"cooked assets cannot be kept in {source.cache.folder.parent} ({os_reason(error)})",
                "they are cooked again at each start; NOTETRACK_CACHE names another folder",
                None,
                "warning",
            )
            self._faults[source.name] = cooked.diagnostics
            for diagnostic in cooked.diagnostics:
                self._tell(diagnostic)
            content = unpack(container.from_buffer(cooked.data))
            return _Loaded(_content_key(cooked.meta), content, cooked.meta)

    # Reloading ------------------------------------------------------------------------------------------

    def reload(self, name: str | None = None, hashes: Mapping[Path, str] = _NO_HASHES) -> tuple[str, ...]:
        """Look at the sources again (one of them, or all); names of the models and clips that changed.

        What is asked for next is new. A source that cannot be cooked keeps what was loaded before, and its
        fault is reported again. `hashes` are those of sources that somebody else has just looked at.
        """
        with self._lock:
            before_clips = dict(self._clips or {})
            self._unknown.clear()
            known = self._sources
            self._sources = find_sources(self.roots, self.cache_dir)
            only = asset_name(name) if name is not None else None
            changed: set[str] = set()
            for key in {*known, *self._sources, *self._loaded}:
                if only is not None and key != only:
                    continue
                if key not in self._sources:
                    if self._loaded.pop(key, None) is not None and key in known:
                        changed.add(key)
                else:
                    hash_ = hashes.get(self._sources[key].path)
                    if key not in known or self._is_stale(key, hash_):
                        changed |= self._reload_one(key, hash_)
            if only is None:
                self._scan_sounds()
            if changed:
                self._clips = None
                if before_clips:
                    after = self._all_clips()
                    names = {*before_clips, *after}
                    changed |= {n for n in names if before_clips.get(n) != after.get(n)}
            return tuple(sorted(changed))

    def broken(self) -> tuple[str, ...]:
        """Names of sources that could not be cooked as they are now; what they were before, or nothing, serves."""
        with self._lock:
            return tuple(sorted(self._failed))

    def faults(self, name: str) -> tuple[Diagnostic, ...]:
        """What is wrong with the source of that name, as `check` would say; nothing for an unknown one."""
        key = asset_name(name)
        with self._lock:
            if key not in self._sources:
                return ()
            self._load(key)
            return self._faults.get(key, ())

    def know_fault(self, name: str, hash_: str, diagnostics: Sequence[Diagnostic]) -> None:
        """A source with that hash could not be cooked elsewhere, and need not be tried again by `reload`."""
        with self._lock:
            self._cook_faults[name, hash_] = diagnostics

    def _is_stale(self, key: str, hash_: str | None) -> bool:
        source, loaded = self._sources[key], self._loaded.get(key)
        if loaded is None:
            return False
        try:
            if source.cooked_only:
                return _content_key(container.read_meta(source.path)) != loaded.hash_
            hash_ = hash_ or source_hash(source.path)
            if key not in self._failed and is_current(loaded.meta, source.path, hash_):
                return False
            found = source.cache.find(source.path, hash_)
            if found is not None:
                return _content_key(container.read_meta(found)) != loaded.hash_
            # What failed is tried again with other bytes only; a file beside it may have been the reason, and then the
            # one that could be cooked is found.
            return self._failed.get(key) != hash_
        except (OSError, container.DamagedFile):
            return False

    def _reload_one(self, key: str, hash_: str | None) -> set[str]:
        old = self._loaded.get(key)
        source = self._sources[key]
        self._forget(source)
        new = self._read(source, hash_)
        if new is None or (old is not None and new.hash_ == old.hash_):
            return set()
        self._loaded[key] = new
        return {key}

    def _forget(self, source: Source) -> None:
        """Let faults of a source be reported again."""
        shown = shown_path(source.path)
        sidecar = shown_path(source.path.with_suffix(".toml"))
        self._reported = {known for known in self._reported if known[0] not in (shown, sidecar)}

    # Reporting ------------------------------------------------------------------------------------------

    def _tell(self, diagnostic: Diagnostic) -> None:
        path = diagnostic.span.path if diagnostic.span is not None else ""
        key = (path, diagnostic.code + diagnostic.message)
        if key not in self._reported:
            self._reported.add(key)
            self._report(diagnostic)

    def _tell_unknown(self, kind: str, key: str, known: Iterable[str], span: Span | None) -> None:
        """Tell of a name that nothing has, and of the nearest that something has. Scripts can make up names without
        end: after some it is said that there are more."""
        message = f"there is no {kind} `{key}`"
        if key in self._unknown or len(self._unknown) > MAX_UNKNOWN:
            return
        self._unknown.add(key)
        if len(self._unknown) > MAX_UNKNOWN:
            message = "more models and sounds are asked for that nobody has; they are not told"
        # Looking for what is near takes milliseconds.
        hint = did_you_mean(key, known) if len(self._unknown) <= MAX_HINTS else None
        self._tell_missing(f"missing-{kind}", message, hint, span)

    def _tell_missing(
        self, code: str, message: str, hint: str | None, span: Span | None, severity: str = "error"
    ) -> None:
        key = ("", code + message)
        if key in self._reported:
            return
        self._reported.add(key)
        diagnostic = Diagnostic(code, message, span, "warning" if severity == "warning" else "error")
        self._report(diagnostic.with_note(hint) if hint else diagnostic)


def _content_key(meta: dict[str, object]) -> str:
    """Identifies what a cooked file was made of: source, settings, further files and cooker."""
    return content_hash(repr([meta.get(key) for key in ("cooker", "source", "used")]).encode())


def _file_span(path: Path) -> Span:
    return SourceText(shown_path(path), "").span(0)


def _clip_span(source: Path, clip: str) -> Span:
    """The place in the settings that gives a clip of a source its name; the source where they do not."""
    sidecar = source.with_suffix(SIDECAR)
    try:
        settings = read_settings(sidecar, shown_path(sidecar))
    except (OSError, DiagnosticError):
        return _file_span(source)
    for key, how in settings.clips.items():
        if how.mirror == clip:
            return settings.place("clips", key, "mirror") or _file_span(source)
        if (how.name or clip_name(key)) == clip:
            path = ("clips", key, "name") if how.name else ("clips", key)
            return settings.place(*path) or _file_span(source)
    return _file_span(source)
