"""Clips in files of their own play on the model that has their bones, whatever order and armature those files have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.anim import atr
from engine.anim.mismatch import mismatches
from engine.anim.sampler import bind
from engine.anim.state import TreeInstances
from engine.pipeline import importer
from engine.pipeline.library import AssetLibrary
from engine.source import SourceText
from tests.pipeline.gltf_writer import Gltf, strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")

ANGLES = (0, 60, 20)


def moves(*, scale: float, tail: bool) -> Gltf:
    """The bones of `strip` with no mesh, in another order, under an armature that is scaled."""
    gltf = Gltf()
    armature = gltf.node("armature", scale=[scale] * 3)
    lower = gltf.node("lower", armature)
    if tail:
        gltf.node("tail", lower, translation=[0, 0, -0.5 / scale])
    upper = gltf.node("Upper", lower, translation=[0, 1 / scale, 0])
    channels = [(upper, "rotation", [0, 0.5, 1], [turn("x", angle) for angle in ANGLES])]
    if tail:
        channels.append((gltf.document["nodes"].index({"name": "tail", "translation": [0, 0, -0.5 / scale]}),
                         "rotation", [0, 0.5, 1], [turn("y", angle) for angle in ANGLES]))  # fmt: skip
    gltf.clip("bend", *channels)
    return gltf


def _library(root: Path, other: Gltf, sidecar: str = "model = false\n") -> AssetLibrary:
    strip().write(root / "models" / "man" / "man.glb")
    other.write(root / "models" / "man_moves" / "man_moves.glb", sidecar)
    return AssetLibrary([root], root / "cache")


@pytest.mark.parametrize("scale", [1.0, 0.01, 100.0])
def test_they_move_the_bones_of_those_names(tmp_path: Path, scale: float) -> None:
    library = _library(tmp_path, moves(scale=scale, tail=False))
    model = library.model("man")
    tree = atr.read(SourceText("animtrees/man.atr", "bend\n")).prune({}, library, all_names=True)
    instances = TreeInstances(tree, bind(tree, model.skeleton))
    row = instances.add()
    node = tree.node("bend")
    assert node is not None
    instances.set_anim(row, node, 1.0, 0.0)
    instances.set_time(row, node, 0.5)
    pose = instances.sample()[row]
    upper = model.skeleton.index["upper"]
    assert 2 * np.degrees(np.arccos(abs(pose[3, upper]))) == pytest.approx(60, abs=0.1)
    assert pose[4:7, upper] == pytest.approx(model.skeleton.rest[4:7, upper], abs=1e-3)
    assert mismatches(bind(tree, model.skeleton), "man") == ()


def test_a_bone_that_the_model_lacks_is_told_and_the_others_move(tmp_path: Path) -> None:
    library = _library(tmp_path, moves(scale=1.0, tail=True))
    model = library.model("man")
    tree = atr.read(SourceText("animtrees/man.atr", "bend\n")).prune({}, library, all_names=True)
    (diagnostic,) = mismatches(bind(tree, model.skeleton), "man")
    assert diagnostic.message == "clip 'bend' moves bones that model 'man' does not have: tail"


def test_a_file_of_clips_is_no_model(tmp_path: Path) -> None:
    library = _library(tmp_path, moves(scale=1.0, tail=False))
    assert not library.has_model("man_moves")
    assert library.clip_source("bend") == "man_moves"


def test_without_the_setting_its_missing_mesh_is_told_with_what_to_say(tmp_path: Path) -> None:
    told = []
    library = _library(tmp_path, moves(scale=1.0, tail=False), "scale = 1\n")
    library = AssetLibrary([tmp_path], tmp_path / "cache", told.append)
    assert library.clip("bend") is None
    assert [d.code for d in told] == ["no-mesh"]
    assert "model = false" in told[0].notes[0].message
