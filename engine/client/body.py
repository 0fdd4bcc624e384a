"""The local player's own body, for the third person, where the game gives its entity no model.

A soldier who does what the player does; what it plays is chosen from the player's state alone, and nothing here
reaches the game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.anim import pose
from engine.anim.clip import Clip
from engine.anim.skeleton import Float32, Skeleton
from engine.client.interpolate import combine
from engine.client.render.scene import ModelBatch, placed
from engine.client.session_assets import Library
from engine.world.view import PlayerState

MODELS = {"axis": "soldier_grey"}
"""Body by team; every other team has `STANDARD`."""

STANDARD = "soldier_olive"
FADE = 0.16
"""Seconds from one clip to the next."""

_MOVING = 12.0
_RUNNING = 130.0


@dataclass(slots=True)
class _Playing:
    name: str
    clip: Clip
    at: float = 0.0  # seconds into the clip


def chosen(player: PlayerState) -> str:
    """The clip that suits what the player does."""
    if not player.alive:
        return "soldier_death_a"
    yaw = math.radians(player.view[1])
    ahead = player.velocity[0] * math.cos(yaw) + player.velocity[1] * math.sin(yaw)
    aside = -player.velocity[0] * math.sin(yaw) + player.velocity[1] * math.cos(yaw)
    speed = math.hypot(ahead, aside)
    if player.stance == "crouch":
        return "soldier_crouch_walk" if speed > _MOVING else "soldier_crouch"
    if speed > _MOVING:
        if abs(aside) > abs(ahead) * 1.4:
            return "soldier_strafe_left" if aside > 0 else "soldier_strafe_right"
        if ahead < 0:
            return "soldier_walk_back"
        return "soldier_run" if speed > _RUNNING else "soldier_walk"
    if player.weapon_state == "reloading":
        return "soldier_reload"
    return "soldier_fire" if player.weapon_state == "firing" else "soldier_aim"


def sample(clip: Clip, seconds: float, skeleton: Skeleton) -> Float32:
    """The pose (8, B) of a clip at a time; bones without a track keep their rest pose."""
    local = skeleton.rest.copy()
    place = seconds * clip.fps
    first = min(int(place), clip.frames - 1)
    rows = clip.rows[[first, min(first + 1, clip.frames - 1)]]
    mixed = pose.interpolate(rows[:1], rows[1:], place - first)[0]
    for track, bone in enumerate(clip.bones):
        at = skeleton.index.get(bone)
        if at is not None:
            local[:, at] = mixed[:, track]
    return np.asarray(local, np.float32)


def own_speed(clip: Clip) -> float:
    """Inches a second that a clip moves over the ground; 0 where it stays."""
    if clip.delta is None or clip.length <= 0:
        return 0.0
    return float(np.hypot(*(clip.delta[-1, :2] - clip.delta[0, :2]))) / clip.length


class PlayerBody:
    """`step` once a picture, then `batches`."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._now: _Playing | None = None
        self._from: Float32 | None = None
        self._faded = FADE

    def step(self, player: PlayerState, seconds: float) -> None:
        name = chosen(player)
        if self._now is None or name != self._now.name:
            clip = self._library.clip(name)
            if clip is None:
                return
            skeleton = self._library.model(self._model(player)).skeleton
            self._from = self._pose(skeleton) if self._now is not None else None
            self._now, self._faded = _Playing(name, clip), 0.0
        playing = self._now
        # Steps keep up with the ground, whatever the speed.
        pace = own_speed(playing.clip)
        speed = math.hypot(player.velocity[0], player.velocity[1])
        playing.at += seconds * (speed / pace if pace > 1.0 and speed > _MOVING else 1.0)
        if playing.clip.looping and playing.clip.length > 0:
            playing.at %= playing.clip.length
        self._faded += seconds

    def _model(self, player: PlayerState) -> str:
        return MODELS.get(player.team, STANDARD)

    def _pose(self, skeleton: Skeleton) -> Float32:
        playing = self._now
        if playing is None:
            return skeleton.rest
        target = sample(playing.clip, min(playing.at, playing.clip.length), skeleton)
        if self._from is None or self._from.shape != target.shape or self._faded >= FADE:
            return target
        mixed = pose.interpolate(self._from[None], target[None], self._faded / FADE)
        return np.asarray(mixed[0], np.float32)

    def batches(self, player: PlayerState) -> list[ModelBatch]:
        """The body with its weapon, where the player stands."""
        if self._now is None:
            return []
        model = self._library.model(self._model(player))
        local = self._pose(model.skeleton)[None]
        place = placed(player.origin, (0.0, player.view[1], 0.0))
        found = [ModelBatch(model, place[None], pose.palettes(local, model.skeleton))]
        hand = model.skeleton.index.get("tag_weapon_right")
        if player.weapon_model and hand is not None:
            bones = pose.model_matrices(local, model.skeleton)[0]
            weapon = self._library.model(player.weapon_model)
            found.append(ModelBatch(weapon, combine(place, bones[hand])[None]))
        return found
