"""What meshes of models are drawn with: a program for each combination of traits, and pictures on the graphics card."""

from __future__ import annotations

import io
from dataclasses import dataclass

import moderngl
import numpy as np
import pygame
from numpy.typing import NDArray

from engine.client.render.programs import build
from engine.client.render.quality import Quality
from engine.pipeline.placeholder import checker_png

PALETTE_WIDTH = 768
"""Texels in a line of the palette texture: 256 matrices of three."""

SMALL_SIDE = 128
"""Pixels a side of the small copy of a picture."""

OPAQUE = 0.35
"""Alpha below which a pixel of a model is left out."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A texture, whether anything in it is see-through, and a small copy of its pixels (H, W, 4), v growing by rows."""

    texture: moderngl.Texture
    cutout: bool
    pixels: NDArray[np.uint8]


class Materials:
    """Made as they are asked for, and kept."""

    def __init__(self, context: moderngl.Context, quality: Quality) -> None:
        self.context = context
        self.quality = quality
        self.programs: dict[tuple[int, int, int, int, int], moderngl.Program] = {}
        self.depth = build(context, "depth", "depth", MODEL=1, WIDTH=PALETTE_WIDTH)
        self._pictures: dict[bytes, Picture] = {}

    def program(
        self, bones: int, picture: Picture | None, faint: bool, small: bool, lit: bool
    ) -> moderngl.Program:
        """The program for meshes with these traits.

        bones  that move one corner at most, 0 for a mesh that is stiff
        small  whether the triangles are small in the picture or belong to something round, so that light at their
               corners will do where pixels are dear
        lit    whether point lights reach it
        """
        cutout = faint or (picture is not None and picture.cutout)
        corners = small and self.quality.corner_light
        traits = min(bones, 3), int(picture is not None), int(cutout), int(corners), int(lit)
        if traits not in self.programs:
            self.programs[traits] = build(
                self.context,
                "model",
                "model",
                SKINNED=traits[0],
                PICTURE=traits[1],
                CUTOUT=traits[2],
                CORNERS=traits[3],
                OPAQUE=OPAQUE,
                WIDTH=PALETTE_WIDTH,
                TAPS=self.quality.taps,
                LIGHTS=self.quality.lights if lit else 0,
            )
        return self.programs[traits]

    def picture(self, data: bytes) -> Picture:
        """A texture from PNG or JPEG bytes; the checker where they cannot be read, though cooking found them good."""
        if data not in self._pictures:
            self._pictures[data] = self._read(data)
        return self._pictures[data]

    def _read(self, data: bytes) -> Picture:
        try:
            surface = pygame.image.load(io.BytesIO(data))
        except pygame.error:
            surface = pygame.image.load(io.BytesIO(checker_png()))
        pixels = pygame.image.tobytes(surface, "RGBA")
        texture = self.context.texture(surface.get_size(), 4, pixels)
        texture.build_mipmaps()
        texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
        width, height = surface.get_size()
        rows = np.frombuffer(pixels, np.uint8).reshape(height, width, 4)
        return Picture(texture, bool(rows[..., 3].min() < 255), _small(rows))


def _small(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """About `SMALL_SIDE` pixels a side, each the mean of those that it stands for."""
    for axis in (0, 1):
        by = pixels.shape[axis] // SMALL_SIDE
        if by > 1:
            whole = np.moveaxis(pixels, axis, 0)[: SMALL_SIDE * by]
            means = whole.reshape(SMALL_SIDE, by, *whole.shape[1:]).mean(axis=1)
            pixels = np.moveaxis(means.astype(np.uint8), 0, axis)
    return pixels
