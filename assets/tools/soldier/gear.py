"""Belt, straps, pouches and packs: hard things that ride on the cloth."""

from __future__ import annotations

import numpy as np

from assets.tools import palette
from assets.tools.rotations import Array, about, turn, unit, vec
from assets.tools.shapes import Shape, box, loft, ring, strap, tube
from assets.tools.soldier import weights
from assets.tools.soldier.body import Uniform, both, jacket_point, plate

BELT = 41.9


def belt(uniform: Uniform) -> list[Shape]:
    """The belt over the jacket, with a buckle."""
    rings = []
    for height, out in ((BELT - 0.95, 0.0), (BELT - 0.95, 0.32), (BELT + 0.95, 0.32), (BELT + 0.95, 0.0)):
        rings.append(
            np.array([jacket_point(height, angle, out + 0.14)[0] for angle in np.arange(0, 360, 18)])
        )
    for points in rings:
        points[:, 2] -= 0.25 * (points[:, 0] > 0)
    shape = loft(rings, palette.shade(uniform.leather, 1.05), crease=35.0)
    tones = np.repeat([0.6, 1.0, 1.2, 0.8], 20)[:, None]
    shape = Shape(shape.positions, shape.triangles, np.clip(shape.colors * tones, 0, 255), 35.0)
    place, outward = jacket_point(BELT - 0.2, 0.0, 0.55)
    buckle = plate(place, outward, (0.3, 2.3, 1.9), palette.shade(palette.SAND, 0.72), bevel=0.12, edge=1.25)
    return [shape.weighed(weights.trunk), buckle.weighed(weights.as_at(weights.trunk, place))]


def pouch(
    uniform: Uniform, height: float, angle: float, size: tuple[float, float, float], color: palette.Color
) -> list[Shape]:
    """A pouch on the jacket: (depth, width, height), with a flap and a stud."""
    deep, wide, tall = size
    place, outward = jacket_point(height, angle, deep / 2.0 + 0.1)
    rule = weights.as_at(weights.trunk, place * (1, 1, 0) + vec(0, 0, max(height, 40.5)))
    pieces = [plate(place, outward, size, color, bevel=0.0, taper=(1.0, 1.04))]
    over = place + outward * 0.12 + vec(0, 0, tall * 0.27)
    pieces.append(
        plate(
            over, outward, (deep * 0.98 + 0.1, wide * 1.06, tall * 0.5), palette.shade(color, 0.9), bevel=0.22
        )
    )
    stud = place + outward * (deep / 2.0 + 0.2) + vec(0, 0, tall * 0.1)
    pieces.append(plate(stud, outward, (0.22, 0.42, 0.42), palette.shade(color, 0.5), bevel=0.0))
    return [piece.weighed(rule) for piece in pieces]


def pockets(uniform: Uniform) -> list[Shape]:
    """Two breast pockets and two skirt pockets, sewn on: they bend with the cloth."""
    parts: list[Shape] = []
    for height, angle, wide, tall in ((52.4, 40.0, 4.0, 3.6), (36.6, 58.0, 4.6, 4.6)):
        rows, columns = 2, 3
        for layer, (top, bottom, out, tone) in enumerate(
            (
                (height + tall / 2, height - tall / 2, 0.22, 0.97),
                (height + tall / 2 + 0.1, height + tall * 0.12, 0.42, 0.9),
            )
        ):
            rings = []
            for r in range(rows):
                z = top + (bottom - top) * r / (rows - 1)
                spread = np.linspace(-1.0, 1.0, columns) * (wide / 2.0 + 0.15 * layer) / 7.2 * 57.3
                rings.append(np.array([jacket_point(z, angle + a, out)[0] for a in spread]))
            border = [points.copy() for points in rings]
            face = np.array(border)
            if layer:
                face[-1, 1, 2] -= 0.6  # the flap comes to a point
            skirt = np.array(
                [
                    jacket_point(point[2], np.degrees(np.arctan2(point[1], point[0] + 0.3)), -0.1)[0]
                    for point in face.reshape(-1, 3)
                ]
            ).reshape(face.shape)
            parts.append(_sewn(face, skirt, np.asarray(uniform.jacket) * tone))
    return both([part.weighed(weights.trunk) for part in parts])


def _sewn(face: Array, under: Array, color: Array) -> Shape:
    """A patch with edges that go down to the cloth."""
    rows, columns = face.shape[:2]
    rim = [(0, c) for c in range(columns)] + [(r, columns - 1) for r in range(1, rows)]
    rim += [(rows - 1, c) for c in range(columns - 2, -1, -1)] + [(r, 0) for r in range(rows - 2, 0, -1)]
    positions = np.vstack([face.reshape(-1, 3), [face[i] for i in rim], [under[i] for i in rim]])
    count, first = len(rim), rows * columns
    triangles = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b, d, e = (
                r * columns + c,
                r * columns + c + 1,
                (r + 1) * columns + c,
                (r + 1) * columns + c + 1,
            )
            triangles += [(a, d, e), (a, e, b)]
    for i in range(count):
        a, b = first + i, first + (i + 1) % count
        triangles += [(a, b, b + count), (a, b + count, a + count)]
    colors = np.vstack(
        [np.tile(color, (first, 1)), np.tile(color * 1.1, (count, 1)), np.tile(color * 0.55, (count, 1))]
    )
    return Shape(positions, np.array(triangles), np.clip(colors, 0, 255), 40.0)


def braces(uniform: Uniform) -> list[Shape]:
    """Straps from the belt over both shoulders, crossing to one at the back."""
    front = [(42.6, 36.0), (45.5, 35.0), (48.5, 35.0), (51.5, 36.0), (54.0, 37.5), (56.2, 42.0)]
    path, outward = [], []
    for height, angle in front:
        place, out = jacket_point(height, angle, 0.16)
        path.append(place)
        outward.append(out + vec(0, 0, 0.6 if height > 53 else 0.0))
    path += [np.array([1.2, 4.15, 58.35]), np.array([-0.9, 3.9, 59.55]), np.array([-3.2, 3.4, 58.75])]
    outward += [np.array([0.45, 0.1, 1.0]), np.array([0.0, 0.12, 1.0]), np.array([-0.7, 0.1, 1.0])]
    for height, angle in ((56.0, 153.0), (52.5, 163.0), (48.5, 171.0), (45.0, 174.0), (42.4, 175.0)):
        place, out = jacket_point(height, angle, 0.2)
        path.append(place)
        outward.append(out + vec(0, 0, 0.3 if height > 54 else 0.0))
    band = strap(path, outward, 1.35, 0.22, uniform.webbing)
    place, out = jacket_point(50.2, 35.5, 0.42)
    buckle = plate(place, out, (0.22, 1.7, 0.95), palette.shade(palette.SAND, 0.7), bevel=0.0)
    parts = [band.weighed(weights.trunk), buckle.weighed(weights.as_at(weights.trunk, place))]
    return both(parts)


def canteen(uniform: Uniform) -> list[Shape]:
    """A covered bottle on the right hip."""
    place, outward = jacket_point(37.9, -122.0, 1.5)
    flat = unit((outward[0], outward[1], 0.0))
    side = np.cross((0, 0, 1), flat)
    rows = [(-2.7, 1.5, 1.0), (-1.0, 2.05, 1.4), (1.2, 1.95, 1.35), (2.3, 1.3, 0.95), (2.7, 0.6, 0.55)]
    rings = [ring(place + vec(0, 0, z), side, -flat, (a, b, a, b), 9, 2.3) for z, a, b in rows]
    tones = np.array([0.75, 1.0, 1.0, 1.05, 0.8])[:, None] * np.asarray(palette.shade(uniform.pouch, 0.82))
    flask = loft(rings, np.clip(tones, 0, 255), caps=(True, True), crease=60.0)
    cap = tube(
        [place + vec(0, 0, 2.6), place + vec(0, 0, 3.6)], [0.62, 0.58], palette.GUNMETAL, count=8, up=flat
    )
    hook = plate(place + vec(0, 0, 2.3) - flat * 0.4, outward, (0.3, 1.1, 3.6), uniform.leather, bevel=0.0)
    rule = weights.as_at(weights.trunk, (place[0], place[1], 40.0))
    return [piece.weighed(rule) for piece in (flask, cap, hook)]


def bread_bag(uniform: Uniform) -> list[Shape]:
    """A flat bag at the back of the left hip."""
    return pouch(uniform, 37.9, 128.0, (1.9, 5.2, 5.6), palette.shade(uniform.pouch, 0.86))


def backpack(uniform: Uniform) -> list[Shape]:
    """A square pack high on the back, its flap and straps, a blanket rolled over it and a spade beside it."""
    spot = np.array([-8.1, 0.0, 51.4])
    canvas = palette.shade(uniform.pouch, 0.95)
    pieces = [
        box((4.6, 9.6, 10.4), canvas, bevel=0.9, edge=1.1, taper=(0.86, 0.94)).moved(spot),
        box((4.9, 9.9, 4.2), palette.shade(canvas, 0.88), bevel=0.8, edge=1.12).moved(
            spot + vec(-0.1, 0.0, 3.4)
        ),
        box((1.5, 3.9, 4.2), palette.shade(canvas, 0.92), bevel=0.4).moved(spot + vec(-2.7, 2.4, -2.6)),
        box((1.5, 3.9, 4.2), palette.shade(canvas, 0.92), bevel=0.4).moved(spot + vec(-2.7, -2.4, -2.6)),
    ]
    for y in (-2.5, 2.5):
        for z, tall in ((2.0, 5.6), (-2.2, 2.2)):
            band = box((0.3, 0.7, tall), uniform.leather, bevel=0.0)
            pieces.append(band.moved(spot + vec(-2.62 if z > 0 else -3.5, y, z)))
        pieces.append(
            box((0.3, 1.0, 0.8), palette.shade(palette.SAND, 0.7), bevel=0.0).moved(spot + vec(-2.85, y, 0.9))
        )
    pieces += _blanket(
        spot + vec(0.1, 0.0, 6.9),
        6.3,
        1.75,
        palette.shade(palette.mix(uniform.jacket, palette.SAND, 0.35), 0.95),
        uniform,
    )
    shaft = tube(
        [spot + vec(-0.6, -5.3, 3.2), spot + vec(-0.7, -5.4, -4.0), spot + vec(-0.7, -5.45, -8.0)],
        [0.42, 0.45, 0.42],
        palette.WOOD,
        count=7,
        up=(1, 0, 0),
    )
    blade = box((0.5, 3.6, 4.6), palette.shade(palette.GUNMETAL, 1.1), bevel=0.0, taper=(1.0, 0.55))
    pieces += [
        shaft,
        blade.moved(spot + vec(-0.6, -5.3, 4.4), about((0, 0, 1), 80.0) @ about((1, 0, 0), 180.0)),
    ]
    return [piece.weighed(weights.as_at(weights.trunk, (-5.5, 0.0, 52.0))) for piece in pieces]


def _blanket(
    centre: Array, half: float, radius: float, color: palette.Color, uniform: Uniform
) -> list[Shape]:
    """A rolled blanket that lies across, sagging at its ends, with two straps."""
    across = np.linspace(-half, half, 7)
    path = [centre + vec(0.0, y, -0.5 * (y / half) ** 4) for y in across]
    radii = [radius * (0.55 if i in (0, 6) else 1.0 + 0.03 * (-1) ** i) for i in range(7)]
    path[0], path[-1] = path[0] + vec(0, 0.15, 0), path[-1] - vec(0, 0.15, 0)
    roll = tube(path, radii, color, count=9, up=(0, 0, 1), crease=65.0)
    pieces = [roll]
    for y in (-half * 0.48, half * 0.48):
        rings = [
            ring(centre + vec(0, y + d, -0.05), (0, 0, 1), (1, 0, 0), (r,) * 4, 9)
            for d, r in ((-0.45, radius), (-0.45, radius * 1.09), (0.45, radius * 1.09), (0.45, radius))
        ]
        pieces.append(loft(rings, uniform.leather, crease=35.0))
    return pieces


def canister(uniform: Uniform) -> list[Shape]:
    """A fluted gas-mask tin slung behind the right hip."""
    middle, along = np.array([-6.9, -1.6, 40.6]), unit((0.12, -1.0, -0.34))
    stops = [(-5.2, 1.6), (-5.0, 1.95), (-2.9, 1.95), (-2.75, 2.08), (-2.4, 2.08), (-2.25, 1.92)]
    stops += [(s, 1.92 if i % 2 else 1.78) for i, s in enumerate(np.linspace(-1.4, 4.4, 5))] + [
        (5.0, 1.95),
        (5.2, 1.6),
    ]
    rings = []
    for s, r in stops:
        centre = middle + along * s
        up = unit(np.array([-1.0, 0.0, 0.0]) - along * (along @ (-1.0, 0.0, 0.0)))
        rings.append(ring(centre, np.cross(up, along), up, (r,) * 4, 10))
    tin = loft(
        rings,
        palette.shade(palette.mix(uniform.jacket, palette.SLATE, 0.3), 0.85),
        caps=(True, True),
        crease=50.0,
    )
    tones = np.concatenate(
        [np.repeat([1.15 if r > 2 else 1.0 if r > 1.85 else 0.8 for _, r in stops], 10), [0.9, 0.9]]
    )
    tin = Shape(tin.positions, tin.triangles, np.clip(tin.colors * tones[:, None], 0, 255), 50.0)
    return [tin.weighed(weights.as_at(weights.trunk, (-5.0, -1.0, 41.5)))]


def blanket_pack(uniform: Uniform) -> list[Shape]:
    """A low frame with a horseshoe of rolled canvas: the other team's back."""
    color = palette.shade(palette.mix(uniform.jacket, palette.SAND, 0.4), 0.85)
    spot = np.array([-6.9, 0.0, 51.6])
    angles = np.radians(np.linspace(-38, 218, 11))
    path = [spot + vec(-0.2, 4.9 * np.cos(a), 4.2 * np.sin(a)) for a in angles]
    radii = [1.0 if i in (0, 10) else 1.55 + 0.05 * (-1) ** i for i in range(11)]
    pieces = [tube(path, radii, color, count=9, up=(1, 0, 0), crease=65.0)]
    for share in (20, 90, 160):
        a = np.radians(share)
        centre = spot + vec(-0.2, 4.9 * np.cos(a), 4.2 * np.sin(a))
        along = np.array([0.0, -np.sin(a), np.cos(a)])
        out = np.array([0.0, np.cos(a), np.sin(a)])
        rings = [
            ring(centre + along * d, np.cross(out, along), out, (r,) * 4, 9)
            for d, r in ((-0.4, 1.5), (-0.4, 1.72), (0.4, 1.72), (0.4, 1.5))
        ]
        pieces.append(loft(rings, uniform.leather, crease=35.0))
    tin = box((3.0, 4.8, 5.2), palette.shade(uniform.jacket, 0.8), bevel=0.5, edge=1.12).moved(
        spot + vec(-0.3, 0.0, -0.4)
    )
    lid = box((3.2, 5.0, 1.3), palette.shade(uniform.jacket, 0.7), bevel=0.3, edge=1.2).moved(
        spot + vec(-0.3, 0.0, 2.0)
    )
    pieces += [tin, lid]
    return [piece.weighed(weights.as_at(weights.trunk, (-5.5, 0.0, 52.0))) for piece in pieces]


def knife(uniform: Uniform) -> list[Shape]:
    """A bayonet in its sheath on the left hip."""
    place, _ = jacket_point(37.2, 100.0, 0.8)
    lean = turn((0.0, 12.0, 0.0))
    sheath = box((1.2, 0.8, 7.4), palette.shade(uniform.leather, 0.75), bevel=0.0, taper=(1.2, 1.2)).moved(
        place, lean
    )
    grip = box((1.0, 0.7, 3.2), palette.WOOD, bevel=0.0).moved(place + lean @ np.array([0, 0, 5.2]), lean)
    rule = weights.as_at(weights.trunk, (place[0], place[1], 38.0))
    return [sheath.weighed(rule), grip.weighed(rule)]


def olive_kit(uniform: Uniform) -> list[Shape]:
    """Canvas webbing, six small pouches, pack with blanket and spade."""
    parts = belt(uniform) + braces(uniform) + pockets(uniform) + canteen(uniform) + bread_bag(uniform)
    for angle in (24.0, 44.0, 66.0):
        for sign in (1.0, -1.0):
            parts += pouch(uniform, 40.9, angle * sign, (1.5, 2.35, 3.5), uniform.pouch)
    return parts + backpack(uniform) + knife(uniform)


def grey_kit(uniform: Uniform) -> list[Shape]:
    """Leather straps, two groups of box pouches, the tin and the horseshoe roll."""
    parts = belt(uniform) + braces(uniform) + pockets(uniform) + canteen(uniform)
    for angle in (21.0, 38.0, 55.0):
        for sign in (1.0, -1.0):
            parts += pouch(uniform, 41.6, angle * sign, (1.9, 1.95, 2.9), uniform.pouch)
    return parts + bread_bag(uniform) + canister(uniform) + blanket_pack(uniform) + knife(uniform)
