"""The sky behind everything: worked out at each pixel, or for slow machines at the corners of a dome."""

from __future__ import annotations

from typing import Protocol

import moderngl
import numpy as np

from engine.client.render.dome import Shape, dome, hills, plain
from engine.client.render.noise import spectral
from engine.client.render.programs import Unit, build, put_matrix
from engine.client.render.renderer import Size
from engine.client.render.scene import Camera, Float32, view_planes
from engine.world.view import Atmosphere, Vector

SIDE = 256
COARSE = 3
"""Pixels of the picture along a side of one of the sky's, under `DomeSky`."""

_TOWARD_SUN = 0.022
"""Of the side of the noise: how far from a place of a cloud that is looked at which may stand before the sun."""


class Sky(Protocol):
    """Fills what nothing else has covered. Expects the block `Frame` to be written."""

    def prepare(self, camera: Camera, size: Size, air: Atmosphere) -> None:
        """Before the target of a picture of that size is bound."""

    def draw(self, camera: Camera, aspect: float) -> None:
        """Into the picture, with the depth test on."""

    def release(self) -> None:
        """Frees what it holds on the graphics card."""


def waves() -> tuple[Float32, Float32]:
    """Two tiling noises (SIDE, SIDE), 0..1 around 0.5: ragged (puffs, hills) and billowing (clouds)."""
    ragged, billow = spectral(SIDE, 11, 2, 90, 1.15), spectral(SIDE, 12, 1, 24, 1.5)
    return np.clip(ragged * 0.17 + 0.5, 0, 1), np.clip(billow * 0.17 + 0.5, 0, 1)


def noise_texture(context: moderngl.Context) -> moderngl.Texture:
    """`waves`, red and green."""
    data = np.stack(waves(), -1)
    texture = context.texture((SIDE, SIDE), 2, (data * 255).astype(np.uint8).tobytes())
    texture.build_mipmaps()
    texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
    return texture


def _turned(camera: Camera, aspect: float) -> Float32:
    """Directions from the eye to clip space (4, 4)."""
    rotation = camera.view()
    rotation[:3, 3] = 0.0
    return np.asarray(camera.projection(aspect) @ rotation, np.float32)


class PixelSky:
    """Every pixel for itself."""

    def __init__(self, context: moderngl.Context, noise: moderngl.Texture) -> None:
        self._noise = noise
        self._program = build(context, "sky", "sky")
        self._array = context.vertex_array(self._program, [])

    def prepare(self, camera: Camera, size: Size, air: Atmosphere) -> None:
        pass

    def draw(self, camera: Camera, aspect: float) -> None:
        put_matrix(self._program, "to_world", np.linalg.inv(_turned(camera, aspect)))
        self._noise.use(Unit.NOISE)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        self._array.release()
        self._program.release()


class DomeSky:
    """The same sky at a tenth of the price: only the clouds, and the sun where it is near, are left to the pixels, and
    of those there is one for nine of the picture's: nothing up there has sharp edges."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._waves = waves()
        self._programs = (
            build(context, "dome", "dome", CLOUDS=1, SUN=0),
            build(context, "dome", "dome", CLOUDS=1, SUN=1),
            build(context, "dome", "dome", CLOUDS=0, SUN=0),
        )
        self._behind = build(context, "stretch", "stretch")
        self._whole = context.vertex_array(self._behind, [])
        self._shapes: list[_Drawn] = []
        self._sun: Vector | None = None
        self._clouds = context.texture((SIDE, SIDE), 4)
        self._clouds.filter = moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR
        self._picture, self._target = self._surface((16, 16))

    def _surface(self, size: Size) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        picture = self._context.texture(size, 4)
        picture.filter = moderngl.LINEAR, moderngl.LINEAR
        picture.repeat_x = picture.repeat_y = False
        return picture, self._context.framebuffer([picture])

    def _follow(self, sun: Vector) -> None:
        """What depends on where the sun stands."""
        self._sun = sun
        ragged, billow = self._waves
        away = np.asarray(sun[:2]) / max(float(np.hypot(*sun[:2])), 1e-6) * _TOWARD_SUN * SIDE
        column, row = (round(float(texels)) for texels in away)
        # The side of a cloud that faces the sun is lit, the other one is shade.
        edge = np.clip(0.62 + (billow - np.roll(billow, (-row, -column), (0, 1))) * 2.2, 0.25, 1.0)
        data = np.stack((ragged, billow, edge, np.ones_like(edge)), -1)
        self._clouds.write((data * 255).astype(np.uint8).tobytes())
        self._clouds.build_mipmaps()
        self._release_shapes()
        clouded, sunny, bare = self._programs
        high, near = dome(sun)
        pairs = (clouded, high), (sunny, near), (bare, plain()), (bare, hills(ragged))
        self._shapes = [_Drawn(self._context, program, shape) for program, shape in pairs]

    def prepare(self, camera: Camera, size: Size, air: Atmosphere) -> None:
        if air.sun_direction != self._sun:
            self._follow(air.sun_direction)
        small = max(size[0] // COARSE, 16), max(size[1] // COARSE, 16)
        if self._picture.size != small:
            self._release_surface()
            self._picture, self._target = self._surface(small)
        turned = _turned(camera, size[0] / size[1])
        planes = view_planes(turned)[:4]
        self._target.use()
        self._context.enable_only(moderngl.NOTHING)
        self._context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._clouds.use(Unit.CLOUDS)
        for shape in self._shapes:
            put_matrix(shape.program, "to_clip", turned)
            if shape is self._shapes[-1]:  # the hills, whose edges are soft
                self._context.enable(moderngl.BLEND)
            shape.draw(planes)

    def draw(self, camera: Camera, aspect: float) -> None:
        self._picture.use(Unit.PICTURE)
        self._whole.render(moderngl.TRIANGLES, vertices=3)

    def _release_surface(self) -> None:
        self._target.release()
        self._picture.release()

    def _release_shapes(self) -> None:
        for shape in self._shapes:
            shape.release()
        self._shapes = []

    def release(self) -> None:
        self._release_shapes()
        self._release_surface()
        self._clouds.release()
        self._whole.release()
        for program in (*self._programs, self._behind):
            program.release()


class _Drawn:
    """A shape on the graphics card."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, shape: Shape) -> None:
        self.program, self._cells = program, shape.cells
        self._vertices = context.buffer(shape.table.tobytes())
        self._indices = context.buffer(shape.cells.indices.tobytes() or b"\0" * 12)
        content = [(self._vertices, "3f 1f 1f", "in_direction", "in_kind", "in_alpha")]
        self._array = context.vertex_array(program, content, self._indices, skip_errors=True)

    def draw(self, planes: Float32) -> None:
        for first, count in self._cells.ranges(planes):
            self._array.render(vertices=count * 3, first=first * 3)

    def release(self) -> None:
        for resource in (self._array, self._vertices, self._indices):
            resource.release()
