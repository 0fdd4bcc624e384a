"""A cooked model: meshes with their materials over one skeleton. Immutable; arrays may be memory-mapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from engine.anim.skeleton import Float32, Skeleton


@dataclass(frozen=True, slots=True)
class Material:
    """`texture` is an index into the model's textures, or None for vertex colour alone.

    color is linear RGBA 0..1 and multiplies texture and vertex colour; emissive likewise adds light.
    two_sided: the back of its triangles is seen too, as with leaves.
    """

    name: str
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    texture: int | None = None
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    roughness: float = 1.0
    metallic: float = 0.0
    two_sided: bool = False


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one material, in inches, z up, x forward, y left; counter-clockwise seen from outside.

    positions (V, 3), normals (V, 3), uvs (V, 2) float32; colors (V, 4) uint8 (sRGB, alpha);
    joints (V, 4) uint16 and weights (V, 4) float32 that sum to 1; indices (T, 3) uint32.
    """

    name: str
    material: int
    positions: Float32
    normals: Float32
    uvs: Float32
    colors: NDArray[np.uint8]
    joints: NDArray[np.uint16]
    weights: Float32
    indices: NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Model:
    """A model as the world and the renderer use it. `textures` holds encoded images (PNG or JPEG bytes).

    bounds is the rest pose's (minimum, maximum) corner in inches. `skins` gives, by a skin's name, the
    material of each mesh in that skin, -1 for a mesh that the skin does not show.
    """

    name: str
    skeleton: Skeleton
    meshes: tuple[Mesh, ...]
    materials: tuple[Material, ...]
    textures: tuple[bytes, ...]
    bounds: tuple[tuple[float, float, float], tuple[float, float, float]]
    skins: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
