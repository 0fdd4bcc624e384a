"""Cooking: one source file and its sidecar become one cooked file, and back into a model and clips.

The cooked file's meta records what it was made of: the cooker's version, a hash of the source with its
sidecar, and a hash of every further file that was read (textures, buffers). It is stale when one of these
differs, and only then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.anim.clip import Clip, ClipNote
from engine.anim.skeleton import Skeleton
from engine.pipeline import importer
from engine.pipeline.container import Arrays, Container, DamagedFile
from engine.pipeline.convert import Converted, Format, convert
from engine.pipeline.faults import Faults, os_reason, shown_path
from engine.pipeline.files import content_hash
from engine.pipeline.gltf import plain_glb
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.scene import Scene
from engine.pipeline.settings import ModelSettings, read_settings
from engine.source import Diagnostic, DiagnosticError

COOKER_VERSION = 1
"""Raised whenever the same source would cook to something else."""

GLTF = (".glb", ".gltf")
FORMATS: Mapping[str, Format] = {
    ".glb": Format("m", linear_colors=True),
    ".gltf": Format("m", linear_colors=True),
    ".fbx": Format("cm"),
    ".dae": Format(),
    ".obj": Format(),
    ".x": Format(),
    ".md5mesh": Format("in"),
    ".blend": Format(),
    ".ply": Format(),
    ".stl": Format(),
    ".3ds": Format(),
}
"""Source formats by extension, the first preferred where a folder holds several of one name."""

MAX_SOURCE = 512 * 1024 * 1024
SIDECAR = ".toml"


@dataclass(frozen=True, eq=False)
class Cooked:
    """A cooked source, ready to write: `meta` and `arrays` of its container, and what was worth saying."""

    meta: dict[str, Any]
    arrays: Arrays
    diagnostics: tuple[Diagnostic, ...]


def source_hash(source: Path) -> str:
    """Hash of a source and its sidecar. Raises OSError where the source cannot be read."""
    sidecar = source.with_suffix(SIDECAR)
    settings = sidecar.read_bytes() if sidecar.is_file() else b""
    return content_hash(source.suffix.lower().encode(), source.read_bytes(), settings)


def is_current(meta: Mapping[str, Any], source: Path, hash_: str) -> bool:
    """Whether a cooked file with this meta is what cooking `source` now would give."""
    if meta.get("cooker") != COOKER_VERSION or meta.get("source") != hash_:
        return False
    used = meta.get("used", {})
    if not isinstance(used, dict):
        return False
    return all(_hash_of(source.parent / name) == known for name, known in used.items())


def _hash_of(path: Path) -> str | None:
    try:
        return content_hash(path.read_bytes())
    except OSError:
        return None


def cook(source: Path) -> Cooked:
    """Import and convert a source. Raises DiagnosticError; warnings and lesser errors are in the result."""
    faults = Faults(shown_path(source))
    try:
        size = source.stat().st_size
        data = source.read_bytes() if size <= MAX_SOURCE else b""
        hash_ = source_hash(source)
    except OSError as error:
        raise faults.fatal("unreadable-file", f"cannot be read: {os_reason(error)}") from None
    if size > MAX_SOURCE:
        raise faults.fatal("bad-source", f"larger than {MAX_SOURCE // 2**20} MiB")
    if not data:
        raise faults.fatal("bad-source", "the file is empty", "export it again")
    sidecar = source.with_suffix(SIDECAR)
    try:
        settings = read_settings(sidecar, shown_path(sidecar))
    except OSError as error:
        raise faults.fatal("unreadable-file", f"its settings cannot be read: {os_reason(error)}") from None
    try:
        converted, used = _import(source, data, settings, faults)
    except DiagnosticError as error:
        raise DiagnosticError([d for d in (*faults.found, *error.diagnostics) if d]) from None
    meta, arrays = pack(converted)
    meta |= {
        "cooker": COOKER_VERSION,
        "name": source.stem.lower(),
        "source": hash_,
        "used": {path.relative_to(source.parent).as_posix(): _hash_of(path) for path in used},
    }
    return Cooked(meta, arrays, tuple(faults.found))


def _import(
    source: Path, data: bytes, settings: ModelSettings, faults: Faults
) -> tuple[Converted, list[Path]]:
    suffix = source.suffix.lower()
    used: list[Path] = []
    try:
        if suffix in GLTF:
            plain = plain_glb(data, source, faults)
            used += plain.used
            scene = importer.import_memory(plain.data, "glb")
            scene.joints = plain.joints
        else:
            scene = importer.import_path(source)
    except importer.LibraryMissing as error:
        raise faults.fatal(
            "no-assimp", f"sources cannot be cooked: {error}", importer.MISSING_LIBRARY
        ) from None
    except importer.ImportFailed as error:
        raise faults.fatal("bad-source", f"the file cannot be imported: {error}", "export it again") from None

    def load(name: str) -> bytes | None:
        found = _beside(source, name)
        if found is None:
            return None
        if found not in used:
            used.append(found)
        return found.read_bytes()

    return convert(source.stem.lower(), scene, settings, FORMATS[suffix], load, faults), used


def _beside(source: Path, name: str) -> Path | None:
    """A file named by a source, below its own folder; else one of that name right beside it."""
    plain = name.replace("\\", "/")
    for candidate in (source.parent / plain, source.parent / plain.rsplit("/", 1)[-1]):
        try:
            if candidate.resolve().is_relative_to(source.parent.resolve()) and candidate.is_file():
                return candidate
        except (OSError, ValueError):
            continue
    return None


# To arrays and back -------------------------------------------------------------------------------------


def pack(converted: Converted) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Meta and arrays of a converted source."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    meta: dict[str, Any] = {"clips": []}
    for number, clip in enumerate(converted.clips):
        arrays[f"clip{number}.rows"] = clip.rows
        if clip.delta is not None:
            arrays[f"clip{number}.delta"] = clip.delta
        meta["clips"].append(
            {
                "name": clip.name,
                "bones": list(clip.bones),
                "fps": clip.fps,
                "looping": clip.looping,
                "notes": [[note.fraction, note.name] for note in clip.notes],
            }
        )
    model = converted.model
    if model is not None:
        skeleton = model.skeleton
        arrays |= {
            "skeleton.parents": skeleton.parents,
            "skeleton.rest": skeleton.rest,
            "skeleton.inverse_bind": skeleton.inverse_bind,
        }
        for number, mesh in enumerate(model.meshes):
            for key in _MESH_ARRAYS:
                arrays[f"mesh{number}.{key}"] = getattr(mesh, key)
        for number, texture in enumerate(model.textures):
            arrays[f"texture{number}"] = np.frombuffer(texture, np.uint8)
        meta["model"] = {
            "bones": list(skeleton.names),
            "meshes": [[mesh.name, mesh.material] for mesh in model.meshes],
            "materials": [asdict(material) for material in model.materials],
            "textures": len(model.textures),
            "bounds": [list(corner) for corner in model.bounds],
            "skins": {name: list(materials) for name, materials in model.skins.items()},
        }
    return meta, arrays


_MESH_ARRAYS = ("positions", "normals", "uvs", "colors", "joints", "weights", "indices")
_MESH_SHAPES = {
    "positions": ("<f4", 3),
    "normals": ("<f4", 3),
    "uvs": ("<f4", 2),
    "colors": ("|u1", 4),
    "joints": ("<u2", 4),
    "weights": ("<f4", 4),
    "indices": ("<u4", 3),
}


def unpack(container: Container) -> Converted:
    """The model and clips of a cooked file. Raises DamagedFile where it contradicts itself."""
    try:
        clips = tuple(_unpack_clip(container, number) for number in range(len(container.meta["clips"])))
        model = _unpack_model(container) if "model" in container.meta else None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DamagedFile(f"its content is incomplete ({type(error).__name__}: {error})") from None
    return Converted(model, clips)


def _need(good: bool, what: str) -> None:
    if not good:
        raise ValueError(what)


def _unpack_clip(container: Container, number: int) -> Clip:
    meta = container.meta["clips"][number]
    rows = container.arrays[f"clip{number}.rows"]
    delta = container.arrays.get(f"clip{number}.delta")
    bones = tuple(str(bone) for bone in meta["bones"])
    fps = float(meta["fps"])
    _need(rows.dtype == np.float32 and rows.ndim == 3 and rows.shape[1:] == (8, len(bones)), "clip rows")
    _need(len(rows) > 0 and 0 < fps < 1e6, "clip length")
    _need(delta is None or (delta.dtype == np.float32 and delta.shape == (len(rows), 4)), "clip delta")
    notes = tuple(ClipNote(float(fraction), str(name)) for fraction, name in meta["notes"])
    return Clip(str(meta["name"]), bones, rows, fps, bool(meta["looping"]), notes, delta)


def _unpack_model(container: Container) -> Model:
    meta, arrays = container.meta["model"], container.arrays
    names = tuple(str(name) for name in meta["bones"])
    parents = arrays["skeleton.parents"]
    count = len(names)
    _need(parents.dtype == np.int32 and parents.shape == (count,) and count > 0, "bone parents")
    _need(bool((parents < np.arange(count)).all() and (parents >= -1).all()), "bone order")
    _need(arrays["skeleton.rest"].shape == (8, count), "rest pose")
    _need(arrays["skeleton.inverse_bind"].shape == (count, 3, 4), "bind pose")
    materials = tuple(_unpack_material(material, meta["textures"]) for material in meta["materials"])
    meshes = tuple(_unpack_mesh(container, n, count, len(materials)) for n in range(len(meta["meshes"])))
    skins = {str(name): tuple(map(int, indices)) for name, indices in meta["skins"].items()}
    for indices in skins.values():
        _need(len(indices) == len(meshes) and all(-1 <= i < len(materials) for i in indices), "skins")
    low, high = ((float(c[0]), float(c[1]), float(c[2])) for c in meta["bounds"])
    return Model(
        name=str(container.meta["name"]),
        skeleton=Skeleton(names, parents, arrays["skeleton.rest"], arrays["skeleton.inverse_bind"]),
        meshes=meshes,
        materials=materials,
        textures=tuple(arrays[f"texture{number}"].tobytes() for number in range(int(meta["textures"]))),
        bounds=(low, high),
        skins=skins,
    )


def _unpack_material(meta: Mapping[str, Any], textures: int) -> Material:
    r, g, b, a = (float(v) for v in meta["color"])
    er, eg, eb = (float(v) for v in meta["emissive"])
    texture = meta["texture"]
    _need(texture is None or (type(texture) is int and 0 <= texture < textures), "material texture")
    return Material(
        str(meta["name"]),
        (r, g, b, a),
        texture,
        (er, eg, eb),
        float(meta["roughness"]),
        float(meta["metallic"]),
    )


def _unpack_mesh(container: Container, number: int, bones: int, materials: int) -> Mesh:
    name, material = container.meta["model"]["meshes"][number]
    parts = {key: container.arrays[f"mesh{number}.{key}"] for key in _MESH_ARRAYS}
    count = len(parts["positions"])
    for key, (dtype, width) in _MESH_SHAPES.items():
        rows = parts[key].shape[0] if key == "indices" else count
        _need(parts[key].dtype.str == dtype and parts[key].shape == (rows, width), f"mesh {key}")
    _need(type(material) is int and 0 <= material < materials, "mesh material")
    _need(not parts["indices"].size or int(parts["indices"].max()) < count, "mesh indices")
    _need(not count or int(parts["joints"].max()) < bones, "mesh joints")
    return Mesh(str(name), material, **parts)


def readable(scene: Scene) -> str:
    """One line about a scene, for progress output."""
    return f"{len(scene.nodes)} nodes, {len(scene.meshes)} meshes, {len(scene.animations)} animations"
