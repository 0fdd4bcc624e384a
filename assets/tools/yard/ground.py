"""The ground of the yard, its walls and its gate, and the land outside them."""

from __future__ import annotations

from assets.tools.mapkit import CLIP, NODRAW, Level, hull
from assets.tools.yard.parts import Wall, build_wall, floor, round_post

WEST, EAST, SOUTH, NORTH = -1024, 1024, -768, 768
WALL_THICK, WALL_HIGH = 24, 152
GATE = (-400, -208)  # the opening in the south wall, from west to east


def build(level: Level) -> None:
    _ground(level)
    _perimeter(level)
    _gate(level)
    _outside(level)


def _ground(level: Level) -> None:
    """Gravel in the middle, a paved way from the gate, sand on the range, grass along the walls."""
    floor(level, (WEST, SOUTH), (-368, 196), 0, "gravel")
    floor(level, (-368, SOUTH), (-240, 196), 0, "slate")
    floor(level, (-240, SOUTH), (280, 196), 0, "gravel")
    floor(level, (280, SOUTH), (EAST, -32), 0, "sand")
    floor(level, (280, -32), (EAST, 196), 0, "gravel")
    floor(level, (WEST, 196), (440, NORTH), 0, "gravel")
    floor(level, (440, 196), (EAST, NORTH), 0, "dirt")
    for x in (-376, -240):
        level.box((x, SOUTH, -8), (x + 8, -60, 4), {"bottom": NODRAW, "": "trim_stone"})
    level.box((272, -700, -8), (280, -40, 4), {"bottom": NODRAW, "": "trim_wood"})
    for low, high in (
        ((WEST, SOUTH), (WEST + 56, -420)),
        ((WEST, -120), (WEST + 90, 180)),
        ((-200, SOUTH), (250, SOUTH + 70)),
        ((-330, 560), (400, NORTH)),
        ((WEST, 690), (-400, NORTH)),
        ((EAST - 44, 60), (EAST, NORTH)),
    ):
        _lawn(level, low, high)


def _lawn(level: Level, low: tuple[float, float], high: tuple[float, float]) -> None:
    """A strip of grass with a stone kerb on the sides that face the yard."""
    level.box((*low, -8), (*high, 3), {"top": "grass", "": "trim_stone", "bottom": NODRAW})
    (x0, y0), (x1, y1) = low, high
    edges = []
    if x0 > WEST:
        edges.append(((x0 - 6, y0), (x0, y1)))
    if x1 < EAST:
        edges.append(((x1, y0), (x1 + 6, y1)))
    if y0 > SOUTH:
        edges.append(((x0, y0 - 6), (x1, y0)))
    if y1 < NORTH:
        edges.append(((x0, y1), (x1, y1 + 6)))
    for (ax, ay), (bx, by) in edges:
        level.box((ax, ay, -8), (bx, by, 6), {"bottom": NODRAW, "": "trim_stone"})


def _perimeter(level: Level) -> None:
    """Brick on a stone foot, a coping that hangs over, and a pillar about every 250 units."""
    t = WALL_THICK
    runs = (
        Wall(
            "x",
            (WEST - t, EAST + t),
            NORTH,
            NORTH + t,
            -8,
            WALL_HIGH,
            1,
            "brick_red",
            "brick_red",
            "brick_red",
        ),
        Wall(
            "x",
            (WEST - t, GATE[0]),
            SOUTH - t,
            SOUTH,
            -8,
            WALL_HIGH,
            -1,
            "brick_red",
            "brick_red",
            "brick_red",
        ),
        Wall(
            "x",
            (GATE[1], EAST + t),
            SOUTH - t,
            SOUTH,
            -8,
            WALL_HIGH,
            -1,
            "brick_red",
            "brick_red",
            "brick_red",
        ),
        Wall("y", (SOUTH, NORTH), WEST - t, WEST, -8, WALL_HIGH, -1, "brick_red", "brick_red", "brick_red"),
        Wall("y", (SOUTH, NORTH), EAST, EAST + t, -8, WALL_HIGH, 1, "brick_red", "brick_red", "brick_red"),
    )
    for run in runs:
        build_wall(level, run)
        start, end = run.span
        level.box(*run.corners(start, end, -8, 18, grow=4), {"bottom": NODRAW, "": "trim_stone"})
        level.box(*run.corners(start, end, WALL_HIGH, WALL_HIGH + 8, grow=5), "trim_stone")
        count = max(1, round((end - start) / 256))
        for i in range(count + 1):
            at = start + (end - start) * i / count
            at = min(max(at, start + 18), end - 18)
            low, high = run.corners(at - 18, at + 18, -8, WALL_HIGH + 8, grow=8)
            level.box(low, high, {"bottom": NODRAW, "top": "trim_stone", "": "brick_red"})
            level.box(*run.corners(at - 22, at + 22, WALL_HIGH + 8, WALL_HIGH + 18, grow=12), "trim_stone")


def _gate(level: Level) -> None:
    """Two tall pillars with balls on top, a beam over them, two plank leaves that stand open."""
    for x in GATE:
        level.box(
            (x - 28, SOUTH - 38, -8), (x + 28, SOUTH + 14, 196), {"bottom": NODRAW, "": "plaster_white"}
        )
        level.box((x - 34, SOUTH - 44, -8), (x + 34, SOUTH + 20, 24), {"bottom": NODRAW, "": "trim_stone"})
        level.box((x - 34, SOUTH - 44, 196), (x + 34, SOUTH + 20, 208), "trim_stone")
        round_post(level, (x, SOUTH - 12), 208, 216, 14, "trim_stone")
        round_post(level, (x, SOUTH - 12), 216, 238, 20, "trim_stone")
    level.box((GATE[0] + 28, SOUTH - 22, 168), (GATE[1] - 28, SOUTH - 2, 186), "trim_wood")
    level.box((GATE[0] + 28, SOUTH - 26, 186), (GATE[1] - 28, SOUTH + 2, 192), "roof_tile")
    level.box(
        (-346, SOUTH - 25, 142),
        (-262, SOUTH - 20, 168),
        {"south": "sign_yard", "north": "sign_yard", "": "planks"},
    )
    for hinge, tip in ((GATE[0] + 30, GATE[0] + 4), (GATE[1] - 30, GATE[1] - 4)):
        reach = SOUTH - 24 - 64
        turned = 1 if tip > hinge else -1
        corners = [
            (x + shift, y, z)
            for (x, y) in ((hinge, SOUTH - 26), (tip, reach))
            for shift in (0, 5 * turned)
            for z in (6, 150)
        ]
        level.solid(hull(corners, "planks_green"))
        for z in (30, 118):
            band = [
                (x + shift, y, h)
                for (x, y) in ((hinge, SOUTH - 27), (tip, reach - 1))
                for shift in (-2 * turned, 7 * turned)
                for h in (z, z + 8)
            ]
            level.solid(hull(band, "metal_rust"))
    level.box((GATE[0], SOUTH - 320, 0), (GATE[1], SOUTH - 300, 260), CLIP)
    level.box((GATE[0] - 30, SOUTH - 320, 0), (GATE[0], SOUTH - 24, 260), CLIP)
    level.box((GATE[1], SOUTH - 320, 0), (GATE[1] + 30, SOUTH - 24, 260), CLIP)
    for below, above in (
        ((WEST - 24, NORTH, 160), (EAST + 24, NORTH + 24, 420)),
        ((WEST - 24, SOUTH - 24, 160), (EAST + 24, SOUTH, 420)),
        ((WEST - 24, SOUTH, 160), (WEST, NORTH, 420)),
        ((EAST, SOUTH, 160), (EAST + 24, NORTH, 420)),
    ):
        level.box(below, above, CLIP)


def _outside(level: Level) -> None:
    """Meadows and a road; far off hills, so that there is a horizon wherever one looks."""
    t = WALL_THICK
    far = 5200
    floor(level, (-far, NORTH + t), (far, far), -2, "meadow")
    floor(level, (-far, SOUTH - t), (WEST - t, NORTH + t), -2, "meadow")
    floor(level, (EAST + t, SOUTH - t), (far, NORTH + t), -2, "meadow")
    floor(level, (-far, -far), (GATE[0] - 20, SOUTH - t), -2, "meadow")
    floor(level, (GATE[1] + 20, -far), (far, SOUTH - t), -2, "meadow")
    floor(level, (GATE[0] - 20, -far), (GATE[1] + 20, SOUTH), 0, "gravel")
    for x in (GATE[0] - 26, GATE[1] + 14):
        level.box((x, -2600, -8), (x + 12, SOUTH - 60, 5), {"bottom": NODRAW, "": "trim_stone"})
    hills = (
        ((-4200, 3600), (2600, 1200), 620),
        ((-1200, 4700), (2900, 1100), 820),
        ((2400, 4300), (2600, 1300), 700),
        ((4700, 1500), (1200, 2600), 560),
        ((4600, -2200), (1300, 2400), 640),
        ((1900, -4700), (2800, 1200), 520),
        ((-2200, -4600), (2500, 1100), 660),
        ((-4800, -1400), (1200, 2800), 600),
    )
    for (x, y), (w, d), height in hills:
        foot = [(x + sx * w * k, y + sy * d * m, -2) for sx, sy, k, m in _octagon(1, 0.55)]
        shoulder = [
            (x + sx * w * k * 0.62, y + sy * d * m * 0.62, height * 0.7) for sx, sy, k, m in _octagon(1, 0.5)
        ]
        crown = [(x - w * 0.2, y, height), (x + w * 0.16, y + d * 0.1, height), (x, y - d * 0.16, height)]
        level.solid(hull([*foot, *shoulder, *crown], {"bottom": NODRAW, "": "hill"}))


def _octagon(long: float, short: float) -> list[tuple[int, int, float, float]]:
    return [(sx, sy, *pair) for sx in (-1, 1) for sy in (-1, 1) for pair in ((long, short), (short, long))]
