"""What several places of the yard are built from: walls with openings, stairs, roofs, rails."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, pi, sin

from assets.tools.mapkit import NODRAW, Level, Surface, Vec, hull

STEP_RISE, STEP_RUN = 8, 12
TRIM = "trim_wood"


@dataclass(frozen=True)
class Opening:
    """A hole in a wall: from ``start`` to ``end`` along it and from ``low`` to ``high``.

    ``dress`` says what surrounds it: "window" has a frame and a sill, "door" a frame, "" nothing.
    """

    start: float
    end: float
    low: float
    high: float
    dress: str = ""


@dataclass(frozen=True)
class Wall:
    """An upright wall along x or y. ``near`` and ``far`` bound its thickness on the other axis.

    ``outside`` is +1 when the far face looks outdoors and -1 when the near one does: sills stick out there.
    """

    axis: str
    span: tuple[float, float]
    near: float
    far: float
    low: float
    high: float
    outside: int
    outer: str
    inner: str
    reveal: str = "plaster_white"

    def block(self, level: Level, start: float, end: float, low: float, high: float) -> None:
        """One solid piece of the wall."""
        if end - start < 0.01 or high - low < 0.01:
            return
        far, near = ("north", "south") if self.axis == "x" else ("east", "west")
        surface = {
            far: self.outer if self.outside > 0 else self.inner,
            near: self.inner if self.outside > 0 else self.outer,
            "": self.reveal,
        }
        level.box(*self.corners(start, end, low, high), surface)

    def corners(
        self, start: float, end: float, low: float, high: float, grow: float = 0.0
    ) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Low and high corner of a piece, made thicker by ``grow`` on both faces."""
        if self.axis == "x":
            return (start, self.near - grow, low), (end, self.far + grow, high)
        return (self.near - grow, start, low), (self.far + grow, end, high)


def build_wall(level: Level, wall: Wall, openings: Iterable[Opening] = ()) -> None:
    """The wall in pieces round its openings. Openings of one column share start and end, none overlap."""
    columns: dict[tuple[float, float], list[Opening]] = {}
    for opening in openings:
        columns.setdefault((opening.start, opening.end), []).append(opening)
    at = wall.span[0]
    for (start, end), holes in sorted(columns.items()):
        wall.block(level, at, start, wall.low, wall.high)
        floor = wall.low
        for hole in sorted(holes, key=lambda hole: hole.low):
            wall.block(level, start, end, floor, hole.low)
            floor = hole.high
        wall.block(level, start, end, floor, wall.high)
        at = end
        for hole in holes:
            _dress(level, wall, hole)
    wall.block(level, at, wall.span[1], wall.low, wall.high)


def _dress(level: Level, wall: Wall, hole: Opening) -> None:
    if not hole.dress:
        return
    start, end, low, high = hole.start, hole.end, hole.low, hole.high
    foot = low if hole.dress == "door" else low + 3
    for a, b in ((start - 5, start + 1), (end - 1, end + 5)):
        level.box(*wall.corners(a, b, foot, high - 1, grow=2), TRIM)
    level.box(*wall.corners(start - 7, end + 7, high - 1, high + 7, grow=3), TRIM)
    if hole.dress == "window":
        level.box(*_outwards(wall, start - 8, end + 8, low - 4, low + 3, 6), "trim_stone")


def _outwards(wall: Wall, start: float, end: float, low: float, high: float, reach: float) -> tuple[Vec, Vec]:
    """Low and high corner of a piece that sticks out of the wall's outer face."""
    (x0, y0, z0), (x1, y1, z1) = wall.corners(start, end, low, high, grow=1)
    before, behind = (0.0, reach) if wall.outside > 0 else (reach, 0.0)
    if wall.axis == "x":
        return (x0, y0 - before, z0), (x1, y1 + behind, z1)
    return (x0 - before, y0, z0), (x1 + behind, y1, z1)


def shutters(level: Level, wall: Wall, hole: Opening, surface: str = "planks_green") -> None:
    """A pair of open shutters flat against the outer face."""
    width = (hole.end - hole.start) / 2
    for a, b in ((hole.start - 6 - width, hole.start - 6), (hole.end + 6, hole.end + 6 + width)):
        face = wall.far if wall.outside > 0 else wall.near
        near, far = (face, face + 3) if wall.outside > 0 else (face - 3, face)
        low, high = hole.low + 2, hole.high
        if wall.axis == "x":
            level.box((a, near, low), (b, far, high), surface)
        else:
            level.box((near, a, low), (far, b, high), surface)


def gable_roof(
    level: Level,
    low: tuple[float, float],
    high: tuple[float, float],
    eaves: float,
    ridge: float,
    *,
    along: str,
    overhang: float = 20,
    thickness: float = 7,
    tiles: str = "roof_tile",
    under: str = "planks",
) -> None:
    """Two slabs that lean on each other over the rectangle, the ridge along x or y, eaves hanging over."""
    (x0, y0), (x1, y1) = low, high
    across = (y0, y1) if along == "x" else (x0, x1)
    run = (x0, x1) if along == "x" else (y0, y1)
    middle = (across[0] + across[1]) / 2
    slope = (ridge - eaves) / (middle - across[0])
    surface = {"top": tiles, "bottom": under, "": TRIM}
    for edge, sign in ((across[0], -1), (across[1], 1)):
        foot, drop = edge + sign * overhang, eaves - slope * overhang
        outline = [(foot, drop), (middle, ridge), (middle, ridge + thickness), (foot, drop + thickness)]
        if along == "x":
            level.prism(outline, run[0] - overhang, run[1] + overhang, surface, axis="x")
        else:
            level.prism(outline, run[0] - overhang, run[1] + overhang, surface, axis="y")
    cap = [
        (middle - 7, ridge + thickness - 5),
        (middle, ridge + thickness + 3),
        (middle + 7, ridge + thickness - 5),
    ]
    level.prism(cap, run[0] - overhang - 1, run[1] + overhang + 1, tiles, axis="x" if along == "x" else "y")


def gable_wall(
    level: Level,
    near: float,
    far: float,
    across: tuple[float, float],
    eaves: float,
    ridge: float,
    surface: Surface,
    axis: str,
) -> None:
    """The triangle under a gable roof, from ``near`` to ``far`` along the ridge axis."""
    middle = (across[0] + across[1]) / 2
    level.prism([(across[0], eaves), (across[1], eaves), (middle, ridge)], near, far, surface, axis=axis)


def steps(
    level: Level,
    at: tuple[float, float, float],
    direction: str,
    width: float,
    count: int,
    surface: Surface,
    solid: bool = True,
) -> None:
    """A flight of ``count`` steps that climbs from ``at`` (the low outer corner) north, south, east or west.

    North and south flights spread east of ``at``, east and west flights north of it.
    """
    x, y, z = at
    for i in range(count):
        top = z + STEP_RISE * (i + 1)
        foot = z if solid else top - STEP_RISE * 2
        a, b = STEP_RUN * i, STEP_RUN * (i + 1)
        if direction in ("north", "south"):
            low, high = (y + a, y + b) if direction == "north" else (y - b, y - a)
            level.box((x, low, max(foot, z)), (x + width, high, top), surface)
        else:
            low, high = (x + a, x + b) if direction == "east" else (x - b, x - a)
            level.box((low, y, max(foot, z)), (high, y + width, top), surface)


def railing(
    level: Level, start: tuple[float, float], end: tuple[float, float], floor: float, height: float = 40
) -> None:
    """A wooden rail along x or y: posts, a hand rail, a knee rail and thin balusters."""
    along_x = abs(end[0] - start[0]) > abs(end[1] - start[1])
    a, b = (start[0], end[0]) if along_x else (start[1], end[1])
    a, b = min(a, b), max(a, b)
    fixed = start[1] if along_x else start[0]

    def piece(s: float, e: float, half: float, low: float, high: float, surface: str) -> None:
        if along_x:
            level.box((s, fixed - half, low), (e, fixed + half, high), surface)
        else:
            level.box((fixed - half, s, low), (fixed + half, e, high), surface)

    piece(a, b, 3, floor + height - 4, floor + height, TRIM)
    piece(a, b, 1.5, floor + 8, floor + 11, TRIM)
    count = max(1, round((b - a) / 14))
    for i in range(1, count):
        at = a + (b - a) * i / count
        piece(at - 1.2, at + 1.2, 1.2, floor + 11, floor + height - 4, "planks")
    for at in (a, b):
        piece(at - 3, at + 3, 3, floor, floor + height + 4, TRIM)


def round_post(
    level: Level,
    at: tuple[float, float],
    low: float,
    high: float,
    radius: float,
    surface: Surface,
    sides: int = 8,
) -> None:
    """An upright pillar with many sides."""
    level.prism(ring(at, radius, sides), low, high, surface)


def ring(at: tuple[float, float], radius: float, sides: int) -> list[tuple[float, float]]:
    """Corners of a regular polygon, rounded to sixteenths so that they stay equal in the file."""
    return [
        (
            round((at[0] + radius * cos(2 * pi * (i + 0.5) / sides)) * 16) / 16,
            round((at[1] + radius * sin(2 * pi * (i + 0.5) / sides)) * 16) / 16,
        )
        for i in range(sides)
    ]


def leaning_board(
    level: Level,
    foot: Vec,
    head: Vec,
    width: Vec,
    thick: Vec,
    surface: Surface,
) -> None:
    """A straight board between two points; ``width`` and ``thick`` span its cross section."""
    corners: list[Vec] = []
    for end in (foot, head):
        for w in (0, 1):
            for t in (0, 1):
                x, y, z = (end[i] + w * width[i] + t * thick[i] for i in range(3))
                corners.append((x, y, z))
    level.solid(hull(corners, surface))


def floor(
    level: Level,
    low: tuple[float, float],
    high: tuple[float, float],
    top: float,
    surface: str,
    depth: float = 16,
    edge: str = NODRAW,
) -> None:
    """A slab of ground whose top is at ``top``; only the top shows unless ``edge`` names its sides."""
    level.box((*low, top - depth), (*high, top), {"top": surface, "bottom": NODRAW, "": edge})
