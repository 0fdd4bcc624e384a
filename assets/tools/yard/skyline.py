"""What is seen over the walls: neighbouring roofs, a church tower, a water tower, barns far away."""

from __future__ import annotations

from assets.tools.mapkit import NODRAW, Level, hull
from assets.tools.yard.parts import gable_roof, gable_wall, ring

HOUSES = (
    # low corner, size, eaves, ridge, ridge axis, wall
    ((-1640, 40), (420, 340), 210, 340, "y", "plaster_white"),
    ((-1560, -620), (360, 300), 190, 310, "x", "brick_red"),
    ((-700, 1120), (460, 320), 220, 350, "x", "plaster_white"),
    ((140, 1240), (380, 360), 230, 360, "y", "brick_red"),
    ((1380, 420), (380, 420), 220, 350, "y", "plaster_warm"),
    ((1460, -420), (320, 300), 190, 300, "x", "plaster_white"),
    ((260, -1420), (420, 320), 210, 330, "x", "plaster_warm"),
    ((-1150, -1500), (440, 340), 220, 350, "y", "plaster_white"),
    ((-140, -2300), (380, 320), 200, 320, "x", "brick_red"),
    ((2300, 1900), (420, 300), 200, 320, "x", "plaster_white"),
)


def build(level: Level) -> None:
    for low, size, eaves, ridge, along, wall in HOUSES:
        _house(level, low, size, eaves, ridge, along, wall)
    _church(level, 1180, 1900)
    _water_tower(level, 1560, -1180)


def _house(
    level: Level,
    low: tuple[float, float],
    size: tuple[float, float],
    eaves: float,
    ridge: float,
    along: str,
    wall: str,
) -> None:
    (x0, y0), (x1, y1) = low, (low[0] + size[0], low[1] + size[1])
    level.box((x0, y0, -8), (x1, y1, eaves), {"bottom": NODRAW, "top": NODRAW, "": wall})
    level.box((x0 - 4, y0 - 4, -8), (x1 + 4, y1 + 4, 24), {"bottom": NODRAW, "": "trim_stone"})
    gable_roof(level, low, (x1, y1), eaves, ridge, along=along, overhang=22)
    across = (y0, y1) if along == "x" else (x0, x1)
    span = (x0, x1) if along == "x" else (y0, y1)
    for a, b in ((span[0], span[0] + 10), (span[1] - 10, span[1])):
        gable_wall(level, a, b, across, eaves, ridge, {"top": NODRAW, "bottom": NODRAW, "": wall}, along)
    middle = (x0 + x1) / 2 + 60, (y0 + y1) / 2 + 30
    level.box(
        (middle[0], middle[1], eaves + 30),
        (middle[0] + 34, middle[1] + 34, ridge + 46),
        {"bottom": NODRAW, "": "brick_red"},
    )
    level.box(
        (middle[0] - 4, middle[1] - 4, ridge + 46), (middle[0] + 38, middle[1] + 38, ridge + 53), "trim_stone"
    )
    for z in (64, 150):
        if z + 60 > eaves:
            continue
        for i in range(3):
            x = x0 + size[0] * (i + 0.5) / 3
            y = y0 + size[1] * (i + 0.5) / 3
            for face, grow in ((y0, -2), (y1, 2)):
                a, b = sorted((face, face + grow))
                level.box((x - 22, a, z), (x + 22, b, z + 54), "glass_dark")
                a, b = sorted((face, face + grow * 3))
                level.box((x - 28, a, z - 6), (x + 28, b, z), "trim_stone")
            for face, grow in ((x0, -2), (x1, 2)):
                a, b = sorted((face, face + grow))
                level.box((a, y - 22, z), (b, y + 22, z + 54), "glass_dark")


def _church(level: Level, x: float, y: float) -> None:
    """A nave and a tower with a steep roof: the landmark that tells north-east."""
    level.box((x + 110, y - 120, -8), (x + 640, y + 120, 240), {"bottom": NODRAW, "": "plaster_white"})
    gable_roof(level, (x + 110, y - 120), (x + 640, y + 120), 240, 400, along="x", overhang=18, tiles="slate")
    level.box((x - 100, y - 100, -8), (x + 110, y + 100, 620), {"bottom": NODRAW, "": "plaster_white"})
    for z in (230, 430, 612):
        level.box((x - 108, y - 108, z), (x + 118, y + 108, z + 14), "trim_stone")
    for z, tall in ((480, 100), (270, 60)):
        for dy in (-48, 16):
            level.box((x - 104, y + dy, z), (x - 99, y + dy + 32, z + tall), "glass_dark")
        for dx in (-45, 23):
            level.box((x + dx, y - 104, z), (x + dx + 32, y - 99, z + tall), "glass_dark")
    foot = [(x + 5 + p * 112, y + q * 112, 626) for p in (-1, 1) for q in (-1, 1)]
    level.solid(hull([*foot, (x + 5, y, 1010)], {"bottom": NODRAW, "": "slate"}))


def _water_tower(level: Level, x: float, y: float) -> None:
    """A rusty tank on four legs in the south-east."""
    for dx in (-90, 78):
        for dy in (-90, 78):
            level.box(
                (x + dx, y + dy, -8), (x + dx + 12, y + dy + 12, 420), {"bottom": NODRAW, "": "metal_rust"}
            )
    for z in (140, 290):
        level.box((x - 90, y - 88, z), (x + 90, y - 80, z + 8), "metal_rust")
        level.box((x - 90, y + 80, z), (x + 90, y + 88, z + 8), "metal_rust")
        level.box((x - 88, y - 90, z), (x - 80, y + 90, z + 8), "metal_rust")
        level.box((x + 80, y - 90, z), (x + 88, y + 90, z + 8), "metal_rust")
    level.prism(ring((x, y), 128, 12), 420, 434, "trim_wood")
    level.prism(ring((x, y), 118, 12), 434, 590, "metal_rust")
    for z in (470, 540):
        level.prism(ring((x, y), 121, 12), z, z + 6, "metal_rust")
    cone = [(*p, 590) for p in ring((x, y), 132, 12)]
    level.solid(hull([*cone, (x, y, 668)], {"bottom": NODRAW, "": "metal_rust"}))
