"""The clothed body: jacket, sleeves, trousers, boots and hands, lofted over rings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assets.tools import palette
from assets.tools.rotations import Array, unit, vec
from assets.tools.shapes import Shape, box, loft, ring, tube
from assets.tools.soldier import skeleton as bones
from assets.tools.soldier import weights


@dataclass(frozen=True)
class Uniform:
    """The colours of a team, all derived from the palette."""

    jacket: palette.Color
    trousers: palette.Color
    trim: palette.Color
    webbing: palette.Color
    pouch: palette.Color
    leather: palette.Color
    skin: palette.Color
    hair: palette.Color


# z, middle x, half width, depth to the front, depth to the back, boxiness
JACKET = np.array(
    [
        (32.6, -0.1, 8.0, 6.2, 6.2, 2.3),
        (34.8, -0.1, 7.85, 5.85, 6.0, 2.3),
        (37.2, -0.1, 7.5, 5.35, 5.6, 2.3),
        (39.4, -0.1, 7.0, 4.8, 5.0, 2.3),
        (42.0, 0.0, 6.45, 4.55, 4.2, 2.25),
        (43.8, 0.0, 6.8, 4.9, 4.35, 2.25),
        (46.2, -0.1, 7.15, 5.05, 4.55, 2.25),
        (49.0, -0.35, 7.7, 5.35, 5.0, 2.3),
        (51.8, -0.5, 8.1, 5.5, 5.3, 2.35),
        (54.4, -0.65, 8.2, 5.0, 5.35, 2.4),
        (56.4, -0.75, 7.9, 4.05, 4.85, 2.3),
        (57.7, -0.8, 7.0, 3.5, 4.2, 2.15),
        (58.7, -0.75, 5.0, 3.0, 3.5, 2.05),
        (59.9, -0.7, 2.9, 2.5, 2.7, 2.0),
    ]
)
AROUND, SLEEVE = 20, 10


def jacket_point(height: float, angle: float, out: float = 0.0) -> tuple[Array, Array]:
    """A place on the jacket and the direction away from it. angle is degrees from the front to the left."""
    row = [np.interp(height, JACKET[:, 0], JACKET[:, column]) for column in range(6)]
    _, middle, wide, front, back, power = row
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    x = np.sign(c) * abs(c) ** (2.0 / power) * (front if c > 0 else back)
    y = np.sign(s) * abs(s) ** (2.0 / power) * wide
    outward = unit((x / (front if c > 0 else back) ** 2, y / wide**2, 0.0))
    return np.array([middle + x, y, height]) + outward * out, outward


def worn(points: Array, colors: Array) -> Array:
    """Cloth that has been used: slow changes of tone, dust towards the ground, sun on what looks up."""
    x, y, z = points.T
    tone = 0.035 * np.sin(x * 0.9 + y * 0.7 + z * 0.35) + 0.03 * np.sin(y * 1.3 - z * 0.8 + 1.7)
    dust = np.clip((20.0 - z) / 22.0, 0.0, 1.0)[:, None] * 0.34
    colors = colors * (1.0 + tone[:, None])
    return colors + (np.asarray(palette.SAND) * 0.8 - colors) * dust


def jacket(uniform: Uniform) -> list[Shape]:
    """Jacket with its skirt, a front seam, and the collar."""
    rings = []
    for z, middle, wide, front, back, power in JACKET:
        rings.append(ring((middle, 0, z), (1, 0, 0), (0, 1, 0), (front, wide, back, wide), AROUND, power))
    for number, points in enumerate(rings):  # the belt gathers the cloth: folds above and below it
        z = JACKET[number, 0]
        if z < 39.0 or 43.0 < z < 46.0:
            angles = np.arctan2(points[:, 1], points[:, 0])
            depth = 0.20 if z > 43.0 else 0.22
            points[:, :2] *= 1.0 + (depth * np.cos(angles * 13.0 + number * 2.0) / 6.5)[:, None]
    hem = rings[0] * (0.94, 0.94, 1.0) + vec(0.0, 0.0, 0.5)
    body = loft([hem, *rings], uniform.jacket, caps=(False, True), crease=75.0)

    def paint(points: Array, colors: Array) -> Array:
        colors = worn(points, colors)
        seam = (np.abs(points[:, 1]) < 0.3) & (points[:, 0] > 2.0)
        colors[seam] *= 0.72
        colors[points[:, 2] < 33.4] *= 0.66
        open_neck = (points[:, 0] > 0.8) & (np.abs(points[:, 1]) < 1.6) & (points[:, 2] > 57.0)
        colors[open_neck] = np.asarray(palette.CANVAS) * 1.1
        waist = np.exp(-(((points[:, 2] - 42.0) / 1.2) ** 2))
        return colors * (1.0 - 0.25 * waist[:, None])

    parts = [body.painted(paint).weighed(weights.trunk)]
    parts += _collar(uniform)
    for height in (54.6, 51.6, 48.4, 45.2):  # buttons
        place, outward = jacket_point(height, 0.0, 0.04)
        rim = ring(place, np.cross((0, 0, 1), outward), (0, 0, 1), (0.36,) * 4, 6)
        button = Shape(
            np.vstack([rim, place + outward * 0.24]),
            np.array([(i, (i + 1) % 6, 6) for i in range(6)]),
            np.vstack([np.tile(palette.shade(uniform.trim, 0.7), (6, 1)), palette.shade(uniform.trim, 1.5)]),
        )
        parts.append(button.weighed(weights.trunk))
    return parts


def _collar(uniform: Uniform) -> list[Shape]:
    """A turned-down collar, open in front with two points."""
    angles = np.radians(np.linspace(14.0, 346.0, 17))
    fall = np.interp(np.abs(angles - np.pi), [0.0, 2.2, 2.9], [1.9, 1.7, 2.6])  # longest at the points
    inner, crest, outer, edge = [], [], [], []
    for angle, drop in zip(angles, fall, strict=True):
        c, s = np.cos(angle), np.sin(angle)
        middle = np.array([-0.55, 0.0, 0.0])
        lean = np.array([c * 0.35, 0.0, -0.9 * max(c, 0.0)])
        inner.append(middle + vec(2.6 * c, 2.75 * s, 58.9) + lean)
        crest.append(middle + vec(2.95 * c, 3.05 * s, 60.7) + lean)
        outer.append(middle + vec(3.7 * c, 3.9 * s, 60.3) + lean)
        edge.append(middle + vec(4.35 * c + 0.25, 4.7 * s, 60.6 - drop) + lean)
    shape = loft(
        [np.array(edge), np.array(outer), np.array(crest), np.array(inner)], uniform.trim, closed=False
    )
    shape = Shape(shape.positions, shape.triangles, shape.colors, 50.0)

    def paint(points: Array, colors: Array) -> Array:
        colors[:17] *= 1.12
        colors[51:] *= 0.6
        return colors

    thick = Shape(
        np.vstack([edge, np.array(edge) + vec(0, 0, 0.1) - np.array(edge) * (0.02, 0.02, 0.0)]),
        np.array([(i, i + 17, i + 1) for i in range(16)] + [(i + 1, i + 17, i + 18) for i in range(16)]),
        np.tile(np.asarray(uniform.trim) * 0.6, (34, 1)),
    )
    return [shape.painted(paint).weighed(weights.trunk), thick.weighed(weights.trunk)]


def sleeve(uniform: Uniform) -> list[Shape]:
    """The left sleeve from a full shoulder to the cuff, with folds inside the elbow."""
    upper, fore = bones.ARM_DIRECTION, bones.FOREARM_DIRECTION
    rows = [  # along the upper arm: distance, out of line, radius towards the front and towards the outside
        (-2.6, -2.2, 1.9, 1.1),
        (-2.1, -1.75, 2.8, 1.8),
        (-0.9, -0.85, 3.3, 2.35),
        (0.9, -0.15, 3.3, 2.7),
        (2.8, 0.0, 3.0, 2.6),
        (5.0, 0.0, 2.65, 2.35),
        (7.2, 0.0, 2.42, 2.2),
        (9.2, 0.0, 2.3, 2.2),
        (10.6, 0.0, 2.25, 2.2),
    ]
    outside = unit(np.cross(upper, (1.0, 0.0, 0.0)))
    outside = outside if outside[2] > 0 else -outside
    front = np.cross(outside, upper)
    rings = [
        ring(bones.SHOULDER + upper * s + outside * lift, front, outside, (a, b, a, b), SLEEVE, 2.1)
        for s, lift, a, b in rows
    ]
    middle = unit(upper + fore)
    out_elbow = unit(outside - middle * (outside @ middle))
    rings.append(
        ring(bones.ELBOW, np.cross(out_elbow, middle), out_elbow, (2.15, 2.3, 2.4, 2.15), SLEEVE, 2.1)
    )
    out_fore = unit(outside - fore * (outside @ fore))
    for s, a, b in [
        (1.3, 2.3, 2.15),
        (2.8, 2.35, 2.2),
        (4.6, 2.2, 2.05),
        (6.4, 2.0, 1.82),
        (7.8, 1.78, 1.6),
        (8.1, 2.0, 1.8),
        (9.6, 1.95, 1.72),
        (9.75, 1.7, 1.5),
        (9.3, 0.9, 0.8),
    ]:
        rings.append(
            ring(bones.ELBOW + fore * s, np.cross(out_fore, fore), out_fore, (a, b, a, b), SLEEVE, 2.1)
        )
    for number, bump in ((6, 0.06), (7, -0.03), (8, 0.05), (10, 0.05), (11, -0.02)):  # folds round the elbow
        centre = rings[number].mean(axis=0)
        angles = np.arange(SLEEVE) * (2 * np.pi / SLEEVE)
        rings[number] = centre + (rings[number] - centre) * (1.0 + bump * np.cos(angles * 2 + 0.8))[:, None]
    shape = loft(rings, uniform.jacket, caps=(True, False), crease=80.0)

    def paint(points: Array, colors: Array) -> Array:
        colors = worn(points, colors)
        row = np.minimum(np.arange(len(points)) // SLEEVE, len(rings))
        colors[(row == 14)] *= 0.7
        colors[(row == 15) | (row == 16)] = np.asarray(uniform.trim) * 1.05
        colors[row >= 17] = np.asarray(uniform.trim) * 0.5
        colors[(row == 7) | (row == 10)] *= 0.86
        return colors

    return [shape.painted(paint).weighed(weights.arm("left"))]


def trouser(uniform: Uniform) -> list[Shape]:
    """The left trouser leg, bloused over the boot."""
    rows = np.array(
        [  # z, middle x, middle y, front, outer, back, inner
            (39.0, -0.3, 3.3, 4.3, 3.5, 4.7, 3.2),
            (36.5, -0.2, 3.7, 3.9, 3.8, 4.9, 3.6),
            (34.0, -0.1, 3.9, 3.9, 3.75, 4.6, 3.75),
            (31.0, 0.1, 4.0, 3.9, 3.55, 4.0, 3.55),
            (28.0, 0.35, 4.0, 3.55, 3.2, 3.45, 3.15),
            (25.2, 0.5, 4.0, 3.15, 2.85, 3.0, 2.75),
            (23.2, 0.6, 4.0, 2.95, 2.65, 2.7, 2.55),
            (21.4, 0.6, 4.0, 3.0, 2.6, 2.45, 2.5),
            (19.6, 0.4, 4.0, 2.6, 2.6, 2.8, 2.55),
            (17.2, 0.0, 4.0, 2.45, 2.8, 3.2, 2.75),
            (14.6, -0.1, 4.05, 2.6, 3.0, 3.45, 2.95),
            (12.4, -0.2, 4.05, 3.05, 3.2, 3.5, 3.15),
            (11.2, -0.3, 4.05, 2.95, 3.05, 3.3, 3.0),
            (10.7, -0.3, 4.05, 2.4, 2.5, 2.7, 2.45),
        ]
    )
    count = 11
    rings = []
    for number, (z, x, y, front, outer, back, inner) in enumerate(rows[::-1]):
        points = ring((x, y, z), (1, 0, 0), (0, 1, 0), (front, outer, back, inner), count, 2.15)
        angles = np.arange(count) * (2 * np.pi / count)
        fold = {2: 0.045, 4: 0.03, 6: -0.04, 8: 0.03}.get(number, 0.0)
        points[:, :2] += (points[:, :2] - (x, y)) * (fold * np.cos(angles * 3 + number))[:, None]
        points[:, 2] += 0.35 * np.sin(angles * 2 + number) * (0 < number < 12)
        rings.append(points)
    shape = loft(rings, uniform.trousers, caps=(False, False), crease=80.0)

    def paint(points: Array, colors: Array) -> Array:
        colors = worn(points, colors)
        row = np.arange(len(points)) // count
        colors[row == 0] *= 0.55
        knee = np.exp(-(((points[:, 2] - 21.8) / 2.6) ** 2)) * (points[:, 0] > 2.0)
        colors = colors * (1.0 + 0.14 * knee[:, None])
        back = np.exp(-(((points[:, 2] - 21.3) / 1.4) ** 2)) * (points[:, 0] < -1.0)
        return colors * (1.0 - 0.25 * back[:, None])

    return [shape.painted(paint).weighed(weights.leg("left"))]


def boot(uniform: Uniform) -> list[Shape]:
    """The left boot: shaft, foot with a full toe, a separate sole with a heel, and laces."""
    x0, y0 = -0.6, 4.2
    rows = np.array(
        [  # z, front, outer, back, inner: the shaft, from the sole up
            (1.0, 9.0, 2.25, 2.95, 2.05),
            (2.0, 9.0, 2.3, 2.95, 2.1),
            (3.1, 8.0, 2.15, 2.85, 2.0),
            (4.2, 5.6, 2.05, 2.75, 1.95),
            (5.4, 3.9, 2.0, 2.65, 1.9),
            (7.2, 2.75, 2.05, 2.45, 1.95),
            (9.2, 2.5, 2.2, 2.55, 2.1),
            (11.0, 2.55, 2.35, 2.75, 2.25),
            (11.8, 2.6, 2.4, 2.8, 2.3),
        ]
    )
    count = 14
    rings = []
    for z, front, outer, back, inner in rows:
        points = ring((x0, y0, z), (1, 0, 0), (0, 1, 0), (front, outer, back, inner), count, 2.45)
        far = np.clip((points[:, 0] - x0) / 8.6, 0.0, 1.0)
        points[:, 1] = y0 + (points[:, 1] - y0) * (1.0 + 0.42 * np.sin(np.pi * far**1.3)) + far * 0.25
        points[:, 2] += np.where(z < 4.5, far**3 * 0.45 - 0.25 * far * (z > 2.5), 0.0)
        rings.append(points)
    upper = loft(rings, uniform.leather, crease=70.0)

    def paint(points: Array, colors: Array) -> Array:
        colors = worn(points, colors)
        toe = (points[:, 0] > 5.4) & (points[:, 2] > 1.6)
        colors[toe] *= 1.16
        crease = np.exp(-(((points[:, 0] - 4.0) / 0.8) ** 2)) * (points[:, 2] > 2.6)
        return colors * (1.0 - 0.2 * crease[:, None])

    sole_rings = []
    for z, grow in ((0.0, 0.93), (0.25, 1.0), (1.15, 1.03), (1.4, 0.97)):
        points = rings[0].copy()
        middle = np.array([x0 + 3.0, y0, 0.0])
        points = middle + (points - middle) * (1.0 + 0.02 * (grow - 0.9), grow * 1.06, 1.0)
        far = np.clip((points[:, 0] - x0) / 8.6, 0.0, 1.0)
        points[:, 2] = z + far**3 * 0.45 * (1.0 if z > 0.1 else 0.75)
        if z < 0.3:  # the arch between heel and ball
            points[:, 2] += 0.45 * np.exp(-(((points[:, 0] - 0.8 - x0) / 0.9) ** 2))
        sole_rings.append(points)
    sole = loft(sole_rings, palette.shade(uniform.leather, 0.62), caps=(True, False), crease=40.0)
    rule = weights.leg("left")
    parts = [upper.painted(paint).weighed(rule), sole.painted(worn).weighed(rule)]
    for step in range(2):
        z = 5.4 + step * 2.0
        x = x0 + np.interp(z, rows[:, 0], rows[:, 1]) + 0.02
        lace = tube(
            [(x - 0.75, y0 - 1.15, z + 0.25), (x, y0 - 0.05, z + 0.35), (x - 0.75, y0 + 1.1, z + 0.25)],
            [0.2, 0.24, 0.2],
            palette.shade(uniform.leather, 0.5),
            count=4,
            up=(0, 0, 1),
        )
        parts.append(lace.weighed(rule))
    return parts


def hand(uniform: Uniform) -> list[Shape]:
    """The left hand: a palm, four fingers and a thumb."""
    axes = bones.hand_bind("left")
    along, side, palm = axes[:, 0], axes[:, 1], axes[:, 2]  # `side` points away from the thumb
    thumbwards = -side if (-side)[0] > 0 else side

    def place(a: float, t: float, p: float) -> Array:
        return bones.WRIST + along * a + thumbwards * t + palm * p

    rows = [  # along, thumbwards, out of the palm, half width, half thickness
        (-1.0, 0.0, 0.0, 1.15, 1.0),
        (0.6, 0.05, 0.0, 1.4, 0.95),
        (2.2, 0.1, 0.1, 1.75, 0.9),
        (3.5, 0.0, 0.15, 1.75, 0.8),
        (4.1, 0.0, 0.2, 1.6, 0.62),
    ]
    rings = [
        ring(place(a, t, p), thumbwards, np.cross(along, thumbwards), (w, h, w, h), 8, 2.4)
        for a, t, p, w, h in rows
    ]
    shape = loft(rings, uniform.skin, caps=(True, True), crease=75.0)
    parts = [shape.weighed(weights.arm("left"))]
    for number, (t, length, thick) in enumerate(
        ((1.32, 3.5, 0.5), (0.45, 3.9, 0.52), (-0.45, 3.65, 0.5), (-1.28, 2.9, 0.44))
    ):
        steps = (3.3, 3.9 + length * 0.32, 3.9 + length * 0.58, 3.9 + length * 0.86, 3.9 + length)
        bend = (0.2, 0.4, 0.58, 0.82, 0.98)
        path = [place(a, t * (1.0 + 0.05 * k), p) for k, (a, p) in enumerate(zip(steps, bend, strict=True))]
        radii = [thick * 1.05, thick * 1.06, thick * 0.94, thick * 0.84, thick * 0.42]
        tone = np.asarray(uniform.skin) * (1.0 - 0.03 * (number % 2))
        digit = tube(path, radii, tone, count=5, up=palm, caps=(False, True), crease=75.0)
        parts.append(digit.weighed(weights.finger("left")))
    thumb_path = [
        place(0.0, 0.35, 0.1),
        place(1.2, 1.35, 0.55),
        place(2.1, 2.15, 1.0),
        place(3.0, 2.5, 1.5),
        place(3.6, 2.5, 1.8),
    ]
    thumb = tube(thumb_path, [0.8, 0.86, 0.66, 0.58, 0.3], uniform.skin, count=6, up=palm, caps=(False, True))
    parts.append(thumb.weighed(weights.rigid("hand_left")))

    def paint(points: Array, colors: Array) -> Array:
        reach = (points - bones.WRIST) @ along
        knuckle = np.exp(-(((reach - 3.8) / 0.5) ** 2))[:, None]
        return colors * (1.0 - 0.10 * knuckle) * (1.0 - 0.12 * (reach < 0.0))[:, None]

    return [part.painted(paint) for part in parts]


def swapped(rule: weights.Weigh | None) -> weights.Weigh:
    """The weights of the other side."""
    assert rule is not None
    names = [bone.name for bone in bones.BONES]
    other = [
        bones.INDEX.get(
            name.replace("_left", "_right") if "_left" in name else name.replace("_right", "_left")
        )
        for name in names
    ]
    order = [number if other_number is None else other_number for number, other_number in enumerate(other)]

    def weigh(points: Array) -> Array:
        return rule(points * np.array([1.0, -1.0, 1.0]))[:, order]

    return weigh


def body(uniform: Uniform) -> list[Shape]:
    """All of the body below the head."""
    left = sleeve(uniform) + trouser(uniform) + boot(uniform) + hand(uniform)
    return jacket(uniform) + both(left)


def both(left: list[Shape]) -> list[Shape]:
    """Parts of the left side together with their mirror images."""
    return left + [part.mirrored().weighed(swapped(part.weigh)) for part in left]


def plate(centre: ArrayLike, outward: Array, size: ArrayLike, color: ArrayLike, **options: float) -> Shape:
    """A box (thickness, width, height) whose first side looks along `outward`."""
    flat = unit((outward[0], outward[1], 0.0))
    axes = np.stack([flat, np.cross((0, 0, 1), flat), np.array([0.0, 0.0, 1.0])], axis=1)
    return box(size, color, **options).moved(centre, axes)
