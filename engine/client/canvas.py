"""What is drawn over the picture: boxes, lines and text, gathered into one table of quads."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from engine.client.render.renderer import Size
from engine.client.render.scene import QUAD_FLOATS, Float32, no_rows
from engine.client.render.sheet import Box
from engine.client.text import Face, Letters

Colour = tuple[float, float, float]
Align = Literal["left", "center", "right"]

PAPER: Colour = (0.92, 0.89, 0.82)
RED: Colour = (0.86, 0.24, 0.18)
DIM: Colour = (0.66, 0.65, 0.60)
GREEN: Colour = (0.62, 0.78, 0.48)
AMBER: Colour = (0.92, 0.72, 0.36)
NIGHT: Colour = (0.05, 0.06, 0.075)

CUT = " ..."
"""Ends what goes on elsewhere."""


class Canvas:
    """One picture's worth of quads, in pixels from the top left. Later ones lie over earlier ones."""

    def __init__(self, letters: Letters, size: Size) -> None:
        self.letters = letters
        self.width, self.height = size
        self.unit = size[1] / 720.0
        """Pixels of one unit of a picture 720 high: margins and figures are given in these."""
        self._rows: list[tuple[float, ...]] = []

    @property
    def margin(self) -> float:
        return 28.0 * self.unit

    def box(self, x: float, y: float, w: float, h: float, colour: Colour, alpha: float = 1.0) -> None:
        self._rows.append((x, y, w, h, *self.letters.sheet.white, *colour, alpha))

    def picture(
        self, x: float, y: float, w: float, h: float, box: Box, colour: Colour, alpha: float = 1.0
    ) -> None:
        """A part of the sheet, stretched."""
        self._rows.append((x, y, w, h, *box, *colour, alpha))

    def frame(
        self, x: float, y: float, w: float, h: float, colour: Colour, alpha: float, line: float = 1.0
    ) -> None:
        self.box(x, y, w, line, colour, alpha)
        self.box(x, y + h - line, w, line, colour, alpha)
        self.box(x, y + line, line, h - 2 * line, colour, alpha)
        self.box(x + w - line, y + line, line, h - 2 * line, colour, alpha)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        face: Face = "small",
        colour: Colour = PAPER,
        alpha: float = 1.0,
        align: Align = "left",
        scale: float = 1.0,
    ) -> float:
        """One line with its top at y and x at the side that `align` names; returns its width."""
        letters = self.letters
        width = letters.width(text, face) * scale
        pen = x - {"left": 0.0, "center": width / 2, "right": width}[align]
        if scale == 1.0:
            pen, y = round(pen), round(y)
        for character in text:
            glyph = letters.glyph(face, character)
            if character != " ":
                box = pen - scale, y - scale, glyph.width * scale, glyph.height * scale
                self._rows.append((*box, *glyph.box, *colour, alpha))
            pen += glyph.advance * scale
        return width

    def plate(self, x: float, y: float, w: float, h: float, alpha: float) -> None:
        """A soft dark plate for text of that size to stand on; it reaches a little beyond on all sides."""
        reach = 0.9 * h
        x, w, y, h = x - reach, w + 2 * reach, y - 0.18 * h, 1.36 * h
        cap = min(h, w / 2)
        u0, v0, u1, v1 = self.letters.plate
        half, pixel = (u1 - u0) / 2, 1.0 / self.letters.sheet.size
        self.picture(x, y, cap, h, (u0, v0, u0 + half, v1), NIGHT, alpha)
        if w > 2 * cap:
            self.picture(x + cap, y, w - 2 * cap, h, (u0 + half - pixel, v0, u0 + half, v1), NIGHT, alpha)
        self.picture(x + w - cap, y, cap, h, (u0 + half, v0, u1, v1), NIGHT, alpha)

    def vignette(self, colour: Colour, alpha: float) -> None:
        """A soft frame around the whole picture."""
        self.picture(0, 0, self.width, self.height, self.letters.vignette, colour, alpha)

    def lines(
        self, x: float, y: float, lines: list[str], face: Face = "small", colour: Colour = PAPER
    ) -> float:
        """Several lines under each other; returns the y below the last."""
        step = self.letters.line_height(face)
        for line in lines:
            self.text(x, y, line, face, colour)
            y += step
        return y

    def wrap(self, text: str, width: float, face: Face = "small") -> list[str]:
        """`text` broken at spaces (inside words only where one is too long) into lines of at most `width` pixels."""
        result: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split(" "):
                longer = f"{line} {word}" if line else word
                if self.letters.width(longer, face) <= width:
                    line = longer
                    continue
                if line:
                    result.append(line)
                while self.letters.width(word, face) > width and len(word) > 1:
                    cut = max(1, int(len(word) * width / self.letters.width(word, face)))
                    result.append(word[:cut])
                    word = word[cut:]
                line = word
            result.append(line)
        return result

    def wrap_within(self, text: str, width: float, most: int, face: Face = "small") -> list[str]:
        """`text` wrapped into at most so many lines; where it is longer, the last one ends in a mark."""
        lines = self.wrap(text, width, face)
        if len(lines) <= most:
            return lines
        last = lines[most - 1]
        while last and self.letters.width(last + CUT, face) > width:
            last = last[:-1]
        return [*lines[: most - 1], last.rstrip() + CUT]

    def arc(
        self, x: float, y: float, radius: float, middle: float, width: float, colour: Colour, alpha: float
    ) -> None:
        """A thick arc of small squares around x, y; angles in radians clockwise from up."""
        steps = max(6, int(width * radius / 5))
        dot = 5.0 * self.unit
        for i in range(steps):
            part = i / (steps - 1) - 0.5
            angle = middle + part * width
            fade = alpha * (1 - abs(part) * 1.6)
            at = x + math.sin(angle) * radius, y - math.cos(angle) * radius
            self.box(at[0] - dot / 2, at[1] - dot / 2, dot, dot, colour, max(fade, 0.0))

    def quads(self) -> Float32:
        """Everything drawn so far, for `Scene.quads`."""
        if not self._rows:
            return no_rows(QUAD_FLOATS)
        return np.array(self._rows, np.float32)
