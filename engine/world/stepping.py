"""Walking of actors: one step along the ground, over low things, along walls. Cheaper than a player's movement."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import cos, hypot, radians, sin

from engine.world.angles import Vector
from engine.world.collision import Collision
from engine.world.surfaces import MOVE_MASK, WORLD_MASK, Contents

STEP = 18.0
HALF = 13.0
HEIGHT = 68.0
_FOOT = 6.0
_EVADE = (50.0, -50.0, 95.0, -95.0)


@dataclass(frozen=True, slots=True)
class Stride:
    """Where a step ended. grounded says whether there is ground; blocked_by what body stood in the way."""

    position: Vector
    grounded: bool
    surface: str = ""
    ground_entity: int | None = None
    blocked: bool = False
    blocked_by: int | None = None


def stride(
    space: Collision, position: Vector, delta: tuple[float, float], number: int, ignore: Collection[int]
) -> Stride:
    """Move by `delta` on the level, then down onto the ground (up or down by no more than a step)."""
    x, y, z = position
    blocked, blocker = False, None
    dx, dy = delta
    if dx or dy:
        gone, blocked, blocker = _go(space, position, dx, dy, ignore)
        if blocker is not None and _is_walker(space, blocker):
            # Somebody is in the way: go round, everybody by the same side, so that two do not mirror each other.
            for turn in _EVADE:
                c, s = cos(radians(turn)), sin(radians(turn))
                other, stopped, _ = _go(space, position, dx * c - dy * s, dx * s + dy * c, ignore)
                if not stopped:
                    gone = other
                    break
        x, y = gone
    down = space.trace(
        (x, y, z + STEP),
        (x, y, z - STEP),
        (-_FOOT, -_FOOT, 0.0),
        (_FOOT, _FOOT, HEIGHT - STEP),
        MOVE_MASK,
        ignore,
    )
    if down.startsolid:
        return Stride(position, True, "", None, True, blocker)
    if down.fraction < 1.0 and down.normal[2] > 0.5:
        return Stride((x, y, down.position[2]), True, down.surface, down.entity, blocked, blocker)
    return Stride((x, y, z), False, "", None, blocked, blocker)


def _is_walker(space: Collision, number: int) -> bool:
    body = space.body(number)
    return body is not None and any(solid.contents & Contents.BODY for solid in body.solids)


def _go(
    space: Collision, position: Vector, dx: float, dy: float, ignore: Collection[int]
) -> tuple[tuple[float, float], bool, int | None]:
    """Sweep everything above step height by (dx, dy); along a wall with what is left."""
    x, y, z = position
    mins, maxs = (-HALF, -HALF, STEP), (HALF, HALF, HEIGHT)
    trace = space.trace((x, y, z), (x + dx, y + dy, z), mins, maxs, MOVE_MASK, ignore)
    if trace.startsolid:
        # Already inside something, such as a body that spawned here: walk out rather than stand for ever.
        free = space.trace((x, y, z), (x + dx, y + dy, z), mins, maxs, WORLD_MASK, ignore)
        return (free.position[0], free.position[1]), False, None
    gx, gy = trace.position[0], trace.position[1]
    if trace.fraction >= 1.0:
        return (gx, gy), False, None
    nx, ny = trace.normal[0], trace.normal[1]
    size = hypot(nx, ny)
    if size > 0.1:
        nx, ny = nx / size, ny / size
        rx, ry = x + dx - gx, y + dy - gy
        into = rx * nx + ry * ny
        sx, sy = rx - into * nx * 1.01, ry - into * ny * 1.01
        slid = space.trace((gx, gy, z), (gx + sx, gy + sy, z), mins, maxs, MOVE_MASK, ignore)
        if not slid.startsolid:
            gx, gy = slid.position[0], slid.position[1]
    return (gx, gy), True, trace.entity
