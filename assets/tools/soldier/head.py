"""The head: a face lofted over rings with its features pressed in, eyes and ears, and what is worn on it."""

from __future__ import annotations

import numpy as np

from assets.tools import palette
from assets.tools.rotations import Array, unit
from assets.tools.shapes import Shape, loft, ring, strap, tube
from assets.tools.soldier import weights
from assets.tools.soldier.body import Uniform

COLUMNS = np.array([0, 5, 10, 17, 27, 40, 60, 88, 126])
ANGLES = np.concatenate([COLUMNS, [180], -COLUMNS[:0:-1]])

# height in front, lift towards the back, middle x, half width, depth to the front, depth to the back
ROWS = np.array(
    [
        (57.6, 0.6, -0.9, 2.55, 2.3, 2.5),
        (59.3, 0.4, -0.8, 2.4, 2.3, 2.5),
        (60.2, 0.9, -0.6, 2.45, 2.6, 2.6),
        (60.62, 1.5, -0.3, 2.1, 3.5, 2.75),
        (61.05, 1.6, -0.2, 2.3, 4.05, 3.0),
        (61.6, 1.5, -0.2, 2.5, 4.0, 3.3),
        (62.15, 1.3, -0.2, 2.66, 3.95, 3.6),
        (62.55, 1.15, -0.2, 2.78, 4.05, 3.8),
        (62.82, 1.05, -0.2, 2.84, 3.98, 3.95),
        (63.15, 1.0, -0.2, 2.92, 4.12, 4.05),
        (63.6, 0.8, -0.2, 3.06, 3.98, 4.2),
        (64.15, 0.6, -0.2, 3.12, 4.0, 4.3),
        (64.8, 0.4, -0.2, 3.2, 3.98, 4.35),
        (65.4, 0.2, -0.2, 3.22, 3.95, 4.35),
        (66.0, 0.1, -0.2, 3.22, 4.05, 4.35),
        (66.5, 0.0, -0.2, 3.25, 4.3, 4.35),
        (67.3, 0.0, -0.3, 3.25, 4.2, 4.25),
        (69.4, 0.0, -0.4, 2.5, 3.1, 3.2),
    ]
)

# Features: height, degrees from the middle, spread in height, spread in degrees, inches outward, inches up
FEATURES = (
    (64.1, 0.0, 0.40, 6.5, 1.08, -0.10),  # the tip of the nose
    (64.8, 0.0, 0.55, 4.6, 0.74, 0.0),
    (65.5, 0.0, 0.5, 4.6, 0.40, 0.0),
    (63.95, 9.0, 0.26, 3.4, 0.36, 0.0),  # wings of the nose
    (63.5, 0.0, 0.20, 9.0, -0.10, 0.0),
    (65.45, 19.0, 0.42, 8.5, -0.50, 0.0),  # eye sockets
    (66.45, 20.0, 0.30, 12.0, 0.16, 0.0),  # brows
    (64.5, 38.0, 0.6, 11.0, 0.18, 0.0),  # cheek bones
    (63.2, 40.0, 0.7, 12.0, -0.22, 0.0),  # hollow of the cheeks
    (61.15, 0.0, 0.55, 17.0, 0.20, 0.0),  # chin
    (61.75, 0.0, 0.25, 15.0, -0.16, 0.0),  # dent below the lip
    (62.55, 0.0, 0.22, 11.0, 0.10, 0.0),  # lips, and the mouth between them
    (63.15, 0.0, 0.20, 10.0, 0.08, 0.0),
    (62.82, 0.0, 0.10, 15.0, -0.22, 0.0),
    (62.82, 19.0, 0.30, 4.0, -0.10, 0.0),  # its corners
    (63.6, 13.0, 0.6, 5.0, -0.07, 0.0),  # the fold from the nose to there
    (62.1, 90.0, 0.9, 24.0, 0.14, 0.0),  # corner of the jaw
)


def _face_grid() -> Array:
    """(rows, columns, 3)."""
    grid = np.zeros((len(ROWS), len(ANGLES), 3))
    c, s = np.cos(np.radians(ANGLES)), np.sin(np.radians(ANGLES))
    for number, (z, lift, middle, wide, front, back) in enumerate(ROWS):
        power = 2.0 / 2.15
        x = np.sign(c) * np.abs(c) ** power * np.where(c > 0, front, back)
        y = np.sign(s) * np.abs(s) ** power * wide
        rise = np.full_like(c, z) + lift * (1.0 - c) / 2.0
        outward = np.stack([c, s, np.zeros_like(c)], 1)
        push, up = np.zeros_like(c), np.zeros_like(c)
        for height, degrees, tall, broad, out, climb in FEATURES:
            near = np.exp(-(((np.abs(ANGLES) - degrees) / broad) ** 2)) * np.exp(
                -(((z - height) / tall) ** 2)
            )
            push, up = push + near * out, up + near * climb
        grid[number] = np.stack([middle + x, y, rise + up], 1) + outward * push[:, None]
    return grid


def head(uniform: Uniform) -> list[Shape]:
    """Face, neck, ears and eyes, bare-headed."""
    grid = _face_grid()
    shape = loft(list(grid), uniform.skin, caps=(False, True), crease=80.0)

    def paint(points: Array, colors: Array) -> Array:
        row = np.minimum(np.arange(len(points)) // len(ANGLES), len(ROWS) - 1)
        angle = np.abs(np.tile(ANGLES, len(ROWS) + 1)[: len(points)])
        z = ROWS[row, 0]
        hair = (angle > 84.0) & (z > 64.4) | (angle > 112.0) & (z > 61.9)
        tint = np.asarray(palette.shade(palette.mix(uniform.skin, palette.BRICK, 0.45), 0.92))

        def lay(amount: Array, color: Array) -> None:
            colors[:] = colors + (color - colors) * np.clip(amount, 0.0, 1.0)[:, None]

        cheeks = np.exp(-(((angle - 32) / 14) ** 2) - ((z - 64.2) / 0.7) ** 2)
        nose = np.exp(-((angle / 9) ** 2) - ((z - 64.0) / 0.5) ** 2)
        lay(0.35 * cheeks + 0.35 * nose, tint)
        stubble = np.clip((62.9 - z) / 0.9, 0, 1) * (angle < 100) * (z > 60.4) + 0.6 * (z == 63.15) * (
            angle < 24
        )
        lay(0.26 * stubble, np.asarray(palette.SLATE) * 0.9)
        lay(
            0.5 * (z == 63.6) * np.exp(-(((angle - 6.0) / 3.0) ** 2)), np.asarray((92.0, 54.0, 44.0))
        )  # nostrils
        lips = ((z == 62.55) | (z == 63.15)) * (angle < 16.5)
        lay(0.45 * lips, np.asarray((150.0, 84.0, 72.0)))
        lay(0.75 * (z == 62.82) * (angle < 18.0), np.asarray((82.0, 46.0, 40.0)))
        sockets = np.exp(-(((angle - 19) / 9) ** 2) - ((z - 65.75) / 0.42) ** 2)
        lay(0.5 * sockets, np.asarray((96.0, 62.0, 48.0)))
        lay(0.5 * (z < 60.5) + 0.3 * (z == 60.62), np.asarray(uniform.skin) * 0.55)
        lay(1.0 * hair, np.asarray(uniform.hair))
        lay(1.0 * (z > 67.0) * (angle > 30.0), np.asarray(uniform.hair))
        return colors

    rule = weights.trunk
    parts = [shape.painted(paint).weighed(rule)]
    for sign in (1.0, -1.0):
        parts += [piece.weighed(weights.rigid("head")) for piece in _eye(uniform, sign) + _ear(uniform, sign)]
    return parts


def _eye(uniform: Uniform, sign: float) -> list[Shape]:
    """An eyeball's visible part, an upper lid and a brow."""
    centre = np.array([2.98, 1.27 * sign, 65.42])
    look = unit((1.0, 0.16 * sign, 0.0))
    side = np.cross((0, 0, 1), look)
    up = np.array([0.0, 0.0, 1.0])
    white, iris = np.array(palette.PAPER) * 0.86, np.array((58.0, 50.0, 42.0))
    count = 8
    rings = [
        ring(centre, side, up, (0.66, 0.34, 0.66, 0.32), count),
        ring(centre + look * 0.2, side, up, (0.50, 0.29, 0.50, 0.26), count),
        ring(centre + look * 0.3, side, up, (0.24, 0.25, 0.24, 0.24), count),
        ring(centre + look * 0.31, side, up, (0.23, 0.24, 0.23, 0.23), count),
        ring(centre + look * 0.35, side, up, (0.1, 0.1, 0.1, 0.1), count),
    ]
    shades = [white * 0.6, white, white * 0.9, iris, iris * 0.35]
    ball = loft(rings, np.array(shades), caps=(False, True), crease=80.0)
    lid_path = [
        centre + side * (a * 0.78) + up * h + look * d
        for a, h, d in (
            (-1.0, 0.0, 0.02),
            (-0.5, 0.28, 0.27),
            (0.1, 0.34, 0.33),
            (0.6, 0.22, 0.22),
            (1.0, -0.02, 0.0),
        )
    ]
    lid = tube(lid_path, [0.07, 0.13, 0.14, 0.12, 0.06], palette.shade(uniform.skin, 0.62), count=4)
    inner, outer = 0.45, 2.15
    brow_path = []
    for share in (0.0, 0.35, 0.7, 1.0):
        y = inner + (outer - inner) * share
        brow_path.append(
            (3.98 - 0.42 * share**2 - 0.28 * share, y * sign, 66.22 + 0.28 * np.sin(share * 2.4) - 0.05)
        )
    brow = tube(brow_path, [0.12, 0.2, 0.18, 0.07], uniform.hair, count=4)
    return [ball, lid, brow]


def _ear(uniform: Uniform, sign: float) -> list[Shape]:
    """A flat shell with a darker hollow."""
    centre = np.array([-0.35, 3.2 * sign, 65.0])
    out, tilt = np.array([-0.45, 0.9 * sign, 0.0]), unit((-0.25, 0.0, 1.0))
    ahead = unit(np.cross(tilt, out)) * sign
    rings = [
        ring(centre + unit(out) * d, ahead, tilt, (a, b, a * 1.1, b), 7, 2.2)
        for d, a, b in ((-0.2, 0.5, 0.75), (0.25, 0.62, 0.98), (0.42, 0.5, 0.86), (0.3, 0.28, 0.5))
    ]
    tones = np.array([0.8, 0.95, 1.02, 0.6])[:, None] * np.asarray(uniform.skin)
    shape = loft(rings, tones, caps=(False, True), crease=70.0)
    if sign < 0:  # the right ear's rings run the other way round
        shape = Shape(shape.positions, shape.triangles[:, ::-1], shape.colors, shape.crease)
    return [shape]


def helmet(uniform: Uniform) -> list[Shape]:
    """A steel helmet with a flared rim, a band and a chin strap."""
    steel = palette.shade(palette.mix(uniform.jacket, palette.SLATE, 0.35), 0.9)
    centre_x, count = -0.35, 18
    angles = np.arange(count) * (2 * np.pi / count)
    droop = 0.55 - 0.55 * np.cos(angles) + 0.5 * np.sin(angles) ** 2  # lower at the sides and the back
    rows = [  # height, front, side, back, how much of the droop
        (66.9, 4.65, 3.75, 4.5, 1.0),
        (66.55, 5.35, 4.35, 5.2, 1.0),
        (66.7, 5.42, 4.42, 5.28, 1.0),
        (67.0, 5.05, 4.12, 4.98, 0.95),
        (67.9, 4.9, 4.05, 4.95, 0.7),
        (69.0, 4.65, 3.95, 4.75, 0.4),
        (70.1, 4.1, 3.6, 4.25, 0.15),
        (71.0, 3.2, 2.9, 3.3, 0.0),
        (71.6, 1.9, 1.8, 1.95, 0.0),
    ]
    rings = []
    for z, front, side, back, fall in rows:
        points = ring((centre_x, 0, z), (1, 0, 0), (0, 1, 0), (front, side, back, side), count)
        points[:, 2] -= droop * fall
        rings.append(points)
    shape = loft(rings, steel, caps=(False, True), crease=50.0)

    def paint(points: Array, colors: Array) -> Array:
        row = np.minimum(np.arange(len(points)) // count, len(rows))
        colors[row == 0] *= 0.35
        colors[(row == 1) | (row == 2)] *= 1.2
        colors[row == 3] *= 0.86
        return (
            colors
            * (1.0 + 0.06 * np.sin(points[:, 0] * 2.1 + points[:, 1] * 1.7 + points[:, 2] * 2.3))[:, None]
        )

    band_rings = []
    for z, grow in ((67.62, 1.0), (67.62, 1.025), (68.3, 1.025), (68.3, 1.0)):
        blend = (z - 67.0) / 0.9
        points = (
            rings[3] + (rings[4] - rings[3]) * blend
            if blend < 1
            else rings[4] + (rings[5] - rings[4]) * ((z - 67.9) / 1.1)
        )
        middle = np.array([centre_x, 0.0, 0.0])
        band_rings.append(middle + (points - middle) * (grow, grow, 1.0))
    band = loft(band_rings, np.asarray(palette.shade(uniform.webbing, 0.72)), crease=30.0)
    parts = [shape.painted(paint), band]
    parts += _chin_strap(uniform)
    return [part.weighed(weights.rigid("head")) for part in parts]


def _chin_strap(uniform: Uniform) -> list[Shape]:
    """From the helmet in front of each ear to under the chin."""
    path = [(0.75, 3.5, 66.4), (1.15, 3.22, 64.6), (1.8, 2.68, 62.6), (2.75, 1.6, 61.0), (3.15, 0.0, 60.4)]
    mirrored = [(x, -y, z) for x, y, z in path[-2::-1]]
    whole = np.array(path + mirrored)
    outward = np.array([(x * 0.4, y, (z - 63.2) * 0.5) for x, y, z in whole])
    outward[len(path) - 1] = (0.5, 0.0, -1.0)
    return [strap(whole, outward, 0.62, 0.14, palette.shade(uniform.leather, 0.9))]


def field_cap(uniform: Uniform) -> list[Shape]:
    """A soft cap with a peak, a turned-up flap and two buttons."""
    cloth, count = uniform.jacket, 18
    rows = [  # height in front, at the back, front, side, back
        (66.75, 66.1, 4.15, 3.42, 4.35),
        (66.7, 66.0, 4.42, 3.62, 4.62),
        (68.1, 67.9, 4.62, 3.78, 4.72),
        (68.35, 68.15, 4.45, 3.66, 4.6),
        (69.5, 69.0, 4.55, 3.72, 4.7),
        (70.15, 69.6, 4.0, 3.45, 4.45),
        (70.2, 69.7, 2.4, 2.2, 2.9),
    ]
    rings = []
    for front_z, back_z, front, side, back in rows:
        points = ring((-0.25, 0, 0), (1, 0, 0), (0, 1, 0), (front, side, back, side), count, 2.1)
        share = (points[:, 0] + 4.6) / 9.0
        points[:, 2] = back_z + (front_z - back_z) * share
        rings.append(points)
    crown = loft(rings, cloth, caps=(False, True), crease=40.0)

    def paint(points: Array, colors: Array) -> Array:
        row = np.minimum(np.arange(len(points)) // count, len(rows))
        colors[row == 0] *= 0.5
        colors[(row == 1) | (row == 2)] *= 1.06
        colors[row == 3] *= 0.68
        colors[row >= 5] *= 1.08
        return colors

    peak_angles = np.radians(np.linspace(-62, 62, 9))
    inner, outer, under = [], [], []
    for angle in peak_angles:
        c, s = np.cos(angle), np.sin(angle)
        reach = np.cos(angle * 1.35) ** 0.8 * 2.3
        inner.append((-0.25 + 4.3 * c, 3.55 * s, 67.2))
        outer.append((-0.25 + (4.4 + reach) * c, (3.6 + reach * 0.5) * s, 66.95 - reach * 0.26))
        under.append((-0.25 + (4.3 + reach) * c, (3.55 + reach * 0.5) * s, 66.82 - reach * 0.26))
    base = [(x - 0.1, y * 0.97, z - 0.3) for x, y, z in inner]
    peak = loft(
        [np.array(base), np.array(under), np.array(outer), np.array(inner)], cloth, closed=False, crease=40.0
    )
    tones = np.repeat(np.array([0.5, 0.62, 1.16, 0.92]), len(peak_angles))[:, None]
    peak = Shape(peak.positions, peak.triangles, np.asarray(cloth) * tones, 40.0)
    parts = [crown.painted(paint), peak]
    for height in (67.15, 67.75):
        knob = tube(
            [(4.15, 0, height), (4.62, 0, height)], [0.26, 0.2], palette.shade(uniform.trim, 1.4), count=6
        )
        parts.append(knob)
    badge = ring((4.3, 0, 69.0), (0, 1, 0), unit((-0.1, 0, 1)), (0.55, 0.42, 0.55, 0.42), 8)
    parts.append(
        loft([badge, badge * 0.6 + np.array([4.42, 0, 69.0]) * 0.4], palette.PAPER, caps=(False, True))
    )
    return [part.weighed(weights.rigid("head")) for part in parts]
