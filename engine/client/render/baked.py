"""Baked light kept on disk: working it out takes seconds on a slow machine, reading it a moment.

A file is named after everything that the light depends on, so that one that is found is right; one that cannot
be read is made again.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import paths
from engine.client.render.scene import Float32, ModelBatch
from engine.world.view import LevelGeometry

VERSION = 2
"""Counts changes to how light is worked out; older files are not used."""


@dataclass(frozen=True, eq=False)
class BakedLight:
    """light_map (H, W, 4) uint8: square root of half the ambient light, and the sun seen; uvs by surface (V, 2);
    the probe grid's low corner, spacing and values (X, Y, Z, 4)."""

    light_map: NDArray[np.uint8]
    uvs: tuple[Float32, ...]
    probe_low: Float32
    probe_spacing: Float32
    probes: Float32


def key(geometry: LevelGeometry, props: Iterable[ModelBatch], luxel: float) -> str:
    """Names the light of a level with its props."""
    digest = hashlib.sha256(f"{VERSION} {luxel} {geometry.atmosphere} {geometry.lights}".encode())
    for surface in geometry.world:
        digest.update(surface.positions.tobytes())
        digest.update(surface.indices.tobytes())
    for batch in props:
        digest.update(batch.transforms.tobytes())
        for mesh in batch.model.meshes:
            digest.update(mesh.positions.tobytes())
    return digest.hexdigest()[:32]


def folder() -> Path:
    return paths.cache() / "light"


def load(name: str, surfaces: int) -> BakedLight | None:
    """The light of that name, None where there is none that can be used."""
    try:
        with np.load(folder() / f"{name}.npz", allow_pickle=False) as data:
            uvs = tuple(data[f"uv{i}"] for i in range(surfaces))
            return BakedLight(
                data["map"], uvs, data["low"], data["spacing"], data["probes"].astype(np.float32)
            )
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None


def save(name: str, light: BakedLight) -> None:
    """Keeps light for the next time. Where it cannot be written it is worked out again then, and that is all."""
    arrays: dict[str, Any] = {f"uv{i}": uv for i, uv in enumerate(light.uvs)}
    data = io.BytesIO()
    np.savez_compressed(
        data,
        map=light.light_map,
        low=light.probe_low,
        spacing=light.probe_spacing,
        probes=light.probes.astype(np.float16),
        **arrays,
    )
    try:
        folder().mkdir(parents=True, exist_ok=True)
        part = folder() / f"{name}.{os.getpid()}.part"
        part.write_bytes(data.getvalue())
        part.replace(folder() / f"{name}.npz")
    except OSError:
        return
