"""A model and clips as the meta and arrays of a cooked file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from engine.anim.clip import Clip, ClipNote
from engine.anim.skeleton import Skeleton
from engine.pipeline.container import Container, DamagedFile
from engine.pipeline.convert import Converted
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.tracks import fold, unfold


def pack(converted: Converted) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Meta and arrays of a converted source."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    meta: dict[str, Any] = {"clips": []}
    for number, clip in enumerate(converted.clips):
        tracks = fold(clip.rows)
        arrays[f"clip{number}.still"] = tracks.still
        arrays[f"clip{number}.moving"] = tracks.moving
        arrays[f"clip{number}.frames"] = tracks.frames
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
    still, moving, frames = (
        container.arrays[f"clip{number}.{part}"] for part in ("still", "moving", "frames")
    )
    rows = unfold(still, moving, frames)
    delta = container.arrays.get(f"clip{number}.delta")
    bones = tuple(str(bone) for bone in meta["bones"])
    fps = float(meta["fps"])
    _need(rows.shape[2] == len(bones), "clip rows")
    _need(0 < fps < 1e6, "clip length")
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
        name=str(meta["name"]),
        color=(r, g, b, a),
        texture=texture,
        emissive=(er, eg, eb),
        roughness=float(meta["roughness"]),
        metallic=float(meta["metallic"]),
        two_sided=bool(meta["two_sided"]),
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
