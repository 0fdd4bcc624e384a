"""Things of cloth: a wall of sandbags, an awning."""

from __future__ import annotations

import numpy as np

from assets.tools.palette import CANVAS, PAPER, SAND, SLATE, WOOD, mix, shade
from assets.tools.props.prop import Prop, varied, worn
from assets.tools.shapes import Shape, box, loft, ring


def _bag(rng: np.random.Generator, length: float, wide: float, high: float) -> Shape:
    """A filled bag along y: a squashed pillow, pinched at the ends."""
    rings = []
    for t, swell in ((-1.0, 0.42), (-0.82, 0.88), (0.0, 1.05), (0.82, 0.88), (1.0, 0.42)):
        sag = rng.uniform(-0.4, 0.4)
        a, b = high / 2 * swell, wide / 2 * swell
        rings.append(ring((sag, t * length / 2, sag * 0.4), (0, 0, 1), (1, 0, 0), (a, b, a, b), 8, 2.5))
    color = mix(SAND, CANVAS, rng.uniform(0.1, 0.7))
    return varied(loft(rings, color, caps=(True, True), crease=115), rng, 0.1)


def sandbags(rng: np.random.Generator) -> Prop:
    """A low wall of four courses, 88 long along y, bags laid like bricks."""
    shapes = []
    for course in range(4):
        count, wide = (4, 25.0 - 3 * course) if course % 2 == 0 else (3, 25.0 - 3 * course)
        for i in range(count):
            y = (i - (count - 1) / 2) * 22.4 + rng.uniform(-0.8, 0.8)
            bag = _bag(rng, 23.5, wide, 11.4)
            shapes.append(bag.moved((rng.uniform(-1, 1), y, 5.2 + course * 9.4 + rng.uniform(-0.3, 0.3))))
    return Prop([worn(shape, 1.08, 0.78, 38) for shape in shapes], cell=1.2, reach=13)


def awning(rng: np.random.Generator) -> Prop:
    """A striped cloth 120 wide (y) and 70 deep (x), without its poles; its high edge is at x 0, height 108."""
    shapes = []
    strips = 10
    for i in range(strips):
        y0, y1 = -60 + 12 * i, -48 + 12 * i
        color = PAPER if i % 2 else mix(CANVAS, SLATE, 0.35)
        rows = []
        for t in np.linspace(0, 1, 5):
            x, z = 70 * t, 108 - 20 * t - 5.5 * np.sin(np.pi * t)
            rows.append([(x, y0, z - 0.5), (x, y1, z - 0.5), (x, y1, z + 0.5), (x, y0, z + 0.5)])
        rows.append([(70.5, y0, 80), (70.5, y1, 80), (71.5, y1, 80), (71.5, y0, 80)])
        shapes.append(
            varied(
                loft(np.asarray(rows), color, caps=(True, True), crease=40),
                rng,
                0.05,
            )
        )
    shapes.append(box((2.6, 122, 2.6), shade(WOOD, 0.8), bevel=0.4).moved((0, 0, 107)))
    return Prop([worn(shape, 1.03, 0.9, 108) for shape in shapes], cell=1.6, reach=14)
