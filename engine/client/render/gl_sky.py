"""The sky behind everything: worked out at each pixel, or for slow machines kept as a picture of all of it."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Protocol

import moderngl
import numpy as np

from engine.client.render.noise import spectral
from engine.client.render.programs import Unit, build, put_matrix
from engine.client.render.scene import Float32
from engine.world.view import Atmosphere

SIDE = 256
"""Texels a side of the noise."""

KEPT = 1024
"""Pixels a side of the picture of the whole sky: about 8 a degree, half as many as a picture of 1280 has."""

STRIPS = 64
"""Parts of that picture, one of which is drawn anew each time, for the clouds move."""

_FADE = 30
"""Pictures between two changes of the air up to which they are a slow change, which the strips may follow."""

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


class Sky(Protocol):
    """Fills what nothing else has covered. Expects the block `Frame` to be written."""

    def prepare(self, air: Atmosphere) -> None:
        """Before the target of a picture is bound."""

    def draw(self, to_clip: Float32) -> None:
        """Into the picture, with the depth test on. to_clip: directions from the eye to clip space (4, 4)."""

    def release(self) -> None:
        """Frees what it holds on the graphics card."""


def noise_texture(context: moderngl.Context, smooth_mips: bool) -> moderngl.Texture:
    """Two tiling noises around 0.5: red ragged (puffs, hills), green billowing (clouds)."""
    ragged, billow = spectral(SIDE, 11, 2, 90, 1.15), spectral(SIDE, 12, 1, 24, 1.5)
    data = np.clip(np.stack((ragged, billow), -1) * 0.17 + 0.5, 0, 1)
    texture = context.texture((SIDE, SIDE), 2, (data * 255).astype(np.uint8).tobytes())
    texture.build_mipmaps()
    blend = moderngl.LINEAR_MIPMAP_LINEAR if smooth_mips else moderngl.LINEAR_MIPMAP_NEAREST
    texture.filter = blend, moderngl.LINEAR
    return texture


class PixelSky:
    """Every pixel for itself."""

    def __init__(self, context: moderngl.Context, noise: moderngl.Texture) -> None:
        self._noise = noise
        self._program = build(context, "sky", "sky")
        self._array = context.vertex_array(self._program, [])

    def prepare(self, air: Atmosphere) -> None:
        pass

    def draw(self, to_clip: Float32) -> None:
        put_matrix(self._program, "to_world", np.linalg.inv(to_clip))
        self._noise.use(Unit.NOISE)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        self._array.release()
        self._program.release()


def octahedron() -> Float32:
    """Its faces as 24 corners (24, 5): direction x y z, place x y in the square of -1..1 that they are unfolded to.

    On a face a place depends linearly on the direction, so that what is drawn into the square by its faces and drawn
    back by them is where it was, to the pixel. The upper half is the square's inner diamond, its middle straight up;
    the lower one is cut at its four edges, of which none is seen above the horizon.
    """
    corners = []
    for x, y, up in product((1.0, -1.0), (1.0, -1.0), (1.0, -1.0)):
        tip = (0.0, 0.0, up, 0.0, 0.0) if up > 0 else (0.0, 0.0, up, x, y)
        corners += [tip, (x, 0.0, 0.0, x, 0.0), (0.0, y, 0.0, 0.0, y)]
    return np.array(corners, np.float32)


def strips(side: int, count: int) -> list[Box]:
    """Bands that together cover the inner diamond of a square of `side` pixels."""
    edges = [side * i // count for i in range(count + 1)]
    bands = []
    for low, high in pairwise(edges):
        apart = max(low - side // 2, side // 2 - high, 0)  # from the line along which it is widest
        bands.append((apart, low, side - 2 * apart, high - low))
    return bands


class KeptSky:
    """The same sky for a quarter of the price: a picture of all of it, of which a strip is worked out at a time.

    What changes from one picture to the next is the way one looks, not the sky.
    """

    def __init__(self, context: moderngl.Context, noise: moderngl.Texture) -> None:
        self._context, self._noise = context, noise
        self._faces = context.buffer(octahedron().tobytes())
        content = [(self._faces, "3f 2f", "in_direction", "in_place")]
        self._programs = build(context, "unfolded", "sky"), build(context, "folded", "stretch")
        self._unfolded, self._folded = (context.vertex_array(p, content) for p in self._programs)
        self._picture = context.texture((KEPT, KEPT), 4)
        self._picture.filter = moderngl.LINEAR, moderngl.LINEAR
        self._picture.repeat_x = self._picture.repeat_y = False
        self._target = context.framebuffer([self._picture])
        self._strips = strips(KEPT, STRIPS)
        self._next = 0
        self._air: Atmosphere | None = None
        self._since_change = _FADE
        self._old = 0  # strips in which the air is not yet what it is now

    def prepare(self, air: Atmosphere) -> None:
        self._context.enable_only(moderngl.NOTHING)
        self._noise.use(Unit.NOISE)
        for part in self._due(air):
            self._target.scissor = part
            self._target.use()
            self._unfolded.render(moderngl.TRIANGLES)

    def _due(self, air: Atmosphere) -> list[Box]:
        """What has to be drawn anew: one strip for the clouds' sake, everything where there is other air, and while
        that goes on changing so much that it takes eight pictures to follow."""
        changed, sudden = air != self._air, self._since_change >= _FADE
        self._air = air
        self._since_change = 0 if changed else self._since_change + 1
        if changed and sudden:
            return [(0, 0, KEPT, KEPT)]
        self._old = STRIPS if changed else self._old
        parts = []
        for _ in range(min(self._old, STRIPS // 8) or 1):
            x, y, width, height = self._strips[self._next]
            parts.append((0, y, KEPT, height) if self._old else (x, y, width, height))
            self._next = (self._next + 1) % STRIPS
        self._old = max(self._old - len(parts), 0)
        return parts

    def draw(self, to_clip: Float32) -> None:
        put_matrix(self._folded.program, "to_clip", to_clip)
        self._picture.use(Unit.PICTURE)
        self._folded.render(moderngl.TRIANGLES)

    def release(self) -> None:
        for resource in (
            self._unfolded,
            self._folded,
            *self._programs,
            self._faces,
            self._target,
            self._picture,
        ):
            resource.release()
