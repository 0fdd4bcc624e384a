"""The depot with its sliding door, the lean-to by the west wall, the well and the low walls in the middle."""

from __future__ import annotations

from assets.tools.mapkit import NODRAW, Level, box, hull
from assets.tools.yard.parts import (
    Opening,
    Wall,
    build_wall,
    gable_roof,
    gable_wall,
    leaning_board,
    railing,
    ring,
    round_post,
    steps,
)

DEPOT_LOW, DEPOT_HIGH = (520, 300), (960, 700)
DEPOT_EAVES, DEPOT_RIDGE = 176, 286
DOOR = (600, 728)  # the hole that the sliding door covers


def build(level: Level) -> None:
    _depot(level)
    _lean_to(level)
    _well(level)
    _cover(level)
    _lookout(level)


def _depot(level: Level) -> None:
    """Boards on a brick foot. The door is an entity: scripts slide it east along its rail."""
    (x0, y0), (x1, y1) = DEPOT_LOW, DEPOT_HIGH
    level.box((x0, y0, -8), (x1, y1, 4), {"top": "concrete", "bottom": NODRAW, "": "trim_stone"})
    walls: tuple[tuple[Wall, list[Opening]], ...] = (
        (Wall("x", (x0, x1), y0, y0 + 14, 4, DEPOT_EAVES, -1, "planks", "planks", "trim_wood"),
         [Opening(*DOOR, 4, 128), Opening(820, 884, 60, 116, "window")]),
        (Wall("x", (x0, x1), y1 - 14, y1, 4, DEPOT_EAVES, 1, "planks", "planks", "trim_wood"),
         [Opening(700, 764, 70, 116, "window")]),
        (Wall("y", (y0 + 14, y1 - 14), x0, x0 + 14, 4, DEPOT_EAVES, -1, "planks", "planks", "trim_wood"),
         [Opening(400, 456, 4, 112, "door"), Opening(560, 624, 60, 116, "window")]),
        (Wall("y", (y0 + 14, y1 - 14), x1 - 14, x1, 4, DEPOT_EAVES, 1, "planks", "planks", "trim_wood"), []),
    )  # fmt: skip
    for wall, openings in walls:
        build_wall(level, wall, openings)
    for low, high in (
        ((x0 - 5, y0 - 5), (DOOR[0] - 6, y0)),
        ((DOOR[1] + 6, y0 - 5), (x1 + 5, y0)),
        ((x0 - 5, y0), (x0, 394)),
        ((x0 - 5, 462), (x0, y1)),
        ((x1, y0), (x1 + 5, y1)),
        ((x0 - 5, y1), (x1 + 5, y1 + 5)),
    ):
        level.box((*low, -8), (*high, 34), {"bottom": NODRAW, "top": "trim_stone", "": "brick_red"})
    for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1)):
        level.box((x - 8, y - 8, -8), (x + 8, y + 8, DEPOT_EAVES), {"bottom": NODRAW, "": "trim_wood"})
    level.box((DOOR[0] - 10, y0 - 3, 4), (DOOR[0], y0 + 16, 134), "trim_wood")
    level.box((DOOR[1], y0 - 3, 4), (DOOR[1] + 10, y0 + 16, 134), "trim_wood")
    level.box((DOOR[0] - 10, y0 - 3, 128), (DOOR[1] + 10, y0 + 16, 138), "trim_wood")
    level.box((DOOR[0] - 20, y0 - 16, 138), (DOOR[1] + 156, y0 - 3, 146), "metal_rust")
    level.box((DOOR[0] - 30, y0 - 40, -8), (DOOR[1] + 30, y0, 4), {"bottom": NODRAW, "": "concrete"})
    _door(level, y0)
    gable_roof(
        level, DEPOT_LOW, DEPOT_HIGH, DEPOT_EAVES, DEPOT_RIDGE, along="y", overhang=24, tiles="metal_rust"
    )
    board = {"top": NODRAW, "bottom": NODRAW, "": "planks"}
    gable_wall(level, y0, y0 + 14, (x0, x1), DEPOT_EAVES, DEPOT_RIDGE, board, "y")
    gable_wall(level, y1 - 14, y1, (x0, x1), DEPOT_EAVES, DEPOT_RIDGE, board, "y")
    level.box((716, y0 - 4, 196), (764, y0, 240), "glass_dark")
    level.box((708, y0 - 6, 188), (772, y0, 196), "trim_wood")
    level.box((708, y0 - 6, 240), (772, y0, 248), "trim_wood")
    for y in (380, 500, 620):
        level.box((x0 + 14, y, DEPOT_EAVES - 10), (x1 - 14, y + 10, DEPOT_EAVES), "trim_wood")
        level.box((735, y, DEPOT_EAVES), (745, y + 10, DEPOT_RIDGE - 6), "trim_wood")
    for y in (460, 580):
        for x in (640, 830):
            level.box((x, y, 4), (x + 10, y + 10, DEPOT_EAVES - 10), "trim_wood")
    level.box((x1 - 60, 340, 60), (x1 - 14, 640, 64), "planks")
    level.box((x1 - 60, 340, 104), (x1 - 14, 640, 108), "planks")
    for y in (340, 488, 634):
        level.box((x1 - 60, y, 4), (x1 - 55, y + 5, 120), "trim_wood")


def _door(level: Level, face: float) -> None:
    """Panel, cross boards and straps of the sliding door, in one entity so that they move together."""
    a, b = DOOR[0] - 6, DOOR[1] + 6
    brushes = [box((a, face - 11, 6), (b, face - 6, 134), "planks_green")]
    for low, high in ((8, 20), (66, 76), (120, 132)):
        brushes.append(box((a, face - 14, low), (b, face - 11, high), "trim_wood"))
    for x in (a, b - 10):
        brushes.append(box((x, face - 14, 20), (x + 10, face - 11, 66), "trim_wood"))
        brushes.append(box((x, face - 14, 76), (x + 10, face - 11, 120), "trim_wood"))
    for x in (a + 24, b - 32):
        brushes.append(box((x, face - 15, 120), (x + 8, face - 11, 144), "metal_rust"))
    brushes.append(box((a + 12, face - 18, 56), (a + 16, face - 11, 90), "metal_rust"))
    level.entity("script_brushmodel", *brushes, targetname="depot_door", script_noteworthy="slide", speed=1)
    level.entity(
        "trigger_use",
        box((a - 20, face - 70, 0), (b + 20, face + 70, 120), "trigger"),
        targetname="depot_door_use",
        target="depot_door",
    )


def _lean_to(level: Level) -> None:
    """A wood store against the west wall: three posts, a sloping tin roof, a pile of logs."""
    x0, x1, y0, y1 = -1024, -880, -400, -150
    for y in (y0 + 6, (y0 + y1) / 2 - 5, y1 - 16):
        level.box((x1 - 16, y, -8), (x1 - 6, y + 10, 104), {"bottom": NODRAW, "": "trim_wood"})
        leaning_board(level, (x1 - 16, y + 2, 76), (x1 - 52, y + 2, 112), (0, 0, 6), (0, 5, 0), "trim_wood")
    level.box((x1 - 18, y0, 104), (x1 - 6, y1, 112), "trim_wood")
    roof = [(x0, 146), (x1 + 16, 104), (x1 + 16, 109), (x0, 151)]
    level.prism(roof, y0 - 16, y1 + 16, {"top": "metal_rust", "bottom": "planks", "": "trim_wood"}, axis="y")
    level.box((x0, y0, -8), (x1, y1, 4), {"top": "dirt", "bottom": NODRAW, "": "trim_stone"})
    level.box((x0, y0, 4), (x0 + 90, y0 + 6, 120), "planks")
    for row, count in enumerate((7, 6, 5, 4)):
        for i in range(count):
            y = y0 + 22 + row * 8 + i * 16
            z = 12 + row * 14
            log = [(p[0], p[1]) for p in ring((y, z), 8, 7)]
            level.prism(log, x0 + 6, x0 + 62, {"east": "log_end", "west": "log_end", "": "bark"}, axis="x")


def _well(level: Level) -> None:
    """A stone well with a small roof, in the middle of the yard: one knows at once where one is."""
    x, y = -60, 40
    outer, inner = ring((x, y), 52, 8), ring((x, y), 38, 8)
    for i in range(8):
        j = (i + 1) % 8
        level.prism([outer[i], outer[j], inner[j], inner[i]], -8, 30, {"bottom": NODRAW, "": "brick_red"})
        wide, narrow = ring((x, y), 56, 8), ring((x, y), 35, 8)
        level.prism([wide[i], wide[j], narrow[j], narrow[i]], 30, 37, "trim_stone")
    level.prism(ring((x, y), 36, 8), 6, 10, "water")
    level.prism(ring((x, y), 84, 8), -8, 2, {"bottom": NODRAW, "": "slate"})
    for dx in (-48, 40):
        level.box((x + dx, y - 4, 37), (x + dx + 8, y + 4, 112), "trim_wood")
    level.box((x - 60, y - 3, 88), (x + 60, y + 3, 94), "trim_wood")
    round_post(level, (x, y), 62, 72, 8, "planks")
    level.box((x - 1, y - 1, 72), (x + 1, y + 1, 88), "bark")
    gable_roof(level, (x - 52, y - 36), (x + 52, y + 36), 108, 140, along="x", overhang=10, thickness=5)
    for end in (x - 50, x + 44):
        gable_wall(level, end, end + 6, (y - 30, y + 30), 112, 138, {"bottom": "planks", "": "planks"}, "x")


def _cover(level: Level) -> None:
    """Walls to crouch behind (40) and to stand behind (60), capped, some of them broken at the end."""
    walls = (
        ((-520, -300), (-500, -140), 40, "brick_red"),
        ((30, -350), (180, -330), 60, "concrete"),
        ((90, -200), (110, -60), 40, "concrete"),
        ((-560, 60), (-440, 80), 40, "brick_red"),
        ((60, 250), (180, 270), 60, "brick_red"),
        ((300, 60), (320, 180), 60, "concrete"),
    )
    for (x0, y0), (x1, y1), top, surface in walls:
        level.box((x0, y0, -8), (x1, y1, top - 5), {"bottom": NODRAW, "": surface})
        level.box((x0 - 3, y0 - 3, top - 5), (x1 + 3, y1 + 3, top), "trim_stone")
    ruin = ((-700, -560), (-560, -540), 60)
    (x0, y0), (x1, y1), top = ruin
    for i, height in enumerate((top, top - 2, top - 16, 30, 14)):
        a = x0 + (x1 - x0) * i / 5
        b = x0 + (x1 - x0) * (i + 1) / 5
        level.box((a, y0, -8), (b, y1, height), {"bottom": NODRAW, "": "brick_red"})
    for x, y, s in ((-548, -536, 10), (-566, -514, 7), (-530, -560, 6)):
        level.solid(
            hull(
                [
                    (x + dx * s, y + dy * s, z)
                    for dx, dy in ((-1, -0.4), (1, -0.8), (0.7, 1), (-0.6, 0.9))
                    for z in (-2, s)
                ],
                "brick_red",
            )
        )
    for x, y, yaw in ((350, 40, 0), (380, 90, 1)):
        w, d = (54, 18) if yaw == 0 else (18, 54)
        outline = [(x, y), (x + w, y), (x + w, y + d), (x, y + d)]
        level.prism(outline, 0, 10, "concrete")
        inset = [
            (x + w * 0.15, y + d * 0.25),
            (x + w * 0.85, y + d * 0.25),
            (x + w * 0.85, y + d * 0.75),
            (x + w * 0.15, y + d * 0.75),
        ]
        level.solid(hull([(*p, 10) for p in outline] + [(*p, 34) for p in inset], "concrete"))


def _lookout(level: Level) -> None:
    """A wooden stand in the north, with a stair and a small roof, that looks over the whole yard."""
    x0, x1, y0, y1, top = 210, 370, 420, 560, 104
    level.box((x0, y0, top - 8), (x1, y1, top), {"top": "planks", "bottom": "planks", "": "trim_wood"})
    for x in (x0, x1 - 10):
        for y in (y0, y1 - 10):
            level.box((x, y, -8), (x + 10, y + 10, 216), {"bottom": NODRAW, "": "trim_wood"})
        leaning_board(
            level, (x + 2, y0 + 10, 12), (x + 2, y1 - 16, top - 8), (5, 0, 0), (0, 6, 0), "trim_wood"
        )
    leaning_board(level, (x0 + 10, y1 - 8, 12), (x1 - 16, y1 - 8, top - 8), (6, 0, 0), (0, 5, 0), "trim_wood")
    steps(level, (x0 + 40, y0 - 13 * 12, 0), "north", 64, 13, {"top": "planks", "": "trim_wood"}, solid=False)
    for x in (x0 + 36, x0 + 104):
        leaning_board(level, (x, y0 - 13 * 12, -14), (x, y0, 80), (4, 0, 0), (0, 0, 22), "trim_wood")
    railing(level, (x0 + 5, y1 - 5), (x1 - 5, y1 - 5), top)
    railing(level, (x0 + 5, y0 + 5), (x0 + 5, y1 - 10), top)
    railing(level, (x1 - 5, y0 + 5), (x1 - 5, y1 - 10), top)
    railing(level, (x0 + 112, y0 + 5), (x1 - 10, y0 + 5), top)
    gable_roof(level, (x0, y0), (x1, y1), 216, 262, along="x", overhang=16, tiles="metal_rust")
