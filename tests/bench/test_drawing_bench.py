"""The benchmark of drawing is of what it says. Nothing here looks at how long it takes."""

from __future__ import annotations

import numpy as np

from engine.client.window import Window, WindowSettings
from tests.bench.drawing import Crowd, floor


def test_the_crowd_is_drawn_and_moves() -> None:
    window = Window(WindowSettings((320, 180), headless=True, as_played=True))
    try:
        window.renderer.load_level(floor(), ())
        few = Crowd(window, 7)
        few.draw()
        first = few.pixels()
        drawn = few.triangles
        assert drawn > 100
        assert first.shape == (180, 320, 3)
        few.draw()
        assert np.abs(few.pixels().astype(int) - first).max() > 20
        many = Crowd(window, 60)
        many.draw()
        assert many.triangles > 2 * drawn
    finally:
        window.close()
