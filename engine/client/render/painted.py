"""Painted surfaces as bytes for the graphics card, kept on disk: reading takes a tenth of painting."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import paths
from engine.client.render.surfaces import normals, paint

Pictures = tuple[NDArray[np.uint8], NDArray[np.uint8]]
"""colour (S, S, 4): square root of the linear colour, and shine; relief (S, S, 2): normal x y around 128."""


@cache
def _painters() -> str:
    """Names the painters' own code: what other code has painted is not used."""
    digest = hashlib.sha256(np.__version__.encode())
    root = files("engine.client.render")
    modules = ["noise.py", "surfaces.py", "painted.py"]
    modules += sorted(
        f"painting/{f.name}" for f in root.joinpath("painting").iterdir() if f.name.endswith(".py")
    )
    for name in modules:
        digest.update(root.joinpath(*name.split("/")).read_bytes())
    return digest.hexdigest()[:16]


def _path(kind: str, side: int) -> Path:
    return paths.cache() / "surfaces" / f"{kind}-{side}-{_painters()}.npz"


def is_kept(kind: str, side: int) -> bool:
    """Whether the pictures of a surface kind lie ready on disk."""
    return _path(kind, side).is_file()


def pictures(kind: str, side: int) -> Pictures:
    """The pictures of a surface kind, `side` pixels wide, from disk or painted."""
    path = _path(kind, side)
    try:
        with np.load(path, allow_pickle=False) as data:
            found = data["colour"], data["relief"]
        if found[0].shape == (side, side, 4) and found[1].shape == (side, side, 2):
            return found
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        pass
    made = _make(kind, side)
    data_ = io.BytesIO()
    np.savez(data_, colour=made[0], relief=made[1])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(data_.getvalue())
        part.replace(path)
    except OSError:
        return made  # no cache folder: they are painted again the next time
    return made


def _make(kind: str, side: int) -> Pictures:
    surface = paint(kind, side)
    colour = np.empty((side, side, 4), np.uint8)
    # Square root of the linear colour: one multiplication in the shader instead of a power.
    colour[..., :3] = np.clip(surface.colour**1.1 * 255 + 0.5, 0, 255)
    colour[..., 3] = round(surface.shine * 255)
    return colour, np.clip(normals(surface.height)[..., :2] * 127.5 + 128, 0, 255).astype(np.uint8)
