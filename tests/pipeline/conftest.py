"""Helpers of the pipeline's tests: cook a document, look at what came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from engine.anim.clip import Clip
from engine.pipeline import container, importer
from engine.pipeline.cook import cook
from engine.pipeline.model import Model
from engine.pipeline.packing import unpack
from engine.source import Diagnostic
from tests.pipeline.gltf_writer import Gltf


@dataclass
class Result:
    """A cooked source after a way through the file format."""

    model: Model
    clips: dict[str, Clip]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def codes(self) -> list[str]:
        return [diagnostic.code for diagnostic in self.diagnostics]


CookIt = Callable[..., Result]


@pytest.fixture
def cook_it(tmp_path: Path) -> CookIt:
    """Cook a document with a sidecar, through bytes and back."""
    if not importer.available():
        pytest.skip("no libassimp here")

    def run(gltf: Gltf | bytes, sidecar: str = "", name: str = "thing.glb") -> Result:
        path = tmp_path / "thing" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gltf if isinstance(gltf, bytes) else gltf.glb())
        path.with_suffix(".toml").write_text(sidecar)
        cooked = cook(path)
        content = unpack(container.from_buffer(container.to_bytes(cooked.meta, cooked.arrays)))
        assert content.model is not None
        return Result(content.model, {clip.name: clip for clip in content.clips}, cooked.diagnostics)

    return run


def rest_worlds(model: Model) -> np.ndarray:
    """(B, 4, 4) world transforms of the rest pose, by plain multiplication."""
    return pose_worlds(model, model.skeleton.rest)


def pose_worlds(model: Model, pose: np.ndarray) -> np.ndarray:
    """(B, 4, 4) world transforms of a (8, B) local pose."""
    worlds: list[np.ndarray] = []
    for bone, parent in enumerate(model.skeleton.parents):
        x, y, z, w = (float(v) for v in pose[:4, bone])
        local = np.eye(4)
        local[:3, :3] = float(pose[7, bone]) * np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        local[:3, 3] = pose[4:7, bone]
        worlds.append(local if parent < 0 else worlds[parent] @ local)
    return np.array(worlds)


def posed(model: Model, clip: Clip | None = None, frame: int = 0) -> np.ndarray:
    """(V, 3) vertices of the first mesh in a frame of a clip (the rest pose without one), skinned."""
    pose = model.skeleton.rest.copy()
    if clip is not None:
        for column, bone in enumerate(clip.bones):
            pose[:, model.skeleton.index[bone]] = clip.rows[frame, :, column]
    binds = np.tile(np.eye(4), (len(model.skeleton), 1, 1))
    binds[:, :3] = model.skeleton.inverse_bind
    palette = pose_worlds(model, pose) @ binds
    mesh = model.meshes[0]
    points = np.concatenate([mesh.positions, np.ones((len(mesh.positions), 1))], axis=1)
    return np.einsum("vk,vkij,vj->vi", mesh.weights, palette[mesh.joints.astype(int)], points)[:, :3]


def as_set(points: np.ndarray) -> set[tuple[float, ...]]:
    """Points without their order, to a hundredth of an inch."""
    return {tuple(float(v) + 0.0 for v in np.round(point, 2)) for point in points.astype(np.float64)}
