"""A small animated figure with a tree, cooked for the preview's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.client.preview.finding import Finder
from engine.client.preview.subject import Order
from engine.pipeline import importer
from engine.pipeline.library import AssetLibrary
from engine.source import Diagnostic
from tests.pipeline.gltf_writer import quad, strip, turn

TREE = "moves : loopsync\n{\n\tman_walk\n\tman_run\n}\nman_fall\n"
SIDECAR = """
[clips.man_walk]
loop = true
root_motion = true
notes = [{ name = "step", frame = 15 }]
[clips.man_run]
loop = true
root_motion = true
[clips.man_fall]
notes = [{ name = "thud", at = 0.5 }]
[skins.bare]
hide = ["hat"]
"""


class Room:
    """An asset root, a tree folder and a library over them."""

    def __init__(self, base: Path) -> None:
        self.assets, self.trees = base / "assets", base / "animtrees"
        self.trees.mkdir()
        (self.trees / "man.atr").write_text(TREE)
        gltf = strip()
        gltf.add("materials", name="felt")
        hat = quad(gltf, 0.2)
        gltf.document["meshes"][hat]["primitives"][0]["material"] = 0
        gltf.node("hat", 1, mesh=hat)
        for name, seconds, metres in (("man_walk", 1.0, 1.0), ("man_run", 0.5, 2.0)):
            gltf.clip(name, (0, "translation", [0, seconds], [[0, 0, 0], [0, 0, metres]]))
        gltf.clip("man_fall", (0, "rotation", [0, 1], [turn("x", 0), turn("x", 80)]))
        self.source = gltf.write(self.assets / "models" / "man" / "man.glb", SIDECAR)
        quad_only = strip()
        quad_only.write(self.assets / "models" / "crate" / "crate.glb")
        self.told: list[Diagnostic] = []
        self.library = AssetLibrary([self.assets], base / "cache", self.told.append)

    def order(self, name: str = "man", model: str | None = None) -> Order:
        return Finder(self.library, (self.trees,), model).find(name)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    if not importer.available():
        pytest.skip("no libassimp here")
    return Room(tmp_path)
