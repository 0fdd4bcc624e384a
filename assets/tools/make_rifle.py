"""Makes the rifle: `python -m assets.tools.make_rifle`.

A short self-loading rifle with a wooden stock and a box magazine. x runs along the barrel, and the origin is where
the right palm closes round the stock, so that it hangs unturned on `tag_weapon_right`. The player sees it from very
near: round things have enough sides, and what is cut into the steel is modelled.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from assets.tools import palette
from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.rotations import Array, turn, unit, vec
from assets.tools.shapes import Shape, box, loft, ring, tube
from assets.tools.soldier.outfit import shaded
from assets.tools.soldier.skeleton import MUZZLE

FOLDER = Path(__file__).resolve().parent.parent / "models" / "rifle"
WOOD = palette.shade(palette.mix(palette.mix(palette.WOOD, palette.RUST, 0.3), palette.SLATE, 0.12), 0.84)
STEEL = palette.GUNMETAL
WORN = palette.shade(palette.GUNMETAL, 1.55)  # where the blueing is rubbed off
DARK = palette.shade(palette.GUNMETAL, 0.42)
BORE = float(MUZZLE[2])


def _grain(points: Array, colors: Array) -> Array:
    """Long streaks in the wood, darker below, rubbed lighter on top."""
    x, y, z = points.T
    streaks = (
        0.07 * np.sin(x * 0.55 + z * 4.1 + y * 2.7)
        + 0.05 * np.sin(x * 1.9 - z * 2.2)
        + 0.03 * np.sin(x * 4.3 + y)
    )
    colors *= 1.0 + streaks[:, None] + 0.05 * np.clip(z[:, None], -1.5, 1.5)
    return colors


def _along(
    rows: list[tuple[float, float, float, float]], color: ArrayLike, count: int, power: float, crease: float
) -> Shape:
    """A bar along x: rows of x, middle z, half width, half height; closed at both ends."""
    start = 180.0 / count
    rings = [
        ring((x, 0, z), (0, 1, 0), (0, 0, 1), (w, h, w, h), count, power, start=start) for x, z, w, h in rows
    ]
    return loft(rings, color, caps=(True, True), crease=crease)


def stock() -> list[Shape]:
    """Butt, wrist and fore-end in one piece of wood, a steel plate at the end, an upper hand guard with slots."""
    rows = [
        (-12.1, -2.52, 0.74, 2.26),
        (-11.4, -2.44, 0.82, 2.24),
        (-9.2, -1.98, 0.85, 2.02),
        (-7.0, -1.46, 0.84, 1.78),
        (-5.0, -0.98, 0.80, 1.5),
        (-3.4, -0.58, 0.76, 1.22),
        (-1.8, -0.2, 0.73, 1.02),
        (-0.4, 0.08, 0.73, 0.94),
        (1.0, 0.4, 0.78, 0.95),
        (2.2, 0.62, 0.9, 1.0),
        (4.2, 0.74, 0.98, 0.98),
        (6.6, 0.78, 1.0, 0.96),
        (9.0, 0.82, 1.0, 0.94),
        (11.6, 0.92, 0.95, 0.86),
        (14.6, 1.04, 0.86, 0.76),
        (17.4, 1.2, 0.72, 0.62),
        (17.7, 1.24, 0.55, 0.45),
    ]
    made = [_along(rows, WOOD, 12, 2.5, 55.0).painted(_grain)]
    plate = [
        (-12.42, -2.55, 0.62, 2.1),
        (-12.35, -2.55, 0.76, 2.28),
        (-12.1, -2.53, 0.78, 2.3),
        (-12.05, -2.53, 0.7, 2.2),
    ]
    made.append(_along(plate, STEEL, 12, 2.5, 40.0))
    guard = [
        (9.9, 2.1, 0.7, 0.7),
        (10.1, 2.12, 0.86, 0.82),
        (13.0, 2.12, 0.82, 0.76),
        (16.5, 2.1, 0.7, 0.66),
        (16.7, 2.08, 0.6, 0.56),
    ]
    made.append(_along(guard, palette.shade(WOOD, 0.92), 12, 2.2, 50.0).painted(_grain))
    for x in (11.4, 13.0, 14.6):
        for side in (1.0, -1.0):
            made.append(
                _disc((x, side * (0.845 - (x - 11.4) * 0.012), 2.32), (0, side, 0.3), (0.5, 0.15), DARK, 8)
            )
    for x, z in ((2.6, 0.45), (7.6, 0.45)):
        for side in (1.0, -1.0):
            made.append(_disc((x, side * 1.0, z), (0, side, 0), (0.2, 0.2), WORN, 6))
    return made


def _disc(
    centre: ArrayLike, outward: ArrayLike, radii: tuple[float, float], color: ArrayLike, count: int
) -> Shape:
    """A flat plate that lies on a surface: a screw head or the dark of a slot."""
    out = unit(outward)
    along = np.array([1.0, 0.0, 0.0])
    up = np.cross(out, along)
    middle = np.asarray(centre, float)
    rings = [
        ring(middle + out * lift, along, up, (radii[0] * grow, radii[1] * grow) * 2, count)
        for lift, grow in ((-0.1, 1.0), (0.025, 0.95))
    ]
    paint = np.asarray(color, float)
    return loft(rings, np.array([paint * 0.7, paint]), caps=(False, True), crease=40.0)


def receiver() -> list[Shape]:
    """The steel body with its cover, the open port with the bolt in it, the handle and the rear sight."""
    body = [
        (1.25, 1.8, 0.44, 0.55),
        (1.4, 1.84, 0.62, 0.76),
        (1.75, 1.88, 0.71, 0.86),
        (4.6, 1.9, 0.73, 0.88),
        (7.6, 1.92, 0.74, 0.88),
        (8.3, 1.95, 0.7, 0.8),
        (8.9, 1.95, 0.62, 0.66),
    ]
    made = [_along(body, STEEL, 14, 3.4, 40.0)]
    cover = [
        (1.7, 2.62, 0.3, 0.2),
        (1.95, 2.68, 0.48, 0.28),
        (3.4, 2.7, 0.52, 0.3),
        (6.6, 2.7, 0.52, 0.3),
        (7.0, 2.62, 0.4, 0.22),
    ]
    made.append(_along(cover, palette.shade(STEEL, 1.12), 12, 2.4, 45.0))
    for x in (2.3, 2.62, 2.94):  # grip ribs across the cover
        made.append(box((0.12, 0.9, 0.1), WORN, bevel=0.0).moved((x, 0, 2.99)))
    made.append(box((2.5, 0.1, 0.62), DARK, bevel=0.0).moved((4.9, -0.72, 2.2)))
    made.append(
        _along(
            [(3.9, 2.2, 0.2, 0.2), (4.0, 2.2, 0.26, 0.26), (5.8, 2.2, 0.26, 0.26)], WORN, 8, 2.0, 50.0
        ).moved((0, -0.56, 0))
    )
    made.append(
        tube([(5.5, -0.7, 2.2), (5.55, -1.35, 2.26), (5.4, -1.55, 2.3)], [0.14, 0.13, 0.13], WORN, count=6)
    )
    knob = [
        ((5.42, -1.45, 2.29), 0.14),
        ((5.4, -1.55, 2.3), 0.26),
        ((5.36, -1.8, 2.33), 0.3),
        ((5.32, -1.98, 2.35), 0.18),
    ]
    made.append(tube([place for place, _ in knob], [radius for _, radius in knob], STEEL, count=8))
    made.append(
        box((1.5, 0.12, 0.3), WORN, bevel=0.0).moved((2.3, 0.74, 1.6), turn((0.0, 14.0, 0.0)))
    )  # safety
    made.append(box((1.9, 1.0, 0.42), STEEL, bevel=0.12, taper=(0.8, 0.84)).moved((9.5, 0, 2.86)))
    made.append(box((1.2, 0.62, 0.16), WORN, bevel=0.0).moved((9.2, 0, 3.12), turn((0.0, -9.0, 0.0))))
    for y in (-0.23, 0.23):
        made.append(box((0.14, 0.28, 0.42), STEEL, bevel=0.0).moved((8.72, y, 3.34)))
    for y in (-0.47, 0.47):
        made.append(box((0.7, 0.1, 0.56), STEEL, bevel=0.0, taper=(0.5, 1.0)).moved((8.9, y, 3.2)))
    return made


def barrel() -> list[Shape]:
    """Barrel, bands, gas block, front sight between its ears, and the slotted end."""
    steps = [(8.6, 0.6), (10.0, 0.55), (17.2, 0.5), (17.3, 0.43), (24.0, 0.37), (25.4, 0.36)]
    made = [
        tube(
            [(x, 0, BORE) for x, _ in steps],
            [r for _, r in steps],
            STEEL,
            count=12,
            caps=(False, False),
            crease=40.0,
        )
    ]
    ends = [(25.2, 0.4), (25.3, 0.56), (25.6, 0.6), (27.0, 0.6), (27.35, 0.52), (27.4, 0.42), (27.1, 0.24)]
    tip = tube(
        [(x, 0, BORE) for x, _ in ends],
        [r for _, r in ends],
        palette.shade(STEEL, 0.9),
        count=12,
        crease=40.0,
    )
    tip.colors[-13:] = DARK
    made.append(tip)
    for x in (25.9, 26.45):
        for side in (1.0, -1.0):
            made.append(_disc((x, side * 0.585, BORE + 0.1), (0, side, 0.15), (0.17, 0.3), DARK, 6))
    for x, wide, high, z in ((9.45, 1.06, 1.12, 1.12), (17.0, 0.84, 1.2, 1.62)):
        hoop = [
            (x - 0.4, z, wide, high),
            (x - 0.36, z, wide + 0.06, high + 0.06),
            (x + 0.36, z, wide + 0.06, high + 0.06),
            (x + 0.4, z, wide, high),
        ]
        made.append(_along(hoop, palette.shade(STEEL, 1.08), 12, 2.6, 35.0))
    made.append(
        _along(
            [
                (18.3, 1.86, 0.4, 0.6),
                (18.45, 1.86, 0.5, 0.72),
                (19.5, 1.84, 0.5, 0.7),
                (19.7, 1.8, 0.38, 0.55),
            ],
            STEEL,
            10,
            3.0,
            40.0,
        )
    )
    rod = [(17.5, 0, 1.12), (24.4, 0, 1.3), (25.0, 0, 1.32)]
    made.append(tube(rod, [0.13, 0.13, 0.19], WORN, count=6))
    made.append(box((1.3, 0.6, 0.7), STEEL, bevel=0.1, taper=(0.8, 0.7)).moved((24.4, 0, 2.45)))
    made.append(box((0.16, 0.14, 0.86), WORN, bevel=0.0).moved((24.4, 0, 3.1)))
    for side in (1.0, -1.0):
        ear = tube(
            [(24.4, side * 0.26, 2.6), (24.4, side * 0.42, 3.0), (24.4, side * 0.34, 3.5)],
            [(0.34, 0.06), (0.34, 0.06), (0.24, 0.05)],
            STEEL,
            count=4,
            up=(0, 1, 0),
            start=45.0,
        )
        made.append(ear)
    return made


def below() -> list[Shape]:
    """Magazine with pressed ribs, trigger and guard, sling and its swivels."""
    lean = turn((0.0, -8.0, 0.0))
    spot = vec(5.3, 0.0, -1.5)
    side_color = palette.shade(STEEL, 0.92)
    made = [box((2.4, 1.0, 3.6), side_color, bevel=0.16, edge=1.4, taper=(1.05, 1.0)).moved(spot, lean)]
    for x in (-0.5, 0.35):
        for side in (1.0, -1.0):
            made.append(
                box((0.22, 0.1, 2.6), palette.shade(STEEL, 1.15), bevel=0.0).moved(
                    spot + lean @ vec(x, side * 0.52, -0.2), lean
                )
            )
    made.append(box((2.55, 1.12, 0.22), WORN, bevel=0.0).moved(spot + lean @ vec(0, 0, -1.8), lean))
    guard = [
        (0.8, 0, -0.5),
        (1.1, 0, -1.25),
        (1.8, 0, -1.72),
        (2.8, 0, -1.75),
        (3.5, 0, -1.3),
        (3.85, 0, -0.35),
    ]
    made.append(tube(guard, [(0.22, 0.08)] * 6, STEEL, count=6, up=(0, 1, 0), crease=50.0))
    made.append(
        tube(
            [(2.35, 0, -0.2), (2.05, 0, -0.75), (2.1, 0, -1.05), (2.35, 0, -1.4)],
            [0.15, 0.13, 0.12, 0.09],
            WORN,
            count=6,
            up=(0, 1, 0),
        )
    )
    made.append(
        tube(
            [(-9.3, 0, -3.4), (-9.5, 0, -3.75), (-9.1, 0, -3.95)],
            [0.13, 0.13, 0.1],
            WORN,
            count=5,
            up=(0, 1, 0),
        )
    )
    made.append(
        tube(
            [(13.3, 0, 0.3), (13.5, 0, -0.1), (13.8, 0, 0.2)], [0.12, 0.12, 0.1], WORN, count=5, up=(0, 1, 0)
        )
    )
    hang = [
        (-9.5, 0.0, -3.75),
        (-7.4, 0.1, -4.15),
        (-4.8, 0.15, -4.35),
        (-1.8, 0.22, -4.35),
        (1.4, 0.25, -4.05),
        (5.2, 0.75, -3.4),
        (8.6, 0.3, -2.1),
        (11.4, 0.12, -1.1),
        (13.5, 0.0, -0.1),
    ]
    band = [
        np.array(
            [
                vec(*place) + vec(0, y, z)
                for y, z in ((0.45, -0.05), (0.45, 0.05), (-0.45, 0.05), (-0.45, -0.05))
            ]
        )
        for place in hang
    ]
    made.append(loft(band, palette.shade(palette.CANVAS, 0.75), caps=(True, True), crease=40.0))
    return made


def parts() -> list[Shape]:
    """Every part of the rifle."""
    return stock() + receiver() + barrel() + below()


def main() -> None:
    """Writes rifle.glb and its sidecar."""
    model = shaded(parts(), ground=None)
    glb = GlbWriter()
    material = glb.add_material("rifle", roughness=0.6)
    root = glb.add_node("tag_weapon")
    glb.add_node("tag_flash", root, MUZZLE)
    glb.add_node("tag_magazine", root, (5.3, 0.0, -1.5))
    glb.add_node("tag_brass", root, (4.9, -0.9, 2.3))
    glb.add_mesh(
        root,
        [Primitive(model.positions, model.normals, model.triangles, colors=model.colors, material=material)],
    )
    glb.write(FOLDER / "rifle.glb")
    header = "# Written by assets.tools.make_rifle; change the script, not this file.\n"
    (FOLDER / "rifle.toml").write_text(header, encoding="utf-8")


if __name__ == "__main__":
    main()
