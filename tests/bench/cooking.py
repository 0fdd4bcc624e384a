"""What bringing a model into the game costs: `notetrack bench cooking`.

A tube of 5,000 vertices that follows 20 bones, with a picture and eight clips of a second, in which every bone turns
and the first one travels. Cooking is all from the source's bytes to the cooked file's; loading is from the cooked file
to a model and clips that can be used; finding, too, makes sure that the cooked file is that of the source.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assets.tools.gltf import GlbWriter, Primitive
from engine.pipeline import container
from engine.pipeline.cook import cook
from engine.pipeline.library import AssetLibrary
from engine.pipeline.packing import unpack
from engine.pipeline.placeholder import checker_png

UNIT = "vertices"
AROUND, ALONG, BONES, CLIPS, KEYS = 50, 100, 20, 8, 31


class Measure(NamedTuple):
    """`run` does its work once, for a model of `count` vertices."""

    name: str
    count: int
    run: Callable[[], object]


def measures() -> list[Measure]:
    work = Work()
    return [
        Measure("import and cook", AROUND * ALONG, work.cook),
        Measure("load", AROUND * ALONG, work.load),
        Measure("find and load", AROUND * ALONG, work.find),
    ]


class Work:
    """A folder with the source and its cooked file, which lives as long as this does."""

    def __init__(self) -> None:
        home = Path(tempfile.mkdtemp(prefix="notetrack-bench-"))
        weakref.finalize(self, shutil.rmtree, home, ignore_errors=True)
        self.roots, self.cache = [home / "assets"], home / "cache"
        self.source = home / "assets" / "models" / "tube" / "tube.glb"
        self.source.parent.mkdir(parents=True)
        tube().write(self.source)
        library = AssetLibrary(self.roots, self.cache)
        assert library.model("tube").skeleton.names[0] == "bone_0"
        (self.cooked,) = self.cache.rglob("*.ntk")

    def cook(self) -> bytes:
        found = cook(self.source)
        return container.to_bytes(found.meta, found.arrays)

    def load(self) -> object:
        return unpack(container.read(self.cooked))

    def find(self) -> object:
        library = AssetLibrary(self.roots, self.cache)
        return library.model("tube"), library.clip("clip_0")


def tube() -> GlbWriter:
    rng = np.random.default_rng(5)
    glb = GlbWriter()
    spine = [glb.add_node("bone_0", translation=(0, 0, 10))]
    for bone in range(1, BONES):
        spine.append(glb.add_node(f"bone_{bone}", parent=spine[-1], translation=(0, 0, 3)))
    glb.add_mesh(glb.add_node("body"), [_body(glb)], skin=glb.add_skin(spine))
    times = np.arange(KEYS) / (KEYS - 1)
    for clip in range(CLIPS):
        tracks = {}
        for bone, node in enumerate(spine):
            angles = np.radians(30) * rng.uniform(-1, 1) * np.sin(2 * np.pi * (times + rng.uniform()))
            rows = np.zeros((KEYS, 7))
            rows[:, bone % 3], rows[:, 3] = np.sin(angles / 2), np.cos(angles / 2)
            rows[:, 6] = 3 if bone else 10
            if not bone:
                rows[:, 4] = 40 * times
            tracks[node] = rows
        glb.add_clip(f"clip_{clip}", times, tracks)
    return glb


def _body(glb: GlbWriter) -> Primitive:
    turn, height = np.meshgrid(np.linspace(0, 2 * np.pi, AROUND), np.linspace(10, 70, ALONG))
    points = np.stack([8 * np.cos(turn), 8 * np.sin(turn), height], axis=-1).reshape(-1, 3)
    normals = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1).reshape(-1, 3)
    uvs = np.stack([turn / (2 * np.pi), height / 70], axis=-1).reshape(-1, 2)
    here = np.clip((points[:, 2] - 10) / 3, 0, BONES - 1.001)
    joints, weights = np.zeros((len(points), 4), int), np.zeros((len(points), 4))
    joints[:, 0], joints[:, 1] = here.astype(int), here.astype(int) + 1
    weights[:, 0], weights[:, 1] = 1 - here % 1, here % 1
    corner = (np.arange(ALONG - 1)[:, None] * AROUND + np.arange(AROUND - 1)).reshape(-1)
    first = np.stack([corner, corner + 1, corner + AROUND + 1], axis=1)
    second = np.stack([corner, corner + AROUND + 1, corner + AROUND], axis=1)
    material = glb.add_material("skin", texture=glb.add_texture(checker_png()))
    return Primitive(
        points,
        normals,
        np.concatenate([first, second]),
        uvs=uvs,
        joints=joints,
        weights=weights,
        material=material,
    )
