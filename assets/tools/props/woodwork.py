"""Things of wood: crates, table, bench, fence, sign, target frame, door panel."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assets.tools.palette import BRICK, FIELD_GREY, LEATHER, PAPER, SIGNAL_RED, SLATE, WOOD, mix, shade
from assets.tools.props.prop import Prop, varied, worn
from assets.tools.rotations import about
from assets.tools.shapes import Shape, box, loft, ring, tube

WEATHERED = mix(WOOD, FIELD_GREY, 0.42)
PALE = mix(WEATHERED, PAPER, 0.22)
DARK = shade(WEATHERED, 0.66)


def board(
    size: tuple[float, float, float],
    at: tuple[float, float, float],
    color: ArrayLike = PALE,
    bevel: float = 0.35,
) -> Shape:
    return box(size, color, bevel=bevel, edge=1.16).moved(at)


def plain(size: tuple[float, float, float], color: ArrayLike) -> Shape:
    """A box about the origin with sharp edges: twelve triangles, for boards that lie among others."""
    x, y, z = (s / 2 for s in size)
    rings = [[(-x, -y, h), (x, -y, h), (x, y, h), (-x, y, h)] for h in (-z, z)]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
    for a in range(4):
        b = (a + 1) % 4
        faces += [(a, b, b + 4), (a, b + 4, a + 4)]
    return Shape(
        np.array(rings).reshape(-1, 3), np.array(faces), np.tile(np.asarray(color, float), (8, 1)), 30
    )


def crate(size: float, rng: np.random.Generator, mark: bool) -> Prop:
    """Boards all round and below, corner posts, rails and a brace across each side; the lid overhangs."""
    half, thick = size / 2, size * 0.045
    inner = size - 2 * thick
    # Seen between the boards, where little light comes: bright by itself, or the gaps would flicker black from afar.
    shapes = [plain((inner, inner, inner), shade(WEATHERED, 1.8)).moved((0, 0, half))]
    width = (size - 2 * thick) / 5
    for side in range(4):
        spin = about((0, 0, 1), 90.0 * side)
        parts = []
        for i in range(5):
            plank = plain((thick, inner, width - 0.45), PALE).moved(
                (half - thick * 0.9, 0, thick + width * (i + 0.5))
            )
            parts.append(varied(plank, rng, 0.12))
        for z in (size * 0.06, size - size * 0.06):
            parts.append(
                varied(
                    plain((thick, size * 0.8, size * 0.12), shade(WEATHERED, 1.06)).moved((half, 0, z)), rng
                )
            )
        brace = plain((thick * 0.7, size * 0.11, size * 0.98), WEATHERED)
        brace = brace.moved((0, 0, 0), about((1, 0, 0), 42.0 if side < 2 else -42.0))
        parts.append(varied(brace.moved((half, 0, half)), rng))
        post = box((size * 0.13, size * 0.13, size), WEATHERED, bevel=0.6, edge=1.25)
        parts.append(varied(post.moved((half - size * 0.045, half - size * 0.045, half)), rng))
        shapes += [part.moved((0, 0, 0), spin) for part in parts]
    for i in range(4):
        top = plain((size + 1, inner / 4 - 0.5, thick), shade(PALE, 1.08))
        shapes.append(varied(top.moved((0, -inner / 2 + inner / 4 * (i + 0.5), size)), rng, 0.12))
        # What flies or lies on its side shows its bottom too; it stands on the posts, a little above the ground.
        below = plain((inner, inner / 4 - 0.6, thick), PALE)
        shapes.append(varied(below.moved((0, -inner / 2 + inner / 4 * (i + 0.5), thick * 0.9)), rng, 0.12))
    for x in (-0.34, 0.34):
        slat = plain((size * 0.1, size, thick), shade(WEATHERED, 1.1))
        shapes.append(varied(slat.moved((x * size, 0, size + thick * 0.9)), rng))
    if mark:
        for z in (0.62, 0.5):
            stripe = plain((0.4, size * 0.3, size * 0.045), SLATE)
            shapes.append(stripe.moved((half - thick * 0.3, size * 0.2, size * z)))
    return Prop([worn(shape, 1.06, 0.84, size) for shape in shapes], cell=size / 32, reach=size * 0.4)


def table(rng: np.random.Generator) -> Prop:
    shapes = [varied(board((6.0, 60, 1.6), (-13 + 6.5 * i, 0, 29.2)), rng, 0.09) for i in range(5)]
    for y in (-24, 24):
        for x in (-11, 11):
            lean = about((0, 1, 0), 4.0 * np.sign(x))
            shapes.append(
                varied(
                    box((2.8, 2.8, 29), WEATHERED, bevel=0.4).moved((0, 0, 0), lean).moved((x, y, 14.4)), rng
                )
            )
        shapes.append(board((25, 2.2, 3.4), (0, y, 26.6), WEATHERED))
        shapes.append(board((22, 1.8, 2.6), (0, y, 8), DARK))
    shapes.append(board((2.2, 46, 2.6), (0, 0, 8), DARK))
    return Prop([worn(shape, 1.04, 0.86, 30) for shape in shapes], cell=1.0, reach=16)


def bench(rng: np.random.Generator) -> Prop:
    shapes = [varied(board((6.6, 54, 1.8), (-3.6 + 7.2 * i, 0, 17)), rng, 0.09) for i in range(2)]
    for y in (-20, 20):
        shapes.append(varied(box((13, 2.4, 16), WEATHERED, bevel=0.4, taper=(0.8, 1)).moved((0, y, 8)), rng))
    shapes.append(board((1.8, 40, 3), (0, 0, 10.5), DARK))
    return Prop([worn(shape, 1.05, 0.84, 18) for shape in shapes], cell=0.8, reach=12)


def fence(rng: np.random.Generator) -> Prop:
    """A length of 96 along x: two posts, two rails, pickets of uneven height."""
    shapes = []
    for x in (-46, 46):
        shapes.append(varied(box((4, 4, 44), WEATHERED, bevel=0.5, taper=(0.9, 0.9)).moved((x, 0, 21)), rng))
    for z in (12, 30):
        shapes.append(board((96, 1.6, 3.2), (0, 0, z), WEATHERED))
    for i in range(11):
        x = -40 + 8 * i
        tall = 37 + rng.uniform(-2.5, 2.5)
        lean = about((0, 1, 0), rng.uniform(-2.2, 2.2))
        picket = box((4.2, 1.2, tall), PALE, bevel=0.3, taper=(0.72, 1)).moved((0, 0, 0), lean)
        shapes.append(varied(picket.moved((x, -1.4, tall / 2)), rng, 0.12))
    return Prop([worn(shape, 1.06, 0.8, 40) for shape in shapes], cell=0.9, reach=10)


def signboard(rng: np.random.Generator) -> Prop:
    """Two posts with a paper coloured board, a red arrow on it."""
    shapes = []
    for y in (-17, 17):
        shapes.append(varied(box((3.2, 3.2, 70), WEATHERED, bevel=0.4).moved((0, y, 34)), rng))
    shapes.append(box((1.8, 44, 22), PAPER, bevel=0.4, edge=1.0).moved((2.2, 0, 54)))
    for z in (43.6, 64.4):
        shapes.append(board((2.6, 47, 2.4), (2.4, 0, z), DARK))
    for side in (-22.6, 22.6):
        shapes.append(board((2.6, 2.4, 23), (2.4, side, 54), DARK))
    shapes.append(box((0.5, 20, 3.4), SIGNAL_RED, bevel=0.1).moved((3.2, 3, 54)))
    for turn, z in ((45, 57.0), (-45, 51.0)):
        stroke = box((0.5, 12, 3.2), SIGNAL_RED, bevel=0.1).moved((0, 0, 0), about((1, 0, 0), turn))
        shapes.append(stroke.moved((3.2, -9.0, z)))
    return Prop([worn(shape, 1.04, 0.84, 70) for shape in shapes], cell=1.0, reach=12)


def sign_arm(rng: np.random.Generator) -> Prop:
    """A post with an arm to the left (y), from which a sign hangs at (0, 30, 92)."""
    shapes = [varied(box((4.6, 4.6, 106), WEATHERED, bevel=0.6).moved((0, 0, 52)), rng)]
    shapes.append(box((5.6, 5.6, 2.4), DARK, bevel=0.5, taper=(0.5, 0.5)).moved((0, 0, 106)))
    shapes.append(varied(box((3.4, 60, 3.8), WEATHERED, bevel=0.4).moved((0, 24, 95.9)), rng))
    brace = box((2.4, 34, 2.8), DARK, bevel=0.3).moved((0, 0, 0), about((1, 0, 0), 45.0))
    shapes.append(brace.moved((0, 12.5, 83)))
    for z in (1.5, 6.0):
        shapes.append(varied(box((9 - z, 9 - z, 4.5), DARK, bevel=0.5).moved((0, 0, z)), rng))
    for y in (16, 44):
        shapes.append(tube([(0, y, 95), (0, y, 92.4)], (0.5, 0.5), SLATE, up=(1, 0, 0)))
        shapes.append(box((4.4, 2.0, 0.6), SLATE, bevel=0.1).moved((0, y, 97.9)))
    return Prop([worn(shape, 1.05, 0.82, 100) for shape in shapes], cell=1.0, reach=12)


def sign_hung(rng: np.random.Generator) -> Prop:
    """A board on two chains, painted on both sides; it hangs from its origin and swings about y."""
    shapes = []
    for y in (-14, 14):
        for link in range(3):
            flat = (0.5, 1.5) if link % 2 else (1.5, 0.5)
            shapes.append(box((*flat, 2.6), SLATE, bevel=0.15).moved((0, y, -1.0 - 2.1 * link)))
    shapes.append(box((1.8, 40, 20), PAPER, bevel=0.4, edge=1.0).moved((0, 0, -17)))
    for z in (-6.6, -27.4):
        shapes.append(varied(board((2.8, 43, 2.4), (0, 0, z), DARK), rng))
    for y in (-20.8, 20.8):
        shapes.append(varied(board((2.8, 2.4, 21), (0, y, -17), DARK), rng))
    for side in (-1, 1):
        for radius, color, ahead in (
            (8.2, SLATE, 1.0),
            (6.2, PAPER, 1.12),
            (4.2, SIGNAL_RED, 1.24),
            (1.5, PAPER, 1.36),
        ):
            rims = [
                ring((side * x, 0, -17), (0, side, 0), (0, 0, 1), (radius,) * 4, 20) for x in (0.5, ahead)
            ]
            shapes.append(loft(rims, color, caps=(True, True), crease=40))
        for y in (-14.5, 14.5):
            shapes.append(box((0.3, 6.5, 1.8), SIGNAL_RED, bevel=0.05).moved((side * 0.95, y, -17)))
    return Prop([worn(shape, 1.05, 0.88, 30) for shape in shapes], cell=0.8, reach=8, ground=None)


def target_frame(rng: np.random.Generator) -> Prop:
    """A round target of straw on an easel: paper face, slate and red rings."""
    shapes = []
    for y, lean in ((-15, 5.0), (15, -5.0)):
        post = box((2.6, 2.6, 66), WEATHERED, bevel=0.35).moved((0, 0, 0), about((1, 0, 0), lean))
        shapes.append(varied(post.moved((0, y, 32)), rng))
    prop_ = box((2.4, 2.4, 62), DARK, bevel=0.3).moved((0, 0, 0), about((0, 1, 0), 24))
    shapes.append(prop_.moved((-13, 0, 28)))
    shapes.append(board((2.2, 42, 3), (0.4, 0, 17), WEATHERED))
    shapes.append(board((2.2, 30, 3), (0.2, 0, 60), WEATHERED))
    rings = (
        (17.5, mix(WEATHERED, PAPER, 0.45), 0.0),
        (15.6, PAPER, 0.7),
        (11.6, SLATE, 1.0),
        (8.2, PAPER, 1.3),
        (5.4, SIGNAL_RED, 1.6),
        (2.0, PAPER, 1.9),
    )
    for radius, color, ahead in rings:
        outline = [
            ring((x, 0, 39), (0, 1, 0), (0, 0, 1), (radius,) * 4, 20)
            for x in ((-2.2 if ahead == 0 else 1.8), 2.4 + ahead)
        ]
        shapes.append(loft(outline, color, caps=(True, True), crease=40))
    return Prop(shapes, cell=0.9, reach=9)


def door_panel(rng: np.random.Generator) -> Prop:
    """A plank door 56 by 108: boards, ledges, strap hinges, a latch. It hangs on its left edge (y 0)."""
    shapes = []
    for i in range(6):
        plank = box((2.0, 9.0, 106), mix(WEATHERED, BRICK, 0.12), bevel=0.3, edge=1.16)
        shapes.append(varied(plank.moved((0, -4.8 - 9.25 * i, 54)), rng, 0.1))
    for z in (16, 54, 92):
        shapes.append(varied(board((1.6, 52, 7), (-1.7, -28, z), WEATHERED), rng))
    for z in (35, 73):
        brace = box((1.4, 60, 6), WEATHERED, bevel=0.3).moved((0, 0, 0), about((1, 0, 0), 33))
        shapes.append(varied(brace.moved((-1.7, -28, z)), rng))
    for z in (16, 92):
        shapes.append(box((0.6, 34, 3.2), SLATE, bevel=0.15, taper=(1, 1)).moved((1.3, -17, z)))
        shapes.append(
            tube([(1.2, 0.4, z - 3), (1.2, 0.4, z), (1.2, 0.4, z + 3)], (1.2, 1.2, 1.2), SLATE, up=(1, 0, 0))
        )
    shapes.append(box((1.0, 3.6, 9), SLATE, bevel=0.3).moved((1.4, -51, 50)))
    shapes.append(
        tube([(2.2, -51, 47), (3.4, -51, 50), (2.2, -51, 53)], (0.5, 0.6, 0.5), LEATHER, up=(0, 1, 0))
    )
    return Prop([worn(shape, 1.05, 0.82, 108) for shape in shapes], cell=1.2, reach=8, ground=None)
