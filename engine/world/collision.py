"""What stands in the way: boxes and rays swept through the level's solids and the bodies of entities.

Solids lie in a grid of columns (the levels are wide, not tall). A sweep walks the columns that it crosses in
order and stops as soon as nothing ahead can be nearer than what it has hit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor

from engine.world.angles import IDENTITY, ZERO, Matrix, Vector
from engine.world.brush import Brush
from engine.world.solid import Solid, box_planes, box_solid, brush_solid
from engine.world.surfaces import SHOT_MASK, Contents

CELL = 128.0
EDGE = 131072.0
"""Inches from the middle to where the last column begins; what lies further out, or nowhere, belongs to it."""
EPSILON = 0.03125
"""Sweeps stop this far before a surface (1/32 inch), so that the next one does not start inside it."""

REFINE_REACH = 18.0
"""How far the parts of a posed body may stick out of its box: an arm, a rifle."""

_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Trace:
    """How far a sweep came.

    fraction    0..1 of the way; 1.0 when nothing was hit
    position    where the swept box's origin (or the ray) ended
    normal      of the surface that was hit, (0, 0, 0) for none
    entity      number of the entity that was hit, None for the level or nothing
    surface     material of what was hit, "" for nothing
    part        bone that a shot hit, "" otherwise
    startsolid  it began inside something; allsolid: it never left it (fraction is 0 then)
    """

    fraction: float
    position: Vector
    normal: Vector = ZERO
    entity: int | None = None
    surface: str = ""
    part: str = ""
    startsolid: bool = False
    allsolid: bool = False


@dataclass(frozen=True, slots=True)
class PartHit:
    """Where a ray entered one part of a body: fraction of the ray, normal and the part's name."""

    fraction: float
    normal: Vector
    part: str
    surface: str = "flesh"


Refine = Callable[[Vector, Vector], PartHit | None]


@dataclass(slots=True)
class Body:
    """The collidable form of one entity: its solids in world space and the cells that they lie in.

    refine answers where a shot really hits; the solids then only say where it may.
    """

    solids: tuple[Solid, ...]
    mins: Vector
    maxs: Vector
    cells: tuple[tuple[int, int], ...]
    range: tuple[int, int, int, int]
    refine: Refine | None = None


class Collision:
    """The level's solids, which stay, and the entities' bodies, which move."""

    def __init__(self, brushes: Iterable[Brush] = ()) -> None:
        self._static: dict[tuple[int, int], list[Solid]] = {}
        self._moving: dict[tuple[int, int], dict[int, Body]] = {}
        self._bodies: dict[int, Body] = {}
        self._stamp = 0
        for brush in brushes:
            self.add_static(brush)

    def add_static(self, brush: Brush, origin: Vector = ZERO, m: Matrix = IDENTITY) -> Solid:
        """A solid that stays: a brush of the level, or of a prop at its place."""
        solid = brush_solid(brush, origin, m)
        for cell in _cells(solid.mins, solid.maxs):
            self._static.setdefault(cell, []).append(solid)
        return solid

    def remove_static(self, solid: Solid) -> None:
        """Take away what `add_static` returned."""
        for cell in _cells(solid.mins, solid.maxs):
            self._static[cell] = [other for other in self._static[cell] if other is not solid]

    # --- bodies -----------------------------------------------------------------------------------------

    def link_box(
        self, number: int, mins: Vector, maxs: Vector, contents: Contents, refine: Refine | None = None,
        material: str = "flesh",
    ) -> None:  # fmt: skip
        """Put an entity in the way as one axis-aligned box, in world coordinates."""
        body = self._bodies.get(number)
        if body is not None and body.refine is refine and len(body.solids) == 1:
            solid = body.solids[0]
            if len(solid.planes) == 6 and _cell_range(mins, maxs, refine) == body.range:
                # A walker that stays within its cells: by far the most frequent case.
                solid.planes = box_planes(mins, maxs)
                solid.mins = body.mins = mins
                solid.maxs = body.maxs = maxs
                solid.contents = int(contents)
                return
        self._link(number, (box_solid(mins, maxs, contents, number, material),), refine)

    def link_brushes(
        self, number: int, brushes: Sequence[Brush], origin: Vector, m: Matrix = IDENTITY,
        contents: Contents | None = None, refine: Refine | None = None,
    ) -> None:  # fmt: skip
        """Put an entity in the way as brushes around its origin; contents overrides the brushes' own."""
        solids = []
        for brush in brushes:
            solid = brush_solid(brush, origin, m, number)
            if contents is not None:
                solid.contents = int(contents)
            solids.append(solid)
        self._link(number, tuple(solids), refine)

    def unlink(self, number: int) -> None:
        body = self._bodies.pop(number, None)
        if body is not None:
            for cell in body.cells:
                del self._moving[cell][number]

    def _link(self, number: int, solids: tuple[Solid, ...], refine: Refine | None) -> None:
        self.unlink(number)
        if not solids:
            return
        mins = tuple(min(s.mins[i] for s in solids) for i in range(3))
        maxs = tuple(max(s.maxs[i] for s in solids) for i in range(3))
        low: Vector = (mins[0], mins[1], mins[2])
        high: Vector = (maxs[0], maxs[1], maxs[2])
        x0, x1, y0, y1 = cell_range = _cell_range(low, high, refine)
        cells = tuple((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))
        body = Body(solids, low, high, cells, cell_range, refine)
        self._bodies[number] = body
        for cell in body.cells:
            self._moving.setdefault(cell, {})[number] = body

    def body_numbers(self) -> list[int]:
        """All that have a body, in the order in which they came or changed their cells; the first wins a tie."""
        return list(self._bodies)

    def clear_bodies(self) -> None:
        self._bodies.clear()
        self._moving.clear()

    def body(self, number: int) -> Body | None:
        return self._bodies.get(number)

    def bodies_in(self, mins: Vector, maxs: Vector, mask: Contents) -> list[int]:
        """Numbers of the entities whose bounds overlap a box, in ascending order."""
        found: set[int] = set()
        bits = int(mask)
        for cell in _cells(mins, maxs):
            for number, body in self._moving.get(cell, {}).items():
                wanted = number not in found and any(s.contents & bits for s in body.solids)
                if wanted and _overlap(body.mins, body.maxs, mins, maxs):
                    found.add(number)
        return sorted(found)

    def bodies_across(self, start: Vector, end: Vector, mask: Contents) -> list[int]:
        """Numbers of all entities that a ray meets on its way, whatever stands in front of them."""
        met: list[int] = []
        while (number := self.trace(start, end, mask=mask, ignore=met).entity) is not None:
            met.append(number)
        return met

    # --- sweeps -----------------------------------------------------------------------------------------

    def trace(
        self, start: Vector, end: Vector, mins: Vector = ZERO, maxs: Vector = ZERO,
        mask: Contents = SHOT_MASK, ignore: Collection[int] = _NOBODY, *, bodies: bool = True,
    ) -> Trace:  # fmt: skip
        """Sweep the box mins..maxs around a point from start to end; a ray when both are zero.

        ignore holds numbers of entities that do not count. With bodies=False only the level counts.
        """
        centre = (mins[0] + maxs[0]) * 0.5, (mins[1] + maxs[1]) * 0.5, (mins[2] + maxs[2]) * 0.5
        half = (maxs[0] - mins[0]) * 0.5, (maxs[1] - mins[1]) * 0.5, (maxs[2] - mins[2]) * 0.5
        sweep = _Sweep(
            (start[0] + centre[0], start[1] + centre[1], start[2] + centre[2]),
            (end[0] + centre[0], end[1] + centre[1], end[2] + centre[2]),
            half,
        )
        self._stamp += 1
        stamp = self._stamp
        wanted = int(mask)
        static, moving = self._static, self._moving
        lx, ly, lz = sweep.low
        hx, hy, hz = sweep.high
        seen: set[int] = set()
        for cells, enters in _columns(sweep.start, sweep.end, half):
            if sweep.fraction < enters:
                break
            for cell in cells:
                # The hottest loop of the simulation: the bounds are compared here, without a call.
                for solid in static.get(cell, ()):
                    if solid.stamp != stamp:
                        solid.stamp = stamp
                        a, b = solid.mins, solid.maxs
                        if (
                            a[0] <= hx and b[0] >= lx and a[1] <= hy and b[1] >= ly
                            and a[2] <= hz and b[2] >= lz and solid.contents & wanted
                        ):  # fmt: skip
                            sweep.against(solid)
                if not bodies:
                    continue
                for number, body in moving.get(cell, {}).items():
                    if number in ignore or number in seen:
                        continue
                    seen.add(number)
                    for solid in body.solids:
                        if solid.contents & wanted:
                            if body.refine is not None and half == ZERO:
                                sweep.refined(body.refine, number, solid)
                            elif not sweep.misses(solid):
                                sweep.against(solid)
        return sweep.result(start, end)

    def overlapping(
        self, at: Vector, mins: Vector, maxs: Vector, mask: Contents, ignore: Collection[int] = _NOBODY
    ) -> bool:
        """Whether a box at a place is inside anything."""
        return self.trace(at, at, mins, maxs, mask, ignore).startsolid

    def touches_body(self, number: int, mins: Vector, maxs: Vector) -> bool:
        """Whether a box overlaps one entity's true shape, not only its bounds."""
        body = self._bodies.get(number)
        if body is None or not _overlap(body.mins, body.maxs, mins, maxs):
            return False
        centre = (mins[0] + maxs[0]) * 0.5, (mins[1] + maxs[1]) * 0.5, (mins[2] + maxs[2]) * 0.5
        half = (maxs[0] - mins[0]) * 0.5, (maxs[1] - mins[1]) * 0.5, (maxs[2] - mins[2]) * 0.5
        for solid in body.solids:
            if all(
                p[0] * centre[0] + p[1] * centre[1] + p[2] * centre[2]
                <= p[3] + p[4] * half[0] + p[5] * half[1] + p[6] * half[2]
                for p in solid.planes
            ):
                return True
        return False


class _Sweep:
    """One trace in progress: the nearest hit so far."""

    __slots__ = (
        "allsolid", "end", "entity", "fraction", "half", "high", "low", "normal", "part", "start",
        "startsolid", "surface",
    )  # fmt: skip

    def __init__(self, start: Vector, end: Vector, half: Vector) -> None:
        self.start = start
        self.end = end
        self.half = half
        sx, sy, sz = start
        ex, ey, ez = end
        rx, ry, rz = half[0] + 1.0, half[1] + 1.0, half[2] + 1.0
        self.low = (
            (sx if sx < ex else ex) - rx, (sy if sy < ey else ey) - ry, (sz if sz < ez else ez) - rz,
        )  # fmt: skip
        self.high = (
            (sx if sx > ex else ex) + rx, (sy if sy > ey else ey) + ry, (sz if sz > ez else ez) + rz,
        )  # fmt: skip
        self.fraction = 1.0
        self.normal: Vector = ZERO
        self.entity: int | None = None
        self.surface = ""
        self.part = ""
        self.startsolid = False
        self.allsolid = False

    def misses(self, solid: Solid, reach: float = 0.0) -> bool:
        low, high, mins, maxs = self.low, self.high, solid.mins, solid.maxs
        return (
            mins[0] - reach > high[0] or maxs[0] + reach < low[0]
            or mins[1] - reach > high[1] or maxs[1] + reach < low[1]
            or mins[2] - reach > high[2] or maxs[2] + reach < low[2]
        )  # fmt: skip

    def against(self, solid: Solid) -> None:
        """Sweep against one convex solid: the last plane entered before the first one left."""
        sx, sy, sz = self.start
        ex, ey, ez = self.end
        hx, hy, hz = self.half
        enter, leave = -1.0, 1.0
        starts_out = gets_out = False
        hit = None
        for plane in solid.planes:
            nx, ny, nz, d, ax, ay, az, _ = plane
            d += ax * hx + ay * hy + az * hz
            before = nx * sx + ny * sy + nz * sz - d
            after = nx * ex + ny * ey + nz * ez - d
            if after > 0.0:
                gets_out = True
            if before > 0.0:
                starts_out = True
                if after >= before or after >= EPSILON:
                    return
            elif after <= 0.0:
                continue
            if before > after:
                f = (before - EPSILON) / (before - after)
                if f < 0.0:
                    f = 0.0
                if f > enter:
                    enter = f
                    hit = plane
            else:
                f = (before + EPSILON) / (before - after)
                if f > 1.0:
                    f = 1.0
                if f < leave:
                    leave = f
        if not starts_out:
            self.startsolid = True
            if not gets_out:
                self.allsolid = True
                self.fraction = 0.0
                self.entity = solid.entity
                self.surface = solid.materials[0]
            return
        if hit is not None and enter < leave and enter < self.fraction:
            self.fraction = enter
            self.normal = hit[0], hit[1], hit[2]
            self.entity = solid.entity
            self.surface = solid.materials[hit[7]] if hit[7] >= 0 else solid.materials[0]
            self.part = ""

    def refined(self, refine: Refine, number: int, solid: Solid) -> None:
        if self.misses(solid, REFINE_REACH):
            return
        found = refine(self.start, self.end)
        if found is not None and found.fraction < self.fraction:
            self.fraction = found.fraction
            self.normal = found.normal
            self.entity = number
            self.surface = found.surface
            self.part = found.part

    def result(self, start: Vector, end: Vector) -> Trace:
        f = self.fraction
        position = end if f >= 1.0 else (
            start[0] + (end[0] - start[0]) * f,
            start[1] + (end[1] - start[1]) * f,
            start[2] + (end[2] - start[2]) * f,
        )  # fmt: skip
        return Trace(
            f, position, self.normal, self.entity, self.surface, self.part, self.startsolid, self.allsolid
        )


def _overlap(amin: Vector, amax: Vector, bmin: Vector, bmax: Vector) -> bool:
    return (
        amin[0] <= bmax[0] and amax[0] >= bmin[0]
        and amin[1] <= bmax[1] and amax[1] >= bmin[1]
        and amin[2] <= bmax[2] and amax[2] >= bmin[2]
    )  # fmt: skip


def _cell(at: float) -> int:
    """The column of a coordinate, which scripts may have made infinite or no number at all."""
    return floor((at if -EDGE < at < EDGE else EDGE if at > 0 else -EDGE) / CELL)


def _cell_range(mins: Vector, maxs: Vector, refine: Refine | None) -> tuple[int, int, int, int]:
    """First and last column in x and in y of a body, with room for what sticks out of its box."""
    reach = 1.0 if refine is None else REFINE_REACH
    return (
        _cell(mins[0] - reach), _cell(maxs[0] + reach),
        _cell(mins[1] - reach), _cell(maxs[1] + reach),
    )  # fmt: skip


def _cells(mins: Vector, maxs: Vector) -> Iterator[tuple[int, int]]:
    """The columns that a box touches, with an inch to spare on every side."""
    x0, x1 = _cell(mins[0] - 1.0), _cell(maxs[0] + 1.0)
    y0, y1 = _cell(mins[1] - 1.0), _cell(maxs[1] + 1.0)
    return ((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


def _columns(start: Vector, end: Vector, half: Vector) -> Iterator[tuple[list[tuple[int, int]], float]]:
    """Slices of columns across the longer horizontal direction, in the order of the sweep.

    Each comes with the fraction at which the sweep's box first reaches it.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    if -CELL < dx < CELL and -CELL < dy < CELL:
        # Short ways need no order.
        rx, ry = half[0] + 1.0, half[1] + 1.0
        x0 = _cell(min(start[0], end[0]) - rx)
        x1 = _cell(max(start[0], end[0]) + rx)
        y0 = _cell(min(start[1], end[1]) - ry)
        y1 = _cell(max(start[1], end[1]) + ry)
        yield [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)], 0.0
        return
    main = 0 if abs(dx) >= abs(dy) else 1
    other = 1 - main
    along = end[main] - start[main]
    reach = half[main] + 1.0
    low = _cell(min(start[main], end[main]) - reach)
    high = _cell(max(start[main], end[main]) + reach)
    if high - low <= 1 or along == 0.0:
        lo = _cell(min(start[other], end[other]) - half[other] - 1.0)
        hi = _cell(max(start[other], end[other]) + half[other] + 1.0)
        cells = [(i, j) if main == 0 else (j, i) for i in range(low, high + 1) for j in range(lo, hi + 1)]
        yield cells, 0.0
        return
    steps = range(low, high + 1) if along > 0 else range(high, low - 1, -1)
    slope = (end[other] - start[other]) / along
    for i in steps:
        near, far = i * CELL - reach, (i + 1) * CELL + reach
        if along < 0:
            near, far = far, near
        f0 = max(0.0, min(1.0, (near - start[main]) / along))
        f1 = max(0.0, min(1.0, (far - start[main]) / along))
        a = start[other] + slope * along * f0
        b = start[other] + slope * along * f1
        lo = _cell(min(a, b) - half[other] - 1.0)
        hi = _cell(max(a, b) + half[other] + 1.0)
        yield [(i, j) if main == 0 else (j, i) for j in range(lo, hi + 1)], f0
