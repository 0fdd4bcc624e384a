"""Where a preview stands: a floor with a grid, soft light, and a camera that goes round the figure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from engine.client.render.scene import Camera, Float32, ModelBatch
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.placeholder import root_skeleton
from engine.world.view import Atmosphere, Vector

AIR = Atmosphere(
    sun_direction=(0.52, 0.47, 0.713),
    sun_color=(2.1, 1.9, 1.6),
    sky_color=(0.42, 0.48, 0.56),
    ground_color=(0.24, 0.22, 0.2),
    fog_color=(0.33, 0.36, 0.4),
    fog_start=500.0,
    fog_end=2600.0,
    fog_density=1.0,
)

_CLEAR, _HAZE = 1.5, 6.0
"""Distances of the camera up to which the air is clear, and at which it is dense."""

CELL = 16.0
"""Inches between two lines of the grid; every fourth is stronger."""

FIELD = 768.0
"""Half the width of the grid."""

_FLOOR, _LINE, _STRONG, _AHEAD, _LEFT = (
    (92, 94, 97), (80, 82, 85), (62, 64, 68), (158, 82, 62), (84, 128, 76),
)  # fmt: skip
_OUTER = 6000.0
_SUNK = 8.0
"""Inches that a model may reach into the floor, as posts and soles do, without hanging."""

_AIR_AROUND = 1.06

NEAREST = 3.0
"""Inches; a camera that is nearer to what it looks at sees only what is behind it."""

UNSEEN, _OVERVIEW = 0.05, 120.0
"""Inches; what a camera would have to be so near to is a point to it, and it shows the floor that the point is on."""

_NEAR, _FAR = 2.0, 16000.0
_NEAR_PART, _FAR_TIMES = 1 / 1000, 4.0
"""What a camera sees, in inches, and in its distances where it is far away."""

FRONT, SIDE, ABOVE = (0.0, 4.0), (270.0, 4.0), (0.0, 88.0)
"""Yaw and pitch of an `Orbit` that sees the figure's face, its right side, and its head from above."""


@cache
def floor() -> Model:
    """The floor: lines every CELL inches, x (ahead) red and y (left) green, as in Blender."""
    quads: list[tuple[float, float, float, float, float, tuple[int, int, int]]] = [
        (-_OUTER, -_OUTER, _OUTER, _OUTER, -0.15, _FLOOR)
    ]
    count = int(FIELD / CELL)
    for number in range(-count, count + 1):
        at, strong = number * CELL, number % 4 == 0
        half, height = (0.3, -0.08) if strong else (0.16, -0.1)
        color = _STRONG if strong else _LINE
        quads.append((-FIELD, at - half, FIELD, at + half, height, _AHEAD if number == 0 else color))
        quads.append((at - half, -FIELD, at + half, FIELD, height, _LEFT if number == 0 else color))
    positions = [
        (x, y, z) for x0, y0, x1, y1, z, _ in quads for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    ]
    colors = [(*color, 255) for *_, color in quads for _ in range(4)]
    faces = [
        (4 * q + a, 4 * q + b, 4 * q + c) for q in range(len(quads)) for a, b, c in ((0, 1, 2), (0, 2, 3))
    ]
    vertices = len(positions)
    weights = np.zeros((vertices, 4), np.float32)
    weights[:, 0] = 1.0
    mesh = Mesh(
        name="floor",
        material=0,
        positions=np.array(positions, np.float32),
        normals=np.tile(np.array([0, 0, 1], np.float32), (vertices, 1)),
        uvs=np.zeros((vertices, 2), np.float32),
        colors=np.array(colors, np.uint8),
        joints=np.zeros((vertices, 4), np.uint16),
        weights=weights,
        indices=np.array(faces, np.uint32),
    )
    corner = FIELD
    return Model(
        name="floor",
        skeleton=root_skeleton(),
        meshes=(mesh,),
        materials=(Material("floor"),),
        textures=(),
        bounds=((-corner, -corner, -1.0), (corner, corner, 0.0)),
    )


def floor_batch(near: Vector = (0.0, 0.0, 0.0), model: Model | None = None) -> ModelBatch:
    """The floor, moved by whole strong cells so that a figure that travels never comes to its edge. It lies below a
    model that hangs from its origin."""
    place = np.eye(3, 4, dtype=np.float32)
    step = CELL * 4
    place[:2, 3] = round(near[0] / step) * step, round(near[1] / step) * step
    if model is not None:
        lowest = model.bounds[0][2]
        place[2, 3] = lowest if lowest < -_SUNK else 0.0
    return ModelBatch(floor(), place[None])


def air_at(distance: float) -> Atmosphere:
    """The air for a camera so far from the figure: what is large is seen from afar, and not through haze."""
    start, end = max(AIR.fog_start, _CLEAR * distance), max(AIR.fog_end, _HAZE * distance)
    return replace(AIR, fog_start=start, fog_end=end)


@dataclass(slots=True)
class Orbit:
    """A camera that looks at `target` from `distance`; yaw and pitch in degrees, pitch positive from above. `aside` is
    how far right of the middle of the picture, and how far below it, the target is seen, in widths of the picture."""

    target: Float32 = field(default_factory=lambda: np.array([0.0, 0.0, 36.0], np.float32))
    yaw: float = 38.0
    pitch: float = 12.0
    distance: float = 170.0
    fov: float = 40.0
    aside: tuple[float, float] = (0.0, 0.0)

    def drag(self, dx: float, dy: float) -> None:
        """Turn by pixels of the mouse."""
        self.yaw = (self.yaw - dx * 0.35) % 360.0
        self.pitch = min(88.0, max(-20.0, self.pitch + dy * 0.3))

    def look_from(self, yaw: float, pitch: float) -> None:
        """Go round to a side of the figure."""
        self.yaw, self.pitch = yaw, pitch

    def zoom(self, steps: float) -> None:
        """Come nearer by turns of the wheel."""
        self.distance = min(2500.0, max(12.0, self.distance * 0.88**steps))

    def pixel(self, width: float) -> float:
        """Inches of a pixel at the target, in a picture so many pixels wide."""
        return 2 * self.distance * math.tan(math.radians(self.fov) / 2) / max(width, 1)

    def pan(self, dx: float, dy: float, width: float) -> None:
        """Move the target with the mouse; `width` of the picture in pixels."""
        self.target += self._moved(dx, dy) * np.float32(self.pixel(width))

    def _moved(self, dx: float, dy: float) -> Float32:
        """The way that the target goes when the picture is dragged."""
        yaw = math.radians(self.yaw)
        left = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        return np.asarray(left * dx + np.array([0, 0, 1.0]) * dy, np.float32)

    def frame(self, points: Float32, aspect: float) -> None:
        """Look at the middle of (N, 3) points from just far enough to see all of them, and not from within them."""
        low, high = points.min(axis=0), points.max(axis=0)
        self.target = np.asarray((low + high) / 2, np.float32)
        away = self._away()
        right = np.array([-away[1], away[0], 0.0]) / max(math.hypot(away[0], away[1]), 1e-6)
        offsets = points - self.target
        half = math.tan(math.radians(self.fov) / 2)
        across = np.abs(offsets @ right) / half
        tall = np.abs(offsets @ np.cross(away, right)) * aspect / half
        distance = float((offsets @ away + _AIR_AROUND * np.maximum(across, tall)).max())
        self.distance = max(NEAREST, distance) if distance > UNSEEN else _OVERVIEW

    def _away(self) -> Float32:
        """Unit vector from the target to the camera."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        flat = math.cos(pitch)
        return np.array([math.cos(yaw) * flat, math.sin(yaw) * flat, math.sin(pitch)], np.float32)

    def camera(self, follow: Vector = (0.0, 0.0, 0.0)) -> Camera:
        """The camera, moved along with what it follows."""
        target = self.target + np.asarray(follow) + self._moved(*self.aside) * self.pixel(1.0)
        eye = target + self._away() * self.distance
        eye[2] = max(eye[2], 2.0)
        look = target - eye
        flat = math.hypot(look[0], look[1])
        angles = (-math.degrees(math.atan2(look[2], flat)), math.degrees(math.atan2(look[1], look[0])), 0.0)
        near, far = max(_NEAR, _NEAR_PART * self.distance), max(_FAR, _FAR_TIMES * self.distance)
        return Camera((float(eye[0]), float(eye[1]), float(eye[2])), angles, self.fov, near, far)
