"""Makes the rifle: `python -m assets.tools.make_rifle`.

A short self-loading rifle with a wooden stock and a box magazine. x runs along the barrel, and the origin is where
the right palm closes round the stock, so that it hangs unturned on `tag_weapon_right`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assets.tools import palette
from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.rotations import Array, turn, vec
from assets.tools.shapes import Shape, box, loft, ring, tube
from assets.tools.soldier.outfit import shaded
from assets.tools.soldier.skeleton import MUZZLE

FOLDER = Path(__file__).resolve().parent.parent / "models" / "rifle"
STOCK = palette.shade(palette.mix(palette.WOOD, palette.RUST, 0.35), 0.92)
STEEL = palette.GUNMETAL


def _stock() -> Shape:
    """Butt, wrist and fore-end in one piece: rows of x, middle z, half width, half height."""
    rows = [
        (-12.4, -2.5, 0.55, 2.0),
        (-12.1, -2.5, 0.78, 2.35),
        (-8.6, -1.75, 0.82, 2.0),
        (-5.0, -1.0, 0.80, 1.55),
        (-2.4, -0.35, 0.76, 1.12),
        (-0.8, 0.0, 0.74, 1.0),
        (0.8, 0.35, 0.78, 1.0),
        (2.4, 0.65, 0.92, 1.05),
        (5.0, 0.75, 1.0, 1.0),
        (9.0, 0.8, 1.02, 0.95),
        (14.5, 1.0, 0.9, 0.8),
        (17.6, 1.2, 0.74, 0.62),
        (17.8, 1.25, 0.5, 0.4),
    ]
    rings = [ring((x, 0, z), (0, 1, 0), (0, 0, 1), (w, h, w, h), 10, 2.5, start=18.0) for x, z, w, h in rows]
    shape = loft(rings, STOCK, caps=(True, True), crease=55.0)

    def paint(points: Array, colors: Array) -> Array:
        grain = 0.07 * np.sin(points[:, 0] * 0.9 + points[:, 2] * 3.1) + 0.05 * np.sin(points[:, 0] * 2.3)
        colors *= 1.0 + grain[:, None]
        colors[points[:, 0] < -12.0] = np.asarray(STEEL) * 0.9
        return colors * (1.0 + 0.05 * np.clip(points[:, 2:3], -1, 1))

    return shape.painted(paint)


def parts() -> list[Shape]:
    """Every part of the rifle."""
    lit = palette.shade(STEEL, 1.3)
    barrel_z = float(MUZZLE[2])
    made = [
        _stock(),
        box((7.0, 1.45, 1.7), STEEL, bevel=0.3, edge=1.35).moved((5.1, 0, 1.95)),  # receiver
        box((3.4, 1.1, 0.5), lit, bevel=0.15).moved((3.6, -0.25, 2.85)),
        tube(
            [(8.4, 0, barrel_z), (17.5, 0, barrel_z), (17.6, 0, barrel_z), (25.6, 0, barrel_z)],
            [0.62, 0.55, 0.42, 0.38],
            STEEL,
            count=8,
            caps=(False, False),
            crease=50.0,
        ),
        tube(
            [
                (25.2, 0, barrel_z),
                (25.3, 0, barrel_z),
                (27.2, 0, barrel_z),
                (27.4, 0, barrel_z),
                (27.0, 0, barrel_z),
            ],
            [0.4, 0.6, 0.58, 0.42, 0.24],
            palette.shade(STEEL, 0.85),
            count=8,
            caps=(False, True),
            crease=40.0,
        ),
        box((5.6, 1.6, 0.9), palette.shade(STOCK, 0.85), bevel=0.25).moved((12.6, 0, 2.5)),  # hand guard
        box((0.9, 1.75, 2.6), STEEL, bevel=0.0).moved((17.3, 0, 1.5)),  # front band
        box((0.9, 2.0, 2.3), STEEL, bevel=0.0).moved((9.2, 0, 1.1)),
        box((2.4, 1.0, 3.6), palette.shade(STEEL, 0.9), bevel=0.16, edge=1.3, taper=(1.05, 1.0)).moved(
            (5.3, 0, -1.5), turn((0.0, -8.0, 0.0))
        ),  # magazine
        box((1.7, 0.36, 0.36), lit, bevel=0.0).moved((4.6, -1.1, 2.2), turn((68.0, 0.0, 0.0))),  # bolt handle
        box((0.5, 0.5, 0.5), lit, bevel=0.0).moved((4.3, -1.9, 2.15)),
        box((0.35, 0.3, 1.3), STEEL, bevel=0.0).moved((24.6, 0, 2.9)),  # front sight
        box((1.2, 0.8, 0.5), STEEL, bevel=0.0).moved((24.6, 0, 2.3)),
        box((1.6, 0.9, 0.55), STEEL, bevel=0.0).moved((9.6, 0, 3.0)),  # rear sight
        tube(
            [(0.9, 0, -0.6), (1.5, 0, -1.7), (3.3, 0, -1.75), (3.8, 0, -0.4)],
            [0.17] * 4,
            STEEL,
            count=4,
            up=(0, 1, 0),
        ),
        tube(
            [(2.2, 0, -0.3), (2.0, 0, -0.9), (2.25, 0, -1.35)], [0.16, 0.14, 0.1], lit, count=4, up=(0, 1, 0)
        ),
    ]
    sling = [(-9.5, 0.0, -3.7), (-5.0, 0.15, -4.3), (1.0, 0.25, -4.0), (7.0, 0.2, -2.6), (13.5, 0.05, -0.2)]
    band = [
        np.array(
            [np.array(p) + vec(0, y, z) for y, z in ((0.5, -0.06), (0.5, 0.06), (-0.5, 0.06), (-0.5, -0.06))]
        )
        for p in sling
    ]
    made.append(loft(band, palette.shade(palette.CANVAS, 0.75), caps=(True, True), crease=30.0))
    return made


def main() -> None:
    """Writes rifle.glb and its sidecar."""
    model = shaded(parts(), ground=None)
    glb = GlbWriter()
    material = glb.add_material("rifle", roughness=0.7)
    root = glb.add_node("tag_weapon")
    glb.add_node("tag_flash", root, MUZZLE)
    glb.add_node("tag_magazine", root, (5.3, 0.0, -1.5))
    glb.add_node("tag_brass", root, (3.6, -0.8, 2.6))
    glb.add_mesh(
        root,
        [Primitive(model.positions, model.normals, model.triangles, colors=model.colors, material=material)],
    )
    glb.write(FOLDER / "rifle.glb")
    header = "# Written by assets.tools.make_rifle; change the script, not this file.\n"
    (FOLDER / "rifle.toml").write_text(header, encoding="utf-8")


if __name__ == "__main__":
    main()
