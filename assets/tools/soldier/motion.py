"""A motion: channels of keys over frames, turned into the rows of a clip at 30 frames a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assets.tools.keys import Channel
from assets.tools.rotations import Array, mixed
from assets.tools.soldier.rig import Solved, chest_at, solve

FPS = 30.0
Path = Callable[[float], Mapping[str, Any]]


@dataclass
class Motion:
    """A clip in the making.

    keys    control name -> {frame: value}; controls without keys keep the rig's default
    path    controls that are computed for a frame rather than keyed (feet that are planted in the world)
    lag     frames by which the rifle follows the chest, half of it with the chest of that earlier moment
    notes   (name, frame)
    seconds its length; None for `frames` at 30 a second
    moves   the root's travel and turn are the entity's
    """

    name: str
    frames: int
    looping: bool
    keys: dict[str, dict[float, ArrayLike]]
    path: Path | None = None
    lag: float = 0.0
    notes: list[tuple[str, float]] = field(default_factory=list)
    seconds: float | None = None
    moves: bool = False

    def __post_init__(self) -> None:
        period = float(self.frames) if self.looping else None
        self._channels = {name: Channel(keys, period) for name, keys in self.keys.items()}

    @property
    def length(self) -> float:
        """Seconds."""
        return self.seconds if self.seconds is not None else self.frames / FPS

    def controls(self, frame: float) -> dict[str, Any]:
        """All controls at a frame."""
        pose: dict[str, Any] = {name: channel.at(frame) for name, channel in self._channels.items()}
        if self.path is not None:
            pose.update(self.path(frame))
        return pose

    def solved(self, frame: float) -> Solved:
        """The pose of every bone at a frame."""
        controls = self.controls(frame)
        lag = self.lag if self.looping else min(self.lag, self.frames - frame)  # nothing lags at the very end
        if lag <= 0.0:
            return solve(controls)
        here = {name: controls[name] for name in ("root", "root_yaw") if name in controls}
        turn_now, place_now = chest_at(controls)
        turn_then, place_then = chest_at({**self.controls(frame - lag), **here})
        return solve(controls, (mixed(turn_now, turn_then, 0.5), (place_now + place_then) / 2.0))

    def sample(self) -> list[Solved]:
        """Every frame from the first to the last, `frames` + 1 of them."""
        return [self.solved(float(frame)) for frame in range(self.frames + 1)]

    def rows(self) -> Array:
        """(frames + 1, B, 7) local rows."""
        return np.stack([solved.rows() for solved in self.sample()])
