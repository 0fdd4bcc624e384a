"""What the client asks of a renderer. `gl` and `soft` both answer it; the rest of the client knows only this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.client.render.scene import Float32, ModelBatch, Scene
from engine.client.render.sheet import Sheet
from engine.world.view import LevelGeometry

Size = tuple[int, int]
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

Progress = Callable[[str, float], None]
"""What is being done, in words, and how much of it (0..1) is over."""


def unheard(work: str, part: float) -> None:
    """For where nobody wants to know of progress."""


def at_once() -> None:
    """For where nothing has to be done before a picture is drawn."""


class Renderer(Protocol):
    """Draws scenes. One at a time owns the window."""

    @property
    def name(self) -> str:
        """What draws, in words for the overlay: `OpenGL 4.5, llvmpipe`."""

    @property
    def size(self) -> Size:
        """Width and height of the picture in pixels."""

    @property
    def triangles(self) -> int:
        """Triangles of models in the last picture."""

    @property
    def beside(self) -> bool:
        """Whether the driver goes on drawing beside the game after `draw` has returned."""

    def load_level(
        self, geometry: LevelGeometry, props: Sequence[ModelBatch] = (), progress: Progress = unheard
    ) -> None:
        """Takes over a level and the models that stand still in it; the one before is forgotten.

        `progress` hears what takes time; it may call `draw_screen`, and nothing else of the renderer.
        """

    def replace_props(self, props: Sequence[ModelBatch]) -> None:
        """The models that stand still have changed; the light stays as it was worked out."""

    def resize(self, size: Size) -> None:
        """Pictures have another size from now on."""

    def draw(self, scene: Scene, before: Callable[[], None] = at_once) -> None:
        """Draws one picture, ready to be shown by a flip of the display.

        `before` is called when all is done that needs nothing of the last picture, which the driver may still be
        drawing up to then: there that one is shown.
        """

    def draw_screen(self, quads: Float32, sheet: Sheet) -> None:
        """Draws quads of the screen (`Scene.quads`) on black, and no place behind them."""

    def read_pixels(self) -> Pixels:
        """The last picture, (H, W, 3) sRGB, top row first."""

    def close(self) -> None:
        """Gives back what the graphics driver holds."""
