"""The sheet: one picture that holds every glyph and figure of the screen, so that the whole HUD is one draw call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
"""u0, v0, u1, v1 in the sheet, 0..1, v downwards."""


class SheetFullError(Exception):
    """The sheet has no room left for a picture of that size."""


class Sheet:
    """RGBA pixels (H, W, 4) filled in rows of pictures; `version` counts the changes so that a renderer
    uploads it once."""

    def __init__(self, size: int = 1024) -> None:
        self.pixels: NDArray[np.uint8] = np.zeros((size, size, 4), np.uint8)
        self.version = 0
        self._x = self._y = self._row = 0
        self.white = self.inset(self.add(np.full((4, 4, 4), 255, np.uint8)), 1)

    @property
    def size(self) -> int:
        return int(self.pixels.shape[0])

    def inset(self, box: Box, pixels: float) -> Box:
        """The part of a box that lies so far within it: stretched, it takes nothing of its neighbours."""
        edge = pixels / self.size
        return box[0] + edge, box[1] + edge, box[2] - edge, box[3] - edge

    def add(self, picture: NDArray[np.uint8]) -> Box:
        """Places an RGBA picture (h, w, 4) with a pixel of space around it. Raises `SheetFullError`."""
        height, width = picture.shape[:2]
        if self._x + width + 1 > self.size:
            self._x, self._y = 0, self._y + self._row
            self._row = 0
        if self._y + height + 1 > self.size or width + 1 > self.size:
            raise SheetFullError(f"no room for {width} x {height} pixels")
        x, y = self._x, self._y
        self.pixels[y : y + height, x : x + width] = picture
        self._x += width + 1
        self._row = max(self._row, height + 1)
        self.version += 1
        return x / self.size, y / self.size, (x + width) / self.size, (y + height) / self.size
