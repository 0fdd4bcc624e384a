"""One picture, as plain data: everything that a renderer needs to draw it, and nothing else.

Both renderers take a `Scene`; neither knows the game, its entities or its frames. Lengths are inches, z up;
angles are (pitch, yaw, roll) in degrees, pitch positive downwards; colours of lights and particles are
linear RGB, those of the screen's quads are sRGB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.world.view import Atmosphere, Vector

if TYPE_CHECKING:
    from engine.client.render.sheet import Sheet
    from engine.pipeline.model import Model

Float32 = NDArray[np.float32]

SPRITE_FLOATS = 9
BEAM_FLOATS = 11
DECAL_FLOATS = 12
QUAD_FLOATS = 12

CLOSE_FOV = 64.0
"""Field of view of what is in the viewer's hands; the place's own would draw it out of shape."""

SOFT, PUFF, STAR, FLAME = 0.0, 1.0, 2.0, 3.0
"""Kinds of sprite: a soft disc, a ragged cloud of dust, a muzzle flash, a tongue of fire. What a flame adds to its
kind, less than 1, sets it apart from its neighbours."""


def no_rows(width: int) -> Float32:
    """An empty table with `width` columns."""
    return np.zeros((0, width), np.float32)


def axes(angles: Vector) -> tuple[Float32, Float32, Float32]:
    """(forward, left, up) unit vectors of an orientation."""
    pitch, yaw, roll = (math.radians(a) for a in angles)
    sp, cp, sy, cy, sr, cr = (
        math.sin(pitch), math.cos(pitch), math.sin(yaw), math.cos(yaw), math.sin(roll), math.cos(roll),
    )  # fmt: skip
    forward = np.array((cp * cy, cp * sy, -sp), np.float32)
    left = np.array((sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp), np.float32)
    up = np.array((cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp), np.float32)
    return forward, left, up


def placed(origin: Vector, angles: Vector) -> Float32:
    """The (3, 4) matrix that takes a model's space to the world's."""
    return np.column_stack((*axes(angles), np.asarray(origin, np.float32)))


def placed_all(origins: NDArray[np.floating], angles: NDArray[np.floating]) -> Float32:
    """As `placed` for many at once: origins (N, 3) and angles (N, 3) in degrees to (N, 3, 4)."""
    sines, cosines = np.sin(np.radians(angles)).T, np.cos(np.radians(angles)).T
    (sp, sy, sr), (cp, cy, cr) = sines, cosines
    matrices = np.empty((len(origins), 3, 4), np.float32)
    matrices[:, 0, 0], matrices[:, 1, 0], matrices[:, 2, 0] = cp * cy, cp * sy, -sp
    matrices[:, 0, 1], matrices[:, 1, 1], matrices[:, 2, 1] = (
        sr * sp * cy - cr * sy,
        sr * sp * sy + cr * cy,
        sr * cp,
    )
    matrices[:, 0, 2], matrices[:, 1, 2], matrices[:, 2, 2] = (
        cr * sp * cy + sr * sy,
        cr * sp * sy - sr * cy,
        cr * cp,
    )
    matrices[:, :, 3] = origins
    return matrices


def view_planes(view_projection: Float32) -> Float32:
    """The five planes of a view without the far one (5, 4), normals inwards and of unit length."""
    m = view_projection
    planes = np.stack((m[3] + m[0], m[3] - m[0], m[3] + m[1], m[3] - m[1], m[3] + m[2]))
    return np.asarray(planes / np.linalg.norm(planes[:, :3], axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the picture is taken from. `fov` is degrees from the left edge to the right edge of the picture."""

    position: Vector = (0.0, 0.0, 60.0)
    angles: Vector = (0.0, 0.0, 0.0)
    fov: float = 80.0
    near: float = 3.0
    far: float = 16000.0

    def view(self) -> Float32:
        """World to eye space (4, 4): x right, y up, z towards the viewer."""
        forward, left, up = axes(self.angles)
        rotation = np.stack((-left, up, -forward))
        matrix = np.eye(4, dtype=np.float32)
        matrix[:3, :3] = rotation
        matrix[:3, 3] = -rotation @ np.asarray(self.position, np.float32)
        return matrix

    def projection(self, aspect: float) -> Float32:
        """Eye space to clip space (4, 4) for a picture `aspect` times as wide as high."""
        x = 1.0 / math.tan(math.radians(self.fov) / 2)
        near, far = self.near, self.far
        matrix = np.zeros((4, 4), np.float32)
        matrix[0, 0], matrix[1, 1] = x, x * aspect
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix


@dataclass(eq=False, slots=True)
class ModelBatch:
    """`N` instances of one model.

    transforms (N, 3, 4) model to world; palettes (N, B, 3, 4), bind pose to posed model space by bone, or
    None for the rest pose; tints (N, 4) linear RGB that multiplies and, last, how far the colour goes to
    signal red (0..1). close: a thing in the viewer's hands, drawn over everything else and with its own field of view.
    """

    model: Model
    transforms: Float32
    palettes: Float32 | None = None
    tints: Float32 | None = None
    close: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class BrushInstance:
    """A moving brush model: its index in the level and its (3, 4) placement."""

    index: int
    transform: Float32


@dataclass(frozen=True, slots=True)
class Light:
    """A point light; linear colour, fading to nothing at `radius`."""

    position: Vector
    color: Vector
    radius: float


@dataclass(eq=False, slots=True)
class Scene:
    """A whole picture.

    sprites (N, 9): x y z, size in inches, r g b a, kind (`SOFT`, `PUFF`, `STAR`, `FLAME`)
    beams   (N, 11): x y z of either end, width in inches, r g b a (they add light)
    decals  (N, 12): centre x y z, normal x y z, size, turn in radians, r g b a
    quads   (N, 12): x y w h in pixels from the top left, u0 v0 u1 v1 in the sheet, r g b a sRGB; drawn in order
    time    seconds, for what drifts (clouds)
    """

    camera: Camera
    time: float = 0.0
    atmosphere: Atmosphere = field(default_factory=Atmosphere)
    models: list[ModelBatch] = field(default_factory=list)
    brushes: list[BrushInstance] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    sprites: Float32 = field(default_factory=lambda: no_rows(SPRITE_FLOATS))
    beams: Float32 = field(default_factory=lambda: no_rows(BEAM_FLOATS))
    decals: Float32 = field(default_factory=lambda: no_rows(DECAL_FLOATS))
    quads: Float32 = field(default_factory=lambda: no_rows(QUAD_FLOATS))
    sheet: Sheet | None = None
