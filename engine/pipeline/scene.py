"""A source file as the importer hands it on: plain NumPy data, in the source's own axes and units.

Nothing here knows libassimp, so that conversion can be tested with scenes made by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIVOT = "_$assimpfbx$_"
"""In the names, in lower case, of nodes that libassimp makes of the pivots of an FBX node."""

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]


@dataclass(eq=False)
class Node:
    """A node of the hierarchy. `transform` is (4, 4), local, on columns; `meshes` index `Scene.meshes`."""

    name: str
    parent: int
    transform: Float64
    meshes: tuple[int, ...] = ()


@dataclass(eq=False)
class BoneWeights:
    """The vertices that one bone moves: (N,) numbers, (N,) weights, (4, 4) mesh space to bone space."""

    name: str
    vertices: NDArray[np.uint32]
    weights: Float32
    offset: Float64


@dataclass(eq=False)
class SceneMesh:
    """Triangles: positions, normals (V, 3), uvs (V, 2) or None, colors (V, 4) or None, indices (T, 3)."""

    name: str
    material: int
    positions: Float32
    normals: Float32
    uvs: Float32 | None
    colors: Float32 | None
    indices: NDArray[np.uint32]
    bones: list[BoneWeights] = field(default_factory=list)
    shape_keys: int = 0


@dataclass(eq=False)
class SceneMaterial:
    """`texture` is `*N` for the N-th embedded image, a path, or empty. `color` is linear RGBA."""

    name: str
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    roughness: float = 1.0
    metallic: float = 0.0
    two_sided: bool = False
    texture: str = ""


@dataclass(eq=False)
class Track:
    """Keys of one property of one node: (K,) times in ticks, (K, 3 or 4) values; quaternions x y z w."""

    times: Float64
    values: Float64


@dataclass(eq=False)
class Channel:
    """What an animation does to one node; None where it leaves the property alone."""

    node: str
    translation: Track | None = None
    rotation: Track | None = None
    scale: Track | None = None


@dataclass(eq=False)
class SceneAnimation:
    """`rate` is ticks a second, 0 where the file does not say; `duration` is in ticks."""

    name: str
    duration: float
    rate: float
    channels: list[Channel]


@dataclass(eq=False)
class Scene:
    """A whole file. Parents come before their children in `nodes`.

    images  encoded bytes, or None for one that is not encoded
    joints  names of the nodes that the file says are bones, weighted or not
    metadata  numbers that the file says about itself, by name
    kept    None, or what `curves.samplers` makes of the animations, for a scene that is converted again and again
    """

    nodes: list[Node]
    meshes: list[SceneMesh] = field(default_factory=list)
    materials: list[SceneMaterial] = field(default_factory=list)
    animations: list[SceneAnimation] = field(default_factory=list)
    images: list[bytes | None] = field(default_factory=list)
    joints: frozenset[str] = frozenset()
    metadata: dict[str, float] = field(default_factory=dict)
    kept: dict[tuple[int, float, tuple[int, ...]], Any] | None = None

    @property
    def size(self) -> int:
        """Bytes of all that is in it. A small file may have much of one thing: meshes that share their corners."""
        return (
            sum(
                array.nbytes
                for mesh in self.meshes
                for array in (mesh.positions, mesh.normals, mesh.uvs, mesh.colors, mesh.indices)
                if array is not None
            )
            + sum(bone.vertices.nbytes + bone.weights.nbytes for mesh in self.meshes for bone in mesh.bones)
            + sum(
                track.times.nbytes + track.values.nbytes
                for animation in self.animations
                for channel in animation.channels
                for track in (channel.translation, channel.rotation, channel.scale)
                if track is not None
            )
            + sum(len(image) for image in self.images if image is not None)
        )
