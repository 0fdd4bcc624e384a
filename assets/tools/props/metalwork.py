"""Things of metal: barrel, burning barrel, jerrycan, ammunition box, lamp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets.tools.palette import FIELD_GREY, GUNMETAL, OLIVE, PAPER, RUST, SIGNAL_RED, SLATE, WOOD, mix, shade
from assets.tools.props.prop import Prop, varied, worn
from assets.tools.rotations import about
from assets.tools.shapes import Shape, box, loft, ring, tube

Array = NDArray[Any]
Painter = Callable[[Array, Array], Array]


def _turned(
    profile: list[tuple[float, float]], colors: Sequence[ArrayLike], count: int = 16, crease: float = 45.0
) -> Shape:
    """A body of revolution about z from (radius, height) pairs, each with its colour; closed at both ends."""
    rings = [ring((0, 0, z), (1, 0, 0), (0, 1, 0), (r, r, r, r), count) for r, z in profile]
    return loft(rings, np.asarray(colors, float), caps=(True, True), crease=crease)


def _rusty(rng: np.random.Generator, amount: float) -> Painter:
    """A painter that lets rust spread over a colour in patches, most of it near the foot."""
    spots = rng.uniform(-1, 1, (9, 3))

    def paint(positions: Array, colors: Array) -> Array:
        span = np.maximum(np.ptp(positions, axis=0), 1.0)
        local = (positions - positions.mean(axis=0)) / span * 2
        near = np.min(np.linalg.norm(local[:, None] - spots[None], axis=2), axis=1)
        share = np.clip(amount - near, 0, 1)[:, None] + np.clip(-0.7 - local[:, 2:3], 0, 0.6)
        rust: Array = np.array(RUST) - colors
        rusted: Array = colors + rust * np.clip(share, 0, 0.85)
        return rusted

    return paint


def _drum(paint_color: ArrayLike, rng: np.random.Generator) -> Shape:
    light, dark = shade(paint_color, 1.15), shade(paint_color, 0.8)
    profile, colors = [], []
    for z, r, color in (
        (0.0, 11.2, dark), (0.8, 12.0, light), (1.8, 11.7, paint_color), (11.2, 11.6, paint_color),
        (11.8, 12.2, light),
        (12.6, 12.2, light), (13.2, 11.6, paint_color), (22.8, 11.6, paint_color), (23.4, 12.2, light),
        (24.2, 12.2, light), (24.8, 11.6, paint_color), (34.0, 11.7, paint_color),
        (35.0, 12.0, light), (35.8, 11.6, light),
    ):  # fmt: skip
        profile.append((r, z))
        colors.append(color)
    return _turned(profile, colors).painted(_rusty(rng, 0.5))


def barrel(rng: np.random.Generator) -> Prop:
    color = mix(FIELD_GREY, OLIVE, 0.4)
    lid = _turned([(10.8, 34.6), (10.8, 35.0), (10.2, 35.0)], [shade(color, 0.7)] * 3)
    bung = tube([(5, 3, 34.8), (5, 3, 35.6), (5, 3, 36.0)], (1.8, 1.8, 1.4), SLATE, up=(1, 0, 0))
    band = _turned([(11.75, 15.5), (11.8, 16.0), (11.8, 19.6), (11.75, 20.0)], [PAPER] * 4)
    return Prop([worn(_drum(color, rng), 1.05, 0.85), lid, bung, band], cell=0.8, reach=9)


def fire_barrel(rng: np.random.Generator) -> Prop:
    """A rusted drum with holes low down and embers inside."""
    drum = worn(_drum(mix(RUST, GUNMETAL, 0.45), rng), 0.8, 0.9)
    shapes = [drum]
    glow = [
        _turned(
            [(10.4, 35.7), (10.4, 36.1), (8.0, 36.6), (0.5, 37.2)],
            [(255, 120, 30), (255, 130, 40), (255, 170, 70), (255, 210, 120)],
        )
    ]
    for i in range(6):
        angle = np.radians(60 * i + 20)
        hole = box((0.5, 2.6, 3.4), (255, 140, 50), bevel=0.1).moved((0, 0, 0), about((0, 0, 1), 60 * i + 20))
        glow.append(hole.moved((11.7 * np.cos(angle), 11.7 * np.sin(angle), 7)))
    for i in range(4):
        log = tube([(-9, 0, 0), (0, 0, 0), (9, 0, 0)], (1.6, 1.8, 1.5), shade(WOOD, 0.45), count=6)
        tilt = about((0, 0, 1), 50 * i + 10) @ about((0, 1, 0), -24)
        shapes.append(log.moved((0, 0, 0), tilt).moved((0, 0, 37.5)))
    return Prop(shapes, glow=glow, cell=0.9, reach=9)


def jerrycan(rng: np.random.Generator) -> Prop:
    color = OLIVE
    body = box((5.6, 12.4, 16), color, bevel=1.0, edge=1.14).moved((0, 0, 8))
    shapes = [body.painted(_rusty(rng, 0.3))]
    for x in (-2.8, 2.8):
        for turn in (38.0, -38.0):
            rib = box((0.5, 1.0, 13.5), shade(color, 1.1), bevel=0.2).moved((0, 0, 0), about((1, 0, 0), turn))
            shapes.append(rib.moved((x, 0, 8)))
    for x in (-1.7, 0, 1.7):
        handle = [(x, -3.6, 15.8), (x, -3.2, 18.0), (x, 2.2, 18.0), (x, 2.8, 15.8)]
        shapes.append(tube(handle, (0.5, 0.5, 0.5, 0.5), shade(color, 0.85), count=6, up=(1, 0, 0)))
    shapes.append(
        tube([(0, 4.6, 15.6), (0, 5.4, 17.2), (0, 5.9, 18.0)], (1.6, 1.5, 1.5), SLATE, up=(1, 0, 0))
    )
    return Prop([worn(shape, 1.06, 0.82, 17) for shape in shapes], cell=0.5, reach=6)


def smoke_pot(rng: np.random.Generator) -> Prop:
    """A tin that fits a hand, about its own middle: it is thrown, and smokes."""
    color = mix(OLIVE, FIELD_GREY, 0.25)
    band = mix(PAPER, OLIVE, 0.15)
    profile = [
        (1.0, -2.3, shade(color, 0.7)), (1.25, -2.1, shade(color, 1.1)), (1.2, -1.9, color), (1.2, 0.5, color),
        (1.22, 0.55, band), (1.22, 1.15, band), (1.2, 1.2, color), (1.2, 1.9, color), (1.25, 2.1, shade(color, 1.1)),
        (0.9, 2.3, shade(color, 0.8)), (0.5, 2.3, SLATE), (0.45, 3.0, SLATE),
    ]  # fmt: skip
    tin = _turned([(r, z) for r, z, _ in profile], [tone for _, _, tone in profile], 10).painted(
        _rusty(rng, 0.2)
    )
    lever = box((0.3, 0.6, 2.6), shade(SLATE, 1.1), bevel=0.1).moved((1.25, 0, 1.4))
    return Prop([tin, lever], cell=0.3, reach=2, ground=None)


def ammo_box(rng: np.random.Generator) -> Prop:
    color = mix(OLIVE, FIELD_GREY, 0.3)
    shapes = [box((11, 6, 6.4), color, bevel=0.35).moved((0, 0, 3.2)).painted(_rusty(rng, 0.25))]
    shapes.append(box((11.6, 6.6, 1.5), shade(color, 0.92), bevel=0.3).moved((0, 0, 7.0)))
    for x in (-5.7, 5.7):
        shapes.append(box((0.5, 2.4, 3.0), SLATE, bevel=0.15).moved((x, 0, 5.8)))
    shapes.append(
        tube(
            [(-2.6, 0, 7.6), (-2.2, 0, 8.8), (2.2, 0, 8.8), (2.6, 0, 7.6)],
            (0.35,) * 4,
            SLATE,
            count=6,
            up=(0, 1, 0),
        )
    )
    shapes.append(box((5.0, 0.2, 2.2), PAPER, bevel=0.05).moved((0, 3.05, 3.6)))
    shapes.append(box((3.2, 0.2, 0.5), SIGNAL_RED, bevel=0.05).moved((0, 3.15, 3.6)))
    return Prop([worn(shape, 1.05, 0.86, 8) for shape in shapes], cell=0.4, reach=4)


def lamp(rng: np.random.Generator, lit: bool = True) -> Prop:
    """A post lantern, the glass at about 108: iron foot, wooden post, an arm with a roofed lantern over +x.

    A lamp that is not lit has lost most of its glass.
    """
    foot = _turned([(5.2, 0), (5.4, 1.0), (4.0, 3.0), (3.2, 9.0)], [SLATE] * 4, 10)
    post = box((4.6, 4.6, 122), WOOD, bevel=0.7, taper=(0.72, 0.72)).moved((0, 0, 66))
    cap = box((5, 5, 2), SLATE, bevel=0.5, taper=(0.6, 0.6)).moved((0, 0, 127))
    arm = tube(
        [(1, 0, 122), (8, 0, 123), (15, 0, 122), (17, 0, 119.5)],
        (1.0, 0.9, 0.8, 0.7),
        GUNMETAL,
        count=6,
        up=(0, 1, 0),
    )
    brace = tube([(1.6, 0, 104), (6, 0, 114), (12, 0, 121)], (0.7, 0.7, 0.7), GUNMETAL, count=6, up=(0, 1, 0))
    roof = _turned(
        [(6.4, 115.2), (6.6, 115.8), (1.6, 119.6), (0.8, 120.6)], [shade(GUNMETAL, 1.2)] * 4, 8, 20
    ).moved((17, 0, 0))
    base = _turned([(2.2, 102.0), (4.6, 103.0), (4.9, 104.4)], [GUNMETAL] * 3, 8, 20).moved((17, 0, 0))
    shapes = [worn(varied(post, rng), 1.05, 0.8), foot, cap, arm, brace, roof, base]
    for i in range(4):
        angle = np.radians(45 + 90 * i)
        bar = box((0.7, 0.7, 11.6), GUNMETAL, bevel=0.1).moved(
            (17 + 4.6 * np.cos(angle), 4.6 * np.sin(angle), 110)
        )
        shapes.append(bar)
    if not lit:
        for side, tall in ((0, 5.0), (90, 3.0), (180, 6.5), (270, 2.5)):
            shard = box((0.3, 3.6, tall), shade(SLATE, 1.3), bevel=0.05, taper=(1, 0.3)).moved(
                (3.3, 0, 104.4 + tall / 2)
            )
            shapes.append(shard.moved((0, 0, 0), about((0, 0, 1), side)).moved((17, 0, 0)))
        return Prop(shapes, cell=0.9, reach=10)
    glass = _turned(
        [(3.6, 104.4), (4.2, 109.0), (4.0, 115.2)], [(255, 196, 112), (255, 236, 190), (255, 206, 128)], 8, 50
    )
    return Prop(shapes, glow=[glass.moved((17, 0, 0))], cell=0.9, reach=10)
