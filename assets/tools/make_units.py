"""Makes the units that scripts move: ``python -m assets.tools.make_units [NAME ...]``.

Every piece is a node of its own, at the place about which it turns; unit scripts name the nodes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from assets.tools import palette
from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.occlusion import visibility
from assets.tools.props.prop import joined, shaded_colors
from assets.tools.rotations import turn
from assets.tools.shapes import Shape, box, finish, loft, ring, tube

TARGET = Path(__file__).parents[1] / "models"
SIDECAR = "# Written by assets.tools.make_units; change the script, not this file.\npieces = true\n"

IRON = palette.shade(palette.GUNMETAL, 1.05)
STEEL = palette.shade(palette.SLATE, 0.8)
PAINT = palette.shade(palette.OLIVE, 0.92)
DARK = palette.shade(palette.OLIVE, 0.66)
FLASH = (255.0, 214.0, 140.0)


@dataclass
class Piece:
    """A piece: where it hangs on its parent (inches), and what it looks like about that place."""

    name: str
    parent: str | None
    place: ArrayLike
    shapes: list[Shape] = field(default_factory=list)
    glow: bool = False


def drum(
    radius: float, low: float, high: float, color: ArrayLike, sides: int = 20, taper: float = 1.0
) -> Shape:
    """An upright turned body with a bevelled rim."""
    edge = min(0.6, (high - low) * 0.2)
    rows = [
        (low, radius - edge),
        (low + edge, radius),
        (high - edge, radius * taper),
        (high, radius * taper - edge),
    ]
    rings = [ring((0, 0, z), (1, 0, 0), (0, 1, 0), (r,) * 4, sides) for z, r in rows]
    return loft(rings, color, caps=(True, True), crease=40.0)


def bolts(radius: float, z: float, count: int, color: ArrayLike = IRON) -> list[Shape]:
    angles = np.arange(count) * (2.0 * np.pi / count)
    return [
        box((0.9, 0.9, 0.7), color, bevel=0.15).moved((radius * np.cos(a), radius * np.sin(a), z))
        for a in angles
    ]


def barrel(side: float, length: float) -> list[Shape]:
    """A gun barrel along x with a jacket and a muzzle."""
    parts = [
        tube([(0, side, 0), (length * 0.55, side, 0)], [1.35, 1.2], STEEL, count=12),
        tube([(length * 0.5, side, 0), (length, side, 0)], [0.75, 0.7], IRON, count=10),
        tube([(length - 1.0, side, 0), (length + 2.6, side, 0)], [1.15, 1.15], IRON, count=10),
    ]
    for x in np.linspace(3.0, length * 0.5, 4):
        parts.append(tube([(x, side, 0), (x + 0.8, side, 0)], [1.6, 1.6], DARK, count=12))
    return parts


def flare() -> list[Shape]:
    """A star of flame in front of a muzzle; hidden until the gun fires."""
    spikes = []
    for angle in (0.0, 60.0, 120.0):
        spike = box((7.0, 0.5, 2.6), FLASH, bevel=0.0, taper=(0.2, 0.2)).moved((4.0, 0, 0))
        spikes.append(spike.moved((0, 0, 0), turn((0.0, 0.0, angle))))
    return spikes


def turret() -> list[Piece]:
    """A twin turret on a concrete-coloured ring: base, turret, sleeves and two barrels that recoil."""
    stand = joined(
        drum(19.0, 0.0, 5.0, palette.shade(palette.SAND, 0.78), 24, 0.94),
        drum(12.0, 4.6, 13.0, DARK, 20, 0.86),
        bolts(15.6, 5.2, 8),
        drum(10.9, 12.6, 14.4, IRON, 20),
    )
    # The housing is built from plates about the axis of the turn.
    side = [
        box((20.0, 4.2, 11.0), PAINT, bevel=0.7, taper=(0.82, 0.8)).moved((-1.0, y, 6.5)) for y in (-8.4, 8.4)
    ]
    head = joined(
        drum(10.4, 0.0, 2.4, DARK, 20),
        box((18.0, 14.0, 9.0), palette.shade(PAINT, 0.96), bevel=0.8, taper=(0.9, 0.92)).moved(
            (-3.0, 0, 6.0)
        ),
        side,
        box((7.0, 9.0, 3.6), palette.shade(PAINT, 1.08), bevel=0.5).moved((-6.0, 0, 12.2)),
        box((1.0, 5.0, 1.2), palette.SLATE, bevel=0.2).moved((-2.2, 0, 12.8)),
        tube([(-8.0, 5.4, 11.0), (-9.5, 5.4, 22.0)], [0.25, 0.12], IRON, count=6, up=(1, 0, 0)),
        box((5.0, 0.6, 2.2), palette.SIGNAL_RED, bevel=0.1).moved((-4.0, 10.4, 8.6)),
        box((5.0, 0.6, 2.2), palette.SIGNAL_RED, bevel=0.1).moved((-4.0, -10.4, 8.6)),
    )
    sleeves = joined(
        tube([(0, -7.0, 0), (0, 7.0, 0)], [2.9, 2.9], STEEL, count=14),
        [box((9.0, 4.4, 4.4), DARK, bevel=0.6).moved((4.0, y, 0)) for y in (-3.6, 3.6)],
    )
    pieces = [
        Piece("base", None, (0, 0, 0), stand),
        Piece("turret", "base", (0, 0, 14.4), head),
        Piece("sleeves", "turret", (5.0, 0, 7.0), sleeves),
    ]
    for name, y in (("1", 3.6), ("2", -3.6)):
        pieces.append(Piece(f"barrel{name}", "sleeves", (7.0, y, 0), barrel(0.0, 21.0)))
        pieces.append(Piece(f"flare{name}", f"barrel{name}", (24.0, 0, 0), flare(), glow=True))
    return pieces


def yard_gate() -> list[Piece]:
    """Two leaves between posts with a lamp that burns while they move."""
    posts: list[Shape] = []
    for y in (-54.0, 54.0):
        posts.append(
            box((10.0, 10.0, 92.0), palette.shade(palette.PLASTER, 0.86), bevel=0.8).moved((0, y, 46.0))
        )
        posts.append(box((13.0, 13.0, 4.0), palette.shade(palette.SLATE, 0.9), bevel=0.6).moved((0, y, 94.0)))
    pieces = [
        Piece("frame", None, (0, 0, 0), posts),
        Piece("lamp", "frame", (0, 54.0, 99.0), [drum(2.6, 0.0, 5.5, FLASH, 12, 0.8)], glow=True),
    ]
    for name, y, way in (("left", 48.0, -1.0), ("right", -48.0, 1.0)):
        leaf: list[Shape] = []
        for k in range(6):
            tone = palette.shade(palette.WOOD, 0.86 + 0.07 * (k * 5 % 3))
            leaf.append(
                box((2.2, 7.2, 78.0 + 3.0 * (k % 2)), tone, bevel=0.25).moved(
                    (0, way * (4.2 + 7.7 * k), 45.0)
                )
            )
        for z in (20.0, 70.0):
            leaf.append(
                box((3.4, 45.0, 4.0), palette.shade(palette.WOOD, 0.7), bevel=0.3).moved((0, way * 23.4, z))
            )
            leaf.append(box((4.2, 9.0, 3.0), IRON, bevel=0.2).moved((0, way * 3.4, z)))
        pieces.append(Piece(name, "frame", (0, y, 0), leaf))
    return pieces


def strider() -> list[Piece]:
    """A walker on two legs: hull, hips, knees and feet, and a vent that smokes when it is hurt."""
    hull = joined(
        box((26.0, 20.0, 13.0), PAINT, bevel=1.4, taper=(0.84, 0.86)).moved((1.0, 0, 8.5)),
        box((10.0, 15.0, 8.0), palette.shade(PAINT, 1.06), bevel=1.0).moved((11.0, 0, 8.0)),
        box((1.4, 9.0, 2.4), palette.SLATE, bevel=0.3).moved((16.2, 0, 10.0)),
        box((3.0, 3.4, 3.4), palette.SIGNAL_RED, bevel=0.3).moved((13.6, 8.0, 12.6)),
        tube([(0, -11.5, 2.4), (0, 11.5, 2.4)], [3.6, 3.6], STEEL, count=14),
    )
    vent = [tube([(0, 0, 0), (-1.5, 0, 7.0)], [2.2, 1.8], IRON, count=10, up=(1, 0, 0))]
    pieces = [
        Piece("ground", None, (0, 0, 0)),
        Piece("hull", "ground", (0, 0, 40.0), hull),
        Piece("vent", "hull", (-8.0, -4.0, 13.0), vent),
    ]
    for name, y in (("l", 10.6), ("r", -10.6)):
        thigh = joined(
            tube([(0, -2.2, 0), (0, 2.2, 0)], [3.8, 3.8], IRON, count=14),
            box((5.6, 4.0, 19.0), DARK, bevel=0.7, taper=(0.8, 0.9)).moved(
                (-2.6, 0, -8.4), turn((16.0, 0.0, 0.0))
            ),
        )
        shin = joined(
            tube([(0, -2.4, 0), (0, 2.4, 0)], [2.9, 2.9], STEEL, count=12),
            box((4.4, 3.6, 21.0), PAINT, bevel=0.6, taper=(0.76, 0.86)).moved(
                (2.2, 0, -9.6), turn((-14.0, 0.0, 0.0))
            ),
        )
        foot = joined(
            tube([(0, -2.0, 0), (0, 2.0, 0)], [2.0, 2.0], IRON, count=10),
            box((14.0, 7.0, 3.0), DARK, bevel=0.7, taper=(0.84, 0.84)).moved((2.0, 0, -2.6)),
        )
        pieces.append(Piece(f"{name}thigh", "hull", (0, y, 2.4), thigh))
        pieces.append(Piece(f"{name}shin", f"{name}thigh", (-5.0, 0, -17.4), shin))
        pieces.append(Piece(f"{name}foot", f"{name}shin", (4.8, 0, -20.6), foot))
    return pieces


UNITS: dict[str, Callable[[], list[Piece]]] = {"turret": turret, "yard_gate": yard_gate, "strider": strider}


def make_unit(name: str) -> int:
    """Writes one unit with its sidecar and gives its number of triangles."""
    glb = GlbWriter()
    paint = glb.add_material("paint", roughness=0.8)
    glow = glb.add_material("glow", emissive=FLASH)
    nodes: dict[str, int] = {}
    count = 0
    for piece in UNITS[name]():
        parent = nodes[piece.parent] if piece.parent is not None else None
        node = nodes[piece.name] = glb.add_node(piece.name, parent, piece.place)
        if not piece.shapes:
            continue
        done = finish(piece.shapes)
        colors = done.colors
        if not piece.glow:
            seen = visibility(done.positions, done.normals, done.triangles, cell=1.2, reach=12.0, ground=None)
            colors = shaded_colors(done.colors, seen)
        material = glow if piece.glow else paint
        part = Primitive(done.positions, done.normals, done.triangles, colors=colors, material=material)
        glb.add_mesh(node, [part])
        count += len(done.triangles)
    glb.write(TARGET / name / f"{name}.glb")
    (TARGET / name / f"{name}.toml").write_text(SIDECAR, encoding="utf-8", newline="\n")
    return count


if __name__ == "__main__":
    for wanted in sys.argv[1:] or UNITS:
        print(f"{wanted:14} {make_unit(wanted):5} triangles")
