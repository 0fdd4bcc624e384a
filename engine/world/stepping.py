"""Walking of actors: one step along the ground, over low things, along walls. Cheaper than a player's movement."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import hypot

from engine.world.angles import Vector, circle
from engine.world.collision import Collision
from engine.world.surfaces import MOVE_MASK, WORLD_MASK, Contents

STEP = 18.0
HALF = 13.0
HEIGHT = 68.0
_FOOT = 6.0
_LITTLE = 0.35
"""Sliding along a wall by less than this share of the step counts as standing before it."""
_EVADE = (50.0, -50.0, 95.0, -95.0, 140.0, -140.0)


@dataclass(frozen=True, slots=True)
class Stride:
    """Where a step ended.

    grounded says whether there is ground, blocked_by what body stood in the way, turn by how many degrees the step
    left its direction to go round it.
    """

    position: Vector
    grounded: bool
    surface: str = ""
    ground_entity: int | None = None
    blocked: bool = False
    blocked_by: int | None = None
    turn: float = 0.0


def stride(
    space: Collision,
    position: Vector,
    delta: tuple[float, float],
    ignore: Collection[int],
    around: float = 0.0,
) -> Stride:
    """Move by `delta` on the level, then down onto the ground (up or down by no more than a step).

    around is the turn of the step before, when that went round somebody: it is tried first, so that nobody
    swings to and fro.
    """
    x, y, z = position
    blocked, blocker, turned = False, None, 0.0
    if delta != (0.0, 0.0):
        gone, blocked, blocker = _go(space, position, *_turned(delta, around), ignore)
        turned = around
        if blocked and around:
            gone, blocked, blocker = _go(space, position, *delta, ignore)
            turned = 0.0
        made = hypot(gone[0] - x, gone[1] - y)
        if blocked and (
            made < _LITTLE * hypot(*delta) or (blocker is not None and _is_walker(space, blocker))
        ):
            # Everybody goes round by the same side first, so that two who meet do not mirror each other.
            for turn in _EVADE:
                other, stopped, _ = _go(space, position, *_turned(delta, turn), ignore)
                if not stopped:
                    gone, turned = other, turn
                    break
        x, y = gone
    start, end = (x, y, z + STEP), (x, y, z - STEP)
    down = space.trace(start, end, (-_FOOT, -_FOOT, 0.0), (_FOOT, _FOOT, HEIGHT - STEP), MOVE_MASK, ignore)
    if down.startsolid:
        return Stride(position, True, "", None, True, blocker, turned)
    if down.fraction < 1.0 and down.normal[2] > 0.5:
        return Stride((x, y, down.position[2]), True, down.surface, down.entity, blocked, blocker, turned)
    return Stride((x, y, z), False, "", None, blocked, blocker, turned)


def _turned(delta: tuple[float, float], degrees: float) -> tuple[float, float]:
    if not degrees:
        return delta
    c, s = circle(degrees)
    return delta[0] * c - delta[1] * s, delta[0] * s + delta[1] * c


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
