"""The formats that sources may have: what each says about unit and axes, and where libassimp has to be helped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.pipeline.collada import joints_first
from engine.pipeline.scene import Scene


@dataclass(frozen=True)
class Format:
    """What a file format says by itself.

    unit, scale    a key of `settings.UNITS`, and how many of them one unit of the file is
    up             its axes, as in the sidecar
    linear_colors  whether its vertex colours are linear light
    pieces         its nodes are the pieces of a unit, so that every one is a bone
    motion         it holds clips and no mesh
    one_clip       it holds one clip, which is called as the file
    """

    unit: str = "m"
    up: Literal["y", "z"] = "y"
    linear_colors: bool = False
    pieces: bool = False
    motion: bool = False
    one_clip: bool = False
    scale: float = 1.0


GLTF = (".glb", ".gltf")
THREEDO = ".3do"
COLLADA = ".dae"
_MD5 = (".md5mesh", ".md5anim")

FORMATS: Mapping[str, Format] = {
    ".glb": Format(linear_colors=True),
    ".gltf": Format(linear_colors=True),
    ".fbx": Format("cm"),
    ".dae": Format(),
    ".obj": Format(),
    ".x": Format(),
    ".md5mesh": Format("in", up="z", one_clip=True),
    ".md5anim": Format("in", up="z", motion=True, one_clip=True),
    ".bvh": Format("cm", motion=True, one_clip=True),
    ".blend": Format(),
    ".ply": Format(),
    ".stl": Format(),
    ".3ds": Format(),
    ".3do": Format("in", pieces=True),
}
"""By extension, the first preferred where a folder holds several of one name."""


def before_import(suffix: str, data: bytes) -> bytes:
    """A source's bytes as libassimp reads them right.

    Its MD5 reader takes two lines that end in a single line feed for one, and so loses the frame rate; for COLLADA see
    `joints_first`.
    """
    if suffix in _MD5:
        return re.sub(rb"\r?\n", b"\r\n", data)
    if suffix == COLLADA:
        return joints_first(data)
    return data


def after_import(suffix: str, name: str, scene: Scene) -> tuple[Scene, Format]:
    """The scene without what libassimp adds to it, and the format as this file has it. `name` is the file's stem."""
    form = FORMATS[suffix]
    if suffix in _MD5:
        scene.nodes[0].transform = np.eye(4)  # turned to y up, by which the figure would face left
    if suffix == ".fbx":
        scene.nodes[0].transform = _fbx_axes(scene)
        centimetres = scene.metadata.get("UnitScaleFactor", 1.0)
        if 1e-6 < centimetres < 1e6:
            form = replace(form, scale=centimetres)
    if form.one_clip:
        for animation in scene.animations:
            animation.name = name
    return scene, form


def _fbx_axes(scene: Scene) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(4, 4): from the axes that an FBX file says it has to y up and z forward. Its root has no transform of its own,
    and what libassimp puts there differs from version to version."""
    out = np.eye(4)
    rows = np.zeros((3, 3))
    for row, axis in enumerate(("CoordAxis", "UpAxis", "FrontAxis")):
        number = scene.metadata.get(axis, -1.0)
        if number in (0.0, 1.0, 2.0):
            rows[row, int(number)] = -1.0 if scene.metadata.get(axis + "Sign", 1.0) < 0 else 1.0
    if abs(np.linalg.det(rows)) == 1.0:
        out[:3, :3] = rows
    return out
