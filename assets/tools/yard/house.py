"""The house: two floors, a stair, a balcony over the door, a tiled roof."""

from __future__ import annotations

from assets.tools.mapkit import NODRAW, Level
from assets.tools.yard.parts import (
    Opening,
    Wall,
    build_wall,
    gable_roof,
    gable_wall,
    leaning_board,
    railing,
    shutters,
    steps,
)

WEST, EAST, SOUTH, NORTH = -900, -420, 260, 660
T = 16  # thickness of the outer walls
GROUND, CEILING, UPPER, EAVES, RIDGE = 8, 152, 168, 304, 448
HALL = (-744, -576)  # inner faces of the walls beside the hall
STAIR_X, STAIR_FOOT = WEST + T, 330
STAIR_WIDTH = 62

DOOR = (-688, -632)


def build(level: Level) -> None:
    _plinth(level)
    _outer_walls(level)
    _inner_walls(level)
    _slab_and_stair(level)
    _balcony(level)
    _roof(level)


def _plinth(level: Level) -> None:
    level.box(
        (WEST, SOUTH, -8), (EAST, NORTH, GROUND), {"top": "floor_wood", "bottom": NODRAW, "": "trim_stone"}
    )
    for low, high in (
        ((WEST - 5, SOUTH - 5), (DOOR[0] - 8, SOUTH)),
        ((DOOR[1] + 8, SOUTH - 5), (EAST + 5, SOUTH)),
        ((WEST - 5, SOUTH), (WEST, NORTH)),
        ((EAST, SOUTH), (EAST + 5, 400)),
        ((EAST, 472), (EAST + 5, NORTH)),
        ((WEST - 5, NORTH), (EAST + 5, NORTH + 5)),
    ):
        level.box((*low, -8), (*high, 30), {"bottom": NODRAW, "": "trim_stone"})
    level.box(
        (DOOR[0] - 24, SOUTH - 34, -8), (DOOR[1] + 24, SOUTH, GROUND), {"bottom": NODRAW, "": "trim_stone"}
    )
    level.box((EAST, 396, -8), (EAST + 30, 480, GROUND), {"bottom": NODRAW, "": "trim_stone"})


def _outer_walls(level: Level) -> None:
    """Each floor is one row of walls, plaster outside; a stone band runs between them."""
    row = "plaster_warm"
    for low, high, inner, upper in (
        (GROUND, CEILING, "plaster_white", False),
        (UPPER, EAVES, "plaster_white", True),
    ):
        sill = low + (44 if upper else 42)
        head = low + 104
        south = Wall("x", (WEST, EAST), SOUTH, SOUTH + T, low, high, -1, row, inner)
        windows = [Opening(-844, -788, sill, head, "window"), Opening(-532, -476, sill, head, "window")]
        build_wall(level, south, [*windows, Opening(*DOOR, low, low + 108, "door")])
        for window in windows:
            shutters(level, south, window)

        north = Wall("x", (WEST, EAST), NORTH - T, NORTH, low, high, 1, row, inner)
        windows = [Opening(-700, -644, sill, head, "window"), Opening(-532, -476, sill, head, "window")]
        build_wall(level, north, windows)
        for window in windows:
            shutters(level, north, window)

        west = Wall("y", (SOUTH + T, NORTH - T), WEST, WEST + T, low, high, -1, row, inner)
        build_wall(level, west, [Opening(560, 616, low + 44, head, "window")])

        east = Wall("y", (SOUTH + T, NORTH - T), EAST - T, EAST, low, high, 1, row, inner)
        side = (
            Opening(408, 464, low, low + 108, "door")
            if not upper
            else Opening(408, 464, sill, head, "window")
        )
        window = Opening(560, 616, sill, head, "window")
        build_wall(level, east, [side, window])
        shutters(level, east, window)
        if upper:
            shutters(level, east, side)
    for (x0, y0), (x1, y1) in (
        ((WEST - 3, SOUTH - 3), (EAST + 3, SOUTH + T)),
        ((WEST - 3, NORTH - T), (EAST + 3, NORTH + 3)),
        ((WEST - 3, SOUTH + T), (WEST + T, NORTH - T)),
        ((EAST - T, SOUTH + T), (EAST + 3, NORTH - T)),
    ):
        level.box((x0, y0, CEILING), (x1, y1, UPPER), "trim_stone")
    for x in (WEST, EAST - 14):
        for y in (SOUTH, NORTH - 14):
            dx, dy = (-3 if x == WEST else 3), (-3 if y == SOUTH else 3)
            x0, x1 = (x + dx, x + 14) if dx < 0 else (x, x + 14 + dx)
            y0, y1 = (y + dy, y + 14) if dy < 0 else (y, y + 14 + dy)
            for low, high in ((30, CEILING), (UPPER, EAVES)):
                level.box((x0, y0, low), (x1, y1, high), "trim_stone")


def _inner_walls(level: Level) -> None:
    for low, high in ((GROUND, CEILING), (UPPER, EAVES)):
        left = Wall(
            "y", (SOUTH + T, NORTH - T), HALL[0] - 12, HALL[0], low, high, 1, "plaster_white", "plaster_white"
        )
        right = Wall(
            "y", (SOUTH + T, NORTH - T), HALL[1], HALL[1] + 12, low, high, 1, "plaster_white", "plaster_white"
        )
        build_wall(level, left, [Opening(300, 364, low, low + 108, "door")])
        build_wall(level, right, [Opening(500, 564, low, low + 108, "door")])


def _slab_and_stair(level: Level) -> None:
    """The upper floor, with a hole over the upper half of the stair along the west wall."""
    top = {"top": "floor_wood", "bottom": "planks", "": "trim_wood"}
    x0, x1, y0, y1 = WEST + T, EAST - T, SOUTH + T, NORTH - T
    hole_x = STAIR_X + STAIR_WIDTH + 2
    landing = STAIR_FOOT + 20 * 12
    hole_south = STAIR_FOOT + 6 * 12
    level.box((hole_x, y0, CEILING), (x1, y1, UPPER), top)
    level.box((x0, y0, CEILING), (hole_x, hole_south, UPPER), top)
    level.box((x0, landing, CEILING), (hole_x, y1, UPPER), top)
    steps(
        level, (STAIR_X, STAIR_FOOT, GROUND), "north", STAIR_WIDTH, 20, {"top": "floor_wood", "": "trim_wood"}
    )
    railing(level, (hole_x + 4, hole_south), (hole_x + 4, landing - 8), UPPER)
    railing(level, (x0 + 3, hole_south - 4), (hole_x + 4, hole_south - 4), UPPER)
    for y in range(SOUTH + 60, NORTH - 40, 72):
        level.box((HALL[0], y, CEILING - 8), (HALL[1], y + 8, CEILING), "trim_wood")
        level.box((HALL[1] + 12, y, CEILING - 8), (x1, y + 8, CEILING), "trim_wood")


def _balcony(level: Level) -> None:
    west, east, south = -752, -568, SOUTH - 76
    level.box((west, south, UPPER - 8), (east, SOUTH - 3, UPPER), {"top": "planks", "": "trim_wood"})
    for x in (west + 6, -660 - 5, east - 16):
        level.box((x, south + 2, UPPER - 18), (x + 10, SOUTH - 3, UPPER - 8), "trim_wood")
    level.box((west, south + 2, UPPER - 16), (east, south + 12, UPPER - 8), "trim_wood")
    for x in (west + 4, east - 14):
        level.box((x, south + 2, 6), (x + 10, south + 12, UPPER - 16), "trim_wood")
        level.box((x - 5, south - 3, -8), (x + 15, south + 17, 6), {"bottom": NODRAW, "": "trim_stone"})
        for sign in (-1, 1):
            middle = x + 2
            leaning_board(
                level,
                (middle, south + 5, 112),
                (middle + sign * 40, south + 5, UPPER - 16),
                (6, 0, 0),
                (0, 5, 0),
                "trim_wood",
            )
    railing(level, (west + 4, south + 4), (east - 4, south + 4), UPPER)
    railing(level, (west + 4, south + 10), (west + 4, SOUTH - 6), UPPER)
    railing(level, (east - 4, south + 10), (east - 4, SOUTH - 6), UPPER)
    roof = [(south - 14, 282), (SOUTH - 3, 300), (SOUTH - 3, 304), (south - 14, 287)]
    level.prism(roof, west - 14, east + 14, {"top": "roof_tile", "": "trim_wood"}, axis="x")
    for x in (west + 4, east - 12):
        level.box((x, south + 2, UPPER + 44), (x + 8, south + 10, 284), "trim_wood")


def _roof(level: Level) -> None:
    gable_roof(level, (WEST, SOUTH), (EAST, NORTH), EAVES, RIDGE, along="x", overhang=26)
    outer = {"top": NODRAW, "bottom": "planks", "": "plaster_warm"}
    gable_wall(level, WEST, WEST + T, (SOUTH, NORTH), EAVES, RIDGE, outer, "x")
    gable_wall(level, EAST - T, EAST, (SOUTH, NORTH), EAVES, RIDGE, outer, "x")
    level.box(
        (WEST + T, SOUTH + T, EAVES - 4), (EAST - T, NORTH - T, EAVES), {"bottom": "planks", "": NODRAW}
    )
    for x, surface in ((WEST - 24, TRIM_BOARD), (EAST + 20, TRIM_BOARD)):
        slope = (RIDGE - EAVES) / ((NORTH - SOUTH) / 2)
        middle = (SOUTH + NORTH) / 2
        for edge, sign in ((SOUTH, -1), (NORTH, 1)):
            foot, drop = edge + sign * 26, EAVES - slope * 26
            outline = [(foot, drop - 10), (middle, RIDGE - 10), (middle, RIDGE), (foot, drop)]
            level.prism(outline, x, x + 4, surface, axis="x")
    for x in (-830, -500):
        level.box((x, 520, 330), (x + 40, 560, 486), {"bottom": NODRAW, "": "brick_red"})
        level.box((x - 4, 516, 486), (x + 44, 564, 494), "trim_stone")
        level.box((x + 8, 528, 494), (x + 32, 552, 508), "brick_red")
    for x in (EAST + 1, WEST - 5):
        level.box((x, 444, 336), (x + 4, 476, 380), "glass_dark")
        level.box((x - 1, 438, 328), (x + 5, 482, 336), "trim_wood")
        level.box((x - 1, 438, 380), (x + 5, 482, 388), "trim_wood")


TRIM_BOARD = "trim_wood"
