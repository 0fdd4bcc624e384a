"""Where a picture without a player at the keys is taken from: the place that shows most of what is going on.

The level's viewpoints and the player's own eye compete, and where both see little, a camera set up for the occasion.
A place is as good as the animated figures that it shows: those at a middling distance, in motion, with no wall between,
and not at the picture's edge. Nothing here is random and nothing in the game changes because a picture is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.client.render.scene import Camera
from engine.world.view import FrameView, PlayerState, Vector, Viewpoint

HALF_WIDTH = 36.0
"""Degrees to either side that count as in the picture."""

STEP, TURN = 4, 28
"""Degrees from one heading that is tried to the next; how far a viewpoint may be turned from what its author chose."""

STILL = 2e-3
"""Change of a pose in a server frame below which it counts as lying still."""

CLEAR = 260.0
"""Inches before the camera that should hold nothing: a post or a rail there fills a picture that is about others."""

PORTRAIT = 135.0
"""Inches from the camera of a portrait to its figure."""

FAR = 3000.0
"""Inches towards the sun within which something may stand in its way."""

BESIDE = 240.0
"""Inches from a figure to a camera that is put up only for it."""

DAZZLE = 0.4
"""Part of its worth that a picture straight against the sun loses: what it shows is seen from its dark side."""

STRANGE = 0.85
"""What such a camera's picture is worth beside one from a place that the level or the player has chosen."""

BODY = 12
"""Bones from which an animated thing counts as somebody; a gate or a machine is worth less of a look."""

CHEST = 44.0
OWN_PITCH = 3.0
LOWER_EDGE = 24.0
"""Degrees down to the lower edge of a picture."""

Trace = Callable[[Vector, Vector], float]
"""The part (0..1) of the way from one point to another that is free."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A camera, and whether it is the player's own eye, so that a weapon belongs in the picture."""

    camera: Camera
    own: bool


@dataclass(frozen=True, slots=True)
class _Figure:
    chest: Vector
    weight: float
    moving: bool


def best_shot(
    before: FrameView,
    frame: FrameView,
    viewpoints: Sequence[Viewpoint],
    player: PlayerState | None,
    trace: Trace,
    sun: Vector = (0.0, 0.0, 1.0),
    fov: float = 80.0,
) -> Shot | None:
    """The best picture of this moment; None where nobody is to be seen. `sun` is the way from the ground to it."""
    own = player if player is not None and player.alive else None
    figures = _figures(before, frame)
    best: tuple[float, Shot] | None = None

    def offer(score: float, shot: Shot) -> None:
        nonlocal best
        against = math.radians(shot.camera.angles[1])
        score *= 1.0 - DAZZLE * max(0.0, math.cos(against) * sun[0] + math.sin(against) * sun[1])
        if score > 0 and (best is None or score > best[0] + 1e-9):
            best = score, shot

    for point in viewpoints:
        seen, clear = _seen(point.origin, figures, trace), _Clearance(point.origin, point.angles[0], trace)
        for turn in range(-TURN, TURN + 1, STEP):
            yaw = (point.angles[1] + turn) % 360.0
            camera = Camera(point.origin, (point.angles[0], yaw, 0.0), fov)
            faithful = 1.0 - 0.2 * abs(turn) / TURN
            offer(_score(seen, yaw) * clear.ahead(yaw) * faithful, Shot(camera, own=False))
    if own is not None:
        others = {n: figure for n, figure in figures.items() if n != own.entity}
        seen, clear = _seen(own.eye, others, trace), _Clearance(own.eye, OWN_PITCH, trace)
        for heading in range(0, 360, STEP):
            camera = Camera(own.eye, (OWN_PITCH, float(heading), 0.0), fov)
            offer(_score(seen, heading) * clear.ahead(heading), Shot(camera, own=True))
    for camera in _around(figures, trace, fov):
        seen = _seen(camera.position, figures, trace)
        free = _Clearance(camera.position, OWN_PITCH, trace).ahead(camera.angles[1])
        free *= _Clearance(camera.position, LOWER_EDGE, trace, 130.0).ahead(camera.angles[1])
        offer(_score(seen, camera.angles[1]) * free * STRANGE, Shot(camera, own=False))
    return best[1] if best is not None else None


def _around(figures: dict[int, _Figure], trace: Trace, fov: float) -> Iterator[Camera]:
    """Cameras at the height of an eye that look at each moving figure from where somebody could stand."""
    for figure in figures.values():
        if figure.weight < 1.0:
            continue
        x, y, z = figure.chest
        for degrees in range(0, 360, 30):
            across = math.radians(degrees)
            eye = x + math.cos(across) * BESIDE, y + math.sin(across) * BESIDE, z + 20.0
            if trace(figure.chest, eye) == 1.0 and not _crowded(eye, figures):
                yield Camera(eye, (OWN_PITCH, (degrees + 180.0) % 360.0, 0.0), fov)


def close_shot(
    before: FrameView,
    frame: FrameView,
    sun: Vector,
    trace: Trace,
    posts: Sequence[Vector] = (),
    fov: float = 62.0,
) -> Shot | None:
    """A portrait: a figure in motion near the camera, its face and the sun's light on it, best with company. Nobody
    is taken as he falls dead, his weapon in the air beside him.

    sun    direction from the ground to the sun
    posts  feet of slim things that no trace meets, such as lamps
    """
    figures = _figures(before, frame)
    best: tuple[float, Shot] | None = None
    for number, figure in figures.items():
        if not figure.moving or frame.entities[number].dying:
            continue
        facing = math.radians(frame.entities[number].angles[1])
        x, y, z = figure.chest
        in_sun = trace(figure.chest, (x + sun[0] * FAR, y + sun[1] * FAR, z + sun[2] * FAR)) == 1.0
        for degrees in range(0, 360, 20):
            way = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            toward = way[0] * math.cos(facing) + way[1] * math.sin(facing)
            eye = x + way[0] * PORTRAIT, y + way[1] * PORTRAIT, z + 12.0
            if toward < 0.1 or trace(figure.chest, eye) < 1.0:
                continue
            if _crowded(eye, figures) or any(_between(eye, figure.chest, post) for post in posts):
                continue
            yaw = (degrees + 180.0) % 360.0
            company = [(at, worth) for at, worth in _seen(eye, figures, trace, PORTRAIT - 1.0) if worth > 0.5]
            lit = way[0] * sun[0] + way[1] * sun[1] if in_sun else -0.8
            score = figure.weight * (1.0 + 1.6 * _score(company, yaw) + 0.5 * toward + 0.8 * lit)
            score *= _Clearance(eye, 0.0, trace, PORTRAIT * 0.7).ahead(yaw)
            if best is None or score > best[0] + 1e-9:
                # A little aside, so that the company has room.
                middle = sum(worth * _apart(at, yaw) for at, worth in company) / max(len(company), 1)
                best = score, Shot(Camera(eye, (5.0, yaw + max(-9.0, min(9.0, middle)), 0.0), fov), own=False)
    return best[1] if best is not None else None


def _crowded(eye: Vector, figures: dict[int, _Figure]) -> bool:
    """Whether somebody stands so close to a camera that they would fill its picture."""
    return any(math.dist(eye, figure.chest) < 0.8 * PORTRAIT for figure in figures.values())


def _between(eye: Vector, chest: Vector, post: Vector) -> bool:
    """Whether a post hides a figure, or part of it."""
    along = chest[0] - eye[0], chest[1] - eye[1]
    to = post[0] - eye[0], post[1] - eye[1]
    part = (to[0] * along[0] + to[1] * along[1]) / (along[0] ** 2 + along[1] ** 2)
    aside = abs(to[0] * along[1] - to[1] * along[0]) / math.hypot(*along)
    return 0.0 < part < 1.0 and aside < 30.0 and abs(post[2] - eye[2]) < 120.0


def size_in_picture(distance: float) -> float:
    """0..1: how well a figure at a distance in inches reads. Best from 200 to 500, nothing below 90 and beyond 1500."""
    return float(np.interp(distance, (90, 200, 500, 900, 1500), (0.0, 1.0, 1.0, 0.55, 0.0)))


def _figures(before: FrameView, frame: FrameView) -> dict[int, _Figure]:
    moving = _moving(before, frame)
    figures: dict[int, _Figure] = {}
    for number, state in frame.entities.items():
        if state.pose is None or not state.visible:
            continue
        chest = state.origin[0], state.origin[1], state.origin[2] + CHEST
        body = len(frame.poses[state.pose[0]].skeleton) >= BODY
        weight = (1.0 if number in moving else 0.1) * (1.0 if body else 0.3)
        figures[number] = _Figure(chest, weight, number in moving)
    return figures


def _seen(
    eye: Vector, figures: dict[int, _Figure], trace: Trace, near: float = 0.0
) -> list[tuple[float, float]]:
    """(yaw, worth) of every figure that can be seen from a place; from `near` inches on, close ones are no worse."""
    seen: list[tuple[float, float]] = []
    for figure in figures.values():
        distance = math.dist(eye, figure.chest)
        worth = figure.weight * size_in_picture(max(distance, 200.0) if 0 < near < distance else distance)
        if worth > 0 and trace(eye, figure.chest) > 0.97:
            yaw = math.degrees(math.atan2(figure.chest[1] - eye[1], figure.chest[0] - eye[0]))
            seen.append((yaw, worth))
    return seen


class _Clearance:
    """How much of what lies before a place is free, by heading; rays are shared by the headings tried."""

    def __init__(self, eye: Vector, pitch: float, trace: Trace, reach: float = CLEAR) -> None:
        self._eye, self._pitch, self._trace, self._reach = eye, pitch, trace, reach
        self._known: dict[int, float] = {}

    def ahead(self, heading: float) -> float:
        """0..1 over the width of a picture; 1 where nothing is near."""
        around = range(-int(HALF_WIDTH), int(HALF_WIDTH) + 1, STEP)
        free = [self._ray(round(heading + off) // STEP * STEP % 360) for off in around]
        return (sum(free) / len(free)) ** 2

    def _ray(self, yaw: int) -> float:
        known = self._known.get(yaw)
        if known is None:
            across, up = math.radians(yaw), math.radians(-self._pitch)
            x, y, z = self._eye
            flat = self._reach * math.cos(up)
            end = x + flat * math.cos(across), y + flat * math.sin(across), z + self._reach * math.sin(up)
            known = self._known[yaw] = self._trace(self._eye, end)
        return known


def _score(seen: Sequence[tuple[float, float]], heading: float) -> float:
    total = 0.0
    for yaw, worth in seen:
        off = abs(_apart(yaw, heading))
        total += worth * max(0.0, 1.0 - (off / HALF_WIDTH) ** 2)
    return total


def _apart(yaw: float, heading: float) -> float:
    """Degrees from a heading to a yaw, -180..180."""
    return (yaw - heading + 180.0) % 360.0 - 180.0


def _moving(before: FrameView, frame: FrameView) -> set[int]:
    """Entities whose place or pose has changed since the frame before."""
    found: set[int] = set()
    for number, state in frame.entities.items():
        old = before.entities.get(number)
        if old is None or old.pose is None or state.pose is None:
            continue
        now, then = frame.poses[state.pose[0]].local, before.poses[old.pose[0]].local
        same_bones = now.shape[2] == then.shape[2]
        change = np.abs(now[state.pose[1]] - then[old.pose[1]]).max() if same_bones else 1.0
        if state.origin != old.origin or change > STILL:
            found.add(number)
    return found
