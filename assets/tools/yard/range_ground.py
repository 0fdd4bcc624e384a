"""The shooting range in the south-east: a roofed firing line, four lanes, an earth bank behind."""

from __future__ import annotations

from assets.tools.mapkit import NODRAW, Level, hull
from assets.tools.yard.parts import leaning_board

LINE = 360  # x of the firing line
LANES = (-612, -484, -356, -228)  # middle of each lane
HALF = 64
BANK = 900


def build(level: Level) -> None:
    _firing_line(level)
    _lanes(level)
    _bank(level)


def _firing_line(level: Level) -> None:
    """Tables in a row under an open roof on posts."""
    south, north = LANES[0] - HALF, LANES[-1] + HALF
    level.box(
        (LINE - 90, south, -8), (LINE + 40, north, 3), {"top": "planks", "bottom": NODRAW, "": "trim_wood"}
    )
    for i in range(len(LANES) + 1):
        y = south + i * 2 * HALF
        a = min(max(y - 5, south), north - 10)
        for x in (LINE - 80, LINE + 24):
            level.box((x, a, 3), (x + 10, a + 10, 118 if x > LINE else 132), "trim_wood")
        leaning_board(
            level, (LINE + 26, a + 2, 86), (LINE - 8, a + 2, 120), (0, 0, 6), (0, 5, 0), "trim_wood"
        )
    roof = [(LINE - 104, 136), (LINE + 58, 114), (LINE + 58, 119), (LINE - 104, 141)]
    level.prism(
        roof, south - 20, north + 20, {"top": "metal_rust", "bottom": "planks", "": "trim_wood"}, axis="y"
    )
    level.box((LINE + 22, south, 110), (LINE + 36, north, 118), "trim_wood")
    level.box((LINE - 82, south, 126), (LINE - 70, north, 134), "trim_wood")
    middle = (LANES[1] + LANES[2]) / 2
    level.box(
        (LINE - 102, middle - 70, 140), (LINE - 98, middle + 70, 176), {"west": "sign_range", "": "planks"}
    )
    for post in (middle - 56, middle + 52):
        level.box((LINE - 98, post, 138), (LINE - 94, post + 4, 172), "trim_wood")
    for y in LANES:
        level.box((LINE + 4, y - 46, 34), (LINE + 34, y + 46, 38), "planks")
        for dy in (-42, 36):
            for x in (LINE + 6, LINE + 28):
                level.box((x, y + dy, 3), (x + 4, y + dy + 6, 34), "trim_wood")
        level.box((LINE + 8, y - 40, 14), (LINE + 30, y + 40, 16), "planks")


def _lanes(level: Level) -> None:
    """Low rails between the lanes, and a numbered board at the end of each."""
    for i in range(len(LANES) + 1):
        y = LANES[0] - HALF + i * 2 * HALF
        for x in range(LINE + 90, BANK - 60, 110):
            level.box((x, y - 3, -8), (x + 6, y + 3, 22), {"bottom": NODRAW, "": "trim_wood"})
        level.box((LINE + 90, y - 2, 14), (BANK - 60, y + 2, 18), "planks")
    for number, y in enumerate(LANES, start=1):
        level.box((BANK - 26, y - 16, -8), (BANK - 22, y - 12, 84), {"bottom": NODRAW, "": "trim_wood"})
        level.box((BANK - 26, y + 12, -8), (BANK - 22, y + 16, 84), {"bottom": NODRAW, "": "trim_wood"})
        level.box(
            (BANK - 29, y - 18, 56), (BANK - 26, y + 18, 92), {"west": f"sign_lane_{number}", "": "planks"}
        )


def _bank(level: Level) -> None:
    """Earth against the east wall, steep in front, grown over on top, held by logs at the foot."""
    south, north = -744, -90
    foot = [(BANK, south, -8), (BANK, north, -8), (1024, south, -8), (1024, north + 60, -8)]
    crown = [(BANK + 60, south, 78), (BANK + 60, north - 24, 78), (1024, south, 96), (1024, north, 92)]
    level.solid(hull([*foot, *crown], {"bottom": NODRAW, "top": "grass", "": "dirt"}))
    for i, y in enumerate(range(south, north - 60, 92)):
        level.box(
            (BANK - 9, y, -4),
            (BANK + 4, y + 90, 11 + (i % 2)),
            {"": "bark", "south": "log_end", "north": "log_end"},
        )
        level.box((BANK - 14, y + 40, -8), (BANK - 8, y + 46, 26), {"bottom": NODRAW, "": "trim_wood"})
