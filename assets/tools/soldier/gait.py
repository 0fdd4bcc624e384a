"""Feet that do not slide: each stands still in the world from its contact until it leaves the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assets.tools.keys import Channel
from assets.tools.rotations import Array, about, vec


@dataclass(frozen=True)
class Gait:
    """A cycle of two steps at constant speed; the left foot lands at frame 0, the right one half a cycle later.

    velocity  inches a second over the ground, root space (forward, left)
    ground    share of the cycle that a foot stands
    reach     where a foot lands, ahead of the point midway through its stand
    width     from the middle to each foot
    pitch     degrees over the cycle of a foot, {share: degrees}: 0 is its contact; above 0 the heel is up
    lift      inches over the swing, {share of the swing: height}
    toe       how far the toes stay flat, {share of the cycle: 0..1}
    splay     degrees that the feet point outwards
    """

    frames: int
    seconds: float
    velocity: tuple[float, float]
    ground: float
    reach: float
    width: float
    pitch: Mapping[float, float]
    lift: Mapping[float, float]
    toe: Mapping[float, float]
    splay: float = 7.0

    def path(self, frame: float) -> dict[str, Any]:
        """The root and both feet at a frame."""
        share = frame / self.frames
        velocity = np.array([*self.velocity, 0.0])
        controls: dict[str, Any] = {"root": velocity * self.seconds * share}
        for side, sign, start in (("left", 1.0, 0.0), ("right", -1.0, 0.5)):
            phase = (share - start) % 1.0
            controls[f"{side}_foot"] = self._place(phase, velocity) + vec(0.0, sign * self.width, 0.0)
            pitch = Channel(self.pitch, 1.0).at(phase)
            controls[f"{side}_foot_turn"] = (sign * self.splay, pitch, 0.0)
            controls[f"{side}_toe"] = Channel(self.toe, 1.0).at(phase)
        return controls

    def _place(self, phase: float, velocity: Array) -> Array:
        direction = velocity / np.linalg.norm(velocity)
        first = direction * self.reach
        last = first - velocity * self.seconds * self.ground
        if phase < self.ground:
            return first - velocity * self.seconds * phase
        swing = 1.0 - self.ground
        u = (phase - self.ground) / swing
        slope = -velocity * self.seconds * swing  # of a foot at rest in the world
        place = (
            last * (2 * u**3 - 3 * u**2 + 1)
            + first * (3 * u**2 - 2 * u**3)
            + slope * 0.7 * (u**3 - 2 * u**2 + u)
            + slope * 0.7 * (u**3 - u**2)
        )
        return place + vec(0.0, 0.0, float(Channel(self.lift).at(u)))


def in_root_space(place: Array, heading: float, root: Array, root_yaw: float) -> tuple[Array, float]:
    """A planted foot (world place and heading) as the root sees it."""
    return about((0, 0, 1), -root_yaw) @ (place - root), heading - root_yaw
