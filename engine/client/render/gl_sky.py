"""The sky behind everything: worked out at each pixel, or for slow machines kept as a picture of all of it."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Protocol

import moderngl
import numpy as np

from engine.client.render.noise import spectral
from engine.client.render.programs import Unit, build, put_matrix
from engine.client.render.renderer import Box
from engine.client.render.scene import Float32
from engine.world.view import Atmosphere, Vector

SIDE = 256
"""Texels a side of the noise."""

KEPT = 1024
"""Pixels a side of the picture of the whole sky: about 8 a degree, half as many as a picture of 1280 has."""

STRIPS = 64
"""Parts of that picture, which are drawn anew one after another, for the clouds move."""

SWEEP = 2.0
"""Seconds in which each of them is drawn once, where pictures are quick enough to draw at most one for each."""

DRAFT = 512
"""Pixels a side of the picture that stands in for it after the air has changed."""

REPAIRED = 4
"""Strips that are drawn anew for each picture then."""

JUMP = 2.0
"""Seconds from one picture to the next from which on the clouds are somewhere else."""

_Look = tuple[Vector, ...]
"""What of the air is seen in the sky."""


class Sky(Protocol):
    """Fills what nothing else has covered. Expects the block `Frame` to be written."""

    def forget(self) -> None:
        """Another place is looked at next."""

    def prepare(self, air: Atmosphere, time: float) -> None:
        """Before the target of a picture is bound. time: seconds."""

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

    def forget(self) -> None:
        pass

    def prepare(self, air: Atmosphere, time: float) -> None:
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


class _Picture:
    """All of the sky, `side` pixels a side."""

    def __init__(self, context: moderngl.Context, side: int) -> None:
        self.side = side
        self.texture = context.texture((side, side), 4)
        self.texture.filter = moderngl.LINEAR, moderngl.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False
        self.target = context.framebuffer([self.texture])

    def release(self) -> None:
        self.target.release()
        self.texture.release()


class KeptSky:
    """The same sky for a quarter of the price: a picture of all of it, of which a strip is worked out now and then.

    What changes from one picture to the next is the way one looks, not the sky. Where the air changes, a draft of it
    is shown at once, until the picture has been worked out anew behind it.
    """

    def __init__(self, context: moderngl.Context, noise: moderngl.Texture) -> None:
        self._context, self._noise = context, noise
        self._faces = context.buffer(octahedron().tobytes())
        content = [(self._faces, "3f 2f", "in_direction", "in_place")]
        self._programs = build(context, "unfolded", "sky"), build(context, "folded", "stretch")
        self._unfolded, self._folded = (context.vertex_array(p, content) for p in self._programs)
        self._kept, self._draft = _Picture(context, KEPT), _Picture(context, DRAFT)
        self._shown = self._kept
        self._strips = strips(KEPT, STRIPS)
        self._next = 0
        self._old = 0
        """Strips of the kept picture in which the air is not what it is now."""
        self._look: _Look | None = None
        self._time = 0.0
        self._swept = 0.0
        """The time until which strips have been drawn for the clouds."""

    def forget(self) -> None:
        self._look = None

    def prepare(self, air: Atmosphere, time: float) -> None:
        self._context.enable_only(moderngl.NOTHING)
        self._noise.use(Unit.NOISE)
        look = air.sun_direction, air.sun_color, air.sky_color, air.ground_color, air.fog_color
        first, changed = self._look is None, look != self._look or not 0.0 <= time - self._time <= JUMP
        self._look, self._time = look, time
        if first or changed:
            self._swept = time
        if first:
            self._shown, self._old = self._kept, 0
            self._draw(self._kept, (0, 0, KEPT, KEPT))
        elif changed:
            self._shown, self._old = self._draft, STRIPS
            self._draw(self._draft, (0, 0, DRAFT, DRAFT))
        elif self._old:
            for _ in range(REPAIRED):
                _, y, _, height = self._strips[self._turn()]
                self._draw(self._kept, (0, y, KEPT, height))
            self._old = max(self._old - REPAIRED, 0)
            self._shown = self._draft if self._old else self._kept
        elif time - self._swept >= SWEEP / STRIPS:
            self._draw(self._kept, self._strips[self._turn()])
            # What is late stays late: a slow machine is not made slower by what it did not manage.
            self._swept = max(self._swept, time - 2 * SWEEP / STRIPS) + SWEEP / STRIPS

    def _turn(self) -> int:
        turn, self._next = self._next, (self._next + 1) % STRIPS
        return turn

    def _draw(self, picture: _Picture, part: Box) -> None:
        picture.target.scissor = part
        picture.target.use()
        self._unfolded.render(moderngl.TRIANGLES)

    def draw(self, to_clip: Float32) -> None:
        put_matrix(self._folded.program, "to_clip", to_clip)
        self._shown.texture.use(Unit.PICTURE)
        self._folded.render(moderngl.TRIANGLES)

    def release(self) -> None:
        pictures = self._kept, self._draft
        for resource in (self._unfolded, self._folded, *self._programs, self._faces, *pictures):
            resource.release()
