"""The weapon in the viewer's hands: carried with a sway, kicked by shots, dipped while it is loaded, raised
to the eye."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.anim import pose
from engine.anim.skeleton import Float32
from engine.client.hands import left_arm, right_arm
from engine.client.interpolate import combine
from engine.client.render.scene import CLOSE_FOV, Camera, ModelBatch, placed
from engine.pipeline.model import Model
from engine.world.view import PlayerState, Vector

CARRIED: Vector = (14.0, -6.2, -7.0)
"""Where the grip is in front of the eye: forward, left, up."""

AIMED: Vector = (9.5, 0.0, -3.72)
"""Close enough that the stock is behind the eye, high enough that the eye is in line with the sights."""

FLASH_SECONDS = 0.05


def _ease(t: float) -> float:
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


class ViewModel:
    """`step` once a picture, then `batches`."""

    def __init__(self) -> None:
        self._kick = 0.0
        self._shots: int | None = None
        self._lag = np.zeros(2)
        self._view: tuple[float, float] | None = None
        self._aim = 0.0
        self._drop = 1.0
        self._run = 0.0
        self._time = 0.0
        self.flash = 0.0
        """Seconds for which the muzzle still burns."""
        self.muzzle: Float32 | None = None
        """Where the muzzle seems to be in the place's own field of view; None for empty hands."""

    def step(self, player: PlayerState, seconds: float) -> None:
        self._time += seconds
        if self._shots is not None and player.shots > self._shots:
            self._kick, self.flash = 1.0, FLASH_SECONDS
        self._shots = player.shots
        self._kick *= math.exp(-seconds * 11.0)
        self.flash = max(0.0, self.flash - seconds)
        self._aim += (player.ads - self._aim) * min(1.0, seconds * 14.0)
        hidden = not player.alive or not player.weapon_model or player.weapon_state in ("raising", "lowering")
        self._drop += (float(hidden) - self._drop) * min(1.0, seconds * 9.0)
        sprinting = player.sprinting and math.hypot(*player.velocity[:2]) > 200
        self._run += (float(sprinting) - self._run) * min(1.0, seconds * 7.0)
        # The weapon lags behind a turn of the view and catches up.
        if self._view is not None and seconds > 0:
            turned = np.array(
                ((player.view[1] - self._view[1] + 180) % 360 - 180, player.view[0] - self._view[0])
            )
            self._lag = np.clip(self._lag + turned * 0.10, -2.4, 2.4)
        self._lag *= math.exp(-seconds * 9.0)
        self._view = player.view[0], player.view[1]

    def _reload(self, player: PlayerState) -> float:
        """0..1: how far the weapon is taken down to be loaded."""
        if player.weapon_state != "reloading" or player.weapon_length <= 0:
            return 0.0
        t = player.weapon_time / player.weapon_length
        return _ease(t / 0.16) * (1 - _ease((t - 0.82) / 0.18))

    def batches(
        self, player: PlayerState, camera: Camera, bob: float, bob_size: float, models: Callable[[str], Model]
    ) -> list[ModelBatch]:
        """The weapon and both arms, placed before the camera; nothing for empty hands."""
        self.muzzle = None
        if not player.weapon_model or self._drop > 0.97:
            return []
        aim, loading, run = self._aim, self._reload(player), self._run
        calm = 1 - 0.85 * aim
        swing, dip = math.sin(2 * math.pi * bob), abs(math.cos(2 * math.pi * bob))
        breath = math.sin(self._time * 1.7)
        place = np.array(CARRIED) * (1 - aim) + np.array(AIMED) * aim
        place += np.array((0.0, 0.55 * swing, -0.45 * dip)) * bob_size * calm * (1 + run)
        place += np.array((0.0, 0.0, 0.10 * breath)) * calm
        place += np.array((-1.9, 0.0, 0.25)) * self._kick * (1 - 0.4 * aim)
        place += np.array((-0.5, 2.6, -0.6)) * loading + np.array((-1.0, 1.8, 1.0)) * run * (1 - aim)
        place[2] -= 12.0 * self._drop
        pitch = (
            -3.2 * self._kick
            - 13.0 * loading
            + 6.0 * run * (1 - aim)
            + 34.0 * self._drop
            + self._lag[1] * 0.8
        )
        yaw = 2.0 * (1 - aim) + 30.0 * run * (1 - aim) + 13.0 * loading - self._lag[0]
        roll = -24.0 * loading - 3.0 * swing * bob_size * calm - self._lag[0] * 1.5
        angles = np.array((pitch, yaw, roll))
        local = placed(_triple(place), _triple(angles))
        world = combine(placed(camera.position, camera.angles), local)
        weapon = models(player.weapon_model)
        self.muzzle = _seen_muzzle(weapon, local, camera)
        parts = [(weapon, combine(world, grip_offset(weapon))), (right_arm(), world)]
        reach = math.sin(
            min(max((player.weapon_time / max(player.weapon_length, 1) - 0.15) / 0.6, 0.0), 1.0) * math.pi
        )
        hand = placed(
            (-9.0 * reach * loading, 3.0 * reach * loading, -7.0 * reach * loading), (0.0, 0.0, 0.0)
        )
        parts.append((left_arm(), combine(world, hand)))
        return [ModelBatch(model, transform[None], close=True) for model, transform in parts]


def _seen_muzzle(weapon: Model, local: Float32, camera: Camera) -> Float32 | None:
    """The world's place that is seen where the muzzle is: the hands are drawn through a narrower lens."""
    bone = weapon.skeleton.index.get("tag_flash")
    if bone is None:
        return None
    rest = pose.model_matrices(weapon.skeleton.rest[None], weapon.skeleton)[0, bone]
    ahead = combine(combine(local, grip_offset(weapon)), rest)[:, 3]
    wider = math.tan(math.radians(camera.fov) / 2) / math.tan(math.radians(CLOSE_FOV) / 2)
    ahead = ahead * np.array((1.0, wider, wider), np.float32)
    frame = placed(camera.position, camera.angles)
    return np.asarray(frame[:, :3] @ ahead + frame[:, 3], np.float32)


def _triple(values: NDArray[np.float64]) -> Vector:
    return float(values[0]), float(values[1]), float(values[2])


def grip_offset(weapon: Model) -> Float32:
    """What puts a weapon's grip at the origin: its `tag_grip` or `tag_weapon` bone where it has one, else
    its own origin."""
    index = weapon.skeleton.index
    bone = next(
        (index[name] for name in ("tag_grip", "tag_weapon", "tag_weapon_right") if name in index), None
    )
    offset = np.eye(4, dtype=np.float32)[:3]
    if bone is not None:
        rest = pose.model_matrices(weapon.skeleton.rest[None], weapon.skeleton)[0, bone]
        offset[:, 3] = -rest[:, 3]
    return offset
