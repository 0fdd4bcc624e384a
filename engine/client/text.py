"""Letters for the screen: one typeface in two sizes and a monospaced one for tools, drawn once each into the sheet.

Every letter has a thin dark edge, so that light text reads on sky and shade alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pygame
from numpy.typing import NDArray

from engine.client.render.sheet import Box, Sheet, SheetFullError

Face = Literal["small", "large", "mono"]

_HEIGHTS: dict[Face, float] = {"small": 0.026, "large": 0.052, "mono": 0.0215}
"""Height of a line as a part of the picture's height."""

_LEAST: dict[Face, int] = {"small": 13, "large": 24, "mono": 12}
_MONO = "dejavusansmono,liberationmono,couriernew,menlo,consolas,freemono,notosansmono"
_EDGE = 1
_EDGE_ALPHA = 170


@dataclass(frozen=True, slots=True)
class Glyph:
    """Where a letter is in the sheet, its size in pixels with its edge, and how far it moves the pen."""

    box: Box
    width: int
    height: int
    advance: int


class Letters:
    """All faces at the sizes that suit a picture's height."""

    def __init__(self, picture_height: int, sheet_size: int = 1024) -> None:
        pygame.font.init()
        self.sheet = Sheet(sheet_size)
        self._fonts: dict[Face, pygame.font.Font] = {}
        self._cells: dict[Face, int] = {}
        self._glyphs: dict[tuple[Face, str], Glyph] = {}
        self._height = 0
        self.resize(picture_height)

    def resize(self, picture_height: int) -> None:
        """Letters for a picture of another height; they are drawn anew as they are needed."""
        if picture_height == self._height:
            return
        self._height = picture_height
        mono = pygame.font.match_font(_MONO)
        for face, part in _HEIGHTS.items():
            height = max(_LEAST[face], round(picture_height * part))
            path = mono if face == "mono" else None
            # The bundled face's letters are small for their line; the size asked for is that of the line.
            self._fonts[face] = pygame.font.Font(path, height if path is None else round(height * 0.86))
        self._cells = {"mono": max(self._fonts["mono"].size(c)[0] for c in "0amW")} if mono is None else {}
        if mono is None:
            self._cells["mono"] = round(self._cells["mono"] * 0.82)
        self._start_sheet()

    def _start_sheet(self) -> None:
        version = self.sheet.version
        self.sheet = Sheet(self.sheet.size)
        self.sheet.version += version + 1
        self._glyphs.clear()
        self.plate = self.sheet.add(soft_plate())
        self.vignette = self.sheet.inset(self.sheet.add(soft_frame()), 0.5)

    def line_height(self, face: Face) -> int:
        return self._fonts[face].get_linesize()

    def width(self, text: str, face: Face = "small") -> int:
        """Pixels that a line takes."""
        return sum(self.glyph(face, c).advance for c in text)

    def glyph(self, face: Face, character: str) -> Glyph:
        """The glyph of one character; what cannot be shown becomes a question mark."""
        known = self._glyphs.get((face, character))
        if known is None:
            known = self._draw(face, character if character.isprintable() else "?")
            self._glyphs[face, character] = known
        return known

    def _draw(self, face: Face, character: str) -> Glyph:
        font = self._fonts[face]
        width, height = font.size(character)
        cell = self._cells.get(face)
        picture = edged(font.render(character, True, (255, 255, 255)), width, height)
        try:
            box = self.sheet.add(picture)
        except SheetFullError:
            self._start_sheet()
            box = self.sheet.add(picture)
        return Glyph(box, picture.shape[1], picture.shape[0], cell or width)


def soft_plate(side: int = 32) -> NDArray[np.uint8]:
    """A white square as RGBA that fades towards its sides: what lies behind text."""
    across = 1.0 - np.abs((np.arange(side) + 0.5) / side * 2.0 - 1.0)
    fade = np.clip(across / 0.8, 0.0, 1.0)
    fade = fade * fade * (3.0 - 2.0 * fade)
    plate = np.full((side, side, 4), 255, np.uint8)
    plate[..., 3] = (np.outer(np.minimum(fade * 1.25, 1.0), fade) * 255).round()
    return plate


def soft_frame(width: int = 192, height: int = 108, depth: float = 0.4) -> NDArray[np.uint8]:
    """A white picture as RGBA that is clear in the middle and fades in towards its sides, most in the corners, over
    `depth` of its height; stretched over the screen."""

    def near_a_side(pixels: int) -> NDArray[np.float64]:
        at = np.arange(pixels) + 0.5
        near: NDArray[np.float64] = np.clip(1.0 - np.minimum(at, pixels - at) / (depth * height), 0.0, 1.0)
        return near * near * near

    clear = np.outer(1.0 - near_a_side(height), 1.0 - near_a_side(width))
    frame = np.full((height, width, 4), 255, np.uint8)
    frame[..., 3] = ((1.0 - clear) * 255).round()
    return frame


def edged(letter: pygame.Surface, width: int, height: int) -> NDArray[np.uint8]:
    """A white letter as RGBA with a dark edge of `_EDGE` pixels around it."""
    ink = np.zeros((height + 2 * _EDGE, width + 2 * _EDGE), np.float32)
    alpha = pygame.surfarray.array_alpha(letter.convert_alpha() if pygame.display.get_surface() else letter).T
    h, w = min(height, alpha.shape[0]), min(width, alpha.shape[1])
    ink[_EDGE : _EDGE + h, _EDGE : _EDGE + w] = alpha[:h, :w]
    around = ink.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            around = np.maximum(around, np.roll(ink, (dy, dx), (0, 1)) * (0.75 if dx and dy else 1.0))
    edge = around * (_EDGE_ALPHA / 255)
    total = ink + edge * (1 - ink / 255)
    light = np.where(total > 0, 255 * ink / np.maximum(total, 1e-6), 0)
    return np.stack((light, light, light, total), -1).round().astype(np.uint8)
