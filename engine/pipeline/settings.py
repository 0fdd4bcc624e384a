"""The sidecar `NAME.toml` beside a model source `NAME.glb`: what the source cannot say itself.

Every key is optional; a missing file means all defaults. A key that nobody knows, a value of the wrong
kind and a value out of range are diagnostics with the line of the key. `docs/assets.md` shows every key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from engine.pipeline.texts import is_gone, read_toml
from engine.source import Diagnostic, DiagnosticError, Span
from engine.source.nearest import did_you_mean
from engine.source.toml import Key, TomlFile

RootMotion = Literal["keep", "full", "linear"]

INCHES_PER_METRE = 39.37007874
UNITS = {
    "m": INCHES_PER_METRE,
    "cm": INCHES_PER_METRE / 100,
    "mm": INCHES_PER_METRE / 1000,
    "in": 1.0,
    "ft": 12.0,
}
"""Inches per unit of length."""

MAX_RATE = 240.0
ASSET_NAME = re.compile(r"[a-z0-9_]+\Z")

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class NoteSetting:
    """A note of a clip. Exactly one of the three places is given.

    frame  on the source's own time line, where frame 0 is time 0 (`ModelSettings.fps` frames a second)
    time   seconds after the clip's first frame
    at     fraction of the clip, 0..1
    """

    name: str
    frame: float | None = None
    time: float | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """What becomes of one animation of the source.

    name         the clip's name in the engine; the animation's own name by default
    loop         whether it repeats
    root_motion  `keep` leaves the root's travel in the pose; `full` takes ground travel and turn out, so that
                 they move the entity; `linear` takes out only the even part and leaves the sway in the pose
    bones        the clip moves only these bones and all below them; every bone with tracks by default
    frames       (first, last) of the source's time line, both included; the whole animation by default
    mirror       name of a second clip, which is this one with left and right exchanged; none by default
    notes        in the order of the file
    """

    name: str | None = None
    loop: bool = False
    root_motion: RootMotion = "keep"
    bones: tuple[str, ...] = ()
    frames: tuple[float, float] | None = None
    mirror: str | None = None
    notes: tuple[NoteSetting, ...] = ()


@dataclass(frozen=True, slots=True)
class MaterialSettings:
    """Replaced properties of one material; None keeps what the source says.

    `color` is sRGB 0..1, `emissive` linear light.
    """

    color: tuple[float, float, float, float] | None = None
    emissive: tuple[float, float, float] | None = None
    texture: str | None = None
    roughness: float | None = None
    metallic: float | None = None


@dataclass(frozen=True, slots=True)
class SkinSettings:
    """A variant of the model: other materials by name, and meshes (by name) that are not shown."""

    materials: Mapping[str, MaterialSettings] = field(default_factory=lambda: _EMPTY)
    hide: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """All of a sidecar.

    unit         a key of UNITS, or None for the format's own (see `formats.FORMATS`)
    scale        multiplies the size, above 0
    up           `y` (+Y up, +Z forward, as in glTF), `z` (+Z up, +X forward: the engine's own axes), None for the
                 format's own
    fps          frames a second of the source's time line, for `frame` and `frames`
    sample_rate  frames a second of the cooked clips; adjusted a little so that each clip keeps its length
    root         the bone whose travel is root motion; the first bone by default
    pieces       every node becomes a bone, as unit scripts move them; else only joints, tags and what clips move
    model        False for a file that only brings clips
    colors       `linear` or `srgb`: how vertex colours are stored; None for the format's own (glTF linear)
    clips        by the animation's name in the source, lower case
    """

    unit: str | None = None
    scale: float = 1.0
    up: Literal["y", "z"] | None = None
    fps: float = 30.0
    sample_rate: float = 30.0
    root: str | None = None
    pieces: bool = False
    model: bool = True
    colors: Literal["linear", "srgb"] | None = None
    clips: Mapping[str, ClipSettings] = field(default_factory=lambda: _EMPTY)
    materials: Mapping[str, MaterialSettings] = field(default_factory=lambda: _EMPTY)
    skins: Mapping[str, SkinSettings] = field(default_factory=lambda: _EMPTY)
    file: TomlFile | None = field(default=None, compare=False)

    def place(self, *path: Key) -> Span | None:
        """The place of a key in the sidecar, None where there is no sidecar. Names may be in lower case here."""
        return _place(self.file, path) if self.file is not None else None


def _place(file: TomlFile, path: tuple[Key, ...]) -> Span:
    """The place of a key whose names are as the file has them, or in lower case."""
    spelt: list[Key] = []
    at: Any = file.data
    for part in path:
        if isinstance(at, dict):
            known = (key for key in at if isinstance(part, str) and key.lower() == part.lower())
            part = part if part in at else next(known, part)
            at = at.get(part)
        elif isinstance(at, list):
            at = at[part] if isinstance(part, int) and part < len(at) else None
        spelt.append(part)
    return file.span(spelt)


def read_settings(path: Path, shown: str | None = None) -> ModelSettings:
    """The sidecar at `path`, or all defaults where there is none. Raises DiagnosticError with every fault."""
    settings, faults = survey_settings(path, shown)
    if faults:
        raise DiagnosticError(faults)
    return settings


def survey_settings(path: Path, shown: str | None = None) -> tuple[ModelSettings, list[Diagnostic]]:
    """The sidecar at `path`, with defaults in the place of what is wrong in it, and its faults. Raises DiagnosticError
    for what is no TOML."""
    try:
        file = read_toml(path, shown)
    except OSError as error:
        if is_gone(path, error):
            return ModelSettings(), []
        raise
    reader = _Reader(file)
    return reader.model(file.data), reader.faults


def parse_settings(file: TomlFile) -> ModelSettings:
    """Check a parsed sidecar. Raises DiagnosticError with every fault found."""
    reader = _Reader(file)
    settings = reader.model(file.data)
    if reader.faults:
        raise DiagnosticError(reader.faults)
    return settings


class _Reader:
    """Turns plain TOML values into settings and collects what is wrong with them."""

    def __init__(self, file: TomlFile) -> None:
        self.file = file
        self.faults: list[Diagnostic] = []

    def fault(
        self, path: tuple[Key, ...], message: str, note: str | None = None, code: str = "bad-setting"
    ) -> None:
        diagnostic = Diagnostic(code, message, _place(self.file, path))
        self.faults.append(diagnostic.with_note(note) if note else diagnostic)

    def known(self, table: Mapping[str, Any], path: tuple[Key, ...], names: tuple[str, ...]) -> None:
        for name in table:
            if name not in names:
                hint = did_you_mean(name, names) or "known here: " + ", ".join(names)
                self.fault((*path, name), f"unknown setting `{name}`", hint, "unknown-setting")

    def table(self, holder: Mapping[str, Any], path: tuple[Key, ...], name: str) -> dict[str, dict[str, Any]]:
        """A table of tables; anything else in it is a fault."""
        value = holder.get(name, {})
        if not isinstance(value, dict):
            self.fault((*path, name), f"`{name}` must be a table")
            return {}
        for key in [key for key, inner in value.items() if not isinstance(inner, dict)]:
            self.fault((*path, name, key), f"`{key}` must be a table")
            value = {k: v for k, v in value.items() if k != key}
        first: dict[str, str] = {}
        for key in value:
            other = first.setdefault(key.lower(), key)
            if other != key:
                self.fault(
                    (*path, name, key),
                    f"`{key}` is `{other}` again; capitals do not count",
                    "keep one of the two",
                )
        return value

    def number(
        self, table: Mapping[str, Any], path: tuple[Key, ...], name: str, low: float, high: float
    ) -> float | None:
        value = table.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.fault((*path, name), f"`{name}` must be a number from {low:g} to {high:g}")
            return None
        return float(value)

    def choice(
        self, table: Mapping[str, Any], path: tuple[Key, ...], name: str, names: tuple[str, ...]
    ) -> Any:
        value = table.get(name)
        if value is None or value in names:
            return value
        self.fault((*path, name), f"`{name}` must be one of " + ", ".join(f'"{n}"' for n in names))
        return None

    def flag(self, table: Mapping[str, Any], path: tuple[Key, ...], name: str, default: bool) -> bool:
        value = table.get(name, default)
        if not isinstance(value, bool):
            self.fault((*path, name), f"`{name}` must be true or false")
            return default
        return value

    def text(self, table: Mapping[str, Any], path: tuple[Key, ...], name: str) -> str | None:
        value = table.get(name)
        if value is not None and (not isinstance(value, str) or not value):
            self.fault((*path, name), f"`{name}` must be a text that is not empty")
            return None
        return value

    def names(self, table: Mapping[str, Any], path: tuple[Key, ...], name: str) -> tuple[str, ...]:
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
            self.fault((*path, name), f"`{name}` must be a list of names")
            return ()
        return tuple(v.lower() for v in value)

    def numbers(
        self, table: Mapping[str, Any], path: tuple[Key, ...], name: str, counts: tuple[int, ...], high: float
    ) -> tuple[float, ...] | None:
        value = table.get(name)
        if value is None:
            return None
        good = isinstance(value, list) and len(value) in counts
        if not good or not all(
            isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v <= high for v in value
        ):
            sizes = " or ".join(map(str, counts))
            self.fault((*path, name), f"`{name}` must be a list of {sizes} numbers from 0 to {high:g}")
            return None
        return tuple(float(v) for v in value)

    def model(self, data: Mapping[str, Any]) -> ModelSettings:
        names = (
            "unit",
            "scale",
            "up",
            "fps",
            "sample_rate",
            "root",
            "pieces",
            "model",
            "colors",
            "clips",
            "materials",
            "skins",
        )
        self.known(data, (), names)
        clips = {
            name.lower(): self.clip(table, ("clips", name))
            for name, table in self.table(data, (), "clips").items()
        }
        self._unique_clip_names(clips)
        root = self.text(data, (), "root")
        return ModelSettings(
            unit=self.choice(data, (), "unit", tuple(UNITS)),
            scale=self.number(data, (), "scale", 1e-6, 1e6) or 1.0,
            up=self.choice(data, (), "up", ("y", "z")),
            fps=self.number(data, (), "fps", 1, MAX_RATE) or 30.0,
            sample_rate=self.number(data, (), "sample_rate", 1, MAX_RATE) or 30.0,
            root=root.lower() if root else None,
            pieces=self.flag(data, (), "pieces", False),
            model=self.flag(data, (), "model", True),
            colors=self.choice(data, (), "colors", ("linear", "srgb")),
            clips=clips,
            materials=self.materials(data, (), "materials"),
            skins={
                name.lower(): self.skin(table, ("skins", name))
                for name, table in self.table(data, (), "skins").items()
            },
            file=self.file,
        )

    def _unique_clip_names(self, clips: Mapping[str, ClipSettings]) -> None:
        seen: dict[str, str] = {}
        for source, clip in clips.items():
            for key, name in (("name", clip.name or source), ("mirror", clip.mirror)):
                if name is not None and name in seen:
                    self.fault(
                        ("clips", source, key),
                        f"clips `{seen[name]}` and `{source}` both get the name `{name}`",
                    )
                if name is not None:
                    seen.setdefault(name, source)

    def clip(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> ClipSettings:
        self.known(table, path, ("name", "loop", "root_motion", "bones", "frames", "mirror", "notes"))
        return ClipSettings(
            name=self._clip_name(table, path, "name"),
            loop=self.flag(table, path, "loop", False),
            root_motion=self._root_motion(table, path),
            bones=self.names(table, path, "bones"),
            frames=self._frames(table, path),
            mirror=self._clip_name(table, path, "mirror"),
            notes=self._notes(table, path),
        )

    def _clip_name(self, table: Mapping[str, Any], path: tuple[Key, ...], key: str) -> str | None:
        name = self.text(table, path, key)
        if name is not None and not ASSET_NAME.match(name.lower()):
            self.fault((*path, key), "a clip's name has only letters, digits and _")
        return name.lower() if name else None

    def _root_motion(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> RootMotion:
        value = table.get("root_motion", "keep")
        if isinstance(value, bool):
            return "full" if value else "keep"
        if value in ("keep", "full", "linear"):
            return value  # type: ignore[no-any-return]  # narrowed by the test, which mypy cannot see
        self.fault((*path, "root_motion"), '`root_motion` must be true, false, "full", "linear" or "keep"')
        return "keep"

    def _frames(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> tuple[float, float] | None:
        frames = self.numbers(table, path, "frames", (2,), 1e6)
        if frames is None:
            return None
        if frames[1] < frames[0]:
            self.fault((*path, "frames"), "the last of `frames` comes before the first")
            return None
        return frames[0], frames[1]

    def _notes(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> tuple[NoteSetting, ...]:
        value = table.get("notes", [])
        if not isinstance(value, list):
            self.fault((*path, "notes"), "`notes` must be a list of { name = ..., frame = ... }")
            return ()
        notes = []
        for index, entry in enumerate(value):
            at: tuple[Key, ...] = (*path, "notes", index)
            if not isinstance(entry, dict):
                self.fault(at, "a note must be { name = ..., frame = ... }")
                continue
            self.known(entry, at, ("name", "frame", "time", "at"))
            name = self.text(entry, at, "name")
            places = {
                "frame": self.number(entry, at, "frame", 0, 1e6),
                "time": self.number(entry, at, "time", 0, 1e5),
                "at": self.number(entry, at, "at", 0, 1),
            }
            given = [key for key in places if key in entry]
            if "name" not in entry or len(given) != 1:
                self.fault(at, "a note needs a `name` and exactly one of `frame`, `time` and `at`")
            elif name is not None and name.lower() == "end":
                self.fault(
                    (*at, "name"), "the note `end` is the engine's own; it stands at the end of every clip"
                )
            elif name is not None:
                notes.append(NoteSetting(name.lower(), **places))
        return tuple(notes)

    def materials(
        self, holder: Mapping[str, Any], path: tuple[Key, ...], name: str
    ) -> dict[str, MaterialSettings]:
        return {
            key.lower(): self.material(table, (*path, name, key))
            for key, table in self.table(holder, path, name).items()
        }

    def material(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> MaterialSettings:
        self.known(table, path, ("color", "emissive", "texture", "roughness", "metallic"))
        color = self.numbers(table, path, "color", (3, 4), 1)
        emissive = self.numbers(table, path, "emissive", (3,), 100)
        return MaterialSettings(
            color=(color[0], color[1], color[2], color[3] if len(color) == 4 else 1.0) if color else None,
            emissive=(emissive[0], emissive[1], emissive[2]) if emissive else None,
            texture=self.text(table, path, "texture"),
            roughness=self.number(table, path, "roughness", 0, 1),
            metallic=self.number(table, path, "metallic", 0, 1),
        )

    def skin(self, table: Mapping[str, Any], path: tuple[Key, ...]) -> SkinSettings:
        self.known(table, path, ("materials", "hide"))
        return SkinSettings(self.materials(table, path, "materials"), self.names(table, path, "hide"))
