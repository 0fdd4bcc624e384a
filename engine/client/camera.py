"""Where the viewer's eye is: in the head with the sway of walking, or behind the shoulder without going
through walls."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from engine.client.render.scene import Camera, axes
from engine.world.view import PlayerState, Shake, Vector

BEHIND, ABOVE, ASIDE = 96.0, 12.0, 14.0
"""Inches from the eye to the camera of the third person."""

STRIDE = 62.0
"""Inches of way for one swing of the head from side to side and back."""

SHOVE = 15.5 * math.e
"""Degrees a second that throw the view by one degree before it comes back: the spring's top is at 1 / (e 15.5)."""

_STEP_SMOOTH = 12.0
_MAX_STEP = 22.0

Trace = Callable[[Vector, Vector], float]
"""The part (0..1) of the way from one point to another that is free."""


@dataclass(slots=True)
class _Kick:
    """A spring that is pushed by a shot and comes back: value and speed in degrees."""

    value: float = 0.0
    speed: float = 0.0

    def push(self, speed: float) -> None:
        self.speed += speed

    def step(self, seconds: float) -> None:
        # Critically damped, in small steps so that a slow picture cannot make it swing.
        for _ in range(max(1, math.ceil(seconds / 0.002))):
            dt = min(seconds, 0.002)
            self.speed += (-260.0 * self.value - 30.0 * self.speed) * dt
            self.value += self.speed * dt
            seconds -= dt


@dataclass(slots=True)
class _Quake:
    shake: Shake
    left: float


class View:
    """The local player's camera. `step` once a picture, then `camera`."""

    def __init__(self, fov: float = 80.0) -> None:
        self.fov = fov
        self.third_person = False
        self.bob = 0.0
        """Phase of the walk, in strides; the hands sway with it."""
        self.bob_size = 0.0
        self._pitch_kick, self._yaw_kick, self._roll = _Kick(), _Kick(), _Kick()
        self._shots: int | None = None
        self._hurt: int | None = None
        self._eye_z: float | None = None
        self._time = 0.0
        self._quakes: list[_Quake] = []
        self._death = 0.0

    def shake(self, shake: Shake) -> None:
        self._quakes.append(_Quake(shake, shake.duration))

    def step(self, player: PlayerState, seconds: float) -> None:
        self._time += seconds
        speed = math.hypot(player.velocity[0], player.velocity[1])
        walking = speed if player.on_ground and player.alive else 0.0
        self.bob = (self.bob + walking * seconds / STRIDE) % 1.0
        wanted = min(walking / 280.0, 1.0)
        self.bob_size += (wanted - self.bob_size) * min(1.0, seconds * 8.0)
        self._react(player)
        for kick in (self._pitch_kick, self._yaw_kick, self._roll):
            kick.step(seconds)
        self._smooth_steps(player.eye[2], seconds)
        self._death = 0.0 if player.alive else min(1.0, self._death + seconds * 1.6)
        for quake in self._quakes:
            quake.left -= seconds
        self._quakes = [q for q in self._quakes if q.left > 0]

    def _react(self, player: PlayerState) -> None:
        if self._shots is not None and player.shots > self._shots:
            up, aside = player.kick
            self._pitch_kick.push(-up * SHOVE)
            self._yaw_kick.push(aside * SHOVE)
        self._shots = player.shots
        if self._hurt is not None and player.hurt > self._hurt:
            away = math.radians(player.hurt_from - player.view[1])
            self._roll.push(70.0 * math.sin(away))
            self._pitch_kick.push(30.0 * math.cos(away))
        self._hurt = player.hurt

    def _smooth_steps(self, height: float, seconds: float) -> None:
        """Stairs lift the body at once; the eye follows in a tenth of a second."""
        if self._eye_z is None or abs(height - self._eye_z) > _MAX_STEP:
            self._eye_z = height
        self._eye_z += (height - self._eye_z) * min(1.0, seconds * _STEP_SMOOTH)

    def camera(self, player: PlayerState, trace: Trace | None = None) -> Camera:
        swing = math.sin(2 * math.pi * self.bob)
        dip = abs(math.cos(2 * math.pi * self.bob))
        size = self.bob_size
        pitch = player.view[0] + self._pitch_kick.value + 0.25 * dip * size
        yaw = player.view[1] + self._yaw_kick.value
        roll = player.view[2] + self._roll.value + 0.35 * swing * size
        shake = self._shake_at(player.eye)
        angles = pitch + shake[0], yaw + shake[1], roll + shake[2] + 38.0 * self._death
        z = player.eye[2] if self._eye_z is None else self._eye_z
        eye = player.eye[0], player.eye[1], z - 1.6 * dip * size - 42.0 * self._death * self._death
        fov = self.fov * (1 - 0.28 * player.ads)
        if self.third_person:
            return Camera(behind(player.eye, angles, trace), angles, self.fov)
        _, left, _ = axes(angles)
        aside = -0.9 * swing * size
        moved = eye[0] + float(left[0]) * aside, eye[1] + float(left[1]) * aside, eye[2]
        return Camera(moved, angles, fov)

    def _shake_at(self, eye: Vector) -> Vector:
        total = 0.0
        for quake in self._quakes:
            near = max(0.0, 1 - math.dist(quake.shake.origin, eye) / max(quake.shake.radius, 1.0))
            total += quake.shake.scale * near * quake.left / max(quake.shake.duration, 0.01)
        t = self._time
        return (
            total * 6.0 * math.sin(t * 37.0),
            total * 5.0 * math.sin(t * 31.0 + 1.3),
            total * 4.0 * math.sin(t * 43.0 + 2.1),
        )


def behind(eye: Vector, angles: Vector, trace: Trace | None) -> Vector:
    """A place behind the right shoulder, drawn in where a wall is in between."""
    forward, left, _ = axes(angles)
    target = (
        eye[0] - float(forward[0]) * BEHIND - float(left[0]) * ASIDE,
        eye[1] - float(forward[1]) * BEHIND - float(left[1]) * ASIDE,
        eye[2] - float(forward[2]) * BEHIND + ABOVE,
    )
    free = 1.0 if trace is None else max(0.0, trace(eye, target) - 0.06)
    return (
        eye[0] + (target[0] - eye[0]) * free,
        eye[1] + (target[1] - eye[1]) * free,
        eye[2] + (target[2] - eye[2]) * free,
    )
